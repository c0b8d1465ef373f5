"""The section on texts, tables and charts: do people transcribe a page alike?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pagetrail.annotation.comparison.transcription_pairs import TaskTranscriptions, measures_of
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reports.agreement.answers import NO_COMPARABLE_PAIR, mean_over_tasks
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.model import Column, RowValues, Section, Table
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.exports.reports.transcription_columns import TEXT_NOTE, TRANSCRIPTION_COLUMNS

_COUNTS = (
    Column("tasks", "Tasks", "count", "Tasks that two people or more submitted."),
    Column("pairs", "Pairs", "count", "Pairs of people of the same task."),
)
_PAIRS_NOTE = lazy_gettext(
    "Two people are compared without regard to who is right. Results are means over the pairs of a "
    "task, then over tasks. Intervals are over resampled tasks."
)
_GIVEN_NOTE = lazy_gettext(
    "Everybody starts with what a model gave, so what nobody touched agrees completely: these "
    "numbers say how far the results differ, not how people transcribe by themselves."
)


@dataclass(frozen=True)
class _Task:
    group: str
    pairs: TaskTranscriptions


class Transcriptions:
    """Collects results task by task, keeping only those of the pairs."""

    def __init__(self, protocol: Protocol, groups: Groups) -> None:
        self.measures = measures_of(protocol)
        self._protocol = protocol
        self._groups = groups
        self._tasks: list[_Task] = []

    def add(self, task: str, pairs: TaskTranscriptions | None) -> None:
        """Add the pairs of a task."""
        if pairs is not None:
            self._tasks.append(_Task(self._groups.group_of(Unit(task)), pairs))

    def section(self, draws: Resampling) -> Section:
        """The table."""
        by_group: dict[str, list[TaskTranscriptions]] = defaultdict(list)
        for task in self._tasks if self._groups.by else ():
            by_group[task.group].append(task.pairs)
        rows = {name: self._cells(by_group[name], draws) for name in self._groups.ordered(by_group)}
        pooled = self._cells([task.pairs for task in self._tasks], draws)
        table = Table.from_rows(
            key="transcriptions",
            title="Texts, tables and charts of people on the same page",
            question="Do annotators transcribe the same page alike?",
            columns=[
                *self._groups.columns,
                *_COUNTS,
                *(TRANSCRIPTION_COLUMNS[name] for name in self.measures),
            ],
            rows=self._groups.rows(rows, pooled, self.measures),
            unit_column="pairs",
        )
        notes = [_PAIRS_NOTE, *([TEXT_NOTE] if self._protocol.transcript.enabled else [])]
        return Section("Texts, tables and charts", [table], [*notes, _GIVEN_NOTE])

    def _cells(self, tasks: Sequence[TaskTranscriptions], draws: Resampling) -> RowValues:
        values: RowValues = {
            "tasks": len({task.task for task in tasks}),
            "pairs": sum(task.n_pairs for task in tasks),
        }
        for name in self.measures:
            scored = [
                (task.task, value) for task in tasks if (value := task.means[name]) is not None
            ]
            mean = mean_over_tasks(scored) if scored else None
            n_pairs = sum(task.compared[name] for task in tasks)
            values[name] = mean_cell(mean, draws.mean(scored), NO_COMPARABLE_PAIR, n_pairs)
        return values
