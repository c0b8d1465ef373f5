"""The acts of review: who holds a task, what a decision rests on, and what repeats do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.errors import ConflictError, NotFoundError, Refusal, StorageError
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.open_close import close_assignment
from pagetrail.storage.campaigns.lifecycle import archive_campaign, close_campaign
from pagetrail.storage.database.tables import Assignment, AttemptSummary, EventRow, ReviewTask
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review import gold_streams as review_streams
from pagetrail.storage.review.actions import ReviewedVersion
from pagetrail.storage.review.automatic_acceptance import AutomaticAcceptance
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.gold_streams import GoldStreams
from pagetrail.storage.review.projection import stale_tasks
from pagetrail.storage.review.queue import first_free, neighbours, queue
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

PROTOCOL: Protocol = with_overrides(
    preset("search"), {"overlap": 2, "evidence.required": False, "review.check_share": 0.0}
)
RECORDS = [
    {
        "id": f"t/{n}",
        "question": f"Wie viele Ötter in {n}?",
        "domain": "Wildlife" if n < 3 else "Law",
    }
    for n in (1, 2, 3, 4)
]


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Four tasks of two people; at the first they differ, at the second they agree."""
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    reviewed.answer("2-Ada", "seal", 3)
    reviewed.answer("2-Bo", "seal", 3)
    return reviewed


ADA = {"answer": Pick("side", "1-Ada"), "evidence": Pick("side", "1-Ada")}


def status(reviewed: Reviewed, task: int) -> str:
    """The task's status once everything is worked out."""
    reviewed.reviews.acceptance.settle(CAMPAIGN)
    with reviewed.workspace.engine.connect() as connection:
        statement = select(ReviewTask.status).where(ReviewTask.task_id == task)
        return str(connection.execute(statement).scalar_one())


def gold_events(reviewed: Reviewed, task: int) -> list[str]:
    """The kinds of events of the task's gold stream, in order."""
    gold = reviewed.reviews.streams.gold(task)
    return [event.type for event in reviewed.log.events(gold.attempt_id)]


def test_a_task_is_taken_kept_by_working_and_free_again_after_the_lease(reviewed: Reviewed) -> None:
    """The second supervisor is told who has it; 30 minutes after its holder's last act they may."""
    reviewed.reviews.take(1, "Sofia", "e1")
    with pytest.raises(ConflictError, match="Sofia took this task just now") as refused:
        reviewed.reviews.take(1, "Sven", "e2")
    assert refused.value.code == "taken"
    reviewed.clock.advance(seconds=25 * 60)
    reviewed.reviews.put_together(1, "Sofia", {}, reviewed.current_version(1), "e3")
    reviewed.clock.advance(seconds=25 * 60)
    with pytest.raises(ConflictError, match="Sofia took this task 50 min ago"):
        reviewed.reviews.take(1, "Sven", "e4")
    now = reviewed.clock.now()
    assert queue(reviewed.workspace.engine, [CAMPAIGN], Filters(), now).rows[0].holder == "Sofia"
    assert first_free(reviewed.workspace.engine, [CAMPAIGN], Filters(), now, "Sven") is None
    reviewed.clock.advance(seconds=6 * 60)
    now = reviewed.clock.now()
    assert queue(reviewed.workspace.engine, [CAMPAIGN], Filters(), now).rows[0].holder is None
    assert first_free(reviewed.workspace.engine, [CAMPAIGN], Filters(), now, "Sven") == 1
    reviewed.reviews.take(1, "Sven", "e5")
    with pytest.raises(ConflictError, match="Sven has taken this task over"):
        reviewed.reviews.decide(1, "Sofia", None, "", reviewed.current_version(1), "e6")


