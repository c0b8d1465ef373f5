"""Time stamps of runs: how they are read, and the line they make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.runs.timestamps import read_stamp, time_line

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", [
    "2026-03-01T12:00:00Z", "2026-03-01T13:00:00+01:00", " 2026-03-01T12:00:00.000000Z ", NOON,
    NOON.timestamp(), int(NOON.timestamp() * 1000), str(NOON.timestamp()),
])  # fmt: skip
def test_a_moment_in_any_spelling(value: Any) -> None:
    """ISO-8601 with any zone, and seconds or milliseconds since 1970."""
    assert read_stamp(value).at == NOON
    assert read_stamp(value).zone


def test_a_time_without_a_zone_is_utc_and_says_so() -> None:
    """It is used, and whoever reads it can be told."""
    stamp = read_stamp("2026-03-01T12:00:00")
    assert stamp.at == NOON and not stamp.zone


@pytest.mark.parametrize("value", [
    None, "", "yesterday", True, [], {}, float("nan"), float("inf"), -1, 0, 10**400, 1e300,
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1969-07-20T20:17:00Z",
    "99999999999999.9999",
])  # fmt: skip
def test_what_is_no_time_is_none(value: Any) -> None:
    """Nothing that a file may hold makes a time up or raises."""
    at = read_stamp(value).at
    assert at is None or at.year < 9000
    if not isinstance(value, str) or "." not in value:
        assert at is None


def test_the_line_never_goes_backwards() -> None:
    """A stamp before the one before it happened with it, and the line says that it did."""
    steps = [NOON + timedelta(seconds=s) for s in (1, 5, 3)]
    line = time_line(NOON, [*steps, None], NOON + timedelta(seconds=6))
    assert line.steps == (1_000, 5_000, 5_000, 5_000) and line.end == 6_000
    assert line.notes == ("1 of its times go backwards; the order of the file is kept",)


def test_stamps_far_apart_are_not_used() -> None:
    """A year zero in one step does not make a run of two thousand years."""
    line = time_line(NOON, [], NOON + timedelta(days=400))
    assert not line.timed and line.end == 0 and "400 days apart" in line.notes[0]


_TIMESTAMPS = st.none() | st.datetimes(timezones=st.just(UTC))


@given(_TIMESTAMPS, st.lists(_TIMESTAMPS, max_size=6), _TIMESTAMPS)
def test_any_stamps_make_a_line(
    start: datetime | None, steps: list[datetime | None], end: datetime | None
) -> None:
    """Sorted, from 0 to the end, one number per step; all 0 where the run is not timed."""
    line = time_line(start, steps, end)
    offsets = [0, *line.steps, line.end]
    assert len(line.steps) == len(steps)
    assert offsets == sorted(offsets)
    assert line.timed or set(offsets) == {0}
