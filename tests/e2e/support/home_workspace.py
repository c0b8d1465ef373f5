"""The small workspace with people who have no batches, 16 of them, and 200."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.reassignment import set_due
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import add_user
from tests.e2e.support import small_workspace as small

NOBODY, FEW, MANY, ADMIN = "nina", "finn", "mona", "ada"
TASKS_PER_BATCH = 2
QUESTION = "How many otters does report {number} count?"
FEW_CAMPAIGNS = {"Harbour reports": 8, "Annual accounts": 8}
MANY_CAMPAIGNS = {f"Survey {letter}": 50 for letter in "ABCD"}


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; the first batch of *Annual accounts* is overdue."""
    workspace = small.build(root)
    add_user(workspace, ADMIN, "admin", small.PASSWORD)
    for name in (NOBODY, FEW, MANY):
        add_user(workspace, name, "annotator", small.PASSWORD)
    for name, campaigns in ((FEW, FEW_CAMPAIGNS), (MANY, MANY_CAMPAIGNS)):
        for campaign, batches in campaigns.items():
            _assign_campaign(workspace, root, campaign, batches, name)
    yesterday = SystemClock().now().date() - timedelta(days=1)
    report = _first_batch(workspace, "Annual accounts")
    set_due(workspace, "Annual accounts", report, yesterday)
    return workspace


def _assign_campaign(
    workspace: Workspace, root: Path, campaign: str, batches: int, name: str
) -> None:
    rows = [
        {"id": f"{campaign}-{number}", "question": QUESTION.format(number=number)}
        for number in range(1, batches * TASKS_PER_BATCH + 1)
    ]
    file = root / "home.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    import_tasks(
        workspace,
        file,
        campaign=campaign,
        protocol="search",
        batch_size=TASKS_PER_BATCH,
        overlap=1,
        seed=3,
        assign=False,
    )
    assign(workspace, campaign, [name])


def _first_batch(workspace: Workspace, campaign: str) -> str:
    rows = my_batches.assignments(workspace.engine)
    return next(row.code_name for row in rows if row.campaign == campaign)
