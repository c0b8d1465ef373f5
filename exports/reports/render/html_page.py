"""A report as one HTML file without scripts or external resources; all texts are escaped."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from pagetrail.exports.reports.charts.drawing import inline_svg
from pagetrail.exports.reports.charts.style import clean
from pagetrail.exports.reports.model import Chart, Report, Table
from pagetrail.exports.reports.render.formatting import (
    READING,
    definitions,
    heading,
    label,
    plain_value,
    rows_shown,
)
from pagetrail.exports.writing.left_out import left_out_words

TEMPLATE = "report.html.j2"
STYLE = "report.css"
PORTRAIT_COLUMNS = 9
"""Maximum number of columns printed on a portrait page."""


def html_text(report: Report) -> str:
    """The report as a document that can be read, printed, and sent as a single file."""
    resources = files("pagetrail.exports.reports.render")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(resources.joinpath(TEMPLATE).read_text(encoding="utf-8"))
    return template.render(
        # The style sheet is ours and contains no data.
        style=Markup(resources.joinpath(STYLE).read_text(encoding="utf-8")),  # noqa: S704
        title=clean(report.title),
        campaign=clean(report.campaign),
        protocol=clean(report.protocol),
        identified=report.identified,
        facts=[(label(name), f"{n:,}") for name, n in report.facts.items()],
        choices=[(label(name), plain_value(value)) for name, value in report.choices.items()],
        sections=list(_sections(report)),
        left_out=[left_out_words(entry) for entry in report.left_out],
        definitions=definitions(report),
        reading=READING,
        version=version("pagetrail"),
    )


def _sections(report: Report) -> Iterator[dict[str, Any]]:
    tables = charts = 0
    for number, section in enumerate(report.sections, start=1):
        parts = []
        for part in section.parts:
            if isinstance(part, Chart):
                charts += 1
                parts.append(_chart(part, charts))
            else:
                tables += 1
                parts.append(_html_table(part, tables))
        yield {
            "id": f"section-{number}",
            "title": clean(section.title),
            "notes": [clean(note) for note in section.notes],
            "parts": parts,
        }


def _chart(chart: Chart, number: int) -> dict[str, Any]:
    return {
        "type": "chart",
        "id": f"figure-{number}",
        "label": f"Figure {number}",
        "title": clean(chart.title),
        "caption": clean(chart.caption),
        # Drawn by us and parsed as XML, so data in it is escaped.
        "svg": Markup(inline_svg(chart)),  # noqa: S704
    }


def _html_table(table: Table, number: int) -> dict[str, Any]:
    rows, notes = rows_shown(table)
    return {
        "type": "table",
        "id": f"table-{number}",
        "label": f"Table {number}",
        "wide": len(table.columns) > PORTRAIT_COLUMNS,
        "title": clean(table.title),
        "question": clean(table.question) if table.question not in ("", table.title) else "",
        "columns": [(heading(column), column.kind == "text") for column in table.columns],
        "rows": [
            {"kind": row.kind, "cells": cells} for row, cells in zip(table.rows, rows, strict=True)
        ],
        "footnotes": notes,
        "notes": [clean(note) for note in table.notes],
    }
