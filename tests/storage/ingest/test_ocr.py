"""Text recognition: only where asked for, and never at the cost of a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.recognised_words import recognised_words
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.ocr import recognise_page
from pagetrail.storage.ingest.ocr_languages import ocr_languages, tesseract_problem
from tests.storage.pdfs import make_pdf, scan_pdf

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="Tesseract is not installed"
)


@pytest.fixture(autouse=True)
def _ask_again() -> Iterator[None]:
    """Each test looks for Tesseract itself."""
    tesseract_problem.cache_clear()
    ocr_languages.cache_clear()
    yield
    tesseract_problem.cache_clear()
    ocr_languages.cache_clear()


def _without_tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def _fake_tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


@needs_tesseract
def test_auto_reads_only_pages_without_text(workspace: Workspace, tmp_path: Path) -> None:
    """A scanned page gets the words on it; a page with a text layer keeps that."""
    paths = [
        scan_pdf(tmp_path / "scan.pdf", ["Harbour dues 1907", ""]),
        make_pdf(tmp_path / "text.pdf", ["typed"]),
    ]
    report = ingest(workspace, paths)
    assert [entry.ocr_pages for entry in report.ingested] == [2, 0]
    corpus = Corpus(workspace)
    assert corpus.page_text("scan.pdf", 1) == "Harbour dues 1907"
    assert corpus.page_text("scan.pdf", 2) == ""
    info = corpus.document("scan.pdf")
    assert info is not None
    words = recognised_words(workspace, info.sha256, 1)
    assert [word.text for word in words] == ["Harbour", "dues", "1907"]
    assert all(0 < w.x0 < w.x1 < info.pages[0].width for w in words)
    assert all(0 < w.y0 < w.y1 < info.pages[0].height for w in words)
    images = PageImages(workspace, corpus)
    try:
        assert images.words(info.sha256, 1) == words
        assert images.words(info.sha256, 2) == []
    finally:
        images.workers.pool.close()
    assert corpus.page_text("text.pdf", 1) == "typed\n"
    assert report.ingested[0].notes == ("No text on page 2 of 2.",)


@needs_tesseract
def test_always_reads_all_pages(workspace: Workspace, tmp_path: Path) -> None:
    """With ``always`` a text layer gives way to what is seen."""
    report = ingest(workspace, [make_pdf(tmp_path / "text.pdf", ["typed words"])], ocr="always")
    assert report.ingested[0].ocr_pages == 1
    assert Corpus(workspace).page_text("text.pdf", 1) == "typed words"


@needs_tesseract
def test_pages_left_without_text_are_read_in_a_later_run(
    workspace: Workspace, tmp_path: Path
) -> None:
    """The same command with OCR fills what the first run could not, and then nothing more."""
    path = scan_pdf(tmp_path / "scan.pdf", ["Harbour dues"])
    first = ingest(workspace, [path], ocr="never")
    assert first.ingested[0].notes == ("No text on page 1 of 1.",)
    second = ingest(workspace, [path])
    assert "Text of page 1, which had none, was recognised now" in second.duplicates[0].reason
    assert Corpus(workspace).page_text("scan.pdf", 1) == "Harbour dues"
    third = ingest(workspace, [path])
    assert third.duplicates[0].reason == "is in the workspace already."
    assert Corpus(workspace).revision == 2


def test_pages_with_a_given_text_are_not_read(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a text file has the page, nobody looks for Tesseract."""
    _without_tesseract(tmp_path, monkeypatch)
    texts = tmp_path / "t.jsonl"
    texts.write_text('{"file": "scan.pdf", "page_number": 1, "text": "given"}')
    report = ingest(workspace, [scan_pdf(tmp_path / "scan.pdf", ["seen"])], text_jsonl=texts)
    assert report.notes == [] and report.ingested[0].notes == ()
    assert Corpus(workspace).page_text("scan.pdf", 1) == "given"


def test_without_tesseract_pages_are_registered_and_reported(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document comes in; the report names the pages and the way to install Tesseract."""
    _without_tesseract(tmp_path, monkeypatch)
    report = ingest(workspace, [scan_pdf(tmp_path / "scan.pdf", ["one", "two"])])
    assert report.ingested[0].pages == 2
    assert report.ingested[0].notes == ("No text on pages 1–2 of 2.",)
    assert "Tesseract is not installed. Install it" in report.notes[0]


@needs_tesseract
def test_a_missing_language_says_which_are_there(workspace: Workspace, tmp_path: Path) -> None:
    """A mistyped language is told once, with the installed ones."""
    paths = [scan_pdf(tmp_path / f"{n}.pdf", [f"scan {n}"]) for n in range(3)]
    report = ingest(workspace, paths, ocr_lang="eng+xyz")
    assert len(report.notes) == 1
    assert "no language 'xyz'. Installed: " in report.notes[0] and "eng" in report.notes[0]
    assert len(report.ingested) == 3


def test_a_page_that_tesseract_fails_on_is_told(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its failure costs the page's text, not the document."""
    _fake_tesseract(
        tmp_path,
        monkeypatch,
        'if [ "$1" = --list-langs ]; then printf "List:\\neng\\n"; else '
        "cat >/dev/null; echo 'image too odd' >&2; exit 1; fi",
    )
    report = ingest(workspace, [scan_pdf(tmp_path / "scan.pdf", ["one"])])
    assert report.ingested[0].notes == (
        "Page 1 made Tesseract fail (image too odd).",
        "No text on page 1 of 1.",
    )


def test_a_page_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recognition has a time limit for each page."""
    _fake_tesseract(tmp_path, monkeypatch, "exec tail -f /dev/null")
    with pytest.raises(CorpusError, match=r"took Tesseract more than 0 s"):
        recognise_page(scan_pdf(tmp_path / "scan.pdf", ["one"]), 1, "eng", limit_s=0.2)
