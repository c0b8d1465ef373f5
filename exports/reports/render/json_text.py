"""A report as JSON: all its content, in order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pagetrail.exports.reports.model import Cell, Chart, Report, Section, Table
from pagetrail.exports.reports.render.formatting import basis_words

SCHEMA = "pagetrail.report/1"
"""Changes if readers of the older form would fail."""


def report_json(report: Report) -> dict[str, Any]:
    """Plain JSON values.

    A part of a section has ``type`` ``table`` or ``chart``. Cells with nothing to say are left out;
    so is what is None of the others, except ``value``: an undefined one has ``"value": null`` and
    its ``reason``.
    """
    return {
        "schema": SCHEMA,
        "kind": report.kind,
        "title": report.title,
        "campaign": report.campaign,
        "protocol": report.protocol,
        "identified": report.identified,
        "facts": dict(report.facts),
        "choices": {name: _plain(value) for name, value in report.choices.items()},
        "sections": [_section(section) for section in report.sections],
        "left_out": [asdict(entry) for entry in report.left_out],
    }


def json_text(report: Report) -> str:
    """The report as JSON text in ASCII."""
    text = json.dumps(report_json(report), indent=1, ensure_ascii=True, allow_nan=False)
    return text + "\n"


def _section(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "notes": list(section.notes),
        "parts": [_chart(p) if isinstance(p, Chart) else _json_table(p) for p in section.parts],
    }


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "type": "chart",
        "key": chart.key,
        "title": chart.title,
        "caption": chart.caption,
        "spec": _plain(chart.spec),
    }


def _json_table(table: Table) -> dict[str, Any]:
    return {
        "type": "table",
        "key": table.key,
        "title": table.title,
        "question": table.question,
        "columns": [asdict(column) for column in table.columns],
        "rows": [
            {
                "kind": row.kind,
                "cells": {
                    key: _cell(cell, basis_words(table, row, cell))
                    for key, cell in row.cells.items()
                    if cell != Cell()
                },
            }
            for row in table.rows
        ],
        "notes": list(table.notes),
    }


def _cell(cell: Cell, basis: str) -> dict[str, Any]:
    values = {**asdict(cell), "basis": basis or None}
    return {name: value for name, value in values.items() if name == "value" or value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
