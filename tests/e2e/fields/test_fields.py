"""Fields of every kind on the screen, judgements that come before the pages, and blind judging."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import grading_workspace as grading
from tests.e2e.support.form_steps import error, field, option, text_input
from tests.e2e.support.grading_workspace import JUDGING, KINDS, REPORT, REVIEW
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Watch, of_type

Stored = Callable[[str], list[Event]]


def test_fields_of_every_kind(task_of: TaskOf, stored: Stored) -> None:
    """Yes and no, several of a list, numbers and texts are stored as they were put in.

    A field that is not asked is hidden, an exclusive option is alone, what is no number is
    said and not sent, and typed text follows its page.
    """
    screen = task_of("kinds", KINDS)
    keys, attempt = screen.page.keyboard, screen.attempt
    screen.wait_until_painted(REPORT, 1)
    expect(field(screen, "remark")).to_be_hidden()
    expect(field(screen, "usable")).to_contain_text("required")
    click_verdict(option(screen, "usable", "true"))
    expect(field(screen, "remark")).to_be_visible()
    text_input(screen, "remark").fill("clear print")

    click_verdict(option(screen, "topics", "animal"))
    screen.judge("x")
    expect(option(screen, "topics", "river")).to_have_attribute("aria-pressed", "true")
    click_verdict(option(screen, "topics", "none"))
    expect(option(screen, "topics", "river")).to_have_attribute("aria-pressed", "false")
    click_verdict(option(screen, "topics", "river"))
    expect(option(screen, "topics", "none")).to_have_attribute("aria-pressed", "false")

    text_input(screen, "figures").fill("five")
    keys.press("Enter")
    expect(error(screen, "figures")).to_have_text("“five” is not a number.")
    text_input(screen, "figures").fill("500")
    keys.press("Enter")
    expect(error(screen, "figures")).to_have_text("500 is above 99.")
    text_input(screen, "figures").fill("5")
    keys.press("Enter")
    expect(error(screen, "figures")).to_be_hidden()

    text_input(screen, "gist").fill("otters of section 1")
    keys.press("Escape")
    keys.press("ArrowRight")
    screen.wait_until_painted(REPORT, 2)
    expect(text_input(screen, "gist")).to_have_value("")
    expect(text_input(screen, "figures")).to_have_value("")
    text_input(screen, "gist").fill("otters of section 2")
    screen.part("page-previous").click()
    screen.wait_until_painted(REPORT, 1)
    expect(text_input(screen, "gist")).to_have_value("otters of section 1")
    expect(screen.part("pages-graded")).to_have_text("2 of 3 pages complete")

    screen.wait_until_saved()
    state = fold(stored(attempt))
    assert state.value("usable") is True
    assert state.value("remark") == "clear print"
    assert state.value("topics") == ("river",)
    assert state.value("figures", REPORT, 1) == 5
    assert state.value("gist", REPORT, 1) == "otters of section 1"
    assert state.value("gist", REPORT, 2) == "otters of section 2"


def test_typed_text_survives_a_reload(task_of: TaskOf) -> None:
    """Text that was being typed into a page's field when the tab was reloaded is stored."""
    screen = task_of("kinds", KINDS)
    screen.wait_until_painted(REPORT, 1)
    text_input(screen, "gist").fill("half a sen")
    screen.page.reload()
    screen.wait_until_ready()
    expect(text_input(screen, "gist")).to_have_value("half a sen")
    (event,) = screen.has("field_set")
    assert event.fields()["value"] == "half a sen"


