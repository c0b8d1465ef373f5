"""“Did you mean”: other spellings of words that are not in the collection."""

from __future__ import annotations

from typing import Any

from whoosh import query as wq

from pagetrail.storage.search.lexicon import Lexicon

_MIN_LENGTH = 4
_MAX_WORDS = 8
_MAX_EDITS = 2


class Suggester:
    """Suggests spellings from the words of one index."""

    def __init__(self, searcher: Any, lexicon: Lexicon) -> None:
        self._corrector = searcher.reader().corrector("text")
        self._lexicon = lexicon

    def suggest(self, query: str, parsed: Any) -> str | None:
        """The query with unknown words respelled, or None if nothing changes."""
        changes: set[tuple[int, int, str]] = set()
        for part in parsed.leaves():
            if not isinstance(part, wq.Term) or part.fieldname != "text":
                continue
            if None in (part.startchar, part.endchar) or len(changes) == _MAX_WORDS:
                continue
            other = self._respell(str(part.text))
            if other is not None:
                changes.add((part.startchar, part.endchar, other))
        text = query
        for start, end, other in sorted(changes, reverse=True):
            text = text[:start] + other + text[end:]
        return text if changes else None

    def _respell(self, word: str) -> str | None:
        if word in self._lexicon or len(word) < _MIN_LENGTH or any(c.isdigit() for c in word):
            return None
        suggestions = self._corrector.suggest(word, limit=1, maxdist=_MAX_EDITS, prefix=1)
        return str(suggestions[0]) if suggestions else None
