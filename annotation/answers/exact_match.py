"""Exact match of answers with accepted ones, after normalising (docs/metrics.md, Correctness).

Gold is a list of variants, each a list of strings; the best variant counts. This is a measure:
whether an answer counts as correct is decided in ``annotation.answers.item_decision``, of lists in
``annotation.answers.decision``, and by which rule in ``annotation.metrics.correctness``.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.normalised_text import Token, normalised_tokens
from pagetrail.annotation.statistics.set_overlap import overlap


def exact_match_f1(answer: Sequence[str], variants: Sequence[Sequence[str]]) -> float:
    """F1 of equal items, of the best variant, in any order; 1 is an exact match.

    Args:
        answer: its items.
        variants: accepted answers, each with its items.
    """
    answers = [normalised_tokens(text) for text in answer]
    return max(
        (_f1(answers, [*map(normalised_tokens, variant)]) for variant in variants), default=0.0
    )


def _f1(answers: list[tuple[Token, ...]], accepted: list[tuple[Token, ...]]) -> float:
    if len(answers) == len(accepted) == 1:  # the common case, and much faster than counting
        return float(answers == accepted)
    return overlap(answers, accepted).f1 or 0.0
