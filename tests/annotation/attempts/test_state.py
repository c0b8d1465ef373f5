"""The fold: pure, deterministic, total, and the same whether done at once or step by step."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, apply, fold, fold_without_history
from tests.annotation.attempts.trajectories import STEPS, play
from tests.annotation.events.examples import EXAMPLES
from tests.support.factory import cited, events_at, searched, viewed


def test_nothing_folds_to_a_new_attempt() -> None:
    """An attempt without events is new and empty."""
    assert fold([]) == AttemptState()
    assert AttemptState().status == "new"


@pytest.mark.parametrize("payload", [p for p, _ in EXAMPLES], ids=lambda p: p.type)
def test_fold_is_total(payload: ev.Payload) -> None:
    """Any event may come first: the fold never raises, and the attempt is no longer new."""
    state = fold(events_at((0, payload)))
    assert state.status != "new"
    assert state.last_seq == 1


@given(STEPS)
def test_one_by_one_is_the_same_as_at_once(
    steps: list[tuple[ev.Payload, int, int]],
) -> None:
    """What the log keeps up to date by ``apply`` is the fold of the events, from any point on."""
    driver = play(steps)
    log = driver.events
    assert driver.state == fold(log) == fold(iter(log))
    middle = len(log) // 2
    assert reduce(apply, log[middle:], fold(log[:middle])) == fold(log)


@given(STEPS)
def test_without_history_all_else_is_the_same(steps: list[tuple[ev.Payload, int, int]]) -> None:
    """Exports and reports read everything except what can be undone."""
    log = play(steps).events
    without_history = fold(log).model_copy(update={"undo": (), "redo": ()})
    assert fold_without_history(log) == without_history


@given(STEPS)
def test_state_survives_storage(steps: list[tuple[ev.Payload, int, int]]) -> None:
    """The JSON of a state reads back as the same state, and a new fold gives the same bytes."""
    driver = play(steps)
    stored = driver.state.model_dump_json()
    assert AttemptState.model_validate_json(stored) == driver.state
    assert fold(driver.events).model_dump_json() == stored


@given(STEPS)
def test_invariants_of_every_state(steps: list[tuple[ev.Payload, int, int]]) -> None:
    """What must hold whatever was recorded."""
    driver = play(steps)
    state = driver.state
    assert state.last_seq == len(driver.events)
    assert [e.seq for e in driver.events] == list(range(1, len(driver.events) + 1))
    elapsed = [e.elapsed_ms for e in driver.events]
    assert elapsed == sorted(elapsed)
    assert elapsed[:1] in ([], [0])
    pages = [(c.document, c.page) for c in state.citations]
    assert len(set(pages)) == len(pages)
    assert (state.outcome is not None) == (state.status == "submitted")
    assert (state.skip_reason is not None) == (state.status == "skipped")
    if state.status == "submitted" and state.outcome == "answered":
        assert state.answer
        assert state.citations


def test_a_citation_stays_where_it_was_first_added() -> None:
    """Citing twice changes nothing; removing and citing again puts it at the end."""
    log = events_at((0, cited(3)), (1, cited(5)), (2, cited(3)))
    assert [(c.page, c.seq) for c in fold(log).citations] == [(3, 1), (5, 2)]
    removed = ev.CitationRemoved(document="annual report.pdf", page=3)
    log = events_at((0, cited(3)), (1, cited(5)), (2, removed), (3, cited(3)))
    assert [(c.page, c.seq) for c in fold(log).citations] == [(5, 2), (3, 4)]


def test_the_last_text_counts() -> None:
    """Answer and note are whole texts: the newest replaces the one before."""
    log = events_at(
        (0, ev.AnswerEdited(text="a")),
        (1, ev.NoteEdited(text="n")),
        (2, ev.AnswerEdited(text=" b \n\n\u00a0c\r\n")),
    )
    state = fold(log)
    assert state.answer == ["b", "c"]
    assert state.note == "n"


def test_reopening_takes_the_outcome_back_and_keeps_the_work() -> None:
    """After reopening everything is as it was but the submission."""
    log = events_at(
        (0, searched()),
        (1, viewed(3, rank=1)),
        (2, cited(3)),
        (3, ev.AnswerEdited(text="42")),
        (4, ev.Submitted(outcome="answered")),
        (5, ev.Reopened()),
    )
    before, after = fold(log[:4]), fold(log)
    assert after.status == "open"
    assert after.outcome is None
    times = {"last_seq", "updated_at", "elapsed_ms", "work_ms"}
    assert after.model_dump(exclude=times) == before.model_dump(exclude=times)


def test_history_holds_refused_searches_apart() -> None:
    """A refused query is in the history with its sentence and without results."""
    refused = ev.SearchRefused(search_id="s0", query="*", reason="too_broad", message="Too broad.")
    first, second = fold(events_at((0, refused), (1, searched("otters")))).searches
    assert (first.refusal, first.results, first.parsed) == ("Too broad.", (), None)
    assert (second.refusal, second.results[0]) == (None, ("annual report.pdf", 3))
