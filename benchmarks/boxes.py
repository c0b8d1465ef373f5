"""Boxes in a real browser: until one is stored, what goes over the wire, and how frames keep up.

The mouse and the keys are Chromium's own input. The clock starts at the time stamp of the mouse's
release (or of the key) and stops when the screen shows that the server has acknowledged the event,
which it does after the commit. Five people draw about once a second each, on the default settings.
The reference is an empty request (``/healthz``) of the same pages in the same minute.

Frame times are the distances of ``requestAnimationFrame`` while a box is drawn, dragged and resized
on a page with 150 elements; beside them the main thread's work a frame. The reference is the same
gestures on a page without elements.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, Request

from benchmarks.box_frames import frames
from benchmarks.box_hands import at, drag, draw, handle, open_task, wait_saved, wait_until
from benchmarks.box_pages import FREE_FROM, box_workspace
from benchmarks.support import (
    Measurement,
    Served,
    attempts_of,
    browser,
    milliseconds,
    person_name,
    serving,
)
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace

SESSIONS = 5
DRAWN = 40
PAUSE_S = 1.0
EDITS = 300
EDITS_S = 60.0
TARGET_MS = 15
TARGET_P95_MS = 60
TARGET_BYTES = 1_000


def main() -> list[Measurement]:
    """Measures of five people at work, of frames, and of 300 edits in a minute."""
    with (
        box_workspace(SESSIONS + 1) as root,
        browser() as chromium,
        serving(root) as served,
    ):
        stored = _together(chromium, served, root)
        page = open_task(chromium, served, root, SESSIONS)
        smooth = frames(page)
        minute = _minute(page, root)
        page.context.close()
    return stored + smooth + minute


def _together(chromium: Browser, served: Served, root: Path) -> list[Measurement]:
    """Five people draw boxes; the first one's requests are weighed."""
    pages = [open_task(chromium, served, root, number) for number in range(SESSIONS)]
    sent: list[Request] = []
    pages[0].on(
        "requestfinished", lambda request: sent.append(request) if _is_event(request) else None
    )
    for turn in range(DRAWN):
        for page in pages:
            started = time.perf_counter()
            draw(page, 0.05 + 0.1 * (turn % 9), 0.05 + 0.1 * (turn // 9))
            wait_until(page, started + PAUSE_S / SESSIONS / 2)
            page.evaluate("trip()")
            wait_until(page, started + PAUSE_S / SESSIONS)
    acts, trips = [], []
    for page in pages:
        wait_saved(page)
        acts += [ms / 1000 for ms in page.evaluate("window.acts")]
        trips += [ms / 1000 for ms in page.evaluate("window.trips")]
    if len(acts) != DRAWN * SESSIONS:
        raise SystemExit(f"{len(acts)} of {DRAWN * SESSIONS} boxes were acknowledged one by one.")
    weights = [_weights(request) for request in sent if _is_box(request)]
    for page in pages:
        page.context.close()
    middle, tail = milliseconds(acts)
    floor, floor_tail = milliseconds(trips)
    request, response, whole = (median(values) for values in zip(*weights, strict=True))
    largest = max(max(a, b) for a, b, _ in weights)
    return [
        Measurement(
            f"box drawn until stored, {SESSIONS} sessions",
            middle,
            "ms",
            TARGET_MS,
            reference=("empty request", floor),
        ),
        Measurement("… p95", tail, "ms", TARGET_P95_MS, reference=("empty request", floor_tail)),
        Measurement("request of a box: body and our headers", request, "bytes", TARGET_BYTES),
        Measurement("response to it, all of it", response, "bytes", TARGET_BYTES),
        Measurement("the larger of the two, at most", largest, "bytes", TARGET_BYTES),
        Measurement("request with the browser's own headers", whole, "bytes"),
    ]


def _minute(page: Page, root: Path) -> list[Measurement]:
    """Edits of six kinds at an even pace among the elements; all of them must be in the log."""
    attempt = attempts_of(root, person_name(SESSIONS))[0]
    before = _stored_edits(root, attempt)
    page.evaluate("forget()")
    started = time.perf_counter()
    low = FREE_FROM + 0.03
    x, y = at(page, 0.1, low)
    steps: list[Callable[[], None]] = [
        lambda: drag(page, (x, y), (90, 40), steps=3, wait=0),
        lambda: page.keyboard.press("2"),
        lambda: drag(page, (x + 45, y + 20), (60, 10), steps=3, wait=0),
        lambda: drag(page, handle(page), (20, 10), steps=3, wait=0),
        lambda: page.keyboard.press("Control+z"),
        lambda: page.keyboard.press("Delete"),
    ]
    for number in range(EDITS):
        steps[number % len(steps)]()
        if number % len(steps) == len(steps) - 1:
            page.keyboard.press("1")  # the next box's label; no box is chosen, so it is no edit
        wait_until(page, started + (number + 1) * EDITS_S / EDITS)
    seconds = time.perf_counter() - started
    wait_saved(page)
    stored = _stored_edits(root, attempt) - before
    middle, tail = milliseconds([ms / 1000 for ms in page.evaluate("window.acts")])
    return [
        Measurement(f"{EDITS} edits in {seconds:.0f} s: lost", EDITS - stored, "", 0),
        Measurement("… until stored", middle, "ms", TARGET_MS),
        Measurement("… p95", tail, "ms", TARGET_P95_MS),
    ]


def _stored_edits(root: Path, attempt: str) -> int:
    workspace = Workspace.open(root)
    events = list(SqlEventLog(workspace.engine).events(attempt))
    workspace.engine.dispose()
    return sum(event.type.startswith("box_") or event.type == "undone" for event in events)


def _is_event(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/events")


def _is_box(request: Request) -> bool:
    """Whether the request holds one box and nothing else."""
    events = (request.post_data_json or {}).get("events", [])
    return len(events) == 1 and events[0]["type"] == "box_drawn"


def _weights(request: Request) -> tuple[int, int, int]:
    """Bytes: request as far as it is ours, whole response, whole request."""
    sizes = request.sizes()
    headers = request.all_headers()
    ours = sum(
        len(f"{name}: {headers[name]}\r\n")
        for name in ("content-type", "x-pagetrail", "cookie")
        if name in headers
    )
    body = sizes["requestBodySize"]
    response = sizes["responseHeadersSize"] + sizes["responseBodySize"]
    return body + ours, response, body + sizes["requestHeadersSize"]
