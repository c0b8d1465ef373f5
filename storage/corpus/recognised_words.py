"""Positions of recognised words; those of a text layer are read from the PDF when needed."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection

from pagetrail.storage.corpus.page_values import RecognisedPage, Word
from pagetrail.storage.database.tables import (
    Document,
    EarlierDocument,
    EarlierPage,
    Page,
    RecognisedWords,
)
from pagetrail.storage.database.workspace import Workspace


def store_words(
    connection: Connection, document_id: int | None, recognised: Mapping[int, RecognisedPage]
) -> None:
    """Store the words of pages that have any, replacing earlier ones."""
    if not recognised:
        return
    ids = connection.execute(select(Page.number, Page.id).where(Page.document_id == document_id))
    for number, page_id in ids.all():
        page = recognised.get(number)
        if page is None or not page.words:
            continue
        connection.execute(delete(RecognisedWords).where(RecognisedWords.page_id == page_id))
        words = json.dumps(page.words, ensure_ascii=False, separators=(",", ":"))
        connection.execute(insert(RecognisedWords).values(page_id=page_id, words=words))


def recognised_words(workspace: Workspace, sha256: str, page: int) -> list[Word]:
    """The recognised words of a page in reading order; empty without OCR.

    Args:
        sha256: of the current or an earlier version of a document.
    """
    query = (
        select(RecognisedWords.words)
        .join_from(RecognisedWords, Page)
        .join(Document)
        .where(Document.sha256 == sha256, Page.number == page)
    )
    of_earlier = (
        select(EarlierPage.words)
        .join(EarlierDocument, EarlierDocument.id == EarlierPage.earlier_document_id)
        .where(EarlierDocument.sha256 == sha256, EarlierPage.number == page)
        .order_by(EarlierDocument.version.desc())
    )
    with workspace.engine.connect() as connection:
        stored = connection.execute(query).scalar_one_or_none()
        if stored is None:
            stored = connection.execute(of_earlier).scalar()
    return [] if stored is None else [Word(*word) for word in json.loads(stored)]
