"""Comments, answers and states have limits, and no event stores again what others wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import event, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts import recorder
from pagetrail.annotation.attempts.recorder import Command, Recorded
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.clock import iso
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Attempt, AttemptStateRow
from pagetrail.storage.projections import rebuild
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import Reviewed, campaign

ATTEMPT = "1-Ada"
TEXT = "x" * 20_000


@pytest.fixture
def desk(tmp_path: Path) -> Reviewed:
    """Tasks of two people; one has started."""
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    reviewed.do(ATTEMPT, ev.Opened(session="tab"))
    return reviewed


def _send(desk: Reviewed, *payloads: ev.Payload) -> Recorded:
    row = queries.attempt(desk.workspace.engine, ATTEMPT)
    desk.sent += 1
    commands = [Command(f"s{desk.sent}-{n}", payload) for n, payload in enumerate(payloads)]
    return desk.recorder.record(row.context(), commands)


def _codes(outcome: Recorded) -> list[str]:
    return [refusal.code for refusal in outcome.refusals.values()]


def _stored(desk: Reviewed) -> str:
    with desk.workspace.engine.connect() as connection:
        status = select(AttemptStateRow.state).where(AttemptStateRow.attempt_id == ATTEMPT)
        return str(connection.execute(status).scalar_one())


def _stored_chars(desk: Reviewed, payload: ev.Payload) -> int:
    """Characters that one event gives the database to store."""
    sizes: list[int] = []

    @event.listens_for(desk.workspace.engine, "before_cursor_execute")
    def count(_connection: object, _cursor: object, statement: str, *rest: object) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            sizes.append(len(str(rest[0])))

    try:
        assert not _send(desk, payload).refusals
    finally:
        event.remove(desk.workspace.engine, "before_cursor_execute", count)
    return sum(sizes)


def test_1500_comments_are_bounded_and_never_stored_again(desk: Reviewed) -> None:
    """Two hundred are taken, the others refused; an event after them is as small as before."""
    before = _stored_chars(desk, ev.NoteEdited(text="a"))
    outcome = _send(desk, *[ev.Commented(text=TEXT) for _ in range(1_500)])
    assert len(outcome.receipts) == ev.MAX_COMMENTS == 200
    assert _codes(outcome) == ["too_many_comments"] * 1_300
    assert "at most 200 comments" in next(iter(outcome.refusals.values())).message
    assert len(_stored(desk)) < 5_000
    # A note adds one step to the history, comments are stored once.
    assert abs(_stored_chars(desk, ev.NoteEdited(text="b")) - before) < 300
    for log in (desk.log, SqlEventLog(desk.workspace.engine)):
        assert [c.text for c in log.state(ATTEMPT).comments] == [TEXT] * 200
    assert rebuild(desk.workspace.engine, check=True).clean


def test_an_attempt_from_before_the_limit_opens(desk: Reviewed) -> None:
    """With more comments than are taken now, which were stored in the state as well."""
    with desk.log.writing(ATTEMPT) as stream:
        for number in range(1, 301):
            stream.append(
                ev.Event(
                    attempt_id=ATTEMPT,
                    seq=stream.state.last_seq + 1,
                    server_ts=iso(desk.clock.now()),
                    client_ts=None,
                    elapsed_ms=number,
                    actor="Sofia",
                    client_event_id=f"old{number}",
                    payload=ev.Commented(text=f"{number}?"),
                )
            )
    state = json.loads(_stored(desk)) | {
        "comments": [{"seq": 2, "by": "Sofia", "at": "2026-01-01", "text": "1?"}]
    }
    with write_transaction(desk.workspace.engine) as connection:
        statement = update(AttemptStateRow).where(AttemptStateRow.attempt_id == ATTEMPT)
        connection.execute(statement.values(state=json.dumps(state)))
    log = SqlEventLog(desk.workspace.engine)
    assert len(log.state(ATTEMPT).comments) == 300
    assert log.state(ATTEMPT) == fold(log.events(ATTEMPT))
    (reviewed_attempt, *_) = [
        w for w in desk.reviews.streams.task_work(1).attempts if w.attempt == ATTEMPT
    ]
    assert len(reviewed_attempt.state.comments) == 300
    assert rebuild(desk.workspace.engine, check=True).clean
    outcome = _send(desk, ev.Commented(text="one more"), ev.NoteEdited(text="goes on"))
    assert (_codes(outcome), len(outcome.receipts)) == (["too_many_comments"], 1)


def test_annotator_of_a_comment_is_read_from_the_log(desk: Reviewed) -> None:
    """A supervisor's question waits until its annotator answers; a return is no question."""
    engine = desk.workspace.engine
    with engine.connect() as connection:
        batch, user = connection.execute(
            select(Assignment.id, Assignment.user_id)
            .join(Attempt, Attempt.assignment_id == Assignment.id)
            .where(Attempt.id == ATTEMPT)
        ).one()

    def question_status() -> tuple[bool, int]:
        task = next(t for t in queries.batch_tasks(engine, batch) if t.attempt_id == ATTEMPT)
        row = next(row for row in assignments(engine, user) if row.assignment_id == batch)
        return task.has_question, row.unanswered

    assert question_status() == (False, 0)
    desk.reviews.comment(ATTEMPT, "Sofia", "Which page?", "q1")
    assert question_status() == (True, 1)
    _send(desk, ev.Commented(text="Page 2."))
    assert question_status() == (False, 0)
    desk.answer(ATTEMPT, "seal", 1)
    desk.reviews.send_back(ATTEMPT, "Sofia", "Look again.", (), "r1")
    assert question_status() == (False, 0)


def test_a_state_at_its_limit_does_not_grow(
    desk: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be shortened, commented on and submitted."""
    desk.do(ATTEMPT, ev.AnswerEdited(text="seal"), ev.NoteEdited(text="n" * 3_000))
    desk.do(ATTEMPT, ev.CitationAdded(document="b.pdf", page=1))
    monkeypatch.setattr(recorder, "MAX_STATE_CHARS", 2_000)
    outcome = _send(desk, ev.NoteEdited(text="n" * 3_001))
    assert _codes(outcome) == ["task_too_large"]
    assert "which is the limit" in next(iter(outcome.refusals.values())).message
    assert not _send(
        desk,
        ev.NoteEdited(text="n" * 2_999),
        ev.Commented(text="It is full."),
        ev.Submitted(outcome="answered"),
    ).refusals
    assert desk.state(ATTEMPT).status == "submitted"


def test_five_hundred_answers_are_the_most(desk: Reviewed) -> None:
    """As many as are compared; the refusal names the limit."""
    assert not _send(desk, ev.AnswerEdited(text="a\n\n" * 500)).refusals
    outcome = _send(desk, ev.AnswerEdited(text="a\n" * 501))
    assert _codes(outcome) == ["too_many_answers"]
    assert "at most 500 answers" in next(iter(outcome.refusals.values())).message
