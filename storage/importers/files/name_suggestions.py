"""Pages that do not exist, and what a person may have meant by a document's name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from pagetrail.storage.database.storable_text import printable

_MAX_SUGGESTIONS = 50


class DocumentNames:
    """A workspace's documents, and what comes close to a name that is not among them.

    Args:
        pages: document → number of pages.
    """

    def __init__(self, pages: Mapping[str, int]) -> None:
        self._pages = pages
        self._folded = {name.casefold(): name for name in reversed(sorted(pages))}
        self._suggested: dict[str, str] = {}

    def same_but_case(self, name: str) -> str | None:
        """The document of that name in whatever case; None if there is none."""
        return name if name in self._pages else self._folded.get(name.casefold())

    def page_problem(self, document: str, page: int) -> str | None:
        """Why there is no such page; None where there is."""
        pages = self._pages.get(document)
        if pages is None:
            return self.unknown(document)
        if page <= pages:
            return None
        has = "1 page" if pages == 1 else f"{pages:,} pages"
        return f"page {page:,} of {printable(document)} does not exist: the document has {has}"

    def unknown(self, name: str) -> str:
        """The sentence about a name that is no document's."""
        return (
            f"there is no document {printable(name[:200])} in this workspace"
            f"{self._suggestion(name)}"
        )

    def _suggestion(self, name: str) -> str:
        if name not in self._suggested:
            if len(self._suggested) >= _MAX_SUGGESTIONS:
                # Comparing with every name of a large collection is slow.
                return ""
            folded = name.casefold()
            match = self._folded.get(folded) or self._folded.get(f"{folded}.pdf")
            close = [match] if match else get_close_matches(name, self._pages, 1, 0.75)
            self._suggested[name] = f"; did you mean {printable(close[0])}?" if close else ""
        return self._suggested[name]
