"""A model's draft of a text and of tables, merged with people's in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from pagetrail.annotation.events import Event
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from tests.e2e.support.journeys import Traffic
from tests.e2e.support.review_steps import Review, gold_events, plant_page, review_of
from tests.e2e.support.screen import Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import STUDY

pytestmark = pytest.mark.browser

PAGE = {"document": STUDY, "page": 1}
GIVEN = "Counting took p1ace on twelve mornings."
TEXTS = {
    "alma": "Counting took place on twelve mornings.",
    "bruno": "Counting took place on twelve mornings of May.",
}
DRAFTED = "Counting took place on twelve cold mornings."
HTML = "<table><tr><th>River</th><th>2004</th></tr><tr><td>Saale</td><td>1O</td></tr></table>"


def text_edits(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Replaces the whole text."""
    edit = {"at": 0, "removed": GIVEN, "inserted": text}
    return [("text_edited", {**PAGE, "edits": [edit], "source": "paste"})]


def table_edits(value: str) -> list[tuple[str, dict[str, Any]]]:
    """Corrects the number, and answers the questions about the tables."""
    change = {"kind": "text", "row": 1, "column": 1, "was": "1O", "text": value}
    edited = {**PAGE, "table": "counts", "structure": 0, "change": change}
    answers = [("field_set", {"field": name, "value": "yes"}) for name in ("complete", "records")]
    return [("table_edited", edited), *answers]


def add_draft(workspace: Workspace, folder: Path, campaign: str, draft: dict[str, Any]) -> None:
    """A draft of the task by the model ``reader``."""
    file = folder / "drafts.jsonl"
    file.write_text(json.dumps({"task": "t1", **draft}), encoding="utf-8")
    report = import_drafts(workspace, file, campaign=campaign, model="reader", version="2")
    assert report.imported == 1, report.left_out


@pytest.fixture
def tasks(workspace: Workspace, tmp_path: Path, watch: Watch) -> dict[str, int]:
    """A page's text and its table with drafts; planted before the server starts."""
    watch.allow(r"/review/_stcore/")
    planted = {
        "text": plant_page(
            workspace,
            "Texts",
            "transcribe",
            {"transcript": GIVEN},
            {name: text_edits(text) for name, text in TEXTS.items()},
        ),
        "table": plant_page(
            workspace,
            "Tables",
            "verify_table",
            {"tables": [{"id": "counts", "html": HTML}]},
            {"alma": table_edits("10"), "bruno": table_edits("16")},
        ),
    }
    add_draft(workspace, tmp_path, "Texts", {"transcript": DRAFTED, "reasons": "It says cold."})
    records = [{"River": "Saale", "2004": "1833"}]
    add_draft(workspace, tmp_path, "Tables", {"tables": [{"id": "counts", "records": records}]})
    return planted


def browser_state(page: Page) -> str:
    """What the screen shows, shadow trees too, and what the browser has stored for it."""
    return str(
        page.evaluate(
            """async () => {
              const shown = (root) => [...root.querySelectorAll("*")].map((element) =>
                element.shadowRoot ? shown(element.shadowRoot) : "").join("") + root.innerHTML;
              const databases = await indexedDB.databases();
              return shown(document.body) + JSON.stringify([
                {...localStorage}, {...sessionStorage}, databases.map(({ name }) => name)]);
            }"""
        )
    )


def drafted_items(workspace: Workspace, screen: Review, task: int) -> list[tuple[str, bool]]:
    """(use, taken) of everything that the draft proposed."""
    (decision,) = gold_events(workspace, screen.page, task, "adjudicated")
    (draft,) = decision.fields()["drafts"]
    assert (draft["model"], draft["visibility"]) == ("reader", "shown")
    return [(item["use"], item["taken"]) for item in draft["items"]]


