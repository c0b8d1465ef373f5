"""Boxes of a system as its attempts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.preannotations.system_boxes import BoxesReport, import_boxes
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.importers.preannotations.element_data import write
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

ANNUAL = "annual report.pdf"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Three tasks: pages 1 and 2, pages 2 and 3, and page 4 of the annual report."""
    workspace = make_workspace(tmp_path / "made")
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    rows = [
        {
            "id": key,
            "question": f"What of {key}?",
            "candidates": [{"document": ANNUAL, "page": page} for page in pages],
        }
        for key, pages in (("q1", (1, 2)), ("q2", (2, 3)), ("q3", (4,)))
    ]
    import_tasks(
        workspace,
        write_jsonl(tmp_path / "tasks.jsonl", rows),
        campaign="Pages",
        protocol="relevance",
    )
    return workspace


def _box(page: int = 1, **fields: Any) -> dict[str, Any]:
    return {"document": ANNUAL, "page": page, "rect": [10, 20, 110, 220], "label": "Text", **fields}


def _import(workspace: Workspace, *files: Path, **options: Any) -> BoxesReport:
    return import_boxes(workspace, files, **{"campaign": "Pages", "system": "vlm", **options})


def _drawn(workspace: Workspace, task: str, system: str = "vlm") -> list[tuple[int, str]]:
    """Page and label of each box of a finished attempt."""
    person = ensure_system(workspace, system)
    attempt = ensure_attempt(workspace, "Pages", task, person, finished=True)
    state = SqlEventLog(workspace.engine).state(attempt.attempt_id)
    assert (state.status, state.outcome) == ("submitted", "completed")
    return [(box.page, str(box.label)) for box in state.boxes.boxes]


def test_boxes_go_to_the_task_that_gives_their_page(workspace: Workspace, tmp_path: Path) -> None:
    """Where several do, the file names the task; what cannot be placed is listed with its line."""
    rows = [
        _box(1),
        _box(2),
        _box(2, task="q2", label="table"),
        _box(9),
        _box(4, task="q9"),
        _box(4, rect=[0, 0, 9000, 5]),
    ]
    report = _import(workspace, write(tmp_path / "b.jsonl", rows))
    assert (report.imported, report.boxes, report.without_boxes) == (2, 2, 0)
    assert _drawn(workspace, "q1") == [(1, "Text")]
    assert _drawn(workspace, "q2") == [(2, "Table")]
    reasons = {entry.line: entry.reason for entry in report.bad}
    assert list(reasons) == [2, 4, 5, 6]
    assert reasons[2].startswith("task: 2 tasks give page 2 of annual report.pdf (q1, q2)")
    assert reasons[4].startswith("task: no task gives page 9")
    assert reasons[5] == "task: there is no task 'q9' in campaign Pages"
    assert reasons[6].startswith("rect: is outside its page")


def test_importing_twice_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    """Also from another file; other boxes at the same task stay out."""
    first = _import(workspace, write(tmp_path / "b.jsonl", [_box(1), _box(4)]))
    assert (first.imported, first.already_there) == (2, 0)
    again = _import(workspace, write(tmp_path / "c.jsonl", [_box(4), _box(1)]))
    assert (again.imported, again.already_there, again.left_out) == (0, 2, {})
    other = _import(workspace, write(tmp_path / "d.jsonl", [_box(1, rect=[0, 0, 5, 50])]))
    assert (other.imported, list(other.left_out)) == (0, ["q1"])
    assert "another system name" in other.left_out["q1"]


def test_all_tasks_have_an_attempt_on_request(workspace: Workspace, tmp_path: Path) -> None:
    """A system that marked nothing at a task has worked on it all the same."""
    report = _import(workspace, write(tmp_path / "b.jsonl", [_box(1)]), all_tasks=True)
    assert (report.imported, report.without_boxes) == (3, 2)
    assert _drawn(workspace, "q3") == []


def test_labels(workspace: Workspace, tmp_path: Path) -> None:
    """Without a label of the campaign a box is listed, unless there is one for all such boxes."""
    rows = [_box(1, label=None), _box(4, label="region")]
    file = write(tmp_path / "b.jsonl", rows)
    report = _import(workspace, file)
    assert [entry.reason.partition(":")[0] for entry in report.bad] == ["label", "label"]
    report = _import(workspace, file, label="Other")
    assert _drawn(workspace, "q1") == [(1, "Other")]
    assert any("read as Other: 1" in note for note in report.notes)
    _import(workspace, file, system="vlm-2", mapping={"region": "Image"}, label="Other")
    assert _drawn(workspace, "q3", "vlm-2") == [(4, "Image")]
    for wrong in ({"label": "Nothing"}, {"mapping": {"a": "Nothing"}}):
        with pytest.raises(PagetrailError) as refused:
            _import(workspace, file, **wrong)
        assert refused.value.code == "unknown_label"


def test_coco_and_parsebench(workspace: Workspace, tmp_path: Path) -> None:
    """Pixels of images and fractions of pages; COCO names the task by image or annotation."""
    images = [
        {"id": n, "original_filename": ANNUAL, "page_no": 2, "width": 100, "height": 100, **fields}
        for n, fields in enumerate([{"task": "q1"}, {}])
    ]
    annotations = [
        {"id": 1, "image_id": 0, "category_id": 1, "bbox": [10, 10, 20, 20]},
        {"id": 2, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "task": "q2"},
    ]
    coco = {
        "images": images,
        "annotations": annotations,
        "categories": [{"id": 1, "name": "Chart"}],
    }
    (tmp_path / "coco.json").write_text(json.dumps(coco), encoding="utf-8")
    rule = {"type": "layout", "page": 4, "bbox": [0.5, 0.5, 0.5, 0.5], "canonical_class": "Text"}
    tests = {"document": ANNUAL, "test_rules": [rule]}
    (tmp_path / "x.test.json").write_text(json.dumps(tests), encoding="utf-8")
    report = _import(workspace, tmp_path / "coco.json", tmp_path / "x.test.json")
    assert (report.imported, report.bad) == (3, [])
    assert _drawn(workspace, "q1") == [(2, "Chart")]
    assert _drawn(workspace, "q2") == [(2, "Chart")]
    assert _drawn(workspace, "q3") == [(4, "Text")]


def test_what_is_refused_as_a_whole(workspace: Workspace, tmp_path: Path) -> None:
    """No such campaign, one without boxes, a person's name."""
    file = write(tmp_path / "b.jsonl", [_box(1)])
    with pytest.raises(NotFoundError):
        _import(workspace, file, campaign="None")
    with pytest.raises(ConflictError, match="asks for no boxes"):
        _import(workspace, file, campaign="Otters")
    with pytest.raises(ConflictError, match="is a person's name"):
        _import(workspace, file, system="Ada")
