"""Charts of reports are drawn once per module that imports this fixture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from pagetrail.exports.reports.charts import drawing


@pytest.fixture(scope="module", autouse=True)
def charts_drawn_once() -> Iterator[None]:
    """A chart takes tenths of a second; that it is always the same, the tests of charts prove."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("vegalite_to_svg", "svg_to_png", "svg_to_pdf"):
            patch.setattr(drawing.vl_convert, name, _cached(getattr(drawing.vl_convert, name)))
        yield


def _cached(draw: Callable[..., Any]) -> Callable[..., Any]:
    @cache
    def draw_cached(chart: str, options: str) -> Any:
        return draw(json.loads(chart), **json.loads(options))

    return lambda chart, **options: draw_cached(json.dumps(chart), json.dumps(options))
