"""TOML from people, refused before it is parsed where it is too long, deep or full.

``tomllib`` takes time that grows with the square of a dotted key's length, and with the product of
depth and number of keys: 100 KB took it 26 s. Within the limits here the same size takes less than
half a second, whatever it holds.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from pagetrail.annotation.messages import gettext

MAX_CHARS = 100_000
MAX_DEPTH = 16
MAX_KEYS = 5_000

_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$|\(at end of document\)$")
_TOKENS = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*+"{3,5}'
    r"|'''(?:[^']|'(?!''))*+'{3,5}"
    r'|"(?:[^\\"\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|\#[^\n]*+"
    r"|[\[\]{}.=,\n]"
    r"|[ \t\r]++"
    r"|[^\[\]{}.=,\n \t\r\"'\#]++"
    r"|.",
    re.DOTALL,
)
"""Each step is possessive, so that the scan takes time in proportion to the text. Up to the first
error that ``tomllib`` finds it sees the same tokens; what comes later ``tomllib`` never reads."""


class TomlError(ValueError):
    """A text that is not TOML, or too large to be tried.

    Attributes:
        line: 1-based; None for the text as a whole.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text.

    Raises:
        TomlError: it is not TOML, or beyond a limit.
    """
    _check_size(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        match = _AT_LINE.search(message)
        line = text.count("\n") + 1
        if match and match[1]:
            line = int(match[1])
            message = f"{message[: match.start()]} (column {match[2]})"
        raise TomlError(
            gettext("is not TOML: {message}", message=message[:1].lower() + message[1:]), line
        ) from error
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        raise TomlError(gettext("is not TOML: a number has too many digits")) from error


def _check_size(text: str) -> None:
    if len(text) > MAX_CHARS:
        raise TomlError(
            gettext(
                "has more than the {max_chars:,} characters that are allowed", max_chars=MAX_CHARS
            )
        )
    depth = dots = keys = line_breaks = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        line_breaks += token.count("\n")
        if token == ".":
            dots += 1
        elif token in ("[", "{"):
            depth += 1
            dots = 0
        elif token in ("]", "}"):
            depth = max(0, depth - 1)
        elif token in ("\n", "=", ","):
            dots = 0
        keys += token in ("[", "{", "=")
        if max(depth, dots) >= MAX_DEPTH:
            reason = f"is nested deeper than the {MAX_DEPTH} levels that are allowed"
            raise TomlError(reason, line_breaks + 1)
        if keys > MAX_KEYS:
            reason = f"has more than the {MAX_KEYS:,} keys and lists that are allowed"
            raise TomlError(reason, line_breaks + 1)
