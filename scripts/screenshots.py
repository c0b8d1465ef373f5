"""Take the screenshots of docs/images from a fresh demo: ``python -m scripts.screenshots``."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from benchmarks.support import RunningServer, browser, serving
from pagetrail.app.demo.build import CAMPAIGN, PASSWORD, build_demo
from pagetrail.app.demo.campaigns import build
from pagetrail.app.demo.campaigns.pilot import PILOT
from pagetrail.app.reviewing.queue_address import ALL_CAMPAIGNS
from tests.e2e.support.browsers import SIZE, wait_for
from tests.e2e.support.readiness import click_verdict, wait_until_judgeable

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Build and serve a demo, and take the screenshots as each of its people."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        build_demo(root, print)
        with serving(root) as server, browser() as chromium:
            shoot_practice(chromium, server)
            shoot_annotator(chromium, server)
            shoot_kinds(chromium, server)
            shoot_supervisor(chromium, server)
        shoot_single_sign_on(root)


def shoot_single_sign_on(root: Path) -> None:
    """The sign-in page of a server that knows an organisation's service."""
    service = {
        "PAGETRAIL_OIDC_ISSUER": "https://id.example.org",
        "PAGETRAIL_OIDC_CLIENT_ID": "pagetrail",
        "PAGETRAIL_OIDC_NAME": "Riverside University",
        "PAGETRAIL_OIDC_ANNOTATORS": "*",
    }
    with patch.dict(os.environ, service), serving(root) as server, browser() as chromium:
        page = chromium.new_context(viewport=SIZE).new_page()
        page.goto(server.url)
        page.get_by_role("link", name="Riverside University").wait_for()
        save(page, "single-sign-on")


def shoot_annotator(chromium: Browser, server: RunningServer) -> None:
    page = sign_in(chromium, server, "bruno")
    page.get_by_role("button", name="See returned tasks").first.wait_for()
    save(page, "batches")
    page.get_by_role("button", name="See returned tasks").first.click()
    page.get_by_test_id("comment").first.wait_for()
    painted(page)
    save(page, "sent-back")
    page.goto(server.url)
    page.get_by_role("button", name="Start").first.click()
    question(page).wait_for()
    while "burst mains" not in question(page).inner_text():
        before = question(page).inner_text()
        page.keyboard.press("Control+ArrowRight")
        expect(question(page)).not_to_have_text(before)
    search(page, "burst mains")
    page.get_by_test_id("result").first.click()
    painted(page)
    if page.get_by_test_id("citation").count() == 0:
        page.get_by_test_id("cite").click()
    page.get_by_test_id("citation").first.wait_for()
    page.get_by_test_id("answer").fill("2022\n2084")
    page.get_by_test_id("saved").filter(has_text="Saved").wait_for()
    save(page, "task")
    page.get_by_test_id("submit").click()
    page.get_by_test_id("submit-dialog").wait_for()
    save(page, "submit")
    page.keyboard.press("Escape")
    page.get_by_test_id("help").click()
    page.get_by_role("dialog").wait_for()
    save(page, "keys")
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="dark")
    page.reload()
    question(page).wait_for()
    painted(page)
    save(page, "task-dark")


def shoot_practice(chromium: Browser, server: RunningServer) -> None:
    """The feedback on a practice task with one of two answers and one of two pages."""
    page = sign_in(chromium, server, "bruno")
    first = page.get_by_role("button", name="Answer from the evidence pages").first
    first.wait_for()
    first.evaluate("button => button.scrollIntoView({ block: 'center' })")
    save(page, "practice-card")
    first.click()
    question(page).wait_for(timeout=120_000)
    painted(page)
    page.get_by_test_id("cite").click()
    page.get_by_test_id("answer").fill("ten years")
    page.get_by_test_id("submit").click()
    page.get_by_test_id("submit-dialog").get_by_role("button", name="Submit").first.click()
    page.get_by_text("was expected").first.wait_for()
    save(page, "practice")


def shoot_kinds(chromium: Browser, server: RunningServer) -> None:
    """One image per kind of task, of unfinished work."""
    page = sign_in(chromium, server, "bruno")
    for campaign, name in (
        (build.RELEVANCE, "relevance"),
        (build.VERIFY, "verify"),
        (build.CHARTS, "charts"),
        (build.TABLES, "tables"),
        (build.PATCHES, "patches"),
        (build.TEXTS, "texts"),
        (build.PAIRS, "review"),
        (build.AUTHOR, "author"),
        (build.JUDGE, "judge"),
        (build.TRAJECTORIES, "trajectory"),
        (build.BLIND, "author-blind"),
        (build.VARIANTS, "variants"),
        (PILOT, "feedback"),
    ):
        open_batch(page, campaign)
        SCENES[name](page)
        save(page, name)
        page.goto(server.url)


