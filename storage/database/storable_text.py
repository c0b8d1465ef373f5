"""Text that can be stored: valid UTF-8 without NUL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
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


@dataclass(frozen=True)
class FolderNaming:
    """How messages name a folder that its user does not know, and what is in it.

    Attributes:
        name: of the folder itself.
        prefix: before the path of what is in it.
    """

    folder: str
    name: str
    prefix: str


_namings: ContextVar[tuple[FolderNaming, ...]] = ContextVar("folder namings", default=())


@contextmanager
def named_in_messages(folder: Path, name: str, prefix: str = "") -> Iterator[None]:
    """Name a folder and its files so in messages (``printable``) within the block."""
    with given_namings((FolderNaming(str(folder), name, prefix), *_namings.get())):
        yield


def current_namings() -> tuple[FolderNaming, ...]:
    """The names of folders in messages, the innermost first."""
    return _namings.get()


@contextmanager
def given_namings(namings: tuple[FolderNaming, ...]) -> Iterator[None]:
    """Name folders as another process does."""
    token = _namings.set(namings)
    try:
        yield
    finally:
        _namings.reset(token)


def printable(path: Path | str) -> str:
    """A path or name for a message: one line, without control characters."""
    text = str(path)
    for naming in _namings.get():
        if text == naming.folder:
            text = naming.name
        elif text.startswith(f"{naming.folder}/"):
            text = naming.prefix + text[len(naming.folder) + 1 :]
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that Python could not decode in a file name
        return f"\\x{code - 0xDC00:02x}"
    return character.encode("unicode_escape").decode("ascii")
