"""Is a gold answer short enough for the rule of correctness, or prose that a person must judge?

The rule decides where an answer equals the gold, or where both are one quantity, one date, yes or
no, or a list of such. Of a sentence it leaves nearly every right answer in other words undecided.
Decided before there is any answer, to warn whoever sets up a campaign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pagetrail.annotation.answers.cases import Polar
from pagetrail.annotation.answers.function_words import function_words
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer, stem
from pagetrail.annotation.answers.parsed_question import ParsedQuestion
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.answers.vocabulary import FILLERS

MAX_WORDS = 6
"""Longer texts are rarely repeated word for word; fillers do not count."""
MAX_SENTENCE_WORDS = 2
"""Of a sentence, beyond the words of its question."""
MAX_CHARS = 300
"""Longer texts are prose without being read."""

Kind = Literal["comparable", "prose"]
KindReason = Literal["quantity", "date", "polar", "list", "short_text", "sentence", "long_text"]


class GoldKind(NamedTuple):
    """Whether the rule can compare answers with a gold answer, and by what this was seen."""

    kind: Kind
    reason: KindReason


_STOP = r"(?:\b(?!(?i:inc|ltd|corp|prof|nos?|bzw|usw)\b)[^\W_]{3,}|\d|[%€$)])[.!?]+[\"'”“’)]*"
_SENTENCE_END = re.compile(rf"{_STOP}\s*$")
_NEXT_SENTENCE = re.compile(rf"{_STOP}\s+[\"'“„(]?[A-ZÄÖÜ]")
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def gold_kind(
    variants: Sequence[Sequence[str]], question: str, language: str | None = None
) -> GoldKind | None:
    """The kind of a task's gold: that of its most comparable variant; None without variants.

    Args:
        language: of the task; English unless stated.
    """
    parsed = ParsedQuestion.parse(Question(question, language))
    kinds = [_kind_of_variant(variant, parsed) for variant in variants if variant]
    return min(kinds, key=lambda kind: kind.kind == "prose", default=None)


def _kind_of_variant(variant: Sequence[str], question: ParsedQuestion) -> GoldKind:
    kinds = [_kind_of_item(text, question) for text in variant]
    if len(kinds) == 1:
        return kinds[0]
    prose = next((kind for kind in kinds if kind.kind == "prose"), None)
    return prose or GoldKind("comparable", "list")


def _kind_of_item(text: str, question: ParsedQuestion) -> GoldKind:
    if len(text) > MAX_CHARS:
        return GoldKind("prose", "long_text")
    answer = ParsedAnswer.parse(text, question.question.language)
    if answer.is_quantity:
        return GoldKind("comparable", "quantity")
    if question.is_polar and Polar().lead(answer, question) is not None:
        return GoldKind("comparable", "polar")
    figures = [f for f in answer.quantities if f.mantissa not in question.numbers]
    if len(figures) == 1 and question.asks_quantity:
        return GoldKind("comparable", "quantity")
    if answer.is_date:
        return GoldKind("comparable", "date")
    rest = _count_words(word for word in answer.tokens if stem(word) not in question.stems)
    if _is_sentence(answer):
        if figures or rest > MAX_SENTENCE_WORDS:
            return GoldKind("prose", "sentence")
        return GoldKind("comparable", "short_text")
    if rest <= MAX_WORDS:
        return GoldKind("comparable", "short_text")
    return GoldKind("prose", "long_text")


def _is_sentence(answer: ParsedAnswer) -> bool:
    """By a verb, or a full stop after a word that is no abbreviation."""
    verbs = function_words(answer.language).finite_verbs
    return len(answer.tokens) > 2 and (
        any(pattern.search(answer.text) for pattern in (_SENTENCE_END, _NEXT_SENTENCE))
        or any(token in verbs for token in answer.tokens)
    )


def _count_words(words: Iterable[str]) -> int:
    """Words and numbers without fillers; two signs of a text without spaces are one word."""
    return sum(
        (len(word) + 1) // 2 if _EAST_ASIAN.search(word) else 1
        for word in words
        if word not in FILLERS and word[0].isalnum()
    )
