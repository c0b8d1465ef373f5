"""Take the screenshots of docs/images from a fresh demo, with the environment of scripts/test."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from app.demo.workspace import ASSISTED, PASSWORD, build_demo  # noqa: E402  # after the path
from benchmarks.support import Served, browser, serving  # noqa: E402

IMAGES = ROOT / "docs" / "images"
VIEWPORT = {"width": 1366, "height": 768}


def main() -> None:
    """Build a demo, serve it, walk through it as each of its people."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "demo"
        build_demo(root, print)
        with serving(root) as served, browser() as chromium:
            shoot_sign_in(chromium, served)
            shoot_annotator(chromium, served)
            shoot_aids(chromium, served)
            shoot_supervisor(chromium, served)


def shoot_sign_in(chromium: Browser, served: Served) -> None:
    page = chromium.new_context(viewport=VIEWPORT).new_page()
    page.goto(served.url)
    page.locator("#name").wait_for()
    save(page, "sign-in")


def shoot_annotator(chromium: Browser, served: Served) -> None:
    page = sign_in(chromium, served, "bruno")
    page.get_by_role("button", name="Continue").first.wait_for()
    save(page, "batches")
    page.get_by_role("button", name="Continue").first.click()
    question(page).filter(has_text="leakage").wait_for()
    search(page, "leakage")
    page.get_by_test_id("result").first.click()
    painted(page)
    if page.get_by_test_id("citation").count() == 0:
        page.get_by_test_id("cite").click()
    page.get_by_test_id("citation").first.wait_for()
    page.get_by_test_id("answer").fill("14.2")
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
    page.get_by_test_id("guidelines").click()
    page.get_by_role("dialog").wait_for()
    save(page, "guidelines")
    page.keyboard.press("Escape")
    search(page, "zeppelin harbour")
    page.get_by_test_id("no-results").wait_for()
    save(page, "no-result")
    page.emulate_media(color_scheme="dark")
    page.reload()
    question(page).wait_for()
    painted(page)
    save(page, "task-dark")


def shoot_aids(chromium: Browser, served: Served) -> None:
    page = sign_in(chromium, served, "alma")
    heading = page.get_by_role("heading", name=ASSISTED)
    heading.locator("xpath=following::button[1]").click()
    question(page).wait_for()
    search(page, "inspection decision")
    page.get_by_test_id("result").first.click()
    painted(page)
    save(page, "task-aids")


def shoot_supervisor(chromium: Browser, served: Served) -> None:
    page = sign_in(chromium, served, "sofia")
    page.get_by_role("heading", name="Progress").wait_for()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "progress")
    page.get_by_role("link", name="See the trajectory").first.click()
    page.get_by_role("heading", name="Trajectory").wait_for()
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for()
    save(page, "trajectory", height=1000)


def sign_in(chromium: Browser, served: Served, name: str) -> Page:
    page = chromium.new_context(viewport=VIEWPORT).new_page()
    page.goto(served.url)
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def question(page: Page) -> Locator:
    return page.get_by_test_id("question")


def search(page: Page, query: str) -> None:
    page.get_by_test_id("search-input").fill(query)
    page.get_by_test_id("search-run").click()
    page.locator("[data-testid=result], [data-testid=no-results]").first.wait_for()


def painted(page: Page) -> None:
    page.wait_for_function(
        """() => {
            const find = (root) => {
              for (const element of root.querySelectorAll("*")) {
                if (element.matches(".sheet-images img") && element.complete &&
                    element.naturalWidth) return true;
                if (element.shadowRoot && find(element.shadowRoot)) return true;
              }
              return false;
            };
            return find(document);
        }"""
    )


def save(page: Page, name: str, height: int = VIEWPORT["height"]) -> None:
    page.set_viewport_size({"width": VIEWPORT["width"], "height": height})
    page.wait_for_load_state("networkidle")
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")
    sys.stdout.write(f"{name}.png\n")


if __name__ == "__main__":
    main()
