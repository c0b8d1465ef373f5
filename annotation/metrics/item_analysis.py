"""Item analysis after classical test theory, and the choice of a test split (docs/metrics.md).

Sources: Crocker & Algina 1986, *Introduction to Classical and Modern Test Theory*; the thresholds
and the choice of the split follow MADQA, Borchmann et al. 2026, arXiv 2603.12180, appendix D.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.rank_correlation import pearson, spearman

Responses = Mapping[str, Mapping[str, float]]
"""Respondent → task → 1 where the answer is right, else 0; what is missing was not attempted."""

Part = Literal["sentinel", "discriminating"]

FEWEST = 3
"""Respondents below which nothing correlates."""

SENTINEL = 0.1
"""Items of this difficulty p or harder are kept for headroom."""

SENTINEL_SHARE = 0.2
"""Largest share of a split that is reserved for them."""

BINS = 9
BIN_WIDTH = (1 - SENTINEL) / BINS
"""Bins (0.1, 0.2], …, (0.9, 1] of the difficulty of all other items."""

EASY, HARD = 0.9, 0.1
"""An item is easy above and hard below these difficulties."""


@dataclass(frozen=True)
class Item:
    """A task as an item of a test.

    Attributes:
        n: respondents who attempted it.
        difficulty: mean of their scores, p; lower is harder.
        discrimination: point-biserial correlation of the score on this item with the mean score on
            all others. Undefined: ``too_few_respondents``, ``no_variation``.
        anomalous: most of the weaker half solve it and most of the stronger half do not; None
            where one of the halves has nobody who attempted it.
    """

    task: str
    n: int
    difficulty: float
    discrimination: Result
    anomalous: bool | None

    @property
    def variance(self) -> float:
        """Of the scores, p (1 − p)."""
        return self.difficulty * (1 - self.difficulty)


@dataclass(frozen=True)
class Split:
    """A test split.

    Attributes:
        parts: task → why it was chosen.
        correlation: Spearman's, of the respondents' accuracy on the split with that on all items.
            Undefined: ``too_few_respondents``, ``no_variation``.
    """

    parts: Mapping[str, Part]
    correlation: Result


def items(responses: Responses) -> list[Item]:
    """Every task that anybody attempted, sorted."""
    total = {participant: math.fsum(scores.values()) for participant, scores in responses.items()}
    accuracy = {
        participant: total[participant] / len(scores)
        for participant, scores in responses.items()
        if scores
    }
    ranked = sorted(accuracy, key=lambda participant: (accuracy[participant], participant))
    half = len(ranked) // 2
    weak, strong = set(ranked[:half]), set(ranked[len(ranked) - half :])
    tasks = sorted({task for scores in responses.values() for task in scores})
    analysed_items = []
    for task in tasks:
        task_scores = {
            participant: scores[task] for participant, scores in responses.items() if task in scores
        }
        analysed_items.append(
            Item(
                task=task,
                n=len(task_scores),
                difficulty=_mean(list(task_scores.values())),
                discrimination=_discrimination(task_scores, responses, total),
                anomalous=_anomalous(task_scores, weak, strong),
            )
        )
    return analysed_items


def difficulty_split(items: Sequence[Item], size: int, responses: Responses) -> Split:
    """A test split of that size: hard items for headroom, then those that discriminate best.

    A fifth of it at most are items with p ≤ 0.1, the hardest first. The rest come from nine bins
    of equal width above that, one from each in turn, the best discriminating first; items without
    a discrimination come last. Where p ≤ 0.1 is all that is left, it fills the split.
    """
    hard = sorted((i for i in items if i.difficulty <= SENTINEL), key=_hardest)
    reserve = min(len(hard), math.floor(SENTINEL_SHARE * size))
    bins: list[list[Item]] = [[] for _ in range(BINS)]
    for item in items:
        if item.difficulty > SENTINEL:
            bins[_bin(item.difficulty)].append(item)
    for bin_ in bins:
        bin_.sort(key=_best)
    parts: dict[str, Part] = {item.task: "sentinel" for item in hard[:reserve]}
    depth = max((len(bin_) for bin_ in bins), default=0)
    turns = (bin_[i] for i in range(depth) for bin_ in bins if i < len(bin_))
    for item in turns:
        if len(parts) < size:
            parts[item.task] = "discriminating"
    for item in hard[reserve:]:
        if len(parts) < size:
            parts[item.task] = "sentinel"
    return Split(parts, _agreement(parts, responses))


def _bin(difficulty: float) -> int:
    """Index of the bin of a difficulty above ``SENTINEL``, counted from 0.

    A bound belongs to the bin below it, whatever rounding makes of the quotient: 0.3 is in bin 1.
    """
    return min(BINS - 1, math.ceil((difficulty - SENTINEL) / BIN_WIDTH - 1e-9) - 1)


def _discrimination(
    task_scores: Mapping[str, float], responses: Responses, total: Mapping[str, float]
) -> Result:
    counts = {"respondents": len(task_scores)}
    rest = {
        participant: (total[participant] - score) / (len(responses[participant]) - 1)
        for participant, score in task_scores.items()
        if len(responses[participant]) > 1
    }
    if len(rest) < FEWEST:
        return Result(value=None, reason="too_few_respondents", counts=counts)
    value = pearson([task_scores[participant] for participant in rest], list(rest.values()))
    return Result(value=value, reason=None if value is not None else "no_variation", counts=counts)


def _anomalous(task_scores: Mapping[str, float], weak: set[str], strong: set[str]) -> bool | None:
    low = [score for participant, score in task_scores.items() if participant in weak]
    high = [score for participant, score in task_scores.items() if participant in strong]
    return _mean(low) > 0.5 > _mean(high) if low and high else None


def _agreement(parts: Mapping[str, Part], responses: Responses) -> Result:
    pairs = []
    for scores in responses.values():
        inside = [score for task, score in scores.items() if task in parts]
        if inside:
            pairs.append((_mean(inside), _mean(list(scores.values()))))
    counts = {"respondents": len(pairs), "items": len(parts)}
    if len(pairs) < FEWEST:
        return Result(value=None, reason="too_few_respondents", counts=counts)
    value = spearman([x for x, _ in pairs], [y for _, y in pairs])
    return Result(value=value, reason=None if value is not None else "no_variation", counts=counts)


def _hardest(item: Item) -> tuple[float, str]:
    return item.difficulty, item.task


def _best(item: Item) -> tuple[float, str]:
    value = item.discrimination.value
    return (math.inf if value is None else -value), item.task


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
