"""A whole batch with the mouse: read, cite, note, flag, pause, skip, submit, reopen, close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.reused_tab import TaskOf
from tests.e2e.support.screen import Screen, of_type
from tests.e2e.support.small_workspace import CAMPAIGN, REPORT, attempts


def _views(screen: Screen, count: int) -> list[tuple[int, str]]:
    """(page, via) of the stored page views, once there are that many."""
    views = [event.fields() for event in screen.has("page_viewed", count)]
    return [(view["page"], view["via"]) for view in views]


def _in_one_moment(*buttons: Locator) -> None:
    """Press buttons without a pause in between, however slow the machine is."""
    nodes = [button.element_handle() for button in buttons]
    nodes[0].evaluate("(_, nodes) => nodes.forEach((node) => node.click())", nodes)


def test_reading_with_the_mouse(task_of: TaskOf) -> None:
    """Each way to a page is recorded as that way, once, with the search it came from."""
    screen = task_of("q3", CAMPAIGN)
    screen.search("annual ledger")
    expect(screen.part("results-heading")).to_have_text("Best 5 of 30 matching pages")
    document, start = screen.open_result(2)
    assert document == REPORT
    for testid, page in (
        ("page-last", 30),
        ("page-previous", 29),
        ("page-first", 1),
        ("page-next", 2),
    ):
        screen.part(testid).click()
        screen.wait_until_painted(REPORT, page)
    screen.part("page-number").fill("17")
    screen.part("page-number").press("Enter")
    screen.wait_until_painted(REPORT, 17)
    screen.part("thumb").and_(screen.page.locator("[data-page='18']")).click()
    screen.wait_until_painted(REPORT, 18)
    screen.part("page-number").fill("99")
    screen.part("page-number").press("Enter")
    screen.part("cite").click()
    expect(screen.part("cite")).to_have_text("Cited")
    screen.part("page-first").click()
    screen.wait_until_painted(REPORT, 1)
    screen.part("citation-open").click()
    screen.wait_until_painted(REPORT, 18)
    assert _views(screen, 9) == [
        *((start, "result"), (30, "last"), (29, "previous"), (1, "first"), (2, "next")),
        *((17, "jump"), (18, "thumbnail"), (1, "first"), (18, "citation")),
    ]
    views = [event.fields() for event in of_type(screen.events(), "page_viewed")]
    (search,) = of_type(screen.events(), "searched")
    search_id = search.fields()["search_id"]
    assert {view["search_id"] for view in views} == {search_id}
    assert views[0]["rank"] == 2
    result_pages = [hit["page"] for hit in search.fields()["results"]]
    assert all((v["page"] in result_pages) == (v.get("rank") is not None) for v in views)


def test_dialogs_pausing_and_the_view(task_of: TaskOf) -> None:
    """What is beside the work: each leaves the events that it should, and no others."""
    screen = task_of("q1", CAMPAIGN)
    _a_dialog_closes_on_its_backdrop_only(screen)
    _pause_hides_the_task_and_guidelines_are_a_click_away(screen)
    _zoom_fit_and_turning_the_view(screen)


def _zoom_fit_and_turning_the_view(screen: Screen) -> None:
    """Zoom and rotation reach the log as one settled value; the page itself is not viewed again."""
    screen.search("sideways")
    screen.open_result(1)
    box = screen.page_image_box()
    assert box["width"] > box["height"], "a page with /Rotate is shown as it is to be read"
    _in_one_moment(screen.part("zoom-level"), *[screen.part("zoom-in")] * 3)
    expect(screen.part("zoom-level")).to_have_text("150 %")
    (view,) = screen.has("view_changed")
    assert view.fields() == {"fit": "none", "zoom": 150.0, "rotation": 0}
    _in_one_moment(screen.part("rotate"), screen.part("fit-page"))
    view = screen.has("view_changed", 2)[-1]
    assert (view.fields()["fit"], view.fields()["rotation"]) == ("page", 90)
    box = screen.page_image_box()
    pane = screen.part("page-pane").bounding_box()
    assert pane is not None
    assert box["height"] <= pane["height"] and box["height"] > box["width"]
    assert len(of_type(screen.events(), "page_viewed")) == 1


def test_search_history_citations_note_and_flag(task_of: TaskOf) -> None:
    """A search run again names the first; a citation undone is two events; notes save alone."""
    screen = task_of("q1", CAMPAIGN)
    screen.search("otters")
    screen.search("badgers")
    expect(screen.part("result")).to_have_count(1)
    screen.part("history-item").filter(has_text="otters").click()
    expect(screen.part("result")).to_have_count(5)
    searches = [event.fields() for event in screen.has("searched", 3)]
    assert [s["query"] for s in searches] == ["otters", "badgers", "otters"]
    assert [s["rerun_of"] for s in searches] == [None, None, searches[0]["search_id"]]
    assert searches[0]["results"] == searches[2]["results"]
    assert searches[2]["looks_back_at"] == searches[0]["search_id"]
    expect(screen.part("history-item")).to_have_count(2)

    document, page = screen.open_result(3)
    screen.part("cite").click()
    screen.part("citation-remove").click()
    expect(screen.part("citation")).to_have_count(0)
    expect(screen.part("cite")).to_have_text("Add as citation")
    screen.part("note").fill("looked at spring only")
    screen.part("flag").click()
    screen.part("flag-input").fill("two counts differ")
    screen.part("confirm-flag").click()
    expect(screen.part("flag-comment")).to_have_text("two counts differ")
    screen.part("flag").click()
    screen.part("flag-remove").click()
    expect(screen.part("flag-comment")).to_be_hidden()
    screen.has("unflagged")
    screen.wait_until_saved()
    kinds = ["citation_added", "citation_removed", "note_edited", "flagged", "unflagged"]
    recorded_events = of_type(screen.events(), *kinds)
    assert [event.type for event in recorded_events] == kinds
    assert (
        recorded_events[0].fields() | {"document": document, "page": page, "rank": 3}
        == recorded_events[0].fields()
    )
    assert recorded_events[2].fields()["text"] == "looked at spring only"
    assert recorded_events[3].fields() == {"comment": "two counts differ"}


def _pause_hides_the_task_and_guidelines_are_a_click_away(screen: Screen) -> None:
    """Paused, nothing of the task can be read or done; the stay in the guidelines is recorded."""
    screen.part("pause").click()
    expect(screen.part("pause-overlay")).to_be_visible()
    expect(screen.part("question")).to_be_hidden()
    screen.page.keyboard.press("a")
    screen.page.keyboard.type("cfsi/?")
    screen.part("resume").click()
    expect(screen.part("question")).to_be_visible()
    screen.part("guidelines").click()
    expect(screen.part("guidelines-dialog")).to_contain_text("Read before you write")
    screen.part("guidelines-dialog-close").click()
    screen.has("guidelines_closed")
    assert screen.kinds() == [
        *("opened", "paused", "resumed", "guidelines_opened", "guidelines_closed"),
    ]


def _a_dialog_closes_on_its_backdrop_only(screen: Screen) -> None:
    """A click beside the dialog closes it; a selection dragged out of its text box does not."""
    screen.part("skip").click()
    screen.part("skip-reason").fill("a long reason")
    box = screen.part("skip-reason").bounding_box()
    assert box is not None
    mouse = screen.page.mouse
    mouse.move(box["x"] + 30, box["y"] + 15)
    mouse.down()
    mouse.move(40, 740, steps=5)
    mouse.up()
    expect(screen.part("skip-reason")).to_have_value("a long reason")
    mouse.click(40, 740)
    expect(screen.part("skip-dialog")).to_have_count(0)
    screen.has("opened")
    screen.wait_until_saved()
    assert screen.kinds() == ["opened"]


def _answer(screen: Screen, text: str) -> None:
    screen.part("answer").fill(text)
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    expect(screen.part("submit-dialog")).to_have_count(0)


def _leave(page: Page, attempt: str) -> None:
    page.wait_for_url(lambda url: attempt not in url)


def test_a_batch_from_first_task_to_closed(
    screen_of: OpenScreen, workspace: Workspace, account_of: Callable[[str], str]
) -> None:
    """Submit, skip, no answer; reopen a submitted task and submit it again; close; read only.

    What is missing is told before it is sent, and a closed batch takes nothing any more.
    """
    order = list(attempts(workspace, account_of("alma"), CAMPAIGN).items())
    (first_key, first), (_, second), (_, third), (_, fourth) = order
    screen = screen_of("alma", first_key)
    screen.part("submit").click()
    expect(screen.part("missing-answer")).to_be_visible()
    expect(screen.part("missing-evidence")).to_be_visible()
    expect(screen.part("confirm-submit")).to_be_disabled()
    screen.part("fix-answer").click()
    expect(screen.part("answer")).to_be_focused()
    screen.search("river")
    screen.open_result(1)
    screen.part("cite").click()
    _answer(screen, "Saale\n\n  Saale river ")
    _leave(screen.page, first)

    screen.part("skip").click()
    screen.part("confirm-skip").click()
    expect(screen.part("skip-error")).to_have_text("Say why the task is skipped.")
    screen.part("skip-reason").fill("the question is unclear")
    screen.part("confirm-skip").click()
    _leave(screen.page, second)
    screen.part("no-answer").click()
    screen.part("confirm-submit").click()
    _leave(screen.page, third)
    screen.search("river")
    screen.open_result(1)
    screen.part("cite").click()
    _answer(screen, "Saale")
    expect(screen.part("complete-dialog")).to_contain_text("3 tasks submitted, 1 skipped")
    screen.part("complete-dialog-close").click()

    screen.part("task-dot").first.click()
    # The banner of the task before says the same.
    screen.page.wait_for_url(lambda url: first in url)
    expect(screen.part("banner-handed-in")).to_contain_text("Submitted")
    expect(screen.part("answer")).not_to_be_editable()
    screen.part("reopen").click()
    expect(screen.part("answer")).to_be_editable()
    _answer(screen, "Saale")
    expect(screen.part("complete-dialog")).to_be_visible()
    expect(screen.part("close-batch")).not_to_be_focused()
    screen.page.keyboard.press("Control+Enter")
    expect(screen.part("complete-dialog")).to_be_visible()
    expect(screen.part("complete-dialog")).not_to_contain_text("The batch is closed")
    screen.page.keyboard.press("Enter")
    expect(screen.part("complete-dialog")).to_have_count(0)
    screen.part("finish").click()
    screen.part("close-batch").click()
    expect(screen.part("complete-dialog")).to_contain_text("The batch is closed")
    screen.part("complete-dialog-close").click()
    expect(screen.part("banner-closed")).to_be_visible()
    expect(screen.part("reopen")).to_have_count(0)
    screen.page.reload()
    screen.wait_until_ready()
    expect(screen.part("banner-closed")).to_be_visible()
    expect(screen.part("answer")).to_have_value("Saale")
    expect(screen.part("answer")).not_to_be_editable()
    expect(screen.part("submit")).to_be_hidden()

    def ends(attempt: str) -> list[tuple[str, dict[str, Any]]]:
        kinds = ("submitted", "skipped", "reopened", "batch_closed")
        return [(e.type, e.fields()) for e in of_type(screen.events(attempt), *kinds)]

    answered = ("submitted", {"outcome": "answered"})
    closed = ("batch_closed", {})
    assert ends(first) == [answered, ("reopened", {}), answered, closed]
    assert ends(second) == [("skipped", {"reason": "the question is unclear"}), closed]
    assert ends(third) == [("submitted", {"outcome": "not_found"}), closed]
    assert ends(fourth) == [answered, closed]
    texts = [e.fields()["text"] for e in of_type(screen.events(first), "answer_edited")]
    assert texts == ["Saale\n\n  Saale river ", "Saale"]
    assert screen.kinds(first)[-1] == "batch_closed", "looking back leaves no event"
    screen.page.goto(screen.url)
    expect(screen.page.get_by_role("radio", name="Closed (1)")).to_be_visible()
