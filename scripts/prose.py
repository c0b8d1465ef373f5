"""The text in source files that people read: strings, docstrings, comments and documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple


class Fragment(NamedTuple):
    """A fragment of text.

    Attributes:
        text: with code in backticks blanked out and placeholders replaced by ``9``.
        first, last: its lines, from 1.
    """

    text: str
    first: int
    last: int


_CODE_FILES = (".py", ".js", ".mjs", ".ts", ".tsx", ".css")
_CODE = re.compile(r"``.+?``|`[^`\n]+`", re.DOTALL)
_COMMENT = re.compile(r"(?:^|\s)#\s+(.*)")
_JS = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"
    r"|(?<=[=(,:;!&|?{}\[\n])\s*/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/",
    re.DOTALL,
)
_TSX = re.compile(rf"{_JS.pattern}|(?<=>)[^<>{{}}=;()]*\w\s+\w[^<>{{}}=;()]*(?=[<{{])", re.DOTALL)
_CSS = re.compile(r"/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_FENCE = re.compile(r"^```.*?^```|^ {4}.*?$|<!--.*?-->|\]\([^)\s]*\)", re.DOTALL | re.MULTILINE)
_TEMPLATE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|<style.*?</style>|<[^>]*>", re.DOTALL)


def fragments(path: Path) -> Iterator[Fragment]:
    """The prose of a file, by its suffix; nothing for other files."""
    readers: dict[str, Callable[[str], Iterator[tuple[str, int, int]]]] = {
        ".py": _python,
        ".toml": _toml,
        ".md": _markdown,
        **dict.fromkeys((".js", ".mjs", ".ts"), lambda source: _matched(_JS, source)),
        ".tsx": lambda source: _matched(_TSX, source),
        ".css": lambda source: _matched(_CSS, source),
        ".j2": lambda source: _blanked(_TEMPLATE, source),
        ".html": lambda source: _blanked(_TEMPLATE, source),
    }
    reader = readers.get(path.suffix)
    if reader is None:
        return
    for text, first, last in reader(path.read_text(encoding="utf-8")):
        if path.suffix not in _CODE_FILES or is_prose(text):
            yield Fragment(_CODE.sub(_blank, text), first, last)


def is_prose(text: str) -> bool:
    """Whether a text is more than a name: it has several words, or is a label such as ``Save``."""
    return bool(re.search(r"\w\s+\w", text)) or text[:1].isupper()


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"\S", "¤", match[0])


def _python(source: str) -> Iterator[tuple[str, int, int]]:
    parts: set[int] = set()
    for node in ast.walk(ast.parse(source)):  # an f-string comes before its parts
        if isinstance(node, ast.JoinedStr):
            parts.update(map(id, node.values))
            text = "".join(
                str(v.value) if isinstance(v, ast.Constant) else "9" for v in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in parts:
                continue
            text = node.value
        else:
            continue
        yield text, node.lineno, node.end_lineno or node.lineno
    yield from _comments(source)


def _comments(source: str) -> Iterator[tuple[str, int, int]]:
    """Comments; consecutive lines are one text."""
    prose = {
        number: match[1]
        for number, line in enumerate(source.splitlines(), start=1)
        if "#" in line and (match := _COMMENT.search(line))
    }
    for number in prose:
        if number - 1 not in prose:
            last = number
            while last + 1 in prose:
                last += 1
            yield "\n".join(prose[at] for at in range(number, last + 1)), number, last


def _toml(source: str) -> Iterator[tuple[str, int, int]]:
    for number, line in enumerate(source.splitlines(), start=1):
        yield re.sub(r"\b[\w.-]+\s*=", "", line), number, number


def _markdown(source: str) -> Iterator[tuple[str, int, int]]:
    """Paragraphs; code, comments and addresses of links are blanked out."""
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", _FENCE.sub(_blank, source)):
        lines = paragraph.count("\n")
        if paragraph.strip():
            yield paragraph, line, line + lines
        line += lines


def _matched(pattern: re.Pattern[str], source: str) -> Iterator[tuple[str, int, int]]:
    """Strings and comments of a code file."""
    for match in pattern.finditer(source):
        text = match[0]
        if text.lstrip().startswith("/") and not text.startswith(("//", "/*")):
            continue  # a regular expression
        first = source.count("\n", 0, match.start()) + 1
        text = re.sub(r"\$\{[^}]*\}", "9", text).strip("/*'\"`")
        yield re.sub(r"\n\s*\*", "\n", text).strip(), first, first + match[0].count("\n")


def _blanked(pattern: re.Pattern[str], source: str) -> Iterator[tuple[str, int, int]]:
    text = pattern.sub(_blank, source)
    for number, line in enumerate(text.splitlines(), start=1):
        yield line, number, number
