"""Text typed for an element reaches that element, whatever happens next."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.support.preset_workspace import LAYOUT, LINES, SURVEY
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, Watch
from tests.e2e.support.server_process import CONNECTION_LOST
from tests.e2e.support.verification_steps import boxes, element, label, verdicts


@pytest.fixture
def screen(task_of: TaskOf) -> Screen:
    """The task of two pages, at its first page."""
    screen = task_of("two-pages", LAYOUT)
    screen.wait_until_painted(SURVEY, 1)
    return screen


def test_typed_text_goes_to_its_box_whatever_comes_next(screen: Screen) -> None:
    """Choosing another box, turning the page and leaving at once: each text reaches its own box."""
    page = screen.page
    element(screen, "e1").click()
    screen.part("element-content").fill("header, corrected")
    element(screen, "e2").click()
    expect(screen.part("element-content")).to_have_value(LINES[1][1][1])
    screen.part("element-content").fill("text, corrected")
    screen.part("film").nth(1).click()
    screen.wait_until_painted(SURVEY, 2)
    element(screen, "e7").click()
    screen.part("element-content").fill("autumn, corrected")
    page.reload()
    screen.wait_until_ready()
    screen.has("box_content_edited", 3)
    content = {name: box.content for name, box in boxes(screen).items()}
    assert content["e1"] == "header, corrected"
    assert content["e2"] == "text, corrected"
    assert content["e7"] == "autumn, corrected"
    assert content["e8"] == LINES[2][1][1]


def test_text_of_a_lost_tab_is_saved_without_looking_for_its_box(screen: Screen) -> None:
    """A draft that a crash left is stored on opening; one that newer work overtook is offered."""
    page = screen.page
    attempt = screen.attempt
    screen.wait_until_saved()
    drafts = {
        "e4": {"text": "typed before the crash", "base": LINES[1][3][1], "seq": 1},
        "e6": {"text": "overtaken", "base": "another text", "seq": 1},
    }
    page.evaluate(
        """([attempt, drafts]) => {
            for (const [id, draft] of Object.entries(drafts)) {
              const key = `pagetrail:draft:${attempt}:content:${id}`;
              localStorage.setItem(key, JSON.stringify(draft));
            }
        }""",
        [attempt, drafts],
    )
    page.reload()
    screen.wait_until_ready()
    (edited,) = screen.has("box_content_edited")
    assert edited.fields() == {"box": "e4", "content": "typed before the crash"}
    element(screen, "e6").click()
    expect(screen.part("element-content")).to_have_value(LINES[1][5][1])
    page.get_by_role("button", name="Use my text").click()
    expect(screen.part("element-content")).to_have_value("overtaken")
    screen.has("box_content_edited", 2)
    assert boxes(screen)["e6"].content == "overtaken"


def test_markup_in_elements_is_text(screen: Screen) -> None:
    """What a model read from a page is shown as it is, in the list, the text box and the diff."""
    screen.part("film").nth(1).click()
    screen.wait_until_painted(SURVEY, 2)
    model_text = LINES[2][1][1]
    expect(element(screen, "e8")).to_contain_text(model_text)
    element(screen, "e8").click()
    expect(screen.part("element-content")).to_have_value(model_text)
    screen.part("element-content").fill(f"{model_text} <b>And more</b>")
    expect(screen.part("element-diff")).to_have_text(f"{model_text} <b>And more</b>")
    expect(screen.part("element-diff").locator("img, b")).to_have_count(0)
    assert screen.page.evaluate("window.hacked") is None


def test_work_without_a_connection_arrives(screen: Screen, watch: Watch) -> None:
    """Corrections go on without a connection and are stored once it is back."""
    watch.allow(*CONNECTION_LOST)
    context = screen.page.context
    screen.wait_until_saved()
    context.set_offline(True)
    element(screen, "e3").click()
    label(screen, "Text")
    element(screen, "e1").click()
    screen.judge("v")
    expect(element(screen, "e1")).to_have_attribute("data-verdict", "accepted")
    assert verdicts(screen)["e1"] == "open"
    context.set_offline(False)
    screen.has("box_accepted")
    assert verdicts(screen)["e3"] == "corrected"
