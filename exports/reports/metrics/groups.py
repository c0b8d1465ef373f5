"""Accuracy and attribution by one field or two, with both meanings of "overall"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.item_analysis import EASY, HARD
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.breakdown import (
    ATTEMPT_FIELDS,
    DIFFICULTIES,
    MAX_COLUMNS,
    READY_FIELDS,
    TOO_WIDE,
    BreakdownField,
    FieldGroups,
    FieldValue,
    breakdown_fields,
    cross_columns,
    group_cells,
    group_columns,
    group_values,
    hop_label,
    person_value,
    sort_groups,
    task_values,
    unknown_field_error,
)
from pagetrail.exports.reports.cells import macro_cells
from pagetrail.exports.reports.charts.matrices import HeatCell, heat_map
from pagetrail.exports.reports.metrics.cells import (
    ACCURACY,
    ATTEMPTS,
    MEASURES,
    PAGE_F1,
    PARTICIPANT,
    TASKS,
    AttemptMeasure,
    Options,
)
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import ROW_KIND, Cell, Chart, Column, RowValues, Table

METRICS_FIELDS = tuple(name for name in READY_FIELDS if name != "document")
"""Ready fields of attempts; a task's pages may be in several documents."""

MAX_CHARTS = 8
"""Maximum number of participants with a chart of a cross table."""

