"""The plots and tables of pilots: what they show of given results, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pagetrail.annotation.comparison.baselines import Baseline, PartEstimate, Times, share_estimate
from pagetrail.annotation.comparison.pairwise_agreement import IntervalEstimate, Similarity
from pagetrail.exports.reports.charts.drawing import svg
from pagetrail.exports.reports.pilots.charts import (
    MOST_TASKS,
    agreement_chart,
    people_chart,
    tasks_chart,
    then_chart,
)
from pagetrail.exports.reports.pilots.tables import agreement_rows, agreement_table, then_table
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.pilots.production_comparison import PilotComparison, ProductionAgreement
from pagetrail.storage.qualification.gate import PilotResult
from pagetrail.storage.qualification.records import Qualification


def person(name: str, right: int, n_judged: int, *, total: int = 4) -> PersonOverview:
    """Somebody with so many right."""
    passed = right >= 3 if n_judged == total else None
    result = PilotResult(
        "Pilot", 1, name, "Aquarius", total, n_judged, n_judged, right, 0, None, 0.75, passed
    )
    return PersonOverview(result, share_estimate(right, n_judged), (), Times(), None, None)


def task(key: str, right: int, n_judged: int) -> TaskOverview:
    """A task that so many had right."""
    share = share_estimate(right, n_judged)
    part = PartEstimate(part="answer", score=0.5, right=right, n=n_judged)
    return TaskOverview(
        1, key, "Aquarius", f"Question {key}?", n_judged, right, share, 0.5, (part,)
    )


def comparison(name: str, before: float | None, now: float | None, n: int = 9) -> PilotComparison:
    """Somebody with these medians, milliseconds."""
    baseline = Baseline(
        protocol="search", gold_digest="0", pass_mark=1, batch="Aquarius", tasks=4, judged=4,
        right=4, share=share_estimate(4, 4), score=1, passed=True, parts=(), agreement=Similarity(),
        times=Times(n=4, median_active_ms=before),
    )  # fmt: skip
    row = Qualification(1, "Pilot", 1, name, "baseline", "", "Sven", "2026-11-21T20:00:00", {}, ())
    times = Times(n=0 if now is None else n, median_active_ms=now)
    return PilotComparison(1, name, row, baseline, False, times)


def rows(chart: Any) -> dict[str, list[dict[str, Any]]]:
    """The chart's data sets by the fields they have."""
    return {",".join(sorted(data[0])): data for data in chart.spec["datasets"].values()}


def test_people_against_the_mark() -> None:
    """The best first, each with its interval and verdict; the line is at the mark."""
    people = [person("Ada", 2, 4), person("Bob", 4, 4), person("Cy", 1, 2), person("Di", 0, 0)]
    chart = people_chart(people, 0.75)
    assert chart is not None
    data = rows(chart)
    dots = data["batch,counts,high,kind,low,name,value"]
    assert [(d["name"], d["value"], d["kind"]) for d in dots] == [
        ("Bob", 1.0, "passed"),
        ("Ada", 0.5, "failed"),
        ("Cy", 0.5, "not yet"),
    ]
    assert data["mark"] == [{"mark": 0.75}]
    assert "75 %; 1 of 3 people reach it." in chart.caption
    assert people_chart([person("Di", 0, 0)], 0.75) is None


def test_the_worst_tasks_come_first_and_suspected_gold_is_marked() -> None:
    """Wrong for both: suspected. One person's failure is not. At most so many are drawn."""
    chart = tasks_chart([task("a", 2, 2), task("b", 0, 2), task("c", 0, 1), task("d", 0, 0)])
    assert chart is not None
    (dots,) = rows(chart).values()
    assert [d["name"] for d in dots] == ["b: Question b?", "c: Question c?", "a: Question a?"]
    assert [d["kind"].startswith("(nearly) everyone") for d in dots] == [True, False, False]
    assert "should be checked: 1." in chart.caption
    long_chart = tasks_chart([task(str(n), 1, 2) for n in range(MOST_TASKS + 9)])
    assert (
        long_chart is not None
        and f"the {MOST_TASKS} worst of {MOST_TASKS + 9} tasks" in long_chart.caption
    )
    assert tasks_chart([task("d", 0, 0)]) is None


@pytest.mark.parametrize(
    ("right", "n_judged", "suspected"), [(0, 1, False), (0, 2, True), (1, 95, True), (1, 10, False)]
)
def test_when_gold_is_suspected(right: int, n_judged: int, suspected: bool) -> None:
    """Everybody wrong, or surely fewer than a fifth right."""
    assert task("a", right, n_judged).suspicious is suspected


def test_then_and_now_has_only_those_with_both() -> None:
    """Who has not worked in production since, or had no time then, is in the table alone."""
    people = [
        comparison("Ada", 60_000, 30_000),
        comparison("Bob", 50_000, None),
        comparison("Cy", None, 9_000),
    ]
    chart = then_chart(people)
    assert chart is not None
    assert rows(chart)["before,name,since"] == [{"name": "Ada", "before": 60.0, "since": 30.0}]
    table = then_table(people)
    assert [row.cells["ratio"].value for row in table.rows] == [0.5, None, None]
    assert table.rows[1].cells["note"].value == "nothing submitted yet"
    assert then_chart(people[1:]) is None
    changed = then_table([replace(people[0], gold_changed=True)])
    assert changed.rows[0].cells["note"].value == "the pilot's gold has changed since"


def charts() -> Iterator[Any]:
    """One of each."""
    yield people_chart([person("Ada", 2, 4)], 0.75)
    yield tasks_chart([task("a", 1, 2)])
    yield then_chart([comparison("Ada", 60_000, 30_000)])
    estimate = IntervalEstimate(value=0.9, low=0.8, high=1, n=6)
    yield agreement_chart([("Answers (ANLS*)", estimate, estimate)])


def test_every_chart_draws_in_the_browser_and_as_a_file() -> None:
    """Vega refuses a property called ``then`` in the browser, though not when it writes a file."""
    for chart in charts():
        assert all("then" not in row for data in rows(chart).values() for row in data)
        assert chart.title.endswith("?") and svg(chart).startswith("<svg")


def test_agreement_has_a_row_for_what_was_compared_alone() -> None:
    """What neither side has is left out; too little is said with its count."""
    before = Similarity(tasks=6, anls=IntervalEstimate(value=0.9, low=0.8, high=1, n=6))
    now = ProductionAgreement(
        3, 1, Similarity(tasks=1, anls=IntervalEstimate(n=1, reason="too_few"))
    )
    compared = agreement_rows(before, now.likeness)
    (row,) = agreement_table(compared).rows
    assert row.cells["what"].value == "Answers (ANLS*)"
    assert (row.cells["then"].value, row.cells["now"].value) == (0.9, None)
    assert row.cells["note"].value == "now: too few (1)"
    chart = agreement_chart(compared)
    assert chart is not None
    (dots,) = rows(chart).values()
    assert [(d["kind"], d["value"]) for d in dots] == [("with the gold, in the pilot", 0.9)]
    assert agreement_chart(compared[1:]) is None
