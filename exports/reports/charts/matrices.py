"""Matrices: Cohen's kappa pair by pair, and heat maps of cross tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class HeatCell(NamedTuple):
    """A cell of a heat map.

    Attributes:
        value: sets the colour; None where nothing is known.
        text: what the cell says.
    """

    row: str
    column: str
    value: float | None
    text: str


_SEQUENTIAL = ["#f4f6f9", "#8fb3d1", "#0d4470"]
_DIVERGING = ["#b35f00", "#f4f6f9", "#0d4470"]
_BAND_WIDTH, _BAND_HEIGHT, _SMALL_BAND = 64, 34, 44
_NO_REACH = 1e-9
_ROOMY = 10
"""Columns up to which cells are wide enough for larger text."""


def heat_map(
    cells: Sequence[HeatCell],
    *,
    key: str,
    title: str,
    legend_title: str,
    domain: tuple[float, float] | None = None,
    middle: float | None = None,
    columns: Sequence[str] = (),
    layout: Layout = SCREEN,
) -> Chart:
    """A cross table with a colour per cell; rows and columns in the order of the cells.

    Args:
        cells: one per row and column at most; missing ones are empty.
        domain: values of the lightest and the darkest colour; by the values unless given.
        middle: the value that has the light colour between two dark ones, such as 1 for a lift,
            which begins at 0, or 0.
        columns: all columns in order; that of the cells unless given.

    Raises:
        ValueError: there are no cells.
    """
    if not cells:
        raise ValueError("a heat map needs cells")
    row_labels = distinct(list(dict.fromkeys(cell.row for cell in cells)))
    column_labels = distinct(list(dict.fromkeys([*columns, *(cell.column for cell in cells)])))
    values = [cell.value for cell in cells if cell.value is not None] or [0.0]
    low, high = domain or (min(0.0, *values), max(values))
    if middle is not None:
        reach = max(abs(value - middle) for value in values)
        reach = reach if reach > _NO_REACH else 1.0
        low, high = 0.0 if middle > 0 else middle - reach, middle + reach
    high = high if high > low else low + 1
    rows = [
        {
            "row": row_labels[cell.row],
            "column": column_labels[cell.column],
            "value": None if cell.value is None else round(cell.value, 9),
            "label": cell.text,
            "text": PAPER if _is_dark(cell.value, low, high, middle) else INK,
        }
        for cell in cells
    ]
    n_columns = len(column_labels)
    band = max(_SMALL_BAND, min(_BAND_WIDTH, layout.width // n_columns))
    axis = alt.Axis(ticks=False, domain=False, labelPadding=6)
    x_axis = alt.Axis(ticks=False, domain=False, labelAngle=-40, labelPadding=6)
    x = alt.X(
        "column:N", title=None, scale=alt.Scale(domain=[*column_labels.values()]), axis=x_axis
    )
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=[*row_labels.values()]), axis=axis)
    base = alt.Chart(inline_data(rows)).encode(x=x, y=y)
    stops = [low, (low + high) / 2, high] if middle is None else [low, middle, high]
    colours = _SEQUENTIAL if middle is None else _DIVERGING
    coloured = base.mark_rect(stroke=PAPER, strokeWidth=2).encode(
        color=alt.Color(
            "value:Q",
            scale=alt.Scale(domain=stops, range=colours, interpolate="lab"),
            legend=alt.Legend(title=legend_title, gradientLength=120),
        )
    )
    undefined = base.transform_filter("!isValid(datum.value)").mark_rect(
        fill=PAPER, stroke=GRID, strokeWidth=1.5, strokeDash=[3, 3]
    )
    text = base.mark_text(
        fontSize=12 if n_columns <= _ROOMY else 10, color=alt.ExprRef("datum.text")
    ).encode(text=alt.Text("label:N"))
    return Chart(
        key=key,
        title=title,
        caption=caption_with(
            lazy_gettext(
                "{rows} rows and {columns} columns; a broken outline marks cells without a value.",
                rows=len(row_labels),
                columns=n_columns,
            ),
            series=(f"{cell.row}, {cell.column}: {cell.text}." for cell in cells if cell.text),
        ),
        spec=chart_spec(
            alt.layer(
                coloured,
                undefined,
                text,
                width=band * n_columns,
                height=_BAND_HEIGHT * len(row_labels),
            ),
            title,
        ),
        columns=layout.columns,
    )


def _is_dark(value: float | None, low: float, high: float, middle: float | None) -> bool:
    """Whether a cell is so dark that its text has to be light."""
    if value is None:
        return False
    if middle is not None:
        reach = high - middle if value > middle else middle - low
        return abs(value - middle) > 0.6 * reach
    return (value - low) / (high - low) > 0.65
