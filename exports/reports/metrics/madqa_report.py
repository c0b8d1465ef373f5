"""The report by MADQA's convention: what its ``evaluate.py`` prints (docs/metrics.md)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import InputFileError, MeasureError
from pagetrail.annotation.metrics.madqa_convention import (
    HOPS,
    Evaluator,
    ScoredRow,
    Scores,
    gold_task,
    scores,
)
from pagetrail.exports.formats.gold import has_gold
from pagetrail.exports.formats.madqa import result_row
from pagetrail.exports.reading.attempts import counting, leave_out_never_opened, not_withdrawn
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reports.metrics.participants import HUMANS
from pagetrail.exports.reports.model import Cell, Column, Report, Row, Section, Table
from pagetrail.storage.people.system_roles import SYSTEM

MADQA = "madqa"

_MEASURES = (
    Column("accuracy", "Accuracy", "share", "Share of rows with an ANLS* of at least 0.5."),
    Column("anls", "ANLS*", "score", "Mean over all rows."),
    Column("page_f1", "Page F1", "score", "Mean over all rows; 0 without gold evidence."),
    Column("doc_f1", "Doc F1", "score", "Mean over all rows; 0 without gold evidence."),
    Column("kuiper", "Kuiper", "number", "Over searches, else iterations, in the rows' order."),
    Column(
        "wasted_effort", "Wasted effort", "number", "Mean effort of wrong rows / of right ones."
    ),
)
_NOTES = (
    "These are the numbers of MADQA's evaluate.py. They differ from this program's own convention: "
    "each row counts once, not each task; unanswerable tasks, and tasks without gold evidence, "
    "count with a score of 0; ANLS* alone decides what is right; Kuiper depends on the order of "
    "rows of equal effort; nothing cited or answered is repaired.",
    "Attempts are read as the madqa export writes them; --results scores files as they are.",
)


def madqa_metrics(source: Source, files: Sequence[Path] = ()) -> Report:
    """The scores of people and systems, or of files of results, against the tasks' gold.

    Args:
        files: of results, one JSON object per line, scored as they are in place of attempts.

    Raises:
        InputFileError: a file cannot be read, or MADQA's evaluator would not accept a row.
    """
    written = Written()
    evaluator = Evaluator(gold_task(task.record) for task in source.tasks() if has_gold(task))
    given = (
        [(name, row) for file in files for name, row in _rows_of_file(file)]
        if files
        else list(_rows_of_attempts(source, written))
    )
    scored: dict[str, list[ScoredRow]] = {name: [] for name, _ in given}
    for number, (name, row) in enumerate(given, start=1):
        try:
            found = evaluator.row(row)
        except MeasureError as error:
            raise InputFileError(f"Row {number:,}, of {name}: {error.message}") from error
        if found is None:
            written.leave_out("row", "not_found", None)
        else:
            scored[name].append(found)
    return Report(
        kind="metrics",
        title=f"Answers and effort of {source.campaign.name}, as MADQA scores them",
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={"Rows": len(given), "Rows scored": sum(map(len, scored.values()))},
        choices={"Convention": MADQA, "Submission": None if files else source.submission},
        sections=[Section("As MADQA scores them", _tables(scored), _NOTES)],
        left_out=written.left_out,
        identified=source.identify,
    )


def _rows_of_file(file: Path) -> Iterator[tuple[str, Any]]:
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        yield file.stem, json.loads(line)
                    except (ValueError, RecursionError) as error:
                        raise InputFileError(
                            f"{file} cannot be read: line {number:,} is not JSON: {error}."
                        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{file} cannot be read: {error}.") from error


def _rows_of_attempts(source: Source, written: Written) -> Iterator[tuple[str, Any]]:
    leave_out_never_opened(source, written)
    for whole in not_withdrawn(source, written):
        attempt = counting(source, whole, written)
        state = fold(attempt.events)
        if state.status != "submitted":
            written.leave_out("attempt", f"status_{state.status}", attempt.head.id)
            continue
        name = attempt.head.user if attempt.head.role == SYSTEM else HUMANS
        yield name, result_row(attempt, state, source.campaign.protocol, name)


def _tables(scored: Mapping[str, Sequence[ScoredRow]]) -> list[Table]:
    who = Column("participant", "Participant", "text")
    n = Column("n", "Rows", "count", "Rows whose question or id is a task's.")
    by_hop = [
        _row({"participant": name, "hop": hop}, scores([row for row in rows if row.hop == hop]))
        for name, rows in scored.items()
        for hop in HOPS
    ]
    return [
        Table(
            key="madqa",
            title="Overall",
            question="What does MADQA's evaluator say?",
            columns=(who, n, *_MEASURES),
            rows=[_row({"participant": name}, scores(rows)) for name, rows in scored.items()],
        ),
        Table(
            key="madqa-by-hop",
            title="By hop type",
            question="What does MADQA's evaluator say of each hop type?",
            columns=(who, Column("hop", "Hop type", "text"), n, *_MEASURES),
            rows=by_hop,
        ),
    ]


def _row(names: Mapping[str, str], found: Scores | None) -> Row:
    cells = {name: Cell(value) for name, value in names.items()}
    if found is None:
        return Row(cells | {"n": Cell(0)} | {c.key: Cell(reason="no_rows") for c in _MEASURES})
    return Row(
        cells
        | {"n": Cell(found.n)}
        | dict(_cells(found, ("accuracy", "anls", "page_f1", "doc_f1")))
        | {
            "kuiper": _defined(found.kuiper, "no_variation"),
            "wasted_effort": _defined(found.wasted_effort, "none_correct"),
        }
    )


def _defined(value: float | None, otherwise: str) -> Cell:
    if value is None or not math.isfinite(value):
        return Cell(reason=otherwise if value is None else "infinite_effort")
    return Cell(value)


def _cells(found: Scores, names: Iterable[str]) -> Iterator[tuple[str, Cell]]:
    for name in names:
        yield name, Cell(getattr(found, name))
