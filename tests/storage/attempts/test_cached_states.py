"""States and protocols that are kept in memory are never older than what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts import queries, stored_states
from pagetrail.storage.attempts.event_log import LARGE_STATE, MAX_EVENTS_BEHIND, SqlEventLog
from pagetrail.storage.attempts.stored_states import StateCache
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import RECORD_CHARS, protocol_of, record_of
from pagetrail.storage.database.tables import AttemptStateRow, Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from tests.support.factory import AttemptDriver, cited, driver, make_workspace

ATTEMPT = "1-Ada"


@pytest.fixture
def ada(tmp_path: Path) -> AttemptDriver:
    """Ada's first task, opened."""
    attempt_driver = driver(make_workspace(tmp_path / "ws"), ATTEMPT)
    attempt_driver.do(ev.Opened(session="t"))
    return attempt_driver


def other_process(ada: AttemptDriver) -> AttemptDriver:
    """The same task through another log on the same file, with event ids of its own."""
    assert isinstance(ada.log, SqlEventLog)
    folder = Path(str(ada.log._engine.url.database)).parent
    second_driver = driver(Workspace.open(folder), ATTEMPT, ada.clock)
    second_driver.sent = 500
    return second_driver


def test_a_state_is_parsed_once(ada: AttemptDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first event of a process, neither reading nor writing parses the state again."""
    monkeypatch.setattr(AttemptState, "model_validate_json", None)
    ada.do(ev.AnswerEdited(text="42"))
    assert ada.state.answer_text == "42"
    with pytest.raises(TypeError, match="not callable"):
        other_process(ada).do(ev.AnswerEdited(text="43"))


def test_what_another_process_stored_is_seen(ada: AttemptDriver) -> None:
    """Two processes that take turns see each other's events, and both fold alike."""
    other = other_process(ada)
    for number in range(4):
        (ada, other)[number % 2].do(ev.AnswerEdited(text=str(number)), after_s=1)
        assert ada.state.answer_text == other.state.answer_text == str(number)
    assert ada.state == other.state == fold(ada.events)
    assert [e.seq for e in ada.events] == [1, 2, 3, 4, 5]


def test_what_was_rolled_back_is_not_kept(ada: AttemptDriver) -> None:
    """An exception after an append leaves the state as it is stored."""
    before = ada.state
    rolled_back = ada.events[0].model_copy(update={"seq": 2, "client_event_id": "lost"})
    with pytest.raises(ZeroDivisionError), ada.log.writing(ATTEMPT) as stream:
        stream.append(rolled_back)
        raise ZeroDivisionError
    assert ada.state == before
    ada.do(ev.AnswerEdited(text="42"))
    assert [e.client_event_id for e in ada.events] == ["c0001", "c0002"]


def test_a_rebuild_does_not_disturb(ada: AttemptDriver) -> None:
    """Projections rebuilt under a running log are those that it keeps."""
    assert isinstance(ada.log, SqlEventLog)
    rebuild(ada.log._engine)
    ada.do(ev.AnswerEdited(text="42"))
    assert rebuild(ada.log._engine, check=True).clean


def stored_seq(ada: AttemptDriver) -> int:
    """The last event that is in the state in the database."""
    assert isinstance(ada.log, SqlEventLog)
    with ada.log._engine.connect() as connection:
        query = select(AttemptStateRow.state).where(AttemptStateRow.attempt_id == ATTEMPT)
        return AttemptState.model_validate_json(connection.execute(query).scalar_one()).last_seq


def test_a_large_state_is_not_rewritten_with_every_event(ada: AttemptDriver) -> None:
    """It falls behind by so many events at most; every reader applies those in between."""
    assert isinstance(ada.log, SqlEventLog)
    ada.do(ev.NoteEdited(text="x" * LARGE_STATE))
    large = ada.state.last_seq
    ada.do(ev.Commented(text="a comment"))
    for number in range(MAX_EVENTS_BEHIND - 1):
        ada.do(ev.AnswerEdited(text=str(number)), after_s=1)
        assert stored_seq(ada) == large
        assert ada.state.answer_text == str(number)
    for reader in (ada, other_process(ada)):
        assert reader.state == fold(ada.events)
    assert len(ada.state.comments) == 1
    assert rebuild(ada.log._engine, check=True).clean
    ada.do(ev.AnswerEdited(text="the next"))
    assert stored_seq(ada) == ada.state.last_seq


@pytest.mark.parametrize(
    "payload",
    [ev.Flagged(comment="odd"), ev.Submitted(outcome="not_found"), ev.Skipped(reason="unclear")],
)
def test_what_others_depend_on_is_stored_at_once(ada: AttemptDriver, payload: ev.Payload) -> None:
    """What reviewers see is in the stored state, however large it is."""
    ada.do(ev.NoteEdited(text="x" * LARGE_STATE))
    ada.do(ev.AnswerEdited(text="42"))
    assert stored_seq(ada) < ada.state.last_seq
    assert not ada.do(payload).refusals
    assert stored_seq(ada) == ada.state.last_seq


def test_a_process_goes_on_from_a_state_that_is_behind(ada: AttemptDriver) -> None:
    """Another process applies the events after the stored state before it writes its own."""
    ada.do(ev.NoteEdited(text="x" * LARGE_STATE))
    ada.do(ev.AnswerEdited(text="42"))
    other = other_process(ada)
    other.do(cited())
    assert other.state.answer_text == ada.state.answer_text == "42"
    assert ada.state == other.state == fold(ada.events)
    assert len(ada.state.citations) == 1


def test_only_so_many_states_are_kept(ada: AttemptDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attempt that was worked on longest ago is parsed again; nothing is lost."""
    monkeypatch.setattr(stored_states, "MAX_CACHED_STATES", 1)
    assert isinstance(ada.log, SqlEventLog)
    ada.log._state_cache = StateCache()
    ada.do(ev.AnswerEdited(text="42"))
    with ada.log.writing("2-Ada") as stream:
        stream.append(ada.events[0].model_copy(update={"attempt_id": "2-Ada"}))
    assert list(ada.log._state_cache._states._values) == ["2-Ada"]
    assert ada.state.answer_text == "42"


def test_large_states_and_records_do_not_pile_up(
    ada: AttemptDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept is bounded in characters too; what is too large alone is not kept at all."""
    assert isinstance(ada.log, SqlEventLog)
    monkeypatch.setattr(stored_states, "MAX_CACHED_CHARS", 6_000)
    ada.log._state_cache = StateCache()
    ada.do(ev.AnswerEdited(text="x" * 3_000))
    assert list(ada.log._state_cache._states._values) == [ATTEMPT]
    ada.do(ev.AnswerEdited(text="x" * 7_000))
    assert list(ada.log._state_cache._states._values) == []
    ada.do(ev.NoteEdited(text="still fine"))
    assert ada.state == fold(ada.events)
    long = json.dumps({"id": "x" * RECORD_CHARS})
    assert record_of(long) == record_of(long)
    assert record_of(long) is not record_of(long)


def test_an_unknown_attempt_is_not_kept(ada: AttemptDriver) -> None:
    """A failed look-up leaves nothing behind."""
    for _ in range(2):
        with pytest.raises(NotFoundError), ada.log.writing("nobody"):
            pass
        with pytest.raises(NotFoundError):
            ada.log.state("nobody")


def test_changed_protocols_and_records_are_seen_at_once(ada: AttemptDriver) -> None:
    """The text decides: a changed campaign or task is read again, an unchanged one is shared."""
    assert isinstance(ada.log, SqlEventLog)
    engine = ada.log._engine
    first, second = queries.attempt(engine, ATTEMPT), queries.attempt(engine, ATTEMPT)
    assert first.protocol is second.protocol and first.record is second.record
    assert first.record["question"] == "How many otters were counted?"
    changed = with_overrides(preset("search"), {"search.top_k": 9})
    with write_transaction(engine) as connection:
        connection.execute(update(Campaign).values(protocol=changed.model_dump(mode="json")))
        connection.execute(update(Task).values(record={"id": "t/1", "question": "Où ?\u2028"}))
    after = queries.attempt(engine, ATTEMPT)
    assert after.protocol.search.top_k == 9
    assert after.record == {"id": "t/1", "question": "Où ?\u2028"}


def test_equal_texts_are_parsed_once() -> None:
    """Tasks of one campaign share one protocol in memory."""
    text = json.dumps(preset("relevance").model_dump(mode="json"))
    assert protocol_of(text) is protocol_of(str(text)) == preset("relevance")
    assert record_of('{"id": 1}') == {"id": 1}
