"""Reads link files: document names with their URLs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pagetrail.annotation.readable_errors import describe
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.row_files import read_task_file

_MAX_NAME_BYTES = 200
_FORBIDDEN_IN_NAMES = re.compile(r"[/\\\x00-\x1f\x7f]")


class Link(BaseModel):
    """A document and its URL.

    Attributes:
        document: file name ending in .pdf.
        sha256: of the content, in lower-case hexadecimal; None if not stated.
    """

    model_config = ConfigDict(frozen=True)

    document: str
    url: str = Field(max_length=4_000)
    sha256: str | None = None

    @field_validator("document")
    @classmethod
    def _is_file_name(cls, name: str) -> str:
        if _FORBIDDEN_IN_NAMES.search(name) or name.startswith(".") or not name.isprintable():
            raise ValueError("must be a file name, without folders")
        if not name.lower().endswith(".pdf"):
            raise ValueError("must end in .pdf")
        if len(name.encode()) > _MAX_NAME_BYTES:
            raise ValueError(f"is longer than {_MAX_NAME_BYTES} bytes")
        return name

    @field_validator("sha256", mode="before")
    @classmethod
    def _is_sha256(cls, value: Any) -> Any:
        if value in (None, ""):
            return None
        text = str(value).strip().lower()
        if re.fullmatch(r"[0-9a-f]{64}", text) is None:
            raise ValueError("must be 64 hexadecimal digits")
        return text


@dataclass(frozen=True)
class LinkRow:
    """A row of a link file.

    Attributes:
        document: name in the row, for the report.
        link: None if the row cannot be used.
        problem: reason why it cannot be used.
    """

    line: int
    document: str
    link: Link | None
    problem: str = ""


def read_links(path: Path) -> tuple[list[LinkRow], list[str]]:
    """All rows in file order, and notes; a document name used by an earlier row is a problem.

    Raises:
        InputFileError: the file cannot be used as a whole.
    """
    file = read_task_file(path, "url")
    link_rows = [LinkRow(error.line, "", None, error.reason) for error in file.errors]
    lines_by_name: dict[str, int] = {}
    for raw in file.rows:
        shown_name = printable(str(raw.data.get("document"))[:_MAX_NAME_BYTES])
        try:
            link = Link.model_validate(raw.data)
        except ValidationError as error:
            link_rows.append(LinkRow(raw.line, shown_name, None, describe(error)))
            continue
        # On file systems that ignore case, both would be the same file.
        first_line = lines_by_name.setdefault(link.document.casefold(), raw.line)
        problem = (
            ""
            if first_line == raw.line
            else f"line {first_line:,} has a document of this name already"
        )
        link_rows.append(LinkRow(raw.line, shown_name, None if problem else link, problem))
    return sorted(link_rows, key=lambda row: row.line), file.notes
