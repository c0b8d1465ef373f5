"""Sent back, answered, submitted again; and a gold draft edited in the workspace."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from pagetrail.annotation.events import Difference
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.review.actions import ReviewedVersion
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.appearance import (
    AA,
    NAMED_ROLES,
    SCHEMES,
    contrasts,
    expect_in_sight,
    expect_no_overflow,
    nodes_of,
)
from tests.e2e.support.journeys import Traffic
from tests.e2e.support.screen import Screen, Watch, of_type, press, task_path, wait_until
from tests.e2e.support.small_workspace import STUDY, attempts

BRUNO = "planted: 57, says bruno"
COMMENT = "Spring, not autumn. Please look at page 1 again."
ANSWERS = {"alma": "57 in autumn", "bruno": BRUNO}
PROBE = r"/(task|reviewing)/_stcore/(health|host-config)"


@pytest.fixture
def services(workspace: Workspace) -> Iterator[Services]:
    """Services on the workspace, to do what a supervisor's routes would do."""
    services = Services(workspace)
    for name, answer in ANSWERS.items():
        page = {"document": STUDY, "page": 2}
        events = [
            {"id": f"first-{n}", "type": kind, "payload": payload}
            for n, (kind, payload) in enumerate(
                [
                    ("opened", {"session": "first"}),
                    ("citation_added", page),
                    ("answer_edited", {"text": answer}),
                    ("submitted", {"outcome": "answered"}),
                ]
            )
        ]
        attempt = attempts(workspace, name)["q1"]
        person = find_person(workspace, name)
        assert not record_events(services, person, attempt, {"events": events})["refusals"]
    yield services


def test_a_returned_task_is_answered_and_submitted_again(
    screen_of: OpenScreen, services: Services, workspace: Workspace, watch: Watch
) -> None:
    """From the card to the banner, a reply written offline, work, submitting; the talk stays.

    Nothing of bruno, and nothing of the review, comes over the wire or the socket.
    """
    watch.allow(PROBE, r"net::ERR_INTERNET_DISCONNECTED", r"WebSocket connection to")
    attempt = attempts(workspace, "alma")["q1"]
    gold = _take_and_draft_gold(services, attempt)
    difference = Difference(part="answer", label="Answer", yours="57 in autumn")
    services.reviews.send_back(attempt, "sven", COMMENT, (difference,), "back-1")

    screen = screen_of("alma")
    page, traffic = screen.page, Traffic()
    traffic.listen(page)
    page.reload()
    expect(page.get_by_text("1 sent back")).to_be_visible()
    press(page.get_by_role("button", name="See tasks sent back"))
    screen.wait_until_ready()
    assert screen.attempt == attempt
    expect(screen.part("task-status")).to_have_text("Sent back")
    expect(screen.part("talk-title")).to_have_text(re.compile(r"^Sent back by sven, \d\d:\d\d$"))
    expect(screen.part("comment")).to_contain_text(COMMENT)
    expect(screen.part("difference")).to_have_text("Answer57 in autumn")
    expect(screen.part("talk-said")).to_have_text(f"sven sent this task back: {COMMENT}")
    expect(page.locator("[data-testid=task-dot][aria-current=true]")).to_have_attribute(
        "aria-label", re.compile("sent back")
    )

    # Without a connection: the reply is there at once, and stored once when it is back.
    page.context.set_offline(True)
    reply = screen.part("reply")
    reply.fill("half a thought")
    expect(screen.part("banner-offline")).to_be_visible()
    reply.fill("I counted autumn.\nNow corrected.")
    reply.press("Control+Enter")
    expect(screen.part("comment")).to_have_count(2)
    expect(screen.part("submit-dialog")).to_have_count(0)
    expect(reply).to_have_value("")
    assert not of_type(screen.events(attempt), "commented")
    page.context.set_offline(False)
    (comment,) = screen.has("commented", attempt=attempt)
    assert comment.fields()["text"] == "I counted autumn.\nNow corrected."
    screen.wait_until_saved()

    # Typed, not sent: a reload keeps it.
    reply.fill("and one more thing")
    page.reload()
    screen.wait_until_ready()
    expect(reply).to_have_value("and one more thing")
    expect(screen.part("comment")).to_have_count(2)
    expect(screen.part("comment").nth(1)).to_contain_text("You")

    # What the supervisor writes meanwhile comes with the next thing that is done.
    services.reviews.comment(attempt, "sven", "Thank you.", "c-2")
    screen.part("answer").fill("42")
    screen.part("question").click()
    expect(screen.part("comment")).to_have_count(3)
    expect(screen.part("talk-said")).to_have_text("sven commented: Thank you.")
    expect(screen.part("answer")).to_have_value("42")

    # By keyboard: folded away, and open again.
    toggle = screen.part("talk-toggle")
    toggle.focus()
    toggle.press("Enter")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    expect(screen.part("talk-list")).to_be_hidden()
    toggle.press("Enter")
    expect(reply).to_be_visible()

    screen.part("submit").click()
    screen.part("confirm-submit").click()
    screen.wait_for_events(lambda e: len(of_type(e, "submitted")) == 2, attempt)
    expect(screen.part("question")).not_to_contain_text("spring")
    screen.page.locator(f"[data-testid=task-dot][data-attempt='{attempt}']").click()
    expect(screen.part("banner-handed-in")).to_be_visible()
    # Open, since the last word is the supervisor's.
    expect(screen.part("comment")).to_have_count(3)
    reply.fill("Done.")
    screen.part("reply-send").click()
    screen.wait_for_events(lambda e: len(of_type(e, "commented")) == 3, attempt)

    events = screen.events(attempt)
    assert max(Counter(event.client_event_id for event in events).values()) == 1
    state = services.log.state(attempt)
    assert (state.status, state.answer, state.returned) == ("submitted", ["42"], False)
    assert [c.by for c in state.comments] == ["sven", "alma", "sven", "alma"]
    traffic.wait_for(screen.page, COMMENT)
    leaked_texts = [
        text for text in traffic.texts for word in (BRUNO, "bruno", gold) if word in text
    ]
    assert leaked_texts == []


