"""Hidden gold and repeated tasks: mixed in at their rates, told by nothing, counted apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.board import board
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.batches.checks import n_checks_by_rates, n_repeats_by_rate
from pagetrail.storage.batches.my_batches import AssignmentRow, assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.batches.quality_preview import GoldSources, gold_sources, quality_preview
from pagetrail.storage.batches.reassignment import assign_batch, move_batch
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.campaigns.lifecycle import close_campaign, open_work, reopen_campaign
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Attempt, Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.progress.campaign_state import campaign_state
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from pagetrail.storage.review.actions import Reviews
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

MAIN, POOL = "Main", "Experts"
PROTOCOL = with_overrides(
    preset("search"),
    {
        "quality.gold_from": POOL,
        "quality.gold_rate": 0.2,
        "quality.repeat_rate": 0.2,
        "quality.repeat_gap": 2,
    },
)


def make(
    workspace: Workspace,
    folder: Path,
    people: tuple[str, ...] = ("Ada",),
    protocol: Protocol = PROTOCOL,
) -> None:
    """Three batches of five tasks; the pool has six, of the same ids as other tasks."""
    register_documents(workspace)
    pool = [
        task(n, question=f"Known {n}?", answer_variants=[[str(n)], [f"no. {n}"]]) for n in range(6)
    ]
    import_tasks(workspace, write_jsonl(folder / "pool.jsonl", pool), campaign=POOL)
    close_campaign(workspace, None, POOL)
    rows = write_jsonl(folder / "tasks.jsonl", [task(n) for n in range(15)])
    import_tasks(workspace, rows, campaign=MAIN, protocol=protocol, batch_size=5, overlap=1, seed=7)
    add_people(workspace, people)
    assign(workspace, MAIN, ["Ada"])


def batches_of(workspace: Workspace, user: int = 1) -> list[AssignmentRow]:
    """A person's batches."""
    return assignments(workspace.engine, user)


def work_through(workspace: Workspace, assignment: int) -> list[queries.BatchTask]:
    """Open a batch and submit all of it; returns its tasks as their annotator sees them."""
    ensure_attempts(workspace.engine, assignment, SystemClock())
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    tasks = queries.batch_tasks(workspace.engine, assignment)
    for row in tasks:
        context = queries.attempt(workspace.engine, row.attempt_id).context()
        commands = [Command("done", ev.Submitted(outcome="not_found"))]
        assert not recorder.record(context, commands).refusals
    return tasks


def copies(workspace: Workspace, assignment: int | None = None) -> list[tuple[str, str]]:
    """(kind, question) of the checks that have attempts."""
    statement = (
        select(Campaign.check_kind, Task.record["question"].as_string())
        .join(Task, Task.campaign_id == Campaign.id)
        .join(Attempt, Attempt.task_id == Task.id)
        .where(Campaign.checks_of.is_not(None))
    )
    if assignment is not None:
        statement = statement.where(Attempt.assignment_id == assignment)
    with workspace.engine.connect() as connection:
        return [(row[0], row[1]) for row in connection.execute(statement.order_by(Attempt.id))]


