"""A report as a folder of files: complete or not at all, and the same report gives the same bytes.

``report.html`` to read, ``report.json`` with everything, ``tables/`` as CSV and LaTeX, ``charts/``
as SVG, PNG and PDF, and a ``manifest.json`` by which a later run knows that it may replace the
folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import OutputError
from pagetrail.exports.reading.source import Progress
from pagetrail.exports.reports.charts.drawing import pdf, png, svg
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.html_page import html_text
from pagetrail.exports.reports.render.json_text import SCHEMA, json_text, report_json
from pagetrail.exports.reports.render.latex_table import latex_text
from pagetrail.exports.writing.manifest import FILE, file_entry, product, save_manifest
from pagetrail.exports.writing.output_folder import new_folder

__all__ = ["files_of", "png", "svg", "write_report"]

_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def write_report(
    report: Report, out: Path, *, overwrite: bool = False, progress: Progress | None = None
) -> list[Path]:
    """Write the report's files to the folder ``out``; returns them, the one to read first.

    The folder is written next to ``out`` and then renamed: it appears complete or not at all.

    Args:
        overwrite: replace an earlier export; any other folder with files in it is left alone.
        progress: told how many files are written.

    Raises:
        ConflictError: ``out`` is in use.
        OutputError: the files cannot be written.
        ValueError: keys of tables or charts that are no file names, or are not unique.
    """
    names = files_of(report)
    try:
        with new_folder(out, overwrite=overwrite) as folder:
            for number, (name, content) in enumerate(_contents(report), start=1):
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
                if progress is not None:
                    progress(number, len(names))
            _save_manifest(report, folder, names)
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error}") from error
    return [out / name for name in (*names, FILE)]


def files_of(report: Report) -> list[str]:
    """Names of the files, relative to the folder and without the manifest."""
    tables = [table.key for table in report.tables]
    charts = [chart.key for chart in report.charts]
    for keys in (tables, charts):
        for key in keys:
            if not _KEY.fullmatch(key) or keys.count(key) > 1:
                raise ValueError(f"the key {key!r} is not fit to name a file of its own")
    return [
        "report.html",
        "report.json",
        *(f"tables/{key}.{kind}" for key in tables for kind in ("csv", "tex")),
        *(f"charts/{key}.{kind}" for key in charts for kind in ("svg", "png", "pdf")),
    ]


def _contents(report: Report) -> Iterator[tuple[str, bytes]]:
    """(name, content) in the order of ``files_of``, each made on demand."""
    yield "report.html", html_text(report).encode()
    yield "report.json", json_text(report).encode()
    for table in report.tables:
        yield f"tables/{table.key}.csv", csv_text(table).encode()
        yield f"tables/{table.key}.tex", latex_text(table).encode()
    for chart in report.charts:
        yield f"charts/{chart.key}.svg", svg(chart).encode()
        yield f"charts/{chart.key}.png", png(chart)
        yield f"charts/{chart.key}.pdf", pdf(chart)


def _save_manifest(report: Report, folder: Path, names: list[str]) -> None:
    manifest: dict[str, Any] = {
        "product": product(),
        "schema": SCHEMA,
        "format": report.kind,
        "identified": report.identified,
        "campaign": {"name": report.campaign, "protocol": report.protocol},
        "choices": report_json(report)["choices"],
        "counts": dict(report.facts),
        "left_out": [asdict(entry) for entry in report.left_out],
        "files": [file_entry(folder, name) for name in sorted(names)],
    }
    save_manifest(manifest, folder)
