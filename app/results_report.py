"""A report on the screen: what it rests on, its tables and charts in order, what was left out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.literal import literal
from app.results_downloads import chart_buttons, report_buttons, table_buttons
from app.results_tables import show_table
from exports.reports.figures import READING, plain_value
from exports.reports.model import Chart, Report, Section, Table
from exports.reports.reasons import left_out_words

_MOST_FACTS = 6
"""Numbers above the tables; all of them stand at the end."""


def show_report(report: Report) -> None:
    """Draw everything below the choices."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for label, number in list(report.facts.items())[:_MOST_FACTS]:
            st.metric(
                literal(label[:1].upper() + label[1:]), f"{number:,}", border=True, width="content"
            )
        report_buttons(report)
    if report.sections:
        titles = [literal(section.title) for section in report.sections]
        for tab, section in zip(st.tabs(titles), report.sections, strict=True):
            with tab:
                _section(report, section)
    st.subheader("What is in no figure, and why?")
    lines = [f"* {literal(left_out_words(entry))}" for entry in report.left_out]
    st.markdown("\n".join(lines) or "Nothing was left out.")
    with st.expander("How the figures were made"):
        choices = [
            f"* {literal(name.replace('_', ' '))}: {literal(plain_value(value))}"
            for name, value in [*report.facts.items(), *report.choices.items()]
        ]
        st.markdown("\n".join([*choices, *(f"* {literal(line)}" for line in READING)]))


def _section(report: Report, section: Section) -> None:
    for note in section.notes:
        st.caption(literal(note))
    charts: list[Chart] = []
    for part in section.parts:
        if isinstance(part, Chart):
            charts.append(part)
            continue
        _charts(report, charts)
        charts = []
        _table(report, part)
    _charts(report, charts)


def _table(report: Report, table: Table) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(f"**{literal(table.title)}** :gray[{literal(table.question)}]", width="stretch")
        table_buttons(report, table)
    show_table(table)


def _charts(report: Report, charts: Sequence[Chart]) -> None:
    """Two beside each other: each is readable at half the width of a laptop's screen."""
    for place in range(0, len(charts), 2):
        for column, chart in zip(
            st.columns(2, gap="medium"), charts[place : place + 2], strict=False
        ):
            with column:
                _chart(report, chart)


def _chart(report: Report, chart: Chart) -> None:
    # Its own paper and ink: what is seen is what is downloaded, in a dark browser too.
    st.vega_lite_chart(
        spec=dict(chart.spec),
        theme=None,
        width="content",
        key=f"chart-{chart.key}",
        alt=chart.caption,
    )
    st.caption(literal(chart.caption))
    with st.container(horizontal=True, gap="small"):
        chart_buttons(report, chart)
