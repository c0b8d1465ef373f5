"""Dawid–Skene against two other implementations."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from pagetrail.annotation.metrics.dawid_skene import LabelledItem, dawid_skene
from tests.annotation.metrics.label_tables import label_table

REFERENCE = json.loads(Path(__file__).with_name("dawid_skene_reference.json").read_text())


def items_of(rows: Sequence[tuple[str, str, str]], classes: Sequence[str]) -> list[LabelledItem]:
    names = dict.fromkeys(item for item, _, _ in rows)
    return [
        LabelledItem(
            classes,
            [(participant, label) for item, participant, label in rows if item == name],
            classes="field",
        )
        for name in names
    ]


@pytest.mark.parametrize("seed", range(50))
def test_posteriors_equal_those_of_crowd_kit(seed: int) -> None:
    rows, expected = label_table(seed), REFERENCE[seed]
    classes = sorted({label for _, _, label in rows})

    model = dawid_skene(items_of(rows, classes), smoothing=0)

    assert model.accuracies == pytest.approx(expected["accuracies"], abs=1e-6)
    names = dict.fromkeys(item for item, _, _ in rows)
    for name, posterior in zip(names, model.posteriors, strict=True):
        assert posterior == pytest.approx(expected["posteriors"][name], abs=1e-6)


@pytest.mark.parametrize("seed", range(50))
def test_smoothed_model_of_own_candidates_equals_loops_over_the_formulas(seed: int) -> None:
    rows = label_table(seed)
    items = [
        LabelledItem(sorted({label for _, label in item.labels} | {"gold"}), item.labels)
        for item in items_of(rows, ("0", "1", "2"))
    ]
    # A family gives two labels to the first item.
    items[0] = LabelledItem(("0", "1", "gold"), [("p0", "0"), ("p0", "1"), ("p1", "gold")])

    model = dawid_skene(items)

    accuracies, posteriors = plain_loops(items)
    assert model.accuracies == pytest.approx(accuracies, abs=1e-6)
    for posterior, expected in zip(model.posteriors, posteriors, strict=True):
        assert posterior == pytest.approx(expected, abs=1e-6)


def plain_loops(items: Sequence[LabelledItem]) -> tuple[dict[str, float], list[dict[str, float]]]:
    """The one-coin model with add-one smoothing and even priors, without arrays."""
    votes = [
        [
            (name, label, 1 / sum(other == name for other, _ in item.labels))
            for name, label in item.labels
        ]
        for item in items
    ]
    posteriors = [
        {
            candidate: sum(weight for _, label, weight in of_item if label == candidate)
            / sum(weight for _, _, weight in of_item)
            for candidate in item.candidates
        }
        for item, of_item in zip(items, votes, strict=True)
    ]
    accuracies: dict[str, float] = {}
    for _ in range(3_000):
        right: dict[str, float] = {}
        total: dict[str, float] = {}
        for of_item, posterior in zip(votes, posteriors, strict=True):
            for name, label, weight in of_item:
                right[name] = right.get(name, 0) + weight * posterior[label]
                total[name] = total.get(name, 0) + weight
        accuracies = {name: (right[name] + 1) / (total[name] + 2) for name in total}
        posteriors = []
        for item, of_item in zip(items, votes, strict=True):
            others = max(len(item.candidates) - 1, 1)
            likelihoods = {
                candidate: math.prod(
                    (accuracies[name] if label == candidate else (1 - accuracies[name]) / others)
                    ** weight
                    for name, label, weight in of_item
                )
                for candidate in item.candidates
            }
            whole = sum(likelihoods.values())
            posteriors.append({key: value / whole for key, value in likelihoods.items()})
    return accuracies, posteriors


def test_empty_tables_and_items_without_candidates() -> None:
    assert dawid_skene([]).posteriors == []
    assert dawid_skene([LabelledItem((), ())]).posteriors == [{}]


def test_item_without_labels_keeps_the_prior() -> None:
    assert dawid_skene([LabelledItem(("a", "b"), ())]).posteriors == [{"a": 0.5, "b": 0.5}]
