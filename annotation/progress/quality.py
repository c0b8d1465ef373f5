"""How well each person works while a campaign runs: by period, and when to raise an alert.

Definitions are in docs/metrics.md, Quality in production. Shares of right or alike tasks have
Wilson's interval. Agreement with others has Student's t interval over tasks; times have it on the
logarithmic scale. A difference of two shares has Newcombe's hybrid score interval (1998,
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
    """One finished task: when (ISO-8601 UTC), and what was found: 0–1, or seconds."""

    at: str
    value: float


@dataclass(frozen=True)
class Found:
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
        gold: 1 for each hidden gold task that is right in every part, else 0.
        alike: 1 for each repeated task that was done alike both times, else 0.
        agreement: of each task that others have done: mean similarity with them, 0–1.
        seconds: active time per task.
    """

    finished: list[str] = field(default_factory=list)
    gold: list[Scored] = field(default_factory=list)
    alike: list[Scored] = field(default_factory=list)
    agreement: list[Scored] = field(default_factory=list)
    seconds: list[Scored] = field(default_factory=list)

    @classmethod
    def together(cls, works: Iterable[PersonWork]) -> PersonWork:
        """The work of several people as if one had done it."""
        found = cls()
        for work in works:
            found.finished += work.finished
            found.gold += work.gold
            found.alike += work.alike
            found.agreement += work.agreement
            found.seconds += work.seconds
        return found

    def within(self, inside: Callable[[str], bool]) -> PersonWork:
        """What was finished at moments for which ``inside`` holds."""

        def some(scored: Sequence[Scored]) -> list[Scored]:
            return [each for each in scored if inside(each.at)]

        return PersonWork(
            [at for at in self.finished if inside(at)],
            some(self.gold),
            some(self.alike),
            some(self.agreement),
            some(self.seconds),
        )


@dataclass(frozen=True)
class Alert:
    """Something about a person that a supervisor should look at.

    Attributes:
        value: what was found; of a drift, the second half less the first.
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


def share(scored: Sequence[Scored]) -> Found:
    """Share of ones."""
    n = len(scored)
    hits = round(sum(each.value for each in scored))
    low, high = wilson(hits, n) or (None, None)
    return Found(hits / n if n else None, low, high, n)


def mean(scored: Sequence[Scored]) -> Found:
    """Mean of values in [0, 1]."""
    found = _t_mean([each.value for each in scored])
    if found.low is None or found.high is None:
        return found
    return Found(found.value, max(0.0, found.low), min(1.0, found.high), found.n)


def typical_seconds(scored: Sequence[Scored]) -> Found:
    """Geometric mean."""
    found = _t_mean([math.log(each.value) for each in scored if each.value > 0])
    value, low, high = (
        None if each is None else math.exp(each) for each in (found.value, found.low, found.high)
    )
    return Found(value, low, high, found.n)


def _t_mean(values: Sequence[float]) -> Found:
    n = len(values)
    if n < 2:
        return Found(values[0] if n else None, None, None, n)
    middle, spread = fmean(values), stdev(values)
    if spread == 0:
        return Found(middle, None, None, n)
    reach = two_sided_t(CONFIDENCE, n - 1) * spread / math.sqrt(n)
    return Found(middle, middle - reach, middle + reach, n)


def periods(work: PersonWork, by: Period) -> Iterator[tuple[str, PersonWork]]:
    """The person's work by calendar week (ISO, UTC), or by tenths of what is finished."""
    moments = sorted(work.finished)
    if by == "week":
        weeks = {at: _week(at) for at in moments}
        for week in sorted(set(weeks.values())):
            yield week, work.within({at for at in moments if weeks[at] == week}.__contains__)
        return
    for number in range(10):
        start, end = (len(moments) * edge // 10 for edge in (number, number + 1))
        if start < end:
            own = set(moments[start:end])
            yield f"{number + 1} of 10", work.within(own.__contains__)


def _week(at: str) -> str:
    year, week, _ = datetime.fromisoformat(at).isocalendar()
    return f"{year}-W{week:02d}"


def alerts(people: Mapping[str, PersonWork], quality: QualityPart) -> list[Alert]:
    """By person, then kind. None rests on fewer than ``quality.alert_from`` tasks."""
    found: list[Alert] = []
    least = quality.alert_from
    for person, work in people.items():
        shares: tuple[tuple[AlertKind, Sequence[Scored], float], ...] = (
            ("gold", work.gold, quality.alert_gold),
            ("consistency", work.alike, quality.alert_consistency),
        )
        for kind, scored, limit in shares:
            got = share(scored)
            if got.value is not None and got.n >= least and got.value < limit:
                found.append(Alert(person, kind, got.value, got.low, got.high, got.n, limit))
        others = [s.value for name, w in people.items() if name != person for s in w.seconds]
        own = [each.value for each in work.seconds]
        if len(own) >= least and len(others) >= least and median(others) > 0:
            ratio = median(own) / median(others)
            if ratio < quality.alert_speed:
                found.append(
                    Alert(person, "speed", ratio, None, None, len(own), quality.alert_speed)
                )
        found += _drifts(person, work, least)
    return found


def _drifts(person: str, work: PersonWork, least: int) -> Iterator[Alert]:
    moments = sorted(work.finished)
    middle = moments[len(moments) // 2] if moments else ""
    first, second = work.within(lambda at: at < middle), work.within(lambda at: at >= middle)
    halves: tuple[tuple[AlertKind, Found], ...] = (
        ("drift_gold", share_difference(share(first.gold), share(second.gold))),
        ("drift_agreement", mean_difference(first.agreement, second.agreement)),
    )
    for kind, change in halves:
        if change.n >= least and change.value is not None and (change.high or 0.0) < 0:
            yield Alert(person, kind, change.value, change.low, change.high, change.n)


def share_difference(first: Found, second: Found) -> Found:
    """The second share less the first; n is the smaller of theirs."""
    n = min(first.n, second.n)
    if first.value is None or second.value is None:
        return Found(None, None, None, n)
    assert first.low is not None and first.high is not None
    assert second.low is not None and second.high is not None
    change = second.value - first.value
    down = math.hypot(second.value - second.low, first.high - first.value)
    up = math.hypot(second.high - second.value, first.value - first.low)
    return Found(change, change - down, change + up, n)


def mean_difference(first: Sequence[Scored], second: Sequence[Scored]) -> Found:
    """The mean of the second less that of the first; n is the smaller number."""
    n = min(len(first), len(second))
    if n < 2:
        return Found(None, None, None, n)
    parts = [
        (fmean(values), stdev(values) ** 2 / len(values), len(values))
        for values in ([each.value for each in half] for half in (first, second))
    ]
    change, variance = parts[1][0] - parts[0][0], parts[0][1] + parts[1][1]
    if variance == 0:
        return Found(change, None, None, n)
    freedom = variance**2 / sum(v**2 / (size - 1) for _, v, size in parts)
    reach = two_sided_t(CONFIDENCE, freedom) * math.sqrt(variance)
    return Found(change, change - reach, change + reach, n)
