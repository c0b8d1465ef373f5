"""The rule against verdicts of a person, on short gold and on gold in the style of data sets."""

from __future__ import annotations

import pytest

from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from tests.annotation.answers.judged_pairs import (
    SENTENCES,
    JudgedPair,
    groups,
    quality,
    read_pairs,
    verdict_of_anls,
    verdict_of_previous_rule,
    verdict_of_rule,
)

SHORT = read_pairs()
IN_SENTENCES = read_pairs(SENTENCES)


def test_the_pairs_are_what_they_say() -> None:
    """Several languages and sources, about half of them correct, none twice."""
    assert len(SHORT) >= 300
    assert len({pair.language for pair in SHORT}) >= 10
    assert len({pair.source for pair in SHORT}) >= 50
    assert len({pair.style for pair in IN_SENTENCES}) >= 3
    for pairs in (SHORT, IN_SENTENCES):
        assert len({(p.question, p.gold, p.answer) for p in pairs}) == len(pairs)
        assert 0.4 < sum(pair.is_correct for pair in pairs) / len(pairs) < 0.6


@pytest.mark.parametrize(
    ("pairs", "decided"), [(SHORT, 0.8), (IN_SENTENCES, 0.45)], ids=["short", "sentences"]
)
def test_what_is_decided_is_decided_rightly(pairs: list[JudgedPair], decided: float) -> None:
    """Of those called correct and of those called incorrect, at most 2 % or one pair is not."""
    report = quality(pairs, verdict_of_rule)
    assert report.decided >= decided
    assert report.wrongly_accepted <= max(1, 0.02 * report.accepted)
    assert report.wrongly_rejected <= max(1, 0.02 * report.rejected)
    for rule in (verdict_of_anls, verdict_of_previous_rule):
        other = quality(pairs, rule)
        assert other.wrongly_accepted > 3 * report.wrongly_accepted
        assert other.wrongly_rejected > 3 * report.wrongly_rejected


def test_what_the_previous_rule_decided_rightly_stays_decided() -> None:
    """At least 92 % of it; what is lost was decided by letters alone, or has words of its own."""
    right = [
        pair
        for pair in SHORT
        if verdict_of_previous_rule(pair) == ("correct" if pair.is_correct else "incorrect")
    ]
    assert len(right) == 485
    kept = [pair for pair in right if verdict_of_rule(pair) != "undecided"]
    assert len(kept) >= 0.92 * len(right)


def test_quantities_in_the_same_unit_and_bare_yes_and_no_are_decided() -> None:
    """At least nine tenths of each."""
    quantities, polar = [], []
    for pair in (*SHORT, *IN_SENTENCES):
        if len(pair.answer) == len(pair.gold) == 1:
            answer, gold = (
                ParsedAnswer.parse(item[0], pair.language) for item in (pair.answer, pair.gold)
            )
            if answer.is_quantity and gold.is_quantity and _unit(answer) == _unit(gold):
                quantities.append(pair)
            is_bare = pair.answer[0].casefold() in ("yes", "no", "ja", "nein")
            if is_bare and gold.tokens[0] in ("yes", "no", "ja", "nein"):
                polar.append(pair)
    polar = [pair for pair in polar if ParsedQuestion.parse(pair.question).is_polar]
    assert len(quantities) > 250 and len(polar) > 15
    for pairs in (quantities, polar):
        assert quality(pairs, verdict_of_rule).decided >= 0.9


def _unit(item: ParsedAnswer) -> tuple[object, ...]:
    (quantity,) = item.all_quantities
    return quantity.currency, quantity.rate, quantity.scale, sorted(item.content_words)


def test_every_style_of_gold_is_listed() -> None:
    """The table of docs/metrics.md has a row for each."""
    assert set(groups(IN_SENTENCES)) == {"all", *(pair.style for pair in IN_SENTENCES)}
