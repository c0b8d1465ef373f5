"""Files of pre-annotations: every format by its content, with the line of each element."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.importers.preannotations.formats import FORMAT_NAMES, read_preannotations
from pagetrail.storage.importers.preannotations.raw_elements import RawElement
from tests.storage.importers.preannotations.element_data import (
    COCO,
    LABEL_STUDIO,
    PARSEBENCH,
    checked,
    plain,
    write,
)


def _locations(elements: list[RawElement]) -> list[tuple[int, str]]:
    return [(element.line, element.location) for element in elements]


def test_parsebench_layout_rules_become_elements(tmp_path: Path) -> None:
    """Fractions of the page to points, HTML as text, flags as text, other rules counted."""
    file = write(tmp_path / "report.test.json", PARSEBENCH)
    read = read_preannotations(file)
    assert _locations(read.elements) == [
        (3, "test_rules[0]"), (8, "test_rules[2]"), (10, "test_rules[3]"),
    ]  # fmt: skip
    assert read.left_out == {"rules of type order": 1, "rules of type missing_word_percent": 1}
    good, bad, _ = checked(file)
    assert good[0] == {
        "id": "a1",
        "document": "report.pdf",
        "page": 2,
        "rect": [306.0, 198.0, 459.0, 594.0],
        "label": "Table",
        "content": "<table><tr><td>7</td></tr></table>",
        "order": 3,
        "attributes": {"borders": "true"},
        "score": None,
    }
    assert (good[1]["id"], good[1]["label"], good[1]["content"], good[1]["order"]) == (
        "e1", "Page-Header", "Harbour board", 0,
    )  # fmt: skip
    assert [(entry.file, entry.line, entry.place, entry.reason) for entry in bad] == [
        (str(file), 10, "test_rules[3]", "bbox[3]: must be a finite number, not NaN"),
    ]


def test_a_page_cut_out_of_a_document_is_found_in_it(tmp_path: Path) -> None:
    """ParseBench notes which page of which file a single page was; the file's own name counts
    first, and a pdf field before it.
    """
    rule = {"type": "layout", "page": 1, "bbox": [0, 0, 0.5, 0.5], "canonical_class": "Text"}
    data = {
        "test_rules": [rule],
        "metadata": {"original_filename": "report.pdf", "page_no": 6, "page_count": 1},
    }
    cut, _, _ = checked(write(tmp_path / "cut_p1.test.json", json.dumps(data)))
    assert [(element["document"], element["page"]) for element in cut] == [("report.pdf", 6)]
    by_file_name, _, _ = checked(write(tmp_path / "plan.test.json", json.dumps(data)))
    assert [(element["document"], element["page"]) for element in by_file_name] == [("plan.pdf", 1)]
    by_pdf_field, _, _ = checked(
        write(tmp_path / "x.json", json.dumps({**data, "pdf": "a/report.pdf"}))
    )
    assert [(element["document"], element["page"]) for element in by_pdf_field] == [
        ("report.pdf", 1)
    ]


def test_the_published_json_lines_of_parsebench(tmp_path: Path) -> None:
    """A rule is JSON in a string, the document a path; a broken rule is one error."""
    rule = {"bbox": [0.25, 0.5, 0.5, 0.25], "canonical_class": "List-item", "ro_index": 2}
    rows = [
        {"pdf": "docs/layout/plan.pdf", "id": "f0", "type": "layout", "page": 1,
         "rule": json.dumps(rule), "tags": ["easy"]},
        {"pdf": "docs/layout/plan.pdf", "id": "f1", "type": "layout", "page": 1, "rule": "{"},
        {"pdf": "docs/chart/plan.pdf", "id": "f2", "type": "chart_data_point", "rule": "{}"},
        {"pdf": "docs/layout/plan.pdf", "id": "f3", "type": "layout", "page": 1, "rule": rule},
        {"pdf": "docs/layout/plan.pdf", "id": "f4", "type": "layout", "page": 1, "rule": "7"},
    ]  # fmt: skip
    file = write(tmp_path / "layout.jsonl", rows)
    good, bad, checker = checked(file)
    assert [(e["id"], e["document"], e["rect"], e["label"], e["attributes"]) for e in good] == [
        (name, "plan.pdf", [153.0, 396.0, 459.0, 594.0], "Text", {"class": "List-item"})
        for name in ("f0", "f3")
    ]
    assert [entry.line for entry in bad] == [2, 5]
    assert checker.remarks == {"of class List-item, read as Text": 2}
    assert read_preannotations(file).left_out == {"rules of type chart_data_point": 1}


def test_coco_boxes_are_scaled_from_their_image_to_the_page(tmp_path: Path) -> None:
    """Square images, as DocLayNet has them, are stretched back; pages by field or by name."""
    file = write(tmp_path / "coco.json", COCO)
    read = read_preannotations(file)
    assert read.format == "COCO JSON"
    assert read.notes == ["Annotations whose outline was ignored in favour of their box: 1."]
    good, bad, _ = checked(file)
    assert [(e["id"], e["page"], e["rect"], e["label"], e["score"]) for e in good] == [
        ("11", 4, [61.2, 0.0, 183.6, 792.0], "Table", 0.75),
        ("12", 5, [100.0, 200.0, 150.0, 225.0], "Text", None),
    ]
    assert [(entry.line, entry.place, entry.id, entry.reason) for entry in bad] == [
        (11, "annotations[2]", "13", "no page matches the name unknown.png: there is no document "
         "unknown.pdf in this workspace"),
        (12, "annotations[3]", "14", "image_id: there is no image 8 in the file"),
        (13, "annotations[4]", "15", "category_id: there is no category 99 in the file"),
        (14, "annotations[5]", "16", "bbox: is missing"),
    ]  # fmt: skip


@pytest.mark.parametrize("size", [{}, {"width": 0, "height": 9}, {"width": "9", "height": 9}])
def test_a_coco_image_needs_its_size(tmp_path: Path, size: dict[str, Any]) -> None:
    """Without the image's pixels a box in pixels means nothing; two images of one id neither."""
    image = {"id": 1, "file_name": "plan.png", **size}
    annotation = {"id": 1, "image_id": 1, "bbox": [1, 1, 2, 2]}
    data = {"images": [image], "annotations": [annotation]}
    good, bad, _ = checked(write(tmp_path / "coco.json", json.dumps(data)))
    assert good == []
    assert "its image has no usable size in pixels" in bad[0].reason
    data["images"].append({"id": 1, "file_name": "plan.png", "width": 9, "height": 9})
    _, bad, _ = checked(write(tmp_path / "coco.json", json.dumps(data)))
    assert "more than one image 1" in bad[0].reason


