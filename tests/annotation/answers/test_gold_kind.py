"""Gold that the rule can compare is told from prose before anybody has answered."""

from __future__ import annotations

import pytest

from pagetrail.annotation.answers.gold_kind import GoldKind, gold_kind


@pytest.mark.parametrize(
    ("question", "gold", "reason"),
    [
        ("What is the ratio?", "24.26", "quantity"),
        ("How much did the sale raise?", "The sale raised $9.4 billion in cash.", "quantity"),
        ("How many shops opened in 2019?", "In 2019, 12 shops were opened.", "quantity"),
        ("Wie viele Filialen gibt es?", "Es gibt 969 Filialen.", "quantity"),
        ("When does the bond mature?", "June 2031", "date"),
        ("Is the margin improving?", "No. Margins fell slightly this year.", "polar"),
        ("Ist der Umsatz gestiegen?", "Ja, der Umsatz stieg auf 310 Mio. Euro.", "polar"),
        ("Who chairs the committee?", "Prof. Dr. Jane Miller", "short_text"),
        ("Which firm was bought?", "Alder Holdings Ltd.", "short_text"),
        ("What is the outlook?", "The outlook is stable.", "short_text"),
        ("会社名は何ですか。", "山田製作所", "short_text"),
    ],
)
def test_short_answers_and_single_quantities_are_comparable(
    question: str, gold: str, reason: str
) -> None:
    """Each case that the rule decides is recognised, also where a sentence states it."""
    language = "de" if question.startswith(("Wie", "Ist")) else None
    assert gold_kind([[gold]], question, language) == GoldKind("comparable", reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "gold", "reason"),
    [
        (
            "Which segment shrank?",
            "The packaging segment shrank by 1.4% before acquisitions.",
            "sentence",
        ),
        ("Who lost the vote?", "Yes, one did; his name is Robert Miles", "sentence"),
        ("How did the rate change?", "It dropped from 24.0% in 2021 to 21.5% in 2022.", "sentence"),
        ("Why did costs rise?", "Mostly freight, and wages to a lesser degree.", "sentence"),
        ("Wer leitet den Rat?", "Den Rat leitet seit Mai Frau Dr. Sabine Kremer.", "sentence"),
        (
            "How is lease cost recognised?",
            "straight-line basis without regard to deferred payment terms",
            "long_text",
        ),
        ("What happened?", "word " * 100, "long_text"),
    ],
)
def test_sentences_and_long_texts_are_prose(question: str, gold: str, reason: str) -> None:
    """A right answer in other words would stay undecided."""
    assert gold_kind([[gold]], question) == GoldKind("prose", reason)  # type: ignore[arg-type]


def test_one_comparable_variant_is_enough_and_one_item_of_prose_is_too_much() -> None:
    """A right answer may equal any variant, but it needs every item of it."""
    question, prose = "Which segment shrank?", "The packaging segment shrank before acquisitions."
    assert gold_kind([[prose], ["Packaging"]], question) == ("comparable", "short_text")
    assert gold_kind([["Packaging", "Coatings"]], question) == ("comparable", "list")
    assert gold_kind([["Packaging", prose]], question) == ("prose", "sentence")
    assert gold_kind([], question) is None
