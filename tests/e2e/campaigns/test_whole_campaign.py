"""A whole campaign in browsers: three annotators, one supervisor, gold that can be traced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from playwright.sync_api import expect

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.services.composition import Services
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.move import move_to_postgresql
from tests.e2e.conftest import OpenScreen
from tests.e2e.support import whole_campaign
from tests.e2e.support.drawing import Sheet
from tests.e2e.support.form_steps import option
from tests.e2e.support.readiness import click_verdict, wait_until_judgeable
from tests.e2e.support.review_steps import gold_events
from tests.e2e.support.screen import Screen, press, task_path, wait_until
from tests.e2e.support.small_workspace import attempts
from tests.e2e.support.whole_campaign import (
    ANNOTATORS,
    CAMPAIGN,
    IN_THE_BROWSER,
    PLANS,
    RIVERS,
    Deed,
)
from tests.support.built_once import built_once, closed
from tests.support.postgresql import new_database


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder; each test works on a copy."""
    return built_once(tmp_path_factory, "whole", closed(whole_campaign.build)) / "ws"


@pytest.fixture(params=["sqlite", "postgresql"])
def workspace(
    request: pytest.FixtureRequest,
    template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Workspace]:
    """A copy of the template, on either database."""
    opened = Workspace.open(copytree(template, tmp_path / "ws"))
    if request.param == "postgresql":
        address = new_database()
        move_to_postgresql(opened, address, SystemClock())
        monkeypatch.setenv(DATABASE_URL, address)
        opened = Workspace.open(opened.root)
    yield opened
    opened.engine.dispose()


def annotate(screen: Screen, attempt: str, deed: Deed) -> None:
    """Open a task, do it as planned, and submit it."""
    first, last = min(deed.pages, default=1), max(deed.pages, default=1)
    screen.go(attempt, document=RIVERS, page=first)
    screen.wait_until_painted(RIVERS, first)
    click_verdict(option(screen, "clear", deed.clear))
    for page in range(first, last + 1):
        if page > first:
            screen.page.keyboard.press("ArrowRight")
            screen.wait_until_painted(RIVERS, page)
        if page in deed.pages:
            screen.page.keyboard.press("c")
            expect(screen.part("citation")).to_have_count(deed.pages.index(page) + 1)
    if deed.grade is not None:
        click_verdict(option(screen, "relevance", deed.grade))
    if deed.box is not None:
        screen.page.keyboard.press("b")
        Sheet(screen, whole_campaign.SIZE).draw(deed.box)
    if deed.answer:
        screen.part("answer").fill(deed.answer)
        screen.part("submit").click()
    else:
        screen.part("no-answer").click()
    screen.part("confirm-submit").click()
    screen.has("submitted", attempt=attempt)
    # The screen goes to the next task by itself, or says that there is none.
    at_the_end = screen.part("complete-dialog")
    wait_until(screen.page, lambda: attempt not in screen.page.url or at_the_end.is_visible(), bool)


MOST_WAYS = 10
MOST_KEYS = 5
"""Keys per decided task."""
REASONS = {
    "answers": "The ledger says 42.",
    "evidence": "All three pages are needed.",
    "values": "It names no river.",
    "regions": "The sentence, not the drawing.",
}


def decide(screen: Screen, key: str) -> int:
    """Resolve the task on screen by keyboard, as planned for it.

    Returns:
        How many keys it took, but for the reason.
    """
    keys = screen.page.keyboard
    pressed = 2
    wait_until_judgeable(screen.page)
    if key == "answers":
        keys.press("1")
    elif key == "evidence":
        ways = screen.page.locator("[data-part='evidence']").get_by_test_id("ways")
        for _ in range(MOST_WAYS):
            before = ways.input_value()
            if before == "union":
                break
            wait_until_judgeable(screen.page)
            keys.press("m")
            pressed += 1
            expect(ways).not_to_have_value(before)
        expect(ways).to_have_value("union")
        pressed -= 1
    elif key == "values":
        keys.press("2")
    elif key == "regions":
        keys.press("Shift+1")
    keys.press("r")
    expect(screen.part("reason")).to_be_focused()
    keys.type(REASONS[key])
    wait_until_judgeable(screen.page)
    keys.press("Control+Enter")
    return pressed


def current_key(screen: Screen) -> str:
    """Key of the task on screen; waits until one is."""

    def shown_keys() -> list[str]:
        words = screen.part("where").inner_text().split()
        return [key for key in whole_campaign.TASKS if key in words]

    (key,) = wait_until(screen.page, shown_keys, bool)
    return key