def test_a_gold_draft_is_edited_and_the_hold_is_lost(
    screen_of: OpenScreen, services: Services, workspace: Workspace, watch: Watch
) -> None:
    """Sven corrects the draft and is back at the task; the next time it is taken from him."""
    watch.allow(PROBE, r"409 (GET|POST) .*/pagetrail/(attempts|page)/", r"status of 409")
    gold = _take_and_draft_gold(services, attempts(workspace, "alma")["q1"])
    task = queries.attempt(workspace.engine, gold).task_id
    screen = screen_of("sven", path=task_path(gold))
    page = screen.page
    screen.wait_until_ready()
    screen.wait_until_painted(STUDY, 2)
    expect(screen.part("gold-bar")).to_contain_text("not your own work")
    for part in ("home", "task-dot", "progress", "clock", "pause", "skip", "flag", "task-next"):
        expect(screen.part(part)).to_be_hidden()
    assert page.get_by_text(re.compile("left for this task")).count() == 0
    for key in ("f", "s", "p"):
        screen.part("question").press(key)
    expect(page.locator("dialog[open]")).to_have_count(0)

    screen.part("page-previous").click()
    screen.wait_until_painted(STUDY, 1)
    screen.part("cite").click()
    screen.part("answer").fill("42")
    expect(screen.part("submit")).to_have_text("Done: back to review")
    screen.part("submit").click()
    screen.part("confirm-submit").click()
    expect(page).to_have_url(re.compile(rf"/reviewing\?task={task}$"))
    state = services.log.state(gold)
    assert (state.answer, state.outcome, state.status) == (["42"], "answered", "submitted")
    stored = screen.events(gold)
    assert {e.actor for e in of_type(stored, "answer_edited", "submitted", "opened")} == {"sven"}
    assert not of_type(stored, "tab_hidden"), (
        "what a late signal changes would make a decision stale"
    )

    page.goto(f"{screen.url}{task_path(gold)}")
    screen.wait_until_ready()
    expect(screen.part("answer")).to_be_editable()
    screen.has("reopened", attempt=gold)
    screen.wait_until_saved()
    # The answer is on its way when rosa takes the task: typed later, the screen might know already.
    held_routes: list[Route] = []
    page.route("**/events", lambda route: held_routes.append(route))
    screen.part("answer").fill("43 or so")
    screen.part("question").click()
    wait_until(page, lambda: held_routes, bool)
    services.reviews.take(task, "rosa", "over-1", take_over=True)
    before = len(screen.events(gold))
    for route in held_routes:
        route.continue_()
    page.unroute("**/events")
    expect(screen.part("banner-stopped")).to_contain_text("rosa is reviewing this task")
    expect(screen.part("gold-note")).to_contain_text("Not saved: 1 answer")
    expect(screen.part("answer")).not_to_be_editable()
    expect(screen.part("answer")).to_have_value("43 or so")
    expect(screen.part("submit")).to_be_hidden()
    assert len(screen.events(gold)) == before
    screen.part("gold-back").click()
    expect(page).to_have_url(re.compile(rf"/reviewing\?task={task}$"))

    # Taken again while nobody has changed the draft: what was typed comes in.
    services.reviews.take(task, "sven", "over-2", take_over=True)
    page.goto(f"{screen.url}{task_path(gold)}")
    screen.wait_until_ready()
    screen.wait_for_events(
        lambda e: of_type(e, "answer_edited")[-1].fields()["text"] == "43 or so", gold
    )
    expect(screen.part("answer")).to_have_value("43 or so")


