"""Export → import → export is the identity for boxes and rows, over generated campaigns."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.run import export
from pagetrail.storage.importers.tasks.element_importer import ElementImport, import_elements
from tests.exports.campaigns import CAMPAIGN, FILES, Stage, make_stage
from tests.exports.conftest import load
from tests.exports.worked_campaigns import COMPLETED, OPENED, REPORT, box_drawn, page

PROTOCOL = preset("verify")
LABELS = [label.name for label in PROTOCOL.boxes.labels]
TEXTS = ("42", "Saône", "a\nb", "<table><tr><td>=1+1</td></tr></table>", "🦦 \\n", '"', "x & <y>")
PAGES = [(REPORT, number, sheet) for number, sheet in enumerate(FILES[REPORT], start=1)]
NOT_OF_BOXES = {
    "id", "image_id", "category_id", "annotator", "task", "attempt", "box", "verdict", "tags",
}  # fmt: skip
"""What tells copies apart, or follows from how boxes came about."""


def generated(root: Path, draw: random.Random) -> Stage:
    """One person draws anything anywhere on rotated and cropped pages."""
    pages = [page(number) for _, number, _ in PAGES]
    stage = make_stage(root, PROTOCOL, [{"id": "t", "question": "?", "candidates": pages}], ["Ada"])
    for number in range(1, len(PAGES) + 1):
        for order in range(1, draw.randint(2, 7)):
            stage.did("t", "Ada", *([OPENED] if number == order == 1 else []))
            stage.did("t", "Ada", *_box(draw, number, order))
    stage.did("t", "Ada", COMPLETED)
    return stage


def _box(draw: random.Random, number: int, order: int) -> list[ev.Payload]:
    name = f"b-{number}-{order}"
    x, y = (round(draw.uniform(0, 350), 2) for _ in "xy")
    wide, high = (round(draw.uniform(8, 200), 2) for _ in "wh")
    payloads: list[ev.Payload] = [
        box_drawn(
            name, number, (x, y, round(x + wide, 2), round(y + high, 2)), draw.choice(LABELS)
        ),
        ev.BoxOrdered(box=name, order=order),
    ]
    if draw.random() < 0.7:
        payloads.append(ev.BoxContentEdited(box=name, content=draw.choice(TEXTS)))
    if draw.random() < 0.4:
        payloads.append(
            ev.BoxAttributesEdited(box=name, attributes={"title": draw.choice(("yes", "no"))})
        )
    return payloads


def accepted(root: Path, records: Sequence[dict[str, Any]]) -> Stage:
    """The same boxes as pre-annotations, all of which somebody accepts."""
    stage = make_stage(root, PROTOCOL, records, ["Ada"])
    for record in records:
        took = [ev.BoxAccepted(box=f"e{n}") for n in range(1, len(record["elements"]) + 1)]
        stage.did(record["id"], "Ada", OPENED, *took, COMPLETED)
    return stage


def boxes(out: Path, format_: str) -> list[Any]:
    """What the files of an export say of boxes, page by page in reading order."""
    if format_ == "parsebench":
        (path,) = out.glob("*.test.json")
        rules = sorted(load(path)["test_rules"], key=lambda r: (r["page"], r["ro_index"]))
        return [_comparable(rule) for rule in rules]
    if format_ == "labelstudio":
        results = []
        for task in load(out / "tasks.json"):
            (annotation,) = task["annotations"]
            results.append([_comparable(result) for result in annotation["result"][1:]])
        return results
    data = load(out / "annotations" / "instances_merged.json")
    numbers = {image["id"]: image["page_no"] for image in data["images"]}
    names = {category["id"]: category["name"] for category in data["categories"]}
    annotations = sorted(data["annotations"], key=lambda a: (numbers[a["image_id"]], a["order"]))
    return [[numbers[a["image_id"]], names[a["category_id"]], _comparable(a)] for a in annotations]


def _comparable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _comparable(item) for key, item in value.items() if key not in NOT_OF_BOXES}
    return [_comparable(item) for item in value] if isinstance(value, list) else value


def is_same(left: Any, right: Any) -> bool:
    """Equal but for the last digit that a format keeps of a place; areas follow from places."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(
            key == "area" or is_same(item, right[key]) for key, item in left.items()
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(is_same, left, right))
    if isinstance(left, float) or isinstance(right, float):
        return abs(left - right) <= 0.021
    return bool(left == right)


