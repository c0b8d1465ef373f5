"""Verified boxes go out in three formats and come in again as pre-annotations, the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.exports.run import export
from pagetrail.storage.importers.tasks.element_importer import import_elements
from tests.exports import worked_campaigns as scenes
from tests.exports.campaigns import CAMPAIGN

ADA = {
    (1, (72.0, 92.0, 300.0, 192.0), "Table", "<table></table>", 1),
    (1, (72.0, 200.0, 300.0, 240.0), "Text", "Otters", 2),
    (1, (72.0, 300.0, 300.0, 360.0), "Picture", None, 3),
    (2, (641.5, 100.0, 692.25, 200.5), "Page-Footer", None, None),
    (3, (50.0, 751.89, 400.0, 791.89), "Picture", None, None),
}
MODEL = {
    (1, (72.0, 92.0, 300.0, 192.0), "Table", "<table></table>", 1),
    (1, (72.0, 200.0, 300.0, 260.0), "Text", "Otters <b>", 2),
    (1, (72.0, 300.0, 300.0, 360.0), "Text", None, None),
    (1, (0.0, 0.0, 612.0, 20.0), "Page-Header", None, None),
    (3, (50.0, 751.89, 400.0, 791.89), "Picture", None, None),
}


def _facts(element: dict[str, Any]) -> tuple[Any, ...]:
    return (
        element["page"], tuple(element["rect"]), element["label"], element["content"],
        element["order"],
    )  # fmt: skip


DRAWN = {fact for fact in ADA if fact[0] == 2}


@pytest.mark.parametrize(
    ("format_", "file", "wanted"),
    [
        ("coco", "*.json", ADA | MODEL),
        ("labelstudio", "tasks.json", MODEL | DRAWN),
        ("parsebench", "*/annotator-1/*.json", ADA),
    ],
)
def test_what_is_exported_is_read_again(
    tmp_path: Path, format_: str, file: str, wanted: set[tuple[Any, ...]]
) -> None:
    """Place, class, text and order of every box, to a hundredth of a point, on pages that are
    rotated and cropped: in COCO of both people, in ParseBench's files of one, and in Label
    Studio's what the model gave, where it gave something.
    """
    stage = scenes.verify(tmp_path / "ws")
    out = tmp_path / "out"
    export(stage.workspace, CAMPAIGN, format_, out)
    files = [path for path in out.glob(file) if path.name != "manifest.json"]
    assert len(files) == 1
    report = import_elements(stage.workspace, files, campaign=f"From {format_}")
    assert report.bad == []
    found = [_facts(element) for task in report.records for element in task["elements"]]
    assert set(found) == wanted
