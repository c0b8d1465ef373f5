"""Progress of a campaign, by batch and by person."""

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

Indices = NDArray[np.intp]
Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
By = Literal["all", "batch", "person"]

NOT_SUBMITTED, OPEN, SUBMITTED, SKIPPED = range(4)
"""Codes of an attempt's status; ``NOTHING``: not opened yet."""


@dataclass(frozen=True)
class CampaignWork:
    """The work of people on one campaign, in columns.

    Attributes:
        batches, people: names; the columns hold places in them.
        task_batch: of each task, shape (tasks,).
        task_status: the review status of each task, shape (tasks,).
        task_stale: whether that must be derived again, shape (tasks,).
        place_batch, place_person: of each batch that somebody has, shape (places,).
        task, person, status, flagged: of each attempt, shape (attempts,).
        handed_s: when it was submitted or skipped, seconds since 1970; NaN where it was not, or
            where that has not been derived yet; the same holds for all that follow.
        active_ms, wall_ms: time on it.
        hit: 1 and 0, whether the first query returned a right page; NaN also where there is none.
    """

    batches: tuple[str, ...]
    people: tuple[str, ...]
    task_batch: Indices
    task_status: NDArray[np.str_]
    task_stale: Flags
    place_batch: Indices
    place_person: Indices
    task: Indices
    person: Indices
    status: Indices
    flagged: Flags
    handed_s: Numbers
    active_ms: Numbers
    wall_ms: Numbers
    hit: Numbers

    @property
    def batch(self) -> Indices:
        """The batch of each attempt."""
        return self.task_batch[self.task]

    def restricted_to(self, batch: str | None = None, person: str | None = None) -> CampaignWork:
        """Work in that batch, by that person; none for an unknown name.

        A person's tasks are those that the person has started.
        """
        filtered = self
        if batch is not None:
            batch_index = self.batches.index(batch) if batch in self.batches else -1
            filtered = filtered._filtered(
                filtered.task_batch == batch_index,
                filtered.place_batch == batch_index,
                filtered.batch == batch_index,
            )
        if person is not None:
            person_index = self.people.index(person) if person in self.people else -1
            attempts = filtered.person == person_index
            tasks = np.zeros(len(filtered.task_batch), dtype=np.bool_)
            tasks[filtered.task[attempts & (filtered.status != NOT_SUBMITTED)]] = True
            filtered = filtered._filtered(
                tasks, filtered.place_person == person_index, attempts, narrow=False
            )
        return filtered

    def _filtered(
        self, tasks: Flags, slots: Flags, attempts: Flags, *, narrow: bool = True
    ) -> CampaignWork:
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
        return CampaignWork(
            self.batches,
            self.people,
            task_batch,
            status,
            stale,
            self.place_batch[slots],
            self.place_person[slots],
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
        flagged: of any status; they are also in the other counts.
    """

    expected: int
    submitted: int
    skipped: int
    begun: int
    flagged: int

    @property
    def finished(self) -> int:
        """Submitted or skipped."""
        return self.submitted + self.skipped

    @property
    def untouched(self) -> int:
        """Not opened yet."""
        return max(0, self.expected - self.finished - self.begun)

    @property
    def left(self) -> int:
        """Neither submitted nor skipped yet."""
        return max(0, self.expected - self.finished)


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


def counts(campaign: CampaignWork, by: By = "all") -> dict[str, Counts]:
    """The counts by name, of names that have anything; ``""`` is all."""
    n_people = max(1, len(campaign.people))
    cells = max(1, len(campaign.batches)) * n_people
    sizes = np.bincount(campaign.task_batch, minlength=max(1, len(campaign.batches)))
    cell = campaign.batch * n_people + campaign.person

    def summed(mask: Flags) -> Indices:
        return np.bincount(cell[mask], minlength=cells)

    submitted, skipped = summed(campaign.status == SUBMITTED), summed(campaign.status == SKIPPED)
    has_slot = np.zeros(cells, dtype=np.bool_)
    has_slot[campaign.place_batch * n_people + campaign.place_person] = True
    finished = submitted + skipped
    columns = {
        "expected": np.where(has_slot, np.repeat(sizes, n_people), finished),
        "submitted": submitted,
        "skipped": skipped,
        "begun": np.where(has_slot, summed(campaign.status == OPEN), 0),
        "flagged": summed(campaign.flagged & (campaign.status != NOT_SUBMITTED)),
    }
    if by == "all":
        return {"": Counts(**{name: int(column.sum()) for name, column in columns.items()})}
    is_present: Flags = np.logical_or(has_slot, finished > 0)
    axis, names = (1, campaign.batches) if by == "batch" else (0, campaign.people)
    shape = (-1, n_people)
    totals = {name: column.reshape(shape).sum(axis) for name, column in columns.items()}
    any_: Flags = np.asarray(is_present.reshape(shape).any(axis), dtype=np.bool_)
    if by == "batch":
        any_ = np.logical_or(any_, sizes > 0)
    return {
        name: Counts(**{key: int(total[index]) for key, total in totals.items()})
        for index, name in enumerate(names)
        if any_[index]
    }


def lines(campaign: CampaignWork, now_s: float, by: By = "all") -> dict[str, Line]:
    """All numbers by name, in the names' order."""
    counts_by_name = counts(campaign, by)
    names = {"batch": campaign.batches, "person": campaign.people, "all": ("",)}[by]
    group = {
        "batch": campaign.batch,
        "person": campaign.person,
        "all": np.zeros_like(campaign.task),
    }[by]
    order = np.argsort(group, kind="stable")
    ends = np.searchsorted(group[order], np.arange(len(names) + 1))
    slots = np.unique(np.stack([campaign.place_batch, campaign.place_person]), axis=1)
    holders: Mapping[int, int] = dict(
        zip(*(x.tolist() for x in np.unique(slots[0], return_counts=True)), strict=True)
    )
    progress_lines = {}
    for index, name in enumerate(names):
        if name in counts_by_name:
            rows = order[ends[index] : ends[index + 1]]
            people = len(np.unique(slots[1])) if by == "all" else holders.get(index, 0)
            progress_lines[name] = Line(
                counts=counts_by_name[name],
                times=_times(campaign, rows),
                hit=_hit(campaign, rows),
                pace=pace(
                    *finish_times(campaign, rows), left=counts_by_name[name].left, now_s=now_s
                ),
                people=1 if by == "person" else people,
            )
    return progress_lines


def _times(campaign: CampaignWork, rows: Indices) -> Times:
    timed = rows[(campaign.status[rows] == SUBMITTED) & ~np.isnan(campaign.active_ms[rows])]
    if not len(timed):
        return Times(0, None, None, None, None)
    shared, _ = whole_weights(campaign.task[timed].tolist())
    active, wall = campaign.active_ms[timed].tolist(), campaign.wall_ms[timed].tolist()
    q1, median, q3 = (weighted_quantile(active, shared, Fraction(n, 4)) / 1000 for n in (1, 2, 3))
    return Times(len(timed), median, q1, q3, weighted_quantile(wall, shared, Fraction(1, 2)) / 1000)


def _hit(campaign: CampaignWork, rows: Indices) -> Mean:
    measured = rows[(campaign.status[rows] == SUBMITTED) & ~np.isnan(campaign.hit[rows])]
    shared = np.array(weights(campaign.task[measured].tolist()))
    return clustered_mean(campaign.hit[measured], campaign.task[measured], shared, share=True)


def finish_times(campaign: CampaignWork, rows: Indices | None = None) -> tuple[Numbers, Flags]:
    """When attempts were submitted or skipped, and which of these were submitted.

    Args:
        rows: of these attempts; default: all. Those without a known time are left out.
    """
    attempts = np.arange(len(campaign.status)) if rows is None else rows
    finished = attempts[~np.isnan(campaign.handed_s[attempts])]
    return campaign.handed_s[finished], campaign.status[finished] == SUBMITTED


def review_counts(campaign: CampaignWork) -> dict[str, int]:
    """Review status → tasks."""
    names, numbers = np.unique(campaign.task_status, return_counts=True)
    status_counts = zip(names.tolist(), numbers.tolist(), strict=True)
    return {name: number for name, number in status_counts if name}
