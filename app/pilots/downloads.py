"""Downloads of a pilot's tables and charts, made when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.report_charts import draw_chart
from pagetrail.app.ui.report_tables import show_table
from pagetrail.exports.reports.charts.drawing import png, svg
from pagetrail.exports.reports.model import Chart, Table
from pagetrail.exports.reports.render.csv_text import csv_text

MOST_ROWS, MOST_PX = 18, 470


def table_with_download(campaign: str, table: Table) -> None:
    """A table under its title and question, with its CSV."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.subheader(literal(table.title), anchor=False)
            st.caption(literal(table.question))
        _button(campaign, f"{table.key}.csv", "CSV", "text/csv", partial(csv_text, table))
    show_table(table)


def chart_with_downloads(campaign: str, chart: Chart, rows: int) -> None:
    """A chart with its caption, and with its picture as files; one of many rows scrolls.

    Args:
        rows: lines of the chart, about 22 px each.
    """
    with st.container(height=MOST_PX if rows > MOST_ROWS else "content"):
        draw_chart(chart)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(literal(chart.caption), width="stretch")
        _button(campaign, f"{chart.key}.svg", "SVG", "image/svg+xml", partial(svg, chart))
        _button(campaign, f"{chart.key}.png", "PNG", "image/png", partial(png, chart))


def _button(
    campaign: str, name: str, label: str, mime: str, make: Callable[[], str | bytes]
) -> None:
    pilot = re.sub(r"[^\w]+", "-", campaign).strip("-")[:60] or "pilot"
    st.download_button(
        label,
        make,
        file_name=f"{pilot}-{name}",
        mime=mime,
        key=f"download-{name}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )
