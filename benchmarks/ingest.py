"""Ingest against bare PyMuPDF ``get_text``: pages per second and core, recognition off.

The bare way runs in one process, and in as many as there are cores, which take the documents one
after the other: a long document at the end leaves the other cores idle, which ingest avoids by
splitting it. Recognition is measured apart, on scanned pages, with one worker and with all.

Beside other work the clock says little; the processor time of all processes together still does.
It counts all that ingest does. Starting workers weighs less the larger the collection, and
``--copies`` makes one larger. Ingest makes no thumbnails; the server does when it is idle.

python benchmarks/ingest.py --corpus DIR
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

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.ocr import OcrMode

ROUNDS = 3
SCANNED_PAGES = 8
SCAN_DPI = 150


@dataclass(frozen=True)
class Run:
    """Seconds on the clock, and of processors: this process and those it started."""

    clock: float
    processor: float


def main(folder: Path, rounds: int = ROUNDS) -> dict[str, float]:
    """Print medians over rounds in which the ways take turns, and their ratios.

    Ingest is everything that ``pagetrail ingest`` does but the index: hash, copy, flush to disk,
    start workers, read, store. ``core`` measures divide by the number of workers.

    Returns:
        The results by name: pages/s, and ratios to bare ``get_text``.
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
    for _ in range(rounds):
        for way, measured in ways.items():
            runs[way].append(measured())
    clock = {way: median(run.clock for run in runs[way]) for way in ways}
    processor = {way: median(run.processor for run in runs[way]) for way in ways}
    measurements = {
        **{way: pages / clock[way] for way in ways},
        "ratio_one_worker": clock["bare"] / clock["one_worker"],
        "ratio_per_core": clock["bare"] / clock["all_workers"] / cores,
        "ratio_all": clock["bare_all"] / clock["all_workers"],
        "processor_bare": processor["bare"],
        "processor_ratio_one_worker": processor["bare"] / processor["one_worker"],
        "processor_ratio_all_workers": processor["bare"] / processor["all_workers"],
        "processor_ratio_all": processor["bare_all"] / processor["all_workers"],
    }
    print(f"ingest: {len(pdfs)} PDFs, {pages} pages, {rounds} rounds, medians; OCR off, no index")
    print(f"  bare get_text, 1 process   {measurements['bare']:8.0f} pages/s")
    print(f"  bare get_text, {cores} processes {measurements['bare_all']:8.0f} pages/s")
    print(
        f"  ingest, 1 worker           {measurements['one_worker']:8.0f} pages/s"
        f"   {measurements['ratio_one_worker']:.2f}x of bare"
    )
    print(
        f"  ingest, {cores} workers          {measurements['all_workers']:8.0f} pages/s"
        f"   {measurements['ratio_per_core']:.2f}x of bare per core (target: 0.85x), "
        f"{measurements['ratio_all']:.2f}x of bare on {cores}"
    )
    print(
        f"  processor time: bare {processor['bare']:.2f} s; ingest reads "
        f"{measurements['processor_ratio_one_worker']:.2f}x as many pages per second with 1, "
        f"{measurements['processor_ratio_all_workers']:.2f}x with {cores} workers "
        f"({measurements['processor_ratio_all']:.2f}x of bare on {cores})"
    )
    return measurements


def recognition(folder: Path) -> dict[str, float]:
    """Pages per second that Tesseract reads with one worker, and with one per core.

    The pages are the first ones of the collection, as images.
    """
    with tempfile.TemporaryDirectory() as name:
        scan = Path(name, "scan.pdf")
        _scan(sorted(folder.rglob("*.pdf")), scan)
        return {
            "one_worker": SCANNED_PAGES / _ingest([scan], 1, "always").clock,
            "all_workers": SCANNED_PAGES / _ingest([scan], os.cpu_count() or 1, "always").clock,
        }


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
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@contextmanager
def _copies(folder: Path, count: int) -> Iterator[Path]:
    """A folder with every PDF so many times, each copy with a content of its own."""
    with tempfile.TemporaryDirectory() as name:
        for path in folder.rglob("*.pdf"):
            content = path.read_bytes()
            for n in range(count):
                Path(name, f"{path.stem}-{n}.pdf").write_bytes(content + b"\n%%%d" % n)
        yield Path(name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder of PDF files")
    parser.add_argument("--copies", type=int, help="measure so many copies of each file, no OCR")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    if arguments.copies:
        with _copies(arguments.corpus, arguments.copies) as copies:
            main(copies, arguments.rounds)
    else:
        main(arguments.corpus, arguments.rounds)
        print(f"recognition, pages/s: {recognition(arguments.corpus)}")
