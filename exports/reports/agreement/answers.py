"""The section on answers and evidence: do people give the same answer from the same pages?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pagetrail.annotation.comparison.answer_pairs import TaskAnswers
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.ratings.schemes import outcomes_of
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reports.agreement.annotator_answers import answers_of_annotators
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.model import Column, RowValues, Section, Table
from pagetrail.exports.reports.resampling import Resampling

NO_COMPARABLE_PAIR = "no_comparable_pair"

_COUNTS = (
    Column("tasks", "Tasks", "count", "Tasks that two people or more submitted."),
    Column("pairs", "Pairs", "count", "Pairs of people of the same task."),
)
_ANSWERED = (
    Column("both", "Both answered", "count", "Pairs of whom both gave an answer."),
    Column("one", "One answered", "count", "Pairs of whom one gave none; their answers count 0."),
    Column("none", "Neither answered", "count", "Pairs of whom neither did; left out."),
)
_OUTCOME = Column("same_outcome", "Same outcome", "share", "Pairs with the same outcome.")
_ANSWER = (
    Column("exact_match", "Same answer", "share", "Pairs whose answers match exactly, normalised."),
    Column("anls", "ANLS*", "score", "Similarity of the answers (Peer et al. 2024)."),
    Column("anls_both", "ANLS*, both answered", "score", "Over pairs of whom both answered."),
)
_EVIDENCE = (
    Column("page_f1", "Page F1", "score", "F1 of the two sets of cited pages."),
    Column("doc_f1", "Doc F1", "score", "F1 of the two sets of cited documents."),
    Column("page_jaccard", "Jaccard", "score", "Pages that both cited, of those either did."),
)
NOTES = (
    lazy_gettext(
        "Two people are compared without regard to who is right. Results are means over the "
        "pairs of a task, then over tasks. Intervals are over resampled tasks."
    ),
    lazy_gettext(
        "Where one of two gave no answer, or cited nothing, that counts 0; where neither "
        "did there is nothing to compare, and the pair is left out. Tasks that were ended "
        "(a poor query) are left out."
    ),
)
_TITLES = {
    (True, True): (
        lazy_gettext("Answers and evidence"),
        lazy_gettext("Answers and evidence of people on the same task"),
    ),
    (True, False): (
        lazy_gettext("Answers"),
        lazy_gettext("Answers of people on the same task"),
    ),
    (False, True): (
        lazy_gettext("Evidence"),
        lazy_gettext("Evidence of people on the same task"),
    ),
}
"""Whether answers and evidence are asked for → titles of the section and of its table."""
PROSE = lazy_gettext(
    "Answers are prose here: two right ones seldom match word for word, so low results need "
    "not mean that people disagree."
)


@dataclass(frozen=True)
class _Task:
    group: str
    answers: TaskAnswers


class Answers:
    """Collects results task by task, keeping only those of the pairs."""

    def __init__(self, protocol: Protocol, groups: Groups) -> None:
        self._protocol = protocol
        self._groups = groups
        self._tasks: list[_Task] = []
        self._submitted: Counter[str] = Counter()

    def add(self, task: str, names: Iterable[str], answers: TaskAnswers | None) -> None:
        """Add a task: who submitted it, and how the answers of those who did not end it agree."""
        self._submitted.update(names)
        if answers is not None:
            self._tasks.append(_Task(self._groups.group_of(Unit(task)), answers))

    def annotators(self, draws: Resampling) -> Section:
        """The section on each annotator's agreement with the others."""
        tasks = [task.answers for task in self._tasks]
        return answers_of_annotators(self._protocol, tasks, self._submitted, self._groups, draws)

    def section(self, draws: Resampling) -> Section:
        """The table."""
        protocol = self._protocol
        columns = list(_COUNTS)
        asks_answers = protocol.answer.kind != "off"
        if asks_answers:
            columns += _ANSWERED
            if len(outcomes_of(protocol)) > 1:
                columns.append(_OUTCOME)
            columns += _ANSWER
        if protocol.evidence.enabled:
            columns += _EVIDENCE
        measures = [column.key for column in columns if column.kind != "count"]
        by_group: dict[str, list[TaskAnswers]] = defaultdict(list)
        for task in self._tasks if self._groups.by else ():
            by_group[task.group].append(task.answers)
        rows = {
            name: _answer_cells(by_group[name], measures, draws)
            for name in self._groups.ordered(by_group)
        }
        pooled = _answer_cells([task.answers for task in self._tasks], measures, draws)
        section_title, table_title = _TITLES[asks_answers, protocol.evidence.enabled]
        table = Table.from_rows(
            key="answers",
            title=table_title,
            question="Do annotators give the same answer, from the same pages?",
            columns=[*self._groups.columns, *columns],
            rows=self._groups.rows(rows, pooled, measures),
            unit_column="pairs",
        )
        prose = [PROSE] if protocol.answer.kind == "text" else []
        return Section(section_title, [table], [*NOTES, *prose])


def _answer_cells(
    tasks: Sequence[TaskAnswers], measures: Sequence[str], draws: Resampling
) -> RowValues:
    values: RowValues = {
        "tasks": len({task.task for task in tasks}),
        "pairs": sum(task.n_pairs for task in tasks),
        "both": sum(task.n_both for task in tasks),
        "one": sum(task.n_one for task in tasks),
        "none": sum(task.n_none for task in tasks),
    }
    for measure in measures:
        scored = [
            (task.task, value) for task in tasks if (value := task.means[measure]) is not None
        ]
        mean = mean_over_tasks(scored) if scored else None
        n_pairs = sum(task.compared(measure) for task in tasks)
        values[measure] = mean_cell(mean, draws.mean(scored), NO_COMPARABLE_PAIR, n_pairs)
    return values


def mean_over_tasks(scored: Sequence[tuple[str, float]]) -> float:
    """Mean with equal weight per task, even if people worked on it under several conditions."""
    by_task: dict[str, list[float]] = {}
    for task, value in scored:
        by_task.setdefault(task, []).append(value)
    return fmean(fmean(values) for values in by_task.values())
