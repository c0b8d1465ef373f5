"""The groups in the rows of an agreement report, by one field or two."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.breakdown import (
    ATTEMPT_FIELDS,
    NO_GROUP,
    READY_FIELDS,
    BreakdownField,
    FieldGroups,
    breakdown_fields,
    group_cells,
    group_columns,
    group_values,
    person_value,
    sort_groups,
    task_values,
    unknown_field_error,
)
from pagetrail.exports.reports.cells import macro_cells
from pagetrail.exports.reports.model import ROW_KIND, Column, RowValues
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

AGREEMENT_FIELDS = tuple(name for name in READY_FIELDS if name != "annotator")
"""Ready fields of what is rated; nobody is compared with themselves."""

_SIGN = "\n"  # task ids have no line breaks
_AND = "\x1f"


@dataclass(frozen=True)
class Groups:
    """The group of each task, page or element.

    Attributes:
        fields: that rows stand for; empty for overall rows only.
        question: the question of each task where several tasks share one, as predictions of
            several systems do; empty where each task has its own.
        n_tasks: number of tasks in the campaign, with or without work.
        part_of: the part of an attempt where a field depends on who did the task: a task is then
            a unit of its own in each part, so that only people of the same part are compared.
    """

    fields: Sequence[FieldGroups]
    question: Mapping[str, str]
    n_tasks: int
    part_of: Callable[[AttemptHead], str] | None = None
    _names: dict[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @property
    def by(self) -> str | None:
        """The fields' names; None without any."""
        return ", ".join(entry.field for entry in self.fields) or None

    @staticmethod
    def unit_key(task: str, part: str) -> str:
        """Unit key of a task in one part."""
        return f"{task}{_SIGN}{part}"

    def task(self, key: str) -> str:
        """The task of a unit key."""
        return key.rpartition(_SIGN)[0] or key if self.part_of else key

    @property
    def clusters(self) -> str:
        """What is resampled, as a heading."""
        return lazy_gettext("Questions") if self.question else lazy_gettext("Tasks")

    def cluster(self, task: str) -> str:
        """The cluster of a task: itself, or the question that several tasks share."""
        task = self.task(task)
        return self.question.get(task, task)

    def overall(self) -> Groups:
        """A copy without groups."""
        return replace(self, fields=())

    def by_field(self, position: int) -> Groups:
        """A copy with one of two fields."""
        return replace(self, fields=(self.fields[position],))

    @property
    def columns(self) -> list[Column]:
        """The columns of groups."""
        if not self.fields:
            return [Column("group", lazy_gettext("Group"), "text")]
        return group_columns(self.fields)

    @property
    def notes(self) -> list[str]:
        """How numbers were put into groups."""
        return [note for entry in self.fields for note in entry.notes]

    def group_of(self, unit: Unit) -> str:
        """The key of the group of a task, a page or an element."""
        names = tuple(self._name(entry, unit) for entry in self.fields)
        key = _AND.join(names)
        self._names.setdefault(key, names)
        return key

    def _name(self, entry: FieldGroups, unit: Unit) -> str:
        if entry.field == "document" and unit.document is not None:
            return unit.document
        if entry.field in ATTEMPT_FIELDS:
            part: dict[str, str | None] = json.loads(unit.task.rpartition(_SIGN)[2])
            return part[entry.field] or NO_GROUP
        return entry.group(self.task(unit.task))

    def label(self, key: str) -> str:
        """The name of a group, of both fields."""
        names = self._names.get(key, (key,))
        return names[0] if len(names) == 1 else " × ".join(names)

    def names(self, key: str) -> tuple[str, ...]:
        """The name of a group by field."""
        return self._names.get(key, (key,))

    def rows(
        self, rows: Mapping[str, RowValues], pooled: RowValues, measures: Sequence[str]
    ) -> list[RowValues]:
        """A row per group, all units pooled, and the mean of the groups.

        Args:
            rows: of each group, in order.
            measures: the columns to average.
        """
        macro = macro_cells(rows.values(), measures)
        return [
            *({**group_cells(self.names(key)), **values} for key, values in rows.items()),
            {ROW_KIND: "pooled", "group": lazy_gettext("Pooled"), **pooled},
            *([{ROW_KIND: "macro", "group": lazy_gettext("Macro"), **macro}] if rows else []),
        ]

    def ordered(self, keys: Iterable[str]) -> list[str]:
        """Distinct keys in the order of their names."""
        by_names = {self.names(key): key for key in keys}
        return [by_names[names] for names in sort_groups(by_names, self.fields)]


def groups_of(source: Source, by: str | Sequence[str] | None) -> Groups:
    """The groups of a campaign's tasks.

    Args:
        by: None for domains if any task has one, else no groups.

    Raises:
        PagetrailError: no such field (``invalid_group``); the message names those there are.
    """
    requested = breakdown_fields(by)
    fields = [_field_groups(source, entry) for entry in requested or (BreakdownField("domain"),)]
    if not requested and not fields[0].names:
        fields = []
    shared = any(material.source == "prediction" for material in source.campaign.protocol.material)
    # Directly from the database, since progress is reported for attempts only.
    tasks = list(source.database.tasks(source.campaign.id)) if shared else []
    question = {task.key: str(task.record.get("question", task.key)) for task in tasks}
    of_attempts = [entry for entry in requested if entry.name in ATTEMPT_FIELDS]
    part_of = _part_of(source, of_attempts) if of_attempts else None
    return Groups(fields, question, source.campaign.tasks, part_of)


def _field_groups(source: Source, entry: BreakdownField) -> FieldGroups:
    if entry.name in ATTEMPT_FIELDS and entry.name in AGREEMENT_FIELDS:
        return FieldGroups(entry.name, entry.heading, {})
    values = None if entry.name == "annotator" else task_values(source, entry)
    if values is None:
        raise unknown_field_error(entry, AGREEMENT_FIELDS, [source])
    order: list[str] = []
    if entry.name == "batch":
        order = list(dict.fromkeys(str(value) for value in values.values()))
    return group_values(entry, values, order)


def _part_of(source: Source, entries: Sequence[BreakdownField]) -> Callable[[AttemptHead], str]:
    readers = {
        entry.name: person_value(source, entry) for entry in entries if entry.name != "condition"
    }
    by_condition = any(entry.name == "condition" for entry in entries)

    def part_of(head: AttemptHead) -> str:
        values = {
            name: None if head.role == SYSTEM else read(head.user) for name, read in readers.items()
        }
        if by_condition:
            values["condition"] = condition_of(source.campaign.protocol.name, head.setting)
        return json.dumps(values, ensure_ascii=False, sort_keys=True)

    return part_of
