"""Frame times while a box is drawn, dragged and resized, with 150 elements and without."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from playwright.sync_api import Page

from benchmarks.box_hands import at, drag, handle, painted, wait_saved
from benchmarks.box_pages import DENSE, ELEMENTS, FREE_FROM
from benchmarks.support import Measurement, p95

ROUNDS = 3
TARGET_MS = 34


@dataclass(frozen=True)
class Frames:
    """Milliseconds: distances of frames, the main thread's work a frame, and at mouse-up."""

    deltas: list[float]
    work: float
    release: float


def frames(page: Page) -> list[Measurement]:
    """Drawing, dragging and resizing among the elements and without them."""
    bare = _gestures(page)
    page.get_by_role("button", name="Next page").first.click()
    painted(page, DENSE)
    page.get_by_test_id("box").nth(ELEMENTS - 1).wait_for(state="attached")
    page.wait_for_timeout(1_000)
    dense = _gestures(page)
    return [measurement for kind in dense for measurement in _beside(kind, dense[kind], bare[kind])]


def _beside(kind: str, own: Frames, bare: Frames) -> list[Measurement]:
    """The measures of one kind of gesture, each with the page without elements as reference."""
    without = "without elements"
    values = (
        (f"frame while {kind}, {ELEMENTS} elements", median(own.deltas), median(bare.deltas)),
        ("… p95", p95(own.deltas), p95(bare.deltas)),
        ("… main thread a frame", own.work, bare.work),
        ("… and at mouse-up", own.release, bare.release),
    )
    return [
        Measurement(
            name, value, "ms", TARGET_MS if "p95" in name else None, reference=(without, other)
        )
        for name, value, other in values
    ]


def _gestures(page: Page) -> dict[str, Frames]:
    """Frames of each kind of gesture, over several rounds; the page is left as it was."""
    found: dict[str, list[Frames]] = {"drawing": [], "dragging": [], "resizing": []}
    low = FREE_FROM + 0.02
    for _ in range(ROUNDS):
        start, inside = at(page, 0.1, low), at(page, 0.12, low + 0.02)
        found["drawing"].append(_measured(page, start, (160, 60)))
        found["dragging"].append(_measured(page, inside, (150, 20)))
        found["resizing"].append(_measured(page, handle(page), (40, 30)))
        page.keyboard.press("Delete")
        wait_saved(page)
    return {
        kind: Frames(
            [delta for one in rounds for delta in one.deltas],
            median(one.work for one in rounds),
            median(one.release for one in rounds),
        )
        for kind, rounds in found.items()
    }


def _measured(page: Page, start: tuple[float, float], by: tuple[float, float]) -> Frames:
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
