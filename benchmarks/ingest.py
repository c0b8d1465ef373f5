"""Ingest against bare PyMuPDF ``get_text``: pages per second and core, recognition off.

The bare way runs in one process, and in as many as there are cores, which take the documents one
after the other: a long document at the end leaves the other cores idle, which ingest avoids by
splitting it. Recognition is measured apart, on scanned pages, with one worker and with all.

On a busy machine the clock says little; the processor time of all processes together still does.
Starting workers weighs less the larger the collection, and ``--copies`` makes one larger.
Thumbnails are drawn and measured apart, after the last ingest.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median

import pymupdf

from benchmarks.harness import Benchmark, Measurement, Setup
from pagetrail.storage.corpus.thumbnails import ThumbnailReport, draw_thumbnails
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.ocr_languages import OcrMode, tesseract_problem

ROUNDS = 3
TARGET_RATIO = 0.85
SCANNED_PAGES = 8
SCAN_DPI = 150


@dataclass(frozen=True)
class Run:
    """Seconds on the clock, and of processors: this process and those it started."""

    clock: float
    processor: float


def measure(setup: Setup) -> Iterator[Measurement]:
    """Measure ingest and the bare way in turns, and recognition."""
    copies = setup.options.copies
    folder = setup.corpus
    if copies > 1:
        folder = setup.resources.enter_context(_copies(folder, copies))
    yield from _measure_ingest(folder)
    yield from _measure_thumbnails(folder)
    if copies == 1 and tesseract_problem("eng") is None:
        one_worker, all_workers = recognition(folder)
        yield Measurement(
            "OCR, all cores", all_workers, "pages/s", reference=("1 worker", one_worker)
        )


def _measure_ingest(folder: Path) -> list[Measurement]:
    """Pages per second: medians over rounds in which the ways take turns.

    Ingest is everything that ``pagetrail ingest`` does but the index: hash, copy, flush to disk,
    start workers, read, store.
    """
    cores = os.cpu_count() or 1
    pdfs = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf")
    ways: dict[str, Callable[[], Run]] = {
        "bare": lambda: _timed(_bare, pdfs),
        "bare_all": lambda: _timed(_bare_together, pdfs, cores),
        "one_worker": lambda: _ingest(pdfs, 1),
        "all_workers": lambda: _ingest(pdfs, cores),
    }
    pages = _bare(pdfs)
    runs: dict[str, list[Run]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, run in ways.items():
            runs[way].append(run())
    clock = {way: pages / median(run.clock for run in runs[way]) for way in ways}
    processor = {way: pages / median(run.processor for run in runs[way]) for way in ways}
    bare = ("bare get_text, 1 process", clock["bare"])
    bare_all = (f"bare get_text, {cores} processes", clock["bare_all"])
    bare_processor = ("bare get_text", processor["bare"])
    return [
        Measurement("ingest, 1 worker", clock["one_worker"], "pages/s", reference=bare),
        Measurement("ingest, all cores", clock["all_workers"], "pages/s", reference=bare_all),
        Measurement(
            "ingest per core, of bare",
            clock["all_workers"] / cores / clock["bare"],
            "×",
            TARGET_RATIO,
            "above",
        ),
        Measurement(
            "ingest per second of processor time, 1 worker",
            processor["one_worker"],
            "pages/s",
            reference=bare_processor,
        ),
        Measurement(
            "ingest per second of processor time, all cores",
            processor["all_workers"],
            "pages/s",
            reference=bare_processor,
        ),
    ]


def _measure_thumbnails(folder: Path) -> Iterator[Measurement]:
    """Time and disk space that thumbnails add to an ingest."""
    with tempfile.TemporaryDirectory() as name:
        workspace = Workspace.create(Path(name, "ws"))
        ingested = ingest(workspace, [folder], ocr="never")
        reports: list[ThumbnailReport] = []
        run = _timed(
            lambda: reports.append(
                draw_thumbnails(workspace, ingested.documents, lambda done, total: None)
            )
        )
        workspace.engine.dispose()
    drawn = reports[0].drawn
    yield Measurement("thumbnails, all cores", drawn / run.clock, "pages/s")
    yield Measurement("thumbnails, processor time per page", run.processor / drawn * 1000, "ms")
    yield Measurement("thumbnails, size per page", reports[0].bytes / drawn, "bytes")


def recognition(folder: Path) -> tuple[float, float]:
    """Pages per second that Tesseract reads with one worker, and with one per core.

    The pages are the first ones of the collection, as images.
    """
    with tempfile.TemporaryDirectory() as name:
        scan = Path(name, "scan.pdf")
        _scan(sorted(folder.rglob("*.pdf")), scan)
        one_worker, all_workers = (
            SCANNED_PAGES / _ingest([scan], workers, "always").clock
            for workers in (1, os.cpu_count() or 1)
        )
        return one_worker, all_workers


def _scan(pdfs: list[Path], target: Path) -> None:
    with pymupdf.open() as images:
        for path in pdfs:
            with pymupdf.open(path) as document:
                for source in document:
                    if len(images) == SCANNED_PAGES:
                        break
                    page = images.new_page(width=source.rect.width, height=source.rect.height)
                    page.insert_image(page.rect, pixmap=source.get_pixmap(dpi=SCAN_DPI))
        images.save(target)


def _bare(pdfs: list[Path]) -> int:
    pages = 0
    for path in pdfs:
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text()
                pages += 1
    return pages


def _bare_together(pdfs: list[Path], processes: int) -> None:
    """The bare way in several processes, which it starts."""
    # Not as a context: that kills them before their processor time is known.
    pool = get_context("spawn").Pool(processes)
    for _ in pool.imap_unordered(_bare_one, pdfs):
        pass
    pool.close()
    pool.join()


def _bare_one(path: Path) -> None:
    _bare([path])


def _ingest(pdfs: list[Path], workers: int, ocr: OcrMode = "never") -> Run:
    """One run into a new workspace."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder, "ws"))
        run = _timed(lambda: ingest(workspace, pdfs, ocr=ocr, workers=workers))
        workspace.engine.dispose()
    return run


def _timed(function: Callable[..., object], *arguments: object) -> Run:
    clock, processor = time.perf_counter(), _processor_seconds()
    function(*arguments)
    return Run(time.perf_counter() - clock, _processor_seconds() - processor)


def _processor_seconds() -> float:
    """Of this process, and of those it started that have ended."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@contextmanager
def _copies(folder: Path, count: int) -> Iterator[Path]:
    """A folder with every PDF so many times, each copy with a content of its own."""
    with tempfile.TemporaryDirectory() as name:
        for path in folder.rglob("*.pdf"):
            content = path.read_bytes()
            for n in range(count):
                Path(name, f"{path.stem}-{n}.pdf").write_bytes(content + b"\n%%%d" % n)
        yield Path(name)


def _add_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--copies", type=int, default=1, help="copies of each PDF file; more than 1: no OCR"
    )


BENCHMARK = Benchmark("ingest", measure, add_options=_add_options)
