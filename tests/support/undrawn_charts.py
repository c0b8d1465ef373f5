"""Charts are not drawn in tests of commands: drawing one takes tenths of a second."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

import pytest

from pagetrail.exports.reports.charts import drawing


@pytest.fixture(scope="package", autouse=True)
def undrawn_charts() -> Iterator[None]:
    """The chart's spec is written instead; that charts are drawn, the tests of charts prove."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing.vl_convert, "vegalite_to_svg", _svg)
        patch.setattr(drawing.vl_convert, "svg_to_png", _png)
        patch.setattr(drawing.vl_convert, "svg_to_pdf", _pdf)
        yield


def _svg(spec: Any, **_: Any) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{escape(json.dumps(spec))}</text></svg>'


def _png(svg: str, **_: Any) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + svg.encode()


def _pdf(svg: str) -> bytes:
    body = b"1 0 obj\n<<\n  /Type /Catalog\n>>\nendobj\n"
    return b"%PDF-1.7\n" + body + b"trailer\n<<\n  /Root 1 0 R\n>>\n" + svg.encode()