def open_batch(page: Page, campaign: str) -> None:
    """Open the campaign's first batch from My batches."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    row = page.locator("p", has=page.locator("strong", has_text=campaign)).filter(has_text="·")
    row.first.locator("xpath=following::button[1]").click()
    question(page).wait_for()


def grade(page: Page) -> None:
    """A relevant page with its grade, its modality and a box, in the first task that has one."""
    relevant = '[data-testid=film][data-grade="2"], [data-testid=film][data-grade="1"]'
    page.locator("[data-testid=film][data-grade]").first.wait_for()
    if page.locator(relevant).count() == 0:
        open_task_with(page, relevant)
    page.locator(relevant).first.click()
    painted(page)
    page.locator(".box-tag").first.click()


def open_task_with(page: Page, selector: str) -> None:
    """Go through the tasks of the batch until one has such an element.

    Raises:
        RuntimeError: no task has one.
    """
    for dot in page.get_by_test_id("task-dot").all():
        attempt = dot.get_attribute("data-attempt") or ""
        dot.click()
        page.wait_for_url(re.compile(re.escape(attempt)))
        page.locator("[data-testid=film][data-grade]").first.wait_for()
        if page.locator(selector).count():
            return
    raise RuntimeError(f"no task has {selector}")


def verify(page: Page) -> None:
    """Correct an element that the model got wrong."""
    painted(page)
    page.locator('[data-testid=element][data-verdict="corrected"]').first.click()


def read_chart(page: Page) -> None:
    """Accept one point, and correct one that the model misread: printed numbers are marked."""
    painted(page)
    rows = page.get_by_test_id("row")
    click_verdict(rows.nth(0).locator('[data-value="right"]'))
    rows.nth(1).locator('[data-column="value"]').fill("1790")
    click_verdict(rows.nth(1).locator('[data-value="corrected"]'))
    page.get_by_test_id("page-pane").evaluate("pane => pane.scrollTo(0, 330)")
    top(page, "field")
    rows.nth(1).locator('[data-column="value"]').evaluate(
        "input => input.focus({ preventScroll: true })"
    )
    page.get_by_test_id("printed-numbers").locator("rect").first.wait_for(state="attached")


def decide(page: Page) -> None:
    """Approve a change and go to the next one."""
    painted(page)
    click_verdict(page.get_by_test_id("row").first.locator('[data-value="approve"]'))
    top(page, "records")


def review(page: Page) -> None:
    """A source next to the response."""
    if page.get_by_test_id("film").count() == 0:
        click_verdict(page.locator('[data-testid=option][data-field="self_contained"]').first)
    page.get_by_test_id("film").first.click()
    painted(page)


def write(page: Page) -> None:
    """A question with a fault that the checks find."""
    search(page, "council tax")
    page.get_by_test_id("result").nth(2).click()
    painted(page)
    if page.get_by_test_id("citation").count() == 0:
        page.get_by_test_id("cite").click()
    page.get_by_test_id("answer").fill("2,058.09")
    page.get_by_test_id("question-input").fill("What does band D pay in this document?")
    page.locator('[data-testid=check][data-status="warning"]').first.wait_for()
    expect(page.get_by_test_id("checks-status")).to_have_text("up to date")
    top(page, "question-input")


def write_blind(page: Page) -> None:
    """A question from a summary, with the type and format that were drawn."""
    page.get_by_test_id("question-input").fill("burst mains after cold winters")
    expect(page.get_by_test_id("checks-status")).to_have_text("up to date")


def check_variant(page: Page) -> None:
    """A translation next to its original."""
    field = page.locator("[data-testid=field][data-field=same_answer]")
    click_verdict(field.locator("[data-value=yes]"))


def judge(page: Page) -> None:
    """Judge a prediction as incorrect, with the reason."""
    faults = {
        "could not find": ("incorrect", "refusal"),
        "other readings": ("partial", "verbosity"),
        "17": ("incorrect", "wrong_content"),
    }
    prediction = page.locator("[data-testid=material][data-source=prediction]")
    for dot in reversed(page.get_by_test_id("task-dot").all()):
        attempt = dot.get_attribute("data-attempt") or ""
        dot.click()
        page.wait_for_url(re.compile(re.escape(attempt)))
        painted(page)
        text = prediction.inner_text()
        fault = next((fault for words, fault in faults.items() if words in text), None)
        if fault is not None:
            if page.get_by_test_id("reopen").count():
                page.get_by_test_id("reopen").click()
            for name, value in zip(("verdict", "issue"), fault, strict=True):
                option = f'[data-testid=option][data-field={name}][data-value="{value}"]'
                click_verdict(page.locator(option))
            return
    raise RuntimeError("all predictions are right")


def hand_in(page: Page) -> None:
    """The gold after submitting a partly correct answer."""
    page.get_by_test_id("answer").fill("Marle Water\n967")
    page.get_by_test_id("submit").click()
    page.get_by_test_id("confirm-submit").click()
    page.get_by_test_id("feedback").wait_for()
    page.get_by_test_id("toast").wait_for(state="detached")


def decide_patch(page: Page) -> None:
    """The text of a page with patches, the first one current."""
    page.get_by_test_id("transcript-editor").wait_for()
    if not page.get_by_test_id("patch-next").count():
        open_task_with(page, "[data-testid=patch-next]")
    painted(page)
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("j")
    page.get_by_test_id("patch-accept").wait_for()


def flag_cell(page: Page) -> None:
    """A table with a corrected cell, a flagged one, and another that is selected."""
    painted(page)
    grid = page.get_by_test_id("table-grid")
    grid.locator("[data-cell='2,2']").click()
    page.keyboard.press("f")
    page.get_by_test_id("cell-flag-note").fill("The page says “£690”.")
    page.get_by_test_id("cell-flag-save").click()
    grid.locator("[data-cell='7,3']").click()


SCENES = {
    "relevance": grade,
    "verify": verify,
    "charts": read_chart,
    "tables": flag_cell,
    "patches": decide,
    "texts": decide_patch,
    "review": review,
    "author": write,
    "judge": judge,
    "trajectory": lambda page: painted(page),
    "author-blind": write_blind,
    "variants": check_variant,
    "feedback": hand_in,
}


def shoot_supervisor(chromium: Browser, server: RunningServer) -> None:
    page = sign_in(chromium, server, "sofia")
    page.get_by_role("heading", name="Progress").wait_for()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "progress")
    page.get_by_role("tab", name="Quality").click()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    charts(page)
    save(page, "quality", height=1000)
    page.goto(f"{server.url}?campaign={quote(build.TEXTS)}&part=Rounds")
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "rounds", height=1000)
    shoot_replay(page, server)
    shoot_review(page, server)
    results(page, server, build.RELEVANCE, "Agreement", "Boxes")
    save(page, "results-agreement", height=1000)
    results(page, server, build.SCORED, "Accuracy and effort", "Pre-filter")
    page.get_by_role("tab", name="Pre-filter").click()
    charts(page)
    save(page, "prefilter", height=1000)
    results(page, server, CAMPAIGN, "Accuracy and effort", "Comparison")
    save(page, "results-metrics")
    page.get_by_role("tab", name="Errors").click()
    charts(page)
    save(page, "results-errors", height=1000)
    page.get_by_role("tab", name="Cost").click()
    charts(page)
    save(page, "results-cost", height=1000)
    results(page, server, CAMPAIGN, "Accuracy and effort", "Judges")
    choose(page, "Verdicts of", "judge-large-round-2-run-1")
    choose(page, "Calibrate with", build.JUDGE)
    page.get_by_role("tab", name="Judges").click()
    page.get_by_role("heading", name="Judges and people", exact=True).wait_for()
    save(page, "results-judges", height=1000)
    page.goto(f"{server.url}gold")
    page.get_by_text("The gold is right").wait_for()
    save(page, "suspect-gold", height=1000)


def shoot_review(page: Page, server: RunningServer) -> None:
    """The queues, each kind of task under review, and the screens of pilots and batches."""
    queue(page, server, ALL_CAMPAIGNS)
    save(page, "review-all")
    queue(page, server, CAMPAIGN)
    save(page, "review-queue")
    page.get_by_role("button", name="Accept several…").click()
    page.get_by_role("dialog").get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "review-several")
    page.keyboard.press("Escape")
    for campaign, name in (
        (CAMPAIGN, "reviewing"),
        (build.PAIRS, "reviewing-fields"),
        (build.TRAJECTORIES, "reviewing-tables"),
        (build.TABLES, "review-tables"),
        (build.TEXTS, "review-text"),
        (build.RELEVANCE, "reviewing-boxes"),
    ):
        queue(page, server, campaign)
        page.get_by_role("button", name="Review the next one").click()
        under_review(page)
        if name == "review-text":
            page.get_by_role("button", name="Next open difference").click()
        save(page, name)
        if name == "reviewing":
            wait_until_judgeable(page)
            page.keyboard.press("3")
            expect(page.locator(".gold-col .answer, .gold-col li").first).to_be_visible()
            save(page, "reviewing-draft")
    page.keyboard.press("b")
    page.get_by_test_id("return-dialog").wait_for()
    save(page, "reviewing-return")
    page.keyboard.press("Escape")
    page.goto(f"{server.url}pilots")
    page.get_by_role("heading", name="Pilots").wait_for()
    charts(page)
    save(page, "pilots")
    page.goto(f"{server.url}administration?part=Batches")
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "administration")
    page.goto(f"{server.url}administration?part=Setup")
    page.get_by_text("5. Production").wait_for()
    save(page, "setup")
    page.goto(f"{server.url}administration?part=Campaigns")
    page.get_by_test_id("stSelectbox").locator("input").last.click()
    page.get_by_role("option", name=CAMPAIGN).first.click()
    page.get_by_text("Review rule").first.click()
    page.get_by_text("Thresholds of single parts").click()
    page.get_by_role("button", name="Save").scroll_into_view_if_needed()
    save(page, "review-rule", height=1150)


def queue(page: Page, server: RunningServer, campaign: str) -> None:
    """The review queue of a campaign."""
    page.goto(f"{server.url}review?campaign={quote(campaign)}")
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()


def under_review(page: Page) -> None:
    """Wait for a task under review, with its page."""
    page.get_by_test_id("question").wait_for()
    painted(page)
    page.wait_for_load_state("networkidle")
    wait_for(page, "() => [...document.images].every((image) => image.complete)")


def shoot_replay(page: Page, server: RunningServer) -> None:
    """A person and an agent on the same question, when the person cites."""
    page.goto(f"{server.url}trajectory?text=burst mains&who=alma&state=Answered")
    table = page.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.wait_for()
    table.click(position={"x": 16, "y": 52})
    page.get_by_test_id("replay-time").wait_for()
    page.get_by_label("Compare with").click()
    page.get_by_role("option", name="agent-bm25 (system) · same task").click()
    expect(page.get_by_test_id("replay-column")).to_have_count(2)
    person = page.get_by_test_id("replay-column").first
    person.get_by_role("button", name="Events", exact=True).click()
    person.get_by_test_id("replay-event").filter(has_text="Cited").first.click()
    person.get_by_role("button", name="So far").click()
    expect(page.locator(".replay-pane[data-painted]")).to_have_count(2)
    save(page, "replay")


def results(page: Page, server: RunningServer, campaign: str, view: str, tab: str) -> None:
    """The results of a campaign, with its first section open."""
    page.goto(f"{server.url}results?campaign={quote(campaign)}")
    page.get_by_role("radio", name=view).click()
    page.get_by_role("tab", name=tab, exact=True).wait_for()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option whose text begins like that."""
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=re.compile(rf"^{re.escape(option)}")).click()


