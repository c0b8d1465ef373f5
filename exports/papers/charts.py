"""Charts of a paper's figures, each drawn from the data table that is written with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from pagetrail.exports.reports.charts.curves import (
    Band,
    Curve,
    budget_chart,
    kuiper_chart,
    retrieval_levels_chart,
)
from pagetrail.exports.reports.charts.distributions import Spread, bins_chart, box_chart
from pagetrail.exports.reports.charts.estimates import ranked_chart
from pagetrail.exports.reports.charts.horizon import PlottedRate, horizon_chart
from pagetrail.exports.reports.charts.matrices import HeatCell, heat_map, kappa_chart
from pagetrail.exports.reports.charts.scatter import (
    PlottedInterval,
    group_scatter_chart,
    scatter_chart,
    spans_magnitudes,
)
from pagetrail.exports.reports.charts.stages import StageCount, stages_chart
from pagetrail.exports.reports.charts.style import COLUMN, PAGE, Layout, layout_for
from pagetrail.exports.reports.model import Cell, Chart, Kind, Row, Table

Draw = Callable[[Table], Chart]

BINS = ("0–0.1", *(f"{low / 10:.1f}–{(low + 1) / 10:.1f}" for low in range(1, 10)))
"""Ten bins of difficulty; each holds its upper end."""

_LONGEST_ROW_LABEL = 18
"""Maximum characters of a label next to a plot in one column."""

STAGE_NAMES = {
    "correct": "Correct",
    "verbose": "Correct, verbose",
    "comprehension": "Comprehension",
    "navigation": "Navigation",
    "retrieval": "Retrieval",
    "no_answer": "No answer",
}
"""Stages as the tables of papers name them, without the reason."""
_STAGE_KEYS = {name: stage for stage, name in STAGE_NAMES.items()}


def bin_index(value: float) -> int:
    """The index in ``BINS`` of a value in [0, 1]; exactly 0.1 is in the first."""
    return max(0, math.ceil(10 * value - 1e-9) - 1)


def stage_bars(
    bar: str, stage: str, axis: str, *, count: str = "count", panel: str | None = None
) -> Draw:
    """Stacked bars; arguments are keys of columns, and the title of the axis."""

    def draw(table: Table) -> Chart:
        parts = [
            StageCount(
                _text(row, bar),
                _STAGE_KEYS[_text(row, stage)],
                _number(row, "share"),
                int(_number(row, count)),
                _text(row, panel) if panel else "",
            )
            for row in table.rows
            if row.cells[stage].value is not None
        ]
        return stages_chart(parts, key=table.key, title=table.title, axis=axis, layout=PAGE)

    return draw


def kuiper_over_steps(table: Table) -> Chart:
    """The curve of one participant over effort, with the band of chance."""
    curves = _curves(table.rows, "effort", "deviation", start=(0.0, 0.0))
    chance = [
        (_number(row, "effort"), -_number(row, "band"), _number(row, "band")) for row in table.rows
    ]
    return kuiper_chart(curves, effort="steps", chance=[(0.0, 0.0, 0.0), *chance], layout=COLUMN)


def kuiper_over_attempts(table: Table) -> Chart:
    """The curves of all participants over the share of their attempts."""
    curves = _curves(table.rows, "fraction", "deviation", start=(0.0, 0.0))
    return kuiper_chart(curves, effort="fraction", layout=layout_for(list(curves)))


def accuracy_within_limit(table: Table) -> Chart:
    """Accuracy within a limit of searches."""
    curves = _curves(table.rows, "limit", "accuracy")
    return budget_chart(
        curves,
        unit="searches",
        bands=_bands(table.rows, "limit", "accuracy"),
        layout=layout_for(list(curves)),
    )


def evidence_by_query(table: Table) -> Chart:
    """Evidence found by query, one panel per level."""
    levels = _distinct_texts(table, "level")
    by_level = {
        level: [row for row in table.rows if _text(row, "level") == level] for level in levels
    }
    return retrieval_levels_chart(
        {level.lower(): _curves(rows, "query", "found") for level, rows in by_level.items()},
        bands={level.lower(): _bands(rows, "query", "found") for level, rows in by_level.items()},
        everyone=_distinct_texts(table, "side"),
        layout=PAGE,
    )


def horizon_curves(table: Table) -> Chart:
    """Fitted success over people's time, with the observed rates in bins."""

    def rates(kind: str) -> dict[str, list[PlottedRate]]:
        by_name: dict[str, list[PlottedRate]] = {}
        for row in table.rows:
            if _text(row, "kind") == kind:
                rate = row.cells["rate"]
                point = PlottedRate(
                    _number(row, "minutes"), _number(row, "rate"), rate.low, rate.high
                )
                by_name.setdefault(_text(row, "side"), []).append(point)
        return by_name

    bins = rates("bin")
    return horizon_chart(rates("curve"), bins, layout=layout_for(list(bins)))


def kappa_matrix(table: Table) -> Chart:
    """Kappa of each pair of participants."""
    pairs = [
        (
            _text(row, "a"),
            _text(row, "b"),
            _defined_value(row.cells["kappa"]),
            row.cells["kappa"].reason,
        )
        for row in table.rows
    ]
    names = {name for a, b, *_ in pairs for name in (a, b)}
    return kappa_chart(pairs, layout=COLUMN if len(names) <= 4 else PAGE)


def ranked_shares(name: str, share: str, axis: str) -> Draw:
    """Shares with their intervals; arguments are keys of columns, and the title of the axis."""

    def draw(table: Table) -> Chart:
        shares = [
            (
                _text(row, name),
                *_estimate(row.cells[share]),
                row.cells[share].n or 0,
            )
            for row in table.rows
        ]
        layout = _layout_of_rows([name for name, *_ in shares])
        return ranked_chart(shares, key=table.key, title=table.title, axis=axis, layout=layout)

    return draw


def system_f1(table: Table) -> Chart:
    """F1 of each system's boxes per dataset, domain and language."""
    shares = [
        (
            " · ".join(_text(row, key) for key in ("side", "campaign", "group")),
            *_estimate(row.cells["dice"]),
            row.cells["dice"].n or 0,
        )
        for row in table.rows
        if row.cells["dice"].value is not None
    ]
    layout = _layout_of_rows([name for name, *_ in shares])
    return ranked_chart(
        shares, key=table.key, title=table.title, axis="F1, best annotator (%)", layout=layout
    )


def drift_boxes(*, kind: str | None = None) -> Draw:
    """Box plots of drift by participant, and by the column ``kind``."""

    def draw(table: Table) -> Chart:
        spreads = [
            Spread(
                name=_text(row, "side"),
                low=_number(row, "low"),
                q1=_number(row, "q1"),
                median=_number(row, "median"),
                q3=_number(row, "q3"),
                high=_number(row, "high"),
                n=int(_number(row, "n")),
                kind=_text(row, kind) if kind else "",
            )
            for row in table.rows
        ]
        layout = _layout_of_rows([spread.name for spread in spreads])
        return box_chart(
            spreads,
            key=table.key,
            title=table.title,
            axis="Mean drift per attempt",
            layout=layout,
        )

    return draw


def participants_scatter(
    x: str,
    y: str,
    x_title: str,
    y_title: str,
    *,
    x_is_share: bool = True,
    x_is_cost: bool = False,
) -> Draw:
    """Two estimates of each participant; arguments are keys of columns and titles of axes.

    Costs of different magnitudes are on a logarithmic scale.
    """

    def draw(table: Table) -> Chart:
        points = {
            _text(row, "side"): (_estimate(row.cells[x]), _estimate(row.cells[y]))
            for row in table.rows
            if _defined_value(row.cells[x]) is not None and _defined_value(row.cells[y]) is not None
        }
        return scatter_chart(
            points,
            key=table.key,
            title=table.title,
            x_title=x_title,
            y_title=y_title,
            x_is_share=x_is_share,
            x_is_log=x_is_cost and spans_magnitudes(points),
            layout=layout_for(list(points)),
        )

    return draw


def items_scatter(x: str, y: str, group: str, order: Sequence[str]) -> Draw:
    """Items by group; the first group is on top."""

    def draw(table: Table) -> Chart:
        labels = {column.key: column.label for column in table.columns}
        groups = {
            name: [
                (_number(row, x), _number(row, y))
                for row in table.rows
                if _text(row, group) == name
            ]
            for name in order
        }
        return group_scatter_chart(
            groups,
            key=table.key,
            title=table.title,
            x_title=labels[x],
            y_title=labels[y],
            layout=COLUMN,
        )

    return draw


def difficulty_histogram(table: Table) -> Chart:
    """Number of items in each bin of difficulty."""
    counts = Counter(bin_index(_number(row, "difficulty")) for row in table.rows)
    return bins_chart(
        {"Items": {label: counts[index] for index, label in enumerate(BINS)}},
        key=table.key,
        title=table.title,
        x_title="Difficulty p (mean score)",
        y_title="Items",
        layout=COLUMN,
    )


