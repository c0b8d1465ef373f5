"""Intervals over resampled clusters: against tables built one by one, and their coverage rules."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from pagetrail.annotation.agreement import (
    COEFFICIENTS,
    BootstrappedCoefficient,
    bootstrap,
    breakdown,
    coefficients,
)
from pagetrail.annotation.agreement.coefficient import Design
from pagetrail.annotation.agreement.estimation import prepare_table
from pagetrail.annotation.agreement.sufficient_statistics import unit_agreement, unit_sums
from pagetrail.annotation.errors import RatingError
from pagetrail.annotation.statistics.task_bootstrap import FEW_CLUSTERS, REPLICATES, SEED

CATEGORIES = [0, 1, 2]


def _clustered(clusters: int, size: int, raters: int, seed: int) -> tuple[Any, list[str]]:
    """Ratings whose units agree more within some clusters than within others."""
    draw = np.random.default_rng(seed)
    hard = np.repeat(draw.random(clusters) < 0.4, size)
    truth = draw.choice(3, clusters * size, p=[0.6, 0.25, 0.15])
    guess = draw.choice(3, (clusters * size, raters), p=[0.6, 0.25, 0.15])
    slip = draw.random(guess.shape) < np.where(hard, 0.7, 0.05)[:, None]
    ratings = np.where(slip, guess, truth[:, None]).astype(float)
    ratings[draw.random(ratings.shape) < 0.15] = np.nan
    return ratings, [f"q{unit // size}" for unit in range(clusters * size)]


def _width(interval: BootstrappedCoefficient) -> float:
    assert interval.ci is not None
    low, high = interval.ci
    return high - low


def _intervals(ratings: Any, clusters: Any, **more: Any) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "categories": CATEGORIES,
        "weights": "ordinal",
        "level": "ordinal",
        "replicates": 300,
    }
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        return dict(bootstrap(ratings, clusters=clusters, **(settings | more)))


@pytest.mark.parametrize("raters", [2, 4])
def test_a_replicate_is_the_coefficient_of_the_drawn_table(raters: int) -> None:
    """Weighted sums over clusters give what ``coefficients`` gives for the units written out."""
    ratings, clusters = _clustered(12, 6, raters, seed=3)
    table, matrix, _ = prepare_table(ratings, CATEGORIES, "ordinal", "ordinal", 0.95)
    number = np.repeat(np.arange(12), 6)
    sums = unit_sums(table, unit_agreement(table, matrix), number[table.rows], 12)
    draw = np.random.default_rng(0)
    for _ in range(20):
        drawn_clusters = draw.integers(0, 12, 12)
        drawn_ratings = ratings[
            np.concatenate([np.flatnonzero(number == cluster) for cluster in drawn_clusters])
        ]
        expected = coefficients(
            drawn_ratings, categories=CATEGORIES, weights="ordinal", level="ordinal"
        )
        times = np.bincount(drawn_clusters, minlength=12).astype(float)[None, :]
        for key in COEFFICIENTS:
            design = Design(table.scale, matrix, "ordinal")
            replicate = COEFFICIENTS[key].values(sums.weighted(times), design)[0]
            value = expected[key].value
            if value is None:
                assert np.isnan(replicate)
            else:
                assert replicate == pytest.approx(value, abs=1e-12)
    assert len(set(clusters)) == 12


def test_order_of_units_does_not_matter() -> None:
    """The same seed gives the same interval for the units in any order; another seed another."""
    ratings, clusters = _clustered(60, 5, 3, seed=1)
    order = np.random.default_rng(9).permutation(len(ratings))
    first = _intervals(ratings, clusters)
    reordered = _intervals(ratings[order], [clusters[unit] for unit in order])
    other = _intervals(ratings, clusters, seed=SEED + 1)
    for key in COEFFICIENTS:
        assert reordered[key].ci == pytest.approx(first[key].ci, abs=1e-9)
        if not COEFFICIENTS[key].needs_two_raters:
            assert other[key].ci != first[key].ci


def test_asking_for_fewer_coefficients_changes_none() -> None:
    """A coefficient's interval does not depend on which others were asked for."""
    ratings, clusters = _clustered(60, 5, 3, seed=1)
    all_intervals = _intervals(ratings, clusters)
    two = _intervals(ratings, clusters, keys=("gwet_ac", "krippendorff_alpha"))
    assert set(two) == {"gwet_ac", "krippendorff_alpha"}
    for key, interval in two.items():
        other = all_intervals[key]
        assert (interval.value, interval.ci) == (other.value, other.ci)


def test_clusters_widen_the_interval() -> None:
    """Units that agree or not together make whole questions vary: taking units as independent
    gives an interval that is clearly too short, as does the analytic error."""
    ratings, clusters = _clustered(80, 15, 3, seed=2)
    intervals = _intervals(ratings, clusters)["gwet_ac"]
    units = _intervals(ratings, None)["gwet_ac"]
    assert _width(intervals) > 1.5 * _width(units)
    assert _width(units) == pytest.approx(2 * 1.96 * units.coefficient.se, rel=0.15)
    assert intervals.ci[0] < intervals.value < intervals.ci[1]
    rated = int((~np.isnan(ratings)).any(axis=1).sum())
    assert (intervals.n_clusters, units.n_clusters) == (80, rated)


