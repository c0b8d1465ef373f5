"""Finds the pages that rows about judged pages name, by document and page or by an id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.storage.corpus.aliases import aliases
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import RawElement


class JudgedPages:
    """The pages of a workspace, for one field of the rows.

    Args:
        field: its name, for errors.
    """

    def __init__(self, workspace: Workspace, field: str) -> None:
        corpus, document_aliases = Corpus(workspace), aliases(workspace)
        self._finder = PageFinder(corpus, document_aliases)
        self._names = frozenset(corpus.names()) | document_aliases.keys()
        self._field = field

    def find(self, index: int, document: str | None, page: Any, id_: str | None) -> tuple[str, int]:
        """Name of the document and number of the page of an entry.

        Raises:
            ValueError: there is no such page.
        """
        info, number = self.find_document(index, document, page, id_)
        return info.name, number

    def find_document(
        self, index: int, document: str | None, page: Any, id_: str | None
    ) -> tuple[DocumentInfo, int]:
        """``find`` with the whole document."""
        is_document = document in self._names
        raw = RawElement(
            0,
            document=document if is_document else None,
            page=page,
            # Names without extension, as in ViDoRe, are looked up like image names.
            image=id_ if document is None else document,
        )
        try:
            return self._finder.find(raw)
        except ValueError as error:
            raise ValueError(f"{self._field}[{index}]: {reason_of(error)}") from error


def first_repeated(pages: Iterable[tuple[str, int]]) -> tuple[str, int] | None:
    """The first page that occurs a second time; None if there is none."""
    known: set[tuple[str, int]] = set()
    for page in pages:
        if page in known:
            return page
        known.add(page)
    return None
