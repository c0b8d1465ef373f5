"""Texts as they are compared: normalised words, and numbers by their value."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "‘’‚‛′`´"), "'") | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
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


@lru_cache(256)
def normalised_tokens(text: str) -> tuple[Token, ...]:
    """A text as it is compared: words without case, numbers by their value.

    Width and case of letters, kinds of dashes, quotes and space, punctuation at both ends and
    commas between thousands make no difference; ``12 %`` is ``12%`` and ``4.50`` is ``4.5``. A
    unit, a sign and a currency do make one.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES).translate(_QUOTES)
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