@pytest.mark.parametrize(
    "rotated", [{"rotation": 30}, {"angle": -0.5}, {"attributes": {"rotation": 12.5}}]
)
def test_rotated_boxes_are_never_read_as_upright(tmp_path: Path, rotated: dict[str, Any]) -> None:
    """COCO as CVAT and Datumaro write it, and plain elements; full turns are upright."""
    image = {"id": 1, "file_name": "plan.png", "width": 600, "height": 800}
    box = {"image_id": 1, "bbox": [1, 1, 20, 20]}
    upright = {"rotation": 0, "attributes": {"rotation": 360.0}}
    data = {
        "images": [image],
        "annotations": [box | {"id": 1} | rotated, box | {"id": 2, **upright}],
    }
    good, bad, _ = checked(write(tmp_path / "coco.json", json.dumps(data)))
    assert [element["id"] for element in good] == ["2"]
    assert [entry.place for entry in bad] == ["annotations[0]"]
    assert "rotated boxes are not supported; give the upright box around it" in bad[0].reason
    if "attributes" not in rotated:
        row = {"document": "plan.pdf", "page": 1, "bbox": [1, 1, 20, 20], **rotated}
        good, bad, _ = checked(write(tmp_path / "plain.jsonl", json.dumps(row)))
        assert (good, len(bad)) == ([], 1)


