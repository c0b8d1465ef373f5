"""Ingest against bare PyMuPDF ``get_text``: pages per second and core, recognition off.

The bare way runs in one process, and in as many as there are cores, which take the documents one
after the other: a long document at the end leaves the other cores idle, which ingest avoids by
splitting it. Recognition is measured apart, on scanned pages, with one worker and with all.

python benchmarks/ingest.py --corpus DIR
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
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


def main(folder: Path, rounds: int = ROUNDS) -> dict[str, float]:
    """Print medians over rounds in which the ways take turns, and their ratios.

    Ingest is everything that ``pagetrail ingest`` does but the index: hash, copy, flush to disk,
    start workers, read, store. ``core`` measures divide by the number of workers.

    Returns:
        The results by name: pages/s, and ratios to bare ``get_text``.
    """
    cores = os.cpu_count() or 1
    pdfs = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf")
    bare, bare_all, alone, together = [], [], [], []
    pages = 0
    for _ in range(rounds):
        seconds, pages = _bare(pdfs)
        bare.append(pages / seconds)
        bare_all.append(pages / _bare_together(pdfs, cores))
        alone.append(_ingest(pdfs, 1))
        together.append(_ingest(pdfs, cores))
    measurements = {
        "bare": median(bare),
        "bare_all": median(bare_all),
        "one_worker": median(alone),
        "all_workers": median(together),
        "ratio_one_worker": median(alone) / median(bare),
        "ratio_per_core": median(together) / median(bare) / cores,
        "ratio_all": median(together) / median(bare_all),
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
    return measurements


def recognition(folder: Path) -> dict[str, float]:
    """Pages per second that Tesseract reads with one worker, and with one per core.

    The pages are the first ones of the collection, as images.
    """
    with tempfile.TemporaryDirectory() as name:
        scan = Path(name, "scan.pdf")
        _scan(sorted(folder.rglob("*.pdf")), scan)
        return {
            "one_worker": _ingest([scan], 1, "always"),
            "all_workers": _ingest([scan], os.cpu_count() or 1, "always"),
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


def _bare(pdfs: list[Path]) -> tuple[float, int]:
    started = time.perf_counter()
    pages = 0
    for path in pdfs:
        with pymupdf.open(path) as document:
            for page in document:
                page.get_text()
                pages += 1
    return time.perf_counter() - started, pages


def _bare_together(pdfs: list[Path], processes: int) -> float:
    """Seconds of the bare way in several processes, their start included."""
    started = time.perf_counter()
    with get_context("spawn").Pool(processes) as pool:
        for _ in pool.imap_unordered(_bare_one, pdfs):
            pass
    return time.perf_counter() - started


def _bare_one(path: Path) -> None:
    _bare([path])


def _ingest(pdfs: list[Path], workers: int, ocr: OcrMode = "never") -> float:
    """Pages per second of one run into a new workspace."""
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.create(Path(folder, "ws"))
        started = time.perf_counter()
        report = ingest(workspace, pdfs, ocr=ocr, workers=workers)
        seconds = time.perf_counter() - started
        workspace.engine.dispose()
    return sum(entry.pages for entry in report.ingested) / seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder of PDF files")
    corpus = parser.parse_args().corpus
    main(corpus)
    print(f"recognition, pages/s: {recognition(corpus)}")
