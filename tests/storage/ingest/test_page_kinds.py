"""Pages whose text layer is not what they show: told apart, reported, and recognised."""

from __future__ import annotations

import shutil
from pathlib import Path

import pymupdf
import pytest
from sqlalchemy import select, update

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.overview import UnreadablePages, collection_state
from pagetrail.storage.corpus.page_values import BLANK, COVER, DOCUMENT_WARNINGS, NOTICE, PARTIAL
from pagetrail.storage.corpus.pdf import read_pdf
from pagetrail.storage.corpus.recognised_words import recognised_words
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document, Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.storage.pdfs import (
    CORPORA,
    make_pdf,
    needs_corpora,
    notice_pdf,
    portfolio_pdf,
    scan_pdf,
    stamped_pdf,
)

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)


def _kinds(path: Path) -> list[str]:
    return [page.kind for page in read_pdf(path).pages]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_scan_with_a_stamp_is_partial(tmp_path: Path, rotation: int) -> None:
    """However the page is turned."""
    path = stamped_pdf(tmp_path / "scan.pdf", "Harbour dues", "Page 1 of 20", rotation)
    assert _kinds(path) == [PARTIAL]


def test_a_scan_in_strips_is_partial(tmp_path: Path) -> None:
    """Together the strips fill the page."""
    document = pymupdf.open()
    page = document.new_page(width=300, height=200)
    strip = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 300, 20))
    for top in range(0, 200, 20):
        page.insert_image((0, top, 300, top + 20), pixmap=strip)
    page.insert_text((140, 190), "17", fontsize=8)
    document.save(tmp_path / "strips.pdf")
    assert _kinds(tmp_path / "strips.pdf") == [PARTIAL]


def test_other_pages_with_images_are_ordinary(tmp_path: Path) -> None:
    """A chart, charts that overlap, a title on a photograph, recognised text under a scan."""
    document = pymupdf.open()
    image = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 30, 20))
    chart = document.new_page(width=300, height=200)
    chart.insert_image((20, 20, 280, 160), pixmap=image, keep_proportion=False)
    chart.insert_text((20, 180), "Chart 1", fontsize=8)
    overlapping = document.new_page(width=300, height=200)
    for left in (20, 30, 40):
        overlapping.insert_image((left, 20, left + 200, 140), pixmap=image, keep_proportion=False)
    overlapping.insert_text((20, 180), "Chart 2", fontsize=8)
    title = document.new_page(width=300, height=200)
    title.insert_image(title.rect, pixmap=image, keep_proportion=False)
    title.insert_text((30, 90), "Annual report", fontsize=30)
    recognised = document.new_page(width=300, height=200)
    recognised.insert_image(recognised.rect, pixmap=image, keep_proportion=False)
    recognised.insert_text((30, 90), "Plate VII", fontsize=8, render_mode=3)
    document.save(tmp_path / "charts.pdf")
    assert _kinds(tmp_path / "charts.pdf") == ["", "", "", ""]


def test_forms_portfolios_and_blank_pages_are_told_apart(tmp_path: Path) -> None:
    """A form whose pages are there (static XFA) is an ordinary document."""
    assert _kinds(notice_pdf(tmp_path / "form.pdf")) == [NOTICE]
    assert _kinds(portfolio_pdf(tmp_path / "portfolio.pdf")) == [COVER]
    assert _kinds(make_pdf(tmp_path / "blank.pdf", ["", "words"])) == [BLANK, ""]
    static = pymupdf.open(make_pdf(tmp_path / "static.pdf", ["Name of the applicant"]))
    static.xref_set_key(static.pdf_catalog(), "AcroForm", "<</Fields[]/XFA(<xdp/>)>>")
    static.save(tmp_path / "with-xfa.pdf")
    assert _kinds(tmp_path / "with-xfa.pdf") == [""]


