"""Scripts stored in every text that people, files and models supply: shown as text, never run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import BrowserContext, Page
from sqlalchemy import select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.protocols.protocol import parse
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, Batch, Campaign, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import Screen, Watch
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import CAMPAIGN, STUDY, attempts
from tests.support.campaigns import add_campaign, open_batches

JUDGED_CAMPAIGN = "Judged"
SCRIPT = "<script planted>hacked=1</script><img planted src=x onerror=hacked=1>"
HOLDS = """(wanted) => {
  const texts = [];
  const read = (root) => {
    texts.push(root.textContent);
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) read(element.shadowRoot);
      texts.push(element.title, element.ariaLabel, element.value);
    }
  };
  read(document.body);
  const text = texts.join(" ");
  return wanted.every((source) => text.includes(`from ${source} <script planted>`));
}"""
"""Whether the page, and components in it, hold these texts, in fields and hints as well."""


def planted(source: str) -> str:
    """A text that names its origin and contains markup and script."""
    return f"from {source} {SCRIPT}[x](javascript:hacked=1)$x^2$"


NAMES = {"campaign": (Campaign, "name"), "batch": (Batch, "code_name"), "user": (User, "name")}
PROTOCOL = f"""
name = "judge"
title = {json.dumps(planted("title"))}
pages = "gold"
[answer]
kind = "off"
[search]
enabled = false
[evidence]
enabled = false
[[material]]
source = "prediction"
title = {json.dumps(planted("material"))}
[[fields]]
name = "verdict"
label = {json.dumps(planted("label"))}
help = {json.dumps(planted("help"))}
scope = "task"
kind = "choice"
[[fields.options]]
value = "yes"
label = {json.dumps(planted("option"))}
help = {json.dumps(planted("option_help"))}
[[fields.options]]
value = "no"
label = "No"
"""


def _plant(workspace: Workspace, folder: Path) -> dict[str, str]:
    """Store the texts, first from files, then from people; returns attempts by kind."""
    with pymupdf.open() as document:
        document.new_page().insert_text((30, 60), f"hostile {planted('page_text')[:60]}")
        document.set_metadata({"title": planted("metadata"), "author": planted("metadata")})
        document.save(folder / "hostile.pdf")
    ingest(workspace, [folder / "hostile.pdf"], ocr="never", workers=1)
    ensure_index(workspace)
    row = {
        "id": planted("key")[:100],
        "question": planted("question"),
        "answers": [planted("gold")],
        "evidence": [{"document": STUDY, "page": 1}],
        "prediction": {"answer": planted("prediction"), "system": "model"},
    }
    protocol = parse(PROTOCOL, source="planted")
    guidelines = planted("guidelines")
    add_campaign(
        workspace, JUDGED_CAMPAIGN, [row], protocol=protocol, guidelines=guidelines, overlap=2
    )
    call = {"name": "read_page", "arguments": json.dumps({"text": planted("tool_call")})}
    run = {
        "task_id": "q1",
        "model": planted("model"),
        "messages": [
            {"role": "user", "content": "How many?"},
            {"role": "assistant", "content": planted("rationale"),
             "tool_calls": [{"id": "c", "type": "function", "function": call}]},
            {"role": "tool", "tool_call_id": "c", "content": planted("tool_result")},
            {"role": "assistant", "content": json.dumps({"answer": [planted("run_answer")]})},
        ],
    }  # fmt: skip
    (folder / "run.jsonl").write_text(json.dumps(run), encoding="utf-8")
    report = import_run(workspace, folder / "run.jsonl", campaign=CAMPAIGN, system="agent")
    assert report.imported == 1, report
    _rename(workspace)
    open_batches(workspace, [ALMA])
    attempt_ids = {"task": attempts(workspace, ALMA, CAMPAIGN + planted("campaign"))["q1"]}
    attempt_ids["judged"] = next(
        iter(attempts(workspace, ALMA, JUDGED_CAMPAIGN + planted("campaign")).values())
    )
    with workspace.engine.connect() as connection:
        systems = select(Attempt.id).join(User).where(User.role == "system")
        attempt_ids["run"] = connection.execute(systems).scalar_one()
    row = queries.attempt(workspace.engine, attempt_ids["task"])
    payloads = [
        ev.Opened(session="s"),
        ev.AnswerEdited(text=planted("answer")),
        ev.NoteEdited(text=planted("note")),
        ev.Flagged(comment=planted("flag")),
        ev.Commented(text=planted("comment")),
        ev.Skipped(reason=planted("reason")),
    ]
    commands = [Command(str(number), payload) for number, payload in enumerate(payloads)]
    assert not Services(workspace).recorder.record(row.context(), commands).refusals
    return attempt_ids


ALMA, SVEN = (name + planted("user") for name in ("alma", "sven"))


def _rename(workspace: Workspace) -> None:
    """Set names that the program refuses but that another program could have stored."""
    with write_transaction(workspace.engine) as connection:
        for source, (table, name) in NAMES.items():
            changed = {name: getattr(table, name) + planted(source)}
            connection.execute(update(table).values(changed))


@pytest.fixture
def planted_attempts(workspace: Workspace, tmp_path: Path) -> dict[str, str]:
    """Alma's attempts, in a workspace with scripts in it."""
    return _plant(workspace, tmp_path)


def _expect_texts(page: Page, *sources: str) -> None:
    """Wait until the page shows the planted texts, and check that none of them ran."""
    wait_for(page, HOLDS, sources)
    assert page.evaluate("window.hacked") is None, page.url
    assert page.locator("[planted], a[href^='javascript:']").count() == 0, page.url


def test_stored_scripts_are_text_on_every_screen(
    planted_attempts: dict[str, str],
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    watch: Watch,
) -> None:
    """Whatever a text came from, it is shown as it was written, and nothing was made of it."""
    watch.allow("does not seem to exist")  # a supervisor's start screen has another path
    alma, sven = (new_context().new_page() for _ in range(2))
    Screen(alma, server.url, lambda _attempt: []).sign_in(ALMA, "/batches")
    _expect_texts(alma, "user", "title", "campaign", "batch")
    alma.goto(f"{server.url}/task?attempt={planted_attempts['judged']}")
    _expect_texts(alma, "question", "material", "prediction", "label", "help", "option", "batch")
    alma.get_by_test_id("guidelines").click()
    _expect_texts(alma, "guidelines")
    alma.goto(f"{server.url}/task?attempt={planted_attempts['task']}")
    _expect_texts(alma, "answer", "note", "comment", "flag")
    Screen(sven, server.url, lambda _attempt: []).sign_in(SVEN, "/progress")
    for address, sources in {
        "/progress": ("flag", "reason", "campaign"),
        "/results": ("campaign", "user"),
        f"/trajectory?attempt={planted_attempts['task']}": ("answer", "note", "comment"),
        f"/trajectory?attempt={planted_attempts['run']}": ("run_answer",),
        "/administration?part=Campaigns": ("campaign",),
        "/administration?part=People": ("user",),
        "/review": ("user",),
        "/account": ("user",),
    }.items():
        sven.goto(f"{server.url}{address}")
        _expect_texts(sven, *sources)
