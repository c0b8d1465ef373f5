"""Charts of a pilot: dots with their intervals, against the pass mark and against the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.annotation.comparison.pairwise_agreement import Estimate
from pagetrail.exports.reports.charts.estimates import estimate_layers
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    INK,
    LABEL_LIMIT,
    QUIET,
    SHAPES,
    Layout,
    chart_spec,
    distinct,
    inline_data,
    legend,
    percent_axis,
)
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.pilots.wording import VERDICTS
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.pilots.production_comparison import PilotComparison
from pagetrail.storage.qualification.gate import percent

SHARES = Layout(900, 0, 2)
"""Charts with a row per person."""

TASKS = Layout(600, 0, 2)
"""With room for questions beside the plot."""

STEP = 22
MOST_TASKS = 40
TASK_LABEL = 80
TASK_LABEL_WIDTH = 420

_GOLD, _WITH_OTHERS = "with the gold, in the pilot", "with others, now"
_CHECK = "(nearly) everyone incorrect: check the gold"
_OTHER_TASKS = "other tasks"


def people_chart(people: Sequence[PersonOverview], pass_mark: float) -> Chart | None:
    """Who meets the mark; None where nothing is judged yet."""
    with_share = [person for person in people if person.share.value is not None]
    if not with_share:
        return None
    names = distinct([person.result.user_name for person in with_share])
    ordered = sorted(
        with_share, key=lambda person: (-(person.share.value or 0), person.result.user_name)
    )
    rows = [
        {
            "name": names[person.result.user_name],
            "value": person.share.value,
            "low": person.share.low,
            "high": person.share.high,
            "kind": VERDICTS[person.result.passed],
            "counts": f"{person.result.right} of {person.result.judged}",
            "batch": person.result.code_name,
        }
        for person in ordered
    ]
    title = "Who reaches the pass mark?"
    passed = sum(person.result.passed is True for person in with_share)
    kinds = dict(zip(VERDICTS.values(), (0, 3, 1), strict=True))
    chart = alt.layer(*_shares(rows, kinds, SHARES, LABEL_LIMIT), _pass_mark_line(pass_mark))
    return Chart(
        key="who-meets-the-mark",
        title=title,
        caption="Share of judged tasks correct in every part, with 95 % Wilson intervals. "
        f"The dashed line is the pass mark, {percent(pass_mark)}; {passed} of {len(with_share)} "
        "people reach it.",
        spec=chart_spec(chart.properties(width=SHARES.width, height=alt.Step(STEP)), title),
    )


def tasks_chart(tasks: Sequence[TaskOverview]) -> Chart | None:
    """Which tasks go wrong, the worst first; None where nothing is judged yet."""
    with_share = [task for task in tasks if task.share.value is not None]
    if not with_share:
        return None
    by_share = sorted(with_share, key=lambda task: (task.share.value or 0, -task.judged, task.key))
    worst = by_share[:MOST_TASKS]
    labels = distinct([f"{task.key}: {task.question}" for task in worst], TASK_LABEL)
    rows = [
        {
            "name": label,
            "value": task.share.value,
            "low": task.share.low,
            "high": task.share.high,
            "kind": _CHECK if task.suspicious else _OTHER_TASKS,
            "counts": f"{task.right} of {task.judged}",
            "batch": task.batch,
        }
        for task, label in zip(worst, labels.values(), strict=True)
    ]
    title = "Which tasks do people get wrong?"
    limit = (
        f" Only the {MOST_TASKS} worst of {len(with_share)} tasks are shown."
        if len(with_share) > MOST_TASKS
        else ""
    )
    suspicious = sum(task.suspicious for task in with_share)
    gold = f" Tasks whose gold should be checked: {suspicious}." if suspicious else ""
    chart = alt.layer(*_shares(rows, {_OTHER_TASKS: 0, _CHECK: 3}, TASKS, TASK_LABEL_WIDTH))
    return Chart(
        key="which-tasks-go-wrong",
        title=title,
        caption=f"Share of people with the task correct, with 95 % Wilson intervals.{limit}{gold}",
        spec=chart_spec(chart.properties(width=TASKS.width, height=alt.Step(STEP)), title),
    )


def then_chart(people: Sequence[PilotComparison]) -> Chart | None:
    """Time per task then and now; None if nobody has submitted production work."""
    timed = [
        person
        for person in people
        if person.now.median_active_ms is not None
        and person.baseline.times.median_active_ms is not None
    ]
    if not timed:
        return None
    names = distinct([person.user_name for person in timed])
    # Vega refuses data with a property called "then".
    rows = [
        {
            "name": names[person.user_name],
            "before": (person.baseline.times.median_active_ms or 0) / 1000,
            "since": (person.now.median_active_ms or 0) / 1000,
        }
        for person in timed
    ]
    dots = [
        {"name": row["name"], "at": row[period], "kind": kind, "n": n}
        for row, person in zip(rows, timed, strict=True)
        for period, kind, n in (
            ("before", "in the pilot", person.baseline.times.n),
            ("since", "now", person.now.n),
        )
    ]
    kinds = {"in the pilot": 1, "now": 0}
    time_legend = legend(list(kinds), SHARES, orient="top")
    order = [str(row["name"]) for row in rows]
    y = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=LABEL_LIMIT))
    title = "Do people work faster or slower than in the pilot?"
    line = (
        alt.Chart(inline_data(rows))
        .mark_rule(color=QUIET, strokeWidth=1.5)
        .encode(y=y, x=alt.X("before:Q"), x2=alt.X2("since:Q"))
    )
    points = (
        alt.Chart(inline_data(dots))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            y=y,
            x=alt.X(
                "at:Q",
                title="Median active time per task (s)",
                scale=alt.Scale(zero=True, nice=True),
                axis=alt.Axis(orient="top", tickCount=10),
            ),
            tooltip=[
                alt.Tooltip("name:N", title="Who"),
                alt.Tooltip("kind:N", title="When"),
                alt.Tooltip("at:Q", title="Seconds", format=".1f"),
                alt.Tooltip("n:Q", title="Tasks"),
            ],
            color=alt.Color("kind:N", scale=_scale(kinds, COLOURS), legend=time_legend),
            shape=alt.Shape("kind:N", scale=_scale(kinds, SHAPES), legend=time_legend),
        )
    )
    return Chart(
        key="then-and-now",
        title=title,
        caption="Median active time per task (gaps capped at 60 s): in the pilot, when the "
        f"baseline was stored, and in production so far. {len(timed)} people.",
        spec=chart_spec(
            alt.layer(line, points, width=SHARES.width, height=alt.Step(STEP + 4)), title
        ),
    )


def agreement_chart(rows: Sequence[tuple[str, Estimate, Estimate]]) -> Chart | None:
    """One person's agreement, with the gold then and with others now; None if there is none.

    Args:
        rows: (part, in the pilot, now).
    """
    estimates = [
        {
            "name": part,
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "kind": kind,
            "n": estimate.n,
        }
        for part, in_pilot, current in rows
        for kind, estimate in ((_GOLD, in_pilot), (_WITH_OTHERS, current))
        if estimate.value is not None
    ]
    if not estimates:
        return None
    title = "Does this person agree with others as well as with the gold in the pilot?"
    layers = estimate_layers(
        estimates,
        {_GOLD: 1, _WITH_OTHERS: 0},
        x=alt.X(
            "value:Q",
            title="Agreement (1 = identical)",
            axis=alt.Axis(orient="top", tickCount=10),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Of"),
            alt.Tooltip("kind:N", title="With"),
            alt.Tooltip("value:Q", title="Agreement", format=".3f"),
            alt.Tooltip("n:Q", title="n"),
        ],
        side_by_side=True,
        layout=SHARES,
        legend_orient="top",
    )
    return Chart(
        key="agreement",
        title=title,
        caption="Agreement with the gold when the baseline was stored, and with the other "
        "annotators of the same production tasks since, with 95 % bootstrap intervals over tasks.",
        spec=chart_spec(alt.layer(*layers, width=SHARES.width, height=alt.Step(STEP)), title),
    )


def _shares(
    rows: Sequence[dict[str, Any]], kinds: Mapping[str, int], layout: Layout, label_limit: int
) -> list[Any]:
    """Shares of tasks as dots with their intervals; the axis is in sight above many rows."""
    return estimate_layers(
        rows,
        kinds,
        x=alt.X(
            "value:Q",
            title="Tasks correct (share)",
            scale=alt.Scale(domain=[0, 1]),
            axis=percent_axis(orient="top"),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Name"),
            alt.Tooltip("batch:N", title="Batch"),
            alt.Tooltip("counts:N", title="Right"),
            alt.Tooltip("low:Q", title="From", format=".0%"),
            alt.Tooltip("high:Q", title="To", format=".0%"),
        ],
        layout=layout,
        legend_orient="top",
        label_limit=label_limit,
    )


def _pass_mark_line(pass_mark: float) -> Any:
    return (
        alt.Chart(inline_data([{"mark": pass_mark}]))
        .mark_rule(color=INK, strokeDash=[6, 3], strokeWidth=1.5)
        .encode(x=alt.X("mark:Q", scale=alt.Scale(domain=[0, 1])))
    )


def _scale(kinds: Mapping[str, int], looks: Sequence[str]) -> alt.Scale:
    return alt.Scale(domain=list(kinds), range=[looks[position] for position in kinds.values()])
