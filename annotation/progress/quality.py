"""How well each person works while a campaign runs: by period, and when to raise an alert.

Definitions are in docs/metrics.md, Quality in production. Shares of correct or consistent tasks
have Wilson's interval. Agreement with others has Student's t interval over tasks; times have it on
the logarithmic scale. A difference of two shares has Newcombe's hybrid score interval (1998,
*Statistics in Medicine* 17, method 10), one of two means Welch's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean, median, stdev
from typing import Literal

from pagetrail.annotation.protocols.quality import QualityPart
from pagetrail.annotation.statistics.student_t import two_sided_t
from pagetrail.annotation.statistics.wilson import wilson

Period = Literal["tenth", "week"]
AlertKind = Literal["gold", "consistency", "speed", "drift_gold", "drift_agreement"]
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Scored:
    """A value of a finished task, 0–1 or seconds, and when it was finished (ISO-8601 UTC)."""

    at: str
    value: float


@dataclass(frozen=True)
class MeanEstimate:
    """A mean with its interval; None where there is nothing, or too little for an interval."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass
class PersonWork:
    """What a person has finished.

    Attributes:
        finished: when each task was finished, checks included; ISO-8601 UTC.
        gold: 1 for each hidden gold task that is right in every part, 0 for each that is wrong.
        undecided: when hidden gold tasks were finished that are neither.
        consistency: 1 for each repeated task that was done the same way both times, else 0.
        agreement: of each task that others have done: mean similarity with them, 0–1.
        seconds: active time per task.
        time_corrected: when tasks were finished during which the server's clock was set.
    """

    finished: list[str] = field(default_factory=list)
    gold: list[Scored] = field(default_factory=list)
    consistency: list[Scored] = field(default_factory=list)
    agreement: list[Scored] = field(default_factory=list)
    seconds: list[Scored] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    time_corrected: list[str] = field(default_factory=list)

    @classmethod
    def combine(cls, people_work: Iterable[PersonWork]) -> PersonWork:
        """The work of several people as if one had done it."""
        combined = cls()
        for person_work in people_work:
            combined.finished += person_work.finished
            combined.gold += person_work.gold
            combined.consistency += person_work.consistency
            combined.agreement += person_work.agreement
            combined.seconds += person_work.seconds
            combined.undecided += person_work.undecided
            combined.time_corrected += person_work.time_corrected
        return combined

    def restricted_to(self, inside: Callable[[str], bool]) -> PersonWork:
        """Work finished at times for which ``inside`` holds."""

        def inside_period(scored: Sequence[Scored]) -> list[Scored]:
            return [score for score in scored if inside(score.at)]

        return PersonWork(
            [at for at in self.finished if inside(at)],
            inside_period(self.gold),
            inside_period(self.consistency),
            inside_period(self.agreement),
            inside_period(self.seconds),
            [at for at in self.undecided if inside(at)],
            [at for at in self.time_corrected if inside(at)],
        )


@dataclass(frozen=True)
class Alert:
    """Something about a person that a supervisor should look at.

    Attributes:
        value: of a drift, the second half minus the first.
        threshold: below which there is an alert; None of a drift, whose interval is below 0.
        n: tasks that it rests on; of a drift, those of the half with fewer.
    """

    person: str
    kind: AlertKind
    value: float
    low: float | None
    high: float | None
    n: int
    threshold: float | None = None


def proportion(scored: Sequence[Scored]) -> MeanEstimate:
    """Share of ones."""
    n = len(scored)
    hits = round(sum(score.value for score in scored))
    low, high = wilson(hits, n) or (None, None)
    return MeanEstimate(hits / n if n else None, low, high, n)


def mean(scored: Sequence[Scored]) -> MeanEstimate:
    """Mean of values in [0, 1]."""
    estimate = _t_mean([score.value for score in scored])
    if estimate.low is None or estimate.high is None:
        return estimate
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    return MeanEstimate(estimate.value, low, high, estimate.n)


def typical_seconds(scored: Sequence[Scored]) -> MeanEstimate:
    """Geometric mean."""
    log_mean = _t_mean([math.log(score.value) for score in scored if score.value > 0])
    value, low, high = (
        None if bound is None else math.exp(bound)
        for bound in (log_mean.value, log_mean.low, log_mean.high)
    )
    return MeanEstimate(value, low, high, log_mean.n)


def _t_mean(values: Sequence[float]) -> MeanEstimate:
    n = len(values)
    if n < 2:
        return MeanEstimate(values[0] if n else None, None, None, n)
    middle, spread = fmean(values), stdev(values)
    if spread == 0:
        return MeanEstimate(middle, None, None, n)
    margin = two_sided_t(CONFIDENCE, n - 1) * spread / math.sqrt(n)
    return MeanEstimate(middle, middle - margin, middle + margin, n)


