"""Charts of reports on screens."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import chart_locale, localise_numbers
from pagetrail.app.ui.report_downloads import chart_buttons
from pagetrail.exports.reports.model import Chart, Report

_EDGES = ("left", "top", "right", "bottom")


def draw_chart(chart: Chart) -> None:
    """The chart without caption and downloads."""
    # The chart keeps its own colours and size, so that the download looks the same even in dark
    # mode. Streamlit modifies the spec, and sessions share charts. Its padding would replace the
    # chart's, and the title and last tick would touch the edge.
    spec = deepcopy(dict(chart.spec))
    # Only on screen: a downloaded chart is the same for everybody.
    spec["config"] = spec.get("config", {}) | {"locale": chart_locale()}
    st.vega_lite_chart(
        spec={**spec, "autosize": "pad", "padding": dict.fromkeys(_EDGES, _padding(spec))},
        theme=None,
        width="content",
        key=f"chart-{chart.key}",
        alt=chart.caption,
    )


def _padding(spec: Mapping[str, Any]) -> int:
    return int(spec.get("config", {}).get("padding", 0))


def show_chart(report: Report, chart: Chart) -> None:
    """A chart of a report with its caption and its downloads."""
    draw_chart(chart)
    st.caption(literal(localise_numbers(gettext(chart.caption))))
    with st.container(horizontal=True, gap="small"):
        chart_buttons(report, chart)
