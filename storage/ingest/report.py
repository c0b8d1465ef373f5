"""What an ingest run did, file by file."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.sentences import plural_form
from pagetrail.storage.database.storable_text import printable

LAST = "last-ingest.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ingested:
    """A file that is a new document of the workspace.

    Attributes:
        file: the path as given or found.
        document: the name it has in the workspace.
        ocr_pages: pages whose text was recognised.
        notes: sentences about what is less than perfect.
    """

    file: str
    document: str
    sha256: str
    pages: int
    ocr_pages: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Duplicate:
    """A file whose bytes the workspace has already, under the name ``document``."""

    file: str
    document: str
    sha256: str
    reason: str


@dataclass(frozen=True)
class FailedFile:
    """A file of which nothing was registered, and why: a sentence for a person."""

    file: str
    reason: str


@dataclass
class IngestReport:
    """Every input file is in exactly one of the first four lists.

    Attributes:
        pending: files not reached because the run was interrupted.
        notes: sentences about pages without text and about the text file.
        ignored: number of files in the given folders that are not PDFs by name.
        text_pages: pages that have the text of the given text file.
    """

    ingested: list[Ingested] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    failed: list[FailedFile] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ignored: int = 0
    text_pages: int = 0
    interrupted: bool = False

    def sort(self) -> None:
        """Order by path: workers finish in any order."""
        self.ingested.sort(key=lambda entry: entry.file)
        self.duplicates.sort(key=lambda entry: entry.file)
        self.failed.sort(key=lambda entry: entry.file)
        self.pending.sort()

    def as_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``; paths are escaped where they are not UTF-8."""
        return {
            "ingested": [_plain(entry.__dict__) for entry in self.ingested],
            "duplicates": [_plain(entry.__dict__) for entry in self.duplicates],
            "failed": [_plain(entry.__dict__) for entry in self.failed],
            "pending": [_utf8(file) for file in self.pending],
            "notes": list(self.notes),
            "ignored": self.ignored,
            "text_pages": self.text_pages,
            "interrupted": self.interrupted,
        }


def keep_report(root: Path, report: IngestReport) -> None:
    """Keep the report of a run in the workspace's folder, in place of the one before.

    A disk that does not take it does not undo the run.
    """
    file = root / LAST
    unfinished = file.with_suffix(".new")
    try:
        unfinished.write_text(
            json.dumps({"at": iso(SystemClock().now()), **report.as_json()}), encoding="utf-8"
        )
        unfinished.replace(file)
    except OSError as error:
        _log.warning("the ingest's report could not be kept: %s", error)


def last_report(root: Path) -> dict[str, Any] | None:
    """The last run's report as ``as_json`` gives it, with ``at``; None where none is kept."""
    try:
        kept: dict[str, Any] = json.loads((root / LAST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return kept


@dataclass(frozen=True)
class Progress:
    """A moment of the run; ``pages`` counts pages read, ``ocr_pages`` those recognised of
    ``ocr_total`` known so far."""

    files: int
    files_total: int
    pages: int
    ocr_pages: int
    ocr_total: int


def page_ranges(pages: Sequence[int]) -> str:
    """Page numbers for a sentence: ``"pages 1–3, 7"``, ``"page 4"``."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(a) if a == b else f"{a}–{b}" for a, b in runs]
    shown = ", ".join(parts[:12]) + (", …" if len(parts) > 12 else "")
    return f"{plural_form(len(pages), 'page')} {shown}"


def about(file: str, what: str) -> str:
    """A sentence about a file."""
    return f"{printable(file)} {what}"


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "file": _utf8(entry["file"])}


def _utf8(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
