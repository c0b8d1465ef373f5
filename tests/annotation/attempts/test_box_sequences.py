"""Random sequences of changes of boxes by two clients, over a log in memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.event_log import EventLog
from tests.support.box_machine import BoxMachine
from tests.support.memory_log import MemoryEventLog
from tests.support.randomness import examples


class OverMemory(BoxMachine):
    """The plain fold decides."""

    def make_log(self) -> tuple[EventLog, str]:
        return MemoryEventLog("a1"), "a1"


class TestBoxesInMemory(OverMemory.TestCase):  # type: ignore[misc, name-defined]
    """Stored boxes equal the model's after each step of any sequence."""

    settings = examples(60, stateful_step_count=40)


@examples(4)
@given(seed=st.integers(0, 10**6))
def test_a_long_sequence(seed: int) -> None:
    """The same over 250 steps, longer than what Hypothesis makes."""
    OverMemory().go(250, seed)
