"""The dashboard and the queue of review over a large campaign, in a real browser.

A campaign of 100 annotators and 20,000 attempts is generated, compared and looked at by a
supervisor; a second, small one is there to switch to. *First paint* is from the request of a page
in a signed-in browser until its numbers (or the first rows of the queue) are painted, on a server
that has shown neither yet; *again* is the same with the server warm. An *interaction* is from the
click until the numbers that belong to it are painted. The reference is the same way through a plain
Streamlit page of the same server: what the framework alone takes.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect

from benchmarks.big_campaign import OVERLAP, SUPERVISOR, Size, add_campaign, big_workspace
from benchmarks.harness import Benchmark, Measurement, Setup, duration
from benchmarks.support import CAMPAIGN, RunningServer, browser, serving, signed_in_page
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.progress.agreement import agreement_so_far
from pagetrail.annotation.progress.summary import lines, review_counts
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from pagetrail.storage.review.actions import Reviews
from pagetrail.storage.review.projection import refresh

SIZE = Size()
OTHER = "A second campaign"
PAINT_S = 2.0
CLICK_MS = 500
QUERIES_S = 1.0
ROUNDS = 5
PATIENCE_MS = 60_000
TABS = {
    "Progress by annotator": "people that are furthest behind",
    "Time": "quickest and the",
    "Agreement": "Points are values",
    "Progress": "batches that are furthest behind",
}
"""Each with words below its chart, which are drawn after it."""
_PAINTED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
})"""


