"""Grading thirty candidate pages of a query, from the first key to what is stored."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support import grading_workspace as grading
from tests.e2e.support.drawing import press_at_once
from tests.e2e.support.form_steps import draw, error, film, option, press_grades
from tests.e2e.support.grading_workspace import GRADING, LETTER, N_PAGES, PAGES, REPORT
from tests.e2e.support.random_keys import LOOK_MS, Units, check_random_keys
from tests.e2e.support.readiness import click_verdict
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import of_type

GRADES = ["0"] * len(PAGES)
GRADES[2], GRADES[9] = "2", "1"
Stored = Callable[[str], list[Event]]


def test_a_task_of_thirty_pages(task_of: TaskOf, stored: Stored) -> None:
    """Good, thirty grades by key, modalities, boxes, answer, submit: all of it is in the log.

    The strip changes in place: its cards and images are the same elements at the end, and
    neither the viewer nor the fields have moved by a pixel. Nothing else is recorded.
    """
    screen = task_of("saale", GRADING)
    keys, page, attempt = screen.page.keyboard, screen.page, screen.attempt
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("film")).to_have_count(30)
    screen.show_context()
    screen.judge("y")
    expect(option(screen, "query_quality", "good")).to_have_attribute("aria-checked", "true")
    expect(screen.part("film").first.locator("img")).to_be_visible()
    screen.part("film").evaluate_all(
        """nodes => {
            window.films = nodes;
            window.pictures = nodes.map((node) => node.querySelector("img"));
        }"""
    )
    fixed_parts = ("page-pane", "films", "page-fields")
    before = {part: screen.part(part).bounding_box() for part in fixed_parts}

    press_grades(screen, GRADES)

    expect(film(screen, LETTER, 2)).to_have_attribute("aria-current", "true")
    expect(screen.part("pages-graded")).to_have_text("28 of 30 pages complete")
    assert {part: screen.part(part).bounding_box() for part in fixed_parts} == before
    assert screen.part("film").evaluate_all(
        """nodes => nodes.length === 30 && nodes.every((node, i) => node === window.films[i])
           && window.pictures.every((image, i) => !image || nodes[i].contains(image))"""
    )
    strip, card = (screen.part("films").bounding_box(), film(screen, LETTER, 2).bounding_box())
    assert strip is not None and card is not None
    assert strip["x"] <= card["x"] and card["x"] + card["width"] <= strip["x"] + strip["width"] + 4
    # N/A is the only modality of a page graded 0: it counts without being chosen.
    expect(option(screen, "modalities", "na")).to_have_attribute("aria-pressed", "true")
    expect(option(screen, "modalities", "text")).to_be_disabled()

    expect(screen.part("next-unfinished")).to_have_text("2 open")
    screen.part("advance").uncheck()
    keys.press("m")
    screen.wait_until_painted(REPORT, 3)
    click_verdict(option(screen, "modalities", "text"))
    click_verdict(option(screen, "modalities", "chart"))
    draw(screen, label="Chart")
    expect(screen.part("contradiction")).to_contain_text("Chosen: Text, Chart. Boxes: Chart.")
    expect(screen.part("next-unfinished")).to_have_text("2 open")
    click_verdict(screen.part("confirm-contradiction"))
    expect(screen.part("contradiction")).to_be_hidden()
    expect(film(screen, REPORT, 3)).to_have_accessible_name(
        f"{REPORT}, page 3; Fully relevant; 1 box; open"
    )
    keys.press("m")
    screen.wait_until_painted(REPORT, 10)
    click_verdict(option(screen, "modalities", "text"))
    draw(screen, label="Text")
    expect(screen.part("next-unfinished")).to_be_hidden()

    keys.press("a")
    keys.type("4 to 31 otters, by 2 people (y/n 012)")
    keys.press("Control+Enter")
    expect(screen.part("submit-dialog").locator(".missing")).to_have_count(0)
    expect(screen.part("summary-fields")).to_contain_text("28 × Not relevant")
    keys.press("Enter")
    page.wait_for_url(lambda url: attempt not in url)

    events = stored(attempt)
    graded = [
        e.fields() for e in of_type(events, "field_set") if e.fields()["field"] == "relevance"
    ]
    assert [(e["document"], e["page"], e["value"]) for e in graded] == [
        (page["document"], page["page"], grade) for page, grade in zip(PAGES, GRADES, strict=True)
    ]
    assert len(of_type(events, "field_set")) == 1 + 30 + 3
    drawn_boxes = [e.fields() for e in of_type(events, "box_drawn")]
    assert [(e["document"], e["page"]) for e in drawn_boxes] == [(REPORT, 3), (REPORT, 10)]
    turned = [e.fields() for e in of_type(events, "page_viewed")]
    assert [e["via"] for e in turned] == ["given", *["next"] * 29, "given", "given"]
    (confirmed,) = of_type(events, "contradiction_confirmed")
    assert confirmed.fields()["drawn"] == ["chart"]
    state = fold(events)
    assert state.outcome == "answered"
    assert state.answer_text == "4 to 31 otters, by 2 people (y/n 012)"
    assert state.value("modalities", REPORT, 3) == ("text", "chart")
    assert [box.label for box in state.boxes.boxes] == ["Chart", "Text"]
    given_pages = [(page["document"], page["page"]) for page in PAGES]
    assert missing(Form(preset("relevance"), state, given_pages), "answered") == {}


def test_keys_faster_than_pages(task_of: TaskOf, stored: Stored) -> None:
    """Six keys at once grade one page: the others are dropped, which is said, and none comes later.

    The event says how long the page was seen.
    """
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    screen.wait_until_judgeable()
    press_at_once(screen, *"000002")
    expect(screen.part("stage-hint")).to_have_text("Too fast: look at page 2 first.")
    expect(film(screen, REPORT, 2)).to_have_attribute("aria-current", "true")
    screen.judge("1")
    expect(film(screen, REPORT, 2)).to_have_attribute("data-grade", "1")
    screen.has("field_set", 2)
    graded = [event.fields() for event in of_type(stored(screen.attempt), "field_set")]
    assert [(fields["page"], fields["value"]) for fields in graded] == [(1, "0"), (2, "1")]
    assert all(LOOK_MS <= fields["seen_ms"] < 60_000 for fields in graded)


def test_random_keys_judge_no_unseen_page(task_of: TaskOf) -> None:
    """Grades and turns at 20 keys a second: each grade is of a page that was looked at."""
    screen = task_of("saale", GRADING)
    screen.wait_until_painted(REPORT, 1)
    pages = Units("[data-testid=film]", "[aria-current=true]", "data-grade")
    check_random_keys(screen, pages, "0 0 0 1 2 ArrowRight ArrowLeft", seed=3)


def test_a_page_with_a_box_is_not_graded_0_by_accident(task_of: TaskOf, stored: Stored) -> None:
    """The key 0 asks first; neither Esc nor Enter changes anything, the button does."""
    screen = task_of("saale", GRADING)
    keys = screen.page.keyboard
    screen.wait_until_painted(REPORT, 1)
    screen.judge("2")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    draw(screen, label="Table")
    screen.judge("v")
    screen.wait_until_painted(REPORT, 2)
    keys.press("ArrowLeft")
    screen.wait_until_painted(REPORT, 1)
    screen.has("page_viewed", 3)
    screen.wait_until_saved()
    count = len(stored(screen.attempt))

    screen.judge("0")
    message = error(screen, "relevance")
    expect(message).to_contain_text(f"Page 1 of {REPORT} has a box")
    expect(message.get_by_role("button")).to_have_text("Delete the box and grade 0")
    expect(message.get_by_role("button")).not_to_be_focused()
    keys.press("Enter")
    keys.press("Escape")
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "2")
    screen.wait_until_saved()
    assert len(stored(screen.attempt)) == count

    screen.judge("0")
    message.get_by_role("button").click()
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "0")
    expect(film(screen, REPORT, 2)).to_have_attribute("aria-current", "true")
    events = screen.has("field_set", 3)
    assert events[-1].fields()["value"] == "0"
    assert screen.kinds().index("box_deleted") < [e.seq for e in events][-1]


def test_a_poor_query_ends_the_task(task_of: TaskOf, stored: Stored) -> None:
    """Poor hides what would follow, says so, locks the answer, and submits as done."""
    screen = task_of("vague", GRADING)
    attempt = screen.attempt
    screen.wait_until_painted(REPORT, 1)
    screen.judge("n")
    expect(screen.part("ended")).to_have_text(
        "“Query quality” is “Poor”: nothing more is asked. Submit the task."
    )
    for part in ("page-fields", "unanswerable", "no-answer"):
        expect(screen.part(part)).to_be_hidden()
    expect(screen.part("answer")).not_to_be_editable()
    screen.judge("2")
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("submit-dialog")).to_contain_text("Submit this task?")
    screen.part("confirm-submit").click()
    screen.page.wait_for_url(lambda url: attempt not in url)
    state = fold(stored(attempt))
    assert state.outcome == "completed"
    assert [(v.field, v.value) for v in state.fields] == [("query_quality", "poor")]

    screen.page.locator(f"[data-testid=task-dot][data-attempt='{attempt}']").click()
    expect(screen.part("reopen")).to_be_visible()
    expect(option(screen, "query_quality", "good")).to_be_disabled()
    screen.judge("y")
    screen.part("reopen").click()
    click_verdict(option(screen, "query_quality", "good"))
    expect(screen.part("page-fields")).to_be_visible()
    expect(screen.part("answer")).to_be_editable()
    screen.wait_until_saved()
    assert [e.fields()["value"] for e in of_type(stored(attempt), "field_set")] == ["poor", "good"]


def test_a_second_tab_shows_the_same_strip(screen_of: OpenScreen) -> None:
    """A grade given in one tab appears in the other, on the cards that were there before."""
    screen = screen_of("alma", "vague", campaign=GRADING)
    screen.wait_until_painted(REPORT, 1)
    other = screen_of("alma", "vague", campaign=GRADING, context=screen.page.context)
    other.wait_until_painted(REPORT, 1)
    other.part("film").evaluate_all("nodes => { window.films = nodes; }")
    other.wait_until_saved()
    screen.judge("2")
    expect(film(other, REPORT, 1)).to_have_attribute("data-grade", "2")
    expect(option(other, "relevance", "2")).to_have_attribute("aria-checked", "true")
    assert other.part("film").evaluate_all(
        "nodes => nodes.every((node, i) => node === window.films[i])"
    )


def test_missing_parts_are_listed_and_linked(task_of: TaskOf) -> None:
    """Submitting too early names each gap as the server would; its link goes to the place."""
    screen = task_of("vague", GRADING)
    screen.wait_until_painted(REPORT, 1)
    screen.judge("y")
    for page, key in enumerate(("0", "2"), start=1):
        screen.wait_until_painted(REPORT, page)
        screen.judge(key)
        expect(film(screen, REPORT, page)).to_have_attribute("data-grade", key)
    screen.page.keyboard.press("ArrowRight")
    screen.wait_until_painted(REPORT, 3)
    screen.part("submit").click()
    expect(screen.part("confirm-submit")).to_be_disabled()
    for part, sentence in {
        "answer": "The answer is empty. Write it.",
        "boxes": f"No box is drawn on page 2 of {REPORT}.",
        "relevance": f"“Relevance” is not set for page 3 of {REPORT}.",
        "modalities": f"“Modalities of the relevant content” is not set for page 2 of {REPORT}.",
    }.items():
        expect(screen.part(f"missing-{part}")).to_contain_text(sentence)
    screen.part("fix-modalities").click()
    screen.wait_until_painted(REPORT, 2)
    expect(option(screen, "modalities", "text")).to_be_focused()
    screen.part("submit").click()
    screen.part("fix-relevance").click()
    screen.wait_until_painted(REPORT, 3)
    expect(option(screen, "relevance", "2")).to_be_focused()


def test_a_refusal_is_shown_next_to_its_field(screen_of: OpenScreen) -> None:
    """Another browser draws a box; a grade of 0 here is refused, rolled back, and says why."""
    other = screen_of("alma", "vague", campaign=GRADING)
    other.wait_until_painted(REPORT, 1)
    other.judge("1")
    other.has("field_set")
    screen = screen_of("alma", "vague", campaign=GRADING)
    screen.page.keyboard.press("Home")
    screen.wait_until_painted(REPORT, 1)
    expect(film(screen, REPORT, 1)).to_have_attribute("data-grade", "1")
    other.page.keyboard.press("Home")
    other.wait_until_painted(REPORT, 1)
    draw(other, label="Text")
    other.has("box_drawn")
    screen.part("advance").evaluate("node => node.click()")  # the refusal is shown on its page
    # Coming to the front would make this tab catch up first.
    option(screen, "relevance", "0").dispatch_event("click")
    message = error(screen, "relevance")
    expect(message).to_contain_text(
        f"Page 1 of {REPORT} has a box. Delete it before giving this value."
    )
    expect(option(screen, "relevance", "1")).to_have_attribute("aria-checked", "true")
    expect(screen.part("box")).to_have_count(1)
    expect(message).to_contain_text("Delete it before giving this value.")


def test_the_time_limit(task_of: TaskOf, stored: Stored) -> None:
    """The countdown runs out, typed text is passed on in time, edits stop with a sentence.

    What is there can be submitted, and what is missing is recorded.
    """
    screen = task_of("quick", grading.TIMED)
    screen.wait_until_painted(REPORT, 1)
    expect(screen.part("time-left")).to_have_text(re.compile(r"^0:\d\d left for this task$"))
    screen.judge("y")
    screen.part("answer").fill("many")
    expect(screen.part("time-over")).to_be_visible()
    expect(screen.part("time-left")).to_have_text("The time is over.")
    expect(option(screen, "relevance", "2")).to_be_disabled()
    expect(screen.part("answer")).not_to_be_editable()
    screen.page.keyboard.press("Escape")
    screen.judge("2")
    expect(screen.part("toast")).to_contain_text("The time for this task is over.")
    screen.part("submit").click()
    expect(screen.part("accepted-unfinished")).to_be_visible()
    expect(screen.part("missing-relevance")).to_contain_text("“Relevance” is not set for 3 pages")
    screen.part("confirm-submit").click()
    events = screen.wait_for_events(lambda events: bool(of_type(events, "submitted")))
    (submission,) = of_type(events, "submitted")
    assert submission.fields()["missing"] == ["relevance"]
    assert [e.fields()["text"] for e in of_type(events, "answer_edited")] == ["many"]
    assert len(of_type(events, "field_set")) == 1


def test_every_card_is_a_given_page(task_of: TaskOf, workspace: Workspace) -> None:
    """The strip holds the candidates in their order, of both documents."""
    screen = task_of("saale", GRADING)
    expect(screen.part("film")).to_have_count(len(PAGES))
    shown_pages = screen.part("film").evaluate_all(
        "nodes => nodes.map(({ dataset }) => [dataset.document, Number(dataset.page)])"
    )
    assert shown_pages == [[page["document"], page["page"]] for page in PAGES]
    assert shown_pages[N_PAGES - 1 : N_PAGES + 1] == [[REPORT, N_PAGES], [LETTER, 1]]
