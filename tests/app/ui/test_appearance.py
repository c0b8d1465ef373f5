"""How screens look, as far as it can be told without a browser."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pagetrail.app.services.composition import Services
from pagetrail.app.ui.report_charts import draw_chart
from pagetrail.exports.reports.charts.style import PAPER
from pagetrail.exports.reports.model import Chart
from tests.app.screens import as_person


def styles(at: AppTest) -> str:
    """The style sheets that the screen adds."""
    return " ".join(html.proto.body for html in at.get("html"))


def test_on_the_light_accent_of_the_dark_theme_text_is_dark(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White on it would be 2:1; on the dark accent of the light theme it stays white."""
    css = styles(as_person(services, "sven", monkeypatch))
    assert "stMainBlockContainer" in css
    assert "unicode-bidi: plaintext" in css, "Arabic and Hebrew run from the right"
    assert "stBaseButton-primary" in css
    assert "color: light-dark(#ffffff, #12161d);" in css


def test_a_chart_keeps_its_padding_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit puts padding below alone where none is named side by side; the rest would go."""
    chart_specs: list[dict[str, object]] = []
    monkeypatch.setattr(
        st, "vega_lite_chart", lambda **arguments: chart_specs.append(arguments["spec"])
    )
    spec = {"mark": "bar", "config": {"background": PAPER, "padding": 8}}
    draw_chart(Chart(key="k", title="Whose?", caption="Ours.", spec=spec))
    assert chart_specs[0]["padding"] == {"left": 8, "top": 8, "right": 8, "bottom": 8}
    assert spec == {"mark": "bar", "config": {"background": PAPER, "padding": 8}}
