"""Rows of imported runs: what their file does not tell is undefined, and counted."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.metrics.attempt_rows import Row, attempt_row
from pagetrail.annotation.metrics.budget import accuracy_by_budget, accuracy_by_time, time_spread
from pagetrail.annotation.metrics.effort import kuiper
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question
from pagetrail.annotation.metrics.search.retrieval import (
    first_query_hit,
    found_by_query,
    recovery_rate,
)
from pagetrail.annotation.protocols.protocol import preset
from tests.annotation.metrics.made_rows import make_row, query
from tests.support.factory import TASKS, cited, events_at, searched, viewed

OTTERS = TASKS[0]


def run(*, timed: bool, results_known: bool, iterations: int | None = 7) -> Row:
    """An imported run of two searches, a tool and a page; it cites a right and a missing page."""
    events = events_at(
        (
            0,
            ev.RunImported(
                format="madqa",
                file="run.jsonl",
                sha256="0" * 64,
                record=1,
                iterations=iterations,
                timed=timed,
                results_known=results_known,
            ),
        ),
        (1, searched("otters", 1)),
        (2, searched("otters counted", 2)),
        (3, ev.AgentStep(text="I think it is 42.")),
        (4, ev.AgentStep(tool="calculator", arguments="{}")),
        (5, viewed(3)),
        (6, cited(3)),
        (6, ev.CitationAdded(document="no such file.pdf", page=99)),
        (7, ev.AnswerEdited(text="42")),
        (30, ev.Submitted(outcome="answered")),
    )
    return attempt_row(
        OTTERS, fold(events), events, protocol=preset("search"), system="gpt", person=False
    )


def test_a_run_without_times_has_none() -> None:
    """Whatever the events' own clock says; its steps are counted all the same."""
    row = run(timed=False, results_known=True)
    assert (row.times_known, row.person) == (False, False)
    assert (row.active_s, row.wall_s, row.submit_s) == (None, None, None)
    assert [row.effort(kind) for kind in ("active_s", "wall_s", "submit_s")] == [None] * 3
    assert (row.effort("searches"), row.effort("iterations")) == (2, 7)


def test_a_timed_run_has_times() -> None:
    """30 s from its first event to the submission."""
    row = run(timed=True, results_known=True)
    assert (row.effort("submit_s"), row.effort("active_s")) == (30, 30)


def test_calling_a_tool_is_a_step() -> None:
    """Two searches, one tool and one page; what an agent only wrote is no step."""
    assert run(timed=False, results_known=True).effort("tool_steps") == 4


@pytest.mark.parametrize(("iterations", "effort"), [(None, 2), (0, 0), (9, 9)])
def test_iterations_are_those_of_the_file(iterations: int | None, effort: int) -> None:
    """0 stays 0, and drops the row out of Kuiper; without any, the searches are counted."""
    assert run(timed=False, results_known=True, iterations=iterations).effort(
        "iterations"
    ) == pytest.approx(effort)


def test_iterations_of_people_are_at_least_one() -> None:
    """As in the MADQA export, so that an answer without a search stays in Kuiper."""
    assert make_row().effort("iterations") == 1
    assert make_row(searches=(query(1), query(2))).effort("iterations") == 2


@pytest.mark.parametrize(("searches", "iterations", "steps"), [(2, 9, 2), (0, 9, 9), (0, None, 1)])
def test_steps_are_what_the_evaluator_counts(
    searches: int, iterations: int | None, steps: int
) -> None:
    """The length of a row's search history; where it is empty, its iterations."""
    row = make_row(searches=(query(1), query(2))[:searches], iterations=iterations)
    assert row.effort("steps") == steps


def test_a_page_that_does_not_exist_is_a_wrong_citation() -> None:
    """One of two cited pages is gold: precision one half, recall one."""
    row = run(timed=False, results_known=True)
    assert (row.page_f1.precision, row.page_f1.recall) == (0.5, 1)
    assert row.doc_f1.value == pytest.approx(2 / 3)


def untimed(task: str, correct: bool = True) -> Row:
    """A row without times, of one search that found nothing."""
    return make_row(
        task,
        correct,
        searches=(query(1),),
        active_s=None,
        wall_s=None,
        submit_s=None,
        times_known=False,
    )


def test_untimed_rows_leave_times_and_are_counted() -> None:
    """One timed row of 30 s beside two without times."""
    rows = [make_row("q1", seconds=30), untimed("q2"), untimed("q3", False)]
    times = time_spread(rows)
    assert (times.value, times.counts) == (30, {"n": 1, "left_out_untimed": 2})
    budget_point = accuracy_by_budget(rows, "active_s", [60])[0]
    assert (
        budget_point.value,
        budget_point.counts["whole"],
        budget_point.counts["left_out_untimed"],
    ) == (1, 1, 2)
    first = accuracy_by_time(rows)[0]
    assert (first.value, first.counts["left_out_untimed"]) == (1, 2)
    waste = kuiper([row.effort("wall_s") for row in rows], [row.correct for row in rows])
    assert (waste.counts["n"], waste.counts["left_out_effort_missing"]) == (1, 2)


def test_without_any_time_all_times_are_undefined() -> None:
    """The reason says so; steps are measured as ever."""
    rows = [untimed("q1"), untimed("q2")]
    assert time_spread(rows).reason == "no_times"
    assert {bucket.reason for bucket in accuracy_by_time(rows)} == {"no_times"}
    assert accuracy_by_budget(rows, "wall_s", [60])[0].reason == "no_times"
    assert accuracy_by_budget(rows)[-1].value == 1


def test_rows_without_results_are_left_out_of_search_measures() -> None:
    """One logged row found gold at once; the other is counted, and is no miss."""
    page = ("a.pdf", 1)
    rows = [
        make_row("q1", searches=(query(1, "x", page),)),
        make_row("q2", searches=(query(1), query(2)), results_known=False),
    ]
    for measure in (first_query_hit(rows), found_by_query(rows)[-1]):
        assert (measure.value, measure.counts["left_out_results_unknown"]) == (1, 1)
    assert recovery_rate(rows).reason == "no_first_miss"
    assert queries_per_question(rows).value == 1.5


def test_without_any_result_list_nothing_was_seen_to_be_found() -> None:
    """Undefined for another reason than a campaign in which nobody searched."""
    rows = [make_row("q1", searches=(query(1),), results_known=False)]
    assert first_query_hit(rows).reason == "results_not_logged"
    assert recovery_rate(rows).reason == "results_not_logged"
    assert found_by_query(rows, up_to=1)[0].reason == "results_not_logged"
