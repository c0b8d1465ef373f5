"""PDF files for tests, and readers that misbehave on request."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pymupdf
import pytest

from pagetrail.annotation.errors import CorpusError
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


def stamped_pdf(path: Path, text: str, stamp: str, rotation: int = 0) -> Path:
    """A PDF with one page: an image of the text that fills it, and a stamp as its text layer."""
    scan_pdf(path, [text])
    document = pymupdf.open(path)
    document[0].insert_text((30, 20), stamp, fontsize=6)
    document[0].set_rotation(rotation)
    path.write_bytes(document.tobytes(no_new_id=True))
    document.close()
    return path


def notice_pdf(path: Path) -> Path:
    """A dynamic form as Adobe's Designer writes it: one page that asks the reader to wait."""
    document = pymupdf.open()
    notice = (
        "Please wait...\n\nIf this message is not eventually replaced by the proper contents\n"
        "of the document, your PDF viewer may not be able to display this type of document."
    )
    document.new_page().insert_text((40, 60), notice)
    catalog = document.pdf_catalog()
    document.xref_set_key(catalog, "AcroForm", "<</Fields[]/XFA(<xdp/>)>>")
    document.xref_set_key(catalog, "NeedsRendering", "true")
    document.save(path)
    document.close()
    return path


def portfolio_pdf(path: Path) -> Path:
    """A portfolio of one file, with a cover."""
    document = pymupdf.open()
    document.new_page().insert_text((40, 60), "A collection of files")
    document.embfile_add("report.pdf", b"%PDF-1.7")
    document.xref_set_key(document.pdf_catalog(), "Collection", "<</Type/Collection/View/D>>")
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


def unable_to_read(path: Path, on_page: Callable[[int, int], None]) -> PdfText:
    """Reads nothing."""
    raise CorpusError("is unreadable.")


def typeset_pdf(path: Path, text: str) -> Path:
    """A page with these lines, whatever letters they have; returns the path."""
    document = pymupdf.open()
    page = document.new_page(width=300, height=200)
    writer, font = pymupdf.TextWriter(page.rect), pymupdf.Font("helv")
    for number, line in enumerate(text.splitlines()):
        writer.append((20, 40 + 20 * number), line, font=font)
    writer.write_text(page)
    document.save(path)
    document.close()
    return path
