"""The numbers of a data set's card, computed from tasks and submitted attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.budget import time_spread
from pagetrail.annotation.metrics.correctness import UNDECIDED
from pagetrail.annotation.metrics.search.query_sequences import queries_per_question
from pagetrail.annotation.statistics.attempt_weights import upper_end, weighted_mean
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S

GROUPS = {
    "domain": "Domain",
    "document_category": "Category",
    "query_type": "Query type",
    "language": "Language",
    "hop": "Hops",
}
"""Fields by which tasks are counted → heading."""


@dataclass(frozen=True)
class Result:
    """Results of people together, or of a system, on answerable tasks.

    Attributes:
        attempts: submitted.
        decided: those whose answer could be compared with gold.
        accuracy, anls, page_f1: weighted means over what is defined; None where nothing is.
        undecided: attempts that count as incorrect because nothing decided them.
        accuracy_upper: the accuracy if all of them are right; None where none is undecided.
        searches: weighted median.
        active_s: weighted median; None where no times are known.
    """

    name: str
    attempts: int
    decided: int
    accuracy: float | None
    anls: float | None
    page_f1: float | None
    searches: float
    active_s: float | None
    undecided: int = 0
    accuracy_upper: float | None = None


@dataclass
class Numbers:
    """The numbers of a card.

    Attributes:
        rows: the submitted attempts, without those of models that were given no documents.
        guesses: number of attempts of such models.
    """

    rows: list[Row] = field(default_factory=list)
    guesses: int = 0
    tasks: int = 0
    unanswerable: int = 0
    groups: dict[str, Counter[str]] = field(default_factory=dict)

    def add_attempt(self, row: Row) -> None:
        """Count a submitted attempt."""
        if row.without_documents:
            self.guesses += 1
        else:
            self.rows.append(row)

    def add_task(self, unanswerable: bool | None, groups: Mapping[str, Sequence[str]]) -> None:
        """Count a task, in each group that it is of."""
        self.tasks += 1
        self.unanswerable += bool(unanswerable)
        for name, values in groups.items():
            self.groups.setdefault(name, Counter()).update(values)

    @property
    def annotators(self) -> int:
        """Number of people with submissions."""
        return len({row.system for row in self.rows if row.person})

    @property
    def people(self) -> int:
        """Number of attempts that people submitted."""
        return sum(row.person for row in self.rows)

    @property
    def undecided(self) -> int:
        """Attempts at answerable tasks that are undecided, which counts as incorrect."""
        return sum(
            row.correctness.decided_by == UNDECIDED for row in self.rows if not row.unanswerable
        )

    def results(self) -> Iterator[Result]:
        """Of all people together, then of each system by name; without unanswerable tasks."""
        answerable = [row for row in self.rows if not row.unanswerable]
        people = [row for row in answerable if row.person]
        if people:
            yield _result(f"People ({len({row.system for row in people})})", people)
        for name in sorted({row.system for row in answerable if not row.person}):
            yield _result(name, [r for r in answerable if not r.person and r.system == name])


def task_groups(record: TaskRecord) -> dict[str, list[str]]:
    """The groups of a task by field; empty if it states none."""
    values = {name: getattr(record, name) for name in GROUPS}
    return {
        name: [value] if isinstance(value, str) else list(dict.fromkeys(value))
        for name, value in values.items()
        if value
    }


def _result(name: str, rows: Sequence[Row]) -> Result:
    times = time_spread(rows, "active_s", DEFAULT_IDLE_CAP_S)
    searches = queries_per_question(rows).median
    assert searches is not None  # there are rows
    n_undecided, upper = upper_end(row.scored_answer() for row in rows if row.correct is not None)
    return Result(
        name=name,
        attempts=len(rows),
        decided=sum(row.correct is not None for row in rows),
        accuracy=_mean(rows, lambda row: row.correct),
        anls=_mean(rows, lambda row: row.correctness.anls),
        page_f1=_mean(rows, lambda row: row.page_f1.value),
        searches=searches,
        active_s=times.median,
        undecided=n_undecided,
        accuracy_upper=upper,
    )


def _mean(rows: Sequence[Row], score: Callable[[Row], float | None]) -> float | None:
    """The weighted mean of the defined values."""
    scores = [(row, score(row)) for row in rows]
    return weighted_mean(row.scored(float(value)) for row, value in scores if value is not None)
