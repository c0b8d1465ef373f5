"""COCO, Label Studio and ParseBench: what other tools find in the exports of boxes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.formats.coco import MERGED
from pagetrail.exports.formats.parsebench import point_payload, relative_tolerance
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.conftest import Exported, left_out, load
from tests.exports.pdf_bytes import Sheet
from tests.exports.worked_campaigns import COMPLETED, OPENED, REPORT, box_drawn, element, page


@pytest.mark.filterwarnings("ignore::DeprecationWarning:pycocotools.*")
def test_pycocotools_opens_it(exported: Exported) -> None:
    """The reference library indexes the file, finds boxes by class, and draws their masks."""
    coco_module = pytest.importorskip(
        "pycocotools.coco", reason="pycocotools is not installed; it is in the dev extra"
    )
    _, out = exported("verify", "coco")
    coco = coco_module.COCO(str(out / MERGED))
    assert len(coco.getImgIds()) == 4
    (tables,) = coco.getCatIds(catNms=["Table"])
    annotations = coco.loadAnns(coco.getAnnIds(catIds=[tables]))
    assert [a["annotator"] for a in annotations] == ["annotator-1", "annotator-2"]
    x, y, width, height = annotations[0]["bbox"]
    mask = coco.annToMask(annotations[0])
    assert mask.shape == (2200, 1700)
    assert abs(int(mask.sum()) - annotations[0]["area"]) <= 2 * (width + height)
    assert mask[round(y + height / 2), round(x + width / 2)] == 1
    for image in coco.loadImgs(coco.getImgIds()):
        assert (out / "images" / image["file_name"]).is_file()
    hers = coco_module.COCO(str(out / "annotations/instances_annotator-1.json"))
    assert {a["annotator"] for a in hers.dataset["annotations"]} == {"annotator-1"}
    per_file = [
        len(load(file)["annotations"]) for file in (out / "annotations").glob("*_annotator-*")
    ]
    assert sum(per_file) == len(coco.dataset["annotations"])
    first = hers.dataset["annotations"][0]
    assert first["attributes"]["annotator"] == "annotator-1"
    assert first["attributes"]["verdict"] == first["verdict"]


def test_coco_boxes(exported: Exported) -> None:
    """Boxes that are there in the end, in pixels; who drew them; empty pages are images too."""
    manifest, out = exported("verify", "coco")
    data = load(out / MERGED)
    pages = [(image["original_filename"], image["page_no"]) for image in data["images"]]
    assert pages == [(REPORT, 1), (REPORT, 2), (REPORT, 3), ("b.pdf", 1)]
    assert {a["image_id"] for a in data["annotations"]} == {1, 2, 3}
    added = next(a for a in data["annotations"] if a["verdict"] == "added")
    # 641.5, 100 to 692.25, 200.5 points of a page of 792 × 612 at 200 dpi.
    assert added["bbox"] == [1781.94, 277.78, 140.98, 279.16]
    assert added["segmentation"] == [
        [1781.94, 277.78, 1922.92, 277.78, 1922.92, 556.94, 1781.94, 556.94]
    ]
    assert (added["iscrowd"], added["annotator"]) == (0, "annotator-1")
    assert [c["name"] for c in data["categories"]] == [
        "Text",
        "Table",
        "Picture",
        "Page-Header",
        "Page-Footer",
    ]
    assert left_out(manifest) == {("attempt", "never_opened"): 1, ("box", "deleted"): 1}
    assert manifest.choices == {"dpi": 200, "submission": "first"}


def test_page_hashes_tell_pages_apart(exported: Exported) -> None:
    """A page's hash does not depend on the image, and no two pages share one."""
    _, out = exported("verify", "coco")
    hashes = [image["page_hash"] for image in load(out / MERGED)["images"]]
    assert len(set(hashes)) == 4 and all(len(value) == 64 for value in hashes)


def test_label_studio_tasks(exported: Exported) -> None:
    """A task a page, an annotation a person, the model's elements as prediction with scores."""
    manifest, out = exported("verify", "labelstudio")
    tasks = load(out / "tasks.json")
    assert [(t["data"]["document"], t["data"]["page"]) for t in tasks] == [
        (REPORT, 1),
        (REPORT, 2),
        (REPORT, 3),
        ("b.pdf", 1),
    ]
    first = tasks[0]
    assert [a["annotator"] for a in first["annotations"]] == ["annotator-1", "annotator-2"]
    boxes = [r for r in first["annotations"][0]["result"] if r["type"] == "rectanglelabels"]
    assert [r["value"]["rectanglelabels"] for r in boxes] == [["Table"], ["Text"], ["Picture"]]
    (prediction,) = first["predictions"]
    scores = [r["score"] for r in prediction["result"] if "score" in r]
    assert scores == [0.75]
    assert boxes[0]["value"]["x"] == pytest.approx(100 * 72 / 612, abs=1e-6)
    ids = [a["id"] for t in tasks for a in t["annotations"]]
    assert len(set(ids)) == len(ids) == manifest.counts["annotations"]
    for task in tasks:
        name = task["data"]["image"].removeprefix("/data/local-files/?d=").replace("%20", " ")
        assert (out / name).is_file()