def test_documents_that_show_nothing_are_named_with_what_to_do(
    workspace: Workspace, tmp_path: Path
) -> None:
    """In the report of each ingest, also of one that finds them there, and in the collection."""
    paths = [
        notice_pdf(tmp_path / "form.pdf"),
        portfolio_pdf(tmp_path / "portfolio.pdf"),
        make_pdf(tmp_path / "white.pdf", ["", ""]),
        make_pdf(tmp_path / "words.pdf", ["words", ""]),
    ]
    first = ingest(workspace, paths, workers=1)
    expected = [DOCUMENT_WARNINGS[kind] for kind in (NOTICE, COVER, BLANK)]
    assert [new.notes[0] for new in first.ingested[:3]] == expected
    again = ingest(workspace, paths, workers=1)
    for duplicate, warning in zip(again.duplicates, expected, strict=False):
        assert duplicate.reason == f"is in the workspace already. {warning}"
    assert again.duplicates[3].reason == "is in the workspace already."
    assert collection_state(workspace).unreadable_documents == (
        UnreadablePages("form.pdf", 1, 0, 0, 0, NOTICE),
        UnreadablePages("portfolio.pdf", 1, 0, 0, 0, COVER),
        UnreadablePages("white.pdf", 2, 2, 0, 0, BLANK),
        UnreadablePages("words.pdf", 2, 1, 0, 0, ""),
    )


def _extractor(workspace: Workspace) -> str:
    with workspace.engine.connect() as connection:
        return str(connection.execute(select(Document.extractor)).scalar_one())


@needs_tesseract
def test_the_text_of_a_stamped_scan_is_recognised(workspace: Workspace, tmp_path: Path) -> None:
    """The stamp's words come once, also those that are not read as they are written."""
    path = stamped_pdf(tmp_path / "scan.pdf", "Harbour dues 1907", "No. 7/lIl1O")
    report = ingest(workspace, [path], workers=1)
    note = "Scanned, with only a stamp or page number as text: page 1 of 1; recognised."
    assert report.ingested[0].ocr_pages == 1 and note in report.ingested[0].notes
    text = Corpus(workspace).page_text("scan.pdf", 1) or ""
    assert "Harbour dues 1907" in text
    assert text.count("7/lIl1O") == 1
    words = recognised_words(workspace, report.ingested[0].sha256, 1)
    assert [word.text for word in words] == text.split()
    assert "tesseract" in _extractor(workspace)
    assert collection_state(workspace).unreadable_documents == ()


@needs_tesseract
def test_a_stamped_scan_that_an_earlier_version_ingested_is_recognised(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Once without OCR it is found and reported, then with OCR recognised, and then left alone."""
    path = stamped_pdf(tmp_path / "scan.pdf", "Harbour dues 1907", "Page 1")
    ingest(workspace, [path], ocr="never", workers=1)
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Document).values(extractor="pymupdf 1.24.0"))
        connection.execute(update(Page).values(text_source="pdf"))
    found = ingest(workspace, [path], ocr="never", workers=1)
    assert found.duplicates[0].reason == (
        "is in the workspace already. Scanned, with only a stamp or page number as text: "
        "page 1 of 1. Ingest the file again with OCR."
    )
    assert collection_state(workspace).unreadable_documents == (
        UnreadablePages("scan.pdf", 1, 0, 0, partial=1),
    )
    revision = Corpus(workspace).revision
    read = ingest(workspace, [path], workers=1)
    assert read.duplicates[0].reason.endswith("text: page 1 of 1; recognised.")
    assert "Harbour dues 1907" in (Corpus(workspace).page_text("scan.pdf", 1) or "")
    assert Corpus(workspace).revision == revision + 1, "the index is built again"
    extractor = _extractor(workspace)
    assert extractor.startswith("pymupdf 1.24.0, ") and "tesseract" in extractor
    third = ingest(workspace, [path], workers=1)
    assert third.duplicates[0].reason == "is in the workspace already."


def test_a_known_document_that_cannot_be_read_again_stays(
    workspace: Workspace, tmp_path: Path
) -> None:
    """It is no failure: the document is there."""
    path = scan_pdf(tmp_path / "scan.pdf", [""])
    ingest(workspace, [path], ocr="never", workers=1)
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Document).values(extractor="pymupdf 1.24.0"))
    report = ingest(
        workspace, [path], ocr="never", workers=1, reader="tests.storage.pdfs:unable_to_read"
    )
    assert report.failed == []
    assert report.duplicates[0].reason == (
        "is in the workspace already. Its pages were not read again: the file is unreadable."
    )


@needs_corpora
def test_real_documents() -> None:
    """A scanned court filing has 14 such pages; a brochure with photographs has none."""
    library = CORPORA / "library" / "pdfs"
    filing = _kinds(library / "3276a5b991c49cf5f9a4af0f7d6fce67.pdf")
    assert [number for number, kind in enumerate(filing, start=1) if kind != PARTIAL] == [13, 14]
    brochure = _kinds(library / "NUS-Business-School-BBA-Brochure-2024.pdf")
    assert set(brochure) == {""}
