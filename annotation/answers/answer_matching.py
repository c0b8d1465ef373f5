"""Whether an answer says what an accepted answer says.

docs/metrics.md, Correctness: gold is a list of variants, each a list of strings; the best variant
counts. Strict on purpose: a synonym that is not among the variants does not match.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.normalised_text import Token, normalised_tokens
from pagetrail.annotation.statistics.set_overlap import overlap


def answer_agreement(answer: Sequence[str], variants: Sequence[Sequence[str]]) -> float:
    """The best F1 between the answers given and one variant's, whatever their order; 1 is right.

    Args:
        answer: what was given, one string per answer.
        variants: accepted answers.
    """
    answers = [normalised_tokens(text) for text in answer]
    return max(
        (_f1(answers, [*map(normalised_tokens, variant)]) for variant in variants), default=0.0
    )


def _f1(answers: list[tuple[Token, ...]], accepted: list[tuple[Token, ...]]) -> float:
    if len(answers) == len(accepted) == 1:  # which they mostly are, and counting takes long
        return float(answers == accepted)
    return overlap(answers, accepted).f1 or 0.0
