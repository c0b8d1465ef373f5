"""Collections, campaigns and open batches for tests, made as commands make them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.search.store import ensure_index


def make_collection(root: Path, writers: Mapping[str, Callable[[Path], None]]) -> Workspace:
    """A workspace in ``root / "ws"`` with documents and their index, and nothing else.

    Args:
        writers: name of a PDF → what writes it to a path.
    """
    workspace = Workspace.create(root / "ws")
    folder = root / "pdfs"
    folder.mkdir()
    for name, write in writers.items():
        write(folder / name)
    report = ingest(workspace, [folder], ocr="never", workers=1)
    if len(report.ingested) != len(writers):
        raise AssertionError(f"the collection was not read: {report}")
    ensure_index(workspace)
    return workspace


def add_campaign(
    workspace: Workspace, name: str, rows: Sequence[Mapping[str, Any]], **options: Any
) -> ImportReport:
    """Import rows as tasks of a campaign, whole; options are those of ``import_tasks``."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        report = import_tasks(workspace, file, campaign=name, **options)
    if report.bad:
        raise AssertionError(f"{name} was not imported as it is: {report}")
    return report


def open_batches(
    workspace: Workspace, names: Collection[str], campaigns: Collection[str] = ()
) -> None:
    """Open the batches that people have, in these campaigns or in all; nobody works in them."""
    clock = SystemClock()
    for name in names:
        person = find_person(workspace, name)
        for row in my_batches.assignments(workspace.engine, person.id):
            if not campaigns or row.campaign in campaigns:
                ensure_attempts(workspace.engine, row.assignment_id, clock)