def periods(person_work: PersonWork, by: Period) -> Iterator[tuple[str, PersonWork]]:
    """The person's work by calendar week (ISO, UTC), or by tenths of what is finished.

    Work finished at the same time is in one tenth, that of the first.
    """
    finish_times = sorted(person_work.finished)
    period_of: dict[str, str] = {}
    for position, at in enumerate(finish_times):
        if by == "week":
            period_of[at] = _week(at)
        else:
            # The largest k with ⌊k · n / 10⌋ ≤ position; of fewer than ten, some k have none.
            tenth = ((position + 1) * 10 - 1) // len(finish_times)
            period_of.setdefault(at, f"{tenth + 1} of 10")
    for period in dict.fromkeys(period_of.values()):
        in_period = {at for at, name in period_of.items() if name == period}
        yield period, person_work.restricted_to(in_period.__contains__)


def _week(at: str) -> str:
    year, week, _ = datetime.fromisoformat(at).isocalendar()
    return f"{year}-W{week:02d}"


def alerts(people: Mapping[str, PersonWork], quality: QualityPart) -> list[Alert]:
    """By person, then kind. None rests on fewer than ``quality.alert_from`` tasks."""
    raised_alerts: list[Alert] = []
    min_tasks = quality.alert_from
    for person, person_work in people.items():
        shares: tuple[tuple[AlertKind, Sequence[Scored], float], ...] = (
            ("gold", person_work.gold, quality.alert_gold),
            ("consistency", person_work.consistency, quality.alert_consistency),
        )
        for kind, scored, limit in shares:
            share = proportion(scored)
            if share.value is not None and share.n >= min_tasks and share.value < limit:
                raised_alerts.append(
                    Alert(person, kind, share.value, share.low, share.high, share.n, limit)
                )
        others_seconds = [
            s.value for name, w in people.items() if name != person for s in w.seconds
        ]
        own_seconds = [score.value for score in person_work.seconds]
        if (
            len(own_seconds) >= min_tasks
            and len(others_seconds) >= min_tasks
            and median(others_seconds) > 0
        ):
            ratio = median(own_seconds) / median(others_seconds)
            if ratio < quality.alert_speed:
                raised_alerts.append(
                    Alert(person, "speed", ratio, None, None, len(own_seconds), quality.alert_speed)
                )
        raised_alerts += _drifts(person, person_work, min_tasks)
    return raised_alerts


def _drifts(person: str, person_work: PersonWork, min_tasks: int) -> Iterator[Alert]:
    finish_times = sorted(person_work.finished)
    middle = finish_times[len(finish_times) // 2] if finish_times else ""
    first, second = (
        person_work.restricted_to(lambda at: at < middle),
        person_work.restricted_to(lambda at: at >= middle),
    )
    halves: tuple[tuple[AlertKind, MeanEstimate], ...] = (
        ("drift_gold", share_difference(proportion(first.gold), proportion(second.gold))),
        ("drift_agreement", mean_difference(first.agreement, second.agreement)),
    )
    for kind, change in halves:
        if change.n >= min_tasks and change.value is not None and (change.high or 0.0) < 0:
            yield Alert(person, kind, change.value, change.low, change.high, change.n)


def share_difference(first: MeanEstimate, second: MeanEstimate) -> MeanEstimate:
    """The second share minus the first; n is the smaller number."""
    n = min(first.n, second.n)
    if first.value is None or second.value is None:
        return MeanEstimate(None, None, None, n)
    assert first.low is not None and first.high is not None
    assert second.low is not None and second.high is not None
    change = second.value - first.value
    down = math.hypot(second.value - second.low, first.high - first.value)
    up = math.hypot(second.high - second.value, first.value - first.low)
    return MeanEstimate(change, change - down, change + up, n)


def mean_difference(first: Sequence[Scored], second: Sequence[Scored]) -> MeanEstimate:
    """The mean of the second minus that of the first; n is the smaller number."""
    n = min(len(first), len(second))
    if n < 2:
        return MeanEstimate(None, None, None, n)
    parts = [
        (fmean(values), stdev(values) ** 2 / len(values), len(values))
        for values in ([score.value for score in half] for half in (first, second))
    ]
    change, variance = parts[1][0] - parts[0][0], parts[0][1] + parts[1][1]
    if variance == 0:
        return MeanEstimate(change, None, None, n)
    freedom = variance**2 / sum(v**2 / (size - 1) for _, v, size in parts)
    margin = two_sided_t(CONFIDENCE, freedom) * math.sqrt(variance)
    return MeanEstimate(change, change - margin, change + margin, n)
