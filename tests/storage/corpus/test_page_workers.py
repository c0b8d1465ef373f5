"""Processes that draw pages: limits, refusals that are remembered, crashes, the end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest

from pagetrail.annotation.errors import Busy, CorpusError, PageRefused
from pagetrail.storage.corpus.page_workers import PageOfFile, PageWorkers
from tests.attacks.hostile_pdfs import write_blended_fills
from tests.storage.pdfs import make_pdf

PROCESSOR_S = 0.5
"""What a page may compute here."""


@pytest.fixture
def workers(tmp_path: Path) -> Iterator[PageWorkers]:
    """One process."""
    workers = PageWorkers(tmp_path / "cache", size=1, limit_s=60, processor_s=PROCESSOR_S)
    yield workers
    workers.pool.close()


def page_source(path: Path, page: int = 1) -> PageOfFile:
    """A page of a file that is called as on disk."""
    return PageOfFile(path, sha256(path.name.encode()).hexdigest(), path.name, page)


def test_a_page_that_takes_too_long_is_refused_by_name_and_not_tried_again(
    workers: PageWorkers, tmp_path: Path
) -> None:
    """At this resolution and above; lower ones are tried, and other pages are drawn."""
    write_blended_fills(tmp_path / "heavy.pdf", pages=1)
    heavy = page_source(tmp_path / "heavy.pdf")
    with pytest.raises(PageRefused) as caught:
        workers.jpeg(heavy, 75)
    assert caught.value.message == (
        "Page 1 of heavy.pdf takes longer than 0.5 s to draw at 75 dpi. Zoom out for a lower "
        "resolution, or have a supervisor print the document to a new, simpler PDF and add that."
    )
    pids = workers.pool.pids()
    started = time.monotonic()
    for dpi in (75, 220):
        with pytest.raises(PageRefused, match="at 75 dpi"):
            workers.jpeg(heavy, dpi)
    assert time.monotonic() - started < 2 * PROCESSOR_S, "neither was tried again"
    assert workers.jpeg(page_source(make_pdf(tmp_path / "b.pdf", ["b"])), 75).startswith(
        b"\xff\xd8"
    )
    with pytest.raises(PageRefused, match="at 24 dpi"):
        workers.jpeg(heavy, 24)
    assert not set(pids) & set(workers.pool.pids())


def test_a_process_that_dies_takes_one_page_along(workers: PageWorkers, tmp_path: Path) -> None:
    """As a file would that crashes the reader: it is refused, and the next page is drawn."""
    path = make_pdf(tmp_path / "a.pdf", ["a", "b"])
    workers.jpeg(page_source(path), 40)
    (pid,) = workers.pool.pids()
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as thread:
        drawing = thread.submit(workers.jpeg, page_source(path), 41)
        while workers.pool._idle:
            time.sleep(0.01)
        os.kill(pid, signal.SIGSEGV)
        os.kill(pid, signal.SIGCONT)
        with pytest.raises(PageRefused, match=r"a\.pdf stopped the program that was to draw it"):
            drawing.result()
    assert [word.text for word in workers.words(page_source(path, 2))] == ["b"]


def test_a_damaged_file_is_named(workers: PageWorkers, tmp_path: Path) -> None:
    """The reader's reason continues the document's name."""
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 gone")
    with pytest.raises(CorpusError, match=r"^bad\.pdf starts like a PDF but"):
        workers.jpeg(page_source(tmp_path / "bad.pdf"), 40)


def test_the_end_does_not_wait_for_a_page(tmp_path: Path) -> None:
    """Who waits is told that the server is stopping; the page is not to blame."""
    write_blended_fills(tmp_path / "heavy.pdf", pages=1)
    workers = PageWorkers(tmp_path / "cache", size=1)
    with ThreadPoolExecutor(1) as thread:
        drawing = thread.submit(workers.jpeg, page_source(tmp_path / "heavy.pdf"), 220)
        while not workers.pool.pids():
            time.sleep(0.05)
        time.sleep(0.3)
        workers.pool.close()
        with pytest.raises(Busy, match="stopping"):
            drawing.result(timeout=60)
    give_up = time.monotonic() + 60
    while workers.pool.pids() and time.monotonic() < give_up:
        time.sleep(0.05)
    assert workers.pool.pids() == []
