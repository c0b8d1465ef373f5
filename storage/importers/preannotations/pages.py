"""Finds the page of a pre-annotation, as stated in the file or derived from an image name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pagetrail.annotation.ports import DocumentInfo, DocumentSource
from pagetrail.annotation.tasks.task import PageRef
from pagetrail.storage.importers.files.name_suggestions import DocumentNames
from pagetrail.storage.importers.preannotations import image_names as pre_names
from pagetrail.storage.importers.preannotations.raw_elements import RawElement


class PageFinder:
    """Finds pages among the documents of a workspace; reads each document once.

    Args:
        aliases: alternative name → the document's name.
    """

    def __init__(self, pages: DocumentSource, aliases: Mapping[str, str] | None = None) -> None:
        self._documents = _Documents(pages, aliases or {})
        self._names = DocumentNames(self._documents)

    def find(self, raw: RawElement) -> tuple[DocumentInfo, int]:
        """The document and the 1-based page.

        Raises:
            ValueError: the page is not stated or does not exist; see ``reason_of``.
        """
        document, page = self._page_reference(raw)
        ref = PageRef(document=document, page=page)
        info = self._documents.info(ref.document)
        wrong = self._names.page_problem(*ref.key)
        if info is None or wrong:
            raise ValueError(wrong or "document: is missing")
        return info, ref.page

    def _page_reference(self, raw: RawElement) -> tuple[Any, Any]:
        """Document and page, unchecked."""
        if raw.document is not None:
            document = self._known_name(raw.document)
            return document, self._page_of(document, raw) if raw.page is None else raw.page
        reason = "document: is missing"
        if raw.image is not None:
            named_page = pre_names.find_named_page(
                raw.image, self._documents, self._names, raw.page is not None
            )
            if isinstance(named_page, pre_names.NamedPage):
                return named_page.document, named_page.page if raw.page is None else raw.page
            reason = named_page
        if raw.fallback is not None:
            document, page = raw.fallback
            document = self._known_name(document)
            if isinstance(document, str) and document in self._documents:
                return document, page
        raise ValueError(reason)

    def _known_name(self, document: Any) -> Any:
        """The document's name, or the last part of a path if that is a document."""
        if not isinstance(document, str) or document in self._documents:
            return document
        base = pre_names.base_name(document[: pre_names.MAX_NAME])
        return base if base in self._documents else document

    def _page_of(self, document: Any, raw: RawElement) -> int:
        """The page in the image's name, or the only page of the document."""
        for guess in pre_names.guess_pages(raw.image or ""):
            if guess.page is not None:
                return guess.page
        info = self._documents.info(document) if isinstance(document, str) else None
        if info is not None and info.n_pages == 1:
            return 1
        raise ValueError("page: is missing")


class _Documents(Mapping[str, int]):
    """Document → number of pages; document infos are fetched on first use."""

    def __init__(self, pages: DocumentSource, aliases: Mapping[str, str]) -> None:
        self._pages = pages
        self._aliases = aliases
        self._names = frozenset(pages.names()) | aliases.keys()
        self._infos: dict[str, DocumentInfo | None] = {}

    def info(self, name: str) -> DocumentInfo | None:
        if name in self._names and name not in self._infos:
            self._infos[name] = self._pages.document(self._aliases.get(name, name))
        return self._infos.get(name)

    def __getitem__(self, name: str) -> int:
        info = self.info(name)
        if info is None:
            raise KeyError(name)
        return info.n_pages

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
