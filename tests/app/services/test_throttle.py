"""The limit that is kept in memory."""

from __future__ import annotations

import pytest

from pagetrail.app.services.throttle import Throttle


def test_a_full_throttle_forgets_the_oldest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand invented names do not set everybody's count back."""
    monkeypatch.setattr("pagetrail.app.services.throttle._MAX_CALLERS", 3)
    throttle = Throttle(1, 60)
    for caller in "abcd":
        throttle.failed(caller)
    assert [throttle.allows(caller) for caller in "abcd"] == [True, False, False, False]
