"""Charts of a pilot: dots with their intervals, against the pass mark and against the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from pagetrail.annotation.comparison.pairwise_agreement import Estimate
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    INK,
    LABEL_LIMIT,
    QUIET,
    SHAPES,
    clean,
    distinct,
    spec,
    values,
)
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.pilots.wording import VERDICTS
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.pilots.production_comparison import ThenAndNow
from pagetrail.storage.qualification.gate import percent

WIDTH = 900
STEP = 22
MOST_TASKS = 40
QUESTION = 70

_GOLD, _OTHERS = "with the gold, in the pilot", "with others, now"
_CHECK = "(nearly) everyone incorrect: check the gold"
_SOME = "other tasks"


def people_chart(people: Sequence[PersonOverview], pass_mark: float) -> Chart | None:
    """Who meets the mark; None where nothing is judged yet."""
    judged = [each for each in people if each.share.value is not None]
    if not judged:
        return None
    names = distinct([each.result.user_name for each in judged])
    ordered = sorted(judged, key=lambda each: (-(each.share.value or 0), each.result.user_name))
    rows = [
        {
            "name": names[each.result.user_name],
            "share": each.share.value,
            "low": each.share.low,
            "high": each.share.high,
            "kind": VERDICTS[each.result.passed],
            "counts": f"{each.result.right} of {each.result.judged}",
            "batch": each.result.code_name,
        }
        for each in ordered
    ]
    title = "Who reaches the pass mark?"
    met = sum(each.result.passed is True for each in judged)
    kinds = list(VERDICTS.values())
    chart = alt.layer(
        *_dots(rows, "name", [str(row["name"]) for row in rows], kinds, [0, 3, 1]), _mark(pass_mark)
    )
    return Chart(
        key="who-meets-the-mark",
        title=title,
        caption="Share of judged tasks correct in every part, with 95 % Wilson intervals. "
        f"The dashed line is the pass mark, {percent(pass_mark)}; {met} of {len(judged)} people "
        "reach it.",
        spec=spec(chart.properties(width=WIDTH, height=alt.Step(STEP)), title),
    )


def tasks_chart(tasks: Sequence[TaskOverview]) -> Chart | None:
    """Which tasks go wrong, the worst first; None where nothing is judged yet."""
    judged = [each for each in tasks if each.share.value is not None]
    if not judged:
        return None
    worst = sorted(judged, key=lambda each: (each.share.value or 0, -each.judged, each.key))
    shown = worst[:MOST_TASKS]
    labels = distinct([f"{each.key}: {_short(each.question)}" for each in shown])
    rows = [
        {
            "name": label,
            "share": each.share.value,
            "low": each.share.low,
            "high": each.share.high,
            "kind": _CHECK if each.suspicious else _SOME,
            "counts": f"{each.right} of {each.judged}",
            "batch": each.batch,
        }
        for each, label in zip(shown, labels.values(), strict=True)
    ]
    title = "Which tasks do people get wrong?"
    left = (
        f" Only the {MOST_TASKS} worst of {len(judged)} tasks are shown."
        if len(judged) > MOST_TASKS
        else ""
    )
    suspicious = sum(each.suspicious for each in judged)
    gold = f" Tasks whose gold should be checked: {suspicious}." if suspicious else ""
    chart = alt.layer(
        *_dots(rows, "name", [str(row["name"]) for row in rows], [_SOME, _CHECK], [0, 3], limit=420)
    )
    return Chart(
        key="which-tasks-go-wrong",
        title=title,
        caption=f"Share of people with the task correct, with 95 % Wilson intervals.{left}{gold}",
        spec=spec(chart.properties(width=WIDTH - 300, height=alt.Step(STEP)), title),
    )


def then_chart(people: Sequence[ThenAndNow]) -> Chart | None:
    """Time per task then and now; None if nobody has submitted production work."""
    both = [
        each
        for each in people
        if each.now.median_active_ms is not None
        and each.baseline.times.median_active_ms is not None
    ]
    if not both:
        return None
    names = distinct([each.user_name for each in both])
    # Vega refuses data with a property called "then".
    rows = [
        {
            "name": names[each.user_name],
            "before": (each.baseline.times.median_active_ms or 0) / 1000,
            "since": (each.now.median_active_ms or 0) / 1000,
        }
        for each in both
    ]
    dots = [
        {"name": row["name"], "at": row[place], "kind": kind, "n": n}
        for row, each in zip(rows, both, strict=True)
        for place, kind, n in (
            ("before", "in the pilot", each.baseline.times.n),
            ("since", "now", each.now.n),
        )
    ]
    order = [str(row["name"]) for row in rows]
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT))
    title = "Do people work faster or slower than in the pilot?"
    line = (
        alt.Chart(values(rows))
        .mark_rule(color=QUIET, strokeWidth=1.5)
        .encode(y=y, x=alt.X("before:Q"), x2=alt.X2("since:Q"))
    )
    points = (
        alt.Chart(values(dots))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            y=y,
            x=alt.X(
                "at:Q",
                title="Median active time per task (s)",
                scale=_from_zero(),
                axis=alt.Axis(orient="top", tickCount=10),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="Who"),
                alt.Tooltip("kind:N", title="When"),
                alt.Tooltip("at:Q", title="Seconds", format=".1f"),
                alt.Tooltip("n:Q", title="Tasks"),
            ],
            **_looks(["in the pilot", "now"], [1, 0]),
        )
    )
    return Chart(
        key="then-and-now",
        title=title,
        caption="Median active time per task (gaps capped at 60 s): in the pilot, when the "
        f"baseline was stored, and in production so far. {len(both)} people.",
        spec=spec(alt.layer(line, points, width=WIDTH, height=alt.Step(STEP + 4)), title),
    )


def agreement_chart(rows: Sequence[tuple[str, Estimate, Estimate]]) -> Chart | None:
    """One person's agreement, with the gold then and with others now; None if there is none.

    Args:
        rows: (what, then, now).
    """
    found = [
        {"name": what, "share": f.value, "low": f.low, "high": f.high, "kind": kind, "n": f.n}
        for what, then, now in rows
        for kind, f in ((_GOLD, then), (_OTHERS, now))
        if f.value is not None
    ]
    if not found:
        return None
    order = list(dict.fromkeys(str(row["name"]) for row in found))
    title = "Does this person agree with others as well as with the gold in the pilot?"
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT))
    x = alt.X(
        "share:Q", title="Agreement (1 = identical)", axis=alt.Axis(orient="top", tickCount=10)
    )
    looks = _looks([_GOLD, _OTHERS], [1, 0])
    base = alt.Chart(values(found)).encode(y=y, yOffset=alt.YOffset("kind:N", sort=[_GOLD]))
    interval = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("low:Q"), x2=alt.X2("high:Q"), color=looks["color"]
    )
    tooltip = [
        alt.Tooltip("name:N", title="Of"),
        alt.Tooltip("kind:N", title="With"),
        alt.Tooltip("share:Q", title="Agreement", format=".3f"),
        alt.Tooltip("n:Q", title="n"),
    ]
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(x=x, tooltip=tooltip, **looks)
    return Chart(
        key="agreement",
        title=title,
        caption="Agreement with the gold when the baseline was stored, and with the other "
        "annotators of the same production tasks since, with 95 % bootstrap intervals over tasks.",
        spec=spec(alt.layer(interval, dots, width=WIDTH, height=alt.Step(STEP)), title),
    )


def _dots(
    rows: Sequence[dict[str, Any]],
    name: str,
    order: Sequence[str],
    kinds: Sequence[str],
    places: Sequence[int],
    *,
    limit: int = LABEL_LIMIT,
) -> list[Any]:
    """Intervals as lines with a dot at the share."""
    y = alt.Y(f"{name}:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=limit))
    # On top, where it is in sight however many rows there are.
    axis = alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], orient="top")
    domain = alt.Scale(domain=[0, 1])
    x = alt.X("share:Q", title="Tasks correct (share)", scale=domain, axis=axis)
    looks = _looks(kinds, places)
    base = alt.Chart(values(rows)).encode(y=y)
    interval = base.mark_rule(strokeWidth=1.5).encode(
        x=alt.X("low:Q", scale=domain, axis=axis), x2=alt.X2("high:Q"), color=looks["color"]
    )
    tooltip = [
        alt.Tooltip(f"{name}:N", title="Name"),
        alt.Tooltip("batch:N", title="Batch"),
        alt.Tooltip("counts:N", title="Right"),
        alt.Tooltip("low:Q", title="From", format=".0%"),
        alt.Tooltip("high:Q", title="To", format=".0%"),
    ]
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(x=x, tooltip=tooltip, **looks)
    return [interval, dots]


def _mark(pass_mark: float) -> Any:
    return (
        alt.Chart(values([{"mark": pass_mark}]))
        .mark_rule(color=INK, strokeDash=[6, 3], strokeWidth=1.5)
        .encode(x=alt.X("mark:Q", scale=alt.Scale(domain=[0, 1])))
    )


def _looks(kinds: Sequence[str], places: Sequence[int]) -> dict[str, Any]:
    legend = alt.Legend(title=None, orient="top", symbolStrokeWidth=0, labelLimit=400)
    colours = alt.Scale(domain=list(kinds), range=[COLOURS[place] for place in places])
    shapes = alt.Scale(domain=list(kinds), range=[SHAPES[place] for place in places])
    return {
        "color": alt.Color("kind:N", scale=colours, legend=legend),
        "shape": alt.Shape("kind:N", scale=shapes, legend=legend),
    }


def _from_zero() -> alt.Scale:
    return alt.Scale(zero=True, nice=True)


def _short(question: str) -> str:
    words = clean(question)
    return words if len(words) <= QUESTION else f"{words[: QUESTION - 1]}…"
