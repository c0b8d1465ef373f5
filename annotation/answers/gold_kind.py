"""Is a gold answer short enough for the rule of correctness, or prose that a person must judge?

The rule decides where an answer equals the gold, or where both are one quantity, one date, yes or
no, or a list of such. Of a sentence it leaves nearly every right answer in other words undecided.
Decided before there is any answer, to warn whoever sets up a campaign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.vocabulary import FILLERS
from pagetrail.annotation.normalised_text import Token

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


_ASKED_QUANTITY = re.compile(
    r"\b(?:how (?:much|many|often|long|old|far|fast|large|big|high|tall|deep|wide|heavy)"
    r"|(?:what|which)(?: \w+){0,3} (?:percentage|percent|share|proportion|fraction|number|amount"
    r"|ratio|rate|price|cost|total|value|turnover)"
    r"|wie ?(?:viele?s?|oft|lange?|alt|weit|schnell|groß|gross|hoch|tief|breit|schwer)"
    r"|wieviele?|welche[rsn]? (?:anteil|anzahl|prozentsatz|quote|betrag|summe|preis))\b"
)
_ASKS_FOR_TEXT = re.compile(
    r"\b(?:wh(?:at|en|ere|ich|o|om|ose|y)|how|list|name|wer|wen|wem|wessen|was|wann|wo|woher|wohin"
    r"|warum|weshalb|wieso|wie|wieviele?|welche[mnrs]?|womit|wodurch|wofür|nenne[n]?)\b"
)
_POLAR_WORDS = frozenset(("yes", "no", "ja", "nein", "doch"))
_STOP = r"(?:\b(?!(?i:inc|ltd|corp|prof|nos?|bzw|usw)\b)[^\W_]{3,}|\d|[%€$)])[.!?]+[\"'”“’)]*"
_SENTENCE_END = re.compile(rf"{_STOP}\s*$")
_NEXT_SENTENCE = re.compile(rf"{_STOP}\s+[\"'“„(]?[A-ZÄÖÜ]")
_FINITE_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|did|will|can|could|would"
    r"|ist|sind|war|waren|hat|haben|hatte|wird|werden|wurde|wurden|kann)\b",
    re.IGNORECASE,
)
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def gold_kind(
    variants: Sequence[Sequence[str]], question: str, language: str | None = None
) -> GoldKind | None:
    """The kind of a task's gold: that of its most comparable variant; None without variants.

    Args:
        language: of the task; English unless stated.
    """
    kinds = [_kind_of_variant(variant, question, language) for variant in variants if variant]
    return min(kinds, key=lambda kind: kind.kind == "prose", default=None)


def _kind_of_variant(variant: Sequence[str], question: str, language: str | None) -> GoldKind:
    kinds = [_kind_of_item(text, question, language) for text in variant]
    if len(kinds) == 1:
        return kinds[0]
    prose = next((kind for kind in kinds if kind.kind == "prose"), None)
    return prose or GoldKind("comparable", "list")


def _kind_of_item(text: str, question: str, language: str | None) -> GoldKind:
    if len(text) > MAX_CHARS:
        return GoldKind("prose", "long_text")
    answer, question_parsed = (ParsedAnswer.parse(words, language) for words in (text, question))
    if answer.is_quantity:
        return GoldKind("comparable", "quantity")
    if answer.words and answer.words[0] in _POLAR_WORDS and _is_polar(question):
        return GoldKind("comparable", "polar")
    quantities = [q for q in answer.quantities if q.value not in question_parsed.numbers]
    if len(quantities) == 1 and _ASKED_QUANTITY.search(question.casefold()):
        return GoldKind("comparable", "quantity")
    if answer.is_date:
        return GoldKind("comparable", "date")
    rest = _count_words(word for word in answer.words if word not in question_parsed.words)
    if _is_sentence(text):
        if quantities or rest > MAX_SENTENCE_WORDS:
            return GoldKind("prose", "sentence")
        return GoldKind("comparable", "short_text")
    if rest <= MAX_WORDS:
        return GoldKind("comparable", "short_text")
    return GoldKind("prose", "long_text")


def _is_polar(question: str) -> bool:
    return _ASKS_FOR_TEXT.search(question.casefold()) is None


def _is_sentence(text: str) -> bool:
    """By a verb in English and German, or a full stop after a word that is no abbreviation."""
    return len(text.split()) > 2 and any(
        pattern.search(text) for pattern in (_SENTENCE_END, _NEXT_SENTENCE, _FINITE_VERB)
    )


def _count_words(words: Iterable[Token]) -> int:
    """Words and numbers without fillers; two signs of a text without spaces are one word."""
    return sum(
        (len(word) + 1) // 2 if isinstance(word, str) and _EAST_ASIAN.search(word) else 1
        for word in words
        if not isinstance(word, str) or (word not in FILLERS and word[0].isalnum())
    )
