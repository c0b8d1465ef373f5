"""The row of a submitted attempt."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.metrics.attempt_rows import Row, attempt_row
from pagetrail.annotation.metrics.search.steps import SearchStep
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.tasks.task import read_task
from tests.annotation.attempts.trajectories import STEPS, play
from tests.support.factory import TASKS, cited, events_at, searched, viewed
from tests.support.randomness import examples

OTTERS, RIVERS, SIGNED, HIDDEN = TASKS
LIST = with_overrides(preset("search"), {"answer.unanswerable": True})
"""One answer per line, citations, and a way to say that there is no answer."""


def row(record: dict[str, Any], *steps: tuple[float, ev.Payload], **options: Any) -> Row:
    """The row of an attempt in which these events happened, at these seconds."""
    events = events_at(*steps)
    return attempt_row(record, fold(events), events, **({"protocol": LIST} | options))


def search_step(n: int, query: str, *hits: tuple[str, int]) -> ev.Searched:
    """A search that showed these pages."""
    results = tuple(
        SearchHit(rank=rank, file=file, page=page, score=9.0 - rank)
        for rank, (file, page) in enumerate(hits, start=1)
    )
    return searched(query, n, total_hits=40).model_copy(update={"results": results})


TRAJECTORY: list[tuple[float, ev.Payload]] = [
    (0, ev.Opened(session="tab-1")),
    (5, search_step(1, "rivers", ("c.pdf", 9), ("annual report.pdf", 1))),
    (10, ev.SearchRefused(search_id="s0", query="", reason="query_refused", message="Type.")),
    (20, search_step(2, "two rivers", ("b.pdf", 1), ("annual report.pdf", 4), ("b.pdf", 2))),
    (25, viewed(4, rank=2)),
    (30, viewed(4, "restored")),
    (40, cited(4)),
    (45, ev.CitationAdded(document="c.pdf", page=9)),
    (60, ev.AnswerEdited(text="Saône\n\nRhone")),
    (260, ev.Submitted(outcome="answered")),
    (9000, ev.BatchClosed()),
]


def test_corrected_times_are_marked() -> None:
    """An attempt during which the server's clock was set says so."""
    corrected = ev.TimeCorrected(clock_ms=3_604_000, counted_ms=4_000)
    assert not row(RIVERS, *TRAJECTORY).time_corrected
    assert row(RIVERS, TRAJECTORY[0], (4, corrected), *TRAJECTORY[1:]).time_corrected


def test_a_row_by_hand() -> None:
    """Gold is page 4 of the report and page 1 of b.pdf; cited are page 4 and a wrong page."""
    result_row = row(RIVERS, *TRAJECTORY)
    assert (result_row.attempt, result_row.task, result_row.system) == ("a1", "t/2", "Ada")
    assert (result_row.hop, result_row.unanswerable, result_row.answered) == (
        "cross_doc",
        False,
        True,
    )
    assert (result_row.page_f1.value, result_row.doc_f1.value) == (0.5, 0.5)
    assert (result_row.cited, result_row.gold_pages) == (2, 2)
    # One answer of two is right, the other has no accent.
    assert result_row.correctness.decided_by == "exact_match"
    assert result_row.correctness.anls == pytest.approx((1 + 4 / 5) / 2)
    assert result_row.correct is True


def test_gold_in_the_results_of_each_search() -> None:
    """The first query showed a gold document on a wrong page, the second both gold pages."""
    report, other = ("annual report.pdf", 4), ("b.pdf", 1)
    assert row(RIVERS, *TRAJECTORY).searches == (
        SearchStep(1, "rivers", 2, 40, (), ("annual report.pdf",)),
        SearchStep(2, "two rivers", 3, 40, (other, report), ("b.pdf", "annual report.pdf"), (1, 2)),
    )


def test_efforts_by_hand() -> None:
    """Two searches ran; the refused one and one look at a page are tool steps too. Of the 200 s
    before the submission an idle cap leaves 60, 100 or 120; nobody worked after it.
    """
    result_row = row(RIVERS, *TRAJECTORY)
    assert (result_row.effort("searches"), result_row.effort("tool_steps")) == (2, 4)
    assert result_row.active_s == {60: 120, 100: 160, 120: 180}
    assert result_row.effort("active_s") == 120
    assert result_row.effort("active_s", 100) == 160
    assert (result_row.effort("wall_s"), result_row.effort("submit_s")) == (9000, 260)


def test_a_look_back_is_counted_apart() -> None:
    """It is no query and no tool step; a log of before, which only says rerun, is read as ever."""
    repeated_search = search_step(3, "rivers", ("c.pdf", 9), ("annual report.pdf", 1))
    look_back = repeated_search.model_copy(update={"looks_back_at": "s1"})
    plain, looked, old = (
        row(RIVERS, *TRAJECTORY[:4], *([(22.0, step)] if step else []), *TRAJECTORY[4:])
        for step in (None, look_back, repeated_search.model_copy(update={"rerun_of": "s1"}))
    )
    assert (looked.searches, looked.look_backs) == (plain.searches, 1)
    assert looked.effort("tool_steps") == plain.effort("tool_steps")
    assert (len(old.searches), old.look_backs) == (3, 0)


