"""Charts of a pilot: dots with their intervals, against the pass mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from pagetrail.annotation.messages import join_messages, lazy_gettext, lazy_ngettext
from pagetrail.exports.reports.charts.estimates import estimate_layers
from pagetrail.exports.reports.charts.style import (
    INK,
    LABEL_LIMIT,
    Layout,
    chart_spec,
    distinct,
    inline_data,
    percent_axis,
)
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.pilots.wording import VERDICTS, verdict_key
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview
from pagetrail.storage.qualification.gate import percent

SHARES = Layout(900, 0, 2)
"""Charts with a row per person."""

TASKS = Layout(600, 0, 2)
"""With room for questions beside the plot."""

STEP = 22
MOST_TASKS = 40
TASK_LABEL = 80
TASK_LABEL_WIDTH = 420

_CHECK = lazy_gettext("(nearly) everyone incorrect: check the gold")
_OTHER_TASKS = lazy_gettext("other tasks")


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
            "kind": lazy_gettext(VERDICTS[verdict_key(person.result)]),
            "counts": _counts(person.result.right, person.result.judged - person.result.undecided),
            "batch": person.result.code_name,
        }
        for person in ordered
    ]
    title = lazy_gettext("Who reaches the pass mark?")
    passed = sum(person.result.passed is True for person in with_share)
    kinds = dict(zip(map(lazy_gettext, VERDICTS.values()), (0, 3, 4, 1), strict=True))
    chart = alt.layer(*_shares(rows, kinds, SHARES, LABEL_LIMIT), _pass_mark_line(pass_mark))
    return Chart(
        key="who-meets-the-mark",
        title=title,
        caption=lazy_ngettext(
            "Share of decided tasks correct in every part, with 95 % Wilson intervals. The "
            "dashed line is the pass mark, {pass_mark}; {passed} of {number} person reaches it.",
            "Share of decided tasks correct in every part, with 95 % Wilson intervals. The "
            "dashed line is the pass mark, {pass_mark}; {passed} of {number} people reach it.",
            len(with_share),
            pass_mark=percent(pass_mark),
            passed=passed,
        ),
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
            "counts": _counts(task.right, task.judged - task.undecided),
            "batch": task.batch,
        }
        for task, label in zip(worst, labels.values(), strict=True)
    ]
    title = lazy_gettext("Which tasks do people get wrong?")
    sentences = [lazy_gettext("Share of people with the task correct, with 95 % Wilson intervals.")]
    if len(with_share) > MOST_TASKS:
        sentences.append(
            lazy_gettext(
                "Only the {shown} worst of {all} tasks are shown.",
                shown=MOST_TASKS,
                all=len(with_share),
            )
        )
    suspicious = sum(task.suspicious for task in with_share)
    if suspicious:
        sentences.append(
            lazy_gettext("Tasks whose gold should be checked: {number}.", number=suspicious)
        )
    chart = alt.layer(*_shares(rows, {_OTHER_TASKS: 0, _CHECK: 3}, TASKS, TASK_LABEL_WIDTH))
    return Chart(
        key="which-tasks-go-wrong",
        title=title,
        caption=join_messages(sentences),
        spec=chart_spec(chart.properties(width=TASKS.width, height=alt.Step(STEP)), title),
    )


def _counts(correct: int, judged: int) -> str:
    return lazy_gettext("{correct} of {judged}", correct=correct, judged=judged)


def _shares(
    rows: Sequence[dict[str, Any]], kinds: Mapping[str, int], layout: Layout, label_limit: int
) -> list[Any]:
    """Shares of tasks as dots with their intervals; the axis is in sight above many rows."""
    return estimate_layers(
        rows,
        kinds,
        x=alt.X(
            "value:Q",
            title=lazy_gettext("Tasks correct (share)"),
            scale=alt.Scale(domain=[0, 1]),
            axis=percent_axis(orient="top"),
        ),
        tooltip=[
            alt.Tooltip("name:N", title=lazy_gettext("Name")),
            alt.Tooltip("batch:N", title=lazy_gettext("Batch")),
            alt.Tooltip("counts:N", title=lazy_gettext("Correct")),
            alt.Tooltip("low:Q", title=lazy_gettext("From"), format=".0%"),
            alt.Tooltip("high:Q", title=lazy_gettext("To"), format=".0%"),
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
