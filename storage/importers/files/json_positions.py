"""The line of a JSON file on which each of its objects starts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagetrail.storage.importers.files.json_rows import LENIENT, TOO_DEEP

_SPACE = re.compile(r"[ \t\r\n]*")

EACH = None
"""In a pattern: every element of a list."""

Pattern = Sequence[str | None]
Places = dict[tuple[int, ...], int]


def places(text: str, pattern: Pattern) -> Places:
    """Where the values that a pattern leads to start.

    Args:
        text: JSON that ``loads_lenient`` takes.
        pattern: names of fields, and ``EACH`` for the elements of a list; for example
            ``("test_rules", EACH)``.

    Returns:
        1-based line by the indices of the lists on the way. Where a field occurs twice in one
        object, the last one counts, as it does for its value.

    Raises:
        ValueError: nested too deeply.
    """
    finder = _Finder(text)
    try:
        finder.visit(0, tuple(pattern), ())
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    return finder.found


class _Finder:
    def __init__(self, text: str) -> None:
        self.found: Places = {}
        self._text = text
        self._line = 1
        self._counted = 0

    def visit(self, start: int, pattern: Pattern, indices: tuple[int, ...]) -> int:
        """Record what the value at ``start`` holds; returns where it ends."""
        start = _skip(self._text, start)
        if not pattern:
            self.found[indices] = self._line_at(start)
        elif pattern[0] is EACH and self._text[start] == "[":
            return self._list(start + 1, pattern[1:], indices)
        elif pattern[0] is not EACH and self._text[start] == "{":
            return self._object(start + 1, pattern[0], pattern[1:], indices)
        return LENIENT.raw_decode(self._text, start)[1]

    def _list(self, at: int, pattern: Pattern, indices: tuple[int, ...]) -> int:
        text = self._text
        index = 0
        while text[at := _skip(text, at)] != "]":
            if text[at] == ",":
                at += 1
                index += 1
            else:
                at = self.visit(at, pattern, (*indices, index))
        return at + 1

    def _object(self, at: int, wanted: str, pattern: Pattern, indices: tuple[int, ...]) -> int:
        text = self._text
        while text[at := _skip(text, at)] != "}":
            if text[at] == ",":
                at += 1
                continue
            name, at = LENIENT.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # the colon
            if name == wanted:
                at = self.visit(at, pattern, indices)
            else:
                at = LENIENT.raw_decode(text, at)[1]
        return at + 1

    def _line_at(self, offset: int) -> int:
        # A field that occurs twice makes the finder go on, never back.
        self._line += self._text.count("\n", self._counted, offset)
        self._counted = offset
        return self._line


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
