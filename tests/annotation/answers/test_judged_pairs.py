"""The rule against 583 verdicts of a person, next to ANLS* of at least 0.5 on the whole answer."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.annotation.answers.judged_pairs import (
    groups,
    quality,
    read_pairs,
    verdict_of_anls,
    verdict_of_rule,
)

PAIRS = read_pairs()


def test_the_pairs_are_what_they_say() -> None:
    """At least 300, in several languages and of several sources, none twice."""
    assert len(PAIRS) >= 300
    assert len({(pair.gold, pair.answer, pair.language) for pair in PAIRS}) == len(PAIRS)
    assert len({pair.language for pair in PAIRS}) >= 10
    assert len({pair.source for pair in PAIRS}) >= 50
    assert 0.4 < sum(pair.is_correct for pair in PAIRS) / len(PAIRS) < 0.6


@pytest.mark.parametrize(
    ("group", "precision", "recall", "undecided"),
    [
        ("all", 0.92, 0.81, 0.12),
        ("MMLongBench-Doc", 0.92, 0.80, 0.10),
        ("10-K filings", 0.99, 0.86, 0.13),
        ("made up, English", 0.84, 0.70, 0.20),
        ("made up, other languages", 0.99, 0.96, 0.04),
    ],
)
def test_the_rule_is_as_good_as_documented(
    group: str, precision: float, recall: float, undecided: float
) -> None:
    """Floors of precision and recall, a ceiling of what is left undecided; far above ANLS*."""
    pairs = groups(PAIRS)[group]
    report = quality(pairs, [verdict_of_rule(pair) for pair in pairs])
    assert report.precision >= precision
    assert report.recall >= recall
    assert report.undecided <= undecided
    anls = quality(pairs, [verdict_of_anls(pair) for pair in pairs])
    assert report.precision > anls.precision + 0.3
    assert report.recall > anls.recall + 0.2


def test_most_undecided_pairs_are_worth_a_judgement() -> None:
    """With a judge's verdict on what is undecided, recall rises above nine tenths."""
    outcomes = Counter((verdict_of_rule(pair), pair.is_correct) for pair in PAIRS)
    assert outcomes["undecided", True] > outcomes["undecided", False]
    not_rejected = outcomes["correct", True] + outcomes["undecided", True]
    assert not_rejected / sum(pair.is_correct for pair in PAIRS) > 0.9
