"""Pages that one of two annotators graded relevant: open until a reviewer marks or rejects them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from tests.e2e.support.review_steps import gold_events, review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import STUDY, attempts
from tests.support.campaigns import add_campaign, open_batches
from tests.support.looks import as_on_screen

pytestmark = pytest.mark.browser

GRADING = "Grading"
GRADES = {"alma": ("2", "2", "0", "2"), "bruno": ("2", "0", "0", "0")}
"""Of the pages 1 to 4: both marked the first, one of them the second and the fourth."""
_NUMBER = itertools.count(1)


def grade(services: Services, name: str, grades: tuple[str, ...]) -> str:
    """Grade the pages, with a box on each relevant one, and submit; returns the attempt."""
    person = find_person(services.workspace, name)
    attempt = attempts(services.workspace, name, GRADING)["query"]
    events: list[tuple[str, dict[str, Any]]] = [
        ("opened", {"session": "tab"}),
        ("field_set", {"field": "query_quality", "value": "good"}),
    ]
    for page, value in enumerate(grades, start=1):
        page_ref = {"document": STUDY, "page": page}
        events.append(("field_set", {"field": "relevance", "value": value, **page_ref}))
        if value != "0":
            box = {"box": f"b{page}", "rect": [10, 10, 200, 60], "label": "Text", **page_ref}
            events.append(("box_drawn", box))
            events.append(("field_set", {"field": "modalities", "value": ["text"], **page_ref}))
    events += [("answer_edited", {"text": "42"}), ("submitted", {"outcome": "answered"})]
    for type_, payload in events:
        event = {
            "id": f"grade-{next(_NUMBER)}",
            "type": type_,
            "payload": as_on_screen(type_, payload),
        }
        reply = record_events(services, person, attempt, {"session": "tab", "events": [event]})
        assert not reply["refusals"], reply["refusals"]
    return attempt


@pytest.fixture
def task(workspace: Workspace) -> int:
    """A task that two people have graded, with ``keep = 2``."""
    pages = [{"document": STUDY, "page": page} for page in range(1, 5)]
    row = {"id": "query", "question": "How many otters?", "candidates": pages}
    add_campaign(
        workspace,
        GRADING,
        [row],
        protocol="relevance",
        settings={"review.keep": 2},
        overlap=2,
        seed=3,
    )
    open_batches(workspace, GRADES, [GRADING])
    services = Services(workspace)
    ids = [grade(services, name, grades) for name, grades in GRADES.items()]
    attempt_row = queries.attempt(workspace.engine, ids[0])
    services.reviews.acceptance.settle(attempt_row.campaign_id)
    return attempt_row.task_id


def qrels(workspace: Workspace, folder: Path, gold: str | None = None) -> dict[int, int]:
    """Page → score in the export for retrieval evaluators."""
    export(workspace, GRADING, "trec", folder, gold=gold)
    lines = (folder / "qrels.txt").read_text(encoding="utf-8").splitlines()
    return {int(line.split()[2].rpartition("#")[2]): int(line.split()[3]) for line in lines}


def test_disputed_pages_are_open_until_the_reviewer_decides_them(
    task: int,
    workspace: Workspace,
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
    tmp_path: Path,
) -> None:
    """Ctrl+Enter names the open pages; one is marked, one rejected; then it is exported."""
    watch.allow(r"/reviewing/_stcore/")
    assert qrels(workspace, tmp_path / "before") == {1: 2, 3: 0}
    screen = review_of(new_context(), server.url, stored, "sven", task)
    pages = {
        n: screen.page.locator(
            f"tbody:has([data-part=relevance]) [data-testid=page-row][data-page='{n}']"
        ).locator("td.gold-col")
        for n in (1, 2, 3, 4)
    }
    screen.press("Control+Enter")
    message = f"open on 2 pages: page 2 of {STUDY}, page 4 of {STUDY}. Mark or reject each."
    expect(screen.part("said")).to_contain_text(message)
    expect(pages[2]).to_contain_text("open: one of two annotators marked it")
    pages[2].get_by_test_id("mark-page").click()
    expect(pages[2]).to_contain_text("Fully relevant")
    expect(pages[2]).to_contain_text("retained: one annotator and the reviewer")
    relevance = screen.page.locator("[data-testid=part][data-part=relevance]")
    expect(relevance).to_contain_text(f"page 4 of {STUDY} is open.")  # of the merged draft
    screen.part("matrix").focus()
    screen.press("Control+Enter")
    expect(screen.part("said")).to_contain_text(f"page 4 of {STUDY} is open.")
    pages[4].get_by_test_id("reject-page").click()
    expect(pages[4]).to_contain_text("Not relevant")
    expect(pages[4]).to_contain_text("rejected by the reviewer")
    expect(screen.part("tie")).to_have_count(0)
    screen.page.screenshot(path=tmp_path / "decided.png")
    screen.part("matrix").focus()
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, task, "gold_merged")
    gold_events(workspace, screen.page, task, "adjudicated")
    (choice,) = (c for c in merged.fields()["choices"] if c["part"] == "relevance")
    assert [(p["page"], p["decision"]) for p in choice["page_decisions"]] == [
        (2, "marked"),
        (4, "rejected"),
    ]
    decided = {1: 2, 2: 2, 3: 0, 4: 0}
    assert qrels(workspace, tmp_path / "after") == decided
    assert qrels(workspace, tmp_path / "gold", "adjudicated") == decided
