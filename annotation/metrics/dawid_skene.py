"""The probability of each label of an item, from the labels of participants who err.

Source: Dawid and Skene 1979 (Applied Statistics 28), maximum likelihood by EM. As in the one-coin
version (Zhang et al. 2014, arXiv 1406.3824, section 2), a participant has a single accuracy instead
of a confusion matrix, and its wrong labels are spread evenly over an item's other candidates.
Accuracies and frequencies of classes are smoothed by adding ``smoothing`` to each count (Laplace).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

SMOOTHING = 1.0
"""Added to the count of right and of wrong labels of a participant, and of each class."""
TOLERANCE = 1e-10
MAX_ITERATIONS = 2_000

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
_SMALLEST = 1e-10
"""Keeps logarithms finite where nothing is smoothed."""


@dataclass(frozen=True)
class LabelledItem:
    """An item with its candidates, and who chose which.

    Attributes:
        candidates: labels that it may have; different, in any order.
        labels: (participant, label) pairs, each label a candidate. The labels of one participant
            share a weight of 1.
        classes: names the set of classes if the candidates are the same for several items, such as
            the grades of a field: their frequencies are estimated. None where candidates belong to
            the item alone, as free-text answers do: they are equally probable beforehand.
    """

    candidates: Sequence[str]
    labels: Sequence[tuple[str, str]]
    classes: str | None = None


@dataclass(frozen=True)
class LabelModel:
    """The fitted model.

    Attributes:
        posteriors: of each item: candidate → its probability.
        accuracies: participant → share of its labels that are right.
    """

    posteriors: Sequence[Mapping[str, float]]
    accuracies: Mapping[str, float]


def dawid_skene(items: Sequence[LabelledItem], *, smoothing: float = SMOOTHING) -> LabelModel:
    """Fit the model, starting from the participants' votes.

    >>> votes = [("Ada", "yes"), ("Grace", "yes"), ("model", "no")]
    >>> model = dawid_skene([LabelledItem(("yes", "no"), votes)] * 20)
    >>> round(model.posteriors[0]["yes"], 3), round(model.accuracies["model"], 3)
    (1.0, 0.046)
    """
    table = _LabelTable(items)
    posterior = table.vote_shares()
    accuracy = table.accuracy(posterior, smoothing)
    for _ in range(MAX_ITERATIONS):
        previous = posterior
        posterior = table.posterior(table.log_prior(posterior, smoothing), accuracy)
        accuracy = table.accuracy(posterior, smoothing)
        if not posterior.size or np.abs(posterior - previous).max() < TOLERANCE:
            break
    return LabelModel(
        posteriors=table.by_item(posterior),
        accuracies=dict(zip(table.participants, accuracy.tolist(), strict=True)),
    )


class _LabelTable:
    """All labels as arrays. A cell is one candidate of one item; items follow each other."""

    def __init__(self, items: Sequence[LabelledItem]) -> None:
        self.items = [item for item in items if item.candidates]
        self.all_items = items
        self.participants = sorted({name for item in items for name, _ in item.labels})
        numbers = {name: number for number, name in enumerate(self.participants)}
        self.sizes: Indices = np.array([len(item.candidates) for item in self.items], np.int64)
        self.starts: Indices = np.array([0, *accumulate(self.sizes)][:-1], np.int64)
        self.item_of_cell = np.repeat(np.arange(len(self.items)), self.sizes)
        item_of, cell_of, participant_of, weight_of = [], [], [], []
        for number, item in enumerate(self.items):
            cells = {label: self.starts[number] + n for n, label in enumerate(item.candidates)}
            own_labels = [name for name, _ in item.labels]
            for name, label in item.labels:
                item_of.append(number)
                cell_of.append(cells[label])
                participant_of.append(numbers[name])
                weight_of.append(1 / own_labels.count(name))
        self.item_of: Indices = np.array(item_of, np.int64)
        self.cell_of: Indices = np.array(cell_of, np.int64)
        self.participant_of: Indices = np.array(participant_of, np.int64)
        self.weight_of: Floats = np.array(weight_of, np.float64)
        self.labels_of: Floats = self._sums(self.participant_of, self.weight_of, len(numbers))
        self._number_classes()

    def _number_classes(self) -> None:
        classes: dict[tuple[str, str], int] = {}
        sets: dict[str, int] = {}
        class_of_cell, set_of_class = [], []
        for item in self.items:
            for label in item.candidates:
                if item.classes is None:
                    class_of_cell.append(-1)
                    continue
                key = (item.classes, label)
                if key not in classes:
                    classes[key] = len(classes)
                    set_of_class.append(sets.setdefault(item.classes, len(sets)))
                class_of_cell.append(classes[key])
        self.class_of_cell: Indices = np.array(class_of_cell, np.int64)
        self.set_of_class: Indices = np.array(set_of_class, np.int64)

    def vote_shares(self) -> Floats:
        """Each candidate's share of the votes; even where an item has none."""
        votes = self._sums(self.cell_of, self.weight_of, len(self.item_of_cell))
        totals = self._sums(self.item_of_cell, votes, len(self.items))[self.item_of_cell]
        even = 1 / self.sizes[self.item_of_cell]
        shares: Floats = np.where(totals > 0, votes / np.where(totals > 0, totals, 1), even)
        return shares

    def accuracy(self, posterior: Floats, smoothing: float) -> Floats:
        """M step of each participant: the expected share of right labels."""
        right = self._sums(
            self.participant_of, self.weight_of * posterior[self.cell_of], len(self.labels_of)
        )
        share: Floats = (right + smoothing) / (self.labels_of + 2 * smoothing)
        return share

    def log_prior(self, posterior: Floats, smoothing: float) -> Floats:
        """M step of the classes: the logarithm of their expected frequency, by candidate."""
        prior: Floats = -np.log(self.sizes[self.item_of_cell])
        shared = self.class_of_cell >= 0
        if shared.any():
            n_classes = len(self.set_of_class)
            counts = self._sums(self.class_of_cell[shared], posterior[shared], n_classes)
            counts += smoothing
            totals = self._sums(self.set_of_class, counts, int(self.set_of_class.max()) + 1)
            frequency = counts / totals[self.set_of_class]
            logarithm = np.log(np.maximum(frequency, _SMALLEST))
            prior[shared] = logarithm[self.class_of_cell[shared]]
        return prior

    def posterior(self, log_prior: Floats, accuracy: Floats) -> Floats:
        """E step: the probability of each candidate."""
        bounded = np.clip(accuracy, _SMALLEST, 1 - _SMALLEST)[self.participant_of]
        others = np.maximum(self.sizes[self.item_of] - 1, 1)
        # All candidates have the factor of a wrong label, so only the chosen one differs.
        gain = self.weight_of * (np.log(bounded) - np.log((1 - bounded) / others))
        scores = log_prior + self._sums(self.cell_of, gain, len(log_prior))
        if not len(scores):
            return scores
        scores -= np.maximum.reduceat(scores, self.starts)[self.item_of_cell]
        likelihood = np.exp(scores)
        totals = np.add.reduceat(likelihood, self.starts)
        posterior: Floats = likelihood / totals[self.item_of_cell]
        return posterior

    def by_item(self, posterior: Floats) -> list[dict[str, float]]:
        """Candidate → probability, of every item; empty without candidates."""
        values = iter(posterior.tolist())
        return [{label: next(values) for label in item.candidates} for item in self.all_items]

    @staticmethod
    def _sums(groups: Indices, values: Floats, n_groups: int) -> Floats:
        return np.bincount(groups, weights=values, minlength=n_groups).astype(np.float64)
