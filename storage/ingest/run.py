"""One run of ``ingest``: the progress and outcome of each file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from pathlib import Path

from sqlalchemy import select

from pagetrail.annotation.errors import PagetrailError, StorageError, WorkspaceError
from pagetrail.storage.corpus.changes import (
    NewDocument,
    apply_text,
    fill_pages,
    pages_without_text,
    register,
)
from pagetrail.storage.corpus.local_files import local_pdf, pdf_path
from pagetrail.storage.corpus.page_values import FirstPages, PagesFrom, PdfText, RecognisedPage
from pagetrail.storage.database.storable_text import storable_name
from pagetrail.storage.database.tables import DOCUMENTS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.flight import Flight
from pagetrail.storage.ingest.input_files import find_pdfs, size_and_hash
from pagetrail.storage.ingest.known_documents import KnownDocuments
from pagetrail.storage.ingest.long_documents import LongDocument
from pagetrail.storage.ingest.ocr import PAGE_LIMIT_S, OcrMode
from pagetrail.storage.ingest.ocr_languages import tesseract_problem
from pagetrail.storage.ingest.pool import Answer, Failed, IngestPool
from pagetrail.storage.ingest.remarks import pdf_remarks, replaced_characters
from pagetrail.storage.ingest.report import (
    Duplicate,
    FailedFile,
    Ingested,
    IngestReport,
    Progress,
    about,
    page_ranges,
)
from pagetrail.storage.ingest.text_jsonl import TextFile
from pagetrail.storage.ingest.worker import Copied, OcrJob, PagesRead, ReadJob

Key = tuple[Flight, int]
"""A document and the page being recognised, or 0 while it is read."""


class IngestRun:
    """Drives the worker pool and keeps the report; used once."""

    def __init__(
        self,
        workspace: Workspace,
        incoming: Path,
        pool: IngestPool[Key],
        ocr: OcrMode,
        lang: str,
        texts: TextFile | None,
        timeout_s: float,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.report = IngestReport()
        self._workspace = workspace
        self._incoming = incoming
        self._pool = pool
        self._ocr = ocr
        self._lang = lang
        self._texts = texts
        self._timeout_s = timeout_s
        self._progress = progress
        self._files: list[Path] = []
        self._to_do: deque[Path] = deque()
        self._later: list[Path] = []
        self._flights: list[Flight] = []
        self._started = self._pages = self._ocr_pages = self._ocr_total = 0
        self._documents = KnownDocuments(workspace)

    def read(self, paths: Sequence[Path]) -> None:
        """Take in all files; returns when each has its place in the report."""
        found = find_pdfs(paths)
        self.report.failed += found.failed
        self.report.ignored = found.ignored
        self._files, self._sizes = found.files, found.sizes
        self._to_do.extend(self._files)
        while self._to_do or self._later or self._flights:
            while self._to_do and self._pool.takes_documents:
                self._begin(self._to_do.popleft())
            answer = self._pool.answer()
            if answer is not None:
                self._take_answer(*answer)
            if not self._to_do and not self._flights:
                self._to_do.extend(self._later)
                self._later.clear()
            self._tell()

    def apply_texts(self, texts: TextFile) -> None:
        """Replace page texts by those of the text file."""
        with self._workspace.engine.connect() as connection:
            rows = connection.execute(select(DOCUMENTS.c.name, DOCUMENTS.c.n_pages)).all()
        usable = texts.usable({row.name: row.n_pages for row in rows})
        apply_text(self._workspace, usable)
        self.report.text_pages = len(usable)
        self.report.notes += texts.problems
        if texts.replaced_characters:
            self.report.notes.append(
                f"{texts.name}: {replaced_characters(texts.replaced_characters)}"
            )

    def interrupt(self) -> None:
        """Account for the files that were not finished, whatever was being done with them."""
        found = self.report
        found.interrupted = True
        ended = {i.file for i in found.ingested} | {f.file for f in found.failed}
        ended |= {d.file for d in found.duplicates}
        found.pending = [file for file in map(str, self._files) if file not in ended]

    def _begin(self, path: Path) -> None:
        file, name = str(path), storable_name(path)
        try:
            # Whose size or name says that it is new is hashed by the worker that copies it.
            size, sha256 = size_and_hash(
                path, lambda size: self._sizes[size] != 1 or self._documents.resemble(name, size)
            )
        except OSError as error:
            self._fail(file, f"cannot be read: {error.strerror}.")
            return
        if any(f.name == name or (f.sha256 and f.sha256 == sha256) for f in self._flights):
            self._later.append(path)  # whether it may come in depends on how the other one ends
            return
        self._started += 1
        flight = Flight(file, name, sha256, self._incoming / f"{self._started}.pdf")
        if self._documents.name(sha256) is not None:
            self._again(flight)
        elif (problem := self._documents.name_problem(name, sha256)) is not None:
            self._fail(file, problem)
        else:
            self._flights.append(flight)
            job = ReadJob(file, str(flight.path), size, sha256, self._timeout_s)
            self._pool.submit((flight, 0), job)

    def _again(self, flight: Flight) -> None:
        """A file that is registered already; its pages without text may be recognised now."""
        never = self._ocr == "never"
        pages = [] if never else pages_without_text(self._workspace, flight.sha256)
        try:
            if pages:
                flight.path = local_pdf(self._workspace, flight.sha256)
        except PagetrailError as error:
            self._fail(flight.file, f"cannot be read from the workspace: {error.message}")
            return
        self._flights.append(flight)
        self._recognise(flight, pages)

    def _take_answer(self, key: Key, answer: Answer) -> None:
        flight, page = key
        if flight not in self._flights:
            return  # another part of the document has failed
        if isinstance(answer, Copied):
            flight.sha256 = answer.sha256
        elif isinstance(answer, PagesRead):
            self._count(flight, answer.done)
        elif isinstance(answer, FirstPages):
            self._count(flight, len(answer.pages))
            flight.long = LongDocument(answer)
            for job in reversed(flight.long.jobs(flight.path, self._timeout_s)):
                self._pool.submit((flight, 0), job)
        elif isinstance(answer, PagesFrom):
            self._part_was_read(flight, answer)
        elif isinstance(answer, PdfText):
            self._was_read(flight, answer)
        elif page:
            self._was_recognised(flight, page, answer)
        elif isinstance(answer, Failed):
            self._was_not_read(flight, answer.reason)

    def _count(self, flight: Flight, pages_read: int) -> None:
        self._pages += pages_read - flight.pages_read
        flight.pages_read = pages_read

    def _was_not_read(self, flight: Flight, reason: str) -> None:
        self._flights.remove(flight)
        flight.path.unlink(missing_ok=True)
        self._fail(flight.file, reason)

    def _part_was_read(self, flight: Flight, part: PagesFrom) -> None:
        self._count(flight, flight.pages_read + len(part.pages))
        pdf = flight.long.add(part) if flight.long is not None else None
        if pdf is not None:
            self._was_read(flight, pdf)

    def _was_read(self, flight: Flight, pdf: PdfText) -> None:
        self._count(flight, len(pdf.pages))
        flight.pdf = pdf
        flight.notes += pdf_remarks(pdf)
        self._recognise(
            flight,
            [
                number
                for number, page in enumerate(pdf.pages, start=1)
                if page.readable
                and (self._ocr == "always" or (self._ocr == "auto" and not page.text.strip()))
            ],
        )

    def _recognise(self, flight: Flight, pages: Sequence[int]) -> None:
        given = self._given(flight)
        pages = [page for page in pages if page not in given]
        problem = tesseract_problem(self._lang) if pages else None
        if problem is not None:
            if problem not in self.report.notes:
                self.report.notes.append(problem)
            pages = []
        flight.waiting = len(pages)
        self._ocr_total += len(pages)
        # The pool takes pages from the front: the last one submitted is the first one done.
        for page in reversed(pages):
            job = OcrJob(str(flight.path), page, self._lang, PAGE_LIMIT_S)
            self._pool.submit((flight, page), job)
        if not pages:
            self._finish(flight)

    def _given(self, flight: Flight) -> Set[int]:
        """The pages whose text the text file has."""
        return self._texts.pages_of(flight.name) if self._texts is not None else frozenset()

    def _was_recognised(self, flight: Flight, page: int, answer: Answer) -> None:
        self._ocr_pages += 1
        if isinstance(answer, RecognisedPage):
            flight.recognised[page] = answer
        elif isinstance(answer, Failed):
            flight.notes.append(f"Page {page} {answer.reason.rstrip('.')}.")
        flight.waiting -= 1
        if not flight.waiting:
            self._finish(flight)

    def _finish(self, flight: Flight) -> None:
        """All is known about the document: make it durable."""
        known = self._documents.name(flight.sha256) is not None  # it may have become so
        try:
            if known:
                self._finish_known(flight)
            else:
                self._finish_new(flight)
        except (OSError, StorageError, WorkspaceError) as error:
            if not known:
                pdf_path(self._workspace, flight.sha256).unlink(missing_ok=True)
                flight.path.unlink(missing_ok=True)
            why = f"{error.strerror}." if isinstance(error, OSError) else error.message
            self._fail(flight.file, f"cannot be stored in the workspace: {why}")
        self._flights.remove(flight)

    def _finish_known(self, flight: Flight) -> None:
        name = self._documents.name(flight.sha256)
        assert name is not None
        if flight.recognised:
            fill_pages(self._workspace, flight.sha256, flight.recognised)
        reason = self._documents.came_again(flight.name, flight.sha256)
        if flight.recognised:
            pages = page_ranges(list(flight.recognised))
            reason += f" Text of {pages}, which had none, was recognised now."
        self.report.duplicates.append(Duplicate(flight.file, name, flight.sha256, reason))

    def _finish_new(self, flight: Flight) -> None:
        assert flight.pdf is not None
        pages = flight.pdf.pages
        register(
            self._workspace,
            NewDocument(flight.name, flight.sha256, flight.path, pages, flight.recognised),
        )
        self._documents.add(flight.name, flight.sha256)
        given = self._given(flight)
        empty = [
            number
            for number, page in enumerate(pages, start=1)
            if page.readable
            and number not in given
            and not flight.recognised.get(number, page).text.strip()
        ]
        if empty:
            flight.notes.append(f"No text on {page_ranges(empty)} of {len(pages)}.")
        self.report.ingested.append(
            Ingested(
                file=flight.file,
                document=flight.name,
                sha256=flight.sha256,
                pages=len(pages),
                ocr_pages=len(flight.recognised),
                notes=tuple(flight.notes),
            )
        )

    def _fail(self, file: str, what: str) -> None:
        self.report.failed.append(FailedFile(file, about(file, what)))

    def _tell(self) -> None:
        if self._progress is not None:
            done = len(self._files) - len(self._to_do) - len(self._later) - len(self._flights)
            pages = self._pages, self._ocr_pages, self._ocr_total
            self._progress(Progress(done, len(self._files), *pages))
