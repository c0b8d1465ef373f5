"""Charts and tables of the dashboard: a chart beside its table, each with its downloads."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import streamlit as st

from app.literal import literal
from app.results_downloads import chart_buttons, table_buttons
from app.results_tables import is_narrow, show_table
from exports.reports.model import Chart, Report, Table


def show_parts(report: Report, parts: Sequence[Table | Chart]) -> None:
    """Charts beside each other, then their tables; a narrow table stands beside its chart."""
    charts = [part for part in parts if isinstance(part, Chart)]
    tables = [part for part in parts if isinstance(part, Table)]
    if len(charts) == 1 and tables and is_narrow(tables[0]):
        left, right = st.columns([6, 7], gap="medium")
        with left:
            _chart(report, charts[0])
        with right:
            _table(report, tables[0])
        charts, tables = [], tables[1:]
    elif charts:
        for column, chart in zip(st.columns(max(2, len(charts))), charts, strict=False):
            with column:
                _chart(report, chart)
    for table in tables:
        _table(report, table)


def _chart(report: Report, chart: Chart) -> None:
    # Its own paper, ink and size: what is seen is what is downloaded, in a dark browser too.
    # Streamlit changes what it is given, and the section is everybody's.
    st.vega_lite_chart(
        spec={**deepcopy(dict(chart.spec)), "autosize": "pad"},
        theme=None,
        width="content",
        key=f"chart-{chart.key}",
        alt=chart.caption,
    )
    st.caption(literal(chart.caption))
    with st.container(horizontal=True, gap="small"):
        chart_buttons(report, chart)


def _table(report: Report, table: Table) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.subheader(literal(table.title), anchor=False)
            st.caption(literal(table.question))
        table_buttons(report, table)
    show_table(table)
