"""How far one person's work agrees with what else is there for the same tasks: gold, or others.

The measures are those of docs/metrics.md: percent agreement and Gwet's AC1 (2008) of what is chosen
from a closed list, ANLS* of answers, F1 of cited pages, IoU of drawn zones. Each is left undefined
where there is too little to compare, with the count that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict

from pagetrail.annotation.agreement import bootstrap
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.measures import answer_anls, page_overlap, zone_overlaps
from pagetrail.annotation.geometry.box import MAX_COORDINATE
from pagetrail.annotation.metrics.result import mean_over_tasks
from pagetrail.annotation.ratings.schemes import Category, RatedPosition, Scheme, readers
from pagetrail.annotation.statistics.task_bootstrap import mean_interval

LEAST = 5
"""Tasks, or ratings of one field, below which agreement would be an anecdote."""

TOO_FEW = "too_few"


class IntervalEstimate(BaseModel):
    """A mean with its 95 % interval, or why there is none.

    Attributes:
        value: None where ``reason`` says why; ``too_few``, or a reason of docs/metrics.md.
        n: tasks it rests on; of a field, ratings.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str | None = None


class FieldSimilarity(BaseModel):
    """Agreement on one closed list: a field, an option of it, or the outcome."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    key: str
    label: str
    percent: IntervalEstimate
    ac1: IntervalEstimate


class Similarity(BaseModel):
    """Agreement over a number of tasks.

    Attributes:
        tasks: those with something to compare.
        anls, page_f1, iou: means over tasks.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    tasks: int = 0
    fields: tuple[FieldSimilarity, ...] = ()
    anls: IntervalEstimate = IntervalEstimate(reason=TOO_FEW)
    page_f1: IntervalEstimate = IntervalEstimate(reason=TOO_FEW)
    iou: IntervalEstimate = IntervalEstimate(reason=TOO_FEW)


class Compared:
    """Takes in pairs of works on the same task, and gives the agreement over all of them."""

    def __init__(self) -> None:
        self._tasks: set[str] = set()
        self._schemes: dict[tuple[str, tuple[Category, ...]], Scheme] = {}
        self._rated: dict[
            tuple[str, tuple[Category, ...]], list[tuple[str, Category, Category]]
        ] = {}
        self._answers: list[tuple[str, float]] = []
        self._pages: list[tuple[str, float]] = []
        self._zones: list[tuple[str, float]] = []

    def add(self, task: str, submission: Submission, other: Submission) -> None:
        """One task: a person's work and another's, or its gold.

        What gold leaves open is compared with nothing.
        """
        self._rate(task, submission, other)
        protocol = submission.form.protocol
        if protocol.answer.kind != "off":
            self._score(self._answers, task, answer_anls(submission, other))
        if protocol.evidence.enabled:
            pages = page_overlap(submission, other)
            self._score(self._pages, task, None if pages is None else pages.f1)
        if protocol.boxes.enabled:
            for _, iou in zone_overlaps(submission, other, _any_size):
                self._score(self._zones, task, iou)

    def similarity(self) -> Similarity:
        """The agreement over everything that was taken in."""
        return Similarity(
            tasks=len(self._tasks),
            fields=tuple(
                _field(self._schemes[key], rows) for key, rows in self._rated.items() if rows
            ),
            anls=mean_estimate(self._answers),
            page_f1=mean_estimate(self._pages),
            iou=mean_estimate(self._zones),
        )

    def _rate(self, task: str, form: Submission, other: Submission) -> None:
        other_ratings = {(scheme, position): value for scheme, position, value in _ratings(other)}
        for scheme, position, rating in _ratings(form):
            other_rating = other_ratings.get((scheme, position))
            if other_rating is None or not {rating, other_rating} <= set(scheme.categories):
                continue
            key = (scheme.key, scheme.categories)
            self._schemes.setdefault(key, scheme)
            self._rated.setdefault(key, []).append((task, rating, other_rating))
            self._tasks.add(task)

    def _score(self, scores: list[tuple[str, float]], task: str, value: float | None) -> None:
        if value is not None:
            scores.append((task, value))
            self._tasks.add(task)


def mean_estimate(scored: Sequence[tuple[str, float]]) -> IntervalEstimate:
    """The mean over tasks of (task, score) pairs, with its interval over resampled tasks."""
    tasks = len({task for task, _ in scored})
    if tasks < LEAST:
        return IntervalEstimate(n=tasks, reason=TOO_FEW)
    spread = mean_interval(scored)
    value = mean_over_tasks(scored, "no_rows").value
    return IntervalEstimate(value=value, low=spread.low, high=spread.high, n=tasks)


def _field(scheme: Scheme, rows: Sequence[tuple[str, Category, Category]]) -> FieldSimilarity:
    if len(rows) < LEAST:
        too_few = IntervalEstimate(n=len(rows), reason=TOO_FEW)
        return FieldSimilarity(key=scheme.key, label=scheme.label, percent=too_few, ac1=too_few)
    keys = ("percent_agreement", "gwet_ac")
    intervals = bootstrap(
        [[rating, other_rating] for _, rating, other_rating in rows],
        categories=scheme.categories,
        clusters=[task for task, _, _ in rows],
        keys=keys,
        raters_known=False,
    )
    percent, ac1 = (
        IntervalEstimate(
            value=intervals[key].value,
            low=ci[0] if (ci := intervals[key].ci) else None,
            high=ci[1] if ci else None,
            n=len(rows),
            reason=intervals[key].reason if intervals[key].value is None else None,
        )
        for key in keys
    )
    return FieldSimilarity(key=scheme.key, label=scheme.label, percent=percent, ac1=ac1)


def _ratings(submission: Submission) -> Iterator[tuple[Scheme, RatedPosition, Category]]:
    """What it says of closed lists; a skipped task says nothing."""
    if submission.form.state.status == "skipped":
        return
    for reader in readers(submission.form.protocol):
        schemes = {scheme.key: scheme for scheme in reader.schemes if scheme.categories}
        for key, position, value in reader.read(submission):
            if key in schemes:
                yield schemes[key], position, value


def _any_size(_document: str, _page: int) -> tuple[float, float]:
    return MAX_COORDINATE, MAX_COORDINATE