def test_a_draft_of_a_text_is_compared_and_taken_in_part(
    reviewing: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Alma's text with a word of the machine's, and one that the reviewer writes."""
    screen = reviewing("text")
    expect(screen.part("draft")).to_contain_text("Machine draft")
    expect(screen.part("merged-draft")).to_have_count(0)
    screen.part("text-merge").get_by_label("Texts that are compared").select_option(
        "1 alma and 3 reader (machine)"
    )
    expect(screen.part("merged-draft")).to_be_visible()
    expect(screen.part("text-progress")).to_have_text("0 of 1 difference decided")
    screen.part("rest-right").click()
    expect(screen.part("text-progress")).to_have_text("1 of 1 difference decided")
    screen.part("difference").get_by_test_id("write-text").click()
    screen.part("written-text").fill("warm ")
    screen.part("written-done").click()
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, tasks["text"], "gold_merged")
    assert merged.fields()["transcript"]["text"] == DRAFTED.replace("cold", "warm")
    assert drafted_items(workspace, screen, tasks["text"]) == [("rejected", False)]


def test_two_people_s_texts_and_the_draft_are_merged_one_after_the_other(
    reviewing: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Bruno's end of Alma's text, then the machine's word; a reload keeps both steps."""
    screen = reviewing("text")
    progress = screen.part("text-progress")
    expect(progress).to_have_text("0 of 1 difference decided")
    expect(screen.part("compare-merged")).to_have_count(0)
    screen.part("rest-right").click()
    screen.part("compare-merged").click()
    expect(progress).to_have_text("0 of 2 differences decided")
    added = screen.part("difference").first
    expect(added.get_by_test_id("take-left")).to_be_focused()
    expect(added.get_by_test_id("take-left")).to_have_attribute("title", "As it was merged so far")
    added.get_by_test_id("take-right").click()
    expect(progress).to_have_text("1 of 2 differences decided")
    screen.part("rest-left").click()
    expect(progress).to_have_text("2 of 2 differences decided")
    screen.page.reload()
    screen.wait_for_task(tasks["text"])
    expect(progress).to_have_text("2 of 2 differences decided")
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, tasks["text"], "gold_merged")
    text = "Counting took place on twelve cold mornings of May."
    assert merged.fields()["transcript"]["text"] == text
    (choice,) = (c for c in merged.fields()["choices"] if c["part"] == "transcript")
    assert len(choice["sides"]) == 3
    assert [decision["decision"] for decision in choice["text_decisions"]] == [
        "right",
        "right",
        "left",
    ]
    assert drafted_items(workspace, screen, tasks["text"]) == [("edited", True)]


def test_a_draft_of_a_table_is_taken_by_its_key(
    reviewing: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """The merge then shows the draft with every difference decided for it."""
    screen = reviewing("table")
    expect(screen.part("table-progress")).to_have_text("0 of 1 difference decided")
    screen.press("3")
    expect(screen.part("merged-draft")).to_be_visible()
    expect(screen.part("table-progress")).to_have_text("1 of 1 difference decided")
    machine = screen.part("difference").get_by_role("button", name="3 reader (machine): 1833")
    expect(machine).to_have_attribute("aria-pressed", "true")
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, tasks["table"], "gold_merged")
    (table,) = merged.fields()["tables"]
    assert [cell["text"] for cell in table["cells"]] == ["River", "2004", "Saale", "1833"]
    assert drafted_items(workspace, screen, tasks["table"]) == [("unchanged", True)]


@pytest.mark.parametrize(
    ("key", "words"),
    [("text", ("cold", "reader")), ("table", ("1833", "reader"))],
)
def test_a_hidden_draft_is_nowhere_in_the_browser_before_the_decision(
    tasks: dict[str, int],
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
    workspace: Workspace,
    key: str,
    words: tuple[str, ...],
) -> None:
    """Not in the page, not in what the browser keeps, nor in a reply; then it is compared."""
    watch.allow(r"/review(ing)?/_stcore/")
    campaign = {"text": "Texts", "table": "Tables"}[key]
    change_settings(workspace, None, campaign, {"review.hide_drafts": 1.0})
    traffic, context = Traffic(), new_context()
    context.on("page", traffic.listen)
    screen = review_of(context, server.url, stored, "sven", tasks[key])
    expect(screen.part("hidden-drafts")).to_be_visible()
    screen.press("1")
    expect(screen.part("difference").get_by_test_id("take-left")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(screen.part("text-merge" if key == "text" else "table-merge")).to_have_count(1)
    expect(screen.part("compare-merged")).to_have_count(0)
    state = browser_state(screen.page)
    assert "alma" in state
    traffic.wait_for(screen.page, "alma")
    for word in words:
        assert word not in state
        assert not [text for text in traffic.texts if word in text]
    screen.press("Control+Enter")
    expect(screen.part("draft")).to_contain_text("reader")
    expect(screen.part("hidden-drafts")).to_have_count(0)
    traffic.wait_for(screen.page, words[0])
    traffic.stop(screen.page)
    screen.press("r")
    screen.page.keyboard.type("the draft has more")
    screen.part("take-up").click()
    expect(screen.part("take-draft")).to_be_enabled()
    screen.part("compare-merged").click()
    expect(screen.part("merged-draft")).to_be_visible()
    expect(screen.part(f"{key}-progress")).to_have_text("0 of 1 difference decided")
    expect(screen.part("difference")).to_contain_text(words[0])
