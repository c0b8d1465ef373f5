"""Files exactly as other programs wrote them (``make_files``) are read as they are meant."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.preannotations.system_boxes import import_boxes
from pagetrail.storage.importers.runs.formats import open_runs
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.tasks.element_importer import ElementImport, import_elements
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.foreign_files.make_files import HERE
from tests.storage.task_data import register_documents, register_pages, task, write_jsonl


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with ``report.pdf`` and ``plan.pdf``, each page 612 by 792 points."""
    register_documents(workspace, {"report.pdf": 9, "plan.pdf": 2})
    register_pages(workspace)
    return workspace


def stored(workspace: Workspace) -> list[dict[str, Any]]:
    """The records of all tasks."""
    with workspace.engine.connect() as connection:
        return [row.record for row in connection.execute(select(Task).order_by(Task.position))]


def questions(path: Path) -> list[Any]:
    """The questions of a table without errors."""
    file = read_task_file(path)
    assert file.errors == []
    return [row.data["question"] for row in file.rows]


@pytest.mark.parametrize(
    ("protocol", "note"),
    [
        ("search", None),
        ("relevance", "Boxes of tasks with boxes without a class, left out: 1."),
    ],
)
def test_data_sets_of_vidore_v3(filled: Workspace, protocol: str, note: str | None) -> None:
    """Boxes have no class in published data: where gold needs one they are left out, and said."""
    report = import_tasks(
        filled, HERE / "vidore_v3", campaign="C", protocol=preset(protocol), pages_from=0
    )
    assert (report.imported, report.bad) == (1, [])
    assert note is None or note in report.warnings
    (record,) = stored(filled)
    pages = [(ref["document"], ref["page"]) for ref in record["candidates"]]
    assert pages == [("report.pdf", 2), ("report.pdf", 3)]


def test_batch_results_of_openai(filled: Workspace, tmp_path: Path) -> None:
    """The task is the request's ``custom_id``; a request that expired is a failed run."""
    tasks = [task(n, id=f"request-{n}") for n in (1, 2, 3)]
    import_tasks(filled, write_jsonl(tmp_path / "t.jsonl", tasks), campaign="C", protocol="search")
    report = import_run(filled, HERE / "openai_batch.jsonl", campaign="C", system="gpt")
    assert (report.imported, report.left_out, report.failed) == (3, [], 1)
    runs = {run.id: run.record for run in open_runs(HERE / "openai_batch.jsonl").runs()}
    second, third = runs["request-2"], runs["request-3"]
    assert second is not None and third is not None
    assert second.answer == ("Hello.",)
    usage = second.about.totals[0].usage
    assert (usage.input_tokens, usage.output_tokens) == (22, 2)
    assert third.failed is not None and third.failed.startswith("This request could not")


def test_tables_for_excel() -> None:
    """A line ``sep=;``, columns without heading or content, and UTF-16 with tabs."""
    assert questions(HERE / "sep.csv") == questions(HERE / "libreoffice_utf16.txt") == ["Größen?"]
    assert read_task_file(HERE / "sep.csv").notes == []


def test_workbooks_are_read_as_they_are_shown() -> None:
    """Each cell has the text that LibreOffice shows; numbers without a format stay numbers."""
    file = read_task_file(HERE / "formats.xlsx")
    shown = read_task_file(HERE / "libreoffice_shown.csv")
    answers = [str(row.data["answer"]).strip() for row in shown.rows]
    assert [str(row.data["answer"]) for row in file.rows] == answers
    assert file.notes == [
        "Numbers and dates read as the sheet Tasks shows them: 12 (first: C2 12.5%)."
    ]


@pytest.mark.parametrize(
    ("program", "errors"),
    [
        ("openpyxl", dict.fromkeys((16, 17, 18), "a formula without a")),
        ("libreoffice", {17: "the error #N/A", 18: "the error #DIV/0!"}),
        ("xlsxwriter", {2: "a formula without a"}),
    ],
)
def test_workbooks_with_formulas(program: str, errors: dict[int, str]) -> None:
    """A formula that nothing has calculated and an error are errors of their rows."""
    file = read_task_file(HERE / f"{program}_formulas.xlsx")
    assert {error.line: error.reason.partition(" value")[0] for error in file.errors} == {
        line: f"C{line} of the sheet Tasks is {problem}" for line, problem in errors.items()
    }