def test_label_studio_interface(exported: Exported) -> None:
    """The labelling interface is XML, and the names in it are those of the results."""
    _, out = exported("verify", "labelstudio")
    view = ET.fromstring((out / "config.xml").read_text(encoding="utf-8"))
    assert [label.get("value") for label in view.iter("Label")][:2] == ["Text", "Table"]
    names = {tag.get("name") for tag in view if tag.get("name")}
    results = [r for t in load(out / "tasks.json") for a in t["annotations"] for r in a["result"]]
    assert {r["from_name"] for r in results} | {r["to_name"] for r in results} == names


def test_parsebench_layout(exported: Exported) -> None:
    """Fractions of the page, class, content, order: what the last person submitted; each beside."""
    manifest, out = exported("verify", "parsebench")
    test = load(out / "annual report.test.json")
    assert [rule["id"] for rule in test["test_rules"]] == ["m-1", "m-2", "m-4", "m-3", "m-5"]
    ada = load(out / "by-annotator" / "annotator-1" / "annual report.test.json")["test_rules"]
    assert [rule["id"] for rule in ada] == ["m-1", "m-2", "m-3", "b-1", "m-5"]
    table, text = ada[:2]
    assert table["content"] == {"type": "table", "html": "<table></table>"}
    assert text["content"] == {"type": "text", "text": "Otters"}
    assert (text["ro_index"], text["page"], text["type"]) == (2, 1, "layout")
    assert ada[2]["canonical_class"] == "Picture" and ada[2]["attributes"] == {"title": "no"}
    x, y, width, height = ada[3]["bbox"]
    assert (x * 792, (x + width) * 792) == pytest.approx((641.5, 692.25), abs=0.002)
    assert (y * 612, (y + height) * 612) == pytest.approx((100, 200.5), abs=0.002)
    assert left_out(manifest)["attempt", "verified_again_later"] == 1


def test_parsebench_data_points(exported: Exported) -> None:
    """Rows of a chart as they are in the end; what was deleted is counted."""
    manifest, out = exported("verify_chart", "parsebench")
    rules = load(out / "annual report.test.json")["test_rules"]
    assert [(r["labels"], r["value"]) for r in rules] == [
        (["2024", "Otters"], "42"),
        (["2025", "Otters"], "41"),
        (["2027", "Otters"], "1,050 t"),
    ]
    # Exact where nothing was entered: a rule without a tolerance accepts 1 % (ParseBench).
    assert [r["relative_tolerance"] for r in rules] == [pytest.approx(0.05 / 42), 0, 0]
    assert [r.get("tolerance") for r in rules] == ["0.05", None, None]
    assert {r["type"] for r in rules} == {"chart_data_point"}
    assert left_out(manifest)["row", "deleted"] == 1


