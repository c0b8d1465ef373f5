"""Verified boxes go out in three formats and come in again as pre-annotations, the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.exports.run import export
from pagetrail.storage.importers.tasks.element_importer import ElementImport, import_elements
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


@pytest.mark.parametrize(
    ("format_", "file", "expected"),
    [
        ("coco", "annotations/instances_annotator-1.json", ADA),
        ("coco", "", ADA),
        ("labelstudio", "tasks.json", ADA),
        ("labelstudio", "", ADA),
        ("parsebench", "*/annotator-1/*.json", ADA),
    ],
)
def test_what_is_exported_is_read_again(
    tmp_path: Path, format_: str, file: str, expected: set[tuple[Any, ...]]
) -> None:
    """Place, class, text and order of one person's boxes, to a hundredth of a point, on pages that
    are rotated and cropped, from a file or from the folder; of several people somebody has to be
    named.
    """
    stage = scenes.verify(tmp_path / "ws")
    out = tmp_path / "out"
    export(stage.workspace, CAMPAIGN, format_, out)
    files = list(out.glob(file)) if file else [out]
    assert len(files) == 1
    if not file:
        with pytest.raises(InputFileError, match="several people: annotator-1, annotator-2"):
            import_elements(stage.workspace, files, ElementImport(campaign="Both"))
    name = None if "annotator-1" in file else "annotator-1"
    report = import_elements(stage.workspace, files, ElementImport(campaign="From", annotator=name))
    assert report.bad == []
    if format_ != "parsebench":
        assert "the boxes of annotator-1 were read" in report.notes[0]
    picture = next(e for t in report.records for e in t["elements"] if e["order"] == 3)
    assert picture["attributes"] == {"title": "no"}
    facts = [_facts(element) for task in report.records for element in task["elements"]]
    assert set(facts) == expected


@pytest.mark.parametrize(
    ("scene", "seed", "expected"),
    [
        (
            "verify_chart",
            "data_points",
            [
                {"id": "r1", "labels": "2024; Otters", "value": "42", "tolerance": "0.05"},
                {"id": "r2", "labels": "2025; Otters", "value": "41"},
                {"id": "r-1", "labels": "2027; Otters", "value": "1,050 t"},
            ],
        ),
        (
            "verify_transcript",
            "patches",
            [
                {"id": "r1", "old": "0tters", "new": "Otters"},
                {"id": "r2", "old": "here", "new": "there"},
                {"id": "r3", "old": "Page 1 of 3"},
            ],
        ),
    ],
)
def test_rows_of_a_parsebench_export_are_read_again(
    tmp_path: Path, scene: str, seed: str, expected: list[dict[str, str]]
) -> None:
    """The folder is given as it is; its manifest is no file of elements, and nothing is double."""
    stage = scenes.SCENES[scene](tmp_path / "ws")
    out = tmp_path / "out"
    export(stage.workspace, CAMPAIGN, "parsebench", out)
    report = import_elements(
        stage.workspace, [out], ElementImport(campaign="Again", protocol=scene)
    )
    assert (report.bad, report.left_out, report.notes) == ([], {}, [])
    assert [task[seed] for task in report.records] == [expected]
    assert report.tasks.imported == 1
    layout = import_elements(stage.workspace, [out], ElementImport(campaign="Layout"))
    assert layout.tasks.imported == 0
    assert layout.notes == [
        f"To verify the other content, import it into a campaign with protocol {scene}."
    ]


def test_an_export_of_several_people_is_read_once(tmp_path: Path) -> None:
    """The last submission of each task, or one person's; what was read is said."""
    stage = scenes.verify(tmp_path / "ws")
    out = tmp_path / "out"
    export(stage.workspace, CAMPAIGN, "parsebench", out)
    last = import_elements(stage.workspace, [tmp_path], ElementImport(campaign="Last"))
    hers = import_elements(
        stage.workspace, [out], ElementImport(campaign="Hers", annotator="annotator-1")
    )
    rows = [
        {_facts(element) for task in report.records for element in task["elements"]}
        for report in (last, hers)
    ]
    assert rows[1] == ADA
    assert rows[0] == MODEL | (rows[0] & ADA)
    assert last.bad == hers.bad == []
    assert "submitted last" in last.notes[0] and "annotator-1, annotator-2" in last.notes[0]
    assert hers.notes[0].endswith("the work of annotator-1 was read.")
    with pytest.raises(InputFileError, match="it has work of annotator-1, annotator-2"):
        import_elements(
            stage.workspace, [out], ElementImport(campaign="Nobody", annotator="annotator-9")
        )
    other = tmp_path / "madqa"
    export(stage.workspace, CAMPAIGN, "trajectories", other)
    with pytest.raises(InputFileError, match="of the format trajectories"):
        import_elements(stage.workspace, [other], ElementImport(campaign="Other"))
