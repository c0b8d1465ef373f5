"""Names of documents, and the document that a name in a file, a call or a link means.

docs/formats.md, What is normalised, has the rule: names are compared in Unicode's composed form,
since macOS decomposes the letters of file names; another case is only a suggestion.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property

from pagetrail.annotation.sentences import count_noun

_MAX_SUGGESTIONS = 50
_MAX_SHOWN = 200


class DocumentNames(Mapping[str, int]):
    """The documents of a collection with their numbers of pages, by stored name.

    Args:
        pages: document → number of pages.
        aliases: other name under which a document's file came → the document.

    Attributes:
        aliases: the same.
    """

    def __init__(self, pages: Mapping[str, int], aliases: Mapping[str, str] | None = None) -> None:
        self._pages = pages
        self.aliases = aliases or {}
        self._suggested: dict[str, str] = {}

    def __getitem__(self, document: str) -> int:
        return self._pages[document]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def find(self, name: str) -> str | None:
        """The stored name of the document that a name means; None if that is none or unclear."""
        if name in self._pages:
            return name
        if name in self.aliases:
            return self.aliases[name]
        return _single_document(self._by_form.get(composed(name), set()))

    def find_in_any_case(self, name: str) -> str | None:
        """Like ``find``, also in another case; for names that are guessed from those of images."""
        return self.find(name) or _single_document(
            self._by_case.get(composed(name).casefold(), set())
        )

    def page_problem(self, name: str, page: int) -> str | None:
        """Why there is no such page, or None if there is one."""
        document = self.find(name)
        if document is None:
            return self.problem(name)
        if page <= self._pages[document]:
            return None
        has = count_noun(self._pages[document], "page")
        return f"page {page:,} of {_shown_name(document)} does not exist: the document has {has}"

    def is_unclear(self, name: str) -> bool:
        """Whether a name means one of several documents whose names differ in form only."""
        return self.find(name) is None and composed(name) in self._by_form

    def problem(self, name: str) -> str:
        """Why a name means no document, with a suggestion or the documents that it may mean."""
        if self.is_unclear(name):
            documents = sorted(self._by_form[composed(name)])
            exact_names = " and ".join(ascii(document)[1:-1] for document in documents)
            return (
                f"{_shown_name(name)} may be any of {len(documents):,} documents whose names look "
                f"the same but have other characters: {exact_names}. Write the name as one of "
                "these, character by character"
            )
        return f"there is no document {_shown_name(name)} in this workspace{self._suggestion(name)}"

    def _suggestion(self, name: str) -> str:
        if name not in self._suggested:
            if len(self._suggested) >= _MAX_SUGGESTIONS:
                # Comparing with all names of a large collection is slow.
                return ""
            folded = composed(name.strip()).casefold()
            in_other_case = self._by_case.get(folded) or self._by_case.get(f"{folded}.pdf") or ()
            matches = sorted(in_other_case) or get_close_matches(name, self._pages, 1, 0.75)
            self._suggested[name] = f"; did you mean {_shown_name(matches[0])}?" if matches else ""
        return self._suggested[name]

    @cached_property
    def _by_form(self) -> dict[str, set[str]]:
        documents: dict[str, set[str]] = defaultdict(set)
        for name in self._pages:
            documents[composed(name)].add(name)
        for alias, document in self.aliases.items():
            documents[composed(alias)].add(document)
        return documents

    @cached_property
    def _by_case(self) -> dict[str, set[str]]:
        documents: dict[str, set[str]] = defaultdict(set)
        for name, of_this_form in self._by_form.items():
            documents[name.casefold()] |= of_this_form
        return documents


def composed(name: str) -> str:
    """The name in Unicode's composed form (NFC), in which names are compared."""
    return unicodedata.normalize("NFC", name)


def _single_document(documents: set[str]) -> str | None:
    return next(iter(documents)) if len(documents) == 1 else None


def _shown_name(name: str) -> str:
    """The name on one line, cut if it is long, without control characters."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name[:_MAX_SHOWN])
