"""Pages of a snapshot for exports: sizes, texts and images."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.storage.corpus.documents import check_page
from pagetrail.storage.corpus.local_files import local_pdf
from pagetrail.storage.corpus.page_values import pixel_size
from pagetrail.storage.database.tables import Document, Page
from pagetrail.storage.database.workspace import Workspace

if TYPE_CHECKING:
    from pagetrail.storage.corpus.pdf_pages import PdfPages


class ExportPages:
    """Pages by document name and number (from 1), all read through one connection."""

    def __init__(self, workspace: Workspace, connection: Connection) -> None:
        self._workspace = workspace
        self._connection = connection
        self._known: dict[str, DocumentInfo | None] = {}

    def document(self, name: str) -> DocumentInfo | None:
        """The document of that name, or None."""
        if name not in self._known:
            self._known[name] = self._load(name)
        return self._known[name]

    def lengths(self) -> dict[str, int]:
        """The number of pages of every document, by name."""
        query = (
            select(Document.name, func.count(Page.number))
            .join(Page, Page.document_id == Document.id)
            .group_by(Document.name)
            .order_by(Document.name)
        )
        return {row[0]: int(row[1]) for row in self._connection.execute(query)}

    def size(self, name: str, page: int) -> PageSize | None:
        """Size of the displayed page in points, or None."""
        info = self.document(name)
        return info.pages[page - 1] if info is not None and 1 <= page <= info.n_pages else None

    def pixels(self, name: str, page: int, dpi: int) -> tuple[int, int] | None:
        """Width and height of the page's image, or None."""
        size = self.size(name, page)
        return None if size is None else pixel_size(size.width, size.height, dpi)

    def text(self, name: str, page: int) -> str:
        """The stored text of a page; empty if there is none."""
        query = (
            select(Page.text)
            .join(Document, Document.id == Page.document_id)
            .where(Document.name == name, Page.number == page)
        )
        return str(self._connection.execute(query).scalar_one_or_none() or "")

    def texts(self) -> Iterator[tuple[tuple[str, int], str]]:
        """(document, page) and stored text of every page, by document name and number."""
        query = (
            select(Document.name, Page.number, Page.text)
            .join(Document, Document.id == Page.document_id)
            .order_by(Document.name, Page.number)
        )
        for row in self._connection.execute(query):
            yield (row.name, row.number), str(row.text or "")

    def jpeg(self, name: str, page: int, dpi: int) -> bytes:
        """JPEG of the page, exactly of the size ``pixels``.

        Raises:
            NotFoundError: no such page.
            CorpusError: it cannot be drawn.
            StorageError: its document is in a bucket that cannot be reached.
        """
        info = self.document(name)
        if info is None:
            raise NotFoundError(
                gettext("There is no document {name!r} in this workspace.", name=name)
            )
        check_page(info, page)
        size = pixel_size(info.pages[page - 1].width, info.pages[page - 1].height, dpi)
        return self._pdf.render_filled(local_pdf(self._workspace, info.sha256), page, size)

    def close(self) -> None:
        """Close the open files."""
        if "_pdf" in self.__dict__:
            self._pdf.close()

    @cached_property
    def _pdf(self) -> PdfPages:
        # Imported here: the server imports this module for reports, which draw no pages.
        from pagetrail.storage.corpus.pdf_pages import PdfPages  # noqa: PLC0415

        return PdfPages(keep_open=2)

    def _load(self, name: str) -> DocumentInfo | None:
        query = (
            select(Document.sha256, Page.width, Page.height)
            .join(Page, Page.document_id == Document.id)
            .where(Document.name == name)
            .order_by(Page.number)
        )
        rows = self._connection.execute(query).all()
        if not rows:
            return None
        sizes = tuple(PageSize(width=row.width, height=row.height) for row in rows)
        return DocumentInfo(name=name, sha256=rows[0].sha256, pages=sizes)
