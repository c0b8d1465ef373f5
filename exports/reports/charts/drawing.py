"""Charts as SVG and PNG, drawn by vl-convert without a network, the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import vl_convert

from pagetrail.exports.reports.charts.style import safe
from pagetrail.exports.reports.model import Chart

VEGA_LITE = "6.1"
"""The version that altair writes for."""

PIXELS_PER_INCH = 72
"""At scale 1; a chart of 600 px is 8.3 inches wide then."""

_SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def svg(chart: Chart) -> str:
    """The chart as an SVG document, with its title and caption for those who cannot see it."""
    root = _drawn(chart)
    root.set("role", "img")
    for name, text in (("desc", chart.caption), ("title", chart.title)):
        element = ElementTree.Element(f"{{{_SVG}}}{name}")
        element.text = safe(text)
        root.insert(0, element)
    return _svg_text(root)


def inline_svg(chart: Chart) -> str:
    """The chart for an HTML page that has its own title, caption and background."""
    without_title = {key: value for key, value in chart.spec.items() if key != "title"}
    root = _drawn(Chart(chart.key, chart.title, chart.caption, without_title))
    paper = root.find(f"{{{_SVG}}}rect")
    if paper is not None:
        root.remove(paper)
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return _svg_text(root).replace(f' xmlns="{_SVG}"', "", 1)


def png(chart: Chart, *, scale: float = 2.0) -> bytes:
    """The chart as PNG; ``scale`` 2 is 144 pixels an inch."""
    made: bytes = vl_convert.vegalite_to_png(
        _spec(chart), vl_version=VEGA_LITE, scale=scale, ppi=PIXELS_PER_INCH, allowed_base_urls=[]
    )
    return made


def _drawn(chart: Chart) -> ElementTree.Element:
    text = vl_convert.vegalite_to_svg(_spec(chart), vl_version=VEGA_LITE, allowed_base_urls=[])
    root = ElementTree.fromstring(text)  # noqa: S314 - drawn by us
    ids: dict[str, str] = {}
    for element in root.iter():
        # A reader hears the caption; one label a mark would be read in its place.
        for name in [name for name in element.attrib if name.startswith("aria-")]:
            del element.attrib[name]
        element.attrib.pop("role", None)
        if "id" in element.attrib:
            # The library numbers ids on from drawing to drawing.
            fresh = ids.setdefault(element.attrib["id"], f"{chart.key}-{len(ids) + 1}")
            element.set("id", fresh)
    for element in root.iter():
        for name, value in element.attrib.items():
            found = _REFERENCE.fullmatch(value)
            if found and found[1] in ids:
                element.set(name, f"url(#{ids[found[1]]})")
    return root


def _spec(chart: Chart) -> dict[str, Any]:
    made: dict[str, Any] = _safe(chart.spec)
    return made


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, Mapping):
        return {key: _safe(item) for key, item in value.items()}
    return [_safe(item) for item in value] if isinstance(value, list | tuple) else value


def _svg_text(root: ElementTree.Element) -> str:
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode") + "\n"
