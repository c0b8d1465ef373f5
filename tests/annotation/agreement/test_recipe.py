"""The recipe of a coefficient in docs/extending.md: one class and its entry in the registry."""

from __future__ import annotations

import numpy as np
import pytest

from pagetrail.annotation.agreement import COEFFICIENTS, Coefficient, bootstrap, coefficients
from pagetrail.annotation.agreement.coefficient import Design
from pagetrail.annotation.agreement.sufficient_statistics import UnitSums
from pagetrail.annotation.agreement.weights import Matrix
from pagetrail.annotation.ratings.schemes import Scheme
from pagetrail.exports.reports.agreement.field_agreement import (
    Line,
    cells_of,
    columns_of,
    keys_of,
    points_of,
)
from scripts.metric_tables import PAGE, with_metric_tables

RATINGS = [[1, 1], [2, 2], [2, 1], [2, 2], [1, 1], [1, 2]]
SCHEME = Scheme(
    key="grade",
    label="Grade",
    scope="task",
    kind="choice",
    categories=("1", "2"),
    category_labels=("1", "2"),
)


class HalfByChance(Coefficient):
    """Agreement above one half, whatever the categories."""

    key = "half_by_chance"
    name = "agreement above one half"
    chance_formula = "½"
    source = "this test"
    heading = "Above ½"
    explanation = "Chance agreement of one half."
    in_charts = True

    def chance(self, sums: UnitSums, design: Design) -> Matrix:
        return np.full_like(sums.pairable, 0.5, dtype=np.float64)


def test_a_coefficient_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates, intervals, columns, charts and docs have it."""
    monkeypatch.setitem(COEFFICIENTS, "half_by_chance", HalfByChance())
    estimate = coefficients(RATINGS, categories=[1, 2])["half_by_chance"]
    assert estimate.value == pytest.approx((4 / 6 - 0.5) / 0.5)
    assert estimate.se is not None
    assert (estimate.n_units, estimate.n_pairs) == (6, 6)

    intervals = bootstrap(RATINGS, categories=[1, 2], level="nominal", clusters=None)
    interval = intervals["half_by_chance"]
    assert interval.ci is not None and interval.value == estimate.value

    keys = keys_of(SCHEME)
    column = columns_of(SCHEME, keys, "Tasks")[-1]
    assert (column.key, column.label, column.help) == (
        "half_by_chance",
        "Above ½",
        "Chance agreement of one half.",
    )
    line = Line(units=6, rated_once=0, pairs=6, clusters=6, intervals=intervals)
    assert cells_of(line, keys)["half_by_chance"].value == estimate.value
    assert [point[1] for point in points_of({"all": line}, SCHEME)] == [
        "α (nominal)",
        "Gwet's AC1",
        "Above ½",
    ]
    docs = with_metric_tables(PAGE.read_text(encoding="utf-8"))
    assert "| `half_by_chance` | agreement above one half | ½ | this test |" in docs


def test_nothing_of_the_toy_coefficient_stays() -> None:
    """Other tests see the coefficients of the product only."""
    assert "half_by_chance" not in COEFFICIENTS
