"""One task under review in a real browser: by keyboard, with a second supervisor, and stale."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.login_sessions import close_session
from tests.e2e.support import review_steps as reviewed
from tests.e2e.support.review_steps import SECOND, Review, gold_events
from tests.e2e.support.screen import Watch, press
from tests.e2e.support.server_process import CONNECTION_LOST
from tests.e2e.support.small_workspace import STUDY

pytestmark = pytest.mark.browser

REFUSED = (r"409", r"/reviewing/_stcore/")


@pytest.fixture
def tasks(workspace: Workspace) -> dict[str, int]:
    """Two tasks in conflict, by key; submitted before the server starts."""
    return reviewed.plant(workspace)


def test_by_keyboard_a_task_is_taken_merged_and_accepted_and_the_next_one_comes(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Choices by key are in the stored event, with the reason; looking stores nothing."""
    screen = reviewing("q1")
    gold = Services(workspace).reviews.streams.gold(tasks["q1"]).attempt_id
    expect(screen.part("holder")).to_have_text("")
    expect(screen.part("status")).to_have_text("To decide")
    expect(screen.gold("answer").get_by_role("paragraph")).to_have_text("—")
    answer = screen.page.locator("[data-testid=part][data-part=answer]")
    expect(answer.get_by_test_id("tie")).to_have_text("Tie: yours to decide")
    screen.press("Control+Enter")
    expect(screen.part("said")).to_contain_text("Answer is a tie")
    assert screen.events(gold) == []
    screen.press("2")
    expect(screen.part("holder")).to_have_text("Taken by you")
    expect(screen.gold("answer")).to_contain_text("57 otters")
    expect(screen.part("tie")).to_have_count(0)
    screen.press("n", "m")
    expect(screen.gold("evidence")).to_have_text("3 pages")
    screen.press("r")
    screen.page.keyboard.type("n2: bruno read the line for autumn")  # letters are no keys here
    screen.press("Control+Enter")
    screen.wait_for_task(tasks["q2"])
    (decided,) = gold_events(workspace, screen.page, tasks["q1"], "adjudicated")
    (merged,) = gold_events(workspace, screen.page, tasks["q1"], "gold_merged")
    assert decided.fields()["reason"] == "n2: bruno read the line for autumn"
    choices = {c["part"]: (c["how"], c["side"]) for c in merged.fields()["choices"]}
    attempt_by_annotator = {s["annotator"]: s["attempt"] for s in merged.fields()["sources"]}
    assert choices["answer"] == ("side", attempt_by_annotator["bruno"])
    assert choices["evidence"] == ("union", None)
    assert merged.fields()["answer_text"] == "57 otters"
    screen.press("Control+z")  # the last decision, though the next task is open
    screen.wait_for_task(tasks["q1"])
    expect(screen.part("status")).to_have_text("To decide")
    expect(screen.part("holder")).to_have_text("Taken by you")
    expect(screen.gold("answer")).to_contain_text("57 otters")
    assert len(gold_events(workspace, screen.page, tasks["q1"], "decision_undone")) == 1
    screen.press("1")  # the focus has left the reason
    expect(screen.part("holder")).to_have_text("Taken by you")


def test_nothing_is_decided_before_the_page_is_painted(reviewing: Callable[..., Review]) -> None:
    """A key that comes before the page's image is dropped, and said to be; later it decides."""
    screen = reviewing("q1")
    held: list[Route] = []
    screen.page.route("**/pagetrail/page/**", lambda route: held.append(route))
    screen.page.reload()
    expect(screen.part("matrix").get_by_test_id("part").first).to_be_visible()
    screen.page.keyboard.press("2")
    expect(screen.part("said")).to_have_text("Too fast: look at the task first.")
    expect(screen.gold("answer").get_by_role("paragraph")).to_have_text("—")
    expect(screen.part("review")).to_have_attribute("data-verdict-ready", "false")
    for route in held:
        route.continue_()
    screen.page.unroute("**/pagetrail/page/**")
    screen.press("2")
    expect(screen.gold("answer")).to_contain_text("57 otters")


