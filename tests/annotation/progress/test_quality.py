"""Quality in production: periods, intervals of differences, and when there is an alert."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scipy.stats import ttest_ind

from pagetrail.annotation.progress.quality import (
    AlertKind,
    PersonWork,
    Scored,
    alerts,
    mean_difference,
    periods,
    proportion,
    share_difference,
    typical_seconds,
)
from pagetrail.annotation.protocols.quality import QualityPart


def scored(values: Sequence[float]) -> list[Scored]:
    """One task per minute."""
    return [Scored(f"2026-01-05T00:{n:02d}:00+00:00", value) for n, value in enumerate(values)]


def person(
    gold: Sequence[float] = (),
    repeats: Sequence[float] = (),
    agreement: Sequence[float] = (),
    s: Sequence[float] = (),
) -> PersonWork:
    """Somebody whose finished tasks are the longest of these."""
    n = max(map(len, (gold, repeats, agreement, s)))
    finished_at = [score.at for score in scored([0.0] * n)]
    return PersonWork(finished_at, scored(gold), scored(repeats), scored(agreement), scored(s))


def test_the_difference_of_shares_is_newcombes() -> None:
    """56/70 less 48/80 is 0.2, from 0.0524 to 0.3339 (Newcombe 1998, table II, method 10)."""
    first = proportion(scored([1.0] * 48 + [0.0] * 32))
    second = proportion(scored([1.0] * 56 + [0.0] * 14))
    difference = share_difference(first, second)
    assert difference.value == pytest.approx(0.2)
    assert (difference.low, difference.high) == (
        pytest.approx(0.0524, abs=5e-5),
        pytest.approx(0.3339, abs=5e-5),
    )
    assert difference.n == 70


def test_the_difference_of_means_is_welchs() -> None:
    """As scipy.stats.ttest_ind(equal_var=False) has it."""
    first, second = [0.9, 0.8, 1.0, 0.7, 0.9, 0.6], [0.5, 0.4, 0.9, 0.3]
    difference = mean_difference(scored(first), scored(second))
    expected = ttest_ind(second, first, equal_var=False).confidence_interval(0.95)
    assert (difference.low, difference.high) == (
        pytest.approx(expected.low),
        pytest.approx(expected.high),
    )
    assert typical_seconds(scored([10.0, 1000.0])).value == pytest.approx(100.0)


def test_periods_hold_each_task_once() -> None:
    """Tenths of fewer than ten tasks leave some out; weeks begin on Monday."""
    person_work = person(s=[1.0] * 25)
    tenths = dict(periods(person_work, "tenth"))
    assert [len(part.finished) for part in tenths.values()] == [2, 3] * 5
    assert list(dict(periods(person(s=[1.0] * 2), "tenth"))) == ["5 of 10", "10 of 10"]
    at_once = PersonWork(["2026-01-05T09:00:00+00:00"] * 20)
    assert {period: len(part.finished) for period, part in periods(at_once, "tenth")} == {
        "1 of 10": 20
    }
    sunday = Scored("2026-01-04T23:59:00+00:00", 1.0)
    with_sunday = PersonWork(
        [sunday.at, *person_work.finished], seconds=[sunday, *person_work.seconds]
    )
    weeks = {week: len(part.seconds) for week, part in periods(with_sunday, "week")}
    assert weeks == {"2026-W01": 1, "2026-W02": 25}


@pytest.mark.parametrize(
    ("person_work", "kinds"),
    [
        (person(gold=[0.0] * 9), []),
        (person(gold=[0.0] * 4 + [1.0] * 6), ["gold"]),
        (person(gold=[0.0] * 3 + [1.0] * 7), []),
        (person(repeats=[0.0] * 5 + [1.0] * 5), ["consistency"]),
        (person(s=[7.9] * 10), ["speed"]),
        (person(s=[8.0] * 10), []),
        (person(s=[1.0] * 9), []),
        (person(gold=[1.0] * 30 + [0.0] * 9 + [1.0] * 21), ["drift_gold"]),
        (person(agreement=[0.9, 1.0] * 5 + [0.2, 0.4] * 5), ["drift_agreement"]),
        (person(agreement=[0.9, 1.0] * 4 + [0.2, 0.4] * 4), []),
    ],
)
def test_alerts_rest_on_enough_tasks(person_work: PersonWork, kinds: list[AlertKind]) -> None:
    """Never on fewer than ten, and only below the threshold."""
    people = {"Ada": person_work, "Bo": person(s=[20.0] * 10)}
    person_alerts = [alert for alert in alerts(people, QualityPart()) if alert.person == "Ada"]
    assert [alert.kind for alert in person_alerts] == kinds
    assert all(alert.n >= 10 for alert in person_alerts)
