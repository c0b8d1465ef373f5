"""Downloads of a report: the whole of it, its tables and its charts, made when they are asked for.

They have the bytes that ``pagetrail agreement`` and ``pagetrail metrics`` write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.charts.drawing import png, svg
from pagetrail.exports.reports.model import Chart, Report, Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.html_page import html_text
from pagetrail.exports.reports.render.json_text import json_text
from pagetrail.exports.reports.render.latex_table import latex_text


def report_buttons(report: Report) -> None:
    """The whole report."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        html, json = partial(html_text, report), partial(json_text, report)
        _button(report, "Report (HTML)", "report.html", "text/html", html)
        _button(report, "Report (JSON)", "report.json", "application/json", json)


def table_buttons(report: Report, table: Table) -> None:
    """One table."""
    name = table.key
    for label, ending, mime, make in (
        ("CSV", "csv", "text/csv", csv_text),
        ("LaTeX", "tex", "application/x-tex", latex_text),
    ):
        help_ = f"{table.title}, as {label}"
        _button(report, label, f"{name}.{ending}", mime, partial(make, table), help_=help_)


def chart_buttons(report: Report, chart: Chart) -> None:
    """One chart."""
    name = chart.key
    forms: list[tuple[str, Callable[[Chart], str | bytes]]] = [("svg", svg), ("png", png)]
    for ending, make in forms:
        help_ = f"{chart.title}, as {ending.upper()}"
        mime = "image/svg+xml" if ending == "svg" else "image/png"
        made = partial(make, chart)
        _button(report, ending.upper(), f"{name}.{ending}", mime, made, help_=help_)


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
    *,
    help_: str | None = None,
) -> None:
    st.download_button(
        label,
        make,
        file_name=file_name(report, name),
        mime=mime,
        key=f"download-{name}",
        on_click="ignore",
        type="secondary" if help_ is None else "tertiary",
        help=None if help_ is None else literal(help_),
        icon=":material/download:",
    )
