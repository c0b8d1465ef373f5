"""Downloads of a report: the whole of it, its tables and its charts, made when they are asked for.

They have the bytes that ``pagetrail agreement`` and ``pagetrail metrics`` write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from pagetrail.app.services.composition import services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.model import Chart, Report, Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.latex_table import latex_text

# By name: the server does not need what draws charts.
_WRITE = "pagetrail.app.ui.report_files:write"


def report_buttons(report: Report) -> None:
    """The whole report."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        for form, mime in (("html", "text/html"), ("json", "application/json")):
            made = partial(_in_a_worker, form, report)
            _button(report, f"Report ({form.upper()})", f"report.{form}", mime, made)


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
    for ending, mime in (
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("pdf", "application/pdf"),
    ):
        help_ = f"{chart.title}, as {ending.upper()}"
        made = partial(_in_a_worker, ending, chart)
        _button(report, ending.upper(), f"{name}.{ending}", mime, made, help_=help_)


def file_name(report: Report, name: str) -> str:
    """The campaign in letters, digits and hyphens, and what is in the file."""
    campaign = re.sub(r"[^\w]+", "-", report.campaign).strip("-")[:60] or "campaign"
    return f"{campaign}-{report.kind}-{name}"


def _in_a_worker(form: str, part: Report | Chart) -> str | bytes:
    """A file (``app.ui.report_files``); drawing the charts in it would hold up the server."""
    file: str | bytes = services().computations.compute(_WRITE, form, part)
    return file


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
