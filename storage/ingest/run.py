"""One run of ``ingest``: the progress and outcome of each file."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from pathlib import Path
from time import monotonic

from pagetrail.annotation.errors import (
    ConflictError,
    Forbidden,
    NotFoundError,
    PagetrailError,
    StorageError,
    WorkspaceError,
)
from pagetrail.annotation.normalised_text import count_divided_words
from pagetrail.storage.corpus.changes import (
    NO_TEXT,
    NewDocument,
    add_file,
    add_kinds,
    apply_text,
    are_kinds_known,
    document_files,
    fill_pages,
    normalise_texts,
    page_sources,
    register,
)
from pagetrail.storage.corpus.document_names import read_document_names
from pagetrail.storage.corpus.local_files import local_pdf, pdf_path
from pagetrail.storage.corpus.page_values import (
    DOCUMENT_WARNINGS,
    PARTIAL,
    FirstPages,
    PagesFrom,
    PdfText,
    RecognisedPage,
    document_warning,
)
from pagetrail.storage.database.storable_text import storable_name
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.input_files import find_pdfs, size_and_hash
from pagetrail.storage.ingest.known_documents import KnownDocuments
from pagetrail.storage.ingest.ocr import PAGE_LIMIT_S
from pagetrail.storage.ingest.ocr_languages import OcrMode, tesseract_problem, tesseract_version
from pagetrail.storage.ingest.pending_document import LongDocument, PendingDocument
from pagetrail.storage.ingest.pool import IngestPool, JobFailure, JobUpdate
from pagetrail.storage.ingest.replacement import Replacing, store_replacement
from pagetrail.storage.ingest.report import (
    Duplicate,
    FailedFile,
    Ingested,
    IngestReport,
    Progress,
    page_ranges,
    pdf_warnings,
    replaced_characters,
    stamp_notes,
)
from pagetrail.storage.ingest.text_jsonl import TextFile
from pagetrail.storage.ingest.worker import Copied, OcrJob, PagesRead, ReadJob, reading_limit_s

Key = tuple[PendingDocument, int]
"""A document and the page to recognise, or 0 to read it."""

_STORE_INTERVAL_S = 0.5
_STORE_PAGES = 4_096
"""Complete documents are stored together once they have so many pages, or after this time."""


class IngestRun:
    """Drives the worker pool and fills the report; used once."""

    def __init__(
        self,
        workspace: Workspace,
        incoming: Path,
        pool: IngestPool[Key],
        ocr: OcrMode,
        lang: str,
        texts: TextFile | None,
        timeout_s: float | None,
        progress: Callable[[Progress], None] | None,
        replacing: Replacing | None = None,
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
        self._replacing = replacing
        self._files: list[Path] = []
        self._queue: deque[Path] = deque()
        self._postponed: list[Path] = []
        self._pending: list[PendingDocument] = []
        self._complete: list[tuple[PendingDocument, NewDocument]] = []
        self._store_at = 0.0
        self._copies = self._pages = self._ocr_pages = self._ocr_total = 0
        self._documents = KnownDocuments(workspace)

    def read(self, paths: Sequence[Path]) -> None:
        """Ingest all files; returns when each is in the report."""
        inputs = find_pdfs(paths)
        self.report.failed += inputs.failed
        self.report.ignored = inputs.ignored
        self._files, self._sizes = inputs.files, inputs.sizes
        self._queue.extend(self._files)
        while self._queue or self._postponed or self._pending:
            while self._queue and self._pool.accepts_documents:
                self._begin(self._queue.popleft())
            wait_s = max(0.0, self._store_at - monotonic()) if self._complete else None
            update = self._pool.next_update(wait_s)
            if update is not None:
                self._apply_update(*update)
            if self._is_store_due():
                self._store_complete()
            if not self._queue and not self._pending:
                self._queue.extend(self._postponed)
                self._postponed.clear()
            self._report_progress()

    def normalise_texts(self) -> None:
        """Have words whole in the texts of all pages, of this run and of later ones."""
        self.report.joined_words = normalise_texts(self._workspace)

    def apply_texts(self, texts: TextFile) -> None:
        """Replace page texts with those of the text file."""
        with self._workspace.engine.connect() as connection:
            usable = texts.usable(read_document_names(connection))
        apply_text(self._workspace, usable)
        self.report.text_pages = len(usable)
        self.report.divided_words += sum(count_divided_words(line.text) for line in usable)
        self.report.notes += texts.problems
        if texts.replaced_characters:
            self.report.notes.append(
                f"{texts.name}: {replaced_characters(texts.replaced_characters)}"
            )

    def interrupt(self) -> None:
        """Store the complete documents, and report the other files as pending."""
        self._store_complete()
        report = self.report
        report.interrupted = True
        finished = {ingested.file for ingested in report.ingested}
        finished |= {failed.file for failed in report.failed}
        finished |= {duplicate.file for duplicate in report.duplicates}
        report.pending = [file for file in map(str, self._files) if file not in finished]

    def _begin(self, path: Path) -> None:
        file, name = str(path), storable_name(path)
        try:
            # A file that is new by its size or name is hashed by the worker that copies it.
            size, sha256 = size_and_hash(
                path, lambda size: self._sizes[size] != 1 or self._documents.may_contain(name, size)
            )
        except OSError as error:
            self._fail(file, f"cannot be read: {error.strerror}.")
            return
        if any(
            document.name == name or (document.sha256 and document.sha256 == sha256)
            for document in self._pending
        ):
            self._postponed.append(path)  # it depends on the outcome of the other one
            return
        self._copies += 1
        staged = self._incoming / f"{self._copies}.pdf"
        limit_s = reading_limit_s(size) if self._timeout_s is None else self._timeout_s
        document = PendingDocument(file, name, sha256, staged, limit_s)
        if self._documents.name(sha256) is not None:
            if are_kinds_known(self._workspace, sha256):
                self._ingest_again(document)
            else:
                self._read(document, size)
        elif self._replacing is not None:
            self._read_replacement(document, size, self._replacing.document or name)
        elif (problem := self._documents.name_problem(name, sha256)) is not None:
            self._fail(file, problem)
        else:
            self._read(document, size)

    def _read(self, document: PendingDocument, size: int) -> None:
        self._pending.append(document)
        job = ReadJob(document.file, str(document.path), size, document.sha256, document.limit_s)
        self._pool.submit((document, 0), job)

    def _read_replacement(self, document: PendingDocument, size: int, name: str) -> None:
        document.replaces = self._documents.replaced_by(name)
        if document.replaces is None:
            self._fail(
                document.file, f"replaces nothing: there is no document {name} in this workspace."
            )
        else:
            self._read(document, size)

    def _ingest_again(self, document: PendingDocument) -> None:
        """Recognise the pages of a registered document that have no text, or next to none."""
        pages = self._unread_pages(document)
        try:
            if pages:
                document.path = local_pdf(self._workspace, document.sha256)
        except PagetrailError as error:
            self._fail(document.file, f"cannot be read from the workspace: {error.message}")
            return
        self._pending.append(document)
        self._recognise(document, pages)

    def _unread_pages(self, document: PendingDocument) -> list[int]:
        """Pages of a registered document to be recognised; also sets which are partial."""
        sources = page_sources(self._workspace, document.sha256)
        document.partial = {page for page, source in sources.items() if source == PARTIAL}
        if self._ocr == "never":
            return []
        return [page for page, source in sources.items() if source in (NO_TEXT, PARTIAL)]

    def _apply_update(self, key: Key, update: JobUpdate) -> None:
        document, page = key
        if document not in self._pending:
            return  # another part of the document failed
        if isinstance(update, Copied):
            document.sha256 = update.sha256
        elif isinstance(update, PagesRead):
            self._count(document, update.done)
        elif isinstance(update, FirstPages):
            self._count(document, len(update.pages))
            document.parts = LongDocument(update)
            for job in reversed(document.parts.jobs(document.path, document.limit_s)):
                self._pool.submit((document, 0), job)
        elif isinstance(update, PagesFrom):
            self._add_part(document, update)
        elif isinstance(update, PdfText):
            self._add_text(document, update)
        elif page:
            self._add_recognised(document, page, update)
        elif isinstance(update, JobFailure):
            self._give_up(document, update.reason)

    def _count(self, document: PendingDocument, pages_read: int) -> None:
        self._pages += pages_read - document.pages_read
        document.pages_read = pages_read

    def _give_up(self, document: PendingDocument, reason: str) -> None:
        document.path.unlink(missing_ok=True)
        if self._documents.name(document.sha256) is not None:
            document.notes.append(f"Its pages were not read again: the file {reason}")
            self._finish(document)
            return
        self._pending.remove(document)
        self._fail(document.file, reason)

    def _add_part(self, document: PendingDocument, part: PagesFrom) -> None:
        self._count(document, document.pages_read + len(part.pages))
        pdf = document.parts.add(part) if document.parts is not None else None
        if pdf is not None:
            self._add_text(document, pdf)

    def _add_text(self, document: PendingDocument, pdf: PdfText) -> None:
        self._count(document, len(pdf.pages))
        document.pdf = pdf
        if self._documents.name(document.sha256) is not None:
            self._add_kinds(document, pdf)
            return
        document.notes += pdf_warnings(pdf)
        pages = list(enumerate(pdf.pages, start=1))
        document.partial = {number for number, page in pages if page.kind == PARTIAL}
        self._recognise(
            document,
            [
                number
                for number, page in pages
                if page.readable
                and page.kind in ("", PARTIAL)
                and (
                    self._ocr == "always"
                    or (self._ocr == "auto" and (page.kind or not page.text.strip()))
                )
            ],
        )

    def _add_kinds(self, document: PendingDocument, pdf: PdfText) -> None:
        """Store the kinds of the pages of a registered document, and recognise some of them."""
        try:
            add_kinds(self._workspace, document.sha256, pdf.pages)
        except StorageError as error:
            self._refuse(document, error, is_new=False)
            return
        self._recognise(document, self._unread_pages(document))

    def _recognise(self, document: PendingDocument, pages: Sequence[int]) -> None:
        provided = self._provided_pages(document)
        pages = [page for page in pages if page not in provided]
        problem = tesseract_problem(self._lang) if pages else None
        if problem is not None:
            if problem not in self.report.notes:
                self.report.notes.append(problem)
            pages = []
        document.unrecognised = len(pages)
        self._ocr_total += len(pages)
        # The pool takes the page submitted last first.
        for page in reversed(pages):
            keeps_text = page in document.partial
            job = OcrJob(str(document.path), page, self._lang, PAGE_LIMIT_S, keeps_text)
            self._pool.submit((document, page), job)
        if not pages:
            self._finish(document)

    def _provided_pages(self, document: PendingDocument) -> Set[int]:
        """Pages whose text is in the text file."""
        return self._texts.pages_of(document.name) if self._texts is not None else frozenset()

    def _add_recognised(self, document: PendingDocument, page: int, update: JobUpdate) -> None:
        self._ocr_pages += 1
        if isinstance(update, RecognisedPage):
            document.recognised[page] = update
        elif isinstance(update, JobFailure):
            document.notes.append(f"Page {page} {update.reason.rstrip('.')}.")
        document.unrecognised -= 1
        if not document.unrecognised:
            self._finish(document)

    def _finish(self, document: PendingDocument) -> None:
        """Have a document stored whose text is complete."""
        if any(document.sha256 == complete.sha256 for complete, _ in self._complete):
            self._store_complete()
        is_known = self._documents.name(document.sha256) is not None  # it may have become so
        try:
            if is_known:
                self._finish_known(document)
                self._pending.remove(document)
            else:
                self._complete_new(document)
        except (OSError, StorageError, WorkspaceError) as error:
            self._refuse(document, error, is_new=not is_known)
        except (ConflictError, NotFoundError, Forbidden) as error:
            self._delete_copies(document)
            self._fail(document.file, error.message)
            self._pending.remove(document)

    def _refuse(self, document: PendingDocument, error: Exception, *, is_new: bool = True) -> None:
        """Report a document that cannot be stored, and remove the file of a new one."""
        if is_new:
            self._delete_copies(document)
        message = error.message if isinstance(error, PagetrailError) else ""
        reason = f"{error.strerror}." if isinstance(error, OSError) else message
        self._fail(document.file, f"cannot be stored in the workspace: {reason}")
        self._pending.remove(document)

    def _delete_copies(self, document: PendingDocument) -> None:
        """Delete the file of a document that is not stored, unless another version has it."""
        document.path.unlink(missing_ok=True)
        with self._workspace.engine.connect() as connection:
            if document.sha256 not in document_files(connection):
                pdf_path(self._workspace, document.sha256).unlink(missing_ok=True)

    def _finish_known(self, document: PendingDocument) -> None:
        name = self._documents.name(document.sha256)
        assert name is not None
        if document.recognised:
            recogniser = tesseract_version()
            fill_pages(self._workspace, document.sha256, document.recognised, recogniser)
            self.report.divided_words += sum(
                count_divided_words(page.text) for page in document.recognised.values()
            )
        reason = self._documents.register_again(document.name, document.sha256)
        filled = [page for page in document.recognised if page not in document.partial]
        if filled:
            reason += f" Text of {page_ranges(filled)}, which had none, was recognised now."
        sources = page_sources(self._workspace, document.sha256)
        notes = self._stamp_notes(document, len(sources)) + document.notes
        if warning := document_warning(set(sources.values())):
            notes.append(DOCUMENT_WARNINGS[warning])
        reason = " ".join([reason, *notes])
        if document.path.parent == self._incoming:
            document.path.unlink(missing_ok=True)
        self.report.duplicates.append(Duplicate(document.file, name, document.sha256, reason))

    def _stamp_notes(self, document: PendingDocument, pages: int) -> list[str]:
        partial = sorted(document.partial - self._provided_pages(document))
        return stamp_notes(partial, document.recognised.keys(), pages)

    def _complete_new(self, document: PendingDocument) -> None:
        assert document.pdf is not None
        size = add_file(self._workspace, document.path, document.sha256)
        if not self._complete:
            self._store_at = monotonic() + _STORE_INTERVAL_S
        new_document = NewDocument(
            document.replaces or document.name,
            document.sha256,
            size,
            document.pdf.pages,
            document.recognised,
            tesseract_version() if document.recognised else "",
        )
        if document.replaces is None or self._replacing is None:
            self._complete.append((document, new_document))
            return
        document.notes.append(store_replacement(self._workspace, new_document, self._replacing))
        self._report_new(document, new_document)

    def _is_store_due(self) -> bool:
        pages = sum(len(new_document.pages) for _, new_document in self._complete)
        return bool(self._complete) and (
            pages >= _STORE_PAGES or monotonic() >= self._store_at or not self._pool.has_jobs
        )

    def _store_complete(self) -> None:
        """Register the complete documents in one transaction, or, if that fails, in one each."""
        complete, self._complete = self._complete, []
        if not complete:
            return
        try:
            register(self._workspace, [new_document for _, new_document in complete])
        except (OSError, StorageError) as error:
            if len(complete) == 1:
                self._refuse(complete[0][0], error)
                return
            for pair in complete:
                self._complete = [pair]
                self._store_complete()
            return
        for document, new_document in complete:
            self._report_new(document, new_document)

    def _report_new(self, document: PendingDocument, new_document: NewDocument) -> None:
        """Report a registered document."""
        self._documents.add(new_document.name, document.sha256)
        provided = self._provided_pages(document)
        empty = [
            number
            for number, page in enumerate(new_document.pages, start=1)
            if page.readable
            and number not in provided
            and not document.recognised.get(number, page).text.strip()
        ]
        if empty:
            document.notes.append(f"No text on {page_ranges(empty)} of {len(new_document.pages)}.")
        document.notes += self._stamp_notes(document, len(new_document.pages))
        divided_words = sum(
            count_divided_words(document.recognised.get(number, page).text)
            for number, page in enumerate(new_document.pages, start=1)
            if number not in provided
        )
        self.report.divided_words += divided_words
        self.report.ingested.append(
            Ingested(
                file=document.file,
                document=new_document.name,
                sha256=document.sha256,
                pages=len(new_document.pages),
                ocr_pages=len(document.recognised),
                notes=tuple(document.notes),
                divided_words=divided_words,
            )
        )
        self._pending.remove(document)

    def _fail(self, file: str, problem: str) -> None:
        self.report.failed.append(FailedFile.from_problem(file, problem))

    def _report_progress(self) -> None:
        if self._progress is not None:
            finished = (
                len(self._files) - len(self._queue) - len(self._postponed) - len(self._pending)
            )
            pages = self._pages, self._ocr_pages, self._ocr_total
            self._progress(Progress(finished, len(self._files), *pages))
