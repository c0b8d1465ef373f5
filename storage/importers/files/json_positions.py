"""Finds the line on which each object of a JSON file starts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagetrail.storage.importers.files.json_rows import LENIENT, TOO_DEEP

_SPACE = re.compile(r"[ \t\r\n]*")

EVERY_ITEM = None
"""In a path pattern: every element of a list."""

PathPattern = Sequence[str | None]
ValueLines = dict[tuple[int, ...], int]


def value_lines(text: str, pattern: PathPattern) -> ValueLines:
    """Lines on which the values that match a path pattern start.

    Args:
        text: JSON that ``loads_lenient`` accepts.
        pattern: field names, and ``EVERY_ITEM`` for list elements, e.g.
            ``("test_rules", EVERY_ITEM)``.

    Returns:
        List indices along the path → 1-based line. If an object has a field twice, the last one
        counts, as for its value.

    Raises:
        ValueError: nested too deeply.
    """
    finder = _LineFinder(text)
    try:
        finder.visit(0, tuple(pattern), ())
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    return finder.lines


class _LineFinder:
    def __init__(self, text: str) -> None:
        self.lines: ValueLines = {}
        self._text = text
        self._line = 1
        self._counted_to = 0

    def visit(self, start: int, pattern: PathPattern, indices: tuple[int, ...]) -> int:
        """Record the lines within the value at ``start``; returns the offset of its end."""
        start = _skip_space(self._text, start)
        if not pattern:
            self.lines[indices] = self._line_at(start)
        elif pattern[0] is EVERY_ITEM and self._text[start] == "[":
            return self._list(start + 1, pattern[1:], indices)
        elif pattern[0] is not EVERY_ITEM and self._text[start] == "{":
            return self._object(start + 1, pattern[0], pattern[1:], indices)
        return LENIENT.raw_decode(self._text, start)[1]

    def _list(self, offset: int, pattern: PathPattern, indices: tuple[int, ...]) -> int:
        text = self._text
        index = 0
        while text[offset := _skip_space(text, offset)] != "]":
            if text[offset] == ",":
                offset += 1
                index += 1
            else:
                offset = self.visit(offset, pattern, (*indices, index))
        return offset + 1

    def _object(
        self, offset: int, field: str, pattern: PathPattern, indices: tuple[int, ...]
    ) -> int:
        text = self._text
        while text[offset := _skip_space(text, offset)] != "}":
            if text[offset] == ",":
                offset += 1
                continue
            name, offset = LENIENT.raw_decode(text, offset)
            offset = _skip_space(text, _skip_space(text, offset) + 1)  # the colon
            if name == field:
                offset = self.visit(offset, pattern, indices)
            else:
                offset = LENIENT.raw_decode(text, offset)[1]
        return offset + 1

    def _line_at(self, offset: int) -> int:
        # Offsets only grow, even for a field that occurs twice.
        self._line += self._text.count("\n", self._counted_to, offset)
        self._counted_to = offset
        return self._line


def _skip_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset
