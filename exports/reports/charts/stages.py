"""Stages at which attempts fail first: one order and one set of colours in all charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt

from pagetrail.annotation.messages import join_messages, lazy_gettext
from pagetrail.exports.reports.charts.style import (
    INK,
    LABELS_WIDTH,
    PAPER,
    SCREEN,
    Layout,
    caption_with,
    chart_spec,
    distinct,
    inline_data,
    legend,
    percent_axis,
)
from pagetrail.exports.reports.model import Chart


class StageStyle(NamedTuple):
    """A stage as charts and tables show it.

    Attributes:
        label: as in the legend, with the reason after a colon.
        text_colour: colour of numbers in its bar.
    """

    label: str
    colour: str
    text_colour: str = INK


STAGES: Mapping[str, StageStyle] = {
    "correct": StageStyle(lazy_gettext("Correct"), "#1b5a94", PAPER),
    "verbose": StageStyle(lazy_gettext("Correct, verbose"), "#6c9ec9"),
    "comprehension": StageStyle(
        lazy_gettext("Comprehension: gold page, incorrect answer"), "#f9e6c8"
    ),
    "navigation": StageStyle(lazy_gettext("Navigation: gold document, no gold page"), "#efa850"),
    "retrieval": StageStyle(lazy_gettext("Retrieval: no gold document"), "#c4524c", PAPER),
    "no_answer": StageStyle(lazy_gettext("No answer"), "#1a1a1a", PAPER),
}
"""Stages in the order of their bars. Colours also differ in lightness."""

_DIGIT_WIDTH = 8
"""Pixels per digit, including its share of the padding."""

_LABEL_PADDING = 4
"""Pixels left and right of a number in a bar, together."""

_LETTER_WIDTH = 6
_TOTAL_WIDTH = 60
"""Pixels for the total at the end of a bar."""


class StageCount(NamedTuple):
    """A part of one bar.

    Attributes:
        bar: label of the bar, such as a participant.
        stage: a key of ``STAGES``.
        share: weighted share of the bar.
        attempts: number of attempts at that stage.
        panel: title of the panel that the bar is in.
    """

    bar: str
    stage: str
    share: float
    attempts: int
    panel: str = ""


def cascade_chart(
    shares: Mapping[str, Mapping[str, float]], counts: Mapping[str, Mapping[str, int]]
) -> Chart:
    """Correct attempts and first failures, one bar per participant.

    Args:
        shares: participant → stage → weighted share of the attempts.
        counts: the same as counts.
    """
    return stages_chart(
        [
            StageCount(name, stage, share, counts[name][stage])
            for name, stages in shares.items()
            for stage, share in stages.items()
        ],
        key="cascade",
        title=lazy_gettext("Where do attempts fail first?"),
        axis=lazy_gettext("Attempts (%, weighted)"),
        bar_height=44,
    )


def stages_chart(
    parts: Sequence[StageCount],
    *,
    key: str,
    title: str,
    axis: str,
    bar_height: int = 28,
    layout: Layout = SCREEN,
) -> Chart:
    """Stacked bars of the stages with their counts; panels are side by side.

    Args:
        parts: bars from top to bottom.
        axis: title of the axis of shares.
    """
    if not parts:
        raise ValueError("a chart of stages needs attempts")
    bars = distinct(list(dict.fromkeys(part.bar for part in parts)))
    bar_order, stage_order = list(bars), list(STAGES)
    parts = sorted(
        parts, key=lambda part: (bar_order.index(part.bar), stage_order.index(part.stage))
    )
    panels = list(dict.fromkeys(part.panel for part in parts))
    stages = [
        stage for stage in STAGES if any(part.stage == stage and part.attempts for part in parts)
    ]
    labels = [STAGES[stage].label for stage in stages]
    colour = alt.Color(
        "stage:N",
        sort=None,
        scale=alt.Scale(domain=labels, range=[STAGES[stage].colour for stage in stages]),
        legend=legend(labels, layout, symbol="square"),
    )
    x = alt.X("start:Q", title=axis, scale=alt.Scale(domain=[0, 1]), axis=percent_axis(grid=False))
    width = _plot_width(layout, list(bars.values()), len(panels))
    views: list[Any] = []
    for panel in panels:
        rows, totals = _bar_rows([part for part in parts if part.panel == panel], bars, width)
        y = alt.Y(
            "series:N",
            title=None,
            sort=None,
            scale=alt.Scale(domain=list(bars.values())),
            axis=alt.Axis(ticks=False, domain=False, labels=not views),
        )
        view = _stacked_bars(rows, totals, x, y, colour)
        view.width, view.height = width, max(60, bar_height * len(bars))
        view.title = alt.TitleParams(text=panel, fontSize=12, fontWeight="normal", offset=6)
        views.append(view)
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            lazy_gettext(
                "Correct attempts, and the others by the stage at which they fail first. Attempts "
                "of people at one task share a weight of 1; the numbers in the bars are attempts."
            ),
            series=_sentences(parts, bars),
        ),
        spec=chart_spec(alt.hconcat(*views, spacing=16) if len(views) > 1 else views[0], title),
        columns=layout.columns,
    )


def _plot_width(layout: Layout, labels: Sequence[str], panels: int) -> int:
    """Width left by the labels in print; on the screen, all plots have the same width."""
    if layout is SCREEN:
        return layout.width
    room = layout.width + LABELS_WIDTH - _LETTER_WIDTH * max(map(len, labels))
    return room // panels - _TOTAL_WIDTH


def _bar_rows(
    parts: Sequence[StageCount], bars: Mapping[str, str], width: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Parts of the bars from left to right, and each bar's total at its end.

    The shares of a bar sum to 1, since each attempt is at one stage.
    """
    rows: list[dict[str, Any]] = []
    totals: list[dict[str, Any]] = []
    for bar, label in bars.items():
        start, count = 0.0, 0
        stacked = [part for part in parts if part.bar == bar]
        for part in stacked:
            if not part.attempts:
                continue
            style, digits = STAGES[part.stage], f"{part.attempts:,}"
            has_room = part.share * width >= _DIGIT_WIDTH * len(digits) + _LABEL_PADDING
            rows.append(
                {
                    "series": label,
                    "stage": style.label,
                    "start": round(start, 9),
                    "end": round(start + part.share, 9),
                    "middle": round(start + part.share / 2, 9),
                    "n": part.attempts,
                    "label": digits if has_room else "",
                    "text": style.text_colour,
                }
            )
            start += part.share
            count += part.attempts
        if stacked:
            totals.append({"series": label, "end": 1, "label": f"n = {count:,}"})
    return rows, totals


def _stacked_bars(
    rows: Sequence[dict[str, Any]],
    totals: Sequence[dict[str, Any]],
    x: alt.X,
    y: alt.Y,
    colour: alt.Color,
) -> Any:
    base = alt.Chart(inline_data(rows)).encode(y=y)
    bars = base.mark_bar(stroke=PAPER, strokeWidth=1.5).encode(
        x=x, x2=alt.X2("end:Q"), color=colour
    )
    numbers = base.mark_text(fontSize=12, color=alt.ExprRef("datum.text")).encode(
        x=alt.X("middle:Q"), text=alt.Text("label:N")
    )
    sums = (
        alt.Chart(inline_data(totals))
        .mark_text(align="left", dx=6, fontSize=12)
        .encode(x=alt.X("end:Q"), y=y, text=alt.Text("label:N"))
    )
    return alt.layer(bars, numbers, sums)


def _sentences(parts: Sequence[StageCount], bars: Mapping[str, str]) -> list[str]:
    sentences: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        counts = sentences.setdefault((part.panel, bars[part.bar]), [])
        if part.attempts:
            counts.append(
                lazy_gettext(
                    "{stage} {attempts:,}",
                    stage=STAGES[part.stage].label,
                    attempts=part.attempts,
                )
            )
    return [
        lazy_gettext(
            "{bar}: {counts}.",
            bar=join_messages([name for name in names if name], ", "),
            counts=join_messages(counts, "; ") if counts else lazy_gettext("no attempts"),
        )
        for names, counts in sentences.items()
    ]
