"""The small workspace with people who have no batches, 16 of them, and 200, and with some work."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.services.composition import Services
from pagetrail.app.services.pending_uploads import receive
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.exports.run import export
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.reassignment import set_due
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support import small_workspace as small
from tests.e2e.support.review_steps import submit_answer
from tests.support.campaigns import add_campaign, open_batches

NOBODY, FEW, MANY, ADMIN = "nina", "finn", "mona", "ada"
TASKS_PER_BATCH = 2
QUESTION = "How many otters does report {number} count?"
FEW_CAMPAIGNS = {"Harbour reports": 8, "Annual accounts": 8}
MANY_CAMPAIGNS = {f"Survey {letter}": 50 for letter in "ABCD"}
TIMED, TIMED_TASK, TIMED_PERSON = "Timed", "Timed-1", "alma"
"""A campaign of one task whose clock can be paused."""


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; the first batch of *Annual accounts* is overdue."""
    workspace = small.build(root)
    add_user(workspace, ADMIN, "admin", small.PASSWORD)
    for name in (NOBODY, FEW, MANY):
        add_user(workspace, name, "annotator", small.PASSWORD)
    for name, campaigns in ((FEW, FEW_CAMPAIGNS), (MANY, MANY_CAMPAIGNS)):
        for campaign, batches in campaigns.items():
            _assign_campaign(workspace, campaign, batches, [name])
    _assign_campaign(workspace, TIMED, 1, [TIMED_PERSON], {"clock.pause": True})
    yesterday = SystemClock().now().date() - timedelta(days=1)
    report = _first_batch(workspace, "Annual accounts")
    set_due(workspace, "Annual accounts", report, yesterday)
    _add_work(workspace)
    return workspace


def _add_work(workspace: Workspace) -> None:
    """Two different answers to a task, a skipped one, exports, a cached page, a file to ingest."""
    submit_answer(workspace, "alma", "q1", "42 otters", (1, 2), small.AIDED)
    submit_answer(workspace, "bruno", "q1", "57 otters", (1, 3), small.AIDED)
    services, bruno = Services(workspace), find_person(workspace, "bruno")
    skipped = small.attempts(workspace, "bruno", small.AIDED)["evil"]
    for type_, payload in (("opened", {"session": "tab"}), ("skipped", {"reason": "It is empty."})):
        event = {"id": f"work-{type_}", "type": type_, "payload": payload}
        reply = record_events(services, bruno, skipped, {"session": "tab", "events": [event]})
        assert not reply["refusals"], reply["refusals"]
    services.close()
    open_batches(workspace, [TIMED_PERSON], [TIMED])
    workspace.exports_dir.mkdir(exist_ok=True)
    export(workspace, small.AIDED, "scores", workspace.exports_dir / f"{small.AIDED}-scores")
    (workspace.exports_dir / ".unfinished").mkdir()
    workspace.cache_dir.mkdir(parents=True, exist_ok=True)
    (workspace.cache_dir / "page.png").write_bytes(b"cached")
    with receive(workspace, "waiting.pdf") as upload:
        upload.write(b"%PDF-1.4")
        upload.finish()


def _assign_campaign(
    workspace: Workspace,
    campaign: str,
    batches: int,
    names: list[str],
    settings: dict[str, Any] | None = None,
) -> None:
    tasks = batches * TASKS_PER_BATCH if settings is None else 1
    rows = [
        {"id": f"{campaign}-{number}", "question": QUESTION.format(number=number)}
        for number in range(1, tasks + 1)
    ]
    add_campaign(
        workspace,
        campaign,
        rows,
        protocol="search",
        settings=settings,
        batch_size=TASKS_PER_BATCH,
        overlap=len(names),
        seed=3,
        assign=False,
    )
    assign(workspace, campaign, names)


def _first_batch(workspace: Workspace, campaign: str) -> str:
    rows = my_batches.assignments(workspace.engine)
    return next(row.code_name for row in rows if row.campaign == campaign)
