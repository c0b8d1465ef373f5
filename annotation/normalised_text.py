"""Texts as they are compared: normalised words, and numbers by their value."""

from __future__ import annotations

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
