"""A workspace of 20,000 pages for the load benchmark: PDFs made from page texts, once."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pymupdf
from rich.console import Console

from benchmarks.support import make_workspace

WORKSPACE, PDFS = "ws", "pdfs"
WIDTH, HEIGHT = 612, 792
MARGIN, FONT, FONT_SIZE = 40, "helv", 6
LINES, LINE_CHARS = 100, 180


def prepare(console: Console, folder: Path, texts: Path, people: int, questions: int) -> None:
    """Make PDFs of the texts and a workspace of them with people and their opened batches.

    Args:
        folder: where; what is there from an interrupted run is made again.
        texts: MADQA's OCR JSONL, gzipped.
    """
    began = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / PDFS).mkdir(parents=True)
    with get_context("spawn").Pool() as pool:
        pages = sum(pool.imap_unordered(_write, _documents(texts, folder / PDFS)))
    console.print(f"{pages:,} pages drawn after {time.monotonic() - began:.0f} s")
    make_workspace(folder / WORKSPACE, folder / PDFS, people, questions)
    shutil.rmtree(folder / PDFS)
    console.print(f"ready after {time.monotonic() - began:.0f} s: {folder}")


@contextmanager
def copied(folder: Path) -> Iterator[Path]:
    """A copy of a prepared workspace, so that each round starts from the same."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as name:
        root = Path(name) / WORKSPACE
        shutil.copytree(folder / WORKSPACE, root)
        yield root


def _documents(texts: Path, folder: Path) -> Iterator[tuple[Path, list[str]]]:
    with gzip.open(texts, "rt", encoding="utf-8") as opened:
        lines: Iterator[dict[str, Any]] = map(json.loads, opened)
        for name, pages in groupby(lines, lambda page: str(page["file"])):
            yield folder / name, [page["text"] for page in pages]


def _write(document: tuple[Path, list[str]]) -> int:
    """Write one PDF; returns its number of pages."""
    path, texts = document
    with pymupdf.open() as pdf:
        for text in texts:
            page = pdf.new_page(width=WIDTH, height=HEIGHT)
            page.insert_font(FONT)
            # Not ``insert_text``, which takes ten times as long.
            content = pdf.get_new_xref()
            pdf.update_object(content, "<<>>")
            pdf.update_stream(content, _content(text))
            page.set_contents(content)
        pdf.save(path)
    return len(texts)


def _content(text: str) -> bytes:
    """A page's drawing instructions: the lines of the text below each other."""
    lines = [line[:LINE_CHARS] for line in text.splitlines()[:LINES]]
    escaped = (re.sub(r"([\\()])", r"\\\1", line) for line in lines)
    shown = "".join(f"({line}) Tj T*\n" for line in escaped)
    top = HEIGHT - MARGIN
    start = f"BT /{FONT} {FONT_SIZE} Tf {FONT_SIZE + 1} TL {MARGIN} {top} Td\n"
    return (start + shown + "ET").encode("latin-1", "replace")
