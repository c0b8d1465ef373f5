"""Writes a paper's tables and figures to a folder, complete or not at all, with stable bytes.

``tables/`` has each table as CSV and LaTeX, ``figures/`` each figure as PDF, SVG and PNG with its
data as CSV. ``README.txt`` and ``manifest.json`` define every number.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import OutputError
from pagetrail.exports.papers.model import Figure, Paper
from pagetrail.exports.reading.source import Progress
from pagetrail.exports.reports.charts.drawing import print_files
from pagetrail.exports.reports.charts.style import clean
from pagetrail.exports.reports.model import Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.formatting import heading, plain_value
from pagetrail.exports.reports.render.latex_table import latex_text
from pagetrail.exports.writing.left_out import counted_words, left_out_words
from pagetrail.exports.writing.manifest import FILE, file_entry, product, save_manifest
from pagetrail.exports.writing.output_folder import new_folder

README = "README.txt"
LONGEST_LATEX = 60
"""Rows up to which a table fits a page; longer ones are CSV only."""

_SCHEMA = "pagetrail.paper/1"


def write_paper(
    paper: Paper, out: Path, *, overwrite: bool = False, progress: Progress | None = None
) -> list[Path]:
    """Write the files to the folder ``out``; returns them, the one to read first.

    Args:
        overwrite: replace an earlier export; any other folder with files in it is left alone.
        progress: told how many tables and figures are written.

    Raises:
        ConflictError: ``out`` is in use.
        OutputError: the files cannot be written.
    """
    names = [README]
    try:
        with new_folder(out, overwrite=overwrite) as folder:
            (folder / README).write_text(_readme(paper), encoding="utf-8", newline="\n")
            for n_done, part in enumerate(paper.parts, start=1):
                for name, content in _files(part):
                    path = folder / name
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(content)
                    names.append(name)
                if progress is not None:
                    progress(n_done, len(paper.parts))
            _save_manifest(paper, folder, names)
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error}") from error
    return [out / name for name in (*names, FILE)]


def _files(part: Table | Figure) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of a part."""
    if isinstance(part, Figure):
        key = part.data.key
        for kind, content in print_files(part.chart).items():
            yield f"figures/{key}.{kind}", content
        yield f"figures/{key}.csv", csv_text(part.data).encode()
    else:
        yield f"tables/{part.key}.csv", csv_text(part).encode()
        if len(part.rows) <= LONGEST_LATEX:
            yield f"tables/{part.key}.tex", latex_text(part).encode()


def _names(part: Table | Figure) -> list[str]:
    if isinstance(part, Figure):
        return [f"figures/{part.data.key}.{kind}" for kind in ("pdf", "svg", "png", "csv")]
    latex = [f"tables/{part.key}.tex"] if len(part.rows) <= LONGEST_LATEX else []
    return [f"tables/{part.key}.csv", *latex]


def _readme(paper: Paper) -> str:
    lines = [paper.title, "=" * len(paper.title), ""]
    lines += [*_wrapped(f"After {paper.source}."), ""]
    lines += ["Campaigns", "---------"]
    for campaign in paper.campaigns:
        lines.append(f"{clean(campaign.name)} (protocol {clean(campaign.protocol)})")
        lines += [f"  {label}: {count:,}" for label, count in campaign.facts.items()]
        lines += [f"  Left out: {left_out_words(entry)}" for entry in campaign.left_out]
        lines += [
            f"  Reason for excluding {counted_words('task', n)}: {clean(reason)}"
            for reason, n in campaign.excluded.items()
        ]
    lines += ["", "Choices", "-------"]
    lines += [f"{label}: {plain_value(value)}" for label, value in paper.choices.items()]
    lines += ["", "Reading the CSV files", "---------------------"]
    lines += _wrapped(
        "Where applicable, a column comes with _low and _high (limits of the 95 % interval), "
        "_se (standard error), _n and _tasks (numbers of units and tasks), _excluded (what was "
        "left out and why), _reason (why a value is undefined; the cell is then empty) and _flag "
        "(caveats). Shares range from 0 to 1."
    )
    for part in paper.parts:
        lines += ["", *_description_lines(part)]
    lines += ["", "Not given", "---------"]
    for gap in paper.not_given:
        lines += _wrapped(f"{gap.what}: {gap.reason}.")
    return "\n".join(lines) + "\n"


def _description_lines(part: Table | Figure) -> list[str]:
    table = part.data if isinstance(part, Figure) else part
    lines = [table.title, "-" * len(table.title)]
    lines += [f"  {name}" for name in _names(part)]
    lines += _wrapped(table.question)
    for column in table.columns:
        if column.help:
            lines += _wrapped(f"{column.key} ({heading(column)}): {column.help}", "  ")
    for note in table.notes:
        lines += _wrapped(clean(note))
    return lines


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=indent, subsequent_indent=indent + "  ")


def _save_manifest(paper: Paper, folder: Path, names: list[str]) -> None:
    manifest: dict[str, Any] = {
        "product": product(),
        "schema": _SCHEMA,
        "format": f"paper-{paper.name}",
        "source": paper.source,
        "identified": paper.identified,
        "campaigns": [asdict(campaign) for campaign in paper.campaigns],
        "choices": {
            name: value if isinstance(value, str | int | float | None) else list(value)
            for name, value in paper.choices.items()
        },
        "parts": [_part_entry(part) for part in paper.parts],
        "not_given": [asdict(gap) for gap in paper.not_given],
        "files": [file_entry(folder, name) for name in sorted(names)],
    }
    save_manifest(manifest, folder)


def _part_entry(part: Table | Figure) -> dict[str, Any]:
    table = part.data if isinstance(part, Figure) else part
    return {
        "key": table.key,
        "kind": "figure" if isinstance(part, Figure) else "table",
        "title": table.title,
        "question": table.question,
        "rows": len(table.rows),
        "files": _names(part),
        "columns": [asdict(column) for column in table.columns],
        "notes": list(table.notes),
    }
