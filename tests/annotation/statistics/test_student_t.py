"""Quantiles of Student's t against printed tables and closed forms."""

from __future__ import annotations

import math

import pytest

from pagetrail.annotation.statistics.student_t import two_sided_t


@pytest.mark.parametrize(
    ("confidence", "df", "printed"),
    [
        (0.95, 1, 12.706),
        (0.95, 2, 4.303),
        (0.95, 5, 2.571),
        (0.95, 11, 2.201),
        (0.95, 30, 2.042),
        (0.99, 10, 3.169),
        (0.90, 7, 1.895),
        (0.95, 100, 1.984),
        (0.95, 1000, 1.962),
    ],
)
def test_tables(confidence: float, df: int, printed: float) -> None:
    """The quantiles of the usual printed table (Abramowitz & Stegun 1964, table 26.10)."""
    assert two_sided_t(confidence, df) == pytest.approx(printed, abs=5e-4)


@pytest.mark.parametrize("confidence", [0.1, 0.5, 0.9, 0.95, 0.999])
def test_closed_forms(confidence: float) -> None:
    """With one and with two degrees of freedom the quantile has a closed form."""
    assert two_sided_t(confidence, 1) == pytest.approx(math.tan(math.pi / 2 * confidence))
    by_hand = confidence * math.sqrt(2 / (1 - confidence**2))
    assert two_sided_t(confidence, 2) == pytest.approx(by_hand, rel=1e-13)
