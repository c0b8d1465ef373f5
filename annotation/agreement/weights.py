"""Declared categories, agreement weights and Krippendorff's differences.

Weights w_kl are 1 on the diagonal and fall to 0 at the largest disagreement the declared categories
allow (Gwet 2014, *Handbook of Inter-Rater Reliability*, 4th ed., ch. 3). They are fixed by the
declaration alone. Krippendorff's ordinal difference is not: it depends on how often each category
was used (Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*, eq. for ordinal data).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.errors import RatingError

Matrix = NDArray[np.float64]
Weights = Literal["identity", "linear", "quadratic", "ordinal", "radical", "ratio"]
Level = Literal["nominal", "ordinal", "interval", "ratio"]

WEIGHTS: tuple[Weights, ...] = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio")
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


@dataclass(frozen=True, slots=True)
class Scale:
    """The declared categories in their order.

    Attributes:
        labels: numbers in ascending order; anything else as declared.
        scores: shape (q,); the numbers themselves, or the ranks 1…q of other labels.
        index: the place of each label.
    """

    labels: tuple[Hashable, ...]
    scores: Matrix = field(compare=False)
    index: dict[Hashable, int] = field(compare=False)
    numeric: bool

    @property
    def size(self) -> int:
        """Number of declared categories, q."""
        return len(self.labels)


def declared_scale(categories: Sequence[Hashable]) -> Scale:
    """The scale of the declared categories.

    Raises:
        RatingError: none is declared, one is declared twice, or one is None or not finite.
    """
    labels = [label.item() if isinstance(label, np.generic) else label for label in categories]
    if not labels:
        raise RatingError("No category is declared. Give the categories a rater could choose from.")
    for label in labels:
        if label is None or (isinstance(label, float) and not math.isfinite(label)):
            raise RatingError(f"{label} cannot be a category: it stands for a missing rating.")
    numeric = all(isinstance(label, Real) and not isinstance(label, bool) for label in labels)
    if numeric:
        labels = sorted(labels, key=float)  # type: ignore[arg-type]
    index = {label: rank for rank, label in enumerate(labels)}
    if len(index) < len(labels):
        repeated = next(label for rank, label in enumerate(labels) if index[label] != rank)
        raise RatingError(f"The category {repeated!r} is declared twice.")
    scores = np.array(labels if numeric else range(1, len(labels) + 1), dtype=np.float64)
    return Scale(tuple(labels), scores, index, numeric)


def weight_matrix(scale: Scale, weights: Weights) -> Matrix:
    """Agreement weights, shape (q, q), symmetric, 1 on the diagonal.

    w_kl = 1 − L_kl / max L (Gwet 2014, ch. 3). The loss L of two categories with scores x_k, x_l is

        identity 1 unless k = l,  linear |x_k − x_l|,  quadratic (x_k − x_l)²,
        radical √|x_k − x_l|,  ratio ((x_k − x_l) / (x_k + x_l))²,
        ordinal C(|k − l| + 1, 2), the number of pairs of categories from k to l.

    Raises:
        RatingError: the weights have no such name, or ratio weights meet a negative score.
    """
    if weights not in WEIGHTS:
        raise RatingError(f"There are no {weights!r} weights. Choose from {', '.join(WEIGHTS)}.")
    if scale.size == 1:
        return np.ones((1, 1))
    if weights == "identity":
        return np.eye(scale.size)
    if weights == "ordinal":
        ranks = np.arange(scale.size, dtype=np.float64)
        categories_between = _score_distances(ranks) + 1  # both included
        losses = categories_between * (categories_between - 1) / 2
    elif weights == "ratio":
        losses = _relative(scale.scores) ** 2
    else:
        power = {"linear": 1.0, "quadratic": 2.0, "radical": 0.5}[weights]
        losses = _score_distances(scale.scores) ** power
    agreement_weights: Matrix = 1 - losses / losses.max()
    return agreement_weights


def differences(scale: Scale, level: Level, used: Matrix) -> Matrix:
    """Krippendorff's squared differences δ²_kl, shape (..., q, q).

        nominal 1 unless k = l,  interval (x_k − x_l)²,  ratio ((x_k − x_l) / (x_k + x_l))²,
        ordinal (m_k − m_l)² with m_k = Σ_{j<k} n_j + n_k/2, the middle of the ranks of category k.

    Krippendorff writes the ordinal one as (Σ_{j=k…l} n_j − (n_k + n_l)/2)², which is the same.

    Args:
        used: n_k, how many pairable ratings each category has, shape (..., q); only the ordinal
            level looks at it.

    Raises:
        RatingError: the level has no such name, or the ratio level meets a negative score.
    """
    check_level(scale, level)
    if level == "ordinal":
        middle = np.cumsum(used, axis=-1) - used / 2
        rank_distances: Matrix = middle[..., :, None] - middle[..., None, :]
        return rank_distances**2
    if level == "nominal":
        fixed: Matrix = 1 - np.eye(scale.size)
    elif level == "interval":
        fixed = _score_distances(scale.scores) ** 2
    else:
        fixed = _relative(scale.scores) ** 2
    return np.broadcast_to(fixed, (*used.shape[:-1], scale.size, scale.size))


def check_level(scale: Scale, level: Level) -> None:
    """Check that a level exists and suits the scale.

    Raises:
        RatingError: the level has no such name, or the ratio level meets a negative score.
    """
    if level not in LEVELS:
        raise RatingError(f"There is no level {level!r}. Choose from {', '.join(LEVELS)}.")
    if level == "ratio":
        _check_ratio_scale(scale.scores)


def _check_ratio_scale(scores: Matrix) -> None:
    if scores.min() < 0:
        raise RatingError(
            f"A ratio scale starts at 0, but {scores.min():g} is among the categories. "
            "Use interval or ordinal instead."
        )


def _score_distances(scores: Matrix) -> Matrix:
    return np.abs(scores[:, None] - scores[None, :])


def _relative(scores: Matrix) -> Matrix:
    """|a − b| / (a + b); 0 for two zeros, which do not differ."""
    _check_ratio_scale(scores)
    total = scores[:, None] + scores[None, :]
    return np.divide(_score_distances(scores), total, out=np.zeros_like(total), where=total > 0)
