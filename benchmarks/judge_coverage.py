"""How often the 95 % intervals of corrected accuracy contain the true accuracy.

``python -m benchmarks judge-coverage`` simulates evaluations over the grid of ``CELLS``: the
answers to ``QUESTIONS`` questions, a judge with a sensitivity and a specificity, and a sample of
the answers that people judge. It prints, for each way of sampling, in how many cells the coverage
is between 93 and 97 %, and names the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

from benchmarks.harness import Benchmark, Measurement, Setup
from pagetrail.annotation.metrics.judging.bias import published_interval
from pagetrail.annotation.metrics.judging.calibration import two_phase_estimate

QUESTIONS = 1_000
JUDGED = (100, 200, 400)
ACCURACIES = (0.3, 0.5, 0.7, 0.9)
SENSITIVITIES = (0.8, 0.9, 0.95, 0.98)
SPECIFICITIES = (0.8, 0.9, 0.95, 0.98, 1.0)
REPLICATES = 10_000
LOWEST, HIGHEST = 0.93, 0.97
CATEGORY_SHARES = (0.5, 0.3, 0.2)
CATEGORY_SHIFTS = (0.08, -0.05, -0.125)
"""What a category adds to the accuracy; nothing on average."""

Z95 = 1.959963984540054
Counts = Any
"""Answers by replicate, stratum, verdict and truth."""


class Cell(NamedTuple):
    """What is simulated; ``judged`` answers are judged by people."""

    judged: int
    accuracy: float
    sensitivity: float
    specificity: float

    def __str__(self) -> str:
        return (
            f"n={self.judged}, accuracy {self.accuracy:g}, sensitivity {self.sensitivity:g}, "
            f"specificity {self.specificity:g}"
        )

    def probabilities(self, accuracy: float) -> list[float]:
        """Of the verdict–truth pairs: wrong–wrong, wrong–right, right–wrong, right–right."""
        wrong, right = 1 - accuracy, accuracy
        return [
            wrong * self.specificity,
            right * (1 - self.sensitivity),
            wrong * (1 - self.specificity),
            right * self.sensitivity,
        ]


CELLS = [Cell(*values) for values in product(JUDGED, ACCURACIES, SENSITIVITIES, SPECIFICITIES)]


def measure(setup: Setup) -> Iterator[Measurement]:
    """Coverage of each way of sampling, cell by cell."""
    source = np.random.default_rng(setup.options.seed)
    for name, simulate in SAMPLING.items():
        coverages = {
            cell: _coverage(simulate, cell, source, setup.options.replicates) for cell in CELLS
        }
        outside = {
            cell: share for cell, share in coverages.items() if not LOWEST <= share <= HIGHEST
        }
        _print_outside(setup.console, name, outside)
        below = sum(share < LOWEST for share in outside.values())
        yield Measurement(
            f"{name}: cells of {len(CELLS)} with 93–97 %",
            len(CELLS) - len(outside),
            "",
        )
        yield Measurement(f"{name}: cells below 93 %", below, "", 0)
        yield Measurement(
            f"{name}: lowest coverage, %", 100 * min(coverages.values()), "", 93, "above"
        )


def _coverage(
    simulate: Callable[..., tuple[Any, Any]], cell: Cell, source: np.random.Generator, n: int
) -> float:
    """Share of the defined intervals that contain the accuracy."""
    low, high = simulate(cell, source, n)
    is_defined = ~np.isnan(low)
    return float(((low <= cell.accuracy) & (cell.accuracy <= high))[is_defined].mean())


def _print_outside(console: Console, name: str, outside: dict[Cell, float]) -> None:
    console.print(f"{name}: {len(outside)} of {len(CELLS)} cells outside 93–97 %")
    for cell, share in sorted(outside.items(), key=lambda item: item[1]):
        console.print(f"  {100 * share:5.1f} %  {cell}", highlight=False)


def _separate(cell: Cell, source: np.random.Generator, n: int) -> tuple[Any, Any]:
    """A simple random sample of other answers: the interval of Lee et al."""
    answers = source.multinomial(QUESTIONS, cell.probabilities(cell.accuracy), n)
    judged = source.multinomial(cell.judged, cell.probabilities(cell.accuracy), n)
    wrong, right = judged[:, 0] + judged[:, 2], judged[:, 1] + judged[:, 3]
    share = (answers[:, 2] + answers[:, 3]) / QUESTIONS
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = published_interval(
            share, QUESTIONS, judged[:, 0] / wrong, judged[:, 3] / right, wrong, right, Z95
        )
    return low, high


def _simple(cell: Cell, source: np.random.Generator, n: int) -> tuple[Any, Any]:
    """A simple random sample of the answers themselves."""
    answers = source.multinomial(QUESTIONS, cell.probabilities(cell.accuracy), n)
    judged = _draw_from(answers, np.full(n, cell.judged), source)
    return _interval(judged[:, None], np.full((n, 1), QUESTIONS), answers[:, None])


def _by_verdict(
    share_right: Callable[[Any], Any], cell: Cell, source: np.random.Generator, n: int
) -> tuple[Any, Any]:
    """A sample stratified by verdict, as many of those called right as ``share_right`` says."""
    answers = source.multinomial(QUESTIONS, cell.probabilities(cell.accuracy), n)
    strata = _by_verdict_strata(answers[:, None])
    sizes = strata.sum((-1, -2))
    right = np.clip(np.rint(cell.judged * share_right(sizes[:, 1] / QUESTIONS)), 1, None)
    right = np.minimum(right.astype(int), sizes[:, 1])
    wrong = np.minimum(cell.judged - right, sizes[:, 0])
    right = np.minimum(cell.judged - wrong, sizes[:, 1])
    return _drawn_strata(strata, np.stack([wrong, right], -1), source)


def _by_verdict_and_category(cell: Cell, source: np.random.Generator, n: int) -> tuple[Any, Any]:
    """A sample stratified by verdict and three categories , equally many of each stratum."""
    numbers = source.multinomial(QUESTIONS, CATEGORY_SHARES, n)
    answers = np.stack(
        [
            source.multinomial(numbers[:, index], cell.probabilities(cell.accuracy + shift))
            for index, shift in enumerate(CATEGORY_SHIFTS)
        ],
        1,
    )
    strata = _by_verdict_strata(answers)
    sizes = strata.sum((-1, -2))
    drawn = np.minimum(cell.judged // sizes.shape[1], sizes)
    return _drawn_strata(strata, drawn, source)


def _by_verdict_strata(answers: Counts) -> Counts:
    """(n, groups, 4) answers as (n, 2 × groups, 2, 2): the strata of a group are by verdict."""
    n, groups, _ = answers.shape
    strata = np.zeros((n, groups, 2, 2, 2), dtype=int)
    for verdict in (0, 1):
        strata[:, :, verdict, verdict] = answers[:, :, 2 * verdict : 2 * verdict + 2]
    return strata.reshape(n, 2 * groups, 2, 2)


def _drawn_strata(strata: Counts, drawn: Any, source: np.random.Generator) -> tuple[Any, Any]:
    judged = np.stack(
        [
            _draw_from(strata[:, index].reshape(len(strata), 4), drawn[:, index], source)
            for index in range(strata.shape[1])
        ],
        1,
    )
    return _interval(judged, strata.sum((-1, -2)), strata)


def _draw_from(answers: Counts, drawn: Any, source: np.random.Generator) -> Counts:
    """Draws without replacement from (n, 4) answers."""
    left, rest = drawn.copy(), answers.sum(-1)
    judged = np.zeros_like(answers)
    for index in range(answers.shape[1] - 1):
        rest = rest - answers[:, index]
        judged[:, index] = source.hypergeometric(answers[:, index], rest, left)
        left = left - judged[:, index]
    judged[:, -1] = left
    return judged


def _interval(judged: Counts, sizes: Any, answers: Counts) -> tuple[Any, Any]:
    """Of samples that are part of the answers whose accuracy is corrected."""
    n = len(judged)
    counts = judged.reshape(n, -1, 2, 2).astype(float)
    share = answers.reshape(n, -1, 2, 2)[:, :, 1].sum((-1, -2)) / QUESTIONS
    sizes = np.asarray(sizes, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = two_phase_estimate(counts, sizes, counts, share, np.full(n, float(QUESTIONS)))
    return estimate.low, estimate.high


SAMPLING: dict[str, Callable[..., tuple[Any, Any]]] = {
    "other answers (Lee et al.)": _separate,
    "simple random": _simple,
    "by verdict, half and half": lambda *case: _by_verdict(lambda share: 0.5 + 0 * share, *case),
    "by verdict, proportional": lambda *case: _by_verdict(lambda share: share, *case),
    "by verdict and category": _by_verdict_and_category,
}


def _add_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--replicates", type=int, default=REPLICATES, help="per cell")
    group.add_argument("--seed", type=int, default=7)


BENCHMARK = Benchmark("judge-coverage", measure, is_default=False, add_options=_add_options)
