"""Ingests PDF files in worker processes, with one transaction per document.

After an interruption, finished documents are complete and stay; the same call does the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.changes import NORMALISED_KEY
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.ingest.ocr_languages import OcrMode
from pagetrail.storage.ingest.pool import IngestPool
from pagetrail.storage.ingest.replacement import Replacing
from pagetrail.storage.ingest.report import IngestReport, Progress, store_report
from pagetrail.storage.ingest.run import IngestRun, Key
from pagetrail.storage.ingest.text_jsonl import read_text_jsonl
from pagetrail.storage.ingest.worker import READER


def ingest(
    workspace: Workspace,
    paths: Sequence[Path],
    *,
    ocr: OcrMode = "auto",
    ocr_lang: str = "eng",
    text_jsonl: Path | None = None,
    normalise_text: bool = False,
    workers: int | None = None,
    timeout_s: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    reader: str = READER,
) -> IngestReport:
    """Register PDF files and folders of them.

    Args:
        ocr: recognise text on pages without a text layer (``auto``), on none, or on all.
        ocr_lang: Tesseract languages, e.g. ``"eng"`` or ``"eng+deu"``.
        text_jsonl: page texts that replace those of the PDFs and fix the order of the index.
        normalise_text: have words whole in the texts of all pages, also those that are there, and
            in later ingests.
        workers: processes; by default one per core.
        timeout_s: seconds for reading one document, or 64 pages of a long one; by default
            ``reading_limit_s`` of its size. OCR has ``PAGE_LIMIT_S`` per page.
        progress: called at every step, in this thread.
        reader: ``"module:function"`` that reads a PDF in the worker.

    Returns:
        The report. An interrupt (Ctrl-C) ends the run with ``interrupted`` set.

    Raises:
        ConflictError: another ingest is running on this workspace.
        InputFileError: the text file cannot be used at all, or there is nothing to do.
    """
    if not paths and text_jsonl is None:
        raise InputFileError(gettext("Name at least one PDF file or folder, or a text file."))
    texts = None if text_jsonl is None else read_text_jsonl(text_jsonl)
    with exclusive_ingest(workspace) as incoming:
        pool: IngestPool[Key] = IngestPool(workers or os.cpu_count() or 1, reader)
        run = IngestRun(workspace, incoming, pool, ocr, ocr_lang, texts, timeout_s, progress)
        try:
            if normalise_text:
                run.normalise_texts()
            run.read(paths)
            if texts is not None:
                run.apply_texts(texts)
        except KeyboardInterrupt:
            run.interrupt()
        finally:
            pool.close()
    return _finished_report(workspace, run)


def replace_documents(
    workspace: Workspace,
    paths: Sequence[Path],
    replacing: Replacing,
    *,
    ocr: OcrMode = "auto",
    ocr_lang: str = "eng",
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Replace documents by files of their names; arguments and report as of ``ingest``.

    Each document has its old or its new version, whatever happens; the same call does the rest.

    Raises:
        ConflictError: another ingest is running on this workspace.
    """
    with exclusive_ingest(workspace) as incoming:
        pool: IngestPool[Key] = IngestPool(workers or os.cpu_count() or 1, READER)
        run = IngestRun(workspace, incoming, pool, ocr, ocr_lang, None, None, progress, replacing)
        try:
            run.read(paths)
        except KeyboardInterrupt:
            run.interrupt()
        finally:
            pool.close()
    return _finished_report(workspace, run)


def _finished_report(workspace: Workspace, run: IngestRun) -> IngestReport:
    run.report.is_normalised = workspace.meta(NORMALISED_KEY) is not None
    run.report.note_divided_words()
    run.report.sort()
    store_report(workspace.root, run.report)
    return run.report