def test_pages_are_picked_one_by_one_and_answers_accepted_and_written(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """A page that one annotator marked stays where the reviewer marks it; the image opens it.

    Both answers are accepted, then one of them, and that is written otherwise, with a variant.
    """
    screen = reviewing("q1")
    row = screen.page.locator("[data-testid=page-row][data-page='3']")
    expect(row.locator("td.gold-col")).to_contain_text("open: one of two annotators marked it")
    row.get_by_test_id("mark-page").click()
    expect(row.locator("td.gold-col")).to_contain_text("retained: one annotator and the reviewer")
    other = screen.page.locator("[data-testid=page-row][data-page='2']")
    other.get_by_test_id("reject-page").click()
    expect(other.locator("td.gold-col")).to_contain_text("rejected by the reviewer")
    expect(screen.part("venn")).to_be_visible()
    row.get_by_test_id("shot").click()
    expect(screen.part("page-title")).to_have_text(f"{STUDY}, page 3")
    answer = screen.page.locator("[data-testid=part][data-part=answer]")
    answer.get_by_test_id("take").first.click()
    screen.press("m")
    expect(screen.gold("answer").get_by_role("listitem")).to_have_text(["42 otters", "57 otters"])
    screen.press("2")
    expect(screen.gold("answer").get_by_role("listitem")).to_have_text(["42 otters"])
    screen.press("a")
    screen.page.keyboard.type(" in spring")
    screen.part("add-variant").click()
    screen.page.keyboard.type("42")  # letters and digits are no keys here
    screen.press("Escape")
    expect(screen.gold("answer").get_by_role("listitem")).to_have_text(
        ["42 otters in spring", "42"]
    )
    screen.part("accept").click()
    (merged,) = gold_events(workspace, screen.page, tasks["q1"], "gold_merged")
    added_by_reviewer = {page["page"]: page["reviewer"] for page in merged.fields()["evidence"]}
    assert added_by_reviewer == {1: False, 3: True}
    assert merged.fields()["answer_text"] == "42 otters in spring"
    assert list(merged.fields()["variants"]) == ["42"]


def test_a_second_supervisor_sees_that_it_is_taken_and_can_only_look_or_take_over(
    reviewing: Callable[..., Review], watch: Watch
) -> None:
    """Keys and buttons do nothing for the second one; the first is told who took it over."""
    watch.allow(*REFUSED)
    first = reviewing("q1")
    first.press("2")
    expect(first.part("holder")).to_have_text("Taken by you")
    second = reviewing("q1", SECOND)
    expect(second.part("holder")).to_have_text("Taken by sven")
    expect(second.part("accept")).to_be_disabled()
    second.press("1", "Control+Enter")
    expect(second.part("said")).to_contain_text("sven has taken this task")
    second.part("take-task").click()
    expect(second.part("holder")).to_have_text("Taken by you")
    first.press("Control+Enter")
    expect(first.part("problem")).to_contain_text(f"{SECOND} has taken this task over")


def test_deciding_without_an_annotator_is_announced_and_needs_the_key_twice(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Sent back to bruno: the bar names him, the key asks once, and the decision says so."""
    screen = reviewing("q1")
    expect(screen.part("accept")).to_have_text("Accept")
    screen.press("b")
    screen.part("return-person").select_option(label="bruno")
    screen.part("return-comment").fill("Spring, please.")
    screen.part("return-send").click()
    expect(screen.part("status")).to_have_text("Sent back")
    expect(screen.part("still-at-it")).to_have_text("Still to submit it: bruno (sent back).")
    expect(screen.part("accept")).to_have_text("Decide without bruno")
    screen.press("1")  # alma's pages too: with nobody else's marks they are open
    expect(screen.part("tie")).to_have_count(0)
    screen.press("Control+Enter")
    expect(screen.part("still-at-it")).to_contain_text("Ctrl+Enter again to decide without bruno.")
    gold = Services(workspace).reviews.streams.gold(tasks["q1"]).attempt_id
    assert "adjudicated" not in screen.kinds(gold)
    screen.part("reason").fill("He is away.")
    screen.press("Control+Enter")
    screen.wait_for_task(tasks["q2"])
    (decided,) = gold_events(workspace, screen.page, tasks["q1"], "adjudicated")
    assert decided.fields()["reason"] == "Decided without bruno (sent back). He is away."
    assert [s["annotator"] for s in decided.fields()["sources"]] == ["alma"]
    expect(screen.part("still-at-it")).to_have_text("")
    expect(screen.part("accept")).to_have_text("Accept")


def test_the_queues_filters_lead_to_a_task_and_back(
    reviewing: Callable[..., Review], tasks: dict[str, int]
) -> None:
    """What the queue was narrowed to is what comes next, and is there again afterwards.

    The other task that waits for a decision is none of this queue.
    """
    screen = reviewing("q1")
    page = screen.page
    page.goto(f"{screen.url}/review?campaign={reviewed.CAMPAIGN}&who=bruno&text=spring")
    press(page.get_by_role("button", name="Review the next one"))
    expect(screen.part("matrix").get_by_test_id("part").first).to_be_visible()
    expect(screen.part("queue-place")).to_have_text("1 of 1, filtered")
    screen.part("to-queue").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("spring")
    page.wait_for_url(lambda url: "who=bruno" in url)
    press(page.get_by_role("button", name="Review the next one"))
    expect(screen.part("queue-place")).to_have_text("1 of 1, filtered")
    following = screen.part("review").get_by_role("button", name="Next task in the queue")
    expect(following).to_be_disabled()
    screen.press("2", "Control+Enter")
    expect(screen.part("notice")).to_contain_text("No other task of the filtered queue is left.")
    expect(screen.part("status")).to_have_text("Decided")
    screen.part("notice-queue").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("spring")
    expect(page.get_by_text("No tasks match. Remove a filter.")).to_be_visible()


def test_stale_decision_is_refused_and_keeps_typed_text(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace, watch: Watch
) -> None:
    """Who submits again is named; reason and choices are still there for the present state."""
    watch.allow(*REFUSED)
    screen = reviewing("q1")
    screen.press("2")
    expect(screen.part("holder")).to_have_text("Taken by you")
    screen.part("reason").fill("as bruno says")
    reviewed.submit_answer(workspace, "bruno", "q1", "58 otters", ())
    screen.press("Control+Enter")
    expect(screen.part("problem")).to_contain_text("bruno has resubmitted this task")
    gold = Services(workspace).reviews.streams.gold(tasks["q1"]).attempt_id
    assert "adjudicated" not in screen.kinds(gold)
    screen.part("problem-act").click()
    expect(screen.part("problem")).to_have_count(0)
    expect(screen.gold("answer")).to_contain_text("58 otters")
    expect(screen.part("reason")).to_have_value("as bruno says")
    screen.press("Control+Enter")
    screen.wait_for_task(tasks["q2"])
    (merged,) = gold_events(workspace, screen.page, tasks["q1"], "gold_merged")
    assert merged.fields()["answer_text"] == "58 otters"


def test_a_decision_whose_reply_is_lost_is_sent_again_and_stored_once(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace, watch: Watch
) -> None:
    """The server has it, the browser does not know: the same request goes out again."""
    watch.allow(r"ERR_FAILED")
    screen = reviewing("q1")
    lost_requests: list[str] = []

    def lose(route: Route) -> None:
        lost_requests.append(route.request.post_data or "")
        if len(lost_requests) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    screen.page.route(re.compile(r"/decide$"), lose)
    screen.page.reload()  # a page loaded before the route is set may send past it
    screen.wait_for_task(tasks["q1"])
    screen.press("2")
    expect(screen.part("holder")).to_have_text("Taken by you")
    screen.press("Control+Enter")
    screen.wait_for_task(tasks["q2"])
    assert len(lost_requests) == 2
    assert lost_requests[0] == lost_requests[1]
    assert len(gold_events(workspace, screen.page, tasks["q1"], "adjudicated")) == 1


def test_the_review_is_left_when_the_session_ends(
    reviewing: Callable[..., Review], tasks: dict[str, int], workspace: Workspace, watch: Watch
) -> None:
    """The document leaves the screen; choices and reason wait for the same person only."""
    watch.allow("40[134]", *CONNECTION_LOST)
    screen = reviewing("q1")
    page = screen.page
    screen.press("2", "r")
    page.keyboard.type("read twice")
    expect(screen.part("holder")).to_have_text("Taken by you")
    (token,) = (c["value"] for c in page.context.cookies() if c["name"] == "pagetrail_session")
    close_session(workspace, token)
    expect(page).to_have_url(re.compile("/pagetrail/login"))
    expect(page.get_by_role("status")).to_contain_text("Your session has ended")
    for name, reason in ((SECOND, ""), ("sven", "read twice")):
        page.context.clear_cookies()
        screen.sign_in(name, f"/reviewing?task={tasks['q1']}")
        screen.wait_for_task(tasks["q1"])
        expect(screen.part("reason")).to_have_value(reason)
