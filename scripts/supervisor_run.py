"""A supervisor who resolves planted disagreements of every kind, by keyboard, in a real browser.

    python -m scripts.supervisor_run                 # all presets, in one queue
    python -m scripts.supervisor_run search oracle   # only these

One campaign of each preset is made, with the work of three annotators, and reviewed in the queue
of all campaigns. Keys and clicks are counted as the browser reports them: one for each key or chord
pressed outside a text field, letters typed into one apart. Prints a table and fails when gold is
not as planted, or when a campaign of answers and pages takes more than five keys in the median.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from statistics import median
from typing import Any

import pymupdf
from playwright.sync_api import Page, expect

from benchmarks.support import PASSWORD, RunningServer, browser, serving, signed_in_page
from pagetrail.annotation.clock import SystemClock
from pagetrail.app.reviewing.queue_address import ALL_CAMPAIGNS
from pagetrail.app.reviewing.work_json import state_json
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment, record_events
from pagetrail.app.workspace.question_checks import check_question
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.review.facets import reviewed_campaigns
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue
from pagetrail.storage.search.store import ensure_index
from scripts.supervisor_plans import CAMPAIGNS, DOCUMENT, PAGES, PEOPLE, SIZE, Planted
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.readiness import wait_until_judgeable
from tests.support.looks import as_on_screen

MOST_KEYS = 5
"""Maximum median number of keys for answers and pages of three annotators."""
ANSWERS_AND_PAGES = ("search", "oracle")
_MOST_WAYS = 12
_COUNT = """
for (const kind of ["keydown", "click"]) window.addEventListener(kind, (event) => {
  if (!event.isTrusted || ["Shift", "Control"].includes(event.key)) return;
  if (kind === "click" && event.detail === 0) return;  // a key's
  const target = event.composedPath()[0];
  const letter = kind === "keydown" && event.key.length === 1 && !event.ctrlKey &&
    target instanceof Element && target.matches("input, textarea");
  const task = new URLSearchParams(window.location.search).get("task");
  window.noteInput(task, letter ? "letters" : kind === "click" ? "clicks" : "keys");
}, true);
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, review and compare; returns 1 if the outcome is not as planned."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("presets", nargs="*", choices=[*CAMPAIGNS, []], metavar="preset")
    presets = parser.parse_args(arguments).presets or list(CAMPAIGNS)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ws"
        plant(Path(folder), presets)
        with serving(root) as server, browser() as chromium:
            inputs = review(signed_in_page(chromium, server, "sofia"), server, root)
        wrong = wrong_gold(root)
    lines, slow = table(inputs)
    sys.stdout.write("\n".join([*lines, *wrong, *slow]) + "\n")
    return 1 if wrong or slow else 0


def plant(folder: Path, presets: Sequence[str]) -> None:
    """Create the workspace ``folder / "ws"`` with one campaign per preset and all work."""
    workspace = Workspace.create(folder / "ws")
    pdfs = folder / "pdfs"
    pdfs.mkdir()
    document = pymupdf.open()
    for number in range(1, PAGES + 1):
        page = document.new_page(width=SIZE[0], height=SIZE[1])
        page.insert_textbox((40, 60, 380, 200), f"otters of river {number}", fontsize=18)
    document.save(pdfs / DOCUMENT)
    document.close()
    ingest(workspace, [pdfs], ocr="never", workers=1)
    ensure_index(workspace)
    for name in PEOPLE:
        add_user(workspace, name, "annotator", PASSWORD)
    add_user(workspace, "sofia", "supervisor", PASSWORD)
    for preset in presets:
        rows = [
            {"id": f"{preset}-{number}", "question": f"{preset}: {planted.differs}?"}
            | planted.record
            for number, planted in enumerate(CAMPAIGNS[preset], start=1)
        ]
        file = folder / f"{preset}.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        report = import_tasks(
            workspace, file, campaign=preset, protocol=preset, overlap=3, seed=3,
            settings={"review.check_share": 0},
        )  # fmt: skip
        if report.bad:
            raise SystemExit(f"{preset}: {report.bad[0].reason}")
    services = Services(workspace)
    for number, name in enumerate(PEOPLE):
        record_work(services, name, number)
    for campaign in reviewed_campaigns(workspace.engine).values():
        services.reviews.acceptance.settle(campaign)
    services.close()


