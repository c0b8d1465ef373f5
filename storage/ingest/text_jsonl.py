"""Reads page text from MADQA's OCR JSONL (docs/formats.md, Page text), plain or gzipped."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pagetrail.annotation.document_names import DocumentNames, composed
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.sentences import count_noun, shortened
from pagetrail.storage.corpus.changes import TextLine
from pagetrail.storage.database.storable_text import clean_text, printable

MAX_LINE_BYTES = 16 * 2**20
MAX_TEXT_BYTES = 4 * 2**30
_MAX_PROBLEMS = 50
"""Broken lines are listed up to this number; of others, only the number is given."""


@dataclass
class TextFile:
    """The usable lines of a text file, in order.

    Attributes:
        name: for messages.
        lines: (line number, page text); each page once.
        problems: sentences, each with file and line number.
    """

    name: str
    lines: list[tuple[int, TextLine]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    replaced_characters: int = 0

    def __post_init__(self) -> None:
        self._pages: dict[str, set[int]] = {}

    def add(self, number: int, line: TextLine) -> None:
        """Add the text of line ``number``."""
        self.lines.append((number, line))
        self._pages.setdefault(composed(line.file), set()).add(line.page)

    def pages_of(self, document: str) -> Set[int]:
        """Numbers of a document's pages with text in this file."""
        return self._pages.get(composed(document), frozenset())

    def usable(self, documents: DocumentNames) -> list[TextLine]:
        """The lines for pages of registered documents, once each; reports the others."""
        usable: dict[tuple[str, int], TextLine] = {}
        unknown: dict[str, list[int]] = {}
        missing_pages: list[str] = []
        for number, line in self.lines:
            document = documents.find(line.file)
            if document is None:
                unknown.setdefault(line.file, []).append(number)
            elif line.page > documents[document]:
                missing_pages.append(
                    f"{self.name} line {number}: page {line.page} of {printable(line.file)} does "
                    f"not exist: the document has {count_noun(documents[document], 'page')}."
                )
            elif (document, line.page) in usable:
                missing_pages.append(
                    f"{self.name} line {number}: page {line.page} of {printable(line.file)} is on "
                    "an earlier line too, under another name of the document; the first one is "
                    "used."
                )
            else:
                usable[document, line.page] = replace(line, file=document)
        unknown_documents = []
        for file, numbers in unknown.items():
            more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
            reason = documents.problem(file)
            unknown_documents.append(
                f"{self.name} line {numbers[0]}{more}: {reason}{'' if reason[-1] == '?' else '.'} "
                "Correct the name, or ingest that PDF, then this text file again."
            )
        self.problems += first_problems(unknown_documents, self.name)
        self.problems += first_problems(missing_pages, self.name)
        return list(usable.values())


def read_text_jsonl(path: Path) -> TextFile:
    """Read a text file; broken lines are reported and the others used.

    Raises:
        InputFileError: the file cannot be read, or no line of it can be used.
    """
    text_file = TextFile(printable(path.name))
    first_line: dict[tuple[str, int], int] = {}
    problems: list[str] = []
    try:
        for number, raw in enumerate(_raw_lines(path), start=1):
            if not raw.strip():
                continue
            parsed = _parse(raw)
            if isinstance(parsed, str):
                problems.append(f"{text_file.name} line {number}: {parsed}")
                continue
            key = (parsed.file, parsed.page)
            if key in first_line:
                problems.append(
                    f"{text_file.name} line {number}: page {parsed.page} of "
                    f"{printable(parsed.file)} is on line {first_line[key]} too; "
                    "the first one is used."
                )
                continue
            first_line[key] = number
            text, replaced = clean_text(parsed.text)
            text_file.replaced_characters += replaced
            text_file.add(number, TextLine(parsed.file, parsed.page, text))
    except OSError as error:
        if not text_file.lines:
            raise InputFileError(
                gettext(
                    "{path} cannot be read: {error}.",
                    path=printable(path),
                    error=error.strerror or error,
                )
            ) from error
        problems.append(f"{text_file.name} breaks off: {error}. The lines before are used.")
    except (EOFError, zlib.error) as error:
        problems.append(f"{text_file.name} breaks off: {error}. The lines before are used.")
    text_file.problems = first_problems(problems, text_file.name)
    if not text_file.lines:
        reason = problems[0] if problems else "it is empty."
        raise InputFileError(
            gettext(
                "{path} holds no usable line: {reason}",
                path=printable(path),
                reason=reason,
            )
        )
    return text_file


def first_problems(problems: list[str], name: str) -> list[str]:
    """The first problems, and the number of others."""
    if len(problems) <= _MAX_PROBLEMS:
        return problems
    return [
        *problems[:_MAX_PROBLEMS],
        f"{name}: {len(problems) - _MAX_PROBLEMS} more problems like these.",
    ]


def _raw_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as probe:
        is_zipped = probe.read(2) == b"\x1f\x8b"
    size = number = 0
    with gzip.open(path, "rb") if is_zipped else path.open("rb") as file:
        # Bounded, since a few compressed bytes may expand to gigabytes.
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            size += len(line)
            if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
                limit = f"{MAX_LINE_BYTES >> 20} MiB"
                raise InputFileError(
                    gettext(
                        "{path} line {line} is longer than {limit}. Write the text of "
                        "each page in a line of its own.",
                        path=printable(path),
                        line=number,
                        limit=limit,
                    )
                )
            if size > MAX_TEXT_BYTES:
                limit = f"{MAX_TEXT_BYTES >> 30} GiB"
                raise InputFileError(
                    gettext(
                        "{path} unpacks to more than {limit}. Split it.",
                        path=printable(path),
                        limit=limit,
                    )
                )
            yield line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def _parse(raw: bytes) -> TextLine | str:
    """The page text of one line, or its problem."""
    try:
        row: Any = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte {error.start + 1})."
    except json.JSONDecodeError as error:
        return f"is not JSON ({error.msg} at column {error.colno})."
    except ValueError as error:
        return f"is not usable JSON ({error})."
    except RecursionError:
        return "is nested too deeply."
    if not isinstance(row, dict):
        return "is not a JSON object."
    file, page, text = row.get("file"), row.get("page_number"), row.get("text")
    if not isinstance(file, str) or not file:
        return f"'file' must be a document's name, not {_short(file)}."
    if not isinstance(page, int) or isinstance(page, bool) or page < 1:
        return f"'page_number' must be a whole number from 1, not {_short(page)}."
    if not isinstance(text, str):
        return f"'text' must be a string, not {_short(text)}."
    return TextLine(file, page, text)


def _short(value: object) -> str:
    return shortened(repr(value), 60)
