"""An overview of the collection: its contents, documents without text, and disk space."""

from __future__ import annotations

import os
import shutil
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, case, func, or_, select

from pagetrail.annotation.errors import OutputError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.changes import FROM_OCR, FROM_PDF, NO_TEXT
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.corpus.page_values import (
    BLANK,
    COVER,
    NOTICE,
    PARTIAL,
    UNREADABLE,
    document_warning,
)
from pagetrail.storage.database.tables import Document, Page
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class UnreadablePages:
    """A document with pages that search cannot find, or that is not shown as it is.

    Attributes:
        partial: scans with a stamp or page number as their only text.
        warning: key of ``DOCUMENT_WARNINGS``, or "".
    """

    document: str
    pages: int
    without_text: int
    unreadable: int
    partial: int = 0
    warning: str = ""


@dataclass(frozen=True)
class DocumentRow:
    """A document.

    Attributes:
        ocr_pages: pages whose text was recognised.
        empty_pages: pages that search cannot find, without text or unreadable.
        added_at: ISO-8601 UTC.
    """

    name: str
    sha256: str
    pages: int
    ocr_pages: int
    empty_pages: int
    bytes: int
    added_at: str


@dataclass(frozen=True)
class CollectionState:
    """Summary of the collection.

    Attributes:
        ocr_pages: pages whose text was recognised.
        unreadable_documents: documents with pages to check, by name.
        bytes: total size of the registered PDF files.
    """

    documents: int
    pages: int
    ocr_pages: int
    unreadable_documents: tuple[UnreadablePages, ...]
    bytes: int


def _pages_with(*sources: str) -> ColumnElement[int]:
    return func.sum(case((Page.text_source.in_(sources), 1), else_=0))


_KINDS = (PARTIAL, BLANK, NOTICE, COVER)


def _warning(row: Any) -> str:
    sources = {kind for kind in _KINDS if getattr(row, kind)}
    if row.blank + row.unreadable < row.n_pages:
        sources.add(FROM_PDF)
    return document_warning(sources)


def find_documents(
    workspace: Workspace, text: str = "", *, limit: int = 500
) -> tuple[int, list[DocumentRow]]:
    """Number of documents with the text in their name (in any case), and the first by name."""
    forms = {text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD"))}
    is_match = or_(*(Document.name.icontains(form, autoescape=True) for form in forms))
    query = (
        select(
            Document,
            _pages_with(FROM_OCR).label("ocr"),
            _pages_with(NO_TEXT, BLANK, UNREADABLE).label("empty"),
        )
        .outerjoin(Page, Page.document_id == Document.id)
        .where(is_match)
        .group_by(Document.id)
        .order_by(Document.name)
        .limit(limit)
    )
    with workspace.engine.connect() as connection:
        total = connection.execute(
            select(func.count()).select_from(Document).where(is_match)
        ).scalar_one()
        rows = connection.execute(query).all()
    return int(total), [
        DocumentRow(
            row.name, row.sha256, row.n_pages, int(row.ocr or 0), int(row.empty or 0),
            row.size_bytes, row.ingested_at,
        )
        for row in rows
    ]  # fmt: skip


def collection_state(workspace: Workspace) -> CollectionState:
    """Summary of the current collection."""
    without_text, unreadable = _pages_with(NO_TEXT, BLANK), _pages_with(UNREADABLE)
    with workspace.engine.connect() as connection:
        documents, pages, size = connection.execute(
            select(
                func.count(),
                func.coalesce(func.sum(Document.n_pages), 0),
                func.coalesce(func.sum(Document.size_bytes), 0),
            )
        ).one()
        recognised = connection.execute(
            select(func.count()).select_from(Page).where(Page.text_source == FROM_OCR)
        ).scalar_one()
        unreadable_documents = connection.execute(
            select(
                Document.name,
                Document.n_pages,
                without_text.label("without_text"),
                unreadable.label("unreadable"),
                *(_pages_with(kind).label(kind) for kind in _KINDS),
            )
            .join_from(Document, Page)
            .group_by(Document.id)
            .having(_pages_with(NO_TEXT, UNREADABLE, *_KINDS) > 0)
            .order_by(Document.name)
        ).all()
    return CollectionState(
        documents=int(documents),
        pages=int(pages),
        ocr_pages=int(recognised),
        unreadable_documents=tuple(
            UnreadablePages(
                row.name,
                row.n_pages,
                int(row.without_text),
                int(row.unreadable),
                int(row.partial),
                _warning(row),
            )
            for row in unreadable_documents
        ),
        bytes=int(size),
    )


@dataclass(frozen=True)
class FolderSizes:
    """Bytes on disk; ``cache`` without the thumbnails."""

    corpus: int
    index: int
    cache: int
    thumbnails: int


def folder_sizes(workspace: Workspace) -> FolderSizes:
    """Sizes of the workspace's folders. Walks them: too slow for every click."""
    thumbnails = _folder_size(ImageCache(workspace.cache_dir).thumbnails)
    return FolderSizes(
        _folder_size(workspace.corpus_dir),
        _folder_size(workspace.index_dir),
        _folder_size(workspace.cache_dir) - thumbnails,
        thumbnails,
    )


def clear_cache(workspace: Workspace) -> int:
    """Remove all rendered pages and thumbnails; returns the bytes freed.

    Pages are rendered again on demand, thumbnails also while the server is idle.

    Raises:
        OutputError: they cannot be removed.
    """
    cache = ImageCache(workspace.cache_dir)
    folders = [folder for folder in (cache.pages, cache.thumbnails) if folder.exists()]
    freed = sum(map(_folder_size, folders))
    try:
        # Moved away in one step: pages rendered meanwhile go into a new folder.
        trash = Path(tempfile.mkdtemp(prefix=".old-", dir=workspace.cache_dir))
        for folder in folders:
            folder.rename(trash / folder.name)
    except OSError as error:
        raise OutputError(
            gettext("The cache cannot be cleared: {strerror}.", strerror=error.strerror)
        ) from error
    for old in workspace.cache_dir.glob(".old-*"):
        shutil.rmtree(old, ignore_errors=True)
    return freed


def _folder_size(folder: Path) -> int:
    total = 0
    for directory, _, files in os.walk(folder):
        for name in files:
            try:
                total += (Path(directory) / name).lstat().st_size
            except FileNotFoundError:
                continue  # removed meanwhile
    return total
