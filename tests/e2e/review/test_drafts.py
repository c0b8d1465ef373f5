"""A model's draft under review in a real browser: by keyboard, rejected, and hidden at first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from pagetrail.annotation import events as ev
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from tests.e2e.support import review_steps as reviewed
from tests.e2e.support.appearance import accessibility_problems
from tests.e2e.support.review_steps import Review, gold_events
from tests.e2e.support.small_workspace import CAMPAIGN, STUDY

pytestmark = pytest.mark.browser

ROWS = [
    {
        "task": "q1",
        "answer": "42 otters in 57 dens",
        "evidence": [{"document": STUDY, "page": 1}, {"document": STUDY, "page": 4}],
        "reasons": "Page 1 has the count.",
        "answer_correctness": [True, False],
    },
    {"task": "q2", "answer": "The Saale"},
]


@pytest.fixture
def tasks(workspace: Workspace, tmp_path: Path) -> dict[str, int]:
    """Two tasks in conflict with a model's drafts; planted before the server starts."""
    task_ids = reviewed.plant(workspace)
    file = tmp_path / "drafts.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    report = import_drafts(workspace, file, campaign=CAMPAIGN, model="merger", version="2")
    assert report.imported == 2, report.left_out
    return task_ids


def uses(workspace: Workspace, screen: Review, task: int) -> list[list[tuple[str, str, str]]]:
    """By decision: (part, use, visibility) of what the draft proposed."""
    decisions = []
    for event in gold_events(workspace, screen.page, task, "adjudicated"):
        assert isinstance(event.payload, ev.Adjudicated)
        (draft,) = event.payload.drafts
        decisions.append([(item.part, item.use, draft.visibility) for item in draft.items])
    return decisions


def test_by_keyboard_a_draft_is_taken_and_edited_then_another_rejected(
    reviewing: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """The third column is the machine's; the decision says what became of the draft."""
    screen = reviewing("q1")
    head = screen.part("draft")
    expect(head).to_contain_text("Machine draft")
    expect(head).to_contain_text("merger")
    expect(screen.part("draft-reasons")).to_contain_text("Page 1 has the count.")
    expect(screen.part("draft-reasons")).to_contain_text("merger: correct")
    expect(screen.part("person")).to_have_count(2)
    screen.press("Shift+Digit3")
    expect(screen.gold("answer")).to_contain_text("42 otters in 57 dens")
    expect(screen.gold("evidence")).to_have_text("2 pages")
    answer = screen.page.locator("[data-testid=part][data-part=answer]")
    answer.get_by_test_id("edit-answer").click()
    screen.part("accepted-answer").fill("42 otters")
    screen.part("answer-done").click()
    expect(screen.gold("answer")).to_contain_text("42 otters")
    expect(screen.gold("answer")).not_to_contain_text("dens")
    screen.press("Control+Enter")
    screen.wait_for_task(tasks["q2"])
    (decision,) = uses(workspace, screen, tasks["q1"])
    assert decision == [
        ("answer", "edited", "shown"),
        ("evidence", "unchanged", "shown"),
        ("evidence", "unchanged", "shown"),
    ]

    problems = accessibility_problems(screen.page, "review with a draft")
    screen.part("reject-draft").click()
    problems += accessibility_problems(screen.page, "reject-draft-dialog")
    assert not problems, "\n".join(problems)
    screen.part("reject-draft-reason").fill("the wrong river")
    screen.press("Enter")
    expect(screen.part("draft-rejected")).to_have_text("Rejected")
    expect(screen.part("take-draft")).to_be_disabled()
    screen.press("3")
    expect(screen.part("said")).to_contain_text("You rejected the draft of merger")
    screen.press("Shift+Digit1", "Control+Enter")
    assert uses(workspace, screen, tasks["q2"]) == [[("answer", "rejected", "shown")]]


def test_a_hidden_draft_appears_with_the_decision_which_can_be_revised(
    reviewing: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """The screen stays on the task; both decisions are stored."""
    change_settings(workspace, None, CAMPAIGN, {"review.hide_drafts": 1.0})
    screen = reviewing("q1")
    expect(screen.part("hidden-drafts")).to_be_visible()
    expect(screen.part("draft")).to_have_count(0)
    screen.press("Shift+Digit2", "Control+Enter")
    expect(screen.part("draft")).to_contain_text("merger")
    expect(screen.part("said")).to_contain_text("The model’s draft is shown now")
    expect(screen.part("hidden-drafts")).to_have_count(0)
    screen.press("r")
    screen.page.keyboard.type("the draft has the count")
    screen.part("take-up").click()
    expect(screen.part("take-draft")).to_be_enabled()
    screen.part("take-draft").click()
    expect(screen.gold("answer")).to_contain_text("42 otters in 57 dens")
    screen.part("accept").click()
    screen.wait_for_task(tasks["q2"])
    first, second = uses(workspace, screen, tasks["q1"])
    assert first == [
        ("answer", "rejected", "hidden"),
        ("evidence", "unchanged", "hidden"),
        ("evidence", "rejected", "hidden"),
    ]
    assert {use for _, use, _ in second} == {"unchanged"}
    assert {visibility for _, _, visibility in second} == {"revealed"}