def test_an_idle_cap_that_was_not_computed_is_refused() -> None:
    """The message lists those there are."""
    with pytest.raises(MeasureError, match=r"no idle cap of 30 s. Caps: 60, 100, 120"):
        row(RIVERS, *TRAJECTORY).effort("active_s", 30)


def answered(text: str, outcome: ev.Outcome = "answered") -> list[tuple[float, ev.Payload]]:
    """A short attempt."""
    return [
        (0, ev.Opened(session="tab-1")),
        (1, ev.AnswerEdited(text=text)),
        (2, ev.Submitted(outcome=outcome)),
    ]


@pytest.mark.parametrize("outcome", ["not_found", "unanswerable"])
def test_a_draft_is_no_answer(outcome: ev.Outcome) -> None:
    """Who submits "not found" has not answered, even with the right words in the box."""
    result_row = row(OTTERS, *answered("42", outcome))
    assert (result_row.answered, result_row.correct) == (False, False)
    assert result_row.correctness.anls == 0


def with_answer(**settings_: Any) -> Protocol:
    """The search preset with another answer part."""
    protocol = preset("search")
    return protocol.model_copy(update={"answer": protocol.answer.model_copy(update=settings_)})


@pytest.mark.parametrize(
    ("outcome", "protocol", "correct"),
    [
        ("unanswerable", with_answer(unanswerable=True), True),
        ("not_found", with_answer(unanswerable=True), False),
        ("not_found", with_answer(unanswerable=False), True),
        ("answered", with_answer(unanswerable=False), False),
    ],
)
def test_an_unanswerable_task_is_decided_by_its_outcome(
    outcome: ev.Outcome, protocol: Protocol, correct: bool
) -> None:
    """ "Not found" is right only where the protocol has no other way to say so."""
    result_row = row(SIGNED, *answered("somebody", outcome), protocol=protocol)
    assert (result_row.correct, result_row.correctness.decided_by) == (correct, "outcome")
    assert (result_row.unanswerable, result_row.page_f1.reason) == (True, "no_gold_evidence")


def test_without_gold_nothing_is_decided() -> None:
    """No accepted answer and no evidence: undefined, with reasons; a judgement decides alone."""
    result_row = row(HIDDEN, *answered("42"))
    assert (result_row.correct, result_row.correctness.reason) == (None, "no_gold_answer")
    assert (result_row.page_f1.value, result_row.page_f1.reason) == (None, "no_gold_evidence")
    assert result_row.hop is None
    judged_row = row(HIDDEN, *answered("42"), judgement=0.5)
    assert (judged_row.correct, judged_row.correctness.decided_by) == (True, "judgement")


def test_prose_is_one_answer() -> None:
    """Two lines of prose are one text; two lines of a list are two answers."""
    record = OTTERS | {"answer_variants": [["forty\ntwo"]]}
    prose = row(record, *answered("forty\ntwo"), protocol=with_answer(kind="text"))
    assert prose.correctness.anls == 1
    assert row(record, *answered("forty\ntwo")).correctness.anls != 1


def test_a_task_without_an_answer_has_no_verdict() -> None:
    """Where the work is done without an answer, and where no citations are asked for."""
    protocol = preset("qa_review")
    result_row = row(OTTERS, *answered("", "completed"), protocol=protocol)
    assert (result_row.correct, result_row.correctness.reason) == (None, "no_answer_asked")
    assert (result_row.page_f1.value, result_row.page_f1.reason) == (None, "no_citations_asked")


def test_only_submitted_attempts_are_measured() -> None:
    """Open and skipped attempts are refused by name."""
    with pytest.raises(MeasureError, match="a1 is open"):
        row(OTTERS, (0, ev.Opened(session="tab-1")))
    with pytest.raises(MeasureError, match="a1 is skipped"):
        row(OTTERS, (0, ev.Skipped(reason="unreadable")))


def test_a_broken_record_is_refused() -> None:
    """The message names the task and the field."""
    with pytest.raises(MeasureError, match=r"'t/1' breaks: evidence\[0\].page"):
        row(OTTERS | {"evidence": [{"document": "b.pdf", "page": 0}]}, *answered("42"))


def test_a_parsed_record_gives_the_same_row() -> None:
    """The record may come as stored or as read."""
    events = events_at(*TRAJECTORY)
    assert attempt_row(read_task(RIVERS), fold(events), events, protocol=LIST) == row(
        RIVERS, *TRAJECTORY
    )


NOT_FOUND = ev.Submitted(outcome="not_found")


@examples(40)
@given(STEPS)
def test_any_submitted_trajectory_has_a_row(steps: Any) -> None:
    """Efforts are never negative, active time never beyond wall time, and F1 within bounds."""
    events = play([*steps, (ev.Reopened(), 1, 0), (NOT_FOUND, 1, 0)]).events
    state = fold(events)
    assume(state.status == "submitted")
    result_row = attempt_row(OTTERS, state, events, protocol=LIST, system="somebody")
    assert (
        0
        <= result_row.active_s[60]
        <= result_row.active_s[100]
        <= result_row.active_s[120]
        <= result_row.wall_s
    )
    assert 0 <= result_row.submit_s <= result_row.wall_s
    assert result_row.tool_steps >= len(result_row.searches)
    assert result_row.page_f1.value is not None and 0 <= result_row.page_f1.value <= 1
    assert result_row.correct is not None and result_row.system == "somebody"
