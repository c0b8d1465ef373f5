"""The plots of pilots: what they show of given results, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.comparison.pilot_estimates import PartEstimate, Times, share_estimate
from pagetrail.exports.reports.charts.drawing import svg
from pagetrail.exports.reports.pilots.charts import (
    MOST_TASKS,
    people_chart,
    tasks_chart,
)
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.qualification.gate import PilotResult


def person(name: str, right: int, n_judged: int, *, total: int = 4) -> PersonOverview:
    """Somebody with so many right."""
    passed = right >= 3 if n_judged == total else None
    result = PilotResult(
        "Pilot", 1, name, "Aquarius", total, n_judged, n_judged, right, 0, None, 0.75, passed
    )
    return PersonOverview(result, share_estimate(right, n_judged), (), Times(), None)


def task(key: str, right: int, n_judged: int) -> TaskOverview:
    """A task that so many had right."""
    share = share_estimate(right, n_judged)
    part = PartEstimate(part="answer", score=0.5, right=right, n=n_judged)
    return TaskOverview(
        1, key, "Aquarius", f"Question {key}?", n_judged, right, share, 0.5, (part,)
    )


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


def test_both_charts_are_drawn_as_files() -> None:
    """Each asks a question and becomes an image."""
    for chart in (people_chart([person("Ada", 2, 4)], 0.75), tasks_chart([task("a", 1, 2)])):
        assert chart is not None and chart.title.endswith("?") and svg(chart).startswith("<svg")