@pytest.mark.parametrize(
    ("value", "tolerance", "inside", "outside"),
    [
        ("14", "2", (12, 14, 16), (11.99, 16.01, 1000)),
        ("0.3", "0.1", (0.2, 0.4), (0.1999999, 0.4000001)),
        ("-14", "2", (-12, -16), (-11.99, -16.01, 14)),
        ("$1,050 t", "5", (1045, 1055), (1044.9, 1055.1)),
        ("14", "", (14,), (13.999999, 14.000001)),
        ("14", "0", (14,), (13.999999, 14.000001)),
        ("1e308", "1e-308", (1e308,), (0.999999e308,)),
    ],
)
def test_parsebench_accepts_exactly_what_was_entered(
    value: str, tolerance: str, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    """Table 12 of the paper: a value is accepted within value × (1 ± relative tolerance)."""
    relative = relative_tolerance(value, tolerance)
    number = float(value.strip("$ t").replace(",", ""))
    accepted = [abs(entered - number) <= relative * abs(number) for entered in (*inside, *outside)]
    assert accepted == [True] * len(inside) + [False] * len(outside)


def test_a_tolerance_around_0_is_a_difference() -> None:
    """Nothing is a fraction of 0; ParseBench then compares the difference itself."""
    assert relative_tolerance("0", "0.5") == 0.5
    assert relative_tolerance("n/a", "0.5") == 0


@pytest.mark.parametrize(
    ("value", "tolerance", "expected"),
    [
        ("200", "", 0.01),
        ("200", "5", 0.025),
        ("200", "0", 0),
        ("0", "", 0),
        ("n/a", "", 0),
    ],
)
def test_parsebench_gets_the_campaigns_tolerance_where_a_row_has_none(
    value: str, tolerance: str, expected: float
) -> None:
    """What was entered for a row counts instead, also 0."""
    protocol = with_overrides(
        preset("verify_chart"), {"fields.data_points.relative_tolerance": 0.01}
    )
    (chart, _) = protocol.fields
    values = {"labels": "a; b", "value": value, "tolerance": tolerance}
    payload = point_payload(chart, RecordRow(field=chart.name, row="r1", values=values, seq=1))
    assert payload["relative_tolerance"] == pytest.approx(expected)
    assert payload["tolerance"] == (tolerance or None)


def test_parsebench_patches(exported: Exported) -> None:
    """An approved patch is a text that must be there, or must not; every decision is kept."""
    manifest, out = exported("verify_transcript", "parsebench")
    test = load(out / "annual report.test.json")
    assert [(r["type"], r["text"]) for r in test["test_rules"]] == [
        ("present", "Otters"),
        ("absent", "Page 1 of 3"),
    ]
    decisions = [(p["new"], p["decision"]) for p in test["transcript_patches"]]
    assert decisions == [("Otters", "approve"), ("there", "reject"), ("", "approve")]
    assert left_out(manifest)["row", "not_approved"] == 1


def test_files_of_documents_that_differ_in_their_ending(tmp_path: Path) -> None:
    """Two documents whose names without ``.pdf`` are the same do not share a file."""
    sheet = (Sheet(),)
    files = {"a.pdf": sheet, "A.PDF": (Sheet(marks=((1, 1, 9, 9),)),)}
    names = sorted(files)
    task = {"id": "v", "question": "Verify", "candidates": [page(1, name) for name in names]}
    stage = make_stage(tmp_path / "ws", preset("verify"), [task], ("Ada",), files)
    boxes = [box_drawn(f"b-{n}", 1, (10, 10, 40, 40), "Text", doc) for n, doc in enumerate(names)]
    stage.did("v", "Ada", OPENED, *boxes, COMPLETED)
    out = tmp_path / "out"
    export(stage.workspace, CAMPAIGN, "parsebench", out)
    documents = {load(path)["document"] for path in out.glob("*.test.json")}
    assert documents == set(names)


def test_a_page_that_cannot_be_drawn(tmp_path: Path) -> None:
    """A file that was lost: its boxes are left out and counted, the other page's are there."""
    task = {
        "id": "v",
        "question": "Verify",
        "candidates": [page(1), page(1, "b.pdf")],
        "elements": [element("m", 1, [10, 10, 50, 50], "Text")],
    }
    stage = make_stage(tmp_path / "ws", preset("verify"), [task], ("Ada",))
    box = box_drawn("b-1", 1, (10, 10, 60, 60), "Text", "b.pdf")
    stage.did("v", "Ada", OPENED, ev.BoxAccepted(box="e1"), box, COMPLETED)
    missing_file = max(
        stage.workspace.corpus_dir.glob("*.pdf"), key=lambda path: path.stat().st_size
    )
    missing_file.write_bytes(b"%PDF-1.4 nothing")
    for format_, file in (("coco", MERGED), ("labelstudio", "tasks.json")):
        out = tmp_path / format_
        manifest = export(stage.workspace, CAMPAIGN, format_, out)
        assert left_out(manifest)["page", "cannot_be_drawn"] == 1
        assert left_out(manifest)["box", "page_without_image"] == 1
        assert [path.name for path in (out / "images").iterdir()] == ["b.pdf-page-1.jpg"]
        assert (out / file).is_file()


@pytest.mark.parametrize("format_", ["coco", "labelstudio", "parsebench"])
def test_attempts_without_boxes_are_named(exported: Exported, format_: str) -> None:
    """A campaign that asks for no boxes gives an empty export that says so."""
    manifest, _ = exported("judge", format_)
    reason = "nothing_to_verify" if format_ == "parsebench" else "no_boxes_asked"
    assert left_out(manifest) == {("attempt", reason): 4}
