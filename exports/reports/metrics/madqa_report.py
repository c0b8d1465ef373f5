"""The report by MADQA's convention: what its ``evaluate.py`` prints (docs/metrics.md)."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import InputFileError, MeasureError
from pagetrail.annotation.metrics.madqa_convention import (
    HOPS,
    Evaluator,
    GoldTask,
    RowPart,
    ScoredRow,
    Scores,
    gold_task,
    scores,
)
from pagetrail.annotation.sentences import count_noun
from pagetrail.exports.formats.gold import has_gold
from pagetrail.exports.formats.madqa import imported_run, result_row
from pagetrail.exports.reading.attempts import is_guess, submitted_attempts
from pagetrail.exports.reading.source import LeftOut, Source, WrittenFiles
from pagetrail.exports.reports.metrics.campaigns import campaign_suffix
from pagetrail.exports.reports.metrics.participants import HUMANS
from pagetrail.exports.reports.model import Cell, Column, Report, RowValues, Section, Table
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptEvents

MADQA = "madqa"

_MEASURES = (
    Column("accuracy", "Accuracy", "share", "Rows with ANLS* of at least 0.5 / rows."),
    Column("anls", "ANLS*", "score", "Mean over all rows."),
    Column("page_f1", "Page F1", "score", "Mean over all rows; 0 without gold evidence."),
    Column("doc_f1", "Doc F1", "score", "Mean over all rows; 0 without gold evidence."),
    Column("kuiper", "Kuiper", "number", "Over searches, else iterations, in the order of rows."),
    Column(
        "wasted_effort",
        "Wasted effort",
        "number",
        "Mean effort of incorrect rows / mean effort of correct rows.",
    ),
)
_NOTES = (
    "Scores as MADQA's evaluate.py computes them. Unlike Pagetrail's own measures, they count each "
    "row once instead of each task, score unanswerable tasks and tasks without gold evidence 0, "
    "take an answer as correct by ANLS* alone, and let Kuiper depend on the order of rows with "
    "equal effort.",
    "Attempts are scored as the madqa export writes them. --results scores a file as it is.",
)
_PARTS_OF: dict[str, RowPart] = {
    "accuracy": "answer",
    "anls": "answer",
    "page_f1": "citations",
    "doc_f1": "citations",
    "kuiper": "effort",
    "wasted_effort": "effort",
}
"""The part of a row that each measure uses in addition to correctness."""


@dataclass(frozen=True)
class EvaluatorScores:
    """The scores that MADQA's evaluator gives.

    Attributes:
        rows, scored: numbers of rows, and of those whose question or id is a task's.
        tables: overall, and by hop type.
    """

    rows: int
    scored: int
    left_out: Sequence[LeftOut]
    tables: Sequence[Table]


@dataclass(frozen=True)
class _ResultRow:
    """A row of results.

    Attributes:
        location: where it is, as an error message names it.
        repaired: the parts that were read differently on import; None where that is not known.
    """

    participant: str
    row: Any
    location: str
    repaired: Sequence[RowPart] | None = ()


def evaluate_results(sources: Sequence[Source], files: Sequence[Path] = ()) -> EvaluatorScores:
    """The scores of people and systems, or of files of results, against the tasks' gold.

    Args:
        sources: campaigns; of several, participants are named with theirs.
        files: of results, one JSON object per line, scored as they are in place of attempts.

    Raises:
        InputFileError: a file cannot be read, or MADQA's evaluator would not accept a row.
    """
    tally = WrittenFiles()
    golds: list[list[GoldTask]] = []
    for source in sources:
        source.leave_out_excluded(tally)
        records = [task.record for task in source.tasks()]
        golds.append([gold_task(record) for record in records if has_gold(record)])
    if files:
        rows_by_gold = [(list(chain.from_iterable(golds)), _rows_of_files(files))]
    else:
        rows_by_gold = [
            (gold, _rows_of_attempts(source, tally, is_named=len(sources) > 1))
            for source, gold in zip(sources, golds, strict=True)
        ]
    n_rows = 0
    scored: dict[str, list[ScoredRow]] = {}
    repairs = _Repairs()
    for gold, rows in rows_by_gold:
        evaluator = Evaluator(gold)
        for row in rows:
            n_rows += 1
            scored_rows = scored.setdefault(row.participant, [])
            try:
                scored_row = evaluator.row(row.row)
            except MeasureError as error:
                raise InputFileError(f"{row.location}: {error.message}") from error
            if scored_row is None:
                tally.leave_out("row", "not_found", None)
            else:
                scored_rows.append(scored_row)
                repairs.add(row.participant, scored_row.hop, row.repaired)
    return EvaluatorScores(
        rows=n_rows,
        scored=sum(map(len, scored.values())),
        left_out=tally.left_out,
        tables=_tables(scored, repairs),
    )


def evaluator_tables(sources: Sequence[Source], files: Sequence[Path] = ()) -> list[Table] | str:
    """The tables of the scores for a paper, or why there are none; arguments as above."""
    evaluated = evaluate_results(sources, files)
    if not evaluated.rows:
        return "there are no results to score"
    notes = list(_NOTES)
    if unknown := evaluated.rows - evaluated.scored:
        notes.append(f"Left out: {count_noun(unknown, 'row')} whose question or id is no task's.")
    return [
        replace(table, title=f"{table.title}, as MADQA's evaluator scores rows", notes=notes)
        for table in evaluated.tables
    ]


def madqa_metrics(source: Source, files: Sequence[Path] = ()) -> Report:
    """The scores of a campaign as a report; arguments and errors as of ``evaluate_results``."""
    evaluated = evaluate_results([source], files)
    return Report(
        kind="metrics",
        title=f"Answers and effort of {source.campaign.name}, as MADQA scores them",
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={"Rows": evaluated.rows, "Rows scored": evaluated.scored},
        choices={"Convention": MADQA, "Submission": None if files else source.submission},
        sections=[Section("As MADQA scores them", evaluated.tables, _NOTES)],
        left_out=evaluated.left_out,
        identified=source.identify,
    )


class _Repairs:
    """Counts of rows that an import changed, by participant, hop type and part."""

    def __init__(self) -> None:
        self._rows: Counter[tuple[str, str]] = Counter()
        self._parts: Counter[tuple[str, str, str]] = Counter()
        self._unknown: Counter[tuple[str, str]] = Counter()

    def add(self, participant: str, hop: str, parts: Sequence[RowPart] | None) -> None:
        """Count a row; ``parts`` is None if its import did not compare it."""
        for key in ((participant, hop), (participant, "")):
            self._unknown[key] += parts is None
            self._rows[key] += bool(parts)
            self._parts.update((*key, part) for part in parts or ())

    def flag(self, participant: str, hop: str, measure: str) -> str | None:
        """The flag of a number computed from rows that an import changed."""
        changed = {
            part
            for part in ("answer", "citations", "effort")
            if self._parts[participant, hop, part]
        }
        rests_on = {_PARTS_OF[measure], *(("answer",) if _PARTS_OF[measure] == "effort" else ())}
        return "repaired_on_import" if changed & rests_on else None

    def cell(self, participant: str, hop: str) -> Cell:
        """The number of rows that an import changed; undefined if not compared."""
        if self._unknown[participant, hop]:
            return Cell(reason="import_not_compared")
        return Cell(self._rows[participant, hop])


def _rows_of_files(files: Sequence[Path]) -> Iterator[_ResultRow]:
    """The rows of files, each file under its name, or under its path if names collide."""
    names = Counter(file.stem for file in files)
    for file in dict.fromkeys(files):
        name = file.stem if names[file.stem] == 1 else str(file.with_suffix(""))
        yield from _rows_of_file(file, name)


def _rows_of_file(file: Path, name: str) -> Iterator[_ResultRow]:
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    try:
                        row = json.loads(line)
                    except (ValueError, RecursionError) as error:
                        raise InputFileError(
                            f"{file} cannot be read: line {number:,} is not JSON: {error}."
                        ) from error
                    yield _ResultRow(name, row, f"Line {number:,} of {file}")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{file} cannot be read: {error}.") from error


def _rows_of_attempts(
    source: Source, tally: WrittenFiles, *, is_named: bool
) -> Iterator[_ResultRow]:
    """The rows of attempts, of participants that are named with their campaign or without."""
    suffix = campaign_suffix(source.campaign.name) if is_named else ""
    for attempt, state in submitted_attempts(source, tally):
        if is_guess(attempt):
            tally.leave_out("attempt", "without_documents", attempt.head.id)
            continue
        name = attempt.head.user if attempt.head.role == SYSTEM else HUMANS
        row = result_row(attempt, state, source.campaign.protocol, name)
        location = f"Task {attempt.head.task} of {name}"
        yield _ResultRow(name + suffix, row, location, _repaired(attempt))


def _repaired(attempt: AttemptEvents) -> Sequence[RowPart] | None:
    """The parts that differ from the imported file; only MADQA results have rows to compare."""
    run = imported_run(attempt)
    if run is None or run.format != MADQA:
        return ()
    return [part for part in run.repaired if part != "none"] if run.repaired else None


def _tables(scored: Mapping[str, Sequence[ScoredRow]], repairs: _Repairs) -> list[Table]:
    participant_column = Column("participant", "Participant", "text")
    n = Column("n", "Rows", "count", "Rows whose question or id is a task's.")
    repaired = Column(
        "repaired",
        "Repaired",
        "count",
        "Rows in whose imported file MADQA's evaluator reads another answer, other citations or "
        "another effort.",
    )
    by_hop = [
        _row(
            {"participant": name, "hop": hop},
            scores([row for row in rows if row.hop == hop]),
            repairs,
        )
        for name, rows in scored.items()
        for hop in HOPS
    ]
    return [
        Table.from_rows(
            key="madqa",
            title="Overall",
            question="Which scores does MADQA's evaluator give?",
            columns=(participant_column, n, repaired, *_MEASURES),
            rows=[
                _row({"participant": name}, scores(rows), repairs) for name, rows in scored.items()
            ],
        ),
        Table.from_rows(
            key="madqa-by-hop",
            title="By hop type",
            question="Which scores does MADQA's evaluator give by hop type?",
            columns=(
                participant_column,
                Column("hop", "Hop type", "text"),
                n,
                repaired,
                *_MEASURES,
            ),
            rows=by_hop,
        ),
    ]


def _row(names: Mapping[str, str], means: Scores | None, repairs: _Repairs) -> RowValues:
    if means is None:
        return {**names, "n": 0, **{c.key: Cell(reason="no_rows") for c in _MEASURES}}
    participant, hop = names["participant"], names.get("hop", "")
    measures = {
        **{key: Cell(getattr(means, key)) for key in ("accuracy", "anls", "page_f1", "doc_f1")},
        "kuiper": _defined(means.kuiper, "no_variation"),
        "wasted_effort": _defined(means.wasted_effort, "none_correct"),
    }
    return {
        **names,
        "n": means.n,
        "repaired": repairs.cell(participant, hop),
        **{
            key: replace(cell, flag=repairs.flag(participant, hop, key))
            for key, cell in measures.items()
        },
    }


def _defined(value: float | None, otherwise: str) -> Cell:
    if value is None or not math.isfinite(value):
        return Cell(reason=otherwise if value is None else "infinite_effort")
    return Cell(value)
