"""When an answer says what an accepted answer says: normalised text, numbers by their value.

docs/metrics.md, Correctness: gold is a list of variants, each a list of strings; the best variant
counts. Strict on purpose: a synonym that is not among the variants does not match.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from pagetrail.annotation.statistics.set_overlap import overlap

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_QUOTES = dict.fromkeys(map(ord, "‘’‚‛′`´"), "'") | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
_EDGES = " .,;:!?\"'"
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"
    r"|(?<![\w.])[+-]?\d+(?:\.\d+)?|\d+)|[^\W\d]+|_|[^\w\s]"
)

Token = str | Decimal


@lru_cache(256)
def normalised(text: str) -> tuple[Token, ...]:
    """The text as it is compared: words without case, numbers by their value.

    Width and case of letters, kinds of dashes, quotes and space, punctuation at both ends and
    commas between thousands make no difference; ``12 %`` is ``12%`` and ``4.50`` is ``4.5``. A
    unit, a sign and a currency do make one.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES).translate(_QUOTES)
    return tuple(
        Decimal(match[0].replace(",", "")) if match["number"] else match[0]
        for match in _TOKEN.finditer(plain.strip(_EDGES))
    )


def same(left: str, right: str) -> bool:
    """Whether two texts are the same once normalised; two empty ones are not."""
    tokens = normalised(left)
    return bool(tokens) and tokens == normalised(right)


def agreement(answer: Sequence[str], variants: Sequence[Sequence[str]]) -> float:
    """The best F1 between the answers given and one variant's, whatever their order; 1 is right.

    Args:
        answer: what was given, one string per answer.
        variants: accepted answers.
    """
    given = [normalised(text) for text in answer]
    return max((_f1(given, [*map(normalised, variant)]) for variant in variants), default=0.0)


def _f1(given: list[tuple[Token, ...]], accepted: list[tuple[Token, ...]]) -> float:
    if len(given) == len(accepted) == 1:  # which they mostly are, and counting takes long
        return float(given == accepted)
    return overlap(given, accepted).f1 or 0.0