def test_returned_task_is_readable(
    screen_of: OpenScreen, services: Services, workspace: Workspace
) -> None:
    """Contrast of AA in either scheme, names for all that is operated, a page that fits."""
    attempt = attempts(workspace, "alma")["q1"]
    gold = _take_and_draft_gold(services, attempt)
    difference = Difference(part="answer", label="Answer", yours="57", other="42")
    services.reviews.send_back(attempt, "sven", COMMENT, (difference,), "back-1")
    services.reviews.comment(attempt, "sven", "Please. " * 200, "c-1")
    screen = screen_of("alma", "q1")
    expect(screen.part("comment")).to_have_count(2)
    _readable(screen, [".talk-title", ".talk-count", ".talk-meta", ".talk-text", ".talk-value",
                       ".talk-differences thead th", ".badge", ".talk-form .button"])  # fmt: skip
    nodes = [n for n in nodes_of(screen) if n["role"]["value"] in NAMED_ROLES]
    assert [n for n in nodes if not n.get("name", {}).get("value", "").strip()] == []
    (talk,) = (n for n in nodes if n["name"]["value"].startswith("Sent back by sven"))
    assert {p["name"]: p["value"].get("value") for p in talk["properties"]}["expanded"] is True
    expect_no_overflow(screen)
    expect_in_sight(screen, "page-next")
    sven = screen_of("sven", path=task_path(gold))
    sven.wait_until_ready()
    _readable(sven, [".gold-text", ".gold-text strong", ".gold-bar .button", ".position"])


def _readable(screen: Screen, texts: list[str]) -> None:
    for scheme in SCHEMES:
        ratios = contrasts(screen, scheme, texts)
        assert set(ratios) == set(texts)
        assert {k: round(v, 2) for k, v in ratios.items() if v < AA} == {}, scheme


def _take_and_draft_gold(services: Services, attempt: str) -> str:
    """Take the task as sven and merge both answers into a draft; returns the gold stream."""
    task = queries.attempt(services.workspace.engine, attempt).task_id
    services.reviews.take(task, "sven", "take-1")
    task_work = services.reviews.streams.task_work(task)
    assert task_work.gold is not None
    reviewed_version = ReviewedVersion(task_work.sources(), task_work.gold.state.last_seq)
    services.reviews.put_together(task, "sven", {}, reviewed_version, "draft-1")
    return task_work.gold.attempt
