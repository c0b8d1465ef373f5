"""The groups in the rows of an agreement report: domains, batches, documents and others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, lazy_gettext
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.cells import macro_cells
from pagetrail.exports.reports.model import ROW_KIND, RowValues
from pagetrail.storage.snapshot.rows import TaskRow

GROUPINGS: dict[str, str] = {
    "domain": N_("Domain"),
    "category": N_("Document category"),
    "query_type": N_("Query type"),
    "language": N_("Language"),
    "batch": N_("Batch"),
    "document": N_("Document"),
    "condition": N_("Condition"),
}
"""Possible groupings → heading."""

_KEYS = {"domain": "domain", "category": "document_category", "language": "language"}
NO_GROUP, SEVERAL_DOCUMENTS = lazy_gettext("(none)"), lazy_gettext("(several documents)")
_SIGN = "\n"  # task ids have no line breaks


@dataclass(frozen=True)
class Groups:
    """The group of each task, page or element.

    Attributes:
        by: a key of ``GROUPINGS``; None for overall rows only.
        of_task: group by task.
        question: the question of each task where several tasks share one, as predictions of
            several systems do; empty where each task has its own.
        n_tasks: number of tasks in the campaign, with or without work.
        within_conditions: whether a task is a unit of its own under each condition of the study
            (``part``), so that only people under the same condition are compared.
    """

    by: str | None
    of_task: Mapping[str, str]
    question: Mapping[str, str]
    n_tasks: int
    within_conditions: bool = False

    @staticmethod
    def part(task: str, condition: str | None) -> str:
        """Unit key of a task under one condition of the study."""
        return f"{task}{_SIGN}{condition or NO_GROUP}"

    def task(self, part: str) -> str:
        """The task of a unit key."""
        return part.rpartition(_SIGN)[0] or part if self.within_conditions else part

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
        return replace(self, by=None, of_task={})

    @property
    def heading(self) -> str:
        """Heading of the column of groups."""
        return GROUPINGS[self.by] if self.by else lazy_gettext("Group")

    def group_of(self, unit: Unit) -> str:
        """The group of a task, a page or an element."""
        if self.by == "document" and unit.document is not None:
            return unit.document
        if self.by == "condition":
            return unit.task.rpartition(_SIGN)[2]
        return self.of_task.get(unit.task, NO_GROUP)

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
            *({"group": name, **values} for name, values in rows.items()),
            {ROW_KIND: "pooled", "group": lazy_gettext("Pooled"), **pooled},
            *([{ROW_KIND: "macro", "group": lazy_gettext("Macro"), **macro}] if rows else []),
        ]

    def ordered(self, names: Iterable[Hashable]) -> list[str]:
        """Distinct names: batches in the campaign's order, others by name, “(none)” last."""
        present = {str(name) for name in names}
        in_order = list(dict.fromkeys(self.of_task.values())) if self.by == "batch" else []
        first = [name for name in in_order if name in present]
        rest = sorted(
            present - set(first), key=lambda name: (name in (NO_GROUP, SEVERAL_DOCUMENTS), name)
        )
        return first + rest


def groups_of(source: Source, by: str | None) -> Groups:
    """The groups of a campaign's tasks.

    Args:
        by: None for domains if any task has one, else no groups.

    Raises:
        PagetrailError: no such grouping (``invalid_group``); the message names those there are.
    """
    if by is not None and by not in GROUPINGS:
        raise PagetrailError(
            f"Rows cannot be made by {by!r}. Choose from {', '.join(GROUPINGS)}.",
            code="invalid_group",
        )
    # Directly from the database, since progress is reported for attempts only.
    tasks = source.database.tasks(source.campaign.id)
    grouping = by or "domain"
    shared = any(material.source == "prediction" for material in source.campaign.protocol.material)
    of_task, question = {}, {}
    for task in tasks:
        of_task[task.key] = _group(task, grouping)
        if shared:
            question[task.key] = str(task.record.get("question", task.key))
    if by == "condition":
        return Groups(by, {}, question, len(of_task), within_conditions=True)
    if by is None and not set(of_task.values()) - {NO_GROUP}:
        return Groups(None, {}, question, len(of_task))
    return Groups(grouping, of_task, question, len(of_task))


def _group(task: TaskRow, by: str) -> str:
    if by == "condition":
        return NO_GROUP  # a property of the attempt, not of the task
    if by == "batch":
        return task.batch
    if by == "document":
        refs = [*(task.record.get("candidates") or ()), *(task.record.get("evidence") or ())]
        documents = {str(ref["document"]) for ref in refs}
        return SEVERAL_DOCUMENTS if len(documents) > 1 else next(iter(documents), NO_GROUP)
    if by == "query_type":
        kinds = task.record.get("query_type")
        listed_types = [kinds] if isinstance(kinds, str) else list(kinds or ())
        return " + ".join(sorted(map(str, listed_types))) or NO_GROUP
    value = task.record.get(_KEYS[by])
    return str(value) if value else NO_GROUP
