"""Quantities in a text: sign, digits, scale, currency and percent, however they are written.

Separators that could mean either (“1.234”) are read as the language writes numbers.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import NamedTuple

from pagetrail.annotation.answers.vocabulary import (
    CJK_SCALES,
    CURRENCIES,
    LIMITS,
    NEGATIVE,
    NUMBER_WORDS,
    ONE_WORD,
    RATES,
    decimal_mark,
    scale_exponent,
)
from pagetrail.annotation.normalised_text import plain_text

MAX_DIGITS = 25
"""Longer runs of digits are words, so that arithmetic stays exact and quick."""
MAX_EXPONENT = 30
"""Larger powers of ten are words."""

_LETTER = r"[^\W\d_]"
_ARABIC = {ord("٫"): ".", ord("٬"): ",", ord("٪"): "%"}
_CODE = re.compile(r"(?i)\b(usd|eur|gbp|chf|inr|rs\.?|jpy|cny|rmb|brl|rub|teur)(?=\d)")
_PHRASE = re.compile("|".join(rf"\b{re.escape(phrase)}\b" for phrase in ONE_WORD), re.IGNORECASE)
_TENS = "|".join(word for word, number in NUMBER_WORDS.items() if number >= 20)
_ONES = "|".join(word for word, number in NUMBER_WORDS.items() if 0 < number < 10)
_FACTOR_WORDS = "|".join(
    word for word, number in NUMBER_WORDS.items() if 2 <= number < 20 or not number
)
_NUMBER_WORDS = re.compile(
    rf"(?i)\b(?:(?:{_TENS})(?:[\s-](?:{_ONES}))?|{_FACTOR_WORDS}"
    rf"|one(?=\s(?:hundred|thousand|million|billion|trillion)\b)|(?<!.)one(?!.))\b"
)
_OF_CURRENCY = re.compile(r"(?i)\b(?:d'|(?:de|di|of|von) )(?=euro|dollar|reais)")
_TEUR = re.compile(r"(?<=\d)\s?T(?=EUR\b|€)")
_MEGATONNES = re.compile(r"(?<=\d)\s?([kMG])t\b")
_PREFIXES = {"k": "thousand", "M": "million", "G": "bn"}
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)

_NUMBER = re.compile(
    r"(?<![A-Za-z\u00c0-\u052f\d_])(?:"
    r"(?P<whole>\d{1,3}(?P<group>[ .,'])\d{3}(?:(?P=group)\d{3})*(?!\d)"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?!\d))(?P<tail>[.,]\d+)?"
    r"|(?P<plain>\d+(?:[.,]\d+)?|(?<![\d\w])[.,]\d+)"
    r")(?:e(?P<e>[-+]?\d+)(?!\w)|\s?[x×*·]\s?10\^?(?P<power>-?\d{1,4})(?!\d))?",
    re.IGNORECASE,
)
_CURRENCY_WORDS = "|".join(sorted((re.escape(word) for word in CURRENCIES), key=len, reverse=True))
_BEFORE = re.compile(
    rf"(?:^|(?<=[\s(\[,;:=~≈]))(?P<sign>[-+])?\s?"
    rf"(?P<currency>(?<!\w)(?:{_CURRENCY_WORDS}|teur)\.?(?![^\W\d_]))?\s?"
    rf"(?P<inner>[-+(])?\s?$",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\s?((?:{_LETTER}|[\u0900-\u097f])+\$?|[%‰$€£¥₽₹]|R\$|°\s?{_LETTER})\.?")
_LAST_WORD = re.compile(rf"({_LETTER}+)\s*$")
_NUMBERED_ITEM = re.compile(r"[.):]\s+\w")


class Quantity(NamedTuple):
    """A number with what belongs to it.

    Attributes:
        value: with scale and sign.
        mantissa: with sign, as written before the scale word.
        scale: power of ten of the scale word; 0 without one.
        last_digit_exponent: power of ten of the mantissa's last digit: -2 for 24.26.
        currency: ISO 4217 code.
        rate: ``%``, ``pp`` (percentage points), ``bps`` (basis points) or ``‰``.
        limit: words such as “more than” or “not” before it, case-folded; empty without any.
        start, end: of the text that states it.
        numbers_item: whether it only numbers what follows, as in “4. Results”.
    """

    value: Decimal
    mantissa: Decimal
    scale: int
    last_digit_exponent: int
    currency: str | None
    rate: str | None
    limit: str
    start: int
    end: int
    numbers_item: bool = False


def clean_text(text: str, language: str) -> str:
    """The plain text with one way to write digits, spaces and “per cent”.

    In English, numbers in words from two to ninety-nine are digits as well.
    """
    text = plain_text(text).translate(_ARABIC)
    if not text.isascii():
        text = "".join(
            str(unicodedata.decimal(char)) if char.isdecimal() and not char.isascii() else char
            for char in text
        )
    text = " ".join(text.split())
    text = _CODE.sub(r"\1 ", text)
    text = _OF_CURRENCY.sub("", text)
    text = _TEUR.sub(" Tsd ", text)
    text = _MEGATONNES.sub(lambda match: f" {_PREFIXES[match[1]]} t", text)
    text = _ORDINAL.sub("", text)
    text = _PHRASE.sub(lambda match: ONE_WORD[match[0].casefold()], text)
    return _NUMBER_WORDS.sub(_as_digits, text) if language == "en" else text


def _as_digits(match: re.Match[str]) -> str:
    return str(sum(NUMBER_WORDS[word] for word in re.split(r"[\s-]", match[0].casefold())))


def find_quantities(text: str, language: str) -> list[Quantity]:
    """The quantities of a cleaned text, in order."""
    quantities: list[Quantity] = []
    position = 0
    while match := _NUMBER.search(text, position):
        quantity = _read_quantity(text, match, position, language)
        position = match.end() if quantity is None else quantity.end
        if quantity is None:
            continue
        last = quantities[-1] if quantities else None
        if last is not None and _continues(last, quantity):
            value = last.value + (-quantity.value if last.value < 0 else quantity.value)
            last_digit_exponent = quantity.last_digit_exponent + quantity.scale
            quantities[-1] = quantity._replace(
                value=value,
                mantissa=value,
                scale=0,
                last_digit_exponent=last_digit_exponent,
                start=last.start,
            )
        else:
            quantities.append(quantity)
    return quantities


def _continues(last: Quantity, quantity: Quantity) -> bool:
    """Whether the two are one number, as in 37兆1,543億円."""
    return (
        last.end == quantity.start
        and last.scale in (4, 8, 12)
        and quantity.scale < last.scale
        and last.currency is None
        and last.rate is None
    )


def _read_quantity(
    text: str, match: re.Match[str], earliest: int, language: str
) -> Quantity | None:
    mantissa = _read_digits(match, language)
    if mantissa is None:
        return None
    prefix = _BEFORE.search(text[max(0, match.start() - 24) : match.start()])
    if prefix and match.start() - len(prefix[0].lstrip()) < earliest:
        prefix = None
    currency = _currency(prefix["currency"]) if prefix else None
    sign = prefix["sign"] or prefix["inner"] if prefix else None
    start = match.start() - (len(prefix[0].lstrip()) if prefix else 0)
    scale, rate, end, currency = _read_suffix(text, match.end(), language, currency)
    if prefix and prefix["currency"] and prefix["currency"].casefold().startswith("teur"):
        scale, currency = scale + 3, "EUR"
    opened = prefix is not None and prefix["inner"] == "("
    if opened and start == 0 and text[end : end + 1] == ")":
        sign = "-"
        scale2, rate2, end, currency = _read_suffix(text, end + 1, language, currency)
        scale, rate = scale + scale2, rate or rate2
    earlier = text[max(0, start - 24) : start]
    word = _LAST_WORD.search(earlier)
    negative = sign == "-" or (word is not None and word[1].casefold() in NEGATIVE)
    limit = LIMITS.search(earlier.casefold())
    mantissa = -mantissa if negative else mantissa
    exponent = mantissa.as_tuple().exponent
    assert isinstance(exponent, int)  # finite
    return Quantity(
        value=mantissa.scaleb(scale),
        mantissa=mantissa,
        scale=scale,
        last_digit_exponent=exponent,
        currency=currency,
        rate=rate,
        limit=limit[0].strip() if limit else "",
        start=start,
        end=end,
        numbers_item=_NUMBERED_ITEM.match(text, match.end()) is not None,
    )


def _read_digits(match: re.Match[str], language: str) -> Decimal | None:
    """The number that the digits state; None where it is too long or too large."""
    if match.end() - match.start() > 3 * MAX_DIGITS:
        return None
    digits = match["plain"]
    if digits is None:
        integer_part, group, tail = match["whole"], match["group"] or ",", match["tail"] or ""
        parts = integer_part.split(group)
        is_decimal = len(parts) == 2 and not tail and group == decimal_mark(language)
        if len(parts) == 2 and parts[0].lstrip("0") == "" and group in ".,":
            is_decimal = True
        digits = ".".join(parts) if is_decimal else "".join(parts) + tail
    digits = digits.replace(",", ".")
    exponent = match["e"] or match["power"] or "0"
    if sum(map(str.isdecimal, digits)) > MAX_DIGITS or len(exponent) > 4:
        return None
    if abs(int(exponent)) > MAX_EXPONENT:
        return None
    return Decimal(digits).scaleb(int(exponent))


def _read_suffix(
    text: str, end: int, language: str, currency: str | None
) -> tuple[int, str | None, int, str | None]:
    """Scale, rate, end and currency, from the words right after a number."""
    scale, rate = 0, None
    scale_read = False
    while match := _AFTER.match(text, end):
        word = match[1]
        folded = word.casefold()
        cjk = next((name for name in CJK_SCALES if word.startswith(name)), None)
        if cjk and not scale_read:
            scale += CJK_SCALES[cjk]
            end = match.start(1) + len(cjk)
            scale_read = True
            continue
        following = _AFTER.match(text, match.end())
        currency_name = currency or (following and _currency(following[1]))
        exponent = None
        if not scale_read or scale == 2:
            exponent = scale_exponent(word, language, with_currency=bool(currency_name))
        if exponent is not None:
            scale += exponent
            scale_read = True
            end = match.end()
            continue
        if folded in RATES and rate is None:
            return scale, RATES[folded], match.end(), currency
        if _currency(word) and currency in (None, _currency(word)):
            currency = _currency(word)
            end = match.end()
            break
        break
    return scale, rate, end, currency


def _currency(word: str | None) -> str | None:
    return CURRENCIES.get((word or "").strip().casefold().rstrip("."))
