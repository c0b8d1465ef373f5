"""Graded pages go out as TREC, BEIR and ViDoRe and come in again as tasks with the same gold."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.run import ADJUDICATED, export
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.exports.adjudication import graded
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import rows


def records(workspace: Workspace, campaign: str) -> dict[str, dict[str, Any]]:
    """Task → its stored record."""
    with workspace.engine.connect() as connection:
        rows = connection.execute(
            select(Task.key, Task.record)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == campaign)
        )
        return {row.key: row.record for row in rows}


def grades(record: dict[str, Any], *names: str) -> dict[tuple[str, int], tuple[Any, ...]]:
    """What the gold of a task says of each page."""

    def value(field_value: Any) -> Any:
        return sorted(field_value) if isinstance(field_value, list) else field_value

    return {
        (page["document"], page["page"]): tuple(value(page["fields"].get(name)) for name in names)
        for page in record["gold"]["pages"]
    }


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("format_", ["trec", "beir", "vidore"])
def test_decided_grades_come_in_again(tmp_path: Path, format_: str, packed: bool) -> None:
    """Ids, questions, pages and grades exactly; of ViDoRe's tables kinds of content and boxes too,
    these to the pixel of the page's image."""
    workspace = graded(tmp_path / "ws").stage.workspace
    out = tmp_path / "out"
    export(workspace, CAMPAIGN, format_, out, gold=ADJUDICATED)
    export(workspace, CAMPAIGN, "adjudicated", tmp_path / "gold")
    decided = {row["id"]: row for row in rows(tmp_path / "gold" / "gold.jsonl")}
    if packed:
        out = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", out.parent, out.name))
    report = import_tasks(workspace, out, campaign="Again", protocol=preset("relevance"))
    assert (report.bad, report.imported) == ([], 1)
    imported = records(workspace, "Again")
    assert list(imported) == ["q 1"]
    names = ("relevance", "modalities") if format_ == "vidore" else ("relevance",)
    boxes = 0
    for key, record in imported.items():
        assert record["question"].split() == decided[key]["question"].split()
        assert grades(record, *names) == grades(decided[key], *names)
        assert {(ref["document"], ref["page"]) for ref in record["candidates"]} == set(
            grades(record)
        )
        decided_boxes = decided[key]["gold"].get("boxes") or []
        if format_ != "vidore":
            assert "boxes" not in record["gold"]
            continue
        for box, decided_box in zip(record["gold"].get("boxes") or [], decided_boxes, strict=True):
            boxes += 1
            assert (box["page"], box["label"]) == (decided_box["page"], decided_box["label"])
            assert box["rect"] == pytest.approx(decided_box["rect"], abs=0.5)
    assert boxes or format_ != "vidore"
