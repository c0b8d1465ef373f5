"""How far a campaign is, by batch and by person, from columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.progress.pace import Pace, pace
from pagetrail.annotation.statistics.attempt_weights import (
    weighted_quantile,
    weights,
    whole_weights,
)
from pagetrail.annotation.statistics.clustered_mean import Mean, clustered_mean

Whole = NDArray[np.intp]
Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
By = Literal["all", "batch", "person"]

NOTHING, OPEN, SUBMITTED, SKIPPED = range(4)
"""Codes of an attempt's status; ``NOTHING``: not opened yet."""


@dataclass(frozen=True)
class Work:
    """The work of people on one campaign, a column a fact.

    Attributes:
        batches, people: names; the columns hold places in them.
        task_batch: of each task, shape (tasks,).
        task_status: the review status of each task, shape (tasks,).
        task_stale: whether that must be derived again, shape (tasks,).
        place_batch, place_person: of each batch that somebody has, shape (places,).
        task, person, status, flagged: of each attempt, shape (attempts,).
        handed_s: when it was submitted, seconds since 1970; NaN where it was not, or where that has
            not been derived yet; the same holds for all that follow.
        active_ms, wall_ms: time on it.
        hit: 1 and 0, whether the first query returned a right page; NaN also where there is none.
    """

    batches: tuple[str, ...]
    people: tuple[str, ...]
    task_batch: Whole
    task_status: NDArray[np.str_]
    task_stale: Flags
    place_batch: Whole
    place_person: Whole
    task: Whole
    person: Whole
    status: Whole
    flagged: Flags
    handed_s: Numbers
    active_ms: Numbers
    wall_ms: Numbers
    hit: Numbers

    @property
    def batch(self) -> Whole:
        """The batch of each attempt."""
        return self.task_batch[self.task]

    def only(self, batch: str | None = None, person: str | None = None) -> Work:
        """What belongs to that batch and to that person.

        Of a person, tasks are those that the person has started. A missing name has
        nothing.
        """
        work = self
        if batch is not None:
            place = self.batches.index(batch) if batch in self.batches else -1
            work = work._filtered(
                work.task_batch == place, work.place_batch == place, work.batch == place
            )
        if person is not None:
            who = self.people.index(person) if person in self.people else -1
            attempts = work.person == who
            tasks = np.zeros(len(work.task_batch), dtype=np.bool_)
            tasks[work.task[attempts & (work.status != NOTHING)]] = True
            work = work._filtered(tasks, work.place_person == who, attempts, narrow=False)
        return work

    def _filtered(
        self, tasks: Flags, places: Flags, attempts: Flags, *, narrow: bool = True
    ) -> Work:
        """Rows of these masks. Unless ``narrow``, tasks stay in place and only lose their state."""
        if narrow:
            number = np.cumsum(tasks) - 1
            task = number[self.task[attempts]].astype(np.intp)
            task_batch, status, stale = (
                self.task_batch[tasks], self.task_status[tasks], self.task_stale[tasks],
            )  # fmt: skip
        else:
            task, task_batch = self.task[attempts], self.task_batch
            status, stale = np.where(tasks, self.task_status, ""), self.task_stale & tasks
        return Work(
            self.batches,
            self.people,
            task_batch,
            status,
            stale,
            self.place_batch[places],
            self.place_person[places],
            task,
            self.person[attempts],
            self.status[attempts],
            self.flagged[attempts],
            self.handed_s[attempts],
            self.active_ms[attempts],
            self.wall_ms[attempts],
            self.hit[attempts],
        )


@dataclass(frozen=True)
class Counts:
    """Expected answers (task × person) by status.

    Attributes:
        expected: those of assigned batches, and the submitted ones of withdrawn batches.
        begun: open.
        flagged: whatever their status; not a part of ``expected`` beside the others.
    """

    expected: int
    submitted: int
    skipped: int
    begun: int
    flagged: int

    @property
    def done(self) -> int:
        """Submitted or skipped."""
        return self.submitted + self.skipped

    @property
    def untouched(self) -> int:
        """Not opened yet."""
        return max(0, self.expected - self.done - self.begun)

    @property
    def left(self) -> int:
        """Neither submitted nor skipped yet."""
        return max(0, self.expected - self.done)


@dataclass(frozen=True)
class Times:
    """Time on a submitted task, seconds; None where none is known.

    Attributes:
        n: attempts that it is known of.
        q1, q3: quartiles of the active time (linear interpolation).
    """

    n: int
    median: float | None
    q1: float | None
    q3: float | None
    wall: float | None