def difficulty_shares(table: Table) -> Chart:
    """Share of the items of each set in each bin of difficulty."""
    series: dict[str, dict[str, float]] = {}
    for row in table.rows:
        name = f"{_text(row, 'set')} (n = {int(_number(row, 'n')):,})"
        series.setdefault(name, {})[_text(row, "bin")] = _number(row, "share")
    return bins_chart(
        series,
        key=table.key,
        title=table.title,
        x_title="Difficulty p (mean score)",
        y_title="Items (%)",
        is_share=True,
        layout=COLUMN,
    )


def _layout_of_rows(labels: Sequence[str]) -> Layout:
    """The layout for labels next to the plot, which leave it less width if they are long."""
    return COLUMN if max(map(len, labels), default=0) <= _LONGEST_ROW_LABEL else PAGE


def _curves(
    rows: Sequence[Row], x: str, y: str, *, start: tuple[float, float] | None = None
) -> dict[str, Curve]:
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        curve = curves.setdefault(_text(row, "side"), [start] if start else [])
        curve.append((_number(row, x), _number(row, y)))
    return dict(curves)


def _bands(rows: Sequence[Row], x: str, y: str) -> dict[str, Band]:
    bands: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows:
        _, low, high = _estimate(row.cells[y])
        bands.setdefault(_text(row, "side"), []).append((_number(row, x), low, high))
    return dict(bands)


def _text(row: Row, key: str) -> str:
    return str(row.cells[key].value)


def _number(row: Row, key: str) -> float:
    """The value of a column of numbers; 0 if undefined."""
    return _defined_value(row.cells[key]) or 0.0


def _defined_value(cell: Cell) -> float | None:
    return float(cell.value) if isinstance(cell.value, int | float) else None


def _estimate(cell: Cell) -> PlottedInterval:
    """A value with its interval, or with itself as both ends."""
    value = _defined_value(cell) or 0.0
    return PlottedInterval(
        value, value if cell.low is None else cell.low, value if cell.high is None else cell.high
    )


def _distinct_texts(table: Table, key: str) -> list[str]:
    """The distinct values of a column in order of first occurrence."""
    return list(dict.fromkeys(_text(row, key) for row in table.rows))


def cross_heat_map(
    row: str,
    column: str,
    value: str,
    *,
    text: str | None = None,
    middle: float | None = None,
    order: Sequence[str] = (),
    only: Callable[[Row], bool] = lambda row: True,
) -> Draw:
    """A heat map of a table with a row per cell.

    Args:
        row, column, value: keys of columns; the value sets the colour.
        text: key of the column that cells say, if another one.
        middle: the value between two colours.
        order: of the columns of the map; that of the rows of the table unless given.
        only: whether a row of the table is shown.
    """

    def draw(table: Table) -> Chart:
        kinds = {entry.key: entry for entry in table.columns}
        shown = kinds[text or value]
        cells = [
            HeatCell(
                _text(entry, row),
                _text(entry, column),
                _defined_value(entry.cells[value]),
                _cell_text(entry.cells[shown.key], shown.kind),
            )
            for entry in table.rows
            if only(entry)
        ]
        return heat_map(
            cells,
            key=table.key,
            title=table.title,
            legend_title=kinds[value].label,
            middle=middle,
            columns=[name for name in order if any(cell.column == name for cell in cells)],
            layout=PAGE,
        )

    return draw


def _cell_text(cell: Cell, kind: Kind) -> str:
    number = _defined_value(cell)
    if number is None:
        return ""
    if kind == "share":
        return f"{100 * number:.0f}%"
    return (
        f"{number:,.0f}" if kind in ("count", "whole") else f"{number:.2f}".replace("-", "\u2212")
    )


def count_bars(bar: str, count: str, *, series: str | None = None, is_share: bool = False) -> Draw:
    """Bars of a number, or of one between 0 and 1; arguments are keys of columns."""

    def draw(table: Table) -> Chart:
        labels = {column.key: column.label for column in table.columns}
        bins: dict[str, dict[str, float]] = {}
        for row in table.rows:
            name = _text(row, series) if series else labels[count]
            bins.setdefault(name, {})[_text(row, bar)] = _number(row, count)
        return bins_chart(
            bins,
            key=table.key,
            title=table.title,
            x_title=labels[bar],
            y_title=labels[count],
            is_share=is_share,
            layout=PAGE,
        )

    return draw
