"""Bounds of the security log."""

from __future__ import annotations

import pytest

from pagetrail.app.services.security_log import Throttle


def test_a_full_throttle_forgets_the_oldest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand invented names do not set everybody's count back."""
    monkeypatch.setattr("pagetrail.app.services.security_log._MAX_CALLERS", 3)
    throttle = Throttle(1, 60)
    for caller in "abcd":
        throttle.count_failure(caller)
    assert [throttle.allows(caller) for caller in "abcd"] == [True, False, False, False]
