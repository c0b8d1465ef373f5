"""Page F1 and Doc F1 of the cited evidence.

Source: MADQA, Borchmann et al. 2026, arXiv 2603.12180; F1 of sets after van Rijsbergen 1979.
Pages are (document, page) pairs, compared as sets; names are compared letter by letter.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.result import Result
from pagetrail.annotation.statistics.set_overlap import overlap

Page = tuple[str, int]
Citation = Page | Mapping[str, Any]
"""A page: a (document, page) pair, or an object with ``file`` or ``document``, and ``page``.

Where an object has both names, ``file`` counts, as in MADQA. An object without a page names a
document only.
"""


@dataclass(frozen=True, kw_only=True)
class F1(Result):
    """The harmonic mean of precision and recall; 0 where nothing, or nothing right, is cited.

    Its ``counts`` are ``predicted``, ``gold`` and ``common``, of distinct pages or documents.

    Attributes:
        precision, recall: None where F1 is undefined (``no_gold_evidence``); a precision of
            nothing cited is 0.
    """

    precision: float | None
    recall: float | None


def page_f1(cited: Iterable[Citation] | None, gold: Iterable[Citation]) -> F1:
    """F1 over the sets of (document, page); undefined without gold pages.

    Args:
        cited: what was given as evidence; None for nothing.
        gold: the evidence there is.

    Raises:
        MeasureError: a citation is no page of a document.
    """
    return _f1(_pages(cited or ()), _pages(gold))


def doc_f1(cited: Iterable[Citation] | None, gold: Iterable[Citation]) -> F1:
    """F1 over the sets of documents; undefined without gold documents.

    Raises:
        MeasureError: a citation is no page of a document.
    """
    return _f1(_documents(cited or ()), _documents(gold))


def _f1(cited: set[Hashable], gold: set[Hashable]) -> F1:
    shared = overlap(cited, gold)
    counts = {"predicted": shared.left, "gold": shared.right, "common": shared.common}
    if not gold:
        return F1(value=None, reason="no_gold_evidence", precision=None, recall=None, counts=counts)
    return F1(
        value=shared.f1,
        precision=shared.common / len(cited) if cited else 0.0,
        recall=shared.common / len(gold),
        counts=counts,
    )


def _pages(citations: Iterable[Citation]) -> set[Hashable]:
    return {(name, page) for name, page in map(_page_key, citations) if page is not None}


def _documents(citations: Iterable[Citation]) -> set[Hashable]:
    return {name for name, _ in map(_page_key, citations)}


def _page_key(citation: Citation) -> tuple[str, int | None]:
    name: object = None
    page: object = None
    if isinstance(citation, tuple) and len(citation) == 2:
        name, page = citation
    elif isinstance(citation, Mapping):
        name, page = citation.get("file") or citation.get("document"), citation.get("page")
    if not isinstance(name, str) or not name or not (page is None or isinstance(page, int)):
        raise MeasureError(
            f"{citation!r} is no page of a document, such as "
            '{"document": "report.pdf", "page": 3} or ("report.pdf", 3).'
        )
    return name, page
