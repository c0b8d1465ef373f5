"""Recognising pages again that were recognised before word boxes were stored (schema 0009).

Pages are stored a few at a time; what a run did not reach, the next one does.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import bindparam, select

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.changes import FROM_OCR, raise_revision
from pagetrail.storage.corpus.local_files import local_pdf
from pagetrail.storage.corpus.overview import pages_without_boxes
from pagetrail.storage.corpus.page_values import RecognisedPage
from pagetrail.storage.corpus.recognised_words import store_words
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import DOCUMENTS, PAGES
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import only_one
from pagetrail.storage.ingest.ocr import PAGE_LIMIT_S
from pagetrail.storage.ingest.ocr_languages import tesseract_problem
from pagetrail.storage.ingest.pool import Failed, IngestPool
from pagetrail.storage.ingest.worker import READER, OcrJob

_AT_ONCE = 16
Key = tuple[str, int]
"""A document's hash and a page of it."""


@dataclass
class WordBoxReport:
    """What a run did, in pages.

    Attributes:
        boxed: that have word boxes now and did not before.
        kept: of these, whose text was read in another way now and stays as it was.
        replaced: of these, whose text is the one that was read now.
        without_words: on which nothing was read; they are tried again next time.
        failed: sentences on pages that could not be read.
        left: pages that an interrupted run did not reach.
    """

    boxed: int = 0
    kept: int = 0
    replaced: int = 0
    without_words: int = 0
    failed: tuple[str, ...] = ()
    left: int = 0
    interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain values for ``json.dumps``."""
        return asdict(self)

    def sentence(self) -> str:
        """The run in a sentence or three."""
        pages = "1 page has" if self.boxed == 1 else f"{self.boxed:,} pages have"
        said = [f"{pages} word boxes now."]
        if self.kept:
            said.append(f"{_pages(self.kept)} would read differently today and kept their text.")
        if self.replaced:
            said.append(
                f"{_pages(self.replaced)} have another text than before: searches are not "
                "comparable with earlier ones."
            )
        if self.without_words:
            said.append(f"On {_pages(self.without_words)} nothing was read.")
        if self.failed:
            said.append(f"{_pages(len(self.failed))} failed.")
        if self.left:
            said.append(f"{_pages(self.left)} are left for the next run.")
        return " ".join(said)


def add_word_boxes(
    workspace: Workspace,
    *,
    document: str | None = None,
    ocr_lang: str = "eng",
    replace_text: bool = False,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> WordBoxReport:
    """Recognise the pages of ``pages_without_boxes`` again and store where their words are.

    Args:
        replace_text: also take over text that is read differently now, which changes searches and
            raises the corpus revision; otherwise every page's text stays, and so does the index.
        workers: processes; by default one per core.
        progress: called with pages done and all pages, in this thread.

    Returns:
        The report; an interrupt (Ctrl-C) ends the run with ``interrupted`` set.

    Raises:
        ConflictError: an ingest is running on this workspace.
        CorpusError: Tesseract or the language is not installed.
        InputFileError: no document has this name.
    """
    if (problem := tesseract_problem(ocr_lang)) is not None:
        raise CorpusError(problem)
    report, count = WordBoxReport(), Counter[str]()
    with only_one(workspace):
        wanted = pages_without_boxes(workspace, document)
        total = sum(map(len, wanted.values()))
        waiting = {sha256: len(pages) for sha256, pages in wanted.items()}
        read: dict[str, dict[int, RecognisedPage]] = {sha256: {} for sha256 in wanted}
        pool: IngestPool[Key] = IngestPool(workers or os.cpu_count() or 1, READER)
        failed: list[str] = []
        done = 0
        try:
            # The pool takes pages from the front: the last one submitted is the first one done.
            for sha256, pages in reversed(wanted.items()):
                path = str(local_pdf(workspace, sha256))
                for page in reversed(pages):
                    pool.submit((sha256, page), OcrJob(path, page, ocr_lang, PAGE_LIMIT_S))
            while (answer := pool.answer()) is not None:
                (sha256, page), found = answer
                if isinstance(found, RecognisedPage):
                    read[sha256][page] = found
                elif isinstance(found, Failed):
                    failed.append(f"Page {page} of {sha256[:12]} {found.reason}")
                waiting[sha256] -= 1
                if not waiting[sha256] or len(read[sha256]) == _AT_ONCE:
                    count += _store(workspace, sha256, read[sha256], replace_text)
                    read[sha256] = {}
                done += 1
                if progress is not None:
                    progress(done, total)
        except KeyboardInterrupt:
            report.interrupted = True
        finally:
            pool.close()
        report.left = sum(waiting.values()) + sum(map(len, read.values()))
    report.boxed, report.kept = count["boxed"], count["kept"]
    report.replaced, report.without_words = count["replaced"], count["without_words"]
    report.failed = tuple(sorted(failed))
    return report


def _store(
    workspace: Workspace, sha256: str, read: Mapping[int, RecognisedPage], replace_text: bool
) -> Counter[str]:
    """Store a document's word boxes, and where asked for the texts that differ."""
    with write_transaction(workspace.engine) as connection:
        document_id = connection.execute(
            select(DOCUMENTS.c.id).where(DOCUMENTS.c.sha256 == sha256)
        ).scalar_one()
        rows = connection.execute(
            select(PAGES.c.id, PAGES.c.number, PAGES.c.text).where(
                PAGES.c.document_id == document_id,
                PAGES.c.number.in_(list(read)),
                PAGES.c.text_source == FROM_OCR,  # a text file may have come meanwhile
            )
        ).all()
        boxed = {row.number: read[row.number] for row in rows if read[row.number].words}
        differ = [row for row in rows if row.number in boxed and row.text != boxed[row.number].text]
        store_words(connection, document_id, boxed)
        if replace_text and differ:
            connection.execute(
                PAGES.update()
                .where(PAGES.c.id == bindparam("page_id"))
                .values(text=bindparam("new_text")),
                [{"page_id": row.id, "new_text": boxed[row.number].text} for row in differ],
            )
            raise_revision(connection)
    return Counter(
        {
            "boxed": len(boxed),
            "replaced" if replace_text else "kept": len(differ),
            "without_words": len(rows) - len(boxed),
        }
    )


def _pages(number: int) -> str:
    return "1 page" if number == 1 else f"{number:,} pages"