def test_label_studio_rectangles(tmp_path: Path) -> None:
    """Predictions before annotations, a region's class and text from results of the same id,
    nothing turned, and what is no rectangle counted.
    """
    file = write(tmp_path / "export.json", LABEL_STUDIO)
    read = read_preannotations(file)
    assert read.left_out == {
        "further predictions or annotations of a task": 2,
        "results of type labels": 1,
        "results of type choices": 1,
    }
    good, bad, _ = checked(file)
    assert [
        (e["id"], e["page"], e["rect"], e["label"], e["content"], e["score"]) for e in good
    ] == [
        ("r1", 3, [61.2, 158.4, 367.2, 356.4], "Table", None, 0.5),
        ("r2", 3, [0.0, 0.0, 612.0, 79.2], "Page-Header", "Harbour\nboard", None),
        ("e1", 7, [306.0, 396.0, 612.0, 792.0], "Picture", None, None),
    ]
    assert [(entry.line, entry.place, entry.reason.partition(":")[0]) for entry in bad] == [
        (12, "[0].predictions[0].result[4]", "value.rotation"),
        (28, "[2]", "is not a task of Label Studio"),
    ]
    assert [element.line for element in read.elements] == [5, 9, 12, 25, 28]


def test_label_studio_tasks_with_several_page_images(tmp_path: Path) -> None:
    """``item_index`` chooses the image; without images it is the page, counted from 0."""
    value = {"x": 0, "y": 0, "width": 50, "height": 50, "rectanglelabels": ["Text"]}
    results = [{"type": "rectanglelabels", "item_index": n, "value": value} for n in (0, 1)]
    images = {"data": {"pages": ["http://h/report_p8.png?s=1", "http://h/report_p2.png"]}}
    document = {"data": {"pdf": "http://h/files/report.pdf"}}
    for data, pages in ((images, [8, 2]), (document, [1, 2])):
        task = {**data, "predictions": [{"result": results}]}
        for content in (json.dumps([task]), json.dumps(task), json.dumps(task) + "\n" * 2):
            good, bad, _ = checked(write(tmp_path / "ls.json", content))
            assert (sorted(e["page"] for e in good), bad) == (sorted(pages), [])
        good, bad, _ = checked(write(tmp_path / "ls.jsonl", [task]))
        assert ([e["page"] for e in good], bad) == (pages, [])


@pytest.mark.parametrize(
    ("fields", "rect"),
    [
        ({"rect": [10, 20, 110, 220]}, [10, 20, 110, 220]),
        ({"rect": None, "bbox": [10, 20, 100, 200]}, [10, 20, 110, 220]),
        ({"rect": [0.5, 0.25, 1, 1], "unit": "fraction"}, [306, 198, 612, 792]),
        ({"rect": None, "bbox": [0, 0, 0.5, 0.5], "unit": "fraction"}, [0, 0, 306, 396]),
        ({"rect": [200, 400, 400, 600], "unit": "pixels", "dpi": 200}, [72, 144, 144, 216]),
        ({"rect": [1.23456, 1, 2, 2.005], "unit": "points"}, [1.23, 1, 2, 2.0]),
    ],
)
def test_units_of_the_plain_form(tmp_path: Path, fields: dict[str, Any], rect: list[float]) -> None:
    """Points by default, fractions of the page, or pixels at a resolution; rounded to 0.01."""
    good, bad, _ = checked(write(tmp_path / "e.jsonl", [plain(**fields)]))
    assert bad == []
    assert good[0]["rect"] == pytest.approx(rect, abs=0.006)


def test_other_names_of_the_plain_form(tmp_path: Path) -> None:
    """``file``, ``class`` and ``confidence`` are read, pages in any spelling, and images."""
    rows = [
        {"file": "sub/plan.pdf", "page": "1", "bbox": [1, 2, 3, 4], "class": "table", "order": 5.0,
         "text": "t", "confidence": 1, "id": 7},
        {"image": "report.pdf#4", "rect": [1, 2, 3, 4]},
        {"document": "report.pdf", "image": "x-4.png", "rect": [1, 2, 3, 4]},
        {"document": "plan.pdf", "rect": [1, 2, 3, 4]},
    ]  # fmt: skip
    good, bad, _ = checked(write(tmp_path / "e.jsonl", rows))
    assert bad == []
    assert good[0] == {
        "id": "7", "document": "plan.pdf", "page": 1, "rect": [1, 2, 4, 6], "label": "Table",
        "content": "t", "order": 5, "attributes": {}, "score": 1.0,
    }  # fmt: skip
    assert [(element["document"], element["page"]) for element in good[1:]] == [
        ("report.pdf", 4), ("report.pdf", 4), ("plan.pdf", 1),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["e.jsonl", "e.json", "e.txt", "e"])
