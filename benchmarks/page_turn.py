"""A click on "next page" until the new page is painted, in a real browser.

The mouse is Chromium's own input; the clock starts at the click's time stamp and stops after the
frame that shows the new page. Pages are new to the server and to the browser. The reference shows
the same pages of the same files with ``st.image``, images made by the same renderer, in the same
browser process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Error, Locator, Page

from benchmarks.support import (
    Measurement,
    Served,
    attempts_of,
    browser,
    documents_to_turn,
    free_port,
    milliseconds,
    person_name,
    running,
    serving,
    signed_in_page,
)
from tests.e2e.support.browsers import wait_for

SESSIONS = 5
TURNS = 30
PAUSE_S = 1.0
PATIENCE_S = 10.0
LOST_ALLOWED = 3
TARGET_MS = 60
TARGET_P95_MS = 120

_OURS = """() => {
  window.turns = [];
  let clicked = 0;
  window.addEventListener("click", (event) => {
    clicked = event.timeStamp;
    window.turning = true;
  }, true);
  window.addEventListener("pagetrail:painted", () => {
    if (window.turning) window.turns.push(performance.now() - clicked);
    window.turning = false;
  });
}"""

_REFERENCE = """() => {
  window.turns = [];
  const channel = new MessageChannel();
  const shown = () => document.querySelector("[data-testid=stImage] img");
  window.addEventListener("click", (event) => {
    const before = shown()?.src;
    window.turning = true;
    channel.port1.onmessage = () => {
      window.turns.push(performance.now() - event.timeStamp);
      window.turning = false;
    };
    const look = () => {
      const image = shown();
      if (image && image.src !== before && image.complete && image.naturalWidth) {
        channel.port2.postMessage(null);
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}"""


def main(root: Path) -> list[Measurement]:
    """Medians and 95th percentiles with one session and with five.

    Args:
        root: a workspace of ``support.bench_workspace``.
    """
    documents = documents_to_turn(root, SESSIONS + 1, TURNS + 1)
    with browser() as chromium:
        with serving(root) as served:
            ours = _measure(
                lambda number: _our_page(chromium, served, root, number, documents[number][0]), 0
            )
        with _reference_app([path for _, path in documents]) as served:
            theirs = _measure(
                lambda number: _reference_page(chromium, served, number), LOST_ALLOWED
            )
    measurements = []
    for sessions, own, reference in zip((1, SESSIONS), ours, theirs, strict=True):
        middle, tail = milliseconds(own)
        ref_middle, ref_tail = milliseconds(reference)
        label = f"page turn, {sessions} session{'s' if sessions > 1 else ''}"
        measurements += [
            Measurement(label, middle, "ms", TARGET_MS, reference=("st.image", ref_middle)),
            Measurement("… p95", tail, "ms", TARGET_P95_MS, reference=("st.image", ref_tail)),
        ]
    return measurements


def _measure(open_page: Callable[[int], Page], lost_allowed: int) -> tuple[list[float], ...]:
    """Seconds of each turn with one session, then with all of them active."""
    alone = open_page(SESSIONS)
    one = _turn([alone], lost_allowed)
    alone.context.close()
    pages = [open_page(number) for number in range(SESSIONS)]
    many = _turn(pages, lost_allowed * SESSIONS)
    for page in pages:
        page.context.close()
    return one, many


def _turn(pages: list[Page], lost_allowed: int) -> list[float]:
    """Click "next page" on each page about once a second, in turn.

    Streamlit's own button loses a click now and then on a busy machine; such turns are left out of
    the reference's results.
    """
    boxes = [_button(page).bounding_box() for page in pages]
    clicks = TURNS * len(pages)
    for turn in range(TURNS):
        for page, box in zip(pages, boxes, strict=True):
            assert box is not None
            if turn:
                _settle(page)
            started = time.perf_counter()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(
                max(0.0, PAUSE_S / len(pages) - (time.perf_counter() - started)) * 1000
            )
    turns: list[float] = []
    for page in pages:
        _settle(page)
        turns += [ms / 1000 for ms in page.evaluate("window.turns")]
    if clicks - len(turns) > lost_allowed:
        raise SystemExit(f"Only {len(turns)} of {clicks} turns were painted.")
    return turns


def _settle(page: Page) -> None:
    """Wait for the turn that is under way, as long as anybody would."""
    with suppress(Error):
        wait_for(page, "() => !window.turning", timeout_ms=PATIENCE_S * 1000)


def _button(page: Page) -> Locator:
    return page.get_by_role("button", name="Next page").first


def _our_page(chromium: Browser, served: Served, root: Path, number: int, document: str) -> Page:
    name = person_name(number)
    page = signed_in_page(chromium, served, name)
    page.goto(f"{served.url}task?attempt={attempts_of(root, name)[0]}&document={document}&page=1")
    _button(page).wait_for()
    page.evaluate(_OURS)
    page.wait_for_timeout(1500)
    return page


def _reference_page(chromium: Browser, served: Served, number: int) -> Page:
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{served.url}?document={number}")
    page.locator("[data-testid=stImage] img").wait_for()
    page.evaluate(_REFERENCE)
    page.wait_for_timeout(1500)
    return page


@contextmanager
def _reference_app(documents: list[Path]) -> Iterator[Served]:
    """The reference under ``streamlit run`` with Streamlit's own settings."""
    port = free_port()
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
        "runner.postScriptGC": "true",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    script = str(Path(__file__).with_name("st_image_app.py"))
    with running(
        ["-m", "streamlit", "run", script, *flags, "--", *map(str, documents)],
        port,
        "/_stcore/health",
    ) as served:
        yield served
