"""Text that can be stored: valid UTF-8 without NUL."""

from __future__ import annotations

import re
from pathlib import Path

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> tuple[str, int]:
    """Replace NUL and lone surrogates by U+FFFD.

    None of the three is a word character, so the tokens of the search engine stay the same.

    Returns:
        The storable text and the number of characters replaced.
    """
    try:
        text.encode()  # only lone surrogates fail; much faster than the expression
    except UnicodeEncodeError:
        return _UNSTORABLE.subn("\ufffd", text)
    return _UNSTORABLE.subn("\ufffd", text) if "\x00" in text else (text, 0)


def storable_name(path: Path) -> str:
    """The file's name as stored; bytes that are not UTF-8 are written as ``\\xNN``."""
    return path.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(path: Path | str) -> str:
    """A path or name for a message: one line, without control characters."""
    return "".join(c if c.isprintable() else _escaped(c) for c in str(path))


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that Python could not decode in a file name
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
