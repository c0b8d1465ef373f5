"""How charts look: one ink, one palette, and a second cue beside every colour.

The seven colours are those of labels on pages (``palette.js``): 3:1 to white paper, told apart in
normal sight and in the three kinds of colour blindness. Each series has a dash and a shape too, so
that a chart also reads in grey.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import altair as alt
from altair.utils import schemapi

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

WIDTH = 460
HEIGHT = 260
TITLE_CHARACTERS = 70
LABEL_LIMIT = 230
"""Longest name, in pixels, before it is cut; tables and captions have it whole."""

FEW_SERIES = 4
"""Series up to which there is room for a word on each."""

MARKS = 24
"""Points of a curve that are marked at most: more would hide the line."""

_LOOK = alt.Config(
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
    legend=alt.LegendConfig(labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12),
    text=alt.MarkConfig(color=INK, fontSize=12),
)

_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def clean(name: str) -> str:
    """A name as one line that every XML reader takes: white space of any kind is one space."""
    return " ".join(safe(name).split()) or "(no name)"


def safe(text: str) -> str:
    """A text without control characters, half pairs and turns of direction: they become U+FFFD."""
    return "".join(" " if c.isspace() else "\ufffd" if _forbidden(c) else c for c in text)


def _forbidden(character: str) -> bool:
    if unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff":
        return True
    # Embeddings and overrides would also reverse the text after the name.
    return unicodedata.bidirectional(character) in _TURNING


def distinct(names: Sequence[str]) -> dict[str, str]:
    """Each name as it is shown; two that look the same when cleaned are numbered."""
    shown: dict[str, str] = {}
    for name in names:
        label, n = clean(name), 2
        while label in shown.values():
            label, n = f"{clean(name)} ({n})", n + 1
        shown[name] = label
    return shown


def series(names: Sequence[str], everyone: Sequence[str] = ()) -> dict[str, Any]:
    """Encodings that tell series apart by colour, dash and shape; the legend has colour and shape.

    A dash in the legend would only fray the edges of the shapes there.

    Args:
        names: of the series in this chart.
        everyone: all names of the report in their order, so that each looks the same in every
            chart; without them, looks follow the order of ``names``.
    """
    legend = alt.Legend(
        title=None, orient="bottom", columns=2, labelLimit=LABEL_LIMIT, symbolStrokeWidth=0
    )
    order = [*everyone, *(name for name in names if name not in everyone)]
    places = [order.index(name) for name in names]

    def scale(looks: Sequence[Any]) -> alt.Scale:
        picked = [looks[i % len(looks)] for i in places]
        return alt.Scale(domain=list(names), range=picked)

    dashes = scale([list(dash) for dash in DASHES])
    return {
        "color": alt.Color("series:N", scale=scale(COLOURS), legend=legend),
        "shape": alt.Shape("series:N", scale=scale(SHAPES), legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=dashes, legend=None),
    }


def marked(n: int) -> set[int]:
    """Which of n points of a curve are marked: all of them, or some at even steps and both ends."""
    if n <= MARKS:
        return set(range(n))
    return {round(i * (n - 1) / (MARKS - 1)) for i in range(MARKS)}


def said(caption: str, sentences: Iterable[str]) -> str:
    """A caption with a sentence on each series; on many of them nobody would read it."""
    each = list(sentences)
    return " ".join([caption, *each]) if len(each) <= FEW_SERIES else caption


def whole_ticks(lowest: float, highest: float) -> list[int]:
    """Places for ticks at whole numbers, about ten at most; Vega's own would go to halves."""
    span = max(1, math.ceil(highest) - math.floor(lowest))
    power = 10 ** max(0, math.floor(math.log10(span / 10)))
    step = next(power * n for n in (1, 2, 5, 10, 20) if span <= 10 * power * n)
    first = math.ceil(lowest / step) * step
    return list(range(first, math.floor(highest) + 1, step))


def lines_of(title: str) -> list[str]:
    """A title in lines of about the same length."""
    whole = clean(title)
    lines = math.ceil(len(whole) / TITLE_CHARACTERS)
    return textwrap.wrap(whole, min(TITLE_CHARACTERS, math.ceil(len(whole) / lines) + 8))


def spec(chart: Any, title: str) -> dict[str, Any]:
    """The Vega-Lite of a chart, with its title and the look that all charts share."""
    # Set, as ``properties`` and ``configure`` would each copy the whole chart.
    chart.title = alt.TitleParams(text=lines_of(title), anchor="start")
    chart.config = _LOOK
    made: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    return made


@contextmanager
def unchecked() -> Iterator[None]:
    """Make charts without validating each part by the schema, which takes most of the time.

    For screens that people wait for, with charts that tests have checked.
    """
    with schemapi.debug_mode(False):
        yield


def values(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Rows as data that stay in the chart, in their order."""
    return alt.InlineData(values=list(rows))
