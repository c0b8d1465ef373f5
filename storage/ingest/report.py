"""Report of an ingest run, file by file."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.sentences import count_noun, plural_form
from pagetrail.storage.corpus.page_values import DOCUMENT_WARNINGS, PdfText, document_warning
from pagetrail.storage.database.storable_text import printable

REPORT_NAME = "last-ingest.json"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ingested:
    """A file that is a new document of the workspace.

    Attributes:
        file: the path as given or found.
        document: the name it has in the workspace.
        ocr_pages: pages whose text was recognised.
        notes: warnings as sentences.
    """

    file: str
    document: str
    sha256: str
    pages: int
    ocr_pages: int = 0
    notes: tuple[str, ...] = ()
    divided_words: int = 0


@dataclass(frozen=True)
class Duplicate:
    """A file whose content is in the workspace already, as ``document``."""

    file: str
    document: str
    sha256: str
    reason: str


@dataclass(frozen=True)
class FailedFile:
    """A file that was not registered.

    Attributes:
        reason: why, as a sentence that begins with the file.
        problem: the same without the file.
    """

    file: str
    reason: str
    problem: str

    @classmethod
    def from_problem(cls, file: str, problem: str) -> FailedFile:
        """A file with its problem, which continues its name."""
        return cls(file, file_sentence(file, problem), problem)


@dataclass
class IngestReport:
    """Every input file is in exactly one of the first four lists.

    Attributes:
        pending: files not reached because the run was interrupted.
        notes: warnings about pages without text and about the text file.
        ignored: number of files in the given folders that are not PDFs by name.
        text_pages: number of pages with text from the given text file.
        divided_words: words of the texts read in this run, as ``count_divided_words`` finds them.
        joined_words: those of documents that were there, if their texts were normalised now.
        is_normalised: whether the workspace's texts have these words whole.
    """

    ingested: list[Ingested] = field(default_factory=list)
    duplicates: list[Duplicate] = field(default_factory=list)
    failed: list[FailedFile] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ignored: int = 0
    text_pages: int = 0
    divided_words: int = 0
    joined_words: int = 0
    is_normalised: bool = False
    interrupted: bool = False

    @property
    def documents(self) -> list[str]:
        """Names of the documents that the files are in the workspace, each once."""
        new = [ingested.document for ingested in self.ingested]
        known = [duplicate.document for duplicate in self.duplicates]
        return list(dict.fromkeys(new + known))

    def note_divided_words(self) -> None:
        """Add a note on them: that they were joined, or how to have them joined."""
        kinds = "ligatures, soft hyphens or hyphens at line ends"
        if self.joined_words:
            words = count_noun(self.joined_words, "word")
            self.notes.append(f"Joined {words} with {kinds} in documents ingested before.")
        if not self.divided_words:
            return
        words = count_noun(self.divided_words, "word")
        self.notes.append(
            f"Joined {words} with {kinds}."
            if self.is_normalised
            else f"{words} with {kinds}: searches do not find these. Ingest with --normalise-text, "
            "or tick “Join divided words”, to join them in all texts, for people and agents."
        )

    def sort(self) -> None:
        """Order by path: workers finish in any order."""
        self.ingested.sort(key=lambda entry: entry.file)
        self.duplicates.sort(key=lambda entry: entry.file)
        self.failed.sort(key=lambda entry: entry.file)
        self.pending.sort()

    def as_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``; paths are escaped where they are not UTF-8."""
        return {
            "ingested": [_entry_json(entry.__dict__) for entry in self.ingested],
            "duplicates": [_entry_json(entry.__dict__) for entry in self.duplicates],
            "failed": [_entry_json(entry.__dict__) for entry in self.failed],
            "pending": [_utf8(file) for file in self.pending],
            "notes": list(self.notes),
            "ignored": self.ignored,
            "text_pages": self.text_pages,
            "divided_words": self.divided_words,
            "joined_words": self.joined_words,
            "is_normalised": self.is_normalised,
            "interrupted": self.interrupted,
        }


def store_report(root: Path, report: IngestReport) -> None:
    """Store the report of a run in the workspace's folder, replacing the previous one.

    A failure to write is only logged.
    """
    file = root / REPORT_NAME
    unfinished = file.with_suffix(".new")
    try:
        unfinished.write_text(
            json.dumps({"at": iso(SystemClock().now()), **report.as_json()}), encoding="utf-8"
        )
        unfinished.replace(file)
    except OSError as error:
        _log.warning("the ingest's report could not be kept: %s", error)


def last_report(root: Path) -> dict[str, Any] | None:
    """The last run's report from ``as_json``, with ``at``, or None."""
    try:
        report: dict[str, Any] = json.loads((root / REPORT_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return report


@dataclass(frozen=True)
class Progress:
    """Progress of the run; ``ocr_pages`` of ``ocr_total`` known pages have been recognised."""

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
    ranges = ", ".join(parts[:12]) + (", …" if len(parts) > 12 else "")
    return f"{plural_form(len(pages), 'page')} {ranges}"


def file_sentence(file: str, problem: str) -> str:
    """A sentence about a problem with a file."""
    return f"{printable(file)} {problem}"


def _entry_json(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, "file": _utf8(entry["file"])}


def _utf8(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def pdf_warnings(pdf: PdfText) -> list[str]:
    """Warnings about problems in a PDF."""
    notes = []
    if pdf.repaired:
        notes.append("The file is damaged; what could be rebuilt was read. Check its pages.")
    unreadable = [number for number, page in enumerate(pdf.pages, start=1) if not page.readable]
    if unreadable:
        notes.append(f"Not readable: {page_ranges(unreadable)}.")
    if len(pdf.pages) < pdf.claimed_pages:
        notes.append(
            f"The file claims {pdf.claimed_pages} pages; only the first {len(pdf.pages)} exist."
        )
    warning = document_warning({page.kind for page in pdf.pages})
    if warning:
        notes.append(DOCUMENT_WARNINGS[warning])
    if pdf.replaced_characters:
        notes.append(replaced_characters(pdf.replaced_characters))
    return notes


def stamp_notes(partial: Sequence[int], recognised: Collection[int], count: int) -> list[str]:
    """Notes on scanned pages that have a stamp or page number as their only text.

    Args:
        partial: their numbers.
        recognised: numbers of pages whose text was recognised.
        count: pages of the document.
    """
    scans = "Scanned, with only a stamp or page number as text"
    read = [page for page in partial if page in recognised]
    unread = [page for page in partial if page not in recognised]
    notes = [f"{scans}: {page_ranges(read)} of {count}; recognised."] if read else []
    if unread:
        again = "Ingest the file again with OCR."
        notes.append(f"{scans}: {page_ranges(unread)} of {count}. {again}")
    return notes


def replaced_characters(count: int) -> str:
    """Warning about characters that ``clean_text`` replaced."""
    return (
        f"{count} character{'s' if count > 1 else ''} that cannot be stored (NUL or half of a "
        "surrogate pair) replaced by U+FFFD."
    )
