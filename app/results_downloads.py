"""Downloads of a report: the whole of it, its tables and its charts, made when they are asked for.

They have the bytes that ``pagetrail agreement`` and ``pagetrail metrics`` write.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from exports.reports.csv_form import csv_text
from exports.reports.drawing import png, svg
from exports.reports.html_form import html_text
from exports.reports.json_form import json_text
from exports.reports.latex_form import latex_text
from exports.reports.model import Chart, Report, Table


def report_buttons(report: Report) -> None:
    """The whole report."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        _button(
            report, "Report (HTML)", "report.html", "text/html", lambda: html_text(report), "all"
        )
        _button(
            report,
            "Report (JSON)",
            "report.json",
            "application/json",
            lambda: json_text(report),
            "all",
        )


def table_buttons(report: Report, table: Table) -> None:
    """One table."""
    name = table.key
    _button(report, "CSV", f"{name}.csv", "text/csv", lambda: csv_text(table))
    _button(report, "LaTeX", f"{name}.tex", "application/x-tex", lambda: latex_text(table))


def chart_buttons(report: Report, chart: Chart) -> None:
    """One chart."""
    name = chart.key
    _button(report, "SVG", f"{name}.svg", "image/svg+xml", lambda: svg(chart))
    _button(report, "PNG", f"{name}.png", "image/png", lambda: png(chart))


def file_name(report: Report, name: str) -> str:
    """The campaign in letters, digits and hyphens, and what is in the file."""
    campaign = re.sub(r"[^\w]+", "-", report.campaign).strip("-")[:60] or "campaign"
    return f"{campaign}-{report.kind}-{name}"


def _button(
    report: Report,
    label: str,
    name: str,
    mime: str,
    make: Callable[[], str | bytes],
    look: str = "part",
) -> None:
    st.download_button(
        label,
        make,
        file_name=file_name(report, name),
        mime=mime,
        key=f"download-{name}",
        on_click="ignore",
        type="secondary" if look == "all" else "tertiary",
        icon=":material/download:",
    )
