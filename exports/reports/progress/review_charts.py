"""Review and agreement so far as Vega-Lite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from pagetrail.annotation.review.status import NEEDS_A_PERSON
from pagetrail.annotation.review.status_words import STATUS_WORDS
from pagetrail.exports.reports.charts.style import (
    COLOURS,
    INK,
    QUIET,
    SHAPES,
    WIDTH,
    clean,
    distinct,
    spec,
    values,
    whole_ticks,
)
from pagetrail.exports.reports.model import Chart


def review_chart(found: Mapping[str, int]) -> Chart:
    """Tasks by review status, in the order of the work."""
    title = "How far is review?"
    rows = [
        {
            "status": words,
            "n": found.get(status, 0),
            "label": f"{found.get(status, 0):,}",
            "who": "needs a reviewer" if status in NEEDS_A_PERSON else "needs none now",
        }
        for status, words in STATUS_WORDS.items()
    ]
    kinds = ["needs a reviewer", "needs none now"]
    base = alt.Chart(values(rows)).encode(
        y=alt.Y("status:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False)),
        x=alt.X(
            "n:Q",
            title="Tasks",
            axis=alt.Axis(
                values=whole_ticks(0, max([1, *(found.get(status, 0) for status in STATUS_WORDS)])),
                format=",d",
                grid=False,
            ),
        ),
    )
    bars = base.mark_bar().encode(
        color=alt.Color(
            "who:N",
            scale=alt.Scale(domain=kinds, range=[COLOURS[1], COLOURS[0]]),
            legend=alt.Legend(title=None, orient="bottom", symbolType="square"),
        )
    )
    text = base.mark_text(align="left", dx=5, color=INK).encode(text=alt.Text("label:N"))
    waiting = sum(found.get(status, 0) for status in NEEDS_A_PERSON)
    return Chart(
        key="review",
        title=title,
        caption=f"{waiting:,} of {sum(found.values()):,} tasks need a reviewer.",
        spec=spec(alt.layer(bars, text, width=WIDTH, height=22 * len(rows)), title),
    )


def agree_chart(
    points: Sequence[tuple[str, str, float, float | None, float | None]], shown: int, of: int
) -> Chart:
    """Agreement part by part, with intervals.

    Args:
        points: (part, measure, value, low, high).
        shown, of: parts in the chart, and in the table.
    """
    title = "How well do annotators agree?"
    parts = distinct(list(dict.fromkeys(part for part, *_ in points)))
    kinds = sorted({kind for _, kind, *_ in points}, key=_kind_place)
    rows = [
        {"part": parts[part], "kind": clean(kind), "value": value,
         "low": value if low is None else low, "high": value if high is None else high}
        for part, kind, value, low, high in points
    ]  # fmt: skip
    lowest = min([0.0, *(value if low is None else low for _, _, value, low, _ in points)])
    axis = (
        "1 = complete agreement; 0 = chance level (coefficients) or nothing in common (similarity)"
    )
    domain = [clean(kind) for kind in kinds]
    places = [_kind_place(kind) for kind in kinds]
    legend = alt.Legend(title=None, orient="bottom", labelLimit=320, columns=2)
    base = alt.Chart(values(rows)).encode(
        y=alt.Y(
            "part:N",
            title=None,
            sort=None,
            scale=alt.Scale(paddingInner=0.35),
            axis=alt.Axis(ticks=False, domain=False, grid=True, labelPadding=8),
        ),
        yOffset=alt.YOffset("kind:N", sort=None, scale=alt.Scale(domain=domain, paddingOuter=0.2)),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=domain, range=[COLOURS[p % len(COLOURS)] for p in places]),
            legend=legend,
        ),
    )
    scale = alt.Scale(domain=[lowest, 1], nice=lowest < 0)
    bars = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=65, opacity=1).encode(
        x=alt.X("value:Q", title=axis, scale=scale),
        shape=alt.Shape(
            "kind:N",
            scale=alt.Scale(domain=domain, range=[SHAPES[p % len(SHAPES)] for p in places]),
            legend=legend,
        ),
        tooltip=[
            alt.Tooltip("part:N", title="Part"),
            alt.Tooltip("kind:N", title="Measure"),
            *(alt.Tooltip(f"{end}:Q", format=".3f") for end in ("value", "low", "high")),
        ],
    )
    zero = (
        alt.Chart(values([{"x": 0}])).mark_rule(color=QUIET, strokeWidth=1.2).encode(x=alt.X("x:Q"))
    )
    cut = f" Only the first {shown} of {of} parts are shown." if shown < of else ""
    return Chart(
        key="agreement",
        title=title,
        caption="Points are estimates; bars are 95 % intervals over tasks." + cut,
        spec=spec(
            alt.layer(
                zero, bars, dots, width=WIDTH, height=max(70, (14 * len(kinds) + 10) * len(parts))
            ),
            title,
        ),
    )


def _kind_place(kind: str) -> int:
    return 0 if kind.endswith("α") else 1 if "AC" in kind else 2