def test_defaults_and_counts() -> None:
    """2,000 replicates by default; the table's own results are there."""
    ratings, clusters = _clustered(10, 5, 3, seed=4)
    intervals = bootstrap(ratings, categories=CATEGORIES, level="nominal", clusters=clusters)
    gwet = intervals["gwet_ac"]
    assert (gwet.n_replicates, gwet.seed, gwet.n_clusters) == (REPLICATES, SEED, 10)
    assert FEW_CLUSTERS == 50
    estimates = coefficients(ratings, categories=CATEGORIES, level="nominal")
    assert gwet.coefficient == estimates["gwet_ac"]
    assert (intervals["cohen_kappa"].ci, intervals["cohen_kappa"].reason) == (
        None,
        "not_two_raters",
    )


def test_undefined_replicates_are_counted_and_left_out() -> None:
    """Tables drawn without the one cluster that varies have no kappa; AC1 they have."""
    ratings = [[1, 1], [1, 1], [1, 1], [1, 2], [2, 2]]
    intervals = _intervals(ratings, ["a", "b", "c", "d", "d"], replicates=400, categories=[1, 2])
    kappa, gwet = intervals["fleiss_kappa"], intervals["gwet_ac"]
    assert 0.2 < kappa.n_undefined / 400 < 0.45  # (3/4)⁴ = 0.316
    assert gwet.n_undefined == 0
    assert kappa.ci is not None and kappa.reason is None


@pytest.mark.parametrize(
    ("ratings", "clusters", "reason"),
    [
        ([[1, 1], [1, 2]], ["a", "a"], "one_cluster"),
        ([[1, None], [None, 2]], ["a", "b"], "no_pairable_unit"),
        ([[1, 1], [1, 1]], ["a", "b"], "no_variation"),
    ],
)
def test_no_interval(ratings: Any, clusters: Any, reason: str) -> None:
    """One cluster, nothing rated twice, no variation: no interval, and a reason."""
    intervals = _intervals(ratings, clusters, categories=[1, 2])["krippendorff_alpha"]
    assert (intervals.ci, intervals.reason) == (None, reason)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"clusters": ["a"]}, "1 clusters were given for 2 units"),
        ({"replicates": 1}, "1 replicates have no spread"),
        ({"keys": ("kappa",)}, "There is no coefficient 'kappa'"),
    ],
)
def test_bad_requests(more: dict[str, Any], message: str) -> None:
    """What cannot be drawn is refused with the value in it."""
    arguments: dict[str, Any] = {"clusters": ["a", "b"], "categories": [1, 2]} | more
    with pytest.raises(RatingError) as raised:
        bootstrap([[1, 2], [2, 2]], **arguments)
    assert message in raised.value.message


def test_breakdown_has_both_overall_rows() -> None:
    """Rows by group over the declared categories; pooled takes all units, macro all groups."""
    ratings, clusters = _clustered(40, 5, 3, seed=6)
    groups = ["short"] * 50 + ["long"] * 150
    by_group = breakdown(
        ratings,
        groups=groups,
        categories=CATEGORIES,
        weights="ordinal",
        level="ordinal",
        clusters=clusters,
        replicates=100,
    )
    assert list(by_group.rows) == ["short", "long"]
    short = coefficients(ratings[:50], categories=CATEGORIES, weights="ordinal", level="ordinal")
    estimates = coefficients(ratings, categories=CATEGORIES, weights="ordinal", level="ordinal")
    row = by_group.rows["short"].intervals["gwet_ac"]
    assert row.coefficient == short["gwet_ac"]
    assert by_group.pooled.intervals["gwet_ac"].value == estimates["gwet_ac"].value
    values = [by_group.rows[name].intervals["gwet_ac"].value for name in by_group.rows]
    assert by_group.macro["gwet_ac"].value == pytest.approx(sum(values) / 2)
    assert by_group.macro["gwet_ac"].n_groups == 2
    assert by_group.macro["cohen_kappa"].reason == "no_defined_group"
    assert (by_group.rows["short"].n_clusters, by_group.pooled.n_clusters) == (10, 40)
    assert by_group.pooled.n_units == sum(row.n_units for row in by_group.rows.values())
    assert by_group.pooled.n_pairs == sum(row.n_pairs for row in by_group.rows.values())


def test_raters_of_a_group_are_those_who_rated_in_it() -> None:
    """A pool of raters split over groups leaves no group without Conger's or Cohen's kappa."""
    rows = [[1, 2, None, None], [2, 2, None, None], [None, None, 1, 1], [None, None, 2, 1]]
    for table in (rows, np.array(rows, dtype=float)):
        by_group = breakdown(
            table,
            groups=["a", "a", "b", "b"],
            categories=[1, 2],
            clusters=None,
            keys=("cohen_kappa", "conger_kappa"),
            replicates=10,
        )
        for row in by_group.rows.values():
            assert row.intervals["cohen_kappa"].coefficient.n_units == 2
            assert row.intervals["conger_kappa"].value is not None
        assert by_group.pooled.intervals["cohen_kappa"].reason == "not_two_raters"
    with pytest.raises(RatingError, match="3 groups were given for 4 units"):
        breakdown(rows, groups=[1, 2, 3], categories=[1, 2], clusters=None)