def test_checks_are_mixed_in_at_their_rates(workspace: Workspace, tmp_path: Path) -> None:
    """Two per batch of five; gold fills up what cannot be repeated yet; nobody gets one twice."""
    make(workspace, tmp_path)
    rows = batches_of(workspace)
    assert [row.tasks for row in rows] == [7, 7, 7]
    batch_tasks = [work_through(workspace, row.assignment_id) for row in rows]
    assert [len(tasks) for tasks in batch_tasks] == [7, 7, 7]
    first, second, third = (copies(workspace, row.assignment_id) for row in rows)
    assert [kind for kind, _ in first] == ["gold", "gold"]
    assert sorted(kind for kind, _ in second) == ["gold", "repeat"]
    assert sorted(kind for kind, _ in third) == ["gold", "repeat"]
    assert len({question for _, question in copies(workspace)}) == 6
    first_questions = {task.question for task in batch_tasks[0]}
    assert next(question for kind, question in second if kind == "repeat") in first_questions
    # A batch is the same whoever looks at it and whenever.
    ensure_attempts(workspace.engine, rows[1].assignment_id, SystemClock())
    assert (
        queries.batch_tasks(workspace.engine, rows[1].assignment_id)[0].key == batch_tasks[1][0].key
    )
    assert batches_of(workspace)[0].submitted == 7


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_everything_else_counts_the_campaigns_own_tasks(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Board, overlap, lists, open work, results."""
    make(workspace, tmp_path)
    for row in batches_of(workspace)[:2]:
        work_through(workspace, row.assignment_id)
    state = campaign_state(workspace, MAIN)
    assert (state.tasks, state.attempts, state.submitted) == (15, 10, 10)
    assert campaign_state(workspace, POOL).attempts == 0
    campaigns = {campaign.name: campaign for campaign in list_campaigns(workspace, archived=True)}
    assert set(campaigns) == {MAIN, POOL}
    assert (campaigns[MAIN].submitted, campaigns[MAIN].expected, campaigns[MAIN].open_places) == (
        10,
        15,
        0,
    )
    assert [slot.state for slot in board(workspace, MAIN).slots] == ["done", "done", "untouched"]
    remaining = open_work(workspace, MAIN)
    assert (remaining.batches, remaining.left) == (1, 7)
    with pytest.raises(ConflictError, match="quality checks"):
        reopen_campaign(workspace, None, f"{MAIN} (hidden gold)")


def test_nothing_tells_a_check_from_another_task(workspace: Workspace, tmp_path: Path) -> None:
    """What the screen is made of names the batch and campaign, and neither rates nor the pool."""
    make(workspace, tmp_path)
    row = batches_of(workspace)[0]
    for task_row in work_through(workspace, row.assignment_id):
        attempt = queries.attempt(workspace.engine, task_row.attempt_id)
        assert (attempt.campaign, attempt.code_name) == (MAIN, row.code_name)
        assert attempt.campaign_status == "open"
        assert attempt.protocol.quality == QualityPart()
        assert POOL not in json.dumps(attempt.protocol.model_dump(mode="json"))


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_checks_survive_withdrawal_and_reassignment(workspace: Workspace, tmp_path: Path) -> None:
    """Who takes a batch over gets checks of their own; who gets it back, the same again."""
    make(workspace, tmp_path, ("Ada", "Bo"))
    first, second, _ = batches_of(workspace)
    ensure_attempts(workspace.engine, first.assignment_id, SystemClock())
    before = sorted(copies(workspace, first.assignment_id))
    withdraw_batch(workspace, first.assignment_id)
    assert first.code_name not in [row.code_name for row in batches_of(workspace)]
    reassigned = assign_batch(workspace, MAIN, first.code_name, "Ada")
    ensure_attempts(workspace.engine, reassigned.assignment_id, SystemClock())
    assert sorted(copies(workspace, reassigned.assignment_id)) == before
    moved = move_batch(workspace, second.assignment_id, "Bo")
    work_through(workspace, moved.assignment_id)
    assert [row.tasks for row in batches_of(workspace, 2)] == [7]
    assert board(workspace, MAIN).batches[1].free == 0


def test_gold_has_to_be_somewhere(workspace: Workspace, tmp_path: Path) -> None:
    """A campaign without such tasks is refused before anything is stored."""
    register_documents(workspace)
    file = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    with pytest.raises(ConflictError, match=r"quality\.gold_from: there is no campaign 'Experts'"):
        import_tasks(workspace, file, campaign=MAIN, protocol=PROTOCOL)


@pytest.mark.parametrize("rate", [0.1, 0.25, 0.3])
def test_batches_of_a_size_stay_of_a_size(
    workspace: Workspace, tmp_path: Path, rate: float
) -> None:
    """Also where the rate gives no whole number per batch: it is rounded up, the same for all."""
    protocol = with_overrides(PROTOCOL, {"quality.gold_rate": rate, "quality.repeat_rate": 0.05})
    make(workspace, tmp_path, protocol=protocol)
    planned = {row.tasks for row in batches_of(workspace)}
    assert len(planned) == 1 and planned != {5}
    sizes = {len(work_through(workspace, row.assignment_id)) for row in batches_of(workspace)}
    assert sizes == planned


def test_rates_change_for_batches_that_nobody_has(workspace: Workspace, tmp_path: Path) -> None:
    """What somebody has keeps its size, even without a source of gold; a preview says so before."""
    make(workspace, tmp_path, ("Ada", "Bo"))
    first, second, third = batches_of(workspace)
    work_through(workspace, first.assignment_id)
    assert gold_sources(workspace, MAIN) == GoldSources({POOL: 6}, {})
    no_checks = {"quality.gold_from": None, "quality.gold_rate": 0.0, "quality.repeat_rate": 0.0}
    before = quality_preview(workspace, MAIN, no_checks | {"overlap": 2})
    assert (before.sizes, before.slots, before.assigned) == (((5, 2, 0),), 3, 3)
    assert "A batch of 5 tasks: 0 hidden checks, 2 now." in before.sentences
    change_settings(workspace, None, MAIN, no_checks | {"overlap": 2})
    assert len(work_through(workspace, second.assignment_id)) == 7, "repeats fill what was promised"
    assign(workspace, MAIN, ["Bo"])
    assert [row.tasks for row in batches_of(workspace, 2)] == [5, 5, 5]
    change_settings(workspace, None, MAIN, {"quality.gold_from": POOL, "quality.gold_rate": 0.2})
    assert len(work_through(workspace, third.assignment_id)) == 7
    repeats_only = quality_preview(
        workspace, MAIN, {"quality.gold_rate": 0.0, "quality.repeat_rate": 0.1}
    )
    assert repeats_only.first_is_smaller and not before.first_is_smaller
    for source in (MAIN, "Nowhere"):
        with pytest.raises(ConflictError, match=r"quality\.gold_from"):
            change_settings(workspace, None, MAIN, {"quality.gold_from": source})


def test_what_annotators_say_of_a_check_reaches_supervisors(
    workspace: Workspace, tmp_path: Path
) -> None:
    """A flag on one is in the list, with the person's batch, and can be marked as handled."""
    make(workspace, tmp_path)
    row = batches_of(workspace)[0]
    tasks = work_through(workspace, row.assignment_id)
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    pool = {f"Known {n}?" for n in range(6)}
    hidden = next(task for task in tasks if task.question in pool)
    context = queries.attempt(workspace.engine, hidden.attempt_id).context()
    flag = [Command("flag", ev.Flagged(comment="cut off"))]
    assert not recorder.record(context, [Command("again", ev.Reopened()), *flag]).refusals
    with workspace.engine.connect() as connection:
        statement = select(Campaign.id).where(Campaign.name == MAIN)
        campaign = connection.execute(statement).scalar_one()
    (entry,), total = flagged_attempts(
        workspace.engine, campaign, row.code_name, "Ada", handled="open"
    )
    assert (total, entry.check, entry.code_name) == (1, "gold", row.code_name)
    assert (entry.question, entry.remark) == (hidden.question, "Flag: cut off")
    reviews = Reviews(workspace, recorder, SystemClock())
    reviews.handle(entry.task_id, "Sofia", entry.attempt_id, "handled-1")
    assert flagged_attempts(workspace.engine, campaign, handled="open") == ([], 0)
    assert flagged_attempts(workspace.engine, campaign, handled="handled")[1] == 1


@pytest.mark.parametrize(
    ("rate", "tasks", "repeats"),
    [(0.145, 100, 15), (0.15, 10, 2), (0.2, 12, 2), (0.2, 13, 3), (0.07, 50, 4), (0.0, 40, 0)],
)
def test_repeats_are_rounded_to_the_nearest_number(rate: float, tasks: int, repeats: int) -> None:
    """A half is rounded up, also where the product in binary is just below it: 0.145 × 100."""
    assert n_repeats_by_rate(QualityPart(repeat_rate=rate), tasks) == repeats


def test_checks_are_rounded_up_from_the_exact_product() -> None:
    """0.07 × 100 is 7, though its product in binary is just above it."""
    assert 0.07 * 100 > 7
    assert n_checks_by_rates(QualityPart(repeat_rate=0.07), 100) == 7
    assert n_checks_by_rates(QualityPart(repeat_rate=0.07), 101) == 8
