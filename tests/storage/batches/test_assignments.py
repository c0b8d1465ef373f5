"""Assignments in the database: overlap, claims under concurrency, and withdrawing."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import ManualClock, SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.tasks.batches import order_seed
from pagetrail.app.admin.batches.screen import deadline_warning
from pagetrail.app.workspace.due_words import deadline_words
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign, batch_sizes
from pagetrail.storage.batches.board import board
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import assignments, claimable_campaigns
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.batches.reassignment import set_due
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.absences import set_absence
from pagetrail.storage.people.administration import set_active
from pagetrail.storage.people.profiles import StaffingRequirements, set_profile
from tests.storage.task_data import add_people, register_documents, task, write_jsonl


@pytest.fixture
def campaign(workspace: Workspace, tmp_path: Path) -> str:
    """Six batches of two tasks for two people each, nobody there yet."""
    register_documents(workspace)
    file = write_jsonl(tmp_path / "tasks.jsonl", [task(n) for n in range(12)])
    import_tasks(workspace, file, campaign="Pilot", batch_size=2, overlap=2, seed=7)
    return "Pilot"


def _pairs(workspace: Workspace) -> list[tuple[str, str]]:
    with workspace.engine.connect() as connection:
        rows = connection.execute(
            select(Batch.code_name, User.name)
            .select_from(Assignment)
            .join(Batch, Batch.id == Assignment.batch_id)
            .join(User, User.id == Assignment.user_id)
        )
        return [(row.code_name, row.name) for row in rows]


def _assignment(workspace: Workspace, name: str) -> int:
    with workspace.engine.connect() as connection:
        ids = connection.execute(
            select(Assignment.id)
            .join(User, User.id == Assignment.user_id)
            .where(User.name == name)
            .order_by(Assignment.id)
        )
        return int(ids.scalars().first() or 0)


def _hand_in(workspace: Workspace, assignment_id: int, tasks: int) -> None:
    """Skip the first tasks of a batch, as its person would."""
    ensure_attempts(workspace.engine, assignment_id, SystemClock())
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    for row in queries.batch_tasks(workspace.engine, assignment_id)[:tasks]:
        context = queries.attempt(workspace.engine, row.attempt_id).context()
        recorder.record(context, [Command("skip", ev.Skipped(reason="test"))])


def test_each_batch_reaches_its_overlap_evenly(workspace: Workspace, campaign: str) -> None:
    """Six batches, two people each, four people: three batches for everybody."""
    add_people(workspace, ["a", "b", "c", "d"])
    report = assign(workspace, campaign)
    assert report.shortfall == {}
    assert report.loads == {"a": 3, "b": 3, "c": 3, "d": 3}
    assert sorted(report.created) == sorted(_pairs(workspace))
    assert set(Counter(batch for batch, _ in _pairs(workspace)).values()) == {2}
    assert assign(workspace, campaign).created == []


def test_too_few_people_get_all_they_may_and_the_rest_is_reported(
    workspace: Workspace, campaign: str
) -> None:
    """Nobody gets a batch twice to fill the overlap; a newcomer fills it later."""
    add_people(workspace, ["a"])
    report = assign(workspace, campaign)
    assert report.loads == {"a": 6}
    assert len(report.shortfall) == 6
    assert set(report.shortfall.values()) == {1}
    add_people(workspace, ["b"])
    later = assign(workspace, campaign)
    assert {name for _, name in later.created} == {"b"}
    assert later.shortfall == {}
    assert len(set(_pairs(workspace))) == len(_pairs(workspace)) == 12


def test_only_active_annotators_are_given_batches(workspace: Workspace, campaign: str) -> None:
    """Supervisors, admins, system users and people who left get none, not even by name."""
    add_people(workspace, ["a", "gone"])
    add_people(workspace, ["boss"], role="supervisor")
    add_people(workspace, ["gpt"], role="system")
    set_active(workspace, None, "gone", False)
    assert {name for _, name in assign(workspace, campaign).created} == {"a"}
    for name, message in (
        ("gone", "gone is inactive"),
        ("boss", "boss has the role supervisor"),
        ("gpt", "gpt has the role system"),
    ):
        with pytest.raises(ConflictError, match=message):
            assign(workspace, campaign, [name])
    with pytest.raises(NotFoundError, match="no user 'nobody'"):
        assign(workspace, campaign, ["nobody"])


def test_named_people_only(workspace: Workspace, campaign: str) -> None:
    """The names limit who gets batches; a name given twice is one person."""
    add_people(workspace, ["a", "b", "c"])
    report = assign(workspace, campaign, ["B", "b", "c"])
    assert report.loads == {"b": 6, "c": 6}


def test_whoever_matches_gets_batches_up_to_a_limit(workspace: Workspace, campaign: str) -> None:
    """Those with the language, at most five tasks each, earlier ones counted; a pilot has none."""
    add_people(workspace, ["a", "b", "c"])
    for name in ("a", "b"):
        set_profile(workspace, None, name, languages=["de"])
    assign(workspace, campaign, ["a"], most_tasks=2)
    report = assign(
        workspace, campaign, requirements=StaffingRequirements(languages=("DE",)), most_tasks=5
    )
    assert report.loads == {"a": 2, "b": 2}
    assert sum(report.shortfall.values()) == 8
    assert assign(workspace, campaign, ["a", "b"], most_tasks=5).created == []
    with pytest.raises(ConflictError, match="No active annotator matches: language fr"):
        assign(workspace, campaign, requirements=StaffingRequirements(languages=("fr",)))


def test_unknown_and_closed_campaigns_are_refused(workspace: Workspace, campaign: str) -> None:
    """The message names the campaigns there are, or the one meant."""
    with pytest.raises(NotFoundError, match=r"no campaign 'Final'\. Campaigns: Pilot\."):
        assign(workspace, "Final")
    with pytest.raises(ConflictError, match="differs in case only"):
        assign(workspace, "pilot")
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Campaign).values(status="closed"))
    with pytest.raises(ConflictError, match="Campaign Pilot is closed"):
        assign(workspace, campaign)


def test_the_seed_of_an_order_is_stored(workspace: Workspace, campaign: str) -> None:
    """It follows from campaign seed, batch and person, so an export can repeat the order."""
    add_people(workspace, ["a", "b"])
    assign(workspace, campaign)
    with workspace.engine.connect() as connection:
        rows = connection.execute(
            select(Assignment.seed, Batch.code_name, User.name)
            .select_from(Assignment)
            .join(Batch, Batch.id == Assignment.batch_id)
            .join(User, User.id == Assignment.user_id)
        ).all()
    assert len({row.seed for row in rows}) == 12
    assert all(row.seed == order_seed(7, row.code_name, row.name) for row in rows)


def test_claiming_gives_the_next_free_batch(workspace: Workspace, campaign: str) -> None:
    """One person claims each batch once, in order; then there is nothing left for them."""
    (ada,) = add_people(workspace, ["Ada"])
    claimed = [claim_next_batch(workspace, campaign, ada) for _ in range(7)]
    assert claimed[-1] is None
    assert len(set(claimed[:6])) == 6
    assert [batch for batch, _ in _pairs(workspace)] == [
        "Aquarius", "Orion", "Phoenix", "Lyra", "Cygnus", "Draco",
    ]  # fmt: skip


def test_claims_at_the_same_moment_never_exceed_the_overlap(
    workspace: Workspace, campaign: str
) -> None:
    """Eight people race for the twelve places of six batches: all given, none twice."""
    ids = add_people(workspace, [f"p{n}" for n in range(8)])
    start = threading.Barrier(len(ids))

    def claim(user_id: int) -> int:
        start.wait()
        claims = 0
        while claim_next_batch(workspace, campaign, user_id) is not None:
            claims += 1
        return claims

    with ThreadPoolExecutor(len(ids)) as pool:
        assert sum(pool.map(claim, ids)) == 12
    pairs = _pairs(workspace)
    assert len(set(pairs)) == len(pairs) == 12
    assert set(Counter(batch for batch, _ in pairs).values()) == {2}


def test_claims_need_an_active_annotator(workspace: Workspace, campaign: str) -> None:
    """A supervisor, somebody inactive, or an id nobody has cannot claim."""
    (boss,) = add_people(workspace, ["boss"], role="supervisor")
    (ada,) = add_people(workspace, ["Ada"])
    set_active(workspace, None, "Ada", False)
    for user_id in (boss, ada):
        with pytest.raises(ConflictError):
            claim_next_batch(workspace, campaign, user_id)
    with pytest.raises(NotFoundError):
        claim_next_batch(workspace, campaign, 999)
    assert _pairs(workspace) == []


def test_an_untouched_batch_can_be_taken_back(workspace: Workspace, campaign: str) -> None:
    """Opened but unworked attempts go with it, and the place is free again."""
    ada, bob = add_people(workspace, ["Ada", "Bob"])
    first = claim_next_batch(workspace, campaign, ada)
    assert first is not None
    ensure_attempts(workspace.engine, first, SystemClock())
    withdraw_batch(workspace, first)
    assert _pairs(workspace) == []
    assert claim_next_batch(workspace, campaign, bob) is not None
    assert _pairs(workspace) == [("Aquarius", "Bob")]
    with pytest.raises(NotFoundError):
        withdraw_batch(workspace, 999)


def test_work_is_never_taken_back(workspace: Workspace, campaign: str) -> None:
    """One event is enough: the assignment and the event stay."""
    (ada,) = add_people(workspace, ["Ada"])
    assignment = claim_next_batch(workspace, campaign, ada)
    assert assignment is not None
    _hand_in(workspace, assignment, 1)
    with pytest.raises(ConflictError, match="Ada has already worked on batch Aquarius: 1 events"):
        withdraw_batch(workspace, assignment)
    assert [summary.skipped for summary in list_campaigns(workspace)] == [1]


@pytest.mark.parametrize(("skipped_tasks", "replaced"), [(0, True), (1, True), (2, False)])
def test_a_person_who_left_holds_a_place_only_with_a_finished_batch(
    workspace: Workspace, campaign: str, skipped_tasks: int, replaced: bool
) -> None:
    """Otherwise some tasks would never reach their overlap; finished work is not repeated."""
    add_people(workspace, ["Ada", "Bob"])
    assign(workspace, campaign)
    _hand_in(workspace, _assignment(workspace, "Ada"), skipped_tasks)
    set_active(workspace, None, "Ada", False)
    add_people(workspace, ["Cy"])
    report = assign(workspace, campaign)
    assert len(report.created) == (6 if replaced else 5)
    assert {name for _, name in report.created} == {"Cy"}
    set_active(workspace, None, "Ada", True)
    assert assign(workspace, campaign).created == []


def test_the_campaign_list_counts(workspace: Workspace, campaign: str) -> None:
    """Tasks, places and progress are those of the assignments made."""
    add_people(workspace, ["Ada"])
    assign(workspace, campaign)
    _hand_in(workspace, _assignment(workspace, "Ada"), 2)
    (summary,) = list_campaigns(workspace)
    assert (summary.name, summary.protocol, summary.seed) == ("Pilot", "search", 7)
    assert (summary.tasks, summary.batches, summary.overlap) == (12, 6, 2)
    assert (summary.assignments, summary.open_places, summary.expected) == (6, 6, 12)
    assert (summary.submitted, summary.skipped, summary.flagged) == (0, 2, 0)


def test_claims_keep_to_the_conditions_of_the_assignment(
    workspace: Workspace, campaign: str
) -> None:
    """Language and limit hold for whoever takes batches; an assignment to all lifts them."""
    ada, bob, _ = add_people(workspace, ["Ada", "Bob", "Eve"])
    for name, language in (("Ada", "de"), ("Bob", "fr"), ("Eve", "de")):
        set_profile(workspace, None, name, languages=[language])
    with workspace.engine.connect() as connection:
        size = batch_sizes(connection, 1)["Aquarius"]
    assign(
        workspace,
        campaign,
        requirements=StaffingRequirements(languages=("de",)),
        most_tasks=2 * size,
    )
    with write_transaction(workspace.engine) as connection:
        connection.execute(delete(Assignment))
    assert claimable_campaigns(workspace.engine, bob) == {}
    with pytest.raises(ConflictError, match="is for language de"):
        claim_next_batch(workspace, campaign, bob)
    claims = [claim_next_batch(workspace, campaign, ada) for _ in range(3)]
    assert None not in claims[:2] and claims[2] is None
    assert claimable_campaigns(workspace.engine, ada) == {}
    assign(workspace, campaign, ["Eve"])
    assert claim_next_batch(workspace, campaign, ada) is None, "naming people changes nothing"
    with write_transaction(workspace.engine) as connection:
        connection.execute(delete(Assignment))
    assign(workspace, campaign)
    with write_transaction(workspace.engine) as connection:
        connection.execute(delete(Assignment))
    assert claim_next_batch(workspace, campaign, bob) is not None


def test_who_is_away_gets_no_batch(workspace: Workspace, campaign: str) -> None:
    """On the days of the absence, with the reason; before and after as everybody."""
    add_people(workspace, ["Ada", "Bob"])
    set_absence(workspace, None, "Ada", (date(2026, 3, 2), date(2026, 3, 9)))
    during = ManualClock(datetime(2026, 3, 9, 12, tzinfo=UTC))
    report = assign(workspace, campaign, clock=during)
    assert {name for _, name in report.created} == {"Bob"}
    assert report.passed_over == {"Ada": "away until 2026-03-09."}
    after = assign(workspace, campaign, clock=ManualClock(datetime(2026, 3, 10, tzinfo=UTC)))
    assert {name for _, name in after.created} == {"Ada"}


def test_a_deadline_is_shown_until_the_batch_is_done(workspace: Workspace, campaign: str) -> None:
    """To its annotator and to supervisors: before, on the day, and after it."""
    (ada,) = add_people(workspace, ["Ada"])
    assign(workspace, campaign)
    set_due(workspace, campaign, "Orion", date(2026, 3, 2), by="sven")
    row = next(r for r in assignments(workspace.engine, ada) if r.code_name == "Orion")
    words = {day: deadline_words(row, date(2026, 3, day)) for day in (1, 2, 3)}
    assert words == {
        1: ["Due 2026-03-02"], 2: ["**Due today**"], 3: ["**Overdue since 2026-03-02**"],
    }  # fmt: skip
    assert [row.is_due(date(2026, 3, day)) for day in (1, 2, 3)] == [False, True, True]
    campaign_board = board(workspace, campaign)
    assert deadline_warning(campaign_board, date(2026, 3, 1)) == ""
    assert deadline_warning(campaign_board, date(2026, 3, 2)) == "1 batch due today: Orion (Ada)."
    assert deadline_warning(campaign_board, date(2026, 3, 3)) == "1 batch overdue: Orion (Ada)."
