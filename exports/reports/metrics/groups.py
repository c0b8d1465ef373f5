"""Accuracy and attribution by group, with both meanings of "overall"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.exports.reports.cells import macro_cells
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    MEASURES,
    PARTICIPANT,
    TASKS,
    Options,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import ROW_KIND, Column, RowValues, Table

GROUPS = {
    "domain": N_("Domain"),
    "category": N_("Category"),
    "query_type": N_("Query type"),
    "language": N_("Language"),
    "batch": N_("Batch"),
    "condition": N_("Condition"),
}
_TITLES = {
    "domain": (
        lazy_gettext("Results by domain"),
        lazy_gettext("How accurate is each participant by domain?"),
    ),
    "category": (
        lazy_gettext("Results by category"),
        lazy_gettext("How accurate is each participant by category?"),
    ),
    "query_type": (
        lazy_gettext("Results by query type"),
        lazy_gettext("How accurate is each participant by query type?"),
    ),
    "language": (
        lazy_gettext("Results by language"),
        lazy_gettext("How accurate is each participant by language?"),
    ),
    "batch": (
        lazy_gettext("Results by batch"),
        lazy_gettext("How accurate is each participant by batch?"),
    ),
    "condition": (
        lazy_gettext("Results by condition"),
        lazy_gettext("How accurate is each participant by condition?"),
    ),
}
NO_GROUP = lazy_gettext("(none)")


def group_by(by: str | None, rows: Sequence[Attempt]) -> str | None:
    """The requested grouping; by default domain if any task has one, else None.

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
    participants: Sequence[Participant],
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
    group_of = _group(by, batches, conditions)
    names = sorted(
        {group_of(row) for participant in participants for row in participant.rows},
        key=lambda n: (n == NO_GROUP, n),
    )
    if not any(_has_value(row) for participant in participants for row in participant.rows):
        return None
    title, question = _TITLES[by]
    rows = [
        {
            "group": name,
            **_measures(
                participant, [row for row in participant.rows if group_of(row) == name], options
            ),
        }
        for name in names
        for participant in participants
    ]
    pooled = [
        {
            ROW_KIND: "pooled",
            "group": lazy_gettext("Pooled"),
            **_measures(participant, participant.rows, options),
        }
        for participant in participants
    ]
    macro = [
        {
            **{key: row[key] for key in ("side", "attempts", "tasks")},
            **macro_cells(
                [part for part in rows if part["side"] == row["side"]],
                [measure.column.key for measure in MEASURES],
            ),
            ROW_KIND: "macro",
            "group": lazy_gettext("Macro"),
        }
        for row in pooled
    ]
    return Table.from_rows(
        key=f"by-{by.replace('_', '-')}",
        title=title,
        question=question,
        columns=(
            Column("group", GROUPS[by], "text"),
            PARTICIPANT,
            ATTEMPTS,
            TASKS,
            *(measure.column for measure in MEASURES),
        ),
        rows=[*rows, *pooled, *macro],
        unit_column="attempts",
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
    def group_of(row: Attempt) -> str:
        if by == "condition":
            return conditions.get(row.attempt, NO_GROUP)
        value = batches.get(row.task) if by == "batch" else getattr(row, by)
        return value or NO_GROUP

    return group_of


def _measures(participant: Participant, rows: Sequence[Attempt], options: Options) -> RowValues:
    return {
        "side": participant.name,
        "attempts": len(rows),
        "tasks": len({row.task for row in rows}),
        **{measure.column.key: measure.cell(rows, options) for measure in MEASURES},
    }
