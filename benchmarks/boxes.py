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

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pymupdf
from playwright.sync_api import Browser, Page, Request

from benchmarks.harness import Benchmark, Measurement, Setup, p95
from benchmarks.support import (
    PASSWORD,
    RunningServer,
    attempts_of,
    browser,
    person_name,
    serving,
    signed_in_page,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.browsers import wait_for

DOCUMENT = "dense.pdf"
WIDTH, HEIGHT = 595, 842
ELEMENTS = 150
BARE, DENSE = 1, 2
FREE_FROM = 0.74
"""The part of the page's height below which there is no element: room to draw."""

_COLUMNS, _PITCH = 3, 12
STEPS = 80
STEP_MS = 12
PATIENCE_MS = 20_000
SESSIONS = 5
BOXES_PER_PERSON = 40
PAUSE_S = 1.0
EDITS = 300
EDITS_S = 60.0
TARGET_MS = 15
TARGET_P95_MS = 60
TARGET_BYTES = 1_000
FRAME_ROUNDS = 3
FRAME_TARGET_MS = 34

# Notes for each act when the screen says it is saved, how long its mouse-up took, and frames.
_WATCH = """() => {
  const EDITING = ["2", "z", "Delete"];
  window.acts = [];
  window.trips = [];
  window.handled = [];
  let since = null;
  let began = 0;
  window.addEventListener("pointerup", (event) => {
    since ??= event.timeStamp;
    began = performance.now();
  }, true);
  window.addEventListener("pointerup", () => window.handled.push(performance.now() - began));
  window.addEventListener("keydown", (event) => {
    if (EDITING.includes(event.key)) since ??= event.timeStamp;
  }, true);
  const find = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.dataset.testid === "saved") return node;
      const below = node.shadowRoot && find(node.shadowRoot);
      if (below) return below;
    }
    return null;
  };
  const saved = find(document);
  let busy = false;
  new MutationObserver(() => {
    const now = saved.classList.contains("busy");
    if (busy && !now && since !== null) {
      window.acts.push(performance.now() - since);
      since = null;
    }
    busy = now;
  }).observe(saved, { attributes: true, attributeFilter: ["class"] });
  window.trip = async () => {
    const started = performance.now();
    await (await fetch("/healthz", { cache: "no-store" })).text();
    window.trips.push(performance.now() - started);
  };
  window.forget = () => {
    since = null;
    window.acts.length = 0;
    window.handled.length = 0;
  };
  window.frames = () => {
    const stamps = [];
    let on = true;
    const tick = (now) => {
      stamps.push(now);
      if (on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    window.framesDone = () => {
      on = false;
      return stamps.slice(1).map((now, i) => now - stamps[i]);
    };
  };
}"""


def measure(_setup: Setup) -> list[Measurement]:
    """Measure five people at work, frames, and 300 edits in a minute."""
    with (
        box_workspace(SESSIONS + 1) as root,
        browser() as chromium,
        serving(root) as server,
    ):
        stored = measure_sessions(chromium, server, root)
        page = open_task(chromium, server, root, SESSIONS)
        smooth = measure_frames(page)
        minute = _minute(page, root)
        page.context.close()
    return stored + smooth + minute


def measure_sessions(chromium: Browser, server: RunningServer, root: Path) -> list[Measurement]:
    """Five people draw boxes; the first one's requests are weighed."""
    pages = [open_task(chromium, server, root, number) for number in range(SESSIONS)]
    sent: list[Request] = []
    pages[0].on(
        "requestfinished", lambda request: sent.append(request) if _is_event(request) else None
    )
    for turn in range(BOXES_PER_PERSON):
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
    if len(acts) != BOXES_PER_PERSON * SESSIONS:
        raise SystemExit(
            f"{len(acts)} of {BOXES_PER_PERSON * SESSIONS} boxes were acknowledged one by one."
        )
    weights = [_weights(request) for request in sent if _is_box(request)]
    for page in pages:
        page.context.close()
    request, response, complete = (median(values) for values in zip(*weights, strict=True))
    largest = max(max(a, b) for a, b, _ in weights)
    return [
        Measurement.of_durations(
            f"box drawn until stored, {SESSIONS} sessions",
            acts,
            target_ms=TARGET_MS,
            target_p95_ms=TARGET_P95_MS,
            reference=("empty request", trips),
        ),
        Measurement("request of a box: body and our headers", request, "bytes", TARGET_BYTES),
        Measurement("response to it", response, "bytes", TARGET_BYTES),
        Measurement("the larger of the two, at most", largest, "bytes", TARGET_BYTES),
        Measurement("request with the browser's own headers", complete, "bytes"),
    ]


def _minute(page: Page, root: Path) -> list[Measurement]:
    """Edits of six kinds at an even pace among the elements; all of them must be in the log."""
    attempt = attempts_of(root, person_name(SESSIONS))[0]
    before = _stored_edits(root, attempt)
    page.evaluate("forget()")
    started = time.perf_counter()
    low = FREE_FROM + 0.03
    x, y = point(page, 0.1, low)
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
    return [
        Measurement(f"{EDITS} edits in {seconds:.0f} s: lost", EDITS - stored, "", 0),
        Measurement.of_durations(
            "… until stored",
            [ms / 1000 for ms in page.evaluate("window.acts")],
            target_ms=TARGET_MS,
            target_p95_ms=TARGET_P95_MS,
        ),
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
    own_headers = sum(
        len(f"{name}: {headers[name]}\r\n")
        for name in ("content-type", "x-pagetrail", "cookie")
        if name in headers
    )
    body = sizes["requestBodySize"]
    response = sizes["responseHeadersSize"] + sizes["responseBodySize"]
    return body + own_headers, response, body + sizes["requestHeadersSize"]


@dataclass(frozen=True)
class Frames:
    """Milliseconds: distances of frames, the main thread's work a frame, and at mouse-up."""

    deltas: list[float]
    main_thread_ms: float
    release: float


def measure_frames(page: Page) -> list[Measurement]:
    """Drawing, dragging and resizing among the elements and without them."""
    bare = _gestures(page)
    page.get_by_role("button", name="Next page").first.click()
    painted(page, DENSE)
    page.get_by_test_id("box").nth(ELEMENTS - 1).wait_for(state="attached")
    page.wait_for_timeout(1_000)
    dense = _gestures(page)
    return [
        measurement for kind in dense for measurement in _compare(kind, dense[kind], bare[kind])
    ]


def _compare(kind: str, dense: Frames, bare: Frames) -> list[Measurement]:
    """The measures of one kind of gesture, with the page without elements as reference."""
    reference = "without elements"
    return [
        Measurement(
            f"frame while {kind}, {ELEMENTS} elements",
            median(dense.deltas),
            "ms",
            reference=(reference, median(bare.deltas)),
            p95=p95(dense.deltas),
            target_p95=FRAME_TARGET_MS,
        ),
        Measurement(
            "… main thread per frame",
            dense.main_thread_ms,
            "ms",
            reference=(reference, bare.main_thread_ms),
        ),
        Measurement("… and at mouse-up", dense.release, "ms", reference=(reference, bare.release)),
    ]


def _gestures(page: Page) -> dict[str, Frames]:
    """Frames of each kind of gesture, over several rounds; the page is left as it was."""
    frames: dict[str, list[Frames]] = {"drawing": [], "dragging": [], "resizing": []}
    low = FREE_FROM + 0.02
    for _ in range(FRAME_ROUNDS):
        start, inside = point(page, 0.1, low), point(page, 0.12, low + 0.02)
        frames["drawing"].append(_frames_of_gesture(page, start, (160, 60)))
        frames["dragging"].append(_frames_of_gesture(page, inside, (150, 20)))
        frames["resizing"].append(_frames_of_gesture(page, handle(page), (40, 30)))
        page.keyboard.press("Delete")
        wait_saved(page)
    return {
        kind: Frames(
            [delta for gesture in rounds for delta in gesture.deltas],
            median(gesture.main_thread_ms for gesture in rounds),
            median(gesture.release for gesture in rounds),
        )
        for kind, rounds in frames.items()
    }


def _frames_of_gesture(page: Page, start: tuple[float, float], by: tuple[float, float]) -> Frames:
    """Frames of one gesture."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    page.evaluate("frames()")
    before = _task_s(cdp.send("Performance.getMetrics"))
    drag(page, start, by)
    after = _task_s(cdp.send("Performance.getMetrics"))
    deltas: list[float] = page.evaluate("framesDone()")
    release: float = page.evaluate("window.handled.at(-1)")
    cdp.detach()
    return Frames(deltas, (after - before) * 1000 / max(1, len(deltas)), release)


def _task_s(metrics: Any) -> float:
    return float(next(m["value"] for m in metrics["metrics"] if m["name"] == "TaskDuration"))


def open_task(chromium: Browser, server: RunningServer, root: Path, number: int) -> Page:
    """A person's task at the page without elements, with the box tool in hand."""
    name = person_name(number)
    page = signed_in_page(chromium, server, name)
    page.goto(f"{server.url}task?attempt={attempts_of(root, name)[0]}")
    painted(page, BARE)
    page.get_by_test_id("fit-page").click()
    page.get_by_test_id("tool-box").click()
    page.wait_for_timeout(1_500)
    page.evaluate(_WATCH)
    return page


def painted(page: Page, number: int) -> None:
    """Wait until that page's image is in the viewer."""
    region = page.get_by_role("region", name=f"Page {number} of {DOCUMENT}", exact=True)
    region.locator("canvas").wait_for()


def point(page: Page, across: float, down: float) -> tuple[float, float]:
    """A point of the page image, by its shares of width and height, client pixels."""
    box = page.get_by_test_id("page-pane").locator("canvas").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def handle(page: Page) -> tuple[float, float]:
    """The lower right handle of the chosen box."""
    box = page.locator("[data-testid=box-handle][data-edge=se]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def draw(page: Page, across: float, down: float) -> None:
    """A small box, its upper left corner at these shares of width and height."""
    drag(page, point(page, across, down), (30, 20), steps=4, wait=0)


def drag(
    page: Page,
    start: tuple[float, float],
    by: tuple[float, float],
    *,
    steps: int = STEPS,
    wait: float = STEP_MS,
) -> None:
    """Press, move step by step, let go."""
    mouse = page.mouse
    mouse.move(*start)
    mouse.down()
    for step in range(1, steps + 1):
        mouse.move(start[0] + by[0] * step / steps, start[1] + by[1] * step / steps)
        if wait:
            page.wait_for_timeout(wait)
    mouse.up()


def wait_saved(page: Page) -> None:
    """Until the screen says that everything is stored."""
    wait_for(
        page,
        "(node) => !node.classList.contains('busy')",
        page.get_by_test_id("saved").element_handle(),
        PATIENCE_MS,
    )


def wait_until(page: Page, deadline: float) -> None:
    """Wait until a value of ``time.perf_counter``; the browser goes on meanwhile."""
    page.wait_for_timeout(max(0.0, deadline - time.perf_counter()) * 1000)


@contextmanager
def box_workspace(people: int) -> Iterator[Path]:
    """A workspace whose people have one task each: verifying the elements of two pages."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder)
        workspace = Workspace.create(root / "ws")
        (root / "pdfs").mkdir()
        _write_document(root / "pdfs" / DOCUMENT)
        ingest(workspace, [root / "pdfs"], ocr="never", workers=1)
        ensure_index(workspace)
        for number in range(people):
            add_user(workspace, person_name(number), "annotator", PASSWORD)
        task = {
            "id": "t1",
            "question": "Are these the elements of the page?",
            "candidates": [{"document": DOCUMENT, "page": page} for page in (BARE, DENSE)],
            "elements": [_element(number) for number in range(ELEMENTS)],
        }
        tasks = root / "tasks.jsonl"
        tasks.write_text(json.dumps(task), encoding="utf-8")
        import_tasks(workspace, tasks, campaign="Boxes", protocol="verify", overlap=people, seed=7)
        services = Services(workspace)
        for number in range(people):
            person = find_person(workspace, person_name(number))
            for row in my_batches.assignments(workspace.engine, person.id):
                open_assignment(services, person, row.assignment_id)
        workspace.engine.dispose()
        yield root / "ws"


def _position(number: int) -> tuple[int, int]:
    return 40 + 175 * (number % _COLUMNS), 20 + _PITCH * (number // _COLUMNS)


def _element(number: int) -> dict[str, object]:
    x, y = _position(number)
    return {
        "id": f"line-{number}",
        "document": DOCUMENT,
        "page": DENSE,
        "rect": [x, y, x + 160, y + _PITCH - 2],
        "label": ("Text", "Table", "Picture")[number % 3],
        "content": f"What the model read in line {number}. ".ljust(200, "x"),
        "order": number + 1,
    }


def _write_document(path: Path) -> None:
    document = pymupdf.open()
    for _ in (BARE, DENSE):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        for number in range(ELEMENTS):
            x, y = _position(number)
            page.insert_text((x + 2, y + 8), f"entry {number} of the long list", fontsize=7)
    document.save(path)
    document.close()


BENCHMARK = Benchmark("boxes", measure)