def test_a_task_is_taken_over_on_purpose_and_put_back(reviewed: Reviewed) -> None:
    """The log says from whom; who no longer holds it puts nothing back."""
    reviewed.reviews.take(1, "Sofia", "e1")
    reviewed.reviews.take(1, "Sofia", "e1b")
    reviewed.reviews.take(1, "Sven", "e2", take_over=True)
    reviewed.reviews.release(1, "Sofia", "e3")
    assert (
        reviewed.reviews.streams.holder(reviewed.state(reviewed.reviews.streams.gold(1).attempt_id))
        == "Sven"
    )
    reviewed.reviews.release(1, "Sven", "e4")
    assert gold_events(reviewed, 1) == ["review_taken", "review_taken", "review_released"]
    payloads = [e.payload for e in reviewed.log.events(reviewed.reviews.streams.gold(1).attempt_id)]
    assert isinstance(payloads[1], ev.ReviewTaken)
    assert payloads[1].over == "Sofia"


def test_a_stale_decision_is_refused_and_says_who_did_what(reviewed: Reviewed) -> None:
    """Resubmitted, reopened, and decided meanwhile: nothing is stored of the attempt."""
    version = reviewed.current_version(1)
    reviewed.answer("1-Bo", "42", 1)
    reviewed.do("1-Ada", ev.Reopened())
    with pytest.raises(ConflictError) as refused:
        reviewed.reviews.decide(1, "Sofia", {}, "", version, "e1")
    assert refused.value.message.startswith(
        "Ada has reopened this task; Bo has resubmitted this task."
    )
    assert gold_events(reviewed, 1) == []
    reviewed.answer("1-Ada", "42")
    version = reviewed.current_version(1)
    reviewed.reviews.decide(1, "Sofia", ADA, "clear", version, "e2")
    with pytest.raises(ConflictError, match="Sofia has decided this task: it is gold"):
        reviewed.reviews.decide(1, "Sven", ADA, "", version, "e3")
    assert gold_events(reviewed, 1) == ["gold_merged", "adjudicated"]


def test_a_repeated_request_is_carried_out_once(reviewed: Reviewed) -> None:
    """Its answer was lost: the same id again changes nothing, whatever else has happened since."""
    version = reviewed.current_version(1)
    for _ in range(2):
        state = reviewed.reviews.decide(1, "Sofia", ADA, "clear", version, "e1").state
        assert state.review is not None
        assert state.review.version == 1
    assert gold_events(reviewed, 1) == ["gold_merged", "adjudicated"]
    for _ in range(2):
        reviewed.reviews.take_up(1, "Sven", "a slip", "e2")
    reviewed.reviews.put_together(1, "Sven", {}, reviewed.current_version(1), "e3")
    reviewed.reviews.put_together(1, "Sven", {}, ReviewedVersion({}, 0), "e3")
    assert gold_events(reviewed, 1)[2:] == ["gold_reopened", "gold_merged"]


def test_gold_is_what_was_picked_and_names_its_sources(reviewed: Reviewed) -> None:
    """Ada's answer, both pages; the decision rests on the events with which they submitted."""
    picks = {"answer": Pick("side", "1-Ada"), "evidence": Pick("union")}
    state = reviewed.reviews.decide(
        1, "Sofia", picks, "says so", reviewed.current_version(1), "e1"
    ).state
    assert state.answer == ["42"]
    assert [c.page for c in state.citations] == [1, 2]
    assert state.review is not None
    submitted_seqs = {name: reviewed.state(f"1-{name}").last_seq for name in ("Ada", "Bo")}
    assert {s.annotator: s.seq for s in state.review.sources} == submitted_seqs
    assert status(reviewed, 1) == "decided"


@pytest.mark.parametrize("stored", [False, True], ids=["proposal", "stored draft"])
def test_a_tie_is_not_decided_by_anybody_but_the_reviewer(reviewed: Reviewed, stored: bool) -> None:
    """Two answers that differ: nothing becomes gold until the reviewer takes one."""
    if stored:
        draft = reviewed.reviews.put_together(
            1, "Sofia", {}, reviewed.current_version(1), "e1"
        ).state
        assert draft.answer == []
    before = gold_events(reviewed, 1)
    with pytest.raises(Refusal, match="A tie, for you to decide: Answer") as refused:
        picks = None if stored else {}
        reviewed.reviews.decide(1, "Sofia", picks, "", reviewed.current_version(1), "e2")
    assert refused.value.code == "tied"
    assert gold_events(reviewed, 1) == before
    state = reviewed.reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e3").state
    assert state.answer == ["42"]


