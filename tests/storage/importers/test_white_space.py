"""White space around ids of tasks and names of systems: removed, said, and never a second task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.drafts.importer import import_drafts
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.storage.importers.runs.run_data import CAMPAIGN, bare, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

SPACED = ["t/1", " t/1", "t/1\t ", "\u00a0t/1\n"]
"""An id as programs and people write it."""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Documents, and a campaign whose tasks are ``t/1`` to ``t/4``."""
    return make_workspace(tmp_path / "ws")


def _import(workspace: Workspace, path: Path, **options: Any) -> ImportReport:
    return import_tasks(workspace, path, campaign="New", **options)


def test_a_task_has_one_id(workspace: Workspace, tmp_path: Path) -> None:
    """The second row of the same id is refused with the reason, and the report says it."""
    file = tmp_path / "ids.csv"
    file.write_text("id,question\nq1 ,How many?\nq1,How few?\n\u00a0q2,Which?\n")
    report = _import(workspace, file, skip_bad=True)
    assert [(row.line, row.id) for row in report.bad] == [(3, "q1")]
    assert "used in line 2 already; white space around ids is removed" in report.bad[0].reason
    assert "Ids with white space around them, which was removed: 2." in report.warnings
    with workspace.engine.connect() as connection:
        keys = connection.execute(select(Task.key).where(Task.key.like("%q%"))).scalars()
        assert sorted(keys) == ["q1", "q2"]


def test_a_system_has_one_name(workspace: Workspace, tmp_path: Path) -> None:
    """A system that a row names twice, but for white space, is refused."""
    rows = [
        {"id": "q1 ", "question": "Q?", "predictions": {"one ": "1", "two": "2"}},
        {"id": "q2", "question": "Q?", "predictions": {"one": "1", " one": "2"}},
        {"id": "q3", "question": "Q?", "prediction": {"system": " three ", "answer": "3"}},
    ]
    evidence = [{"document": "annual report.pdf", "page": 1}]
    path = write_jsonl(tmp_path / "p.jsonl", [{**row, "evidence": evidence} for row in rows])
    report = _import(workspace, path, protocol="judge", skip_bad=True)
    assert [(row.id, row.reason) for row in report.bad] == [
        ("q2", "predictions: the system 'one' occurs twice")
    ]
    assert any("around the name of a system, which was removed: 3." in w for w in report.warnings)
    with workspace.engine.connect() as connection:
        records = connection.execute(select(Task.record).where(Task.key.like("q%"))).scalars()
        systems = sorted(record["prediction"]["system"] for record in records)
    assert systems == ["one", "three", "two"]


@pytest.mark.parametrize("id_", SPACED)
def test_other_imports_find_the_task(workspace: Workspace, tmp_path: Path, id_: str) -> None:
    """Runs, verdicts on them, and drafts."""
    report = run(workspace, write_jsonl(tmp_path / "r.jsonl", [bare(id_)]))
    assert report.imported == 1 and len(report.warnings) == (id_ != "t/1")
    twice = run(workspace, write_jsonl(tmp_path / "r2.jsonl", [bare("t/1"), bare(id_)]))
    assert (twice.imported, len(twice.left_out)) == (0, 1)
    verdict = write_jsonl(tmp_path / "v.jsonl", [{"task": id_, "system": "agent ", "verdict": 1}])
    assert import_verdicts(workspace, verdict, campaign=CAMPAIGN, name="judge").imported == 1
    draft = write_jsonl(tmp_path / "d.jsonl", [{"task": id_, "model": "m", "answer": "42"}])
    drafts = import_drafts(workspace, draft, campaign=CAMPAIGN)
    assert drafts.imported == 1 and len(drafts.notes) == (id_ != "t/1")
