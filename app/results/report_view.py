"""Shows a report: facts, tables and charts in order, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pagetrail.annotation.messages import gettext, translate, translate_message
from pagetrail.annotation.sentences import join_first
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_downloads import report_buttons
from pagetrail.app.ui.report_tables import show_notes, show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport, PreparedTable
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.reports.model import Chart, Report, Section, Value
from pagetrail.exports.reports.render.formatting import READING, plain_value
from pagetrail.exports.writing.left_out import left_out_words

_ROWS_NAMED = 20
"""Rows of an uploaded file that a line names."""


def show_report(prepared: PreparedReport, *, intervals: bool) -> None:
    """Show the report below the options."""
    report = prepared.report
    left, right = st.columns([7, 3], vertical_alignment="center")
    with left:
        facts = (
            f"{literal(_capitalise(translate(label)))} **{format_number(number)}**"
            for label, number in report.facts.items()
            if number
        )
        st.caption(" · ".join(facts) or gettext("Nothing was measured."))
    with right:
        report_buttons(report)
    _sections(report, prepared.tables if intervals else prepared.without_intervals)
    st.header(gettext("Left out"), anchor=False)
    lines = [f"* {literal(_left_out_line(entry))}" for entry in report.left_out]
    st.markdown("\n".join(lines) or gettext("Nothing was left out."))
    with st.expander(gettext("How the results were computed")):
        choices = [
            f"* {literal(translate(name).replace('_', ' '))}: {literal(_choice_words(value))}"
            for name, value in [*report.facts.items(), *report.choices.items()]
        ]
        st.markdown("\n".join([*choices, *(f"* {literal(translate(line))}" for line in READING)]))


def _left_out_line(entry: LeftOut) -> str:
    """How many were left out and why; of a file's vectors, which rows."""
    words = translate(left_out_words(entry))
    if entry.what != "vector":
        return words
    rows = join_first(entry.ids, _ROWS_NAMED)
    return gettext("{left_out} (rows: {rows})", left_out=words, rows=rows)


def _choice_words(value: Value | Sequence[Value]) -> str:
    return str(translate_message(plain_value(value)))


def _capitalise(label: str) -> str:
    return label[:1].upper() + label[1:]


def _sections(report: Report, tables: Sequence[PreparedTable]) -> None:
    """One tab per section; only the open one is drawn, since a hidden chart has no size."""
    if not report.sections:
        return
    titles = [literal(translate(section.title)) for section in report.sections]
    tabs = st.tabs(titles, key=f"sections-{report.kind}", on_change="rerun")
    for tab, section in zip(tabs, report.sections, strict=True):
        if tab.open:
            with tab:
                _section(report, section, {prepared.table.key: prepared for prepared in tables})


def _section(report: Report, section: Section, tables: Mapping[str, PreparedTable]) -> None:
    """Show tables and charts in order; a chart goes next to the preceding table if it fits."""
    table: PreparedTable | None = None
    charts: list[Chart] = []
    for part in section.parts:
        if isinstance(part, Chart):
            charts.append(part)
            continue
        _table_with_charts(report, table, charts)
        table, charts = tables[part.key], []
    _table_with_charts(report, table, charts)
    show_notes(section.notes)


def _table_with_charts(
    report: Report, table: PreparedTable | None, charts: Sequence[Chart]
) -> None:
    if table is not None and charts and table.is_narrow:
        left, right = st.columns([7, 6], gap="small")
        with left:
            show_titled_table(report, table, mark_summaries=True)
        with right:
            for chart in charts:
                show_chart(report, chart)
        return
    if table is not None:
        show_titled_table(report, table, mark_summaries=True)
    _charts(report, charts)


def _charts(report: Report, charts: Sequence[Chart]) -> None:
    """Show charts in pairs: each is readable at half the width of a laptop's screen."""
    for start in range(0, len(charts), 2):
        for column, chart in zip(
            st.columns(2, gap="medium"), charts[start : start + 2], strict=False
        ):
            with column:
                show_chart(report, chart)
