"""The rule against verdicts of a person, half of the newer ones held out from its author."""

from __future__ import annotations

import pytest

from tests.annotation.answers.judged_pairs import (
    HELD_OUT,
    SENTENCES,
    JudgedPair,
    are_quantities_of_one_unit,
    is_bare_polar_answer,
    quality,
    read_library,
    read_pairs,
    verdict_of_anls,
    verdict_of_previous_rule,
    verdict_of_rule,
)

SHORT = read_pairs()
DEV_HALF = read_pairs(SENTENCES)
HELD_OUT_HALF = read_pairs(HELD_OUT)
NEW = [*DEV_HALF, *HELD_OUT_HALF]
ALL = [*SHORT, *NEW]


def test_the_pairs_are_what_they_say() -> None:
    """Several languages and sources, about half of them correct, none twice."""
    assert len({(pair.question, pair.gold, pair.answer) for pair in ALL}) == len(ALL)
    assert len({pair.id for pair in ALL}) == len(ALL)
    assert len({pair.language for pair in SHORT}) >= 10
    assert len({pair.source for pair in SHORT}) >= 50
    for pairs in (SHORT, DEV_HALF, HELD_OUT_HALF):
        assert 0.4 < sum(pair.is_correct for pair in pairs) / len(pairs) < 0.6


@pytest.mark.parametrize("half", [DEV_HALF, HELD_OUT_HALF], ids=["dev", "held out"])
def test_each_half_has_gold_of_several_styles(half: list[JudgedPair]) -> None:
    """Every style is in both, a good part of it German, and no question is in both."""
    assert {pair.style for pair in half} == {pair.style for pair in NEW}
    assert sum(pair.language == "de" for pair in half) >= 60
    other = HELD_OUT_HALF if half is DEV_HALF else DEV_HALF
    assert not {pair.question for pair in half} & {pair.question for pair in other}


@pytest.mark.parametrize(
    ("pairs", "decided"),
    [(ALL, 0.5), (SHORT, 0.8), (DEV_HALF, 0.3), (HELD_OUT_HALF, 0.3)],
    ids=["all", "short", "dev", "held out"],
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
    """At least 92 % of 485; what is lost was decided by letters alone, or has words of its own."""
    right = [pair for pair in SHORT if pair.is_right(verdict_of_previous_rule(pair))]
    assert len(right) == 485
    assert quality(right, verdict_of_rule).decided >= 0.92


def test_quantities_in_the_same_unit_and_bare_yes_and_no_are_decided() -> None:
    """At least nine tenths of each."""
    quantities = [pair for pair in ALL if are_quantities_of_one_unit(pair)]
    polar = [pair for pair in ALL if is_bare_polar_answer(pair)]
    assert len(quantities) > 200
    assert len(polar) > 30
    for pairs in (quantities, polar):
        assert quality(pairs, verdict_of_rule).decided >= 0.9


@pytest.mark.parametrize("is_sentence_gold", [True, False], ids=["gold", "answer"])
def test_no_right_answer_of_the_library_is_wrong(is_sentence_gold: bool) -> None:
    """Short with a sentence as gold or the other way round, in half of 312 questions."""
    pairs = read_library(is_sentence_gold=is_sentence_gold)
    assert len({pair.source for pair in pairs}) == 156
    assert quality(pairs, verdict_of_rule).rejected == 0
