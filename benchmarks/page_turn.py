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

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    RunningServer,
    attempts_of,
    browser,
    documents_to_turn,
    free_port,
    person_name,
    running,
    serving,
    signed_in_page,
)
from tests.e2e.support.browsers import wait_for

SESSIONS = 5
TURNS = 30
TURNS_OF_SEVERAL = 12
PAUSE_S = 0.5
PAUSE_OF_SEVERAL_S = 1.0
SETTLED_MS = 1_500
PATIENCE_MS = 10_000
LOST_ALLOWED = 3
TARGET_MS = 60
TARGET_P95_MS = 120

_RECORD_PAGETRAIL = """() => {
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
  const image = () => document.querySelector("[data-testid=stImage] img");
  window.addEventListener("click", (event) => {
    const before = image()?.src;
    window.turning = true;
    channel.port1.onmessage = () => {
      window.turns.push(performance.now() - event.timeStamp);
      window.turning = false;
    };
    const look = () => {
      const current = image();
      if (current && current.src !== before && current.complete && current.naturalWidth) {
        channel.port2.postMessage(null);
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, true);
}"""


def measure(setup: Setup) -> list[Measurement]:
    """Measure page turns with one session and with five."""
    root = setup.workspace()
    documents = documents_to_turn(root, SESSIONS + 1, TURNS + 1)
    with browser() as chromium:
        with serving(root) as server:
            pagetrail = _measure_turns(
                lambda number: _our_page(chromium, server, root, number, documents[number][0]), 0
            )
        with _reference_app([path for _, path in documents]) as server:
            reference = _measure_turns(
                lambda number: _reference_page(chromium, server, number), LOST_ALLOWED
            )
    return [
        Measurement.of_durations(
            f"page turn, {sessions} session{'s' if sessions > 1 else ''}",
            turns,
            target_ms=TARGET_MS,
            target_p95_ms=TARGET_P95_MS,
            reference=("st.image", reference_turns),
        )
        for sessions, turns, reference_turns in zip(
            (1, SESSIONS), pagetrail, reference, strict=True
        )
    ]


def _measure_turns(open_page: Callable[[int], Page], lost_allowed: int) -> tuple[list[float], ...]:
    """Seconds of each turn with one session, then with all of them active."""
    single_page = open_page(SESSIONS)
    one_session = _turn([single_page], TURNS, PAUSE_S, lost_allowed)
    single_page.context.close()
    pages = [open_page(number) for number in range(SESSIONS)]
    all_sessions = _turn(pages, TURNS_OF_SEVERAL, PAUSE_OF_SEVERAL_S, lost_allowed * SESSIONS)
    for page in pages:
        page.context.close()
    return one_session, all_sessions


def _turn(pages: list[Page], turns_each: int, pause_s: float, lost_allowed: int) -> list[float]:
    """Click "next page" on the pages in turn, with a pause between two clicks on the same one.

    Streamlit's own button loses a click now and then on a busy machine; such turns are left out of
    the reference's results.
    """
    pages[0].wait_for_timeout(SETTLED_MS)
    boxes = [_button(page).bounding_box() for page in pages]
    clicks = turns_each * len(pages)
    for turn in range(turns_each):
        for page, box in zip(pages, boxes, strict=True):
            assert box is not None
            if turn:
                _settle(page)
            started = time.perf_counter()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(
                max(0.0, pause_s / len(pages) - (time.perf_counter() - started)) * 1000
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
        wait_for(page, "() => !window.turning", timeout_ms=PATIENCE_MS)


def _button(page: Page) -> Locator:
    return page.get_by_role("button", name="Next page").first


def _our_page(
    chromium: Browser, server: RunningServer, root: Path, number: int, document: str
) -> Page:
    name = person_name(number)
    page = signed_in_page(chromium, server, name)
    page.goto(f"{server.url}task?attempt={attempts_of(root, name)[0]}&document={document}&page=1")
    _button(page).wait_for()
    page.evaluate(_RECORD_PAGETRAIL)
    return page


def _reference_page(chromium: Browser, server: RunningServer, number: int) -> Page:
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{server.url}?document={number}")
    page.locator("[data-testid=stImage] img").wait_for()
    page.evaluate(_REFERENCE)
    return page


@contextmanager
def _reference_app(documents: list[Path]) -> Iterator[RunningServer]:
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
    ) as server:
        yield server


BENCHMARK = Benchmark("page_turn", measure)