def test_agreement_becomes_gold_once_and_is_confirmed_or_taken_up(tmp_path: Path) -> None:
    """Drawn to be checked: choosing something else needs taking it up, confirming does not.

    A reviewer who has seen it before it became gold reads that the rule decided.
    """
    reviewed = campaign(
        tmp_path / "ws", with_overrides(PROTOCOL, {"review.check_share": 1.0}), RECORDS
    )
    reviewed.answer("2-Ada", "seal", 3)
    reviewed.answer("2-Bo", "SEAL", 3)
    version = reviewed.current_version(2)
    assert status(reviewed, 2) == "check"
    before = gold_events(reviewed, 2)
    assert before == ["gold_merged", "adjudicated"]
    by_rule = "^The campaign’s rule has accepted this task: it is gold, version 1. "
    with pytest.raises(ConflictError, match=by_rule):
        reviewed.reviews.decide(2, "Sofia", {}, "", version, "e0")
    with pytest.raises(Refusal, match=f"{by_rule}Reopen it"):
        reviewed.reviews.decide(
            2, "Sofia", {"evidence": Pick("none")}, "", reviewed.current_version(2), "e1"
        )
    assert gold_events(reviewed, 2) == before
    reviewed.reviews.confirm(2, "Sofia", "fine", reviewed.current_version(2), "e2")
    assert status(reviewed, 2) == "decided"
    reviewed.reviews.take_up(2, "Sofia", "no page", "e3")
    assert status(reviewed, 2) == "conflict"
    reviewed.reviews.decide(
        2, "Sofia", {"evidence": Pick("none")}, "", reviewed.current_version(2), "e4"
    )
    review = reviewed.state(reviewed.reviews.streams.gold(2).attempt_id).review
    assert review is not None
    assert (review.version, review.decided_by, review.automatic) == (3, "Sofia", False)


def test_one_task_is_settled_by_itself(reviewed: Reviewed) -> None:
    """Agreement becomes gold once; what differs is compared; what is waited for stays marked."""
    engine = reviewed.workspace.engine
    reviewed.answer("3-Ada", "1", 1)
    assert stale_tasks(engine) == 3
    assert reviewed.reviews.acceptance.settle_task(2) is True
    assert reviewed.reviews.acceptance.settle_task(2) is False
    assert gold_events(reviewed, 2) == ["gold_merged", "adjudicated"]
    assert reviewed.reviews.acceptance.settle_task(1) is False
    assert reviewed.reviews.acceptance.settle_task(3) is False
    assert reviewed.reviews.streams.task_work(1).gold is None
    assert reviewed.reviews.streams.task_work(3).gold is None
    with engine.connect() as connection:
        rows = connection.execute(select(ReviewTask.task_id, ReviewTask.status, ReviewTask.stale))
        stands = {row[0]: (row[1], row[2]) for row in rows}
    assert stands == {1: ("conflict", False), 2: ("accepted", False), 3: ("waiting", True)}
    reviewed.answer("2-Bo", "whale", 3)
    assert reviewed.reviews.acceptance.settle_task(2) is False
    assert status(reviewed, 2) == "changed"
    assert gold_events(reviewed, 2) == ["gold_merged", "adjudicated"]
    with pytest.raises(NotFoundError):
        reviewed.reviews.acceptance.settle_task(99)