def record_work(services: Services, name: str, number: int) -> None:
    """Record a person's work as planned."""
    person = find_person(services.workspace, name)
    for batch in my_batches.assignments(services.workspace.engine, person.id):
        open_assignment(services, person, batch.assignment_id)
        for task in queries.batch_tasks(services.workspace.engine, batch.assignment_id):
            page_views = [
                {"type": "page_viewed", "via": "next", "document": DOCUMENT, "page": page}
                for page in range(1, PAGES + 1)
            ]
            deeds = _planted(task.key).events_by_person[number]
            first = [deed for deed in deeds if deed.get("field") in ("self_contained",)]
            rest = [deed for deed in deeds if deed not in first]
            for count, deed in enumerate(
                [{"type": "opened", "session": "tab"}, *first, *page_views, *rest]
            ):
                if deed["type"] == "submitted" and task.key.startswith("author"):
                    check_question(services, person, task.attempt_id, {})
                payload = {key: value for key, value in deed.items() if key != "type"}
                event = {"id": f"{task.attempt_id[:12]}-{count}", "type": deed["type"],
                         "payload": as_on_screen(deed["type"], payload)}  # fmt: skip
                reply = record_events(
                    services, person, task.attempt_id, {"session": "tab", "events": [event]}
                )
                for refusal in reply["refusals"]:
                    if deed["type"] != "page_viewed":  # a page outside the task
                        raise SystemExit(f"{task.key} {name}: {deed}: {refusal}")


def review(page: Page, server: RunningServer, root: Path) -> dict[str, dict[str, int]]:
    """Resolve all waiting tasks; returns task key → counts of inputs."""
    inputs: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    keys = _task_keys(root)
    page.expose_function(
        "noteInput",
        lambda task, kind: (
            inputs[keys[int(task)]].__setitem__(kind, inputs[keys[int(task)]][kind] + 1)
            if task
            else None
        ),
    )
    page.add_init_script(_COUNT)
    page.goto(f"{server.url}review?campaign={ALL_CAMPAIGNS.replace(' ', '+')}")
    page.get_by_role("button", name="Review the next one").click()
    for _ in keys:
        page.get_by_test_id("part").first.wait_for()
        key = page.get_by_test_id("where").locator("strong").inner_text()
        resolve(page, _planted(key))
        wait_for(page, _LEFT, key)
        if page.get_by_test_id("notice-queue").count():
            break
    return {key: dict(inputs[key]) for key in keys.values() if key in inputs}


_LEFT = """(key) => {
  const find = (root, id) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.dataset?.testid === id) return element;
      const inside = element.shadowRoot && find(element.shadowRoot, id);
      if (inside) return inside;
    }
    return null;
  };
  const shown = find(document, "where")?.querySelector("strong")?.textContent;
  return (shown && shown !== key) || find(document, "notice-queue");
}"""


def resolve(page: Page, planted: Planted) -> None:
    """Make the planned choices and accept, with as few keys as the screen allows."""
    for part, key in planted.choices.items():
        if part != "*":
            go_to(page, part)
        if key == "m":
            ways = page.locator(f"[data-part={part}]").get_by_test_id("ways")
            for _ in range(_MOST_WAYS):
                before = ways.input_value()
                if before == planted.way:
                    break
                wait_until_judgeable(page)
                page.keyboard.press("m")
                expect(ways).not_to_have_value(before)
        else:
            wait_until_judgeable(page)
            page.keyboard.press(key)
        if planted.typed:
            page.keyboard.press("Control+A")
            page.keyboard.type(planted.typed)
    wait_until_judgeable(page)
    page.keyboard.press("Control+Enter")


def go_to(page: Page, part: str) -> None:
    """Press ``n`` until this part is current.

    Raises:
        SystemExit: it is not among those that differ.
    """
    current = page.locator("[data-testid=part][aria-current]")
    visited: list[str] = []
    while (at := current.get_attribute("data-part") or "") != part and at not in visited:
        visited.append(at)
        page.keyboard.press("n")
        with suppress(AssertionError):  # the only one that differs
            expect(current).not_to_have_attribute("data-part", at, timeout=3_000)
    if at != part:
        raise SystemExit(f"{part} is not among the parts that differ: {visited}")


