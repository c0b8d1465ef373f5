"""Pre-annotations into a campaign, and elements in the rows of task files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from sqlalchemy import insert, select

from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError, PagetrailError
from pagetrail.annotation.geometry.element import elements_of
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Meta, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.element_importer import (
    ElementImport,
    ElementsReport,
    import_elements,
)
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.ingest.command import ingest
from tests.storage.importers.preannotations.element_data import write
from tests.storage.pdfs import make_pdf
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

ANNUAL = "annual report.pdf"


@pytest.fixture
def two_documents(tmp_path: Path) -> Workspace:
    """A workspace with ``annual report.pdf`` (12 pages) and ``b.pdf`` (3), and two annotators."""
    workspace = make_workspace(tmp_path / "made")
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    return workspace


def _element(page: int = 1, **fields: Any) -> dict[str, Any]:
    return {"document": ANNUAL, "page": page, "rect": [10, 20, 110, 220], "label": "Text", **fields}


def _import(workspace: Workspace, *files: Path, **options: Any) -> ElementsReport:
    return import_elements(workspace, files, ElementImport(**{"campaign": "Layout", **options}))


def _records(workspace: Workspace, campaign: str = "Layout") -> list[dict[str, Any]]:
    query = (
        select(Task.record)
        .join_from(Task, Campaign)
        .where(Campaign.name == campaign)
        .order_by(Task.position)
    )
    with workspace.engine.connect() as connection:
        return list(connection.execute(query).scalars())


def test_good_elements_become_tasks_and_bad_ones_a_list(
    two_documents: Workspace, tmp_path: Path
) -> None:
    """A bad element holds up nobody: one task per page, assigned at once, under verify."""
    rows = [_element(2, id="x", order=1), _element(77), _element(2, order=0), _element(1)]
    report = _import(two_documents, write(tmp_path / "e.jsonl", rows))
    assert (report.elements, report.tasks.imported) == (3, 2)
    assert [(entry.line, entry.reason) for entry in report.bad] == [
        (2, "page 77 of annual report.pdf does not exist: the document has 12 pages")
    ]
    records = _records(two_documents)
    assert [record["id"] for record in records] == [f"{ANNUAL}#p1", f"{ANNUAL}#p2"]
    assert [element.id for element in elements_of(records[1])] == ["e1", "x"]
    assert records[1]["candidates"] == [{"document": ANNUAL, "page": 2}]
    with two_documents.engine.connect() as connection:
        row = connection.execute(select(Campaign).where(Campaign.name == "Layout")).one()
    assert row.protocol["name"] == "verify"
    assert report.tasks.assigned is not None


def test_stored_elements_are_those_that_were_read(two_documents: Workspace, tmp_path: Path) -> None:
    """What goes into the database is the record that the report holds, field by field."""
    rows = [_element(3, rect=[0, 0, 612.4, 791.996], content="½\x00", score=0.25, class_="x")]
    report = _import(two_documents, write(tmp_path / "e.jsonl", rows))
    assert _records(two_documents)[0]["elements"] == report.records[0]["elements"]
    assert report.records[0]["elements"][0]["rect"] == [0, 0, 612, 792]
    assert report.notes == [
        "Elements clipped to their page: 1.",
        "Elements without control characters that their content had: 1.",
    ]


def test_several_files_and_folders(two_documents: Workspace, tmp_path: Path) -> None:
    """Folders are read by ending, each file once; one that is no good is an entry of the list."""
    folder = tmp_path / "in" / "deeper"
    folder.mkdir(parents=True)
    first = write(folder / "a.jsonl", [_element(1)])
    write(folder / "b.json", json.dumps([_element(2), _element(0)]))
    broken = write(folder / "c.json", "{")
    write(folder / "notes.txt", "nothing")
    report = _import(two_documents, tmp_path / "in", first, campaign="Folder")
    assert [(file.file, file.format, file.elements) for file in report.files] == [
        (str(folder / "a.jsonl"), "JSON Lines of elements", 1),
        (str(folder / "b.json"), "JSON list of elements", 2),
    ]
    assert report.tasks.imported == 2
    assert [(entry.file, entry.line, entry.reason.partition(":")[0]) for entry in report.bad] == [
        (str(broken), None, "is not JSON"),
        (str(folder / "b.json"), 1, "page"),
    ]
    (tmp_path / "none").mkdir()
    with pytest.raises(InputFileError, match="holds no file that ends in"):
        _import(two_documents, tmp_path / "none")
    with pytest.raises(InputFileError, match=r"c\.json is not JSON"):
        _import(two_documents, broken)
    with pytest.raises(InputFileError, match="No file"):
        _import(two_documents)


def test_bad_elements_alone_import_nothing(two_documents: Workspace, tmp_path: Path) -> None:
    """No campaign is made for them."""
    report = _import(two_documents, write(tmp_path / "e.jsonl", [_element(label="Stamp")] * 3))
    assert (report.tasks.imported, len(report.bad), report.elements) == (0, 3, 0)
    assert _records(two_documents) == []
    with two_documents.engine.connect() as connection:
        assert connection.execute(select(Campaign.name)).scalars().all() == ["Otters"]


def test_a_campaign_takes_more_pages_and_no_page_twice(
    two_documents: Workspace, tmp_path: Path
) -> None:
    """Its own classes hold for what comes later; a page it has stops the rest unless skipped."""
    file = write(tmp_path / "e.jsonl", [_element(1, label="Stamp"), _element(2)])
    labels = {"boxes.labels": [{"name": "Stamp"}, {"name": "Text"}]}
    assert _import(two_documents, file, settings=labels).tasks.imported == 2
    more = write(tmp_path / "f.jsonl", [_element(2), _element(3, label="stamp")])
    stopped = _import(two_documents, more)
    assert (stopped.tasks.imported, stopped.elements) == (0, 0)
    assert [(row.id, row.reason) for row in stopped.tasks.bad] == [
        (f"{ANNUAL}#p2", f"campaign Layout has a task '{ANNUAL}#p2' already")
    ]
    skipped = _import(two_documents, more, skip_bad=True)
    assert (skipped.tasks.imported, skipped.elements) == (1, 1)
    assert _records(two_documents)[-1]["elements"][0]["label"] == "Stamp"
    with pytest.raises(ConflictError, match="exists with other settings"):
        _import(two_documents, more, protocol="search")


def test_classes_can_be_mapped_and_documents_named(
    two_documents: Workspace, tmp_path: Path
) -> None:
    """A mapping leads to classes that there are, and to no other."""
    rows = [{"page": 1, "rect": [1, 2, 3, 4], "label": "Stamp"}]
    file = write(tmp_path / "e.jsonl", rows)
    mapping = {"STAMP": "Picture"}
    report = _import(two_documents, file, document="b.pdf", mapping=mapping, grouping="document")
    assert [record["id"] for record in report.records] == ["b.pdf"]
    assert report.records[0]["elements"][0]["label"] == "Picture"
    with pytest.raises(PagetrailError, match="'Stamp' cannot be read as 'Photo'") as caught:
        _import(two_documents, file, campaign="B", mapping={"Stamp": "Photo"})
    assert caught.value.code == "unknown_label"


def test_pages_with_too_many_elements_are_noted(two_documents: Workspace, tmp_path: Path) -> None:
    """They are imported; nobody could add a box there, so it is said, with the way out."""
    file = write(tmp_path / "e.jsonl", [_element(1)] * 3 + [_element(2)] * 2)
    report = _import(two_documents, file, settings={"boxes.max_per_page": 2})
    assert report.elements == 5
    assert report.notes == [
        "Pages with more than 2 elements: 1. The protocol allows no more boxes on a page; "
        "the setting boxes.max_per_page = 3 makes room."
    ]


def test_a_workspace_without_documents_and_unknown_names(
    workspace: Workspace, two_documents: Workspace, tmp_path: Path
) -> None:
    """Each is one sentence before anything is read or stored."""
    file = write(tmp_path / "e.jsonl", [_element(1)])
    with pytest.raises(ConflictError, match="no documents yet"):
        _import(workspace, file)
    with pytest.raises(NotFoundError, match="Presets: "):
        _import(two_documents, file, protocol="verifiy")
    with pytest.raises(PagetrailError, match="cannot be the name of a campaign"):
        _import(two_documents, file, campaign=" ")


@pytest.fixture
def rotated(tmp_path: Path) -> Workspace:
    """A workspace with one ingested page of 300 × 200 points, turned by 90°."""
    path = make_pdf(tmp_path / "turned.pdf", ["otters"])
    document = pymupdf.open(path)
    document[0].set_rotation(90)
    document.saveIncr()
    document.close()
    workspace = Workspace.create(tmp_path / "turned")
    ingest(workspace, [path], ocr="never", workers=1)
    return workspace


def test_fractions_and_pixels_are_of_the_page_as_displayed(
    rotated: Workspace, tmp_path: Path
) -> None:
    """A page of 300 × 200 points turned by 90° is 200 wide and 300 high, and so is its image."""
    rows = [
        {"document": "turned.pdf", "page": 1, "rect": [0, 0, 1, 1], "unit": "fraction"},
        {"document": "turned.pdf", "page": 1, "rect": [0, 0, 400, 600], "unit": "pixels",
         "dpi": 144},
        {"document": "turned.pdf", "page": 1, "rect": [0, 0, 300, 200]},
    ]  # fmt: skip
    report = _import(rotated, write(tmp_path / "e.jsonl", rows))
    assert [element["rect"] for element in report.records[0]["elements"]] == [[0, 0, 200, 300]] * 2
    assert [(entry.line, "100 points right of it" in entry.reason) for entry in report.bad] == [
        (3, True)
    ]


def _task_rows(
    workspace: Workspace, folder: Path, row: dict[str, Any], **options: Any
) -> tuple[ImportReport, list[dict[str, Any]]]:
    file = write_jsonl(folder / "t.jsonl", [{"id": "t1", "question": "Check.", **row}])
    report = import_tasks(workspace, file, **{"campaign": "Rows", "protocol": "verify", **options})
    return report, _records(workspace, "Rows")


def test_elements_in_a_task_row_are_stored_in_one_shape(
    two_documents: Workspace, tmp_path: Path
) -> None:
    """The bad ones are left out with line and index, the good ones normalised and in order; what
    an element does not say of its place, the task's only page says.
    """
    elements = [
        {"rect": [1, 300, 2, 400], "class": "page header"},
        {"rect": [1, 2, 3, 900]},
        {"bbox": [0, 0, 0.5, 0.5], "unit": "fraction", "id": 5, "score": 1},
        "no element",
        {"rect": [1, 2, 3, 4], "page": 4},
        {"rect": [1, 2, 3, 4], "label": "Stamp"},
    ]
    row = {"candidates": [{"document": "b.pdf", "page": 3}], "elements": elements}
    report, records = _task_rows(two_documents, tmp_path, row)
    assert records[0]["elements"] == [
        {"id": "5", "document": "b.pdf", "page": 3, "rect": [0, 0, 306, 396], "label": None,
         "content": None, "order": None, "attributes": {}, "score": 1.0},
        {"id": "e1", "document": "b.pdf", "page": 3, "rect": [1, 300, 2, 400],
         "label": "Page-Header", "content": None, "order": None, "attributes": {}, "score": None},
    ]  # fmt: skip
    assert [warning.partition(" is left out: ")[0] for warning in report.warnings] == [
        f"Line 1 (t1): elements[{index}]" for index in (1, 3, 4, 5)
    ]
    assert "page 4 of b.pdf does not exist" in report.warnings[2]
    second_report, stored = _task_rows(two_documents, tmp_path, {**records[0], "id": "t2"})
    assert (second_report.imported, second_report.warnings, stored[1]["elements"]) == (
        1, [], records[0]["elements"],
    )  # fmt: skip


def test_elements_of_a_row_lie_on_its_pages(two_documents: Workspace, tmp_path: Path) -> None:
    """An element on a page that the task does not show could never be verified."""
    row = {
        "candidates": [{"document": "b.pdf", "page": page} for page in (1, 2)],
        "elements": [
            {"document": "b.pdf", "page": page, "rect": [1, 2, 3, 4], "id": str(page)}
            for page in (1, 3)
        ] + [{"rect": [1, 2, 3, 4]}],
    }  # fmt: skip
    report, records = _task_rows(two_documents, tmp_path, row)
    assert [element["id"] for element in records[0]["elements"]] == ["1"]
    assert report.warnings == [
        "Line 1 (t1): elements[1] is left out: page 3 of b.pdf is not one of the pages of its "
        "task.",
        "Line 1 (t1): elements[2] is left out: document: is missing.",
    ]


def test_lists_of_kinds_are_no_elements(two_documents: Workspace, tmp_path: Path) -> None:
    """Datasets that say which kinds of content a question is about keep what they say."""
    report, records = _task_rows(
        two_documents, tmp_path, {"elements": ["Chart", "Table"]}, protocol="search"
    )
    assert (report.warnings, records[0]["elements"]) == ([], ["Chart", "Table"])


def test_any_class_where_the_protocol_has_no_boxes(
    two_documents: Workspace, tmp_path: Path
) -> None:
    """Without a list of classes there is none to keep to."""
    element = {"document": "b.pdf", "page": 1, "rect": [1, 2, 3, 4], "label": "Stamp"}
    assert not preset("search").boxes.enabled
    report, records = _task_rows(
        two_documents, tmp_path, {"elements": [element]}, protocol="search"
    )
    assert (report.warnings, records[0]["elements"][0]["label"]) == ([], "Stamp")


def test_a_row_nested_without_end_is_a_bad_row(two_documents: Workspace, tmp_path: Path) -> None:
    """It is listed like any other."""
    deep: Any = []
    for _ in range(700):
        deep = [deep]
    report, records = _task_rows(two_documents, tmp_path, {"elements": deep})
    assert [(row.line, row.reason) for row in report.bad] == [
        (1, "its lists or objects are nested too deeply")
    ]
    assert records == []
