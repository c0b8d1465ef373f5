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
        patch.setattr(drawing.vl_convert, "vegalite_to_png", _png)
        yield


def _svg(spec: Any, **_: Any) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{escape(json.dumps(spec))}</text></svg>'


def _png(spec: Any, **_: Any) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + json.dumps(spec).encode()
