"""Writes files of reports in a worker process, since drawing charts is slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pagetrail.exports.reports.charts.drawing import pdf, png, svg
from pagetrail.exports.reports.render.html_page import html_text
from pagetrail.exports.reports.render.json_text import json_text
from pagetrail.storage.database.workspace import Workspace

Form = Literal["html", "json", "svg", "png", "pdf"]
_FORMS: dict[Form, Callable[[Any], str | bytes]] = {
    "html": html_text,
    "json": json_text,
    "svg": svg,
    "png": png,
    "pdf": pdf,
}


def write_file(_workspace: Workspace, form: Form, part: Any) -> str | bytes:
    """The report (HTML, JSON) or chart (SVG, PNG, PDF) as a file.

    Raises:
        PagetrailError: it cannot be drawn.
    """
    return _FORMS[form](part)