def charts(page: Page) -> None:
    """Wait for the chart of the open section."""
    page.get_by_test_id("stVegaLiteChart").locator("canvas, svg").first.wait_for()


def sign_in(chromium: Browser, server: RunningServer, name: str) -> Page:
    page = chromium.new_context(viewport=SIZE).new_page()
    page.goto(server.url)
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def question(page: Page) -> Locator:
    return page.get_by_test_id("question")


def search(page: Page, query: str) -> None:
    page.get_by_test_id("search-input").fill(query)
    page.get_by_test_id("search-run").click()
    expect(page.get_by_test_id("search-run")).to_have_text("Search")
    page.locator("[data-testid=result], [data-testid=no-results]").first.wait_for()


def painted(page: Page) -> None:
    wait_for(
        page,
        """() => {
            const find = (root) => {
              for (const element of root.querySelectorAll("*")) {
                if (element.matches(".sheet-images canvas")) return true;
                if (element.shadowRoot && find(element.shadowRoot)) return true;
              }
              return false;
            };
            return find(document);
        }""",
    )


def top(page: Page, testid: str) -> None:
    """Scroll the right panel back to its beginning."""
    page.get_by_test_id(testid).first.scroll_into_view_if_needed()
    page.get_by_test_id(testid).first.evaluate(
        'node => { node.closest(".right-scroll").scrollTop = 0; }'
    )


def save(page: Page, name: str, height: int = SIZE["height"]) -> None:
    page.set_viewport_size({"width": SIZE["width"], "height": height})
    with suppress(TimeoutError):  # a task's screen keeps a request for updates open
        page.wait_for_load_state("networkidle", timeout=2_000)
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")
    print(f"{name}.png")


if __name__ == "__main__":
    main()
