"""PDF files for tests, and readers that misbehave on request."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest

from pagetrail.storage.corpus.page_values import PdfText
from pagetrail.storage.corpus.pdf import read_pdf

CORPORA = Path(__file__).resolve().parents[2].parent / "shared" / "corpora"
needs_corpora = pytest.mark.skipif(
    not CORPORA.is_dir(), reason="the shared corpora are not beside this repository"
)


def make_pdf(path: Path, texts: Sequence[str], marker: str = "") -> Path:
    """A PDF with one page per text; ``marker`` goes into a comment after its end."""
    document = pymupdf.open()
    for text in texts:
        page = document.new_page(width=300, height=200)
        if text:
            page.insert_text((40, 60), text, fontsize=14)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(document.tobytes(no_new_id=True) + f"\n%{marker}\n".encode())
    document.close()
    return path


def scan_pdf(path: Path, texts: Sequence[str]) -> Path:
    """A PDF whose pages are images of the texts, without a text layer."""
    document = pymupdf.open()
    for text in texts:
        text_document = pymupdf.open()
        text_document.new_page(width=300, height=200).insert_text((30, 80), text, fontsize=20)
        picture = text_document[0].get_pixmap(dpi=200)
        page = document.new_page(width=300, height=200)
        page.insert_image(page.rect, pixmap=picture)
    document.save(path)
    document.close()
    return path


def misbehaving(path: Path, on_page: Callable[[int, int], None]) -> PdfText:
    """Reads like ``read_pdf``, but does what the file's marker says."""
    marker = path.read_bytes()[-40:].decode("latin-1")
    if "KILLED" in marker:
        os.kill(os.getpid(), signal.SIGKILL)
    if "CRASH" in marker:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "MEMORY" in marker:
        bytearray(64 << 30)
    if "BUG" in marker:
        raise KeyError("a defect of the reader")
    if "HANG" in marker:
        on_page(0, 1)
        while True:
            signal.pause()
    return read_pdf(path, on_page)


MISBEHAVING = f"{__name__}:misbehaving"
