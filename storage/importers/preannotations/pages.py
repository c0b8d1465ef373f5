"""Finds the page of a pre-annotation, as stated in the file or derived from an image name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pagetrail.annotation.ports import DocumentInfo, DocumentSource
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.annotation.tasks.task import PageRef
from pagetrail.storage.importers.preannotations import image_names as pre_names
from pagetrail.storage.importers.preannotations.raw_elements import RawElement


class PageFinder:
    """Finds pages among the documents of a workspace.

    Attributes:
        names: the resolver of document names.
    """

    def __init__(self, documents: DocumentSource) -> None:
        self._documents = documents
        self.names = documents.document_names()

    def find(self, raw: RawElement) -> tuple[DocumentInfo, int]:
        """The document and the 1-based page.

        Raises:
            ValueError: the page is not stated or does not exist; see ``reason_of``.
        """
        document, page = self._page_reference(raw)
        ref = PageRef(document=document, page=page)
        info = self._info(ref.document)
        if info is None or ref.page > info.n_pages:
            raise ValueError(self.names.page_problem(*ref.key))
        return info, ref.page

    def find_judged(
        self, location: str, document: str | None, page: Any, id_: str | None
    ) -> tuple[DocumentInfo, int]:
        """The page of a judgement, which may name it like an image, as ids of ViDoRe do.

        Args:
            location: of the judgement in its row, for errors.

        Raises:
            ValueError: there is no such page.
        """
        is_document = document is not None and self.names.find(document) is not None
        raw = RawElement(
            0,
            document=document if is_document else None,
            page=page,
            image=id_ if document is None else document,
        )
        try:
            return self.find(raw)
        except ValueError as error:
            raise ValueError(f"{location}: {reason_of(error)}") from error

    def _info(self, name: Any) -> DocumentInfo | None:
        document = self.names.find(name) if isinstance(name, str) else None
        return None if document is None else self._documents.document(document)

    def _page_reference(self, raw: RawElement) -> tuple[Any, Any]:
        """Document and page, unchecked."""
        if raw.document is not None:
            document = self._known_name(raw.document)
            return document, self._page_of(document, raw) if raw.page is None else raw.page
        reason = "document: is missing"
        if raw.image is not None:
            named_page = pre_names.find_named_page(raw.image, self.names, raw.page is not None)
            if isinstance(named_page, pre_names.NamedPage):
                return named_page.document, named_page.page if raw.page is None else raw.page
            reason = named_page
        if raw.fallback is not None:
            document, page = raw.fallback
            document = self._known_name(document)
            if isinstance(document, str) and self.names.find(document) is not None:
                return document, page
        raise ValueError(reason)

    def _known_name(self, document: Any) -> Any:
        """The document's name, or the last part of a path if that is a document."""
        if not isinstance(document, str) or self.names.find(document) is not None:
            return document
        base = pre_names.base_name(document[: pre_names.MAX_NAME])
        return document if self.names.find(base) is None else base

    def _page_of(self, document: Any, raw: RawElement) -> int:
        """The page in the image's name, or the only page of the document."""
        for guess in pre_names.guess_pages(raw.image or ""):
            if guess.page is not None:
                return guess.page
        info = self._info(document)
        if info is not None and info.n_pages == 1:
            return 1
        raise ValueError("page: is missing")


def first_repeated(pages: Iterable[tuple[str, int]]) -> tuple[str, int] | None:
    """The first page that occurs a second time; None if there is none."""
    known: set[tuple[str, int]] = set()
    for page in pages:
        if page in known:
            return page
        known.add(page)
    return None
