"""A workspace for measuring boxes: one page without elements, one with 150, and people at work."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymupdf

from benchmarks.support import PASSWORD, person_name
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index

DOCUMENT = "dense.pdf"
WIDTH, HEIGHT = 595, 842
ELEMENTS = 150
BARE, DENSE = 1, 2
FREE_FROM = 0.74
"""The part of the page's height below which there is no element: room to draw."""

_COLUMNS, _PITCH = 3, 12


@contextmanager
def box_workspace(people: int) -> Iterator[Path]:
    """A workspace whose people have one task each: verifying the elements of two pages."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder)
        workspace = Workspace.create(root / "ws")
        (root / "pdfs").mkdir()
        _write(root / "pdfs" / DOCUMENT)
        ingest(workspace, [root / "pdfs"], ocr="never", workers=1)
        ensure_index(workspace)
        for number in range(people):
            add_user(workspace, person_name(number), "annotator", PASSWORD)
        task = {
            "id": "t1",
            "question": "Are these the elements of the page?",
            "candidates": [{"document": DOCUMENT, "page": page} for page in (BARE, DENSE)],
            "elements": [_element(number) for number in range(ELEMENTS)],
        }
        tasks = root / "tasks.jsonl"
        tasks.write_text(json.dumps(task), encoding="utf-8")
        import_tasks(workspace, tasks, campaign="Boxes", protocol="verify", overlap=people, seed=7)
        services = Services(workspace)
        for number in range(people):
            person = find_person(workspace, person_name(number))
            for row in my_batches.assignments(workspace.engine, person.id):
                open_assignment(services, person, row.assignment_id)
        workspace.engine.dispose()
        yield root / "ws"


def _place(number: int) -> tuple[int, int]:
    return 40 + 175 * (number % _COLUMNS), 20 + _PITCH * (number // _COLUMNS)


def _element(number: int) -> dict[str, object]:
    x, y = _place(number)
    return {
        "id": f"line-{number}",
        "document": DOCUMENT,
        "page": DENSE,
        "rect": [x, y, x + 160, y + _PITCH - 2],
        "label": ("Text", "Table", "Picture")[number % 3],
        "content": f"What the model read in line {number}. ".ljust(200, "x"),
        "order": number + 1,
    }


def _write(path: Path) -> None:
    document = pymupdf.open()
    for _ in (BARE, DENSE):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        for number in range(ELEMENTS):
            x, y = _place(number)
            page.insert_text((x + 2, y + 8), f"entry {number} of the long list", fontsize=7)
    document.save(path)
    document.close()
