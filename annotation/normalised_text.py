"""Texts as they are compared: one way to write each, normalised words, and numbers by their value.

What makes no difference is in docs/formats.md, What is normalised. Texts are stored as given.
"""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

_QUOTES = dict.fromkeys(map(ord, "‘’‚‛‹›＇"), "'") | dict.fromkeys(map(ord, "“”„‟«»＂"), '"')
_SIGNS = (
    _QUOTES
    | dict.fromkeys(map(ord, "′`´"), "'")
    | dict.fromkeys(map(ord, "″"), '"')
    | dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
    | dict.fromkeys(map(ord, "⁄∕"), "/")
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]+"
)
"""Characters without width: soft hyphens, joiners, marks of direction, variation selectors."""
_BETWEEN_LETTERS = (
    r"[-‐\u00ad](?:(?<=[^\W\d_].)|(?<=[\u0300-\u036f].)){line_end}"
    r"[^\S\n]*+(?:\n[^\S\n]*+)?(?=[^\W\d_])(?!(?:and|or|to|und|oder|bzw|bis|sowie)\b)"
)
_LINE_BREAK_HYPHEN = re.compile(
    _BETWEEN_LETTERS.format(line_end=r"(?:(?<=\u00ad)|(?=[^\S\n]*+\n))")
)
"""A hyphen, or a soft one, that divides a word at the end of a line; not that of “pre-
and post-war”."""
_SPACED_HYPHEN = re.compile(_BETWEEN_LETTERS.format(line_end=r"(?:(?<=\u00ad)|(?=\s))"))
"""Such a hyphen also where the lines were joined with a space, as in answers of one line."""
_NUMBER_HYPHEN = re.compile(r"\u00ad(?:(?=\d)|(?<=\d.))")
_LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_DIVIDER = re.compile("[ﬀ-ﬆ\u00ad]")
_RAISED_DIGITS = re.compile(r"(?<=\d)([⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻①-⑳]++)(⁄?)")
_FRACTION = re.compile(r"(?<!\d)(\d{0,12})\s?([¼½¾⅐-⅞↉])")
_EDGES = " .,;:!?\"'"
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"
    r"|(?<![\w.])[+-]?\d+(?:\.\d+)?|\d+)|[^\W\d]+|_|[^\w\s]"
)
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_WHOLE_NUMBER = re.compile(_NUMBER, re.ASCII)
_LEADING_NUMBER = re.compile(rf"\s*[$€£¥~≈]?\s*({_NUMBER})(?![.,]?\d)", re.ASCII)
_SEPARATED_NUMBER = re.compile(
    r"(?<![\d.,])(?:"
    r"(?P<comma_groups>\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?)"
    r"|(?P<point_groups>\d{1,3}(?:\.\d{3})+),(?P<decimals>\d+)"
    r"|(?P<whole>\d*),(?P<fraction>\d+)"
    r")(?!\d|[.,]\d)",
    re.ASCII,
)

Token = str | Decimal


def plain_text(text: str) -> str:
    """A text with one way to write each character: no invisible ones, plain quotes and dashes.

    A hyphen at a line break, or before a space in its place, is joined. NFKC, except that a raised
    digit after a digit is its power (“5¹” is “5^1”, not “51”) and a fraction is its value (“5½” is
    “5.5”).
    """
    text = _SPACED_HYPHEN.sub(_joint, text)
    if not text.isascii():
        text = _INVISIBLE.sub("", _NUMBER_HYPHEN.sub("-", text))
        text = _RAISED_DIGITS.sub(_as_power, text)
        text = _FRACTION.sub(_as_decimal, text)
        text = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    return text.translate(_SIGNS)


def plain_quotes(query: str) -> str:
    """A query as the search box sends it: with plain quotes, which the search engine understands.

    As ``plain_quotes.ts`` does before sending.
    """
    return query.translate(_QUOTES)


def whole_words(text: str) -> str:
    """The text of a page with ligatures as letters, without soft hyphens, and divided words joined.

    A soft hyphen next to a digit is one that can be seen, as in “2019\u00ad2021” of some PDFs.
    """
    text = _NUMBER_HYPHEN.sub("-", _LINE_BREAK_HYPHEN.sub(_joint, text))
    return text.replace("\u00ad", "").translate(_LIGATURES)


def count_divided_words(text: str) -> int:
    """The words of a page that ``whole_words`` changes."""
    marked = _LINE_BREAK_HYPHEN.sub("\u00ad", text)
    if not _DIVIDER.search(marked):
        return 0
    return sum(_DIVIDER.search(word) is not None for word in marked.split())


def _joint(match: re.Match[str]) -> str:
    """Nothing before a small letter; before a capital, as in “Rolls-Royce”, the hyphen."""
    hyphen = match[0][0]
    return "" if hyphen == "\u00ad" or match.string[match.end()].islower() else hyphen


def _as_power(match: re.Match[str]) -> str:
    """Circled digits likewise, since both mark footnotes; “5¹⁄₂” is five and a fraction."""
    return (" " if match[2] else "^") + unicodedata.normalize("NFKC", match[1]) + match[2]


def _as_decimal(match: re.Match[str]) -> str:
    numerator, denominator = unicodedata.normalize("NFKC", match[2]).split("⁄")
    fraction = f"{Decimal(numerator) / Decimal(denominator):.12f}".rstrip("0")
    return (match[1] or "0") + fraction[1:].removesuffix(".")


@lru_cache(256)
def normalised_tokens(text: str) -> tuple[Token, ...]:
    """A text as it is compared: words without case, numbers by their value.

    As ``plain_text``, and case, kinds of space, punctuation at both ends and commas between
    thousands make no difference; ``12 %`` is ``12%`` and ``4.50`` is ``4.5``. A unit, a sign and a
    currency do make one.
    """
    plain = plain_text(text).casefold()
    return tuple(
        Decimal(match[0].replace(",", "")) if match["number"] else match[0]
        for match in _TOKEN.finditer(plain.strip(_EDGES))
    )


def is_same_text(left: str, right: str) -> bool:
    """Whether two texts are the same once normalised; two empty ones are not."""
    tokens = normalised_tokens(left)
    return bool(tokens) and tokens == normalised_tokens(right)


def parse_number(text: str) -> float | None:
    """The finite number that a text is; None where it is something else.

    A comma before one group of three digits or several separates thousands; any other single comma
    is a decimal one: “1,050” is 1050, “1.050,5” is 1050.5 and “1,5” is 1.5.
    """
    plain = _with_decimal_point(text.strip())
    return _finite(plain) if _WHOLE_NUMBER.fullmatch(plain) else None


def leading_number(text: str) -> float | None:
    """The number that a text begins with, as in “$1,050 t”; None where it begins with none."""
    match = _LEADING_NUMBER.match(_with_decimal_point(text))
    return _finite(match[1]) if match else None


def _with_decimal_point(text: str) -> str:
    """The text with a decimal point and no other separators in its numbers."""

    def plain_number(match: re.Match[str]) -> str:
        if match["comma_groups"]:
            return match["comma_groups"].replace(",", "")
        if match["point_groups"]:
            return f"{match['point_groups'].replace('.', '')}.{match['decimals']}"
        return f"{match['whole']}.{match['fraction']}"

    return _SEPARATED_NUMBER.sub(plain_number, text)


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None
