"""Charts and tables of the dashboard: a chart beside its table, each with its downloads."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_tables import show_titled
from pagetrail.app.ui.table_frames import PreparedReport

_CHART_PX = 632
"""Room for a chart with long names; two fit beside each other on a small laptop."""


def show_part(part: PreparedReport) -> None:
    """Draw charts beside each other, then their tables; a narrow table goes beside its chart.

    Tables after the first are drawn once they are opened.
    """
    report, tables = part.report, part.tables
    charts = report.charts
    if len(charts) == 1 and tables and tables[0].is_narrow:
        left, right = st.columns([6, 7], gap="medium")
        with left:
            show_chart(report, charts[0])
        with right:
            show_titled(report, tables[0])
    else:
        with st.container(horizontal=True):  # below each other in a narrow window
            for chart in charts:
                with st.container(width=_CHART_PX):
                    show_chart(report, chart)
        if tables:
            show_titled(report, tables[0])
    for ready in tables[1:]:
        about = f"{ready.table.title}: {ready.table.question}"
        more = st.expander(literal(about), key=f"open-{ready.table.key}", on_change="rerun")
        if more.open:
            with more:
                show_titled(report, ready)
