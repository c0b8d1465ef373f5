"""“Did you mean”: another spelling of the words that the collection does not have."""

from __future__ import annotations

from typing import Any

from whoosh import query as wq

from storage.search_lexicon import Lexicon

_MIN_LENGTH = 4
_MAX_WORDS = 8
_MAX_EDITS = 2


class Suggester:
    """Suggestions from the words of one index."""

    def __init__(self, searcher: Any, lexicon: Lexicon) -> None:
        self._corrector = searcher.reader().corrector("text")
        self._lexicon = lexicon

    def suggest(self, query: str, parsed: Any) -> str | None:
        """The query with unknown words respelled, or None if there is nothing to change.

        Patterns are matched as typed while the index is in lower case, so a pattern with capitals
        finds nothing; its lower-case form is suggested.
        """
        changes: list[tuple[int, int, str]] = []
        for part in parsed.leaves():
            if part.startchar is None or part.endchar is None:
                continue
            match part:
                case wq.Term(fieldname="text") if isinstance(part.text, str):
                    other = self._respell(part.text) if len(changes) < _MAX_WORDS else None
                case wq.Prefix(fieldname="text") | wq.Wildcard(fieldname="text"):
                    low = query[part.startchar : part.endchar].lower()
                    other = None if low == query[part.startchar : part.endchar] else low
                case _:
                    other = None
            if other is not None:
                changes.append((part.startchar, part.endchar, other))
        text = query
        for start, end, other in sorted(set(changes), reverse=True):
            text = text[:start] + other + text[end:]
        return text if changes else None

    def _respell(self, word: str) -> str | None:
        if word in self._lexicon or len(word) < _MIN_LENGTH or any(c.isdigit() for c in word):
            return None
        found = self._corrector.suggest(word, limit=1, maxdist=_MAX_EDITS, prefix=1)
        return str(found[0]) if found else None