def test_number_is_stored_however_the_field_is_left(task_of: TaskOf) -> None:
    """Ctrl+Enter, a turned page and a reload store a number that was just typed; a word is not
    carried to the next page."""
    screen = task_of("kinds", KINDS)
    screen.wait_until_painted(REPORT, 1)
    box = text_input(screen, "figures")
    box.fill("7")
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("submit-dialog")).to_be_visible()
    assert screen.has("field_set")[-1].fields()["value"] == 7
    screen.page.keyboard.press("Escape")
    box.fill("8")
    screen.part("film").nth(1).click()
    screen.wait_until_painted(REPORT, 2)
    event = screen.has("field_set", 2)[-1].fields()
    assert (event["page"], event["value"]) == (1, 8)
    expect(box).to_have_value("")
    box.fill("many")
    screen.part("film").nth(2).click()
    screen.wait_until_painted(REPORT, 3)
    expect(box).to_have_value("")
    expect(error(screen, "figures")).to_be_hidden()
    box.fill("9")
    screen.page.reload()
    screen.wait_until_ready()
    event = screen.has("field_set", 3)[-1].fields()
    assert (event["page"], event["value"]) == (3, 9)
    expect(box).to_have_value("9")


def test_options_by_arrow_keys(task_of: TaskOf) -> None:
    """In a list of options ↓ and ↑ move, space chooses; ← and → still turn pages.

    ``u`` goes to the next field without a value, where digits choose until the page is turned.
    """
    screen = task_of("saale", grading.GRADING)
    keys = screen.page.keyboard
    screen.wait_until_painted(REPORT, 1)
    option(screen, "relevance", "2").focus()
    keys.press("ArrowDown")
    expect(option(screen, "relevance", "1")).to_be_focused()
    expect(option(screen, "relevance", "1")).to_have_attribute("aria-checked", "false")
    screen.judge("Space")
    expect(option(screen, "relevance", "1")).to_have_attribute("aria-checked", "true")
    screen.judge("y")
    keys.press("u")
    screen.judge("2")
    expect(option(screen, "modalities", "table")).to_have_attribute("aria-pressed", "true")
    keys.press("ArrowRight")
    screen.wait_until_painted(REPORT, 2)
    expect(screen.part("page-pane")).to_be_focused()
    keys.press("ArrowLeft")
    screen.wait_until_painted(REPORT, 1)
    click_verdict(option(screen, "modalities", "chart"))
    screen.judge("2")  # after a click digits are the page's, whatever has the focus
    expect(option(screen, "relevance", "2")).to_have_attribute("aria-checked", "true")
    keys.press("ArrowRight")
    screen.wait_until_painted(REPORT, 2)
    expect(option(screen, "relevance", "1")).to_have_attribute("aria-checked", "false")
    group = screen.page.get_by_role("radiogroup", name="Relevance")
    expect(group.get_by_role("radio")).to_have_count(3)


def test_the_sources_stay_closed_until_judged(
    task_of: TaskOf, workspace: Workspace, watch: Watch
) -> None:
    """Before “Self-contained” is judged no route gives a page; then it can be corrected until one
    is opened, and not an image of a page is to be seen before that."""
    watch.allow(r"403 GET .*/pagetrail/page/")
    screen = task_of("pair", REVIEW)
    attempt = screen.attempt
    info = Services(workspace).corpus.document(REPORT)
    assert info is not None

    def status() -> int:
        boot = screen.page.request.get(f"{screen.url}/pagetrail/attempts/{attempt}").json()
        image = f"{screen.url}/pagetrail/page/{info.sha256}/1?dpi=75&v={boot['token']}"
        return screen.page.request.get(image).status

    assert status() == 403
    expect(screen.part("viewer-empty")).to_contain_text(
        "Judge “Self-contained” first; the sources open after that."
    )
    expect(screen.part("material")).to_contain_text("Shown once “Self-contained” is judged.")
    expect(screen.part("film")).to_have_count(0)

    click_verdict(option(screen, "self_contained", "yes"))
    expect(screen.part("film")).to_have_count(3)
    expect(screen.part("material")).to_contain_text("Forty-two otters")
    expect(screen.part("viewer-empty")).to_contain_text("can be corrected until a page is opened")
    assert status() == 200
    click_verdict(option(screen, "self_contained", "no"))
    expect(option(screen, "self_contained", "no")).to_have_attribute("aria-checked", "true")
    expect(screen.part("film").locator("img")).to_have_count(0)
    assert "page_viewed" not in screen.kinds()

    screen.part("film").first.click()
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("film").locator("img")).to_have_count(3)
    expect(option(screen, "self_contained", "yes")).to_be_disabled()
    expect(field(screen, "self_contained")).to_contain_text("is judged before the pages are opened")


