"""The line of each key in a TOML text, which the standard library's parser does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PIECE = re.compile(
    r"\"\"\"(?:\\.|[^\\])*?\"{3,5}|'''.*?'{3,5}|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", re.DOTALL
)
_KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'")
_BARE = re.compile(r"[^,\]}#\n]+")


def lines(text: str) -> dict[Path, int]:
    """1-based line by path, such as ``("fields", 0, "name")``.

    The text must be valid TOML (``tomllib`` reads it); of another one the answer is of no use.
    """
    return _Scanner(text).run()


def line_of(line_numbers: dict[Path, int], path: Sequence[str | int]) -> int | None:
    """The line of the path, or of the nearest thing around it that is in the text."""
    for length in range(len(path), 0, -1):
        line = line_numbers.get(tuple(path[:length]))
        if line is not None:
            return line
    return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._found: dict[Path, int] = {}
        self._arrays: dict[Path, int] = {}

    def run(self) -> dict[Path, int]:
        table: Path = ()
        while True:
            self._skip()
            if self._at >= len(self._text):
                return self._found
            if self._text[self._at] != "[":
                self._pair(table)
                continue
            doubled = self._text.startswith("[[", self._at)
            line = self._line_number()
            self._at += 2 if doubled else 1
            names = self._keys()
            self._at += 2 if doubled else 1
            table = self._open_table(names, line, doubled=doubled)

    def _open_table(self, names: list[str], line: int, *, doubled: bool) -> Path:
        """The path of a header: an array of tables is in its last element."""
        path: Path = ()
        for index, name in enumerate(names):
            path = (*path, name)
            self._note(path, line)
            if doubled and index == len(names) - 1:
                self._arrays[path] = self._arrays.get(path, -1) + 1
            if path in self._arrays:
                path = (*path, self._arrays[path])
                self._note(path, line)
        return path

    def _pair(self, table: Path) -> None:
        line = self._line_number()
        path: Path = (*table, *self._keys())
        for length in range(len(table) + 1, len(path) + 1):
            self._note(path[:length], line)
        self._at += 1  # the equals sign
        self._skip()
        self._value(path)

    def _value(self, path: Path) -> None:
        head = self._text[self._at : self._at + 1]
        if head == "[":
            self._items(path)
        elif head == "{":
            self._inline(path)
        else:
            piece = _PIECE.match(self._text, self._at) or _BARE.match(self._text, self._at)
            self._at = piece.end() if piece else self._at + 1

    def _items(self, path: Path) -> None:
        self._at += 1
        number = 0
        while self._more("]"):
            self._note((*path, number), self._line_number())
            self._value((*path, number))
            number += 1

    def _inline(self, path: Path) -> None:
        self._at += 1
        while self._more("}"):
            self._pair(path)

    def _more(self, end: str) -> bool:
        """Whether another entry comes before the bracket; steps over commas and the bracket."""
        self._skip()
        while self._text[self._at : self._at + 1] == ",":
            self._at += 1
            self._skip()
        if self._at >= len(self._text) or self._text[self._at] == end:
            self._at += 1
            return False
        return True

    def _keys(self) -> list[str]:
        names: list[str] = []
        while True:
            self._skip()
            match = _KEY.match(self._text, self._at)
            if match is None:
                return names
            names.append(match[0].strip("\"'"))
            self._at = match.end()
            self._skip()
            if self._text[self._at : self._at + 1] != ".":
                return names
            self._at += 1

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _line_number(self) -> int:
        return self._text.count("\n", 0, self._at) + 1

    def _note(self, path: Path, line: int) -> None:
        self._found.setdefault(path, line)
