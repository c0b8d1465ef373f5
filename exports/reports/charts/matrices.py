"""Matrix of Cohen's kappa, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.exports.reports.charts.style import (
    GRID,
    INK,
    PAPER,
    SCREEN,
    Layout,
    caption_with,
    chart_spec,
    distinct,
    inline_data,
)
from pagetrail.exports.reports.model import Chart


def kappa_chart(
    pairs: Sequence[tuple[str, str, float | None, str | None]], *, layout: Layout = SCREEN
) -> Chart:
    """A matrix of pairwise kappa, with undefined pairs marked.

    Args:
        pairs: (name, other name, kappa, reason if undefined), each pair once.
    """
    if not pairs:
        raise ValueError("a matrix needs pairs")
    title = lazy_gettext("Who solves the same tasks? Cohen's kappa of being right, pair by pair")
    names = distinct(list(dict.fromkeys(name for a, b, *_ in pairs for name in (a, b))))
    rows = [
        {
            "row": names[row],
            "column": names[column],
            "kappa": kappa,
            "label": "–" if kappa is None else f"{kappa:.2f}".replace("-", "\u2212"),
            "text": PAPER if kappa is not None and abs(kappa) > 0.6 else INK,
        }
        for a, b, kappa, _ in pairs
        for row, column in ((a, b), (b, a))
    ]
    order = list(names.values())
    cell = max(44, min(64, layout.width // len(order)))
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6)
    x = alt.X(
        "column:N",
        title=None,
        scale=alt.Scale(domain=order),
        axis=alt.Axis(ticks=False, domain=False, labelAngle=-40, labelPadding=6),
    )
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=order), axis=axis)
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y)
    cells = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(
        color=alt.Color(
            "kappa:Q",
            scale=alt.Scale(
                domain=[-1, 0, 1], range=["#b35f00", "#f4f6f9", "#0d4470"], interpolate="lab"
            ),
            legend=alt.Legend(title="kappa", format=".1f", gradientLength=140),
        )
    )
    # Marks without a number are not drawn, so undefined cells are a separate layer.
    undefined = base.transform_filter("!isValid(datum.kappa)").mark_rect(
        fill=PAPER, stroke=GRID, strokeWidth=1.5, strokeDash=[3, 3]
    )
    text = base.mark_text(
        fontSize=13 if len(order) <= 10 else 10, color=alt.ExprRef("datum.text")
    ).encode(text=alt.Text("label:N"))
    missing = sum(kappa is None for _, _, kappa, _ in pairs)
    undefined_words = lazy_ngettext(
        "Undefined for {missing} of {number} pair, marked –.",
        "Undefined for {missing} of {number} pairs, marked –.",
        len(pairs),
        missing=missing,
    )
    return Chart(
        key="kappa",
        title=title,
        caption=caption_with(
            lazy_gettext(
                "1: right and wrong on the same tasks; 0: no more alike than by chance; below 0: "
                "each solves what the other does not."
            ),
            *([undefined_words] if missing else []),
            series=(
                lazy_gettext("{a} and {b}: {kappa:.2f}.", a=names[a], b=names[b], kappa=kappa)
                for a, b, kappa, _ in pairs
                if kappa is not None
            ),
        ),
        spec=chart_spec(
            alt.layer(
                cells, undefined, text, width=cell * len(order), height=cell * 3 // 4 * len(order)
            ),
            title,
        ),
        columns=layout.columns,
    )
