"""Checks page references and suggests documents for misspelt names."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from pagetrail.annotation.sentences import count_noun
from pagetrail.storage.database.storable_text import printable

_MAX_SUGGESTIONS = 50


class DocumentNames:
    """The documents of a workspace.

    Args:
        pages: document → number of pages.
    """

    def __init__(self, pages: Mapping[str, int]) -> None:
        self._pages = pages
        self._folded = {name.casefold(): name for name in reversed(sorted(pages))}
        self._suggested: dict[str, str] = {}

    def ignoring_case(self, name: str) -> str | None:
        """The document with this name, ignoring case; None if there is none."""
        return name if name in self._pages else self._folded.get(name.casefold())

    def page_problem(self, document: str, page: int) -> str | None:
        """Reason why the page does not exist, or None if it does."""
        pages = self._pages.get(document)
        if pages is None:
            return self.unknown_document(document)
        if page <= pages:
            return None
        has = count_noun(pages, "page")
        return f"page {page:,} of {printable(document)} does not exist: the document has {has}"

    def unknown_document(self, name: str) -> str:
        """Reason for refusing a name that no document has, with a suggestion."""
        return (
            f"there is no document {printable(name[:200])} in this workspace"
            f"{self._suggestion(name)}"
        )

    def _suggestion(self, name: str) -> str:
        if name not in self._suggested:
            if len(self._suggested) >= _MAX_SUGGESTIONS:
                # Comparing with all names of a large collection is slow.
                return ""
            folded = name.casefold()
            match = self._folded.get(folded) or self._folded.get(f"{folded}.pdf")
            matches = [match] if match else get_close_matches(name, self._pages, 1, 0.75)
            self._suggested[name] = f"; did you mean {printable(matches[0])}?" if matches else ""
        return self._suggested[name]
