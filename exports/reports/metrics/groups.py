"""Accuracy and attribution by group, with both meanings of "overall"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    SIDE,
    TASKS,
    Options,
    accuracy_cell,
    anls_cell,
    doc_f1_cell,
    macro_cell,
    page_f1_cell,
    plain,
)
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.model import Cell, Column, Row, Table
from pagetrail.exports.reports.own_counts import with_own_counts

GROUPS = {
    "domain": "Domain",
    "category": "Category",
    "query_type": "Query type",
    "language": "Language",
    "batch": "Batch",
    "condition": "Condition",
}
NONE = "(none)"
MEASURES = ("accuracy", "anls", "page_f1", "doc_f1")


def group_by(by: str | None, rows: Sequence[Attempt]) -> str | None:
    """What to group by: as asked; else by domain where a task has one, else not at all.

    Raises:
        PagetrailError: there is no such group (code ``invalid_group``).
    """
    if by is None:
        return "domain" if any(row.domain for row in rows) else None
    if by not in GROUPS:
        raise PagetrailError(
            f"Results cannot be grouped by {by!r}. Choose from {', '.join(GROUPS)}.",
            code="invalid_group",
        )
    return by


def groups(
    sides: Sequence[Side],
    by: str,
    batches: Mapping[str, str],
    conditions: Mapping[str, str],
    options: Options,
) -> Table | None:
    """The table by group; None if no row has any values.

    Args:
        by: a key of ``GROUPS``.
        batches: task → its batch.
        conditions: attempt → the condition of the study that it was made under.
    """
    of = _group(by, batches, conditions)
    names = sorted({of(row) for side in sides for row in side.rows}, key=lambda n: (n == NONE, n))
    if not any(_has_value(row) for side in sides for row in side.rows):
        return None
    label = GROUPS[by]
    rows: list[Row] = []
    found: dict[str, list[dict[str, Cell]]] = {side.name: [] for side in sides}
    for name in names:
        for side in sides:
            cells = _group_cells(name, side.name, [r for r in side.rows if of(r) == name], options)
            found[side.name].append(cells)
            rows.append(Row(cells))
    rows += [Row(_group_cells("Pooled", side.name, side.rows, options), "pooled") for side in sides]
    rows += [Row(_macro(side, found[side.name]), "macro") for side in sides]
    return Table(
        key=f"by-{by.replace('_', '-')}",
        title=f"Results by {label.lower()}",
        question=f"How accurate is each participant by {label.lower()}?",
        columns=(
            Column("group", label, "text"),
            SIDE,
            ATTEMPTS,
            TASKS,
            Column(
                "accuracy", "Accuracy", "share", "Share of correct answers, averaged over tasks."
            ),
            Column("anls", "ANLS*", "score", "Mean ANLS* against the best-matching gold variant."),
            Column(
                "page_f1",
                "Page F1",
                "score",
                "F1 of cited against gold pages, averaged over tasks.",
            ),
            Column("doc_f1", "Doc F1", "score", "F1 of their documents, averaged over tasks."),
        ),
        rows=rows,
        notes=[
            "Pooled: all tasks together. Macro: unweighted mean over the groups that have a "
            "value, without an interval.",
        ],
    )


def _has_value(row: Attempt) -> bool:
    return (
        row.correct is not None or row.page_f1.value is not None or row.correctness.anls is not None
    )


def _group(
    by: str, batches: Mapping[str, str], conditions: Mapping[str, str]
) -> Callable[[Attempt], str]:
    def of(row: Attempt) -> str:
        if by == "condition":
            return conditions.get(row.attempt, NONE)
        value = batches.get(row.task) if by == "batch" else getattr(row, by)
        return value or NONE

    return of


def _group_cells(
    group: str, side: str, rows: Sequence[Attempt], options: Options
) -> dict[str, Cell]:
    cells = {
        "group": plain(group),
        "side": plain(side),
        "attempts": plain(len(rows)),
        "tasks": plain(len({row.task for row in rows})),
        "accuracy": accuracy_cell(rows, options),
        "anls": anls_cell(rows, options),
        "page_f1": page_f1_cell(rows, options),
        "doc_f1": doc_f1_cell(rows, options),
    }
    return with_own_counts(cells, "attempts")


def _macro(side: Side, found: Sequence[Mapping[str, Cell]]) -> dict[str, Cell]:
    return {
        "group": plain("Macro"),
        "side": plain(side.name),
        "attempts": plain(len(side.rows)),
        "tasks": plain(len({row.task for row in side.rows})),
        **{key: macro_cell(cells[key] for cells in found) for key in MEASURES},
    }
