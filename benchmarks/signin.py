"""The click on "Sign in" until the first question is painted, in a real browser.

The person comes by a deep link to a task, signs in, and sees its question. Each round is a browser
context of its own with an empty cache; the person takes as long to type as the sign-in page takes
to load with all that it fetches ahead (1–2 s). The last measure leaves no time for that: the form
is filled and sent the moment it is there. The reference is the same way through an empty Streamlit
page of the same server: what the framework alone takes.
"""

from __future__ import annotations

import time
from statistics import median
from urllib.parse import quote

from playwright.sync_api import Browser, Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    PASSWORD,
    RunningServer,
    attempts_of,
    browser,
    person_name,
    serving,
)

ROUNDS = 9
TARGET_S = 1.0
_PAINTED = """(node) => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(node.textContent)));
})"""


def measure(setup: Setup) -> list[Measurement]:
    """Measure the first sign-in after the server's start, and the ones after it."""
    root = setup.workspace()
    task = f"/task?attempt={attempts_of(root, person_name(0))[0]}"
    with browser() as chromium, serving(root) as server:
        first = _sign_in(chromium, server, task, "[data-testid=question]")
        sign_ins, frame, hurried = [], [], []
        for _ in range(ROUNDS):
            sign_ins.append(_sign_in(chromium, server, task, "[data-testid=question]"))
            frame.append(_sign_in(chromium, server, "/account", "[data-testid=stHeading]"))
            hurried.append(_sign_in(chromium, server, task, "[data-testid=question]", hurry=True))
        started = server.started_in_s
    bare = ("a plain Streamlit page", median(frame))
    return [
        Measurement("sign-in to first question", median(sign_ins), "s", TARGET_S, reference=bare),
        Measurement("… without a moment to type", median(hurried), "s", reference=bare),
        Measurement("… the first after the start", first, "s", reference=bare),
        Measurement("start of the server", started, "s"),
    ]


def _sign_in(
    chromium: Browser, server: RunningServer, next_path: str, selector: str, *, hurry: bool = False
) -> float:
    """Seconds from the click to the painted element."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    page: Page = context.new_page()
    page.goto(
        f"{server.url}pagetrail/login?next={quote(next_path, safe='')}",
        wait_until="domcontentloaded" if hurry else "networkidle",
    )
    page.fill("input[name=name]", person_name(0))
    page.fill("input[name=password]", PASSWORD)
    started = time.perf_counter()
    page.click("button[type=submit]", no_wait_after=True)
    element = page.locator(selector).first
    element.wait_for()
    if not element.evaluate(_PAINTED):
        raise SystemExit("The element is empty.")
    seconds = time.perf_counter() - started
    context.close()
    return seconds


BENCHMARK = Benchmark("signin", measure)
