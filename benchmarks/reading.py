"""Memory of the browser while somebody reads a long document, to its end and back.

Two hundred pages are turned with the arrow key, with time to look at each. What is measured is the
proportional set size of the browser's renderer processes after a garbage collection, and that of
all its processes. On Linux only.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import attempts_of, browser, person_name, serving, signed_in_page
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.renderer_memory import browser_memory_mb, renderer_memory_mb

TURNS = 200
LOOK_MS = 250
TARGET_MB = 500

_COUNT_TURNS = """() => {
  window.painted = 0;
  window.addEventListener("pagetrail:painted", () => { window.painted += 1; });
}"""


def measure(setup: Setup) -> list[Measurement]:
    """Read the longest document."""
    root = setup.workspace()
    document = longest_document(root)
    name = person_name(0)
    with serving(root) as server, browser() as chromium:
        page = signed_in_page(chromium, server, name)
        page.goto(
            f"{server.url}task?attempt={attempts_of(root, name)[0]}&document={document.name}&page=1"
        )
        page.get_by_role("button", name="Next page").first.wait_for()
        page.evaluate(_COUNT_TURNS)
        page.wait_for_timeout(4 * LOOK_MS)
        before = renderer_memory_mb(page)
        half = _turn(page, document.n_pages, 0, TURNS // 2)
        after = _turn(page, document.n_pages, TURNS // 2, TURNS)
        together = browser_memory_mb(page)
    reference = ("before", before)
    return [
        Measurement(
            f"renderer memory after {TURNS} turns", after, "MB", TARGET_MB, reference=reference
        ),
        Measurement(f"… after {TURNS // 2}", half, "MB", reference=reference),
        Measurement("… with the browser's other processes", together, "MB"),
    ]


def longest_document(root: Path) -> DocumentInfo:
    """The document with the most pages."""
    workspace = Workspace.open(root)
    corpus = Corpus(workspace)
    documents = [info for name in corpus.names() if (info := corpus.document(name))]
    workspace.engine.dispose()
    return max(documents, key=lambda info: info.n_pages)


def _turn(page: Page, n_pages: int, first: int, end: int) -> float:
    """Turn pages; returns the renderers' memory after that."""
    for turn in range(first, end):
        goes_back = turn // (n_pages - 1) % 2
        painted = page.evaluate("() => window.painted")
        page.keyboard.press("ArrowLeft" if goes_back else "ArrowRight")
        wait_for(page, "(painted) => window.painted > painted", painted)
        page.wait_for_timeout(LOOK_MS)
    return renderer_memory_mb(page)


BENCHMARK = Benchmark("reading", measure)
