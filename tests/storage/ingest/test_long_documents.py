"""Long documents are read by several workers, and come out as if one had read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_values import (
    UNREADABLE_PAGE,
    UNREADABLE_RUN,
    FirstPages,
    PageText,
    PdfText,
    joined_pages,
)
from pagetrail.storage.corpus.pdf import read_pages, read_pdf, read_start
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.pending_document import LongDocument
from pagetrail.storage.ingest.pool import Job
from pagetrail.storage.ingest.worker import PAGES_PER_PART, PartJob, run_job
from tests.storage.pdfs import make_pdf

LONG = 2 * PAGES_PER_PART + 7


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF of more than two parts."""
    path = tmp_path_factory.mktemp("long") / "long.pdf"
    return make_pdf(path, [f"page {number}" for number in range(1, LONG + 1)])


def failing_on_parts(job: Job, reader: str) -> object:
    """What workers do in the test of a part that cannot be read."""
    if isinstance(job, PartJob):
        raise CorpusError("has a part that cannot be read.")
    return run_job(job, reader)


def in_parts(path: Path, pages: int, *, backwards: bool) -> PdfText:
    """The document as workers read it that finish in order, or the other way round."""
    start = read_start(path, pages=pages)
    assert isinstance(start, FirstPages)
    document = LongDocument(start)
    jobs = document.jobs(path, 60)
    parts = [
        document.add(read_pages(path, job.first, job.end))
        for job in (reversed(jobs) if backwards else jobs)
    ]
    *before, last = parts
    assert before == [None] * (len(jobs) - 1)
    assert last is not None
    return last


@pytest.mark.parametrize("backwards", [False, True])
def test_parts_make_the_whole(long_pdf: Path, backwards: bool) -> None:
    """Text, sizes and counts are those that one reader finds, whichever part comes last."""
    assert in_parts(long_pdf, PAGES_PER_PART, backwards=backwards) == read_pdf(long_pdf)


def test_a_long_document_is_ingested_whole(tmp_path: Path, long_pdf: Path) -> None:
    """Beside short ones, on two workers; a part is not a document of its own."""
    workspace = Workspace.create(tmp_path / "ws")
    short = make_pdf(tmp_path / "short.pdf", ["short"])
    page_counts: list[int] = []
    report = ingest(
        workspace,
        [long_pdf, short],
        ocr="never",
        workers=2,
        progress=lambda progress: page_counts.append(progress.pages),
    )
    assert [(entry.document, entry.pages) for entry in report.ingested] == [
        ("long.pdf", LONG),
        ("short.pdf", 1),
    ]
    corpus = Corpus(workspace)
    assert [corpus.page_text("long.pdf", n).strip() for n in (1, 64, 65, LONG)] == [
        "page 1",
        "page 64",
        "page 65",
        f"page {LONG}",
    ]
    assert page_counts == sorted(page_counts) and page_counts[-1] == LONG + 1


def test_pages_that_do_not_exist_are_dropped(tmp_path: Path, long_pdf: Path) -> None:
    """A file that claims more pages than it has ends with the last readable one."""
    count, claim = b"/Count %d" % LONG, b"/Count %d" % (LONG + 50)
    path = tmp_path / "liar.pdf"
    content = long_pdf.read_bytes()
    assert len(count) == len(claim) and count in content
    path.write_bytes(content.replace(count, claim))
    assert in_parts(path, PAGES_PER_PART, backwards=True) == read_pdf(path)
    assert len(read_pdf(path).pages) == LONG


def test_damaged_short_and_endless_files_are_not_split(
    tmp_path: Path, long_pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each worker would repair a damaged one; a page count beyond belief makes no jobs."""
    damaged = tmp_path / "damaged.pdf"
    damaged.write_bytes(long_pdf.read_bytes().replace(b"startxref", b"startxxxx"))
    start = read_start(damaged, pages=PAGES_PER_PART)
    assert isinstance(start, PdfText) and start.repaired and len(start.pages) == LONG
    assert isinstance(read_start(long_pdf, pages=LONG), PdfText)
    monkeypatch.setattr("pagetrail.storage.corpus.pdf.MAX_SPLIT_PAGES", LONG - 1)
    assert isinstance(read_start(long_pdf, pages=PAGES_PER_PART), PdfText)


def test_a_part_that_fails_fails_the_document(
    tmp_path: Path, long_pdf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the report once, nothing of it is stored, and the next file comes in."""
    monkeypatch.setattr("pagetrail.storage.ingest.pool.run_job", failing_on_parts)
    workspace = Workspace.create(tmp_path / "ws")
    short = make_pdf(tmp_path / "short.pdf", ["short"])
    report = ingest(workspace, [long_pdf, short], ocr="never", workers=2)
    assert [entry.document for entry in report.ingested] == ["short.pdf"]
    assert [Path(entry.file).name for entry in report.failed] == ["long.pdf"]
    assert Corpus(workspace).names() == ("short.pdf",)
    stored = Corpus(workspace).path(report.ingested[0].sha256)
    assert list(workspace.corpus_dir.rglob("*.pdf")) == [stored]


def test_joined_pages_end_before_a_long_run_of_unreadable_ones() -> None:
    """A gap keeps its place and takes the size of the page before; a thousand end the document."""
    page = PageText(300, 200, 0, 0, 0, "text", readable=True)
    gap = joined_pages([page, UNREADABLE_PAGE, page], 3)
    assert gap == (page, page._replace(text="", readable=False), page)
    endless = [page, *[UNREADABLE_PAGE] * UNREADABLE_RUN, page]
    assert joined_pages(endless, len(endless)) == (page,)