def test_work_that_changes_after_it_was_compared_is_not_accepted(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resubmitted between the comparison and the acceptance: no gold, and compared again."""
    gold = GoldStreams.gold

    def late(streams: GoldStreams, task: int) -> object:
        # The moment after the work was merged.
        monkeypatch.undo()
        reviewed.answer("2-Bo", "whale", 3)
        return gold(streams, task)

    task_work = GoldStreams.task_work

    def before(streams: GoldStreams, task: int) -> object:
        # The moment at which the acceptance looks at what it will rest on.
        monkeypatch.undo()
        reviewed.answer("2-Bo", "whale", 3)
        return task_work(streams, task)

    for name, meddling in (("gold", late), ("task_work", before)):
        reviewed.answer("2-Bo", "seal", 3)
        # The tasks are compared, but not accepted yet.
        reviewed.reviews.acceptance.settle(CAMPAIGN, budget_s=-1)
        monkeypatch.setattr(GoldStreams, name, meddling)
        assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
        assert gold_events(reviewed, 2) == []
        assert status(reviewed, 2) == "conflict"


def test_a_flag_after_the_comparison_stops_the_acceptance(reviewed: Reviewed) -> None:
    """What is flagged is looked at by a person; so is what somebody holds."""
    reviewed.reviews.acceptance.settle(CAMPAIGN, budget_s=-1)
    reviewed.reviews.take(2, "Sofia", "e1")
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
    reviewed.reviews.release(2, "Sofia", "e2")
    reviewed.do(
        "2-Bo", ev.Reopened(), ev.Flagged(comment="sure?"), ev.Submitted(outcome="answered")
    )
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
    assert status(reviewed, 2) == "conflict"


def test_tasks_that_reviewers_hold_are_tried_last(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are refused each time, and would use up the budget of every step."""
    for name in ("Ada", "Bo"):
        reviewed.answer(f"3-{name}", "otter", 1)
    reviewed.reviews.acceptance.settle(CAMPAIGN, budget_s=-1)
    reviewed.reviews.take(2, "Sofia", "e1")
    tried: list[int] = []
    accept = AutomaticAcceptance._accept

    def record_and_accept(acceptance: AutomaticAcceptance, task: int) -> bool:
        tried.append(task)
        return accept(acceptance, task)

    monkeypatch.setattr(AutomaticAcceptance, "_accept", record_and_accept)
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 1
    assert tried == [3, 2]


def test_taken_up_and_handed_in_anew_in_one_go_is_seen(reviewed: Reviewed) -> None:
    """An outbox may hold both: the state looks the same, the work is another."""
    assert status(reviewed, 2) == "accepted"
    assert stale_tasks(reviewed.workspace.engine) == 0
    reviewed.answer("2-Bo", "seal", 3)
    assert stale_tasks(reviewed.workspace.engine) == 1
    assert status(reviewed, 2) == "changed"


def test_sent_back_and_handed_in_again_after_the_batch_was_closed(reviewed: Reviewed) -> None:
    """The batch opens for its annotator, closes once more, and a late repeat opens nothing."""
    engine = reviewed.workspace.engine
    close_assignment(engine, reviewed.recorder, 12)
    batch = select(Assignment.status).where(Assignment.id == 12)

    def stands() -> str:
        with engine.connect() as connection:
            return str(connection.execute(batch).scalar_one())

    reviewed.reviews.send_back("1-Bo", "Sofia", "Page 1?", (), "e1")
    assert (stands(), status(reviewed, 1)) == ("open", "returned")
    with pytest.raises(ConflictError, match="1 of 2 tasks"):
        close_assignment(engine, reviewed.recorder, 12)
    reviewed.answer("1-Bo", "42", 1)
    close_assignment(engine, reviewed.recorder, 12)
    assert (stands(), reviewed.state("1-Bo").closed) == ("closed", True)
    reviewed.reviews.send_back("1-Bo", "Sofia", "Page 1?", (), "e1")
    assert stands() == "closed"
    closed = [e.type for e in reviewed.log.events("1-Bo")].count("batch_closed")
    assert closed == 2
    with pytest.raises(Refusal, match="Only people's work"):
        reviewed.reviews.send_back(
            reviewed.reviews.streams.gold(1).attempt_id, "Sofia", "x", (), "e9"
        )


def test_what_is_marked_survives_and_is_worked_out_in_steps(reviewed: Reviewed) -> None:
    """Nothing is lost when a step is the last: the mark is taken away with the rows."""
    engine = reviewed.workspace.engine
    assert stale_tasks(engine) == 2
    reviewed.workspace.engine.dispose()
    restarted = Reviewed(type(reviewed.workspace).open(reviewed.workspace.root))
    assert stale_tasks(restarted.workspace.engine) == 2
    assert restarted.reviews.acceptance.settle(CAMPAIGN) == 1
    assert (status(restarted, 1), status(restarted, 2)) == ("conflict", "accepted")


def test_of_a_closed_campaign_nobody_waits_for_more_and_an_archived_one_stands_still(
    reviewed: Reviewed,
) -> None:
    """One person's work needs a look then; what nobody submitted does not. Archived: no change."""
    reviewed.answer("3-Ada", "1", 1)
    reviewed.do("4-Ada", ev.Flagged(comment="odd"))
    assert (status(reviewed, 3), status(reviewed, 4)) == ("waiting", "waiting")
    close_campaign(reviewed.workspace, None, "Random")
    assert (status(reviewed, 3), status(reviewed, 4)) == ("single", "waiting")
    archive_campaign(reviewed.workspace, None, "Random", unfinished=True)
    with pytest.raises(Refusal, match="archived"):
        reviewed.reviews.decide(1, "Sofia", {}, "", reviewed.current_version(1), "e1")
    reviewed.workspace.engine.dispose()
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0


def test_the_filters_of_the_queue(reviewed: Reviewed) -> None:
    """Part, annotator, batch, domain, flag and words, alone and together."""
    engine, now = reviewed.workspace.engine, reviewed.clock.now()
    reviewed.answer("3-Ada", "1", 1)
    reviewed.do("3-Ada", ev.Reopened(), ev.Flagged(comment="?"), ev.Submitted(outcome="answered"))
    reviewed.do("3-Bo", ev.AnswerEdited(text="1"), ev.Submitted(outcome="not_found"))
    reviewed.reviews.acceptance.settle(CAMPAIGN)

    def keys(**filters: object) -> list[str]:
        return [row.key for row in queue(engine, [CAMPAIGN], Filters(**filters), now).rows]  # type: ignore[arg-type]

    assert keys() == ["t/3", "t/1"]
    assert keys(part="outcome") == ["t/3"]
    assert keys(flagged=True) == ["t/3"]
    assert keys(batch="Batch 1") == ["t/1"]
    assert keys(domain="Law") == ["t/3"]
    assert keys(annotator="Bo", domain="Wildlife") == ["t/1"]
    assert keys(annotator="Sofia") == []
    assert keys(text="ötter wie") == ["t/3", "t/1"]
    assert keys(text="T/1") == ["t/1"]
    assert keys(text="100%_") == []
    assert keys(statuses=("accepted",)) == ["t/2"]
    assert keys(statuses=("waiting",)) == ["t/4"]
    row = queue(engine, [CAMPAIGN], Filters(), now, limit=1, offset=1).rows[0]
    assert (row.people, row.batch, row.compared) == (("Ada", "Bo"), "Batch 1", True)
    assert neighbours(engine, 2).position is None
    assert neighbours(engine, 2, ("accepted",)).position == 1


def test_a_decision_without_any_work_leaves_the_draft_as_it_was(reviewed: Reviewed) -> None:
    """Everything was sent back meanwhile: refused, and nothing of it is stored."""
    reviewed.reviews.put_together(1, "Sofia", {}, reviewed.current_version(1), "e1")
    for name in ("Ada", "Bo"):
        reviewed.reviews.send_back(f"1-{name}", "Sofia", "again", (), f"back-{name}")
    with pytest.raises(Refusal, match="submitted work on this task: there is nothing to decide on"):
        reviewed.reviews.decide(1, "Sofia", {}, "", reviewed.current_version(1), "e2")
    assert gold_events(reviewed, 1) == ["gold_merged"]


def test_gold_streams_take_only_what_they_should(reviewed: Reviewed) -> None:
    """No empty gold, no blank reason, no gold in people's work, nothing of another campaign's."""
    with pytest.raises(Refusal, match="Nothing has been merged"):
        reviewed.reviews.decide(1, "Sofia", None, "", reviewed.current_version(1), "e1")
    with pytest.raises(Refusal, match="no gold to reopen"):
        reviewed.reviews.take_up(1, "Sofia", "why", "e2")
    reviewed.reviews.decide(1, "Sofia", ADA, "", reviewed.current_version(1), "e3")
    with pytest.raises(Refusal, match="This is blank"):
        reviewed.reviews.take_up(1, "Sofia", " ", "e4")
    reviewed.reviews.take_up(1, "Sofia", "again", "e5")
    impossible: list[dict[str, Pick]] = [
        {"evidence": Pick("pick", pages=(("b.pdf", 3),))},
        {"answer": Pick("side", "2-Ada")},
        {"answer": Pick("union")},
        {"nothing": Pick("side", "1-Ada")},
    ]
    for number, picks in enumerate(impossible):
        with pytest.raises(Refusal):
            reviewed.reviews.decide(
                1, "Sofia", picks, "", reviewed.current_version(1), f"d{number}"
            )
    assert gold_events(reviewed, 1) == ["gold_merged", "adjudicated", "gold_reopened"]
    with reviewed.workspace.engine.connect() as connection:
        event_types = connection.execute(
            select(EventRow.type).where(EventRow.attempt_id.in_(["1-Ada", "1-Bo"]))
        ).scalars()
        assert not {"adjudicated", "gold_merged", "review_taken"} & set(event_types)


def test_a_task_comes_back_together_with_its_batch(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event and the open batch are one transaction: an end right after it parts them not."""
    close_assignment(reviewed.workspace.engine, reviewed.recorder, 12)

    def killed(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(review_streams, "refresh_tasks", killed)
        with pytest.raises(RuntimeError, match="killed"):
            reviewed.reviews.send_back("1-Bo", "Sofia", "Page 1?", (), "e1")
    assert reviewed.state("1-Bo").returned
    with reviewed.workspace.engine.connect() as connection:
        batch = select(Assignment.status).where(Assignment.id == 12)
        assert connection.execute(batch).scalar_one() == "open"


def test_a_stored_decision_is_confirmed_though_the_queue_cannot_be_refreshed(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reviewer is told that it is stored; its status is worked out later."""

    def no_room(*_: object) -> None:
        raise StorageError("The disk that holds the workspace is full.", code="storage_full")

    reviewed.reviews.take(1, "Sofia", "e1")
    with monkeypatch.context() as patched:
        patched.setattr(review_streams, "refresh_tasks", no_room)
        decided = reviewed.reviews.decide(
            1, "Sofia", ADA, "It is forty.", reviewed.current_version(1), "e2"
        )
    assert decided.state.review is not None and decided.state.review.decided
    assert status(reviewed, 1) == "decided"


def test_an_edit_of_gold_in_the_same_minute_is_no_difference(reviewed: Reviewed) -> None:
    """The queue shows minutes, so it marks nothing; verify must not call that wrong."""
    reviewed.reviews.take(1, "Sofia", "e1")
    reviewed.reviews.put_together(1, "Sofia", {}, reviewed.current_version(1), "e2")
    reviewed.reviews.acceptance.settle(1)
    gold = queries.attempt(reviewed.workspace.engine, reviewed.reviews.streams.gold(1).attempt_id)
    context = replace(gold.context(), actor="Sofia")
    for number in range(2):
        reviewed.clock.advance(seconds=2)
        edit = Command(f"edit-{number}", ev.AnswerEdited(text=f"version {number}"))
        assert not reviewed.recorder.record(context, [edit]).refusals
    assert stale_tasks(reviewed.workspace.engine) == 0
    assert rebuild(reviewed.workspace.engine, check=True).clean


def test_a_comment_on_submitted_work_changes_no_summary(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its times, nor what verify says of a server killed before the queue was refreshed."""
    reviewed.reviews.acceptance.settle(1)
    attempt = next(iter(reviewed.current_version(1).sources))
    before = _summaries(reviewed)
    reviewed.clock.advance(seconds=70)
    with monkeypatch.context() as killed:
        killed.setattr(review_streams, "refresh_tasks", lambda *_: None)
        reviewed.reviews.comment(attempt, "Sofia", "Well done.", "c1")
    assert rebuild(reviewed.workspace.engine, check=True).clean
    reviewed.reviews.comment(attempt, "Sofia", "Very well done.", "c2")
    assert _summaries(reviewed) == before


def _summaries(reviewed: Reviewed) -> list[tuple[object, ...]]:
    statement = select(AttemptSummary.attempt_id, AttemptSummary.wall_ms, AttemptSummary.active_ms)
    with reviewed.workspace.engine.connect() as connection:
        return [
            tuple(row) for row in connection.execute(statement.order_by(AttemptSummary.attempt_id))
        ]
