"""Agreement on samples with unequal inclusion probabilities."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.agreement.weighted_pairs import weighted_coefficients
from pagetrail.annotation.agreement.weights import Weights

CATEGORIES = (0.0, 0.5, 1.0)
KEYS = ("percent_agreement", "cohen_kappa", "gwet_ac")

Pairs = list[tuple[float, float]]


def generated_pairs(n: int, seed: int) -> Pairs:
    """A judgement of people and the verdict of a judge who is right in four of five answers."""
    draw = random.Random(seed)
    judgements = [draw.choices(CATEGORIES, (3, 1, 6))[0] for _ in range(n)]
    return [(j, j if draw.random() < 0.8 else draw.choice(CATEGORIES)) for j in judgements]


def kappa_by_hand(pairs: Pairs, unit_weights: list[float]) -> float:
    """Cohen's kappa from its definition, with weighted counts."""
    total = sum(unit_weights)
    people, judge, agreeing = Counter[float](), Counter[float](), 0.0
    for (judgement, verdict), weight in zip(pairs, unit_weights, strict=True):
        people[judgement] += weight / total
        judge[verdict] += weight / total
        agreeing += weight / total * (judgement == verdict)
    chance = sum(people[category] * judge[category] for category in CATEGORIES)
    return (agreeing - chance) / (1 - chance)


@pytest.mark.parametrize("weights", ["identity", "quadratic"])
@pytest.mark.parametrize("seed", range(5))
def test_whole_weights_are_repeated_units(weights: Weights, seed: int) -> None:
    """A unit with weight 3 counts as three; the coefficients without weights are the reference."""
    pairs = generated_pairs(60, seed)
    unit_weights = [1 + n % 4 for n in range(60)]
    weighted = weighted_coefficients(
        pairs,
        unit_weights,
        list(range(60)),
        categories=CATEGORIES,
        weights=weights,
        keys=KEYS,
        replicates=50,
    )
    repeated = [pair for pair, n in zip(pairs, unit_weights, strict=True) for _ in range(n)]
    reference = coefficients(repeated, categories=CATEGORIES, weights=weights)
    for key in KEYS:
        assert weighted[key].value == pytest.approx(reference[key].value, abs=1e-12)
        low, high = weighted[key].low, weighted[key].high
        assert low is not None and high is not None
        assert low < (weighted[key].value or 0) < high


def test_kappa_by_its_definition() -> None:
    """Weights that are no whole numbers."""
    pairs = generated_pairs(40, 9)
    unit_weights = [0.3 + n / 7 for n in range(40)]
    weighted = weighted_coefficients(
        pairs, unit_weights, pairs, categories=CATEGORIES, weights="identity", keys=KEYS
    )
    kappa = weighted["cohen_kappa"].value
    assert kappa == pytest.approx(kappa_by_hand(pairs, unit_weights), abs=1e-12)


def test_a_sample_by_verdict_estimates_the_kappa_of_all() -> None:
    """Every second correct verdict and every tenth other one; unweighted, kappa would be wrong."""
    population = [pair for pair in generated_pairs(200, 3) for _ in range(10)]
    correct = [pair for pair in population if pair[1] == 1.0]
    others = [pair for pair in population if pair[1] != 1.0]
    sample = [*correct[::10], *others[::2]]
    unit_weights = [10.0] * len(correct[::10]) + [2.0] * len(others[::2])
    weighted = weighted_coefficients(
        sample,
        unit_weights,
        list(range(len(sample))),
        categories=CATEGORIES,
        weights="identity",
        keys=KEYS,
        replicates=50,
    )
    all_units = coefficients(population, categories=CATEGORIES)["cohen_kappa"].value
    unweighted = coefficients(sample, categories=CATEGORIES)["cohen_kappa"].value
    assert all_units is not None and unweighted is not None
    assert weighted["cohen_kappa"].value == pytest.approx(all_units, abs=1e-12)
    assert abs(unweighted - all_units) > 0.02


def test_the_order_of_units_makes_no_difference() -> None:
    """Nor do the names of clusters."""
    pairs = generated_pairs(30, 4)
    unit_weights = [1.0 + n % 3 for n in range(30)]
    order = random.Random(1).sample(range(30), 30)
    results = [
        weighted_coefficients(
            [pairs[n] for n in rows],
            [unit_weights[n] for n in rows],
            [f"{prefix}{n // 2}" for n in rows],
            categories=CATEGORIES,
            weights="quadratic",
            keys=KEYS,
            replicates=100,
        )
        for prefix, rows in (("q", range(30)), ("task ", order))
    ]
    for key in KEYS:
        assert results[0][key].low == pytest.approx(results[1][key].low, abs=1e-12)
        assert results[0][key].value == pytest.approx(results[1][key].value, abs=1e-12)


def test_without_variation_kappa_is_undefined() -> None:
    """All answers are correct, and all verdicts say so."""
    weighted = weighted_coefficients(
        [(1.0, 1.0)] * 4,
        [1.0] * 4,
        list(range(4)),
        categories=CATEGORIES,
        weights="identity",
        keys=KEYS,
        replicates=20,
    )
    assert (weighted["cohen_kappa"].value, weighted["cohen_kappa"].reason) == (None, "no_variation")
    assert weighted["percent_agreement"].value == 1.0
    assert weighted["percent_agreement"].low is None
