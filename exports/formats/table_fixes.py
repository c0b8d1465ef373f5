"""Tables with what annotators want fixed, for a model whose answers ``import-tables`` reads.

``table_fixes`` has one task per row: its tables as HTML as they are now, and every flag with the
text of its cell and what the annotator wrote. Tasks without a flag are not written: nothing is
asked of a model. ``tables`` has the tables of all opened tasks as HTML and as records; with
adjudicated gold, those of the gold.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.table_state import Table
from pagetrail.annotation.tables.cells import CellFlag, TableCell
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.gold.adjudicated_gold import decided_works
from pagetrail.exports.reading.attempts import leave_out_never_opened
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

FILE = "table_fixes.jsonl"
TABLES_FILE = "tables.jsonl"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the fix requests of submitted tasks, and the tables of all opened ones."""
    tally = WrittenFiles(counts={"tasks": 0, "flags": 0, "tables": 0})
    with JsonLines(folder / FILE) as fix_lines, JsonLines(folder / TABLES_FILE) as table_lines:
        for head, name, state in _states(source, tally):
            if not state.tables.tables:
                what = ("task", head.task) if source.adjudicated else ("attempt", head.id)
                tally.leave_out(what[0], "no_tables", what[1])
                continue
            key = {
                "task": head.task,
                "annotator": name,
                "round": state.tables.round,
                "state": round_stage(state),
            }
            for table in state.tables.tables:
                table_lines.write(key | table_row(table))
                tally.count("tables")
            if round_stage(state) == "waiting" and state.tables.n_flags:
                fix_lines.write(key | fix_row(state))
                tally.count("tasks")
                tally.count("flags", state.tables.n_flags)
        tally.rows |= {FILE: fix_lines.rows, TABLES_FILE: table_lines.rows}
    return tally


FORMAT = Format(
    name="table-fixes",
    summary="flagged tables with what to fix, and all tables as HTML and records",
    purpose="requests for a model that fixes tables (`import-tables`), and the verified tables",
    applies_to="table verification",
    write=write,
    gold=BOXES_FROM_GOLD,
    has_submissions=False,
)


def _states(source: Source, tally: WrittenFiles) -> Iterator[tuple[AttemptHead, str, AttemptState]]:
    """Head, annotator and state of every opened attempt, or of the gold."""
    if source.adjudicated:
        for work in decided_works(source, tally):
            yield work.head, work.name, work.state
        return
    leave_out_never_opened(source, tally)
    for attempt in source.attempts():
        if attempt.head.role == SYSTEM:
            tally.leave_out("attempt", "of_a_system", attempt.head.id)
            continue
        yield attempt.head, source.name(attempt.head.user), fold(attempt.events)


def fix_row(state: AttemptState) -> dict[str, Any]:
    """What a model needs to fix the tables of a task."""
    tables = state.tables
    return {
        "tables_sha256": tables.sha256,
        "tables": [
            {
                "id": table.id,
                "document": table.document,
                "page": table.page,
                "html": table.grid.to_html(),
                "requests": [_request(cell, flag) for cell, flag in table.flags()],
            }
            for table in tables.tables
        ],
        "note": state.note,
    }


def _request(cell: TableCell | None, flag: CellFlag) -> dict[str, Any]:
    place: dict[str, Any] = {"row": None, "column": None, "text": None}
    if cell is not None:
        place = {"row": cell.row, "column": cell.column, "text": cell.text}
    return {**place, "kind": flag.kind, "note": flag.note}


def table_row(table: Table) -> dict[str, Any]:
    """A table as it is now."""
    grid = table.grid
    return {
        "document": table.document,
        "page": table.page,
        "table": table.id,
        "rows": table.n_rows,
        "columns": table.n_columns,
        "html": grid.to_html(),
        "records": grid.records(),
        "flags": [_request(cell, flag) for cell, flag in table.flags()],
        "corrected_cells": sum(cell.added or cell.model_text is not None for cell in table.cells),
        "unconfirmed_changes": table.n_unconfirmed,
    }
