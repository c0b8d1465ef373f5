"""Charts and tables of the dashboard: a chart beside its table, each with its downloads."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.progress.data import quality_of, report_of, shown
from pagetrail.app.progress.report_computation import Head, Shown
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.progress.report import TITLES

_WHOLE = "progress-drawn-whole"
_CHART_PX = 632
"""Room for a chart with long names; two fit beside each other on a small laptop."""


def show_tabs(app: Services, wanted: Shown, head: Head) -> None:
    """The parts of a view, one per tab; another tab draws the tabs alone, not the whole screen."""
    st.session_state[_WHOLE] = True
    _show_tabs(app, wanted, head)


@st.fragment
def _show_tabs(app: Services, wanted: Shown, head: Head) -> None:
    # All numbers are of one moment: if somebody has worked since the whole screen was drawn, it is
    # drawn again.
    if not st.session_state.pop(_WHOLE, False):
        try:
            is_current = shown(app, wanted.campaign.name).moment == wanted.moment
        except PagetrailError as error:
            st.error(literal(error.message))
            return
        if not is_current:
            st.rerun()
    *tabs, last = st.tabs(
        [*TITLES.values(), "Quality"], key="part", on_change="rerun", bind="query-params"
    )
    if last.open:
        with last:
            show_part(quality_of(app, wanted).report)
    for tab, part in zip(tabs, TITLES, strict=True):
        if not tab.open:
            continue
        with tab:
            ready = report_of(app, wanted, part, head)
            show_part(ready)
            if not ready.tables:
                st.info(
                    "Nothing to compare yet: no task has been submitted by two people."
                    if part == "agreement"
                    else "There is nothing to show yet.",
                    icon=":material/inbox:",
                )


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
            show_titled_table(report, tables[0])
    else:
        with st.container(horizontal=True):  # below each other in a narrow window
            for chart in charts:
                with st.container(width=_CHART_PX):
                    show_chart(report, chart)
        if tables:
            show_titled_table(report, tables[0])
    for ready in tables[1:]:
        about = f"{ready.table.title}: {ready.table.question}"
        more = st.expander(literal(about), key=f"open-{ready.table.key}", on_change="rerun")
        if more.open:
            with more:
                show_titled_table(report, ready)
