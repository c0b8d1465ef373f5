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
"""EM ends when no probability changes by as much."""
MAX_ITERATIONS = 2_000
"""EM ends after these, too, and its last estimates are used: they are not marked as such."""

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
    """Fit the model by EM, starting from the participants' votes.

    With label l of participant j on item i, which has the candidates k = 1…K_i, the weight w of
    the label, and s for ``smoothing``:

        E:  P(z_i = k) ∝ π_k Π_labels (a_j^[l = k] ((1 − a_j) / (K_i − 1))^[l ≠ k])^w
        M:  a_j = (s + Σ w P(z_i = l)) / (2 s + Σ w), sums over j's labels
            π_k = (s + Σ_i P(z_i = k)) / Σ_k (s + Σ_i P(z_i = k)), sums over the items of its set

    Candidates without a set of classes have π_k = 1 / K_i. An item with a single candidate counts
    as labelled correctly by everybody who labelled it, which raises their accuracies.

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
    """All labels as arrays. A cell is one candidate of one item; items follow each other.

    Attributes:
        sizes, starts: of each item, its number of candidates and its first cell, (items,).
        cell_item: the item of each cell, (cells,).
        cell_class: its class, −1 without a set of classes, (cells,).
        class_set: the set of each class, (classes,).
        label_item, label_cell, label_participant, label_weight: of each label, (labels,).
        participant_weight: weight of all labels of each participant, (participants,).
    """

    def __init__(self, items: Sequence[LabelledItem]) -> None:
        self.items = [item for item in items if item.candidates]
        self.all_items = items
        self.participants = sorted({name for item in items for name, _ in item.labels})
        numbers = {name: number for number, name in enumerate(self.participants)}
        self.sizes: Indices = np.array([len(item.candidates) for item in self.items], np.int64)
        self.starts: Indices = np.array([0, *accumulate(self.sizes)][:-1], np.int64)
        self.cell_item = np.repeat(np.arange(len(self.items)), self.sizes)
        label_item, label_cell, label_participant, label_weight = [], [], [], []
        for number, item in enumerate(self.items):
            cells = {label: self.starts[number] + n for n, label in enumerate(item.candidates)}
            own_labels = [name for name, _ in item.labels]
            for name, label in item.labels:
                label_item.append(number)
                label_cell.append(cells[label])
                label_participant.append(numbers[name])
                label_weight.append(1 / own_labels.count(name))
        self.label_item: Indices = np.array(label_item, np.int64)
        self.label_cell: Indices = np.array(label_cell, np.int64)
        self.label_participant: Indices = np.array(label_participant, np.int64)
        self.label_weight: Floats = np.array(label_weight, np.float64)
        self.participant_weight: Floats = self._sums(
            self.label_participant, self.label_weight, len(numbers)
        )
        self._number_classes()

    def _number_classes(self) -> None:
        classes: dict[tuple[str, str], int] = {}
        sets: dict[str, int] = {}
        cell_class, class_set = [], []
        for item in self.items:
            for label in item.candidates:
                if item.classes is None:
                    cell_class.append(-1)
                    continue
                key = (item.classes, label)
                if key not in classes:
                    classes[key] = len(classes)
                    class_set.append(sets.setdefault(item.classes, len(sets)))
                cell_class.append(classes[key])
        self.cell_class: Indices = np.array(cell_class, np.int64)
        self.class_set: Indices = np.array(class_set, np.int64)

    def vote_shares(self) -> Floats:
        """Each candidate's share of the votes; even where an item has none."""
        votes = self._sums(self.label_cell, self.label_weight, len(self.cell_item))
        totals = self._sums(self.cell_item, votes, len(self.items))[self.cell_item]
        even = 1 / self.sizes[self.cell_item]
        shares: Floats = np.where(totals > 0, votes / np.where(totals > 0, totals, 1), even)
        return shares

    def accuracy(self, posterior: Floats, smoothing: float) -> Floats:
        """M step of each participant: the expected share of right labels."""
        right = self._sums(
            self.label_participant,
            self.label_weight * posterior[self.label_cell],
            len(self.participant_weight),
        )
        share: Floats = (right + smoothing) / (self.participant_weight + 2 * smoothing)
        return share

    def log_prior(self, posterior: Floats, smoothing: float) -> Floats:
        """M step of the classes: the logarithm of their expected frequency, by candidate."""
        prior: Floats = -np.log(self.sizes[self.cell_item])
        shared = self.cell_class >= 0
        if shared.any():
            n_classes = len(self.class_set)
            counts = self._sums(self.cell_class[shared], posterior[shared], n_classes)
            counts += smoothing
            totals = self._sums(self.class_set, counts, int(self.class_set.max()) + 1)
            frequency = counts / totals[self.class_set]
            logarithm = np.log(np.maximum(frequency, _SMALLEST))
            prior[shared] = logarithm[self.cell_class[shared]]
        return prior

    def posterior(self, log_prior: Floats, accuracy: Floats) -> Floats:
        """E step: the probability of each candidate."""
        bounded = np.clip(accuracy, _SMALLEST, 1 - _SMALLEST)[self.label_participant]
        others = np.maximum(self.sizes[self.label_item] - 1, 1)
        # Every candidate is divided by the factor of a wrong label, so that only the chosen one
        # keeps a factor: a (K − 1) / (1 − a).
        gain = self.label_weight * (np.log(bounded) - np.log((1 - bounded) / others))
        scores = log_prior + self._sums(self.label_cell, gain, len(log_prior))
        if not len(scores):
            return scores
        # The highest is 0, so that nothing overflows.
        scores -= np.maximum.reduceat(scores, self.starts)[self.cell_item]
        likelihood = np.exp(scores)
        totals = np.add.reduceat(likelihood, self.starts)
        posterior: Floats = likelihood / totals[self.cell_item]
        return posterior

    def by_item(self, posterior: Floats) -> list[dict[str, float]]:
        """Candidate → probability, of every item; empty without candidates."""
        values = iter(posterior.tolist())
        return [{label: next(values) for label in item.candidates} for item in self.all_items]

    @staticmethod
    def _sums(groups: Indices, values: Floats, n_groups: int) -> Floats:
        return np.bincount(groups, weights=values, minlength=n_groups).astype(np.float64)
