"""Highlights a query's words on a page, if the campaign allows it."""

from __future__ import annotations

from pagetrail.annotation.errors import NotFoundError, QueryRefused
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.app.services.composition import Services
from pagetrail.storage.corpus.word_joining import joined_texts
from pagetrail.storage.search.snippets import matched_words

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points of the displayed page."""


def highlight_terms(services: Services, query: str) -> frozenset[str]:
    """Search terms of the query; none if it is refused."""
    try:
        return frozenset(services.search.highlight_terms(query))
    except QueryRefused:
        return frozenset()


def highlights(services: Services, document: str, page: int, terms: frozenset[str]) -> list[Box]:
    """Boxes of the words that contain a term.

    Empty if the page has no text layer.

    Raises:
        NotFoundError: no such document or page.
        CorpusError: the page cannot be read, or not in time.
    """
    info = document_with_page(services, document, page)
    words = services.images.words(info.sha256, page)
    matched = matched_words(joined_texts(words), terms)
    return [
        (round(word.x0, 2), round(word.y0, 2), round(word.x1, 2), round(word.y1, 2))
        for word, hit in zip(words, matched, strict=True)
        if hit
    ]


def document_with_page(services: Services, document: str, page: int) -> DocumentInfo:
    """The document, if it has that page.

    Raises:
        NotFoundError: no such document or page.
    """
    info = services.corpus.document(document)
    if info is None or not 1 <= page <= info.n_pages:
        raise NotFoundError(
            gettext(
                "There is no page {page} of {document} in this collection.",
                page=page,
                document=document,
            )
        )
    return info