def test_from_annotators_to_gold(
    screen_of: OpenScreen, workspace: Workspace, tmp_path: Path
) -> None:
    """Planted disagreements are all found, resolved by keyboard, and traced in the export.

    A task of each kind is done in the browser, one person after the other; the rest beside it.
    One task agrees and becomes gold automatically, as does one that is sent back, with a comment,
    to the annotator who had found nothing; the other four are decided.
    """
    attempt_ids = {name: attempts(workspace, name, CAMPAIGN) for name in ANNOTATORS}
    services = Services(workspace)
    for number, name in enumerate(ANNOTATORS):
        for plan in PLANS:
            if plan.key not in IN_THE_BROWSER[name]:
                whole_campaign.deliver(
                    services, name, attempt_ids[name][plan.key], plan.deeds[number]
                )
    services.close()
    tab: Screen | None = None  # one browser: another would compile all scripts
    for number, name in enumerate(ANNOTATORS):
        browser_plans = [plan for plan in PLANS if plan.key in IN_THE_BROWSER[name]]
        path = task_path(attempt_ids[name][browser_plans[0].key])
        if tab is None:
            tab = screen_of(name, path=path)
        else:
            tab.sign_in(name, path)
        tab.wait_until_ready()
        for plan in browser_plans:
            annotate(tab, attempt_ids[name][plan.key], plan.deeds[number])
        if name == ANNOTATORS[-1]:
            # No supervisor has looked at anything yet.
            agreed = queries.attempt(workspace.engine, attempt_ids[name]["agreed"]).task_id
            gold_events(workspace, tab.page, agreed, "adjudicated")

    assert tab is not None
    tab.sign_in("sven", f"/review?campaign={CAMPAIGN}")
    expect(tab.page.get_by_text("Accepted automatically 1")).to_be_visible()
    press(tab.page.get_by_role("button", name="Review the next one"))
    reviewed_keys: list[str] = []
    for _ in range(5):
        expect(tab.part("question")).to_be_visible()
        key = current_key(tab)
        assert key not in reviewed_keys, reviewed_keys
        reviewed_keys.append(key)
        if key == "outcomes":
            tab.page.keyboard.press("b")
            tab.part("return-person").select_option(attempt_ids["bo"]["outcomes"])
            tab.part("return-comment").fill("Look at the first page again, please.")
            tab.part("return-send").click()
            expect(tab.part("return-dialog")).to_have_count(0)
            tab.page.keyboard.press("Control+ArrowRight")
        else:
            assert decide(tab, key) <= MOST_KEYS, key
        if len(reviewed_keys) < 5:
            expect(tab.part("where")).not_to_contain_text(key)
    assert set(reviewed_keys) == {"answers", "evidence", "values", "regions", "outcomes"}
    if reviewed_keys[-1] != "outcomes":  # the tab is left as soon as it is stored
        last = queries.attempt(workspace.engine, attempt_ids["bo"][reviewed_keys[-1]]).task_id
        gold_events(workspace, tab.page, last, "adjudicated")

    tab.sign_in("bo")
    expect(tab.page.get_by_text("1 sent back")).to_be_visible()
    attempt = attempt_ids["bo"]["outcomes"]
    tab.open(attempt, document=RIVERS, page=1)
    expect(tab.part("comment")).to_contain_text("Look at the first page again, please.")
    tab.wait_until_painted(RIVERS, 1)
    tab.page.keyboard.press("c")
    expect(tab.part("citation")).to_have_count(1)
    tab.part("answer").fill("42")
    tab.part("submit").click()
    tab.part("confirm-submit").click()
    tab.has("submitted", 2, attempt=attempt)

    tab.sign_in("sven", f"/review?campaign={CAMPAIGN}")
    expect(tab.page.get_by_text("Accepted automatically 2")).to_be_visible()
    export(workspace, CAMPAIGN, "adjudicated", tmp_path / "gold", identify=True)
    rows = {row["id"]: row for row in _rows(tmp_path / "gold" / "gold.jsonl")}
    assert set(rows) == set(whole_campaign.TASKS)
    by = {key: row["adjudication"]["by"] for key, row in rows.items()}
    assert by == {key: "sven" for key in REASONS} | {"agreed": "rule", "outcomes": "rule"}
    assert {key: rows[key]["adjudication"]["reason"] for key in REASONS} == REASONS
    assert {key: rows[key]["answer_variants"] for key in rows} == {
        key: [["42"]] for key in whole_campaign.TASKS
    }
    cited = {key: [page["page"] for page in rows[key]["evidence"]] for key in rows}
    assert cited == {key: [1] for key in whole_campaign.TASKS} | {"evidence": [1, 2, 3]}
    assert rows["values"]["gold"]["fields"] == {"clear": "no"}
    assert rows["regions"]["gold"]["pages"][0]["fields"] == {"relevance": "2"}
    (box,) = rows["regions"]["gold"]["boxes"]
    assert box["rect"] == pytest.approx(PLANS[5].deeds[0].box, abs=1)
    log = SqlEventLog(workspace.engine)
    for key, row in rows.items():
        sources = row["adjudication"]["sources"]
        assert {s["annotator"]: s["attempt"] for s in sources} == {
            name: attempt_ids[name][key] for name in ANNOTATORS
        }
        for source in sources:
            events = list(log.events(source["attempt"]))
            assert events[source["seq"] - 1].type == "submitted"


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.open(encoding="ascii")]
