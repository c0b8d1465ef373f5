"""Draws charts as SVG, PNG and PDF with vl-convert, without a network, the same bytes every time.

vl-convert runs Vega in the process that calls it, without a time limit: the server only calls these
functions in worker processes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any
from xml.etree import ElementTree

import vl_convert

from pagetrail.exports.reports.charts.pdf_files import stable_pdf
from pagetrail.exports.reports.charts.style import safe
from pagetrail.exports.reports.model import Chart

VEGA_LITE = "6.1"
"""The version that Altair writes."""

PIXELS_PER_INCH = 72
"""On the screen at scale 1; a chart of 600 px is 8.3 inches wide then."""

PRINT_PIXELS_PER_INCH = 108
"""In print, where labels of 12 px are 8 points high."""

PRINT_WIDTHS = {1: 3.4, 2: 6.9}
"""Width in inches of a chart over one or two columns of a page."""

PRINT_DPI = 300

_SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_NARROWEST_PLOT = 40
_FITTING_ROUNDS = 4


def svg(chart: Chart) -> str:
    """The chart as an SVG document, with its title and caption for those who cannot see it."""
    return _svg_text(_with_description(_draw_svg(chart.spec, chart.key), chart))


def inline_svg(chart: Chart) -> str:
    """The chart for an HTML page that has its own title, caption and background."""
    root = _draw_svg(_without_title(chart), chart.key)
    background = root.find(f"{{{_SVG}}}rect")
    if background is not None:
        root.remove(background)
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return _svg_text(root).replace(f' xmlns="{_SVG}"', "", 1)


def png(chart: Chart, *, scale: float = 2.0) -> bytes:
    """The chart as PNG; ``scale`` 2 is 144 pixels an inch."""
    image: bytes = vl_convert.svg_to_png(
        _svg_text(_draw_svg(chart.spec, chart.key)), scale=scale, ppi=PIXELS_PER_INCH
    )
    return image


def pdf(chart: Chart) -> bytes:
    """The chart for print as PDF, with its fonts embedded; title and caption are metadata."""
    return _pdf(_printed(chart), chart)


def print_files(chart: Chart) -> dict[str, bytes]:
    """File type → the chart for print, without a title, since papers have captions."""
    root = _printed(chart)
    image = vl_convert.svg_to_png(_svg_text(root), ppi=PRINT_DPI)
    return {
        "pdf": _pdf(root, chart),
        "svg": _svg_text(_with_description(root, chart)).encode(),
        "png": image,
    }


def _pdf(root: ElementTree.Element, chart: Chart) -> bytes:
    return stable_pdf(
        vl_convert.svg_to_pdf(_svg_text(root)),
        title=safe(chart.title),
        subject=safe(chart.caption),
    )


def _printed(chart: Chart) -> ElementTree.Element:
    """The chart without its title, as wide as its columns on a page."""
    inches = PRINT_WIDTHS[chart.columns]
    root = _fitted(_without_title(chart), chart.key, inches * PRINT_PIXELS_PER_INCH)
    width, height = (float(root.get(name, 0)) for name in ("width", "height"))
    root.set("viewBox", f"0 0 {width:g} {height:g}")
    # In points: programs that read these files take a pixel as a point.
    for name, pixels in (("width", width), ("height", height)):
        root.set(name, f"{pixels * PIXELS_PER_INCH / PRINT_PIXELS_PER_INCH:.2f}")
    return root


def _fitted(spec: dict[str, Any], key: str, width: float) -> ElementTree.Element:
    """Draws the chart with the widest plots that leave room for labels and legend."""
    spec = deepcopy(spec)
    plots = spec.get("hconcat", [spec])
    for _ in range(_FITTING_ROUNDS):
        root = _draw_svg(spec, key)
        excess = float(root.get("width", 0)) - width
        if abs(excess) < 1:
            break
        total_width = sum(plot["width"] for plot in plots)
        for plot in plots:
            share = plot["width"] / total_width
            plot["width"] = max(_NARROWEST_PLOT, round(plot["width"] - excess * share, 2))
    return root


def _without_title(chart: Chart) -> dict[str, Any]:
    return {key: value for key, value in chart.spec.items() if key != "title"}


def _with_description(root: ElementTree.Element, chart: Chart) -> ElementTree.Element:
    root.set("role", "img")
    for name, text in (("desc", chart.caption), ("title", chart.title)):
        element = ElementTree.Element(f"{{{_SVG}}}{name}")
        element.text = safe(text)
        root.insert(0, element)
    return root


def _draw_svg(spec: Mapping[str, Any], key: str) -> ElementTree.Element:
    text = vl_convert.vegalite_to_svg(_safe(spec), vl_version=VEGA_LITE, allowed_base_urls=[])
    root = ElementTree.fromstring(text)  # noqa: S314 - drawn by us
    ids: dict[str, str] = {}
    for element in root.iter():
        # Screen readers should read the caption, not a label for every mark.
        for name in [name for name in element.attrib if name.startswith("aria-")]:
            del element.attrib[name]
        element.attrib.pop("role", None)
        if "id" in element.attrib:
            # The library keeps counting ids from one drawing to the next.
            stable_id = ids.setdefault(element.attrib["id"], f"{key}-{len(ids) + 1}")
            element.set("id", stable_id)
    for element in root.iter():
        for name, value in element.attrib.items():
            reference = _REFERENCE.fullmatch(value)
            if reference and reference[1] in ids:
                element.set(name, f"url(#{ids[reference[1]]})")
    return root


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, Mapping):
        return {key: _safe(item) for key, item in value.items()}
    return [_safe(item) for item in value] if isinstance(value, list | tuple) else value


def _svg_text(root: ElementTree.Element) -> str:
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