def test_json_lines_are_recognised_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    """A broken line is an error among others; blank lines and a byte order mark are no harm."""
    line = json.dumps(plain())
    content = f"\ufeff{line}\n\n{{broken\n[1]\n{line}"
    good, bad, _ = checked(write(tmp_path / name, content))
    assert len(good) == 2
    assert [(entry.line, entry.id) for entry in bad] == [(3, None), (4, None)]


def test_a_json_list_of_plain_elements(tmp_path: Path) -> None:
    """Each element has its own line, even where it holds something else."""
    content = "[\n" + json.dumps(plain()) + ",\n 7,\n" + json.dumps(plain(page=99)) + "\n]"
    good, bad, _ = checked(write(tmp_path / "e.json", content))
    assert len(good) == 1
    assert [(entry.line, entry.place) for entry in bad] == [(3, "[1]"), (4, "[2]")]
    single, _, _ = checked(write(tmp_path / "one.json", json.dumps(plain(), indent=2)))
    assert len(single) == 1


REFUSED: list[tuple[bytes, str]] = [
    (b"", "is empty"),
    (b"%PDF-1.7\n", "is a PDF, not JSON"),
    (b"PK\x03\x04rest", "is a ZIP archive"),
    ("[]".encode("utf-16"), "is UTF-16"),
    (b"\x00\x01\x02\x03" * 99, "binary data"),
    (b"hello", "is not JSON: Expecting value (column 1)"),
    (b'{"test_rules": [\n{"type": "layout"\n', "is not JSON: Expecting ',' delimiter (line 3"),
    (b'{"a": "\xff"}', "is not UTF-8 at byte 8"),
    (b"[" * 100_000, "nested too deeply"),
    (b"{}", "has an unknown format"),
    (b"[]", "has an unknown format"),
    (b"null", "has an unknown format"),
    (b'{"images": {}, "annotations": []}', "has an unknown format"),
    (b'{"id": "q1", "question": "Why?"}\n{"id": "q2", "question": "?"}', "has an unknown format"),
    (b'[{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 1}]', "COCO results"),
    (b'{"test_rules": []}', "is ParseBench .test.json and holds no elements"),
    (b'{"images": [], "annotations": []}', "is COCO JSON and holds no elements"),
]


@pytest.mark.parametrize(("content", "reason"), REFUSED)
def test_a_file_of_no_format_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    """The file is named, and so is what is read."""
    with pytest.raises(InputFileError) as caught:
        read_preannotations(write(tmp_path / "e.json", content))
    assert caught.value.message.startswith(str(tmp_path / "e.json"))
    assert reason in caught.value.message
    if "unknown format" in reason:
        assert all(name in caught.value.message for name in FORMAT_NAMES)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a missing file, and JSON Lines without any object."""
    with pytest.raises(InputFileError, match="is not a regular file"):
        read_preannotations(tmp_path)
    with pytest.raises(InputFileError, match="cannot be read: No such file"):
        read_preannotations(tmp_path / "absent.json")
    with pytest.raises(InputFileError, match="line 2 is not JSON"):
        read_preannotations(write(tmp_path / "e.jsonl", "\n{broken\nnull\n"))


@pytest.mark.parametrize(
    ("name", "text", "not_kept"),
    [
        (
            "a.test.json",
            PARSEBENCH,
            {"tags": 1, "rule.tags": 1},
        ),
        ("coco.json", COCO.replace('{"images"', '{"info": {"year": 1}, "images"'),
         {"info": 1, "annotations[].iscrowd": 1}),
        ("l.json", LABEL_STUDIO, {"id": 2, "predictions[].model_version": 1,
          "predictions[].result[].value.start": 1, "predictions[].result[].value.end": 1}),
        ("p.jsonl", '{"document": "a.pdf", "page": 1, "rect": [0, 0, 1, 1], "angle": 7}',
         {"angle": 1}),
    ],
)  # fmt: skip
def test_what_is_not_kept_is_named_and_counted(
    tmp_path: Path, name: str, text: str, not_kept: dict[str, int]
) -> None:
    """Nothing in a file is dropped without a word."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_preannotations(tmp_path / name).not_kept.counts() == not_kept
