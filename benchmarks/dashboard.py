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
from benchmarks.support import CAMPAIGN, Measurement, Served, browser, serving, signed_in_page
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.progress.agreement import agreement_so_far
from pagetrail.annotation.progress.summary import lines, review_counts
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.flagged_attempts import notable
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


def main() -> list[Measurement]:
    """Generating, comparing, the queries alone, and both screens."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / "ws"
        measurements = _prepare(root)
        measurements += _queries(root)
        with browser() as chromium, serving(root) as served:
            measurements += _screens(chromium, served)
        return measurements


def _prepare(root: Path) -> list[Measurement]:
    """The workspace, and how long it took."""
    started = time.perf_counter()
    workspace = big_workspace(root, SIZE)
    add_campaign(workspace, OTHER, Size(annotators=100, tasks=300, seed=9))
    generated = time.perf_counter() - started
    started = time.perf_counter()
    refresh(workspace.engine)
    each = (time.perf_counter() - started) / (SIZE.tasks + 300)
    log = SqlEventLog(workspace.engine)
    reviews = Reviews(workspace, Recorder(log, Corpus(workspace), SystemClock()))
    started = time.perf_counter()
    accepted = sum(
        reviews.settle(dashboard.campaign_of(workspace.engine, name).id)
        for name in (CAMPAIGN, OTHER)
    )
    settled = (time.perf_counter() - started) / max(1, accepted)
    workspace.engine.dispose()
    return [
        Measurement("generating two campaigns", generated, "s"),
        Measurement("comparing one changed task", each * 1000, "ms"),
        Measurement("accepting one agreed task", settled * 1000, "ms"),
    ]


def _queries(root: Path) -> list[Measurement]:
    """Everything that the dashboard works out, without a screen, nothing kept."""
    workspace = Workspace.open(root)
    engine = workspace.engine
    campaign = dashboard.campaign_of(engine, CAMPAIGN)

    def measurements() -> None:
        dashboard.moment(engine, campaign.id)
        work = dashboard.work_of(engine, campaign.id)
        for by in ("all", "batch", "person"):
            lines(work, time.time(), by)
        review_counts(work)
        notable(engine, campaign.id)

    def agreement() -> None:
        parts = [(task.task, task.parts) for task in agreement_inputs.parts_of(engine, campaign.id)]
        agreement_so_far(campaign.protocol, parts, agreement_inputs.reads_of(engine, campaign.id))

    found = [
        Measurement(
            "dashboard: all counts, 20,000 attempts", _median(measurements), "s", QUERIES_S
        ),
        Measurement("… agreement with intervals", _median(agreement), "s"),
    ]
    workspace.engine.dispose()
    return found


def _median(act: Callable[[], None]) -> float:
    """Seconds, the median of a few rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        act()
        taken.append(time.perf_counter() - started)
    return median(taken)


def _screens(chromium: Browser, served: Served) -> list[Measurement]:
    page = signed_in_page(chromium, served, SUPERVISOR)
    page.wait_for_load_state("networkidle")
    plain = [_open(page, served, "account", _heading) for _ in range(ROUNDS)]
    found = []
    for name, path, there in (("dashboard", "progress", _measurements), ("queue", "review", _rows)):
        first = _open(page, served, path, there)
        again = [_open(page, served, path, there) for _ in range(ROUNDS)]
        bare = ("a plain Streamlit page", median(plain))
        found += [
            Measurement(f"{name}: first paint", first, "s", PAINT_S, reference=bare),
            Measurement("… again", median(again), "s", PAINT_S, reference=bare),
        ]
    found += _dashboard_clicks(page, served)
    found += _queue_clicks(page, served)
    page.context.close()
    return found


def _open(page: Page, served: Served, path: str, there: Callable[[Page], None]) -> float:
    """Seconds from the request until what counts is painted."""
    page.goto("about:blank")
    started = time.perf_counter()
    page.goto(f"{served.url}{path}", wait_until="commit")
    there(page)
    page.evaluate(_PAINTED)
    return time.perf_counter() - started


def _heading(page: Page) -> None:
    page.get_by_test_id("stHeading").first.wait_for()


def _measurements(page: Page) -> None:
    """All tiles, and the first chart drawn."""
    expect(page.get_by_test_id("stMetric")).to_have_count(8, timeout=PATIENCE_MS)
    page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)").first.wait_for()


def _rows(page: Page) -> None:
    """The table of the queue."""
    page.get_by_test_id("stDataFrame").first.wait_for()


def _dashboard_clicks(page: Page, served: Served) -> list[Measurement]:
    _open(page, served, "progress", _measurements)
    done = page.get_by_text(re.compile(r"^[\d,]+ of [\d,]+$")).first
    times: dict[str, list[float]] = {}

    def act(name: str, click: Callable[[], None], seen: Callable[[], None]) -> None:
        started = time.perf_counter()
        click()
        seen()
        page.evaluate(_PAINTED)
        times.setdefault(name, []).append(time.perf_counter() - started)

    def counts(words: str) -> Callable[[], None]:
        return lambda: expect(done).to_have_text(re.compile(words), timeout=PATIENCE_MS)

    every = rf"of {SIZE.tasks * OVERLAP:,}$"
    for number in range(ROUNDS):
        batch, person = f"Batch {10 + number:03}", f"a{20 + number:03}"
        act("a batch", _pick(page, "Batch", batch), counts(r"of 75$"))
        act("all batches", _clear(page, "Batch"), counts(every))
        act("an annotator", _pick(page, "Annotator", person), counts(r"of [12]\d\d$"))
        act("all annotators", _clear(page, "Annotator"), counts(every))
        act("another campaign", _pick(page, "Campaign", OTHER), counts(r"of 900$"))
        act("back to the campaign", _pick(page, "Campaign", CAMPAIGN), counts(every))
        for tab, said in TABS.items():
            caption = page.get_by_text(said).first
            way = page.get_by_role("tab", name=tab, exact=True)
            act(f"tab “{tab}”", way.click, caption.wait_for)
    return [
        Measurement(f"dashboard: {name}", median(taken) * 1000, "ms", CLICK_MS)
        for name, taken in times.items()
    ]


def _queue_clicks(page: Page, served: Served) -> list[Measurement]:
    """Filters of the queue: from the click until the running mark has come and gone."""
    _open(page, served, "review", _rows)
    taken = []
    for number in range(ROUNDS):
        pick = _pick(page, "Annotator", f"a{20 + number:03}")
        started = time.perf_counter()
        pick()
        expect(page).to_have_url(re.compile(rf"who=a{20 + number:03}"), timeout=PATIENCE_MS)
        _settled(page)
        taken.append(time.perf_counter() - started)
        _clear(page, "Annotator")()
        _settled(page)
    return [Measurement("queue: an annotator", median(taken) * 1000, "ms", CLICK_MS)]


def _settled(page: Page) -> None:
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