@dataclass(frozen=True)
class Line:
    """The numbers of a batch, of a person, or of all."""

    counts: Counts
    times: Times
    hit: Mean
    pace: Pace
    people: int


def counts(work: Work, by: By = "all") -> dict[str, Counts]:
    """The counts by name, of names that have anything; ``""`` is all."""
    n_people = max(1, len(work.people))
    cells = max(1, len(work.batches)) * n_people
    sizes = np.bincount(work.task_batch, minlength=max(1, len(work.batches)))
    cell = work.batch * n_people + work.person

    def summed(mask: Flags) -> Whole:
        return np.bincount(cell[mask], minlength=cells)

    submitted, skipped = summed(work.status == SUBMITTED), summed(work.status == SKIPPED)
    held = np.zeros(cells, dtype=np.bool_)
    held[work.place_batch * n_people + work.place_person] = True
    done = submitted + skipped
    columns = {
        "expected": np.where(held, np.repeat(sizes, n_people), done),
        "submitted": submitted,
        "skipped": skipped,
        "begun": np.where(held, summed(work.status == OPEN), 0),
        "flagged": summed(work.flagged & (work.status != NOTHING)),
    }
    if by == "all":
        return {"": Counts(**{name: int(column.sum()) for name, column in columns.items()})}
    there: Flags = np.logical_or(held, done > 0)
    axis, names = (1, work.batches) if by == "batch" else (0, work.people)
    shape = (-1, n_people)
    totals = {name: column.reshape(shape).sum(axis) for name, column in columns.items()}
    any_: Flags = np.asarray(there.reshape(shape).any(axis), dtype=np.bool_)
    if by == "batch":
        any_ = np.logical_or(any_, sizes > 0)
    return {
        name: Counts(**{key: int(total[place]) for key, total in totals.items()})
        for place, name in enumerate(names)
        if any_[place]
    }


def lines(work: Work, now_s: float, by: By = "all") -> dict[str, Line]:
    """All numbers by name, in the names' order."""
    found = counts(work, by)
    names = {"batch": work.batches, "person": work.people, "all": ("",)}[by]
    group = {"batch": work.batch, "person": work.person, "all": np.zeros_like(work.task)}[by]
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(len(names) + 1))
    held = np.unique(np.stack([work.place_batch, work.place_person]), axis=1)
    holders: Mapping[int, int] = dict(
        zip(*(x.tolist() for x in np.unique(held[0], return_counts=True)), strict=True)
    )
    made = {}
    for place, name in enumerate(names):
        if name in found:
            rows = order[ends[place] : ends[place + 1]]
            people = len(np.unique(held[1])) if by == "all" else holders.get(place, 0)
            made[name] = Line(
                counts=found[name],
                times=_times(work, rows),
                hit=_hit(work, rows),
                pace=pace(_handed(work, rows), found[name].left, now_s),
                people=1 if by == "person" else people,
            )
    return made


def _times(work: Work, rows: Whole) -> Times:
    picked = rows[(work.status[rows] == SUBMITTED) & ~np.isnan(work.active_ms[rows])]
    if not len(picked):
        return Times(0, None, None, None, None)
    shared, _ = whole_weights(work.task[picked].tolist())
    active, wall = work.active_ms[picked].tolist(), work.wall_ms[picked].tolist()
    q1, median, q3 = (weighted_quantile(active, shared, Fraction(n, 4)) / 1000 for n in (1, 2, 3))
    return Times(
        len(picked), median, q1, q3, weighted_quantile(wall, shared, Fraction(1, 2)) / 1000
    )


def _hit(work: Work, rows: Whole) -> Mean:
    picked = rows[(work.status[rows] == SUBMITTED) & ~np.isnan(work.hit[rows])]
    shared = np.array(weights(work.task[picked].tolist()))
    return clustered_mean(work.hit[picked], work.task[picked], shared, share=True)


def _handed(work: Work, rows: Whole) -> Numbers:
    moments = work.handed_s[rows]
    return moments[~np.isnan(moments)]


def review_counts(work: Work) -> dict[str, int]:
    """Review status → tasks."""
    names, numbers = np.unique(work.task_status, return_counts=True)
    found = zip(names.tolist(), numbers.tolist(), strict=True)
    return {name: number for name, number in found if name}
