"""Downloads of a report, its tables and its charts, generated on request.

They are identical to what ``pagetrail agreement`` and ``pagetrail metrics`` write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import streamlit as st

from pagetrail.annotation.messages import gettext, translate
from pagetrail.app.services.composition import services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.model import Chart, Report, Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.latex_table import latex_text

# By name, so that the server does not import what draws charts.
_WRITE = "pagetrail.app.ui.report_files:write_file"


def report_buttons(report: Report) -> None:
    """Buttons for the whole report."""
    with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        for form, mime in (("html", "text/html"), ("json", "application/json")):
            make_file = partial(_write_in_worker, form, report)
            _button(
                report,
                gettext("Report ({format})", format=form.upper()),
                f"report.{form}",
                mime,
                make_file,
            )


def table_buttons(report: Report, table: Table) -> None:
    """Buttons for one table."""
    name = table.key
    for label, ending, mime, make in (
        ("CSV", "csv", "text/csv", csv_text),
        ("LaTeX", "tex", "application/x-tex", latex_text),
    ):
        help_ = gettext("{title}, as {format}", title=translate(table.title), format=label)
        _button(report, label, f"{name}.{ending}", mime, partial(make, table), help_=help_)


def chart_buttons(report: Report, chart: Chart) -> None:
    """Buttons for one chart."""
    name = chart.key
    for ending, mime in (
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("pdf", "application/pdf"),
    ):
        help_ = gettext("{title}, as {format}", title=translate(chart.title), format=ending.upper())
        make_file = partial(_write_in_worker, ending, chart)
        _button(report, ending.upper(), f"{name}.{ending}", mime, make_file, help_=help_)


def file_name(report: Report, name: str) -> str:
    """The campaign in letters, digits and hyphens, and the content's name."""
    campaign = re.sub(r"[^\w]+", "-", report.campaign).strip("-")[:60] or "campaign"
    return f"{campaign}-{report.kind}-{name}"


def _write_in_worker(form: str, part: Report | Chart) -> str | bytes:
    """Write the file (``app.ui.report_files``) in a worker, since drawing charts is slow."""
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
