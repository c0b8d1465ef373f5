"""Charts and tables of the dashboard, with their downloads."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, translate
from pagetrail.app.progress.data import (
    campaign_view,
    part_report,
    quality_report,
    questions_by_type,
    rounds_report,
)
from pagetrail.app.progress.report_computation import CampaignSummary, DashboardView
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import lazy_expander
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.progress.report import TITLES

_FULL_RUN = "progress-drawn-whole"
_CHART_PX = 632
"""Wide enough for long names; two charts fit side by side on a small laptop."""


def show_tabs(app: Services, view: DashboardView, head: CampaignSummary) -> None:
    """One tab per part of the view; switching tabs redraws the tabs only."""
    st.session_state[_FULL_RUN] = True
    _show_tabs(app, view, head)


@st.fragment
def _show_tabs(app: Services, view: DashboardView, head: CampaignSummary) -> None:
    # All numbers describe one state: if it has changed, the whole screen runs again.
    if not st.session_state.pop(_FULL_RUN, False):
        try:
            is_current = campaign_view(app, view.campaign.name).moment == view.moment
        except PagetrailError as error:
            st.error(literal(error.message))
            return
        if not is_current:
            st.rerun()
    protocol = view.campaign.protocol
    special_tabs = {}
    if protocol.transcript.enabled or protocol.tables.enabled:
        special_tabs[gettext("Rounds")] = _show_rounds
    if protocol.question.draw:
        special_tabs[gettext("Questions")] = _show_questions
    *tabs, quality_tab = st.tabs(
        [*special_tabs, *map(gettext, TITLES.values()), gettext("Quality")],
        key="part",
        on_change="rerun",
        bind="query-params",
    )
    if quality_tab.open:
        with quality_tab:
            show_part(quality_report(app, view).report)
    for tab, show in zip(tabs, special_tabs.values(), strict=False):
        if tab.open:
            with tab:
                show(app, view)
    for tab, part in zip(tabs[len(special_tabs) :], TITLES, strict=True):
        if not tab.open:
            continue
        with tab:
            prepared = part_report(app, view, part, head)
            show_part(prepared)
            if not prepared.tables:
                st.info(
                    gettext("Nothing to compare yet: no task has been submitted by two people.")
                    if part == "agreement"
                    else gettext("There is nothing to show yet."),
                    icon=":material/inbox:",
                )


def _show_questions(app: Services, view: DashboardView) -> None:
    """Questions asked for and written, by type and format."""
    show_part(questions_by_type(app, view))


def _show_rounds(app: Services, view: DashboardView) -> None:
    """What has to be done next, then tasks by round and state, and the work of each round."""
    prepared = rounds_report(app, view)
    for section in prepared.report.sections:
        for note in section.notes:
            st.info(literal(translate(note)), icon=":material/sync:")
    show_part(prepared)


def show_part(part: PreparedReport) -> None:
    """Show charts side by side, then their tables; a narrow table goes next to its chart.

    Tables after the first are folded, and drawn once they are opened.
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
        with st.container(horizontal=True):  # stacked in a narrow window
            for chart in charts:
                with st.container(width=_CHART_PX):
                    show_chart(report, chart)
        if tables:
            show_titled_table(report, tables[0])
    for table in tables[1:]:
        title = f"{translate(table.table.title)}: {translate(table.table.question)}"
        with lazy_expander(literal(title), f"open-{table.table.key}") as is_open:
            if is_open:
                show_titled_table(report, table)
