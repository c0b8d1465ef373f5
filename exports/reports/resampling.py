"""Draws the intervals of a report, once for the same data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pagetrail.annotation.agreement import BootstrappedCoefficient, bootstrap
from pagetrail.annotation.agreement.weighted_pairs import (
    WeightedCoefficient,
    weighted_coefficients,
)
from pagetrail.annotation.metrics.complementarity import (
    JointAccuracy,
    JointTasks,
    joint_accuracies,
)
from pagetrail.annotation.metrics.time_horizon import HorizonFit, TimedTask, horizon_fit
from pagetrail.annotation.ratings.numbers import number_row
from pagetrail.annotation.statistics.annotator_bootstrap import (
    mean_over_tasks_and_annotators,
    pair_over_tasks_and_annotators,
)
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt, weighted_task_sums
from pagetrail.annotation.statistics.task_bootstrap import (
    UNBOUNDED,
    TaskInterval,
    TaskSums,
    interval_of_ratio,
    interval_of_sums,
    task_sums,
)
from pagetrail.exports.reading.source import DrawProgress, Source
from pagetrail.storage.snapshot.result_cache import ResultCache, program_digest

T = TypeVar("T")

ResampledUnits = Literal["tasks", "tasks_and_annotators"]
RESAMPLED_UNITS: tuple[ResampledUnits, ...] = get_args(ResampledUnits)

Intervals = dict[str, BootstrappedCoefficient]
CategoryNumbers = NDArray[np.float64]

_WEIGHTED = TypeAdapter(dict[str, WeightedCoefficient])
_MEAN = TypeAdapter(TaskInterval)
_INTERVALS = TypeAdapter(Intervals)
_HORIZON = TypeAdapter(HorizonFit)
_JOINT = TypeAdapter(list[JointAccuracy])


@dataclass(frozen=True)
class Resampling:
    """Intervals over resampled tasks, cached by the data that they are drawn from.

    Attributes:
        replicates, seed: of the draws.
        report_drawn: is told how many were drawn.
        units: what is resampled for means over attempts: tasks, or tasks and annotators.
    """

    replicates: int
    seed: int
    cache: ResultCache = field(default_factory=ResultCache, compare=False)
    report_drawn: DrawProgress | None = field(default=None, compare=False)
    units: ResampledUnits = "tasks"
    _digests: list[bytes] = field(default_factory=list, compare=False)

    @classmethod
    def for_report(
        cls, source: Source, replicates: int, seed: int, units: ResampledUnits = "tasks"
    ) -> Resampling:
        """For a report of a campaign."""
        return cls(replicates, seed, source.cache, source.drawn, units)

    def attempts(self, attempts: Sequence[ScoredAttempt]) -> TaskInterval:
        """The interval of ``weighted_mean``, over what is resampled."""
        if self.units == "tasks":
            return self._of_sums(weighted_task_sums(attempts))
        return self._cached_interval(
            _MEAN,
            ("attempts", _in_order(attempts)),
            (),
            lambda: mean_over_tasks_and_annotators(
                attempts, replicates=self.replicates, seed=self.seed
            ),
        )

    def pair(
        self,
        name: str,
        a: Sequence[ScoredAttempt],
        b: Sequence[ScoredAttempt],
        statistic: Callable[[CategoryNumbers, CategoryNumbers, CategoryNumbers], CategoryNumbers],
    ) -> TaskInterval:
        """The interval of a statistic of two participants over tasks and annotators.

        Args:
            name: of the statistic, part of the cache key.
            a, b, statistic: as of ``pair_over_tasks_and_annotators``.
        """
        return self._cached_interval(
            _MEAN,
            ("pair", name, _in_order(a), _in_order(b)),
            (),
            lambda: pair_over_tasks_and_annotators(
                a, b, statistic, replicates=self.replicates, seed=self.seed
            ),
        )

    def ratio(
        self, numerators: Sequence[ScoredAttempt], denominators: Sequence[ScoredAttempt]
    ) -> TaskInterval:
        """The interval of the quotient of two weighted means over the same attempts."""
        if self.units == "tasks":
            tops, bottoms = weighted_task_sums(numerators), weighted_task_sums(denominators)
            return self._cached_interval(
                _MEAN,
                ("ratio",),
                (tops.sums, bottoms.sums),
                lambda: interval_of_ratio(
                    tops.sums, bottoms.sums, replicates=self.replicates, seed=self.seed
                ),
            )
        # The denominator may be 0 in a draw, so that the inverse is drawn.
        inverse = self.pair("inverse_ratio", numerators, denominators, _inverse_ratio)
        if inverse.low is None or inverse.high is None:
            return inverse
        if inverse.low <= 0:
            return replace(inverse, low=None, high=None, se=None, reason=UNBOUNDED)
        return replace(inverse, low=1 / inverse.high, high=1 / inverse.low, se=None)

    def mean(self, scored: Iterable[tuple[str, float]], *, per_task: bool = True) -> TaskInterval:
        """The interval of a mean of (task, score) pairs, as ``mean_interval``."""
        return self._of_sums(task_sums(scored, per_task=per_task))

    def _of_sums(self, tasks: TaskSums) -> TaskInterval:
        return self._cached_interval(
            _MEAN,
            ("mean",),
            (tasks.sums, tasks.sizes),
            lambda: interval_of_sums(tasks, replicates=self.replicates, seed=self.seed),
        )

    def coefficients(
        self, ratings: CategoryNumbers, *, clusters: Sequence[Hashable], **choices: Any
    ) -> Intervals:
        """The intervals of coefficients, as ``bootstrap`` with the same arguments."""
        return self._cached_interval(
            _INTERVALS,
            ("coefficients", sorted((name, repr(value)) for name, value in choices.items())),
            (ratings, _numbered(clusters)),
            lambda: bootstrap(
                ratings,
                clusters=clusters,
                replicates=self.replicates,
                seed=self.seed,
                **choices,
            ),
        )

    def weighted_coefficients(
        self,
        ratings: Sequence[tuple[float, float]],
        unit_weights: Sequence[float],
        clusters: Sequence[Hashable],
        **choices: Any,
    ) -> dict[str, WeightedCoefficient]:
        """Coefficients of two raters on weighted units, as ``weighted_coefficients``."""
        return self._cached_interval(
            _WEIGHTED,
            ("weighted-coefficients", sorted((name, repr(v)) for name, v in choices.items())),
            (np.array(ratings), np.array(unit_weights), _numbered(clusters)),
            lambda: weighted_coefficients(
                ratings,
                unit_weights,
                clusters,
                replicates=self.replicates,
                seed=self.seed,
                **choices,
            ),
        )

    def numbers(self, values: CategoryNumbers, clusters: Sequence[Hashable]) -> Intervals:
        """The intervals of numbers, as ``number_row``."""
        return self._cached_interval(
            _INTERVALS,
            ("numbers",),
            (values, _numbered(clusters)),
            lambda: (
                number_row(values, clusters, replicates=self.replicates, seed=self.seed).intervals
            ),
        )

    def horizon(self, tasks: Sequence[TimedTask], *, with_unsolved: bool) -> HorizonFit:
        """A time horizon with its interval, as ``horizon_fit``; always over tasks."""
        return self._cached_interval(
            _HORIZON,
            ("horizon", with_unsolved, sorted(tasks)),
            (),
            lambda: horizon_fit(
                tasks, with_unsolved=with_unsolved, replicates=self.replicates, seed=self.seed
            ),
        )

    def joint(self, joint: JointTasks) -> list[JointAccuracy]:
        """Accuracies of people and a system together, as ``joint_accuracies``; over tasks."""
        return self._cached_interval(
            _JOINT,
            ("joint", joint),
            (),
            lambda: joint_accuracies(joint, replicates=self.replicates, seed=self.seed),
        )

    def _cached_interval(
        self,
        adapter: TypeAdapter[T],
        inputs: tuple[object, ...],
        data: Sequence[NDArray[Any]],
        draw: Callable[[], T],
    ) -> T:
        digest = hashlib.sha256(program_digest())
        digest.update(json.dumps([*inputs, self.replicates, self.seed]).encode())
        for array in data:
            digest.update(repr((array.shape, array.dtype.str)).encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        key = digest.digest()
        stored = self.cache.find(key)
        if stored is not None:
            return adapter.validate_json(stored)
        interval = draw()
        self._digests.append(key)
        if self.report_drawn is not None:
            self.report_drawn(len(self._digests))
        self.cache.store(key, adapter.dump_json(interval))
        return interval


def _inverse_ratio(
    numerators: CategoryNumbers, denominators: CategoryNumbers, _: CategoryNumbers
) -> CategoryNumbers:
    """NaN where the numerator is 0."""
    is_positive = numerators > 0
    return np.where(is_positive, denominators / np.where(is_positive, numerators, 1), np.nan)


def _in_order(attempts: Sequence[ScoredAttempt]) -> list[ScoredAttempt]:
    return sorted(attempts, key=repr)


def _numbered(clusters: Sequence[Hashable]) -> NDArray[np.int64]:
    """Clusters numbered in order of first occurrence, since their names do not matter."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(name, len(number)) for name in clusters], dtype=np.int64)
