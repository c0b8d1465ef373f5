"""One answer item as it is compared: its words, quantities, and periods of time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from pagetrail.annotation.answers.function_words import NUMBER_WORDS, function_words
from pagetrail.annotation.answers.periods import (
    YEAR,
    Period,
    find_periods,
    joined_periods,
    year_period,
)
from pagetrail.annotation.answers.quantities import (
    MAX_DIGITS,
    Quantity,
    clean_text,
    find_quantities,
)
from pagetrail.annotation.answers.vocabulary import (
    CURRENCIES,
    DECLINES,
    NEGATIVE,
    RATES,
    UNITS,
    decimal_mark,
    language_code,
)
from pagetrail.annotation.normalised_text import Token, normalised_tokens, plain_text

MAX_READ = 5_000
"""Characters; of longer answers only the words are compared."""
MAX_UNIT_WORDS = 5
"""“million tonnes of CO₂ equivalent” has five."""
MIN_PHONE_DIGITS = 7

Limit = Literal["", "at_most", "at_least", "more", "less", "not"]

_NUMBER = r"\d[\d.,']{0,30}"
_SYMBOL = r"(?:US|R|C|CA|A|AU)?[$€£¥₹]|USD|EUR|GBP|CHF|JPY"
_SCALE = r"(?:k|m|mm|mn|bn|tn|thousand|million|billion|trillion|tsd|mio|mrd|millionen|milliarden)\b"
_BRACKETS = re.compile(
    rf"(?P<symbol>{_SYMBOL})\s?\((?P<a>{_NUMBER})\)|"
    rf"\((?P<b>(?:(?:{_SYMBOL})\s?)?{_NUMBER}\s?%?)\)(?=\s?(?:%|{_SCALE}))",
    re.IGNORECASE,
)
_ALL_IN_BRACKETS = re.compile(
    rf"\s*(?P<before>(?:{_SYMBOL})?)\s?\(\s?(?!(?:19|20)\d\d\s?\))"
    rf"(?P<inside>(?:(?:{_SYMBOL})\s?)?{_NUMBER}[^\d()]{{0,20}})\)(?P<after>[^\d()]{{0,30}})",
    re.IGNORECASE,
)
_REWRITTEN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bno(?:s?\.(?=\s?(?:of\b|\d))|(?=\sof\b))", re.I), "number"),
    (
        re.compile(
            r"\b(?:FY|GJ)\s?'?(?=\d{4}\b)|\b(?:fiscal|financial) year\s|\bgeschäftsjahr\s", re.I
        ),
        "fiscal ",
    ),
    (re.compile(r"\b(?:FY|GJ)\s?'?(?=\d\d\b)"), "fiscal 20"),
    (re.compile(r"n't\b|(?<=can)not\b", re.I), " not"),
    (re.compile(r"(?<=\w)'s\b", re.I), ""),
    (re.compile(r"\bgrad celsius\b", re.I), "°c"),
    (re.compile(r"\b(\d{1,2}) (\d\d) ?(?=[ap]\.?m\b)", re.I), r"\1:\2 "),
    (re.compile(r"\b(?:not|nicht) [^.;:!?]{1,40}?,? (?:but|sondern) ", re.I), ""),
    (
        re.compile(rf"\b(?:between|zwischen) ({_NUMBER}[\s%]{{0,2}})(?:and|und) (?=\d)", re.I),
        r"\1 to ",
    ),
)
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,20}")
_FRACTION = re.compile(r"\s*(\d{1,3}) ?/ ?([2-9]|[1-9]\d{1,2})\s*")
_ABBREVIATION = re.compile(r"\b([^\W\d_]{1,4})\.(?= ?\w)")
_REFERENCE = re.compile(r"\b(?:notes?|pages?|figures?|tables?|items?|seiten?|tabellen?)\s$", re.I)
_DECADE = re.compile(r"\b\d{3}0s\b|\b\d{2,3}0er\b")

_TOKEN = re.compile(
    r"(?P<period><[a-z=,\d]+>)|(?P<number>\d+(?:[.,']\d+)*)|[^\W\d_]+"
    r"|(?P<to>(?<=[\d%]) ?- ?(?=[\d$€£]))|(?<![\w.])-(?=\s?[\d.$€£])|(?<=\de)-(?=\d)"
    r"|[+#%‰$€£¥₹<>≤≥=/&°*^]"
)
_WORD = re.compile(r"°?[^\W\d_]+\d?")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_SUFFIX = re.compile(
    r"(?<=[^\W\d_]{4})(?:t?(?:ing|ed|es|en|er|em|e|s)|[dnt])$|(?<=..)(?:es|ed|e|s)$"
)
_SAME_TOKEN = {"&": "and", "bis": "to", "through": "to"}

_LIMIT_WORDS: Mapping[Limit, str] = {
    "at_most": r"at most|up to|(?:no|not) (?:more|higher|greater) than|maximum of|max|as many as"
    r"|höchstens|maximal|bis zu|nicht mehr als|au (?:plus|maximum)|jusqu'à|como máximo|hasta"
    r"|al massimo|fino a|no máximo|até|hoogstens|maximaal|<=|≤",
    "at_least": r"at least|(?:no|not) (?:less|fewer|lower) than|minimum of|min|mindestens"
    r"|wenigstens|nicht weniger als|au moins|al menos|por lo menos|almeno|pelo menos|minstens"
    r"|>=|≥",
    "more": r"(?:more|greater|higher|larger) than|over|above|exceed(?:s|ing|ed)?|in excess of"
    r"|mehr als|über|plus de|más de|più di|mais de|meer dan|>",
    "less": r"(?:less|fewer|lower|smaller) than|under|below|weniger als|unter|moins de|menos de"
    r"|meno di|minder dan|<",
    "not": r"not|nicht|pas",
}
_LIMITS = {limit: re.compile(rf"(?<!\w)(?:{words})$") for limit, words in _LIMIT_WORDS.items()}
"""Limit → what ends the text before its number; the first that fits counts."""
_NOUN = r"(?:[^\W\d_]{1,30}\s)?"
_AFTER_LIMITED = re.compile(
    rf"\s?(?:(?P<at_least>\+(?!\s?\d)|{_NOUN}(?:(?:or|and) (?:more|over|above|older|up|greater)"
    r"|(?:oder|und) (?:mehr|älter|darüber)|ou plus|o más))"
    rf"|(?P<at_most>{_NOUN}(?:(?:or|and) (?:less|fewer|under|younger|below)"
    r"|(?:oder|und) (?:weniger|jünger)|ou moins|o menos)))"
)
_TURNED_OVER = re.compile(r"\b(?:turn|roll|carr|hand|spill)\w*(?: [^\W\d_]+){0,3} over\s*$")
RISES = re.compile(
    r"\b(?:increas|ris(?:e|es|en|ing)\b|rose|grow|grew|gain|(?<!made )up\b(?! to\b)|higher|improv"
    r"|gestiegen|stieg|anstieg|zunahm|zugenommen|gewachsen|hausse|augment|aument|subi|crec)"
)
"""Words that say that something became more."""


class Figure(NamedTuple):
    """A quantity with what limits it.

    Attributes:
        limit: what words such as “more than” make of it.
        limit_words: those words.
        unit_word: the word right after it; empty if it has no meaning of its own.
        is_unclear: whether its separator may divide thousands or decimals, as in “CHF 1.250”.
    """

    quantity: Quantity
    limit: Limit
    limit_words: tuple[str, ...]
    unit_word: str
    is_unclear: bool


class ParsedAnswer:
    """An answer item with the numbers in it.

    Attributes:
        text: as it is compared, see ``plain_text``.
        language: code of the language in which it is read.
        is_read: whether it is short enough for its numbers to be read.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text = plain_text(text)
        self.language = language
        # A single character can mean a whole phrase.
        self.is_read = len(text) <= MAX_READ >= len(self.text)

    @classmethod
    def parse(cls, text: str, language: str | None = None) -> ParsedAnswer:
        """The answer as its language writes numbers; English unless stated."""
        return _parsed(text, language_code(language))

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """Its words as the measure “exact match” compares them."""
        return normalised_tokens(self.text)

    @cached_property
    def cleaned(self) -> str:
        """One way to write signs, brackets that mean minus, fiscal years and negations."""
        if not self.is_read:
            return ""
        text = clean_text(self.text, self.language)
        if match := _FRACTION.fullmatch(text):
            return f"{Decimal(match[1]) / Decimal(match[2]):.12f}"
        if match := _ALL_IN_BRACKETS.fullmatch(text):
            text = f"-{match['before']}{match['inside']}{match['after']}"
        else:
            text = _BRACKETS.sub(_with_minus, text)
        text = _DOTTED.sub(lambda match: match[0].replace(".", ""), text)
        for pattern, replacement in _REWRITTEN:
            text = pattern.sub(replacement, text)
        if words := NUMBER_WORDS.get(self.language):
            return _WORD.sub(lambda match: str(words.get(match[0].casefold(), match[0])), text)
        return text

    @cached_property
    def periods(self) -> list[Period]:
        """Dates, times, quarters and fiscal years, in order."""
        return find_periods(self.cleaned, self.language)

    @cached_property
    def _without_periods(self) -> str:
        """The text with its periods blanked out, so that positions stay."""
        return _blank(self.cleaned, [(period.start, period.end) for period in self.periods])

    @cached_property
    def all_quantities(self) -> list[Quantity]:
        """Every quantity, in order."""
        return find_quantities(self._without_periods, self.language)

    @cached_property
    def remainder(self) -> str:
        """The text without periods and quantities."""
        return _blank(self._without_periods, [(q.start, q.end) for q in self.all_quantities])

    @cached_property
    def quantities(self) -> list[Quantity]:
        """Distinct quantities, without bare years unless there is nothing else."""
        rest = [q for q in self.all_quantities if not self._is_year(q)] or self.all_quantities
        return list({(q.value, q.currency, q.rate): q for q in rest}.values())

    def quantities_besides(self, other_numbers: frozenset[Decimal]) -> list[Quantity]:
        """The quantities without numbers of pages and the like, of compounds, and from elsewhere.

        Args:
            other_numbers: such as those of the question.
        """
        return [
            quantity
            for quantity in self.quantities
            if quantity.mantissa not in other_numbers
            and not _REFERENCE.search(self.cleaned[max(0, quantity.start - 12) : quantity.start])
            and not self._is_compound(quantity)
        ]

    def _is_compound(self, quantity: Quantity) -> bool:
        """Whether it is a part of a word such as “two-finger”, and of no unit as “24-month”."""
        match = re.match(r"-([^\W\d_]+)", self.cleaned[quantity.end : quantity.end + 20])
        return match is not None and match[1].casefold() not in UNITS

    def figure(self, quantity: Quantity) -> Figure:
        """A quantity with what limits it."""
        before = self.cleaned[max(0, quantity.start - 40) : quantity.start].casefold().rstrip()
        before = before.rstrip("(").rstrip()
        words = before.split()
        while words and words[-1] in function_words(self.language).approximate:
            words.pop()
        before = " ".join(words)
        limit, limit_text = _limit_before(before)
        after = self.cleaned[quantity.end : quantity.end + 40].casefold()
        if not limit and (match := _AFTER_LIMITED.match(after)):
            limit, limit_text = ("at_least" if match["at_least"] else "at_most"), match[0]
        following = _WORD.match(after.lstrip(" -"))
        word = following[0] if following else ""
        return Figure(
            quantity,
            limit,
            tuple(_WORD.findall(limit_text)),
            "" if word in function_words(self.language).neutral else UNITS.get(word, word),
            self._is_unclear(quantity),
        )

    def _is_year(self, quantity: Quantity) -> bool:
        """Whether it is four digits of a year, and no end of a range such as “2010-12”."""
        around = self.cleaned[max(0, quantity.start - 2) : quantity.end + 2]
        return (
            YEAR.fullmatch(self.cleaned[quantity.start : quantity.end]) is not None
            and re.search(r"\d[-/]|[-/]\d", around) is None
        )

    def _is_unclear(self, quantity: Quantity) -> bool:
        mark = re.escape(decimal_mark(self.language))
        digits = self.cleaned[quantity.start : quantity.end]
        return (
            quantity.currency is not None
            and not quantity.scale
            and re.search(rf"(?<![\d.,])[1-9]\d{{0,2}}{mark}\d{{3}}(?![\d.,]\d)", digits)
            is not None
        )

    @cached_property
    def periods_and_years(self) -> list[Period]:
        """The periods, a date with its time as one, and bare years."""
        years = [
            year_period(int(q.value), q.start, q.end)
            for q in self.all_quantities
            if self._is_year(q)
        ]
        return [*joined_periods(self.periods), *years]

    @cached_property
    def has_only_periods(self) -> bool:
        """Whether every number in it is of a period or a year."""
        return not self.has_decade and all(map(self._is_year, self.all_quantities))

    @cached_property
    def has_vague_number(self) -> bool:
        """Whether a word such as “one” or “half” may state the quantity, which is not read."""
        return not function_words(self.language).vague_numbers.isdisjoint(self.stated_words)

    @cached_property
    def has_decade(self) -> bool:
        """Whether there is something like “1900s”, which is no year."""
        return _DECADE.search(self.cleaned) is not None

    @cached_property
    def numbers(self) -> Counter[Decimal | str]:
        """All numbers, also those inside of words (“Q3”), and dates; of long texts, the digits."""
        if not self.is_read:
            return Counter(_DIGITS.findall(self.text))
        digit_runs = _DIGITS.findall(self.remainder)
        return Counter(
            [
                *(quantity.value for quantity in self.all_quantities),
                *(
                    Decimal(digits) if len(digits) <= MAX_DIGITS else digits
                    for digits in digit_runs
                ),
                *(period.code for period in self.periods),
            ]
        )

    @cached_property
    def stated_words(self) -> tuple[str, ...]:
        """The words outside of numbers, known units by their symbol."""
        words = (word.casefold() for word in _WORD.findall(self.remainder))
        return tuple(UNITS.get(word, word) for word in words)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem, self.stated_words))

    @cached_property
    def content_words(self) -> tuple[str, ...]:
        """The words that mean something next to a number."""
        neutral = function_words(self.language).neutral | NEGATIVE
        return tuple(word for word in self.stated_words if word not in neutral)

    @cached_property
    def is_quantity(self) -> bool:
        """Whether it is one quantity and nothing else: a number with at most a unit."""
        if len(self.all_quantities) != 1 or self.periods or self.all_quantities[0].numbers_item:
            return False
        figure = self.figure(self.all_quantities[0])
        before = self.remainder[: figure.quantity.start].casefold()
        words = function_words(self.language)
        neutral = words.neutral | NEGATIVE | set(figure.limit_words)
        return (
            not self.has_decade
            and not words.finite_verbs.intersection(self.stated_words)
            and all(word in neutral for word in _WORD.findall(before))
            and len([word for word in self.content_words if word not in figure.limit_words])
            <= MAX_UNIT_WORDS
        )

    @property
    def sole_quantity(self) -> tuple[object, ...]:
        """Equal for items that are the same quantity; for those that are one."""
        figure = self.figure(self.all_quantities[0])
        quantity = figure.quantity
        units = frozenset(map(stem, self.content_words)) - set(map(stem, figure.limit_words))
        return quantity.value, quantity.currency, quantity.rate, figure.limit, units, self.direction

    @cached_property
    def is_date(self) -> bool:
        """Whether it is one date or time and nothing else."""
        return len(self.periods) == 1 and not self._without_periods.strip(" .,;")

    @cached_property
    def direction(self) -> Literal["", "up", "down", "both"]:
        """Whether its words say that something became less or more."""
        text = self.cleaned.casefold()
        down, up = DECLINES.search(text) is not None, RISES.search(text) is not None
        return "both" if down and up else "down" if down else "up" if up else ""

    @cached_property
    def negations(self) -> int:
        """How many words deny something."""
        words = function_words(self.language).negations
        return sum(token in words for token in self.tokens)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Words, numbers as they are written, periods, and signs with a meaning, in order."""
        text = self.text
        if self.is_read:
            parts, position = [], 0
            for period in self.periods:
                parts += [self.cleaned[position : period.start], f" {period.code} "]
                position = period.end
            text = "".join([*parts, self.cleaned[position:]])
        tokens = [self._token(match) for match in _TOKEN.finditer(text.casefold())]
        return tuple(
            token
            for number, token in enumerate(tokens)
            if not (token == "%" and tokens[number + 1 : number + 2] == ["to"])
        )

    def _token(self, match: re.Match[str]) -> str:
        token = match[0]
        if match["to"]:
            return "to"
        if match["number"]:
            mark = decimal_mark(self.language)
            grouped = re.fullmatch(r"\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*", token)
            if grouped and grouped[1] != mark:
                return re.sub(r"\D", "", token)
            return token.replace(",", ".") if mark == "," and token.count(",") == 1 else token
        return _SAME_TOKEN.get(token) or CURRENCIES.get(token) or RATES.get(token) or token

    @cached_property
    def key(self) -> tuple[str, ...]:
        """Equal for items that are the same text after normalising; empty without a word."""
        return without_articles(self.tokens, self.language, kept=self.abbreviations)

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """The words that a full stop shortens, such as “art” in “Art. 5”."""
        return frozenset(_ABBREVIATION.findall(self.cleaned.casefold()))

    @cached_property
    def phone_digits(self) -> str:
        """The digits of a text that has no letters, such as a telephone number; else empty."""
        if not self.is_read or _LETTER.search(self.text) or self.periods:
            return ""
        digits = "".join(_DIGITS.findall(self.cleaned))
        return digits if len(digits) >= MIN_PHONE_DIGITS else ""

    def has_same_numbers(self, other: ParsedAnswer) -> bool:
        """Whether both hold the same numbers and dates, or the digits of the same identifier."""
        if self.numbers == other.numbers:
            return True
        digits = self.phone_digits
        return bool(digits) and digits == other.phone_digits


def stem(word: str) -> str:
    """A word without the ending by which its forms differ, as far as a rule of thumb goes."""
    return _SUFFIX.sub("", word, count=1)


def without_articles(
    tokens: Iterable[str], language: str, kept: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """The words without articles; the last word is none, as in “hepatitis A”."""
    articles, tokens = function_words(language).articles - kept, tuple(tokens)
    return (*(token for token in tokens[:-1] if token not in articles), *tokens[-1:])


@lru_cache(1024)
def _parsed(text: str, language: str) -> ParsedAnswer:
    return ParsedAnswer(text, language)


def _with_minus(match: re.Match[str]) -> str:
    return f"-{match['symbol']}{match['a']}" if match["a"] else f"-{match['b']}"


def _limit_before(text: str) -> tuple[Limit, str]:
    """The limit that a text ends with, and its words."""
    if not _TURNED_OVER.search(text):
        for limit, pattern in _LIMITS.items():
            if match := pattern.search(text):
                return limit, match[0]
    return "", ""


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], " " * (end - start)]
        position = end
    return "".join([*parts, text[position:]])
