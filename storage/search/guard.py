"""Refuses queries that are empty, not text, or too broad to answer in time.

A query is refused or passed to the engine unchanged; it is never rewritten.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from math import isfinite
from typing import Any

from whoosh import query as wq

from pagetrail.annotation.errors import QueryRefused
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.sentences import shortened
from pagetrail.storage.search.lexicon import Lexicon

MAX_CHARACTERS = 2000
MAX_OPERATORS = 32
MAX_BOOST = 1e6
MAX_SLOP = 1000
MAX_POSTINGS = 1_000_000
"""Postings of one query; 100,000 take about 25 ms."""
_OPERATOR = re.compile(r"(?<![^\s()])(?:AND|OR|NOT|ANDNOT|ANDMAYBE|REQUIRE)(?![^\s()])")
_PATTERN_MARKS = re.compile("[*?\u055e\u061f\u1367]+")
_LONE_STAR = re.compile(r"(?<![^\s(])(?:text:)?\*+(?![^\s)])")
_EVERY_COST = 10
_NARROW = N_("Add a more specific word, or write out more of the word before the *.")


def check_text(query: str) -> None:
    """Refuse a query before it is parsed.

    Raises:
        QueryRefused: empty, too long, not text, or with too many operators or wildcards.
    """
    if not query.strip():
        raise QueryRefused(gettext("Type at least one word to search for."), code="query_empty")
    if len(query) > MAX_CHARACTERS:
        raise QueryRefused(
            gettext(
                "The query has {query_count:,} characters; at most {max_characters:,} "
                "are searched. All words must be on one page, so a few telling words "
                "find more than a whole text.",
                query_count=len(query),
                max_characters=MAX_CHARACTERS,
            ),
            code="query_too_long",
        )
    for char in query:
        if unicodedata.category(char) in ("Cc", "Cs") and char not in "\t\n\r\f\v":
            raise QueryRefused(
                gettext(
                    "The query contains the character U+{code:04X}, which is not text. "
                    "Delete it, or type the words by hand.",
                    code=ord(char),
                ),
                code="query_characters",
            )
    operators = len(_OPERATOR.findall(query))
    patterns = len(_PATTERN_MARKS.findall(query))
    if operators > MAX_OPERATORS or patterns > MAX_OPERATORS:
        raise QueryRefused(
            gettext(
                "The query has {count} operators; at most {max_operators} are searched. "
                "Split it into several searches.",
                count=operators,
                max_operators=MAX_OPERATORS,
            )
            if operators > MAX_OPERATORS
            else gettext(
                "The query has {count} wildcards; at most {max_operators} are searched. "
                "Split it into several searches.",
                count=patterns,
                max_operators=MAX_OPERATORS,
            ),
            code="query_too_broad",
        )
    star = _LONE_STAR.search(query)
    if star:
        raise QueryRefused(
            gettext(
                "{group} alone stands for every word of the collection. {narrow}",
                group=star.group(),
                narrow=gettext(_NARROW),
            ),
            code="query_too_broad",
        )


def check_parsed(query: str, parsed: Any, lexicons: Mapping[str, Lexicon], pages: int) -> None:
    """Refuse a parsed query that would take too long.

    A query of stop words or punctuation alone is run: as in the reference it finds nothing, and
    counts as a search.

    Args:
        pages: number of all pages.

    Raises:
        QueryRefused: an extreme boost or slop, or too broad.
    """
    _check_numbers(parsed)
    postings = _count_postings(parsed, lexicons, pages)
    if postings > MAX_POSTINGS:
        raise QueryRefused(
            gettext(
                "“{query}” is too broad: it stands for about {postings:,} places in "
                "the collection and would take too long. {narrow}",
                query=_short(query),
                postings=postings,
                narrow=gettext(_NARROW),
            ),
            code="query_too_broad",
        )


def _count_postings(query: Any, lexicons: Mapping[str, Lexicon], pages: int) -> int:
    """Number of postings that a query reads. Other fields than the lexicons' have each page."""
    count = pages if isinstance(query, wq.Not | wq.NumericRange | wq.Every) else 0
    lexicon = lexicons.get(getattr(query, "fieldname", None) or "")
    match query:
        case wq.Term(text=str(word)) if lexicon is not None:
            count += lexicon.frequency(word)
        case wq.Phrase() if lexicon is not None:
            count += sum(lexicon.frequency(str(word)) for word in query.words)
        case wq.Prefix() | wq.Wildcard() | wq.TermRange() if lexicon is not None:
            count += lexicon.count(query)
        case wq.Every() if lexicon is not None:
            # The engine reads them one by one.
            count += _EVERY_COST * sum(lexicon.df)
        case wq.Term() | wq.Prefix() | wq.Wildcard() | wq.TermRange() if lexicon is None:
            count += pages
    return count + sum(_count_postings(part, lexicons, pages) for part in query.children())


def _check_numbers(parsed: Any) -> None:
    boost = getattr(parsed, "boost", 1.0)
    if not isfinite(boost) or abs(boost) > MAX_BOOST:
        raise QueryRefused(
            gettext(
                "The weight ^{boost:g} is too large; use one up to ^{max_boost:,.0f}.",
                boost=boost,
                max_boost=MAX_BOOST,
            ),
            code="query_boost",
        )
    slop = getattr(parsed, "slop", 1)
    if slop > MAX_SLOP:
        raise QueryRefused(
            gettext(
                "The distance ~{slop} is too large; use one up to ~{max_slop}.",
                slop=slop,
                max_slop=MAX_SLOP,
            ),
            code="query_slop",
        )
    for part in parsed.children():
        _check_numbers(part)


def _short(query: str) -> str:
    return shortened(" ".join(query.split()), 60)