_FROM_ROWS: Mapping[str, Callable[[Attempt], FieldValue]] = {
    # Of the gold that counts in the report, which may not be that of the task record.
    "hop": lambda row: hop_label(row.hop),
    "gold_pages": lambda row: float(row.gold_pages) or None,
    "gold_documents": lambda row: float(row.gold_documents) or None,
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
_POOLED_AND_MACRO = lazy_gettext(
    "Pooled: all tasks together. Macro: unweighted mean over the groups that have a "
    "value, without an interval."
)


class Breakdown:
    """The fields of a breakdown, and their values for tasks.

    Raises:
        PagetrailError: more than two fields, or one that is not ready and that no task has
            (``invalid_group``).
    """

    def __init__(self, by: str | Sequence[str] | None, sources: Sequence[Source]) -> None:
        self.fields = breakdown_fields(by)
        self._sources = sources
        self._tasks = {
            field.name: self._values_by_task(field)
            for field in self.fields
            if field.name not in (*ATTEMPT_FIELDS, *_FROM_ROWS, "batch")
        }

    @property
    def by_condition(self) -> bool:
        """Whether a field is the condition of the study."""
        return any(field.name == "condition" for field in self.fields)

    @property
    def name(self) -> str | None:
        """The fields' names; None without any."""
        return ", ".join(field.name for field in self.fields) or None

    def or_domain(self, rows: Sequence[Attempt]) -> Breakdown:
        """This breakdown; where it has no fields, one by domain if any task has one."""
        if self.fields or not any(row.domain for row in rows):
            return self
        return Breakdown("domain", self._sources)

    def _values_by_task(self, field: BreakdownField) -> Sequence[Mapping[str, FieldValue]]:
        """Task → value, campaign by campaign."""
        values = [task_values(source, field) for source in self._sources]
        if field.name not in METRICS_FIELDS and all(part is None for part in values):
            raise unknown_field_error(field, METRICS_FIELDS, self._sources)
        return [part or {} for part in values]

    def groups(self, campaigns: Sequence[Measured], measured_rows: Measured) -> list[FieldGroups]:
        """The group of each attempt, field by field.

        Args:
            campaigns: in the order of the sources.
            measured_rows: the rows of all of them.
        """
        return [self._groups(field, campaigns, measured_rows) for field in self.fields]

    def _groups(
        self,
        field: BreakdownField,
        campaigns: Sequence[Measured],
        measured_rows: Measured,
    ) -> FieldGroups:
        rows = measured_rows.rows
        if field.name == "batch":
            batches = _batches(rows)
            order = list(dict.fromkeys(batches.values()))
            return group_values(field, {row.attempt: batches[row.task] for row in rows}, order)
        if field.name == "condition":
            conditions = {row.attempt: row.condition for row in rows if row.condition is not None}
            return group_values(field, conditions)
        if field.name in _FROM_ROWS:
            read = _FROM_ROWS[field.name]
            return group_values(field, {row.attempt: read(row) for row in rows})
        if field.name in ATTEMPT_FIELDS:
            values: dict[str, FieldValue] = {}
            for source, campaign in zip(self._sources, campaigns, strict=True):
                value = person_value(source, field)
                values |= {
                    row.attempt: value(row.user) for row in campaign.rows if row.user is not None
                }
            return group_values(field, values)
        tasks = self._tasks[field.name]
        if field.name == "difficulty" and not any(any(part.values()) for part in tasks):
            return _difficulty(field, rows)
        # Numbers are put into groups by the values of all tasks, each counted once.
        keys = {
            (number, task): f"{number} {task}" for number, part in enumerate(tasks) for task in part
        }
        groups = group_values(
            field, {key: tasks[number][task] for (number, task), key in keys.items()}
        )
        names = {
            row.attempt: groups.names[key]
            for number, campaign in enumerate(campaigns)
            for row in campaign.rows
            if (key := keys.get((number, row.task), "")) in groups.names
        }
        return replace(groups, names=names)


def _batches(rows: Sequence[MeasuredAttempt]) -> dict[str, str]:
    """Task → its batch; of a task that several campaigns share, the names of all its batches."""
    names: dict[str, dict[str, None]] = {}
    for row in rows:
        names.setdefault(row.task, {})[row.batch] = None
    return {task: " / ".join(batches) for task, batches in names.items()}


def _difficulty(field: BreakdownField, rows: Sequence[Attempt]) -> FieldGroups:
    """Difficulty by the mean score p of the systems, other than the one that made the attempt."""
    scores: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if not row.person and row.correct is not None and not row.is_undecided:
            scores[row.task][row.system].append(row.correct)
    easy, medium, hard = DIFFICULTIES
    names = {}
    for row in rows:
        other_means = [
            fmean(system_scores)
            for system, system_scores in scores[row.task].items()
            if row.person or system != row.system
        ]
        if other_means:
            mean_score = fmean(other_means)
            names[row.attempt] = (
                easy if mean_score > EASY else hard if mean_score < HARD else medium
            )
    note = lazy_gettext(
        "Difficulty: mean score p of the systems on the task, without the one in the row: easy "
        "above {easy}, hard below {hard} (MADQA, appendix D), (none) where no other system did it.",
        easy=EASY,
        hard=HARD,
    )
    return FieldGroups(field.name, field.heading, names, DIFFICULTIES, [note])


def breakdown_parts(
    participants: Sequence[Participant], fields: Sequence[FieldGroups], options: Options
) -> list[Table | Chart]:
    """The table by group, and cross tables of two fields; nothing if no row has any values."""
    if not any(_has_value(row) for participant in participants for row in participant.rows):
        return []
    table = _table(participants, fields, options)
    if len(fields) == 1:
        return [table]
    parts = _cross_parts(participants, fields, options)
    return [table if parts else replace(table, notes=[*table.notes, TOO_WIDE]), *parts]


def _table(
    participants: Sequence[Participant], fields: Sequence[FieldGroups], options: Options
) -> Table:
    attempts_by_group = {
        participant.name: _attempts_by_group(participant.rows, fields)
        for participant in participants
    }
    groups = sort_groups((group for parts in attempts_by_group.values() for group in parts), fields)
    rows: list[RowValues] = [
        {
            **group_cells(group),
            **_measures(participant, attempts_by_group[participant.name].get(group, []), options),
        }
        for group in groups
        for participant in participants
        # With two fields, most combinations are empty for most participants.
        if len(fields) == 1 or group in attempts_by_group[participant.name]
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
    title, question = _titles(fields)
    return Table.from_rows(
        key="-".join(["by", *map(_slug, fields)]),
        title=title,
        question=question,
        columns=(
            *group_columns(fields),
            PARTICIPANT,
            ATTEMPTS,
            TASKS,
            *(measure.column for measure in MEASURES),
        ),
        rows=[*rows, *pooled, *macro],
        unit_column="attempts",
        notes=[_POOLED_AND_MACRO, *(note for field in fields for note in field.notes)],
    )


def _slug(field: FieldGroups) -> str:
    return re.sub("[^a-z0-9]+", "-", field.field.lower()).strip("-") or "field"


def _titles(fields: Sequence[FieldGroups]) -> tuple[str, str]:
    first, *rest = fields
    if not rest and first.field in _TITLES:
        return _TITLES[first.field]
    if not rest:
        return (
            lazy_gettext("Results by “{field}”", field=first.heading),
            lazy_gettext("How accurate is each participant by “{field}”?", field=first.heading),
        )
    names = {"first": first.heading, "second": rest[0].heading}
    return (
        lazy_gettext("Results by “{first}” and “{second}”", **names),
        lazy_gettext("How accurate is each participant by “{first}” and “{second}”?", **names),
    )


def _attempts_by_group(
    rows: Sequence[Attempt], fields: Sequence[FieldGroups]
) -> dict[tuple[str, ...], list[Attempt]]:
    by_group: dict[tuple[str, ...], list[Attempt]] = defaultdict(list)
    for row in rows:
        by_group[tuple(field.group(row.attempt) for field in fields)].append(row)
    return dict(by_group)


def _cross_parts(
    participants: Sequence[Participant], fields: Sequence[FieldGroups], options: Options
) -> list[Table | Chart]:
    """A cross table per measure: rows by the first field, columns by the second."""
    rows_field, columns_field = fields
    groups = [group for p in participants for group in _attempts_by_group(p.rows, fields)]
    row_names = [name for (name,) in sort_groups(((a,) for a, _ in groups), [rows_field])]
    column_names = [name for (name,) in sort_groups(((b,) for _, b in groups), [columns_field])]
    if len(column_names) > MAX_COLUMNS:
        return []
    parts: list[Table | Chart] = []
    for measure in (ACCURACY, PAGE_F1):
        table = _cross_table(participants, fields, row_names, column_names, measure, options)
        values = [cell.value for row in table.rows for cell in row.cells.values()]
        if not any(isinstance(value, float) for value in values):
            continue
        parts.append(table)
        if measure is ACCURACY and len(participants) <= MAX_CHARTS:
            parts += _heat_maps(participants, table, fields)
    return parts


def _cross_table(
    participants: Sequence[Participant],
    fields: Sequence[FieldGroups],
    row_names: Sequence[str],
    column_names: Sequence[str],
    measure: AttemptMeasure,
    options: Options,
) -> Table:
    rows_field, columns_field = fields
    kind = measure.column.kind
    columns = cross_columns(columns_field, column_names, kind)
    rows = []
    for participant in participants:
        by_group = _attempts_by_group(participant.rows, fields)
        for row_name in (*row_names, None):
            row_attempts = [
                row for (a, _), rows in by_group.items() if row_name in (None, a) for row in rows
            ]
            if not row_attempts:
                continue
            cells: RowValues = {
                ROW_KIND: "pooled" if row_name is None else "row",
                "group": lazy_gettext("All") if row_name is None else row_name,
                "side": participant.name,
                "attempts": len(row_attempts),
                "all": measure.cell(row_attempts, options),
            }
            for column, name in zip(columns, column_names, strict=True):
                cell_attempts = [
                    row for row in row_attempts if columns_field.group(row.attempt) == name
                ]
                cells[column.key] = (
                    measure.cell(cell_attempts, options) if cell_attempts else Cell()
                )
            rows.append(cells)
    label = measure.column.label
    names = {"first": rows_field.heading, "second": columns_field.heading, "measure": label}
    return Table.from_rows(
        key=f"cross-{measure.column.key.replace('_', '-')}",
        title=lazy_gettext("{measure} by “{first}” (rows) and “{second}” (columns)", **names),
        question=lazy_gettext(
            "Does “{first}” matter more or less, depending on “{second}”?", **names
        ),
        columns=(
            PARTICIPANT,
            Column("group", rows_field.heading, "text"),
            ATTEMPTS,
            *columns,
            Column("all", lazy_gettext("All"), kind, measure.column.help),
        ),
        rows=rows,
        notes=[
            lazy_gettext("Columns: “{field}”. All: pooled.", field=columns_field.heading),
            *(note for field in fields for note in field.notes),
        ],
    )


def _heat_maps(
    participants: Sequence[Participant], table: Table, fields: Sequence[FieldGroups]
) -> list[Chart]:
    """A chart of each participant with a defined value."""
    columns = {
        column.key: column.label
        for column in table.columns
        if column.key.startswith(f"{fields[1].field}=")
    }
    charts = []
    for number, participant in enumerate(participants, start=1):
        rows = [row for row in table.rows if row.cells["side"].value == participant.name]
        cells = [
            HeatCell(str(row.cells["group"].value), label, *_colour_and_text(row.cells[key]))
            for row in rows
            if row.kind == "row"
            for key, label in columns.items()
        ]
        if any(cell.text for cell in cells):
            title = lazy_gettext(
                "{measure} of {participant} by “{first}” and “{second}”",
                measure=ACCURACY.column.label,
                participant=participant.name,
                first=fields[0].heading,
                second=fields[1].heading,
            )
            charts.append(
                heat_map(
                    cells,
                    key=f"chart-cross-accuracy-{number}",
                    title=title,
                    legend_title=ACCURACY.column.label,
                    domain=(0, 1),
                )
            )
    return charts


def _colour_and_text(cell: Cell) -> tuple[float | None, str]:
    """The value that colours a cell of a heat map, and what it says; a range has no colour."""
    if not isinstance(cell.value, float):
        return None, ""
    if cell.lower is not None and cell.upper is not None:
        return None, f"{100 * cell.lower:.0f}–{cell.upper:.0%}"
    return cell.value, f"{cell.value:.0%}"


def _has_value(row: Attempt) -> bool:
    return (
        row.correct is not None or row.page_f1.value is not None or row.correctness.anls is not None
    )


def _measures(participant: Participant, rows: Sequence[Attempt], options: Options) -> RowValues:
    return {
        "side": participant.name,
        "attempts": len(rows),
        "tasks": len({row.task for row in rows}),
        **{measure.column.key: measure.cell(rows, options) for measure in MEASURES},
    }