def test_pages_of_pandas(filled: Workspace) -> None:
    """A column of whole numbers with a gap is one of floats."""
    report = import_tasks(filled, HERE / "pandas_pages.csv", campaign="C", protocol="search")
    assert (report.imported, report.bad) == (2, [])
    assert stored(filled)[0]["evidence"] == [{"document": "report.pdf", "page": 3}]


@pytest.mark.parametrize("shape", ["columns", "index", "records", "split", "table"])
def test_tables_of_pandas_in_json(shape: str) -> None:
    """Each shape has the same rows, without the index that numbers them."""
    rows = [row.data for row in read_task_file(HERE / f"pandas_{shape}.json").rows]
    assert rows == [row.data for row in read_task_file(HERE / "pandas_lines.jsonl").rows]
    assert [row["id"] for row in rows] == ["q1", "q2"]


@pytest.mark.parametrize("shape", ["columns", "index", "split"])
def test_tables_of_pandas_with_labels_of_text(shape: str) -> None:
    """They are refused with the call that writes them as a column."""
    with pytest.raises(InputFileError, match=re.escape('df.rename_axis("id").reset_index()')):
        read_task_file(HERE / f"pandas_text_index_{shape}.json")


def test_indexes_of_pandas_that_are_kept() -> None:
    """A named index is a column; numbers that do not count the rows are the field ``index``."""
    named = read_task_file(HERE / "pandas_text_index_table.json").rows
    assert [row.data["id"] for row in named] == ["q1", "q2"]
    (last,) = read_task_file(HERE / "pandas_tail.json").rows
    assert (last.data["index"], last.data["id"]) == (1, "q2")


def test_tables_of_pandas_without_names_of_columns() -> None:
    """What has no names is refused with the way out."""
    with pytest.raises(InputFileError, match='in pandas, orient="records"'):
        read_task_file(HERE / "pandas_values.json")


def test_full_turns_of_label_studio(filled: Workspace) -> None:
    """A box turned by 360° is upright."""
    report = import_elements(filled, [HERE / "label_studio.json"], ElementImport(campaign="Layout"))
    assert (report.elements, report.bad) == (1, [])


def test_images_of_coco_without_boxes(filled: Workspace) -> None:
    """Both pages are tasks, one without a box; images of another shape are named."""
    report = import_elements(filled, [HERE / "coco.json"], ElementImport(campaign="Layout"))
    assert (report.tasks.imported, report.bad) == (2, [])
    assert [(record["id"], len(record["elements"])) for record in stored(filled)] == [
        ("plan.pdf#p1", 1),
        ("plan.pdf#p2", 0),
    ]
    shapes = (
        "Images of another shape than their page: plan.pdf page 1, plan.pdf page 2. Check the "
        "boxes there: an image has to show the whole page, upright."
    )
    assert shapes in report.notes
    boxes = import_boxes(filled, [HERE / "coco.json"], campaign="Layout", system="detector")
    assert (boxes.imported, boxes.without_boxes) == (1, 0)
    assert any(note.startswith("Images without boxes: 1.") for note in boxes.notes)
    boxes = import_boxes(
        filled, [HERE / "coco.json"], campaign="Layout", system="other", all_tasks=True
    )
    assert (boxes.imported, boxes.without_boxes) == (2, 1)


def test_a_log_of_inspect_with_missing_samples(filled: Workspace, tmp_path: Path) -> None:
    """Two of five samples are imported, and the report says so."""
    tasks = [task(n) for n in range(1, 6)]
    import_tasks(filled, write_jsonl(tmp_path / "t.jsonl", tasks), campaign="C", protocol="search")
    path = HERE / "inspect_two_of_five.eval"
    report = import_run(filled, path, campaign="C", system="model")
    assert (report.imported, report.left_out) == (2, [])
    assert [note.reason for note in report.warnings if note.id is None] == [
        "the log holds 2 of its 5 samples; the others were not run or not written, and are no "
        "attempts"
    ]
