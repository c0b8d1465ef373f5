"""Charts on the screen: of results, of the dashboard and of pilots."""

from __future__ import annotations

from copy import deepcopy

import streamlit as st

from app.literal import literal
from app.results_downloads import chart_buttons
from exports.reports.model import Chart, Report


def draw_chart(chart: Chart) -> None:
    """The chart alone."""
    # Its own paper, ink and size: what is seen is what is downloaded, in a dark browser too.
    # Streamlit changes what it is given, and a chart may be everybody's.
    st.vega_lite_chart(
        spec={**deepcopy(dict(chart.spec)), "autosize": "pad"},
        theme=None,
        width="content",
        key=f"chart-{chart.key}",
        alt=chart.caption,
    )


def show_chart(report: Report, chart: Chart) -> None:
    """A chart of a report with its caption and its downloads."""
    draw_chart(chart)
    st.caption(literal(chart.caption))
    with st.container(horizontal=True, gap="small"):
        chart_buttons(report, chart)
