"""Tasks that two people have submitted differently, and the reviewing screen as a test uses it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support.screen import Screen, wait_until
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD, STUDY, attempts
from tests.support.campaigns import add_campaign, open_batches
from tests.support.looks import as_on_screen

_NUMBER = itertools.count(1)
SECOND = "sigrid"
"""A second supervisor."""

PLANTED_ANSWERS: dict[str, dict[str, tuple[str, tuple[int, ...]]]] = {
    "q1": {"alma": ("42 otters", (1, 2)), "bruno": ("57 otters", (1, 3))},
    "q2": {"alma": ("The Saale", (3,)), "bruno": ("The river Saale", (3, 4))},
}
"""Task, person: the answer and the pages of the study."""


def submit_answer(
    workspace: Workspace,
    name: str,
    key: str,
    answer: str,
    pages: tuple[int, ...],
    campaign: str = CAMPAIGN,
) -> None:
    """Answer a task, cite pages and submit it; a submitted task is reopened first."""
    attempt = attempts(workspace, name, campaign)[key]
    is_resubmission = Services(workspace).log.state(attempt).status == "submitted"
    events: list[tuple[str, dict[str, Any]]] = [
        ("reopened" if is_resubmission else "opened", {} if is_resubmission else {"session": "tab"})
    ]
    if not is_resubmission:
        for page in pages:
            page_ref = {"document": STUDY, "page": page}
            events += [("page_viewed", {"via": "next", **page_ref}), ("citation_added", page_ref)]
    events += [("answer_edited", {"text": answer}), ("submitted", {"outcome": "answered"})]
    record(workspace, name, attempt, events)


def record(
    workspace: Workspace, name: str, attempt: str, events: Iterable[tuple[str, dict[str, Any]]]
) -> None:
    """Record somebody's work, event by event (type, payload); nothing may be refused."""
    services = Services(workspace)
    person = find_person(workspace, name)
    for type_, payload in events:
        event = {
            "id": f"planted-{next(_NUMBER)}",
            "type": type_,
            "payload": as_on_screen(type_, payload),
        }
        reply = record_events(services, person, attempt, {"session": "tab", "events": [event]})
        assert not reply["refusals"], reply["refusals"]


def plant_page(
    workspace: Workspace,
    campaign: str,
    protocol: str,
    given: dict[str, Any],
    edits: Mapping[str, Sequence[tuple[str, dict[str, Any]]]],
) -> int:
    """Import a task ``t1`` about the study's first page that two people submit; returns its id.

    Args:
        given: what the task has besides its page, such as a text or tables.
        edits: person → events between opening and submitting.
    """
    page = {"document": STUDY, "page": 1}
    task = {"id": "t1", "question": "Correct what the model read.", "candidates": [page], **given}
    add_campaign(workspace, campaign, [task], protocol=protocol, overlap=2)
    open_batches(workspace, edits, [campaign])
    for name, events in edits.items():
        attempt = attempts(workspace, name, campaign)["t1"]
        opened = ("opened", {"session": "tab"})
        submitted = ("submitted", {"outcome": "completed"})
        record(workspace, name, attempt, [opened, *events, submitted])
    return Services(workspace).reviews.streams.gold_row(attempt).task_id


def plant(workspace: Workspace) -> dict[str, int]:
    """Submit ``PLANTED_ANSWERS`` and add a second supervisor; returns task ids by key."""
    add_user(workspace, SECOND, "supervisor", PASSWORD)
    for key, people in PLANTED_ANSWERS.items():
        for name, (answer, pages) in people.items():
            submit_answer(workspace, name, key, answer, pages)
    alma_attempts = attempts(workspace, "alma")
    tasks = {key: queries.attempt(workspace.engine, alma_attempts[key]) for key in PLANTED_ANSWERS}
    services = Services(workspace)
    for campaign in {row.campaign_id for row in tasks.values()}:
        services.reviews.acceptance.settle(campaign)
    return {key: row.task_id for key, row in tasks.items()}


class Review(Screen):
    """The reviewing screen in one supervisor's tab."""

    def wait_for_task(self, task: int) -> None:
        """Wait until a task is on screen.

        Raises:
            AssertionError: it is not; holds what the screen says instead.
        """
        expect(self.part("review")).to_be_visible()
        wait_until(
            self.page,
            lambda: (self.page.url, *self.part("banners").all_inner_texts()),
            lambda url_and_banners: url_and_banners[0].endswith(f"/reviewing?task={task}"),
        )
        expect(self.part("matrix").get_by_test_id("part").first).to_be_visible()
        self.wait_until_judgeable()

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, each once it may decide."""
        for key in keys:
            self.wait_until_judgeable()
            self.page.keyboard.press(key)

    def gold(self, part: str) -> Any:
        """The cell of a part in the gold draft's column."""
        return self.page.locator(f"[data-testid=part][data-part={part}] td.gold-col")


def review_of(
    context: BrowserContext, url: str, stored: Callable[[str], list[Event]], name: str, task: int
) -> Review:
    """Sign a supervisor in and open a task under review."""
    page: Page = context.new_page()
    screen = Review(page, url, stored)
    screen.sign_in(name, f"/reviewing?task={task}")
    screen.wait_for_task(task)
    return screen


def gold_events(workspace: Workspace, page: Page, task: int, kind: str) -> list[Event]:
    """Wait until the task's gold stream has an event of that type; returns those."""
    services = Services(workspace)
    gold = services.reviews.streams.gold(task).attempt_id

    def read() -> list[Event]:
        return [event for event in services.log.events(gold) if event.type == kind]

    return wait_until(page, read, bool)


__all__ = [
    "CAMPAIGN",
    "PLANTED_ANSWERS",
    "SECOND",
    "Review",
    "gold_events",
    "plant",
    "review_of",
    "submit_answer",
]
