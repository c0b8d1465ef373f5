"""A workspace with a document of 200 letter-size pages."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD
from tests.support.built_once import built_once, closed

LONG = "long report.pdf"
PAGES = 200


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``, with 30 tasks for alma."""
    workspace = Workspace.create(root / "ws")
    document = pymupdf.open()
    for number in range(1, PAGES + 1):
        page = document.new_page(width=612, height=792)
        page.insert_text((60, 80), f"ledger page {number}", fontsize=24)
        for line in range(40):
            page.insert_text((60, 130 + 15 * line), f"row {line} of ledger {number * line}")
        shade = (number % 10) / 10
        page.draw_rect((300, 100, 560, 740), fill=(shade, 0.8, 1 - shade))
    pdfs = root / "pdfs"
    pdfs.mkdir()
    document.save(pdfs / LONG)
    document.close()
    ingest(workspace, [pdfs], ocr="never", workers=1)
    ensure_index(workspace)
    add_user(workspace, "alma", "annotator", PASSWORD)
    tasks = root / "tasks.jsonl"
    rows = [
        {"id": f"q{number}", "question": f"What is in ledger {number}?"} for number in range(30)
    ]
    tasks.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    import_tasks(
        workspace, tasks, campaign=CAMPAIGN, protocol="search", batch_size=30, overlap=1, seed=3
    )
    services = Services(workspace)
    person = find_person(workspace, "alma")
    for row in my_batches.assignments(workspace.engine, person.id):
        open_assignment(services, person, row.assignment_id)
    return workspace


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; each test works on a copy."""
    return built_once(tmp_path_factory, "long", closed(build)) / "ws"
