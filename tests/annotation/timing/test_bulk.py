"""The quick times are those of ``annotation.timing.durations``, whatever happens in an attempt."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.timing.bulk import AttemptTime, attempt_time
from pagetrail.annotation.timing.durations import IDLE_CAPS_S, timing

PAYLOADS: dict[str, Any] = {
    type_: payload_class.model_construct() for type_, payload_class in ev.EVENT_TYPES.items()
}

LOGS = st.lists(
    st.tuples(st.sampled_from(sorted(PAYLOADS)), st.integers(0, 150_000)), min_size=1, max_size=25
)
"""(type, milliseconds since the event before)."""


def event_times(steps: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """(type, milliseconds since the first event)."""
    timed_types, now = [], 0
    for kind, after in steps:
        now += after
        timed_types.append((kind, now))
    return timed_types


@given(LOGS, st.sampled_from(IDLE_CAPS_S))
def test_active_time_is_that_of_the_whole_events(steps: list[tuple[str, int]], cap: int) -> None:
    """Every kind of event in every order: not a millisecond of difference under any cap."""
    log = event_times(steps)
    events = [
        ev.Event.model_construct(seq=n, payload=PAYLOADS[kind], elapsed_ms=elapsed)
        for n, (kind, elapsed) in enumerate(log, start=1)
    ]
    assert attempt_time(log, cap * 1000).active_ms == timing(events).active_ms[cap]


def test_by_hand() -> None:
    """A pause and a gap beyond the cap are taken out; wall time ends at the last submission."""
    log = [
        ("opened", 500),
        ("searched", 10_500),
        ("paused", 20_500),
        ("resumed", 320_500),
        ("answer_edited", 420_500),
        ("submitted", 430_500),
        ("feedback_given", 440_500),
        ("batch_closed", 9_000_000),
    ]
    assert attempt_time(log) == AttemptTime(active_ms=90_000, wall_ms=430_000)


def test_what_was_never_handed_in_has_no_wall_time() -> None:
    """Open work has active time only; no event, no time."""
    assert attempt_time([("opened", 0), ("searched", 5_000)]) == AttemptTime(5_000, None)
    assert attempt_time([]) == AttemptTime(0, None)
