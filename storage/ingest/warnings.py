"""Warnings about problems in an ingested file."""

from __future__ import annotations

from pagetrail.storage.corpus.page_values import PdfText
from pagetrail.storage.ingest.report import page_ranges


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
    if pdf.replaced_characters:
        notes.append(replaced_characters(pdf.replaced_characters))
    return notes


def replaced_characters(count: int) -> str:
    """Warning about characters that ``clean_text`` replaced."""
    return (
        f"{count} character{'s' if count > 1 else ''} that cannot be stored (NUL or half of a "
        "surrogate pair) replaced by U+FFFD."
    )
