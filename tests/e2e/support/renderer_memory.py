"""Memory of a browser's processes, from Linux's accounts.

It is the proportional set size: memory that several processes share is divided among them.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page


def renderer_memory_mb(page: Page) -> float:
    """The memory of the processes that show pages, once this one's garbage has been collected."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.detach()
    return sum(size for kind, size in _process_sizes(page) if kind == "renderer")


def browser_memory_mb(page: Page) -> float:
    """The memory of all processes of the page's browser."""
    return sum(size for _, size in _process_sizes(page))


def _process_sizes(page: Page) -> list[tuple[str, float]]:
    """Kind and megabytes of each process."""
    browser = page.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return [(process["type"], _proportional_mb(process["id"])) for process in processes]


def _proportional_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    (kilobytes,) = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
    return kilobytes / 1000
