"""What a question asks for: yes or no, a quantity, a date; and what it says about the answer."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cached_property, lru_cache

from pagetrail.annotation.answers.function_words import function_words
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer, stem
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.answers.vocabulary import CURRENCIES, RATES, UNITS, scale_exponent

_ASKS_QUANTITY = re.compile(
    r"\b(?:how (?:much|many|often|long|old|far|fast|large|big|high|tall|deep|wide|heavy)"
    r"|(?:what|which)(?: \w+){0,3} (?:percentage|percent|share|proportion|fraction|number|amount"
    r"|ratio|rate|price|cost|total|value|turnover)"
    r"|wie ?(?:viele?s?|oft|lange?|alt|weit|schnell|groß|gross|hoch|tief|breit|schwer)"
    r"|welche[rsn]? (?:anteil|anzahl|prozentsatz|quote|betrag|summe|preis)"
    r"|combien|quel(?:le)? (?:pourcentage|montant|nombre|taux|part)|cuánt[oa]s?|qué porcentaje"
    r"|quant[oaie]s?|hoe (?:veel|lang|vaak|hoog|groot|oud|ver)|hoeveel)\b"
)
_ASKS_DATE = re.compile(
    r"\b(?:when|(?:what|which)(?: \w+){0,2} (?:date|year|month|day|quarter)|wann"
    r"|welche[mnrs]? (?:jahr|datum|tag|monat|quartal)|quand|cuándo|quando|wanneer)\b"
)
_ASKS_IDENTIFIER = re.compile(
    r"\b(?:version|release|section|chapter|clause|edition|kapitel|abschnitt|ausgabe|ziffer)\b"
)
_IN_ORDER = re.compile(
    r"\b(?:respectively|order|rank(?:ed|ing)?|ascending|descending|jeweils|reihenfolge"
    r"|respectivement|respectivamente|rispettivamente)\b"
)
_YES_OR_NO = re.compile(r"\b(?:yes or no|yes/no|ja oder nein|or not|oder nicht|more or less)\b")
_SECOND_QUESTION = re.compile(
    r"\?.*\?|\b(?:if (?:so|not|yes|any)|wenn ja|falls ja|si (?:oui|sí))\b"
    r"|\b(?:and|und|et|y|e) (?:also|auch|\w+ )?(?:is|are|was|were|do|does|did|has|have|by how|how"
    r"|what|when|where|which|who|why|wie|wer|was|wann|wo|warum|welche\w?)\b",
    re.DOTALL,
)
_RATIO = re.compile(r"\b(?:ratio|turnover|often|times|multiple|coverage|oft|mal)\b")
_WORD = re.compile(r"[^\W\d_]+")
_SLASH = re.compile(r"[^\W\d_]{3,} ?/ ?[^\W\d_]{3,}")
_MAX_QUESTION = 2_000
"""Characters; what a longer text asks for is not read."""


class ParsedQuestion:
    """A question with what the rule needs to know of it.

    Attributes:
        question: the text, its language and the tolerance.
        parsed: its words and numbers.
    """

    def __init__(self, question: Question) -> None:
        text = question.text if len(question.text) <= _MAX_QUESTION else ""
        self.question = question
        self.parsed = ParsedAnswer.parse(text, question.language)
        self._text = self.parsed.cleaned.casefold()
        self._words = function_words(self.parsed.language)

    @classmethod
    def parse(cls, question: Question) -> ParsedQuestion:
        """The question as its language is read; English unless stated."""
        return _parsed(question)

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Its words, without what turns a statement into its opposite."""
        return frozenset(self.parsed.tokens) - self._words.negations

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return self.parsed.stems

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """The numbers in it, as they are written before a scale."""
        return frozenset(quantity.mantissa for quantity in self.parsed.all_quantities)

    @cached_property
    def units(self) -> frozenset[str]:
        """Currencies, rates and units that it names, by their symbol."""
        words = [*self._text.split(), *self.parsed.stated_words, *_WORD.findall(self._text)]
        words += (
            ["%"] if re.search(r"\bpercentage|prozent|pourcentage|porcentaje", self._text) else []
        )
        named = {
            CURRENCIES.get(word) or RATES.get(word) or UNITS.get(word)
            for word in map(_plain, words)
        }
        named |= {
            unit
            for quantity in self.parsed.all_quantities
            for unit in (quantity.currency, quantity.rate)
        }
        return frozenset(filter(None, named | ({"x"} if _RATIO.search(self._text) else set())))

    @cached_property
    def scale(self) -> int:
        """The power of ten that it asks for, as “in millions”; 0 where there is none or several."""
        exponents = {
            scale_exponent(word, self.parsed.language, with_currency=False)
            for word in _WORD.findall(self.parsed.remainder.casefold())
            if len(word) > 1
        } - {None, 2}
        return exponents.pop() or 0 if len(exponents) == 1 else 0

    @cached_property
    def has_alternatives(self) -> bool:
        """Whether it offers alternatives, so that its own words can be the answer."""
        text = _YES_OR_NO.sub(" ", self._text)
        return any(word in self._words.alternatives for word in _WORD.findall(text)) or (
            _SLASH.search(text) is not None
        )

    @cached_property
    def is_negated(self) -> bool:
        """Whether it denies something, so that yes and no could mean either."""
        words = self._words.negations
        return any(word in words for word in _WORD.findall(_YES_OR_NO.sub(" ", self._text)))

    @cached_property
    def is_compound(self) -> bool:
        """Whether it asks for more than one thing."""
        return _SECOND_QUESTION.search(self._text) is not None

    @cached_property
    def is_polar(self) -> bool:
        """Whether yes or no answers it."""
        if _YES_OR_NO.search(self._text):
            return True
        words = _WORD.findall(self._text)
        if words and words[0] in self._words.prepositions and "," in self._text:
            words = _WORD.findall(self._text.partition(",")[2]) or words
        if not words or words[0] in self._words.interrogatives:
            return False
        if words[0] in self._words.auxiliaries:
            return True
        if words[0] in self._words.prepositions or not self._text.rstrip().endswith("?"):
            return False
        return self._words.is_verb_first or (
            self._words.is_marked_by_sign and not self._words.interrogatives & set(words)
        )

    @cached_property
    def asks_quantity(self) -> bool:
        """Whether one quantity answers it."""
        return _ASKS_QUANTITY.search(self._text) is not None and not self.is_compound

    @cached_property
    def asks_date(self) -> bool:
        """Whether one date answers it."""
        return _ASKS_DATE.search(self._text) is not None and not self.is_compound

    @cached_property
    def asks_identifier(self) -> bool:
        """Whether it asks for something like a version, whose number is no quantity."""
        return _ASKS_IDENTIFIER.search(self._text) is not None

    @cached_property
    def asks_order(self) -> bool:
        """Whether the order of several answers matters."""
        years = {period.parts for period in self.parsed.periods_and_years}
        return _IN_ORDER.search(self._text) is not None or len(years) > 1

    def names_unit(self, unit: str | None) -> bool:
        """Whether it states a unit, which answers need not repeat."""
        return unit in self.units or (unit is not None and stem(unit.casefold()) in self.stems)


def _plain(word: str) -> str:
    return word.strip(".,;:?!()'\"")


@lru_cache(256)
def _parsed(question: Question) -> ParsedQuestion:
    return ParsedQuestion(question)
