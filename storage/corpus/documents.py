"""Reads the registered documents."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from sqlalchemy import bindparam, func, select
from sqlalchemy.engine import Connection

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.sentences import count_noun
from pagetrail.storage.corpus.document_names import read_document_names
from pagetrail.storage.corpus.local_files import local_pdf
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.tables import (
    Document,
    DocumentAlias,
    EarlierDocument,
    EarlierPage,
    Meta,
    Page,
)
from pagetrail.storage.database.workspace import Workspace

REVISION_KEY = "corpus_revision"
REMOVALS_KEY = "documents_removed"
"""The key in ``meta`` of the number of documents removed so far; missing if none was."""

_CHECK_INTERVAL_S = 0.5

# Built once: building a statement costs as much as running it, and opening a task runs these.
_REVISION = select(
    select(Meta.value).where(Meta.key == REVISION_KEY).scalar_subquery(),
    select(func.count()).select_from(DocumentAlias).scalar_subquery(),
)
_DOCUMENT = select(Document.name, Document.sha256, Document.version).where(
    Document.id == bindparam("document")
)
_EARLIER = (
    select(Document.name, EarlierDocument.id, EarlierDocument.sha256, EarlierDocument.version)
    .join(Document, Document.id == EarlierDocument.document_id)
    .order_by(EarlierDocument.version)
)
_EARLIER_SIZES = (
    select(EarlierPage.width, EarlierPage.height)
    .where(EarlierPage.earlier_document_id == bindparam("document"))
    .order_by(EarlierPage.number)
)
_PAGE_SIZES = (
    select(Page.width, Page.height)
    .where(Page.document_id == bindparam("document"))
    .order_by(Page.number)
)
_PAGE_TEXT = select(Page.text).where(
    Page.document_id == bindparam("document"), Page.number == bindparam("page")
)


class PageRecord(NamedTuple):
    """A page as the search engine indexes it."""

    file: str
    page_number: int
    total_pages: int
    text: str


class Corpus:
    """Implements ``annotation.ports.DocumentSource``.

    Known documents are kept in memory. Whether they have been changed or removed is checked twice a
    second; only that and an unknown document cause a database query.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._revision: tuple[str | None, int] | None = None
        self._names = DocumentNames({})
        self._id_by_name: dict[str, int] = {}
        self._name_by_hash: dict[str, str] = {}
        self._infos: dict[str, DocumentInfo] = {}
        self._earlier_by_hash: dict[str, tuple[str, int]] = {}
        self._earlier_files: dict[tuple[str, int], tuple[int, str]] = {}
        self._earlier_infos: dict[tuple[str, int], DocumentInfo] = {}
        self._checked_at = -math.inf

    def document(self, name: str, version: int | None = None) -> DocumentInfo | None:
        """A version of the document with this name, by default the current one; or None."""
        info = (None if self._check_is_due else self._infos.get(name)) or self._find(name)
        if info is None or version in (None, info.version):
            return info
        return self._find_earlier(name, version)

    def document_by_hash(self, sha256: str) -> DocumentInfo | None:
        """The document of which a version has a file with this SHA-256 (hexadecimal), or None.

        The current version, if several have.
        """
        name = None if self._check_is_due else self._name_by_hash.get(sha256)
        if name is None:
            self.names()
            name = self._name_by_hash.get(sha256)
        if name is None and sha256 in self._earlier_by_hash:
            return self.document(*self._earlier_by_hash[sha256])
        return None if name is None else self.document(name)

    @property
    def _check_is_due(self) -> bool:
        return time.monotonic() - self._checked_at > _CHECK_INTERVAL_S

    def _find(self, name: str) -> DocumentInfo | None:
        with self._lock, self._workspace.engine.connect() as connection:
            self._refresh(connection)
            if name not in self._infos and name in self._id_by_name:
                self._infos[name] = _load_info(connection, self._id_by_name[name])
            return self._infos.get(name)

    def _find_earlier(self, name: str, version: int | None) -> DocumentInfo | None:
        key = name, version or 1
        with self._lock, self._workspace.engine.connect() as connection:
            if key not in self._earlier_infos and key in self._earlier_files:
                earlier_id, sha256 = self._earlier_files[key]
                sizes = connection.execute(_EARLIER_SIZES, {"document": earlier_id})
                self._earlier_infos[key] = _info(name, sha256, key[1], sizes)
            return self._earlier_infos.get(key)

    def names(self) -> Sequence[str]:
        """All document names, sorted."""
        return tuple(sorted(self.document_names()))

    def document_names(self, connection: Connection | None = None) -> DocumentNames:
        """The resolver of names; the same object until a document or another name is added."""
        with ExitStack() as stack:
            if connection is None:
                connection = stack.enter_context(self._workspace.engine.connect())
            with self._lock:
                self._refresh(connection)
                return self._names

    def stored_name(self, name: str) -> str:
        """The stored name of the document that a name means; the name itself if there is none."""
        if name in self._infos:
            return name
        return self.document_names().find(name) or name

    @property
    def revision(self) -> int:
        """Number of changes so far; an index of another revision is stale."""
        return int(self._workspace.meta(REVISION_KEY) or 0)

    def pages(self) -> Iterator[PageRecord]:
        """All pages in index order, which decides ties: of equal scores, the earlier page is first.

        Pages from a text file come first, in that file's order, then the others by document name
        (in code point order) and page number.
        """
        query = (
            select(Document.name, Page.number, Document.n_pages, Page.text)
            .join_from(Page, Document)
            .order_by(Page.order.nulls_last(), Document.name, Page.number)
        )
        with self._workspace.engine.connect() as connection:
            for row in connection.execution_options(yield_per=500).execute(query):
                yield PageRecord(*row)

    def page_text(self, name: str, page: int) -> str:
        """The stored text of a page; empty if there is none.

        Raises:
            NotFoundError: no such document or page.
        """
        document_id = self._require(name, page)
        values = {"document": document_id, "page": page}
        with self._workspace.engine.connect() as connection:
            return str(connection.execute(_PAGE_TEXT, values).scalar_one())

    def texts(self, name: str) -> list[str]:
        """The stored texts of a document's pages, in order.

        Raises:
            NotFoundError: no such document.
        """
        document_id = self._require(name, 1)
        query = select(Page.text).where(Page.document_id == document_id).order_by(Page.number)
        with self._workspace.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def path(self, sha256: str, wait_s: float | None = None) -> Path:
        """The path of the file with this hash, fetched if necessary; see ``local_pdf``."""
        return local_pdf(self._workspace, sha256, wait_s)

    def _require(self, name: str, page: int) -> int:
        info = self.document(name)
        if info is None:
            raise NotFoundError(
                gettext("There is no document {name!r} in this workspace.", name=name)
            )
        check_page(info, page)
        return self._id_by_name[name]

    def _refresh(self, connection: Connection) -> None:
        checked_at = time.monotonic()
        value, aliases = connection.execute(_REVISION).one()
        self._checked_at = checked_at
        if (value, aliases) == self._revision:
            return
        self._infos.clear()
        rows = connection.execute(select(Document.id, Document.name, Document.sha256)).all()
        self._id_by_name = {row.name: row.id for row in rows}
        self._name_by_hash = {row.sha256: row.name for row in rows}
        earlier = connection.execute(_EARLIER).all()
        self._earlier_files = {(row.name, row.version): (row.id, row.sha256) for row in earlier}
        self._earlier_by_hash = {row.sha256: (row.name, row.version) for row in earlier}
        self._earlier_infos.clear()
        self._names = read_document_names(connection)
        self._revision = value, aliases


def check_page(info: DocumentInfo, page: int) -> None:
    """Raise NotFoundError unless the document has this page (1-based)."""
    if not 1 <= page <= info.n_pages:
        count = count_noun(info.n_pages, "page")
        raise NotFoundError(
            gettext(
                "page {page} of {document} does not exist: the document has {count}",
                page=page,
                document=info.name,
                count=count,
            ),
            code="unknown_page",
        )


def _load_info(connection: Connection, document_id: int) -> DocumentInfo:
    document = connection.execute(_DOCUMENT, {"document": document_id}).one()
    sizes = connection.execute(_PAGE_SIZES, {"document": document_id})
    return _info(document.name, document.sha256, document.version, sizes)


def _info(name: str, sha256: str, version: int, sizes: Iterable[AnyRow]) -> DocumentInfo:
    page_size = cache(lambda width, height: PageSize(width=width, height=height))
    pages = tuple(page_size(width, height) for width, height in sizes)
    return DocumentInfo(name=name, sha256=sha256, pages=pages, version=version)