def test_a_review_from_first_to_last(task_of: TaskOf, stored: Stored) -> None:
    """Five judgements of the pair and one of each source are stored; the task is done."""
    screen = task_of("pair", REVIEW)
    attempt = screen.attempt
    for name in ("self_contained", "human_like", "question_factual", "response_factual"):
        click_verdict(option(screen, name, "yes"))
    click_verdict(option(screen, "complete", "no"))
    screen.part("next-unfinished").click()
    screen.wait_until_painted(REPORT, 1)
    for page, key in enumerate("100", start=1):
        screen.wait_until_painted(REPORT, page)
        screen.judge(key)
    expect(screen.part("pages-graded")).to_have_text("3 of 3 pages complete")
    screen.part("submit").click()
    expect(screen.part("submit-dialog")).to_contain_text("Submit this task?")
    screen.part("confirm-submit").click()
    expect(screen.part("complete-dialog")).to_be_visible()
    state = fold(stored(attempt))
    assert state.outcome == "completed"
    assert state.value("complete") == "no"
    needed = [state.value("source_required", REPORT, page) for page in (1, 2, 3)]
    assert needed == ["required", "not_required", "not_required"]


def test_a_prediction_is_judged(task_of: TaskOf, stored: Stored) -> None:
    """Accepted answers and prediction are side by side; “Partly correct” asks for the issue."""
    screen = task_of("spring", JUDGING)
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("material")).to_have_count(2)
    expect(screen.part("films")).to_be_hidden()
    expect(field(screen, "issue")).to_be_hidden()
    screen.judge("2")
    expect(field(screen, "issue")).to_be_visible()
    screen.judge("5")
    screen.judge("1")
    expect(field(screen, "issue")).to_be_hidden()
    screen.judge("3")
    # The issue chosen before counts again: it was hidden, not lost.
    expect(option(screen, "issue", "wrong_content")).to_have_attribute("aria-checked", "true")
    screen.page.keyboard.press("Control+Enter")
    screen.part("submit-directly").check()
    screen.part("confirm-submit").click()
    expect(screen.part("complete-dialog")).to_be_visible()
    screen.page.keyboard.press("Escape")
    screen.part("reopen").click()
    screen.page.keyboard.press("Control+Enter")  # nobody is asked now, and it can be undone
    expect(screen.part("complete-dialog")).to_be_visible()
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("Control+z")
    assert len(screen.has("reopened", 2)) == len(screen.has("submitted", 2))
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("complete-dialog")).to_be_visible()
    screen.page.keyboard.press("Escape")
    screen.part("ask-again").click()
    expect(screen.part("toast")).to_contain_text("You are asked again")
    events = stored(screen.attempt)
    verdicts = [e.fields()["value"] for e in of_type(events, "field_set")]
    assert verdicts == ["partial", "wrong_content", "correct", "incorrect"]
    assert fold(events).outcome == "completed"


def test_folded_material_stays_folded(task_of: TaskOf) -> None:
    """A card that was folded away is still folded after a reload."""
    screen = task_of("spring", JUDGING)
    card = screen.part("material").first
    expect(card).to_contain_text("forty-two")
    card.get_by_role("button", name="Hide: Accepted answers").click()
    expect(card.get_by_text("forty-two")).to_be_hidden()
    screen.page.reload()
    screen.wait_until_ready()
    expect(screen.part("material").first.get_by_text("forty-two")).to_be_hidden()


def test_option_help_can_be_read(task_of: TaskOf) -> None:
    """The question mark beside a field opens what its options mean, and remembers it."""
    screen = task_of("vague", grading.GRADING)
    meaning = screen.page.get_by_text("The page contains the complete answer.")
    expect(meaning).to_be_hidden()
    screen.page.get_by_role("button", name="What “Relevance” means").click()
    expect(meaning).to_be_visible()
    expect(option(screen, "relevance", "2")).to_have_accessible_description(
        "The page contains the complete answer. Key: 2"
    )
    screen.page.reload()
    screen.wait_until_ready()
    expect(meaning).to_be_visible()