def measure(_setup: Setup) -> list[Measurement]:
    """Measure generating and comparing, the queries alone, and both screens."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / "ws"
        measurements = _prepare(root)
        measurements += _queries(root)
        with browser() as chromium, serving(root) as server:
            measurements += _screens(chromium, server)
        return measurements


def _prepare(root: Path) -> list[Measurement]:
    """The workspace, and how long it took."""
    started = time.perf_counter()
    workspace = big_workspace(root, SIZE)
    add_campaign(workspace, OTHER, Size(annotators=100, tasks=300, seed=9))
    generated = time.perf_counter() - started
    started = time.perf_counter()
    refresh(workspace.engine)
    compared_s = (time.perf_counter() - started) / (SIZE.tasks + 300)
    log = SqlEventLog(workspace.engine)
    reviews = Reviews(workspace, Recorder(log, Corpus(workspace), SystemClock()))
    started = time.perf_counter()
    accepted = sum(
        reviews.acceptance.settle(dashboard.campaign_of(workspace.engine, name).id)
        for name in (CAMPAIGN, OTHER)
    )
    accepted_s = (time.perf_counter() - started) / max(1, accepted)
    workspace.engine.dispose()
    return [
        Measurement("generating two campaigns", generated, "s"),
        Measurement("comparing one changed task", compared_s * 1000, "ms"),
        Measurement("accepting one agreed task", accepted_s * 1000, "ms"),
    ]


def _queries(root: Path) -> list[Measurement]:
    """Everything that the dashboard works out, without a screen, nothing kept."""
    workspace = Workspace.open(root)
    engine = workspace.engine
    campaign = dashboard.campaign_of(engine, CAMPAIGN)

    def count_everything() -> None:
        dashboard.data_version(engine, campaign.id)
        slots = dashboard.work_of(engine, campaign.id)
        for by in ("all", "batch", "person"):
            lines(slots, time.time(), by)
        review_counts(slots)
        flagged_attempts(engine, campaign.id)

    def agreement() -> None:
        parts = [(task.task, task.parts) for task in agreement_inputs.parts_of(engine, campaign.id)]
        agreement_so_far(campaign.protocol, parts, agreement_inputs.reads_of(engine, campaign.id))

    measurements = [
        Measurement(
            "dashboard: all counts, 20,000 attempts", _median(count_everything), "s", QUERIES_S
        ),
        Measurement("… agreement with intervals", _median(agreement), "s"),
    ]
    workspace.engine.dispose()
    return measurements


def _median(act: Callable[[], None]) -> float:
    """Seconds, the median of a few rounds."""
    return median(duration(act) for _ in range(ROUNDS))


def _screens(chromium: Browser, server: RunningServer) -> list[Measurement]:
    page = signed_in_page(chromium, server, SUPERVISOR)
    page.wait_for_load_state("networkidle")
    plain = [_open(page, server, "account", _wait_for_heading) for _ in range(ROUNDS)]
    measurements = []
    for name, path, wait in (
        ("dashboard", "progress", _wait_for_numbers),
        ("queue", "review", _wait_for_rows),
    ):
        first = _open(page, server, path, wait)
        repeats = [_open(page, server, path, wait) for _ in range(ROUNDS)]
        bare = ("a plain Streamlit page", median(plain))
        measurements += [
            Measurement(f"{name}: first paint", first, "s", PAINT_S, reference=bare),
            Measurement("… again", median(repeats), "s", PAINT_S, reference=bare),
        ]
    measurements += _dashboard_clicks(page, server)
    measurements += _queue_clicks(page, server)
    page.context.close()
    return measurements


def _open(page: Page, server: RunningServer, path: str, wait: Callable[[Page], None]) -> float:
    """Seconds from the request until what counts is painted."""
    page.goto("about:blank")
    started = time.perf_counter()
    page.goto(f"{server.url}{path}", wait_until="commit")
    wait(page)
    page.evaluate(_PAINTED)
    return time.perf_counter() - started


def _wait_for_heading(page: Page) -> None:
    page.get_by_test_id("stHeading").first.wait_for()


def _wait_for_numbers(page: Page) -> None:
    """All tiles, and the first chart drawn."""
    expect(page.get_by_test_id("stMetric")).to_have_count(8, timeout=PATIENCE_MS)
    page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)").first.wait_for()


def _wait_for_rows(page: Page) -> None:
    """The table of the queue."""
    page.get_by_test_id("stDataFrame").first.wait_for()


def _dashboard_clicks(page: Page, server: RunningServer) -> list[Measurement]:
    _open(page, server, "progress", _wait_for_numbers)
    completed = page.get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    times: dict[str, list[float]] = {}

    def act(name: str, click: Callable[[], None], wait: Callable[[], None]) -> None:
        started = time.perf_counter()
        click()
        wait()
        page.evaluate(_PAINTED)
        times.setdefault(name, []).append(time.perf_counter() - started)

    def counts(words: str) -> Callable[[], None]:
        return lambda: expect(completed).to_have_text(re.compile(words), timeout=PATIENCE_MS)

    all_slots = rf"of {SIZE.tasks * OVERLAP:,}$"
    for number in range(ROUNDS):
        batch, person = f"Batch {10 + number:03}", f"a{20 + number:03}"
        act("a batch", _pick(page, "Batch", batch), counts(r"of 75$"))
        act("all batches", _clear(page, "Batch"), counts(all_slots))
        act("an annotator", _pick(page, "Annotator", person), counts(r"of [12]\d\d$"))
        act("all annotators", _clear(page, "Annotator"), counts(all_slots))
        act("another campaign", _pick(page, "Campaign", OTHER), counts(r"of 900$"))
        act("back to the campaign", _pick(page, "Campaign", CAMPAIGN), counts(all_slots))
        for tab, words in TABS.items():
            caption = page.get_by_text(words).first
            button = page.get_by_role("tab", name=tab, exact=True)
            act(f"tab “{tab}”", button.click, caption.wait_for)
    return [
        Measurement(f"dashboard: {name}", median(seconds) * 1000, "ms", CLICK_MS)
        for name, seconds in times.items()
    ]


def _queue_clicks(page: Page, server: RunningServer) -> list[Measurement]:
    """Filters of the queue: from the click until the running mark has come and gone."""
    _open(page, server, "review", _wait_for_rows)
    durations = []
    for number in range(ROUNDS):
        pick = _pick(page, "Annotator", f"a{20 + number:03}")
        started = time.perf_counter()
        pick()
        expect(page).to_have_url(re.compile(rf"who=a{20 + number:03}"), timeout=PATIENCE_MS)
        _wait_for_script(page)
        durations.append(time.perf_counter() - started)
        _clear(page, "Annotator")()
        _wait_for_script(page)
    return [Measurement("queue: an annotator", median(durations) * 1000, "ms", CLICK_MS)]


def _wait_for_script(page: Page) -> None:
    """Streamlit says itself that no script runs any more."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.evaluate(_PAINTED)


def _pick(page: Page, label: str, option: str) -> Callable[[], None]:
    """Open the list and type; what is left is the key that chooses."""
    field = page.get_by_role("combobox", name=label)
    field.click()
    field.fill(option)
    page.get_by_role("option", name=option, exact=True).wait_for()
    return lambda: field.press("Enter")


def _clear(page: Page, label: str) -> Callable[[], None]:
    box = page.get_by_test_id("stSelectbox").filter(has_text=label)
    return box.get_by_role("button", name="Clear").click


BENCHMARK = Benchmark("dashboard", measure)
