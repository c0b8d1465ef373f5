"""The small workspace of the browser tests: five PDFs, three campaigns, three people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pymupdf

from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.support.campaigns import add_campaign, make_collection, open_batches

PASSWORD = "correct horse battery"
PEOPLE = (("alma", "annotator"), ("bruno", "annotator"), ("sven", "supervisor"))
ANNOTATORS = ("alma", "bruno")
CAMPAIGN = "Otters"
AIDED = "With aids"
SINGLE = "One task"

REPORT = "annual report.pdf"
STUDY = "otter study.pdf"
TURNED = "turned.pdf"
EVIL = '..%2F..%2Fo\'neil "quoted" 🦦 <img src=x onerror=alert(1)>.pdf'
SCRIPT = "<script>window.hacked=1;alert(1)</script>"
IMAGE = '<img src=x onerror="window.hacked=1;alert(2)">'

DOCUMENTS = {
    REPORT: [f"annual ledger page {n} sum {n * 111}" for n in range(1, 31)],
    STUDY: [
        "otters counted in spring: 42",
        "otters counted in autumn: 57",
        "most otters live in the Saale river",
        "otters otters method and thanks",
    ],
    TURNED: ["upright otters table", "turned sideways table", "upright"],
    EVIL: [f"otters hostile {SCRIPT}", f"hostile {IMAGE} end"],
    "plain.pdf": ["badgers dig setts", "no otters here"],
}
"""The text of each page; the second page of one document is turned."""

QUESTIONS = {
    "q1": "How many otters did the study count in spring?",
    "q2": "Which river holds most otters?",
    "q3": "What does page 17 of the annual report add up?",
    "evil": f"Is {SCRIPT} or {IMAGE} a question? $${{7*7}}$$ {{{{7*7}}}} [x](javascript:alert(3))",
}
GUIDELINES = f"""# How to answer

Read **before** you write. {SCRIPT} {IMAGE}

* One answer per line.
* [A bad link](javascript:alert(4)) and [a good one](https://example.org/).
"""


AIDS = {
    "search.snippets": True,
    "search.highlights": True,
    "search.suggestions": True,
    "text.select": True,
    "text.find": True,
    "aids.bookmarks": True,
    "aids.scratchpad": True,
    "aids.calculator": True,
}
CAMPAIGNS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    CAMPAIGN: (tuple(QUESTIONS), {}),
    AIDED: (("q1", "evil"), AIDS),
    SINGLE: (("q1",), {}),
}
"""Keys of the tasks, and settings."""


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; every attempt is opened and nobody has worked."""
    workspace = collection(root)
    for name, role in PEOPLE:
        add_user(workspace, name, role, PASSWORD)
    import_campaigns(workspace, overlap=2)
    open_batches(workspace, ANNOTATORS)
    return workspace


def collection(root: Path) -> Workspace:
    """A workspace in ``root / "ws"`` with the five PDFs and nothing else."""
    return make_collection(
        root, {name: partial(_write, pages=pages) for name, pages in DOCUMENTS.items()}
    )


def import_campaigns(workspace: Workspace, overlap: int) -> None:
    """Import the tasks of the three campaigns for whoever is there."""
    for campaign, (keys, settings) in CAMPAIGNS.items():
        add_campaign(
            workspace,
            campaign,
            rows_of(keys),
            protocol="search",
            settings=settings,
            guidelines=GUIDELINES,
            overlap=overlap,
            seed=3,
        )


def rows_of(keys: Sequence[str]) -> list[dict[str, str]]:
    """The records of tasks."""
    return [{"id": key, "question": QUESTIONS[key]} for key in keys]


def attempts(workspace: Workspace, name: str, campaign: str = CAMPAIGN) -> dict[str, str]:
    """The person's attempts of a campaign by task key, in the person's own order."""
    person = find_person(workspace, name)
    (row,) = (
        row
        for row in my_batches.assignments(workspace.engine, person.id)
        if row.campaign == campaign
    )
    tasks = queries.batch_tasks(workspace.engine, row.assignment_id)
    return {task.key: task.attempt_id for task in tasks}


def _write(path: Path, pages: Sequence[str]) -> None:
    document = pymupdf.open()
    for number, text in enumerate(pages, start=1):
        page = document.new_page(width=420, height=560)
        page.insert_textbox((40, 60, 380, 260), text, fontsize=16)
        page.draw_rect((40, 300, 380, 500), color=(0.1, 0.3, 0.6), fill=(0.85, 0.9, 1))
        page.insert_text((60, 400), f"{path.stem[:12]} {number}", fontsize=28)
        if path.name == TURNED and number == 2:
            page.set_rotation(90)
    document.save(path)
    document.close()