@pytest.mark.parametrize("format_", ["coco", "labelstudio", "parsebench"])
def test_boxes_come_back_as_they_went_out(tmp_path: Path, format_: str) -> None:
    """Place, class, text, order and attributes; of the copy's copy every digit."""
    stage = generated(tmp_path / "ws", random.Random(14))
    outs = []
    for number in range(3):
        out = tmp_path / f"out{number}"
        export(stage.workspace, CAMPAIGN, format_, out, dpi=72)
        outs.append(boxes(out, format_))
        report = import_elements(stage.workspace, [out], ElementImport(campaign="Again"))
        assert report.bad == [] and report.records
        stage = accepted(tmp_path / f"ws{number}", report.records)
    assert len(str(outs[0])) > 1_000
    assert is_same(outs[0], outs[1]) and not is_same(outs[0], outs[1][1:])
    assert outs[1] == outs[2]


VALUES = ("0", "14", "-3.5", "1,050 t", "$12", "12%", "n/a", "1e-9", "<1", "007", "½")
TOLERANCES = ("", "0", "0.05", "2", "1e-308", "0.1000000001")


READABLE = ev.FieldSet(field="readable", value="yes")


def row_set(field: str, row: str, **values: str) -> ev.RowSet:
    """Cells of a row are set."""
    return ev.RowSet(field=field, row=row, values=values)


def points(root: Path, draw: random.Random) -> Stage:
    """Somebody adds any data points to a chart."""
    task = {"id": "c", "question": "?", "candidates": [page(2)]}
    stage = make_stage(root, preset("verify_chart"), [task], ["Ada"])
    rows = [
        row_set(
            "data_points",
            f"r-{number}",
            labels="; ".join(draw.choices(("2024", "Otters, wild", "x & <y>", "🦦"), k=2)),
            value=draw.choice(VALUES),
            tolerance=draw.choice(TOLERANCES),
            verdict="corrected",
        )
        for number in range(1, 30)
    ]
    stage.did("c", "Ada", OPENED, *rows, READABLE, COMPLETED)
    return stage


def patches(root: Path, draw: random.Random) -> Stage:
    """Somebody decides about any patches."""
    texts = [
        (draw.choice(TEXTS), draw.choice(("", *TEXTS)))[:: draw.choice((1, -1))] for _ in range(30)
    ]
    rows = [{"id": f"x{n}", "old": old, "new": new} for n, (old, new) in enumerate(texts)]
    return decided(root, [{"id": "t", "question": "?", "candidates": [page(1)], "patches": rows}])


def decided(root: Path, records: Sequence[dict[str, Any]]) -> Stage:
    """Every other patch is approved, the rest is rejected."""
    stage = make_stage(root, preset("verify_transcript"), records, ["Ada"])
    decisions = [
        row_set("patches", f"r{number}", decision=("reject", "approve")[number % 2])
        for number in range(1, 1 + len(records[0]["patches"]))
    ]
    stage.did(str(records[0]["id"]), "Ada", OPENED, *decisions, COMPLETED)
    return stage


def found_right(root: Path, records: Sequence[dict[str, Any]]) -> Stage:
    """The same data points as pre-annotations, all of which somebody finds right."""
    stage = make_stage(root, preset("verify_chart"), records, ["Ada"])
    count = len(records[0]["data_points"])
    right = [row_set("data_points", f"r{n}", verdict="right") for n in range(1, 1 + count)]
    stage.did(str(records[0]["id"]), "Ada", OPENED, *right, READABLE, COMPLETED)
    return stage


@pytest.mark.parametrize(
    ("protocol", "make", "remake"),
    [("verify_chart", points, found_right), ("verify_transcript", patches, decided)],
)
def test_rows_come_back_as_they_went_out(
    tmp_path: Path,
    protocol: str,
    make: Callable[[Path, random.Random], Stage],
    remake: Callable[[Path, Sequence[dict[str, Any]]], Stage],
) -> None:
    """Labels, values and tolerances of charts; both texts of patches, with what was decided."""
    stage = make(tmp_path / "ws", random.Random(14))
    outs = []
    for number in range(2):
        out = tmp_path / f"out{number}"
        export(stage.workspace, CAMPAIGN, "parsebench", out)
        (path,) = out.glob("*.test.json")
        content = load(path)
        outs.append([_rows(content["test_rules"]), _rows(content.get("transcript_patches", []))])
        report = import_elements(
            stage.workspace, [out], ElementImport(campaign="Again", protocol=protocol)
        )
        assert (report.bad, report.left_out) == ([], {})
        stage = remake(tmp_path / f"ws{number}", report.records)
    assert outs[0] == outs[1] and len(str(outs[0])) > 1_000


def _rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if k not in ("id", "tags")} for row in rows]
