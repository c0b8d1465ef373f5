"""The common style of all charts: colours, layouts, legend and labels.

The seven colours are those of labels on pages (``label_palette.ts``): 3:1 to white paper, distinct
in normal sight and in the three kinds of colour blindness. Each series has a dash and a shape too,
so that a chart also reads in grey.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple

import altair as alt
from altair.utils import schemapi

from pagetrail.annotation.messages import join_messages

INK = "#1c2430"
QUIET = "#5b6675"
GRID = "#d5dce6"
PAPER = "#ffffff"
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"

COLOURS = ("#115588", "#dd7700", "#11aa66", "#aa0000", "#9988dd", "#bb7799", "#443333")
DASHES = (
    (1, 0),
    (7, 3),
    (2, 2),
    (10, 3, 2, 3),
    (5, 2),
    (12, 4),
    (8, 2, 2, 2, 2, 2),
    (1, 3),
    (3, 5),
)
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "cross",
    "triangle-right",
    "triangle-left",
)


class Layout(NamedTuple):
    """Where a chart is shown, which decides its size. Fonts and lines are the same everywhere.

    Attributes:
        width, height: of the plot, in pixels; labels and legend are added around it.
        columns: of a printed page that the chart takes up (``drawing.PRINT_WIDTHS``).
    """

    width: int
    height: int
    columns: Literal[1, 2]


SCREEN = Layout(460, 260, 2)
COLUMN = Layout(260, 200, 1)
PAGE = Layout(600, 250, 2)
WIDTH, HEIGHT, _ = SCREEN

TITLE_CHARACTERS = 70
LABEL_LIMIT = 260
"""Longest label in pixels; ``short_label`` keeps to it except in wide scripts."""

LONGEST_LABEL = 38
"""Maximum characters of a name in a chart; tables have the whole name."""

FEW_SERIES = 4
"""Maximum number of series that a caption describes one by one and one column has room for."""

MARKS = 24
"""Maximum number of marked points on a curve; more would hide the line."""

LABELS_WIDTH = 100
"""Typical width in pixels of axis and labels."""

_CONFIG = alt.Config(
    background=PAPER,
    font=FONT,
    padding=8,
    view=alt.ViewConfig(stroke=None),
    title=alt.TitleConfig(fontSize=14, fontWeight="bold", color=INK, offset=14, lineHeight=18),
    axis=alt.AxisConfig(
        labelColor=INK,
        titleColor=INK,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        titlePadding=8,
        labelLimit=LABEL_LIMIT,
        gridColor=GRID,
        domainColor=QUIET,
        tickColor=QUIET,
        labelFlush=False,
    ),
    legend=alt.LegendConfig(
        labelColor=INK,
        titleColor=INK,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
    ),
    text=alt.MarkConfig(color=INK, fontSize=12),
)

_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def clean(name: str) -> str:
    """A name as one line that every XML reader takes: white space of any kind is one space.

    A name that is clean already is returned itself, so that a message remains one.
    """
    line = " ".join(safe(name).split())
    return name if line == name and name else line or "(no name)"


def safe(text: str) -> str:
    """Text with control characters, lone surrogates and bidi controls replaced by U+FFFD."""
    return "".join(" " if c.isspace() else "\ufffd" if _forbidden(c) else c for c in text)


def _forbidden(character: str) -> bool:
    if unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff":
        return True
    # Embeddings and overrides would also affect the text after the name.
    return unicodedata.bidirectional(character) in _TURNING


def short_label(name: str, longest: int = LONGEST_LABEL) -> str:
    """A name on one line, shortened in the middle, since names often differ at both ends."""
    label = clean(name)
    if len(label) <= longest:
        return label
    head = longest * 3 // 5
    return f"{label[:head]}…{label[head + 1 - longest :]}"


def distinct(names: Sequence[str], longest: int = LONGEST_LABEL) -> dict[str, str]:
    """The label of each name; equal labels are numbered."""
    labels: dict[str, str] = {}
    for name in names:
        label, n = short_label(name, longest), 2
        while label in labels.values():
            label, n = f"{short_label(name, longest)} ({n})", n + 1
        labels[name] = label
    return labels


def legend(
    labels: Sequence[str],
    layout: Layout = SCREEN,
    *,
    symbol: str | None = None,
    opacity: float = 1,
    orient: Literal["bottom", "top"] = "bottom",
) -> alt.Legend:
    """The legend below a chart, in as many columns as fit.

    Args:
        symbol: of all labels; None where their shapes differ.
        opacity: of the symbols.
        orient: ``top`` for charts with many rows.
    """
    longest = max(map(len, labels), default=1)
    room = layout.width + LABELS_WIDTH
    columns = max(1, min(len(labels), int(room / (34 + 6.4 * longest))))
    return alt.Legend(
        title=None,
        orient=orient,
        columns=columns,
        labelLimit=LABEL_LIMIT,
        symbolStrokeWidth=0,
        symbolOpacity=opacity,
        symbolType=alt.Undefined if symbol is None else symbol,
    )


def layout_for(labels: Sequence[str]) -> Layout:
    """One column of a printed page for a few short labels, else the full width."""
    is_small = len(labels) <= FEW_SERIES and max(map(len, labels), default=0) <= LONGEST_LABEL // 2
    return COLUMN if is_small else PAGE


def series_encodings(
    names: Sequence[str], everyone: Sequence[str] = (), layout: Layout = SCREEN
) -> dict[str, Any]:
    """Encodings that distinguish series by colour, dash and shape; the legend has colour and shape.

    Dashes in the legend would only blur the outlines of its shapes.

    Args:
        names: of the series in this chart.
        everyone: all names of the report in order, so that each has the same style in every
            chart; without them, styles follow the order of ``names``.
    """
    order = [*everyone, *(name for name in names if name not in everyone)]
    positions = [order.index(name) for name in names]
    chart_legend = legend(names, layout)

    def scale(looks: Sequence[Any]) -> alt.Scale:
        return alt.Scale(
            domain=list(names), range=[looks[position % len(looks)] for position in positions]
        )

    dashes = scale([list(dash) for dash in DASHES])
    return {
        "color": alt.Color("series:N", scale=scale(COLOURS), legend=chart_legend),
        "shape": alt.Shape("series:N", scale=scale(SHAPES), legend=chart_legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dashes, legend=chart_legend),
    }


def percent_axis(**options: Any) -> alt.Axis:
    """An axis of shares from 0 to 1, in percent."""
    return alt.Axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], **options)


def marked_points(n: int) -> set[int]:
    """Indices of the marked points of a curve: all, or evenly spaced ones with both ends."""
    if n <= MARKS:
        return set(range(n))
    return {round(i * (n - 1) / (MARKS - 1)) for i in range(MARKS)}


def caption_with(*caption: str, series: Iterable[str], note: str = "") -> str:
    """The sentences of a caption, with one on each series unless there are many, and the note."""
    series_sentences = list(series)
    if len(series_sentences) > FEW_SERIES:
        series_sentences = []
    return join_messages([*caption, *series_sentences, *([note] if note else [])])


def whole_ticks(lowest: float, highest: float, n_ticks: int = 10) -> list[int]:
    """About ``n_ticks`` ticks at whole numbers; Vega would also place ticks at halves."""
    span = max(1, math.ceil(highest) - math.floor(lowest))
    power = 10 ** max(0, math.floor(math.log10(span / n_ticks)))
    step = next(power * n for n in (1, 2, 5, 10, 20) if span <= n_ticks * power * n)
    first = math.ceil(lowest / step) * step
    return list(range(first, math.floor(highest) + 1, step))


def slug(words: str) -> str:
    """The words in lower case with hyphens, for a chart's key."""
    characters = "".join(c if c.isascii() and c.isalnum() else "-" for c in words.lower())
    return "-".join(part for part in characters.split("-") if part) or "other"


def title_lines(title: str) -> list[str]:
    """A title in lines of about the same length."""
    text = clean(title)
    lines = math.ceil(len(text) / TITLE_CHARACTERS)
    return textwrap.wrap(text, min(TITLE_CHARACTERS, math.ceil(len(text) / lines) + 8))


def chart_spec(chart: Any, title: str) -> dict[str, Any]:
    """The Vega-Lite specification of a chart, with its title and the common style."""
    # Assigned, since ``properties`` and ``configure`` would each copy the whole chart.
    chart.title = alt.TitleParams(text=title_lines(title), anchor="start")
    chart.config = _CONFIG
    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    return spec


@contextmanager
def unchecked() -> Iterator[None]:
    """Create charts without schema validation, which takes most of the time.

    For screens, whose charts are validated in tests.
    """
    with schemapi.debug_mode(False):
        yield


def inline_data(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Rows as inline data, in order."""
    return alt.InlineData(values=list(rows))