def content(services: Services, task: int) -> dict[str, Any]:
    """The gold of a task in the form of the plans."""
    gold = services.reviews.streams.gold(task)
    state = services.log.state(gold.attempt_id)
    if not state.review or not state.review.decided:
        return {}
    gold_state = state_json(gold.context().form(state))
    return {
        "question": gold_state["question_text"],
        "outcome": gold_state["outcome"],
        "answers": sorted([gold_state["answer_text"], *gold_state["variants"]]),
        "pages": sorted(citation["page"] for citation in gold_state["citations"]),
        "fields": {
            (field["field"], field["page"]): field["value"] for field in gold_state["fields"]
        },
        "transcript": gold_state["transcript"],
        "tables": gold_state["tables"],
        "rows": [row["values"] for row in sorted(gold_state["rows"], key=itemgetter("row"))],
        "boxes": sorted(
            (box["page"], box["label"], tuple(round(edge) for edge in box["rect"]))
            for box in gold_state["boxes"]
        ),
    }


def wrong_gold(root: Path) -> list[str]:
    """A line for each task whose gold is not as planted."""
    services = Services(Workspace.open(root))
    problems = []
    for task, key in _task_keys(root).items():
        got = content(services, task)
        for name, planned in _planted(key).gold.items():
            if not _as_planted(got.get(name), planned):
                problems.append(f"WRONG GOLD {key}: {name} is {got.get(name)}, not {planned}")
    services.close()
    return problems


def _as_planted(got: Any, planned: Any) -> bool:
    """The gold without fields and columns that the plan does not name."""
    if isinstance(planned, dict):
        return isinstance(got, dict) and all(_as_planted(got.get(k), planned[k]) for k in planned)
    if isinstance(planned, list) and planned and isinstance(planned[0], dict):
        pairs = zip(got or [], planned, strict=False)
        return len(got or []) == len(planned) and all(_as_planted(g, w) for g, w in pairs)
    return bool(got == planned)


def table(inputs: dict[str, dict[str, int]]) -> tuple[list[str], list[str]]:
    """The table, and a line for each preset that needs too many keys."""
    lines, slow = (
        [f"{'preset':<18}{'tasks':>6}{'keys':>6}{'most':>6}{'clicks':>8}{'letters':>9}"],
        [],
    )
    for preset, planted in CAMPAIGNS.items():
        tasks = [inputs[key] for key in inputs if key.rpartition("-")[0] == preset]
        if not tasks:
            continue
        keys = [task.get("keys", 0) for task in tasks]
        clicks, letters = (median(t.get(kind, 0) for t in tasks) for kind in ("clicks", "letters"))
        lines.append(
            f"{preset:<18}{len(tasks):>6}{median(keys):>6g}{max(keys):>6}{clicks:>8g}{letters:>9g}"
        )
        lines += [
            f"    {task.differs:<40}{inputs.get(f'{preset}-{number}', {}).get('keys', 0):>4}"
            for number, task in enumerate(planted, start=1)
        ]
        if preset in ANSWERS_AND_PAGES and median(keys) > MOST_KEYS:
            slow.append(f"TOO MANY KEYS {preset}: {median(keys):g} in the median")
    return lines, slow


def _planted(key: str) -> Planted:
    preset, _, number = key.rpartition("-")
    return CAMPAIGNS[preset][int(number) - 1]


def _task_keys(root: Path) -> dict[int, str]:
    """Tasks of all reviewed campaigns: id → key."""
    engine = Workspace.open(root).engine
    campaigns = tuple(reviewed_campaigns(engine).values())
    filters = Filters(
        statuses=("conflict", "decided", "agreed", "accepted", "single", "returned", "waiting")
    )
    rows = queue(engine, campaigns, filters, SystemClock().now()).rows
    return {row.task_id: row.key for row in rows}


if __name__ == "__main__":
    raise SystemExit(main())
