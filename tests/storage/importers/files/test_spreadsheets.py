"""Excel workbooks as task files: what is read, what is said of the rest, and hostile ones."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, MIN_MIB
from tests.storage.task_data import register_documents
from tests.support.workbooks import sheet_xml, write_parts, write_workbook

_STRINGS = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
HEADER = ["id", "question", "evidence_document", "evidence_page", "unanswerable", "asked", None]


def refusal(path: Path) -> str:
    """Why a workbook cannot be read."""
    with pytest.raises(InputFileError) as caught:
        read_task_file(path)
    assert path.name in caught.value.message
    return caught.value.message


def test_tasks_are_read_from_the_sheet_that_has_questions(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Whole numbers, truth values, dates and row numbers as Excel shows them; the rest is named."""
    rows = [
        HEADER,
        [1, "How many?", "report.pdf", 3, False, date(2026, 3, 1), "seen"],
        [None] * 7,
        ["two", "Who?", "report.pdf", "2; 4-5", None, None, None],
    ]
    sheets = {"Notes": [["made by", "A"]], "Tasks": rows, "Old": rows}
    path = write_workbook(tmp_path / "tasks.xlsx", sheets, hidden=["Old"], first_row=3)
    file = read_task_file(path)
    assert [row.line for row in file.rows] == [4, 6]
    assert file.rows[0].data == {
        "id": 1,
        "question": "How many?",
        "evidence_document": "report.pdf",
        "evidence_page": 3,
        "unanswerable": "false",
        "asked": "2026-03-01",
    }
    assert file.notes == [
        "Columns without a heading are not read: number 7.",
        "Numbers and dates read as the sheet Tasks shows them: 1 (first: F4 2026-03-01).",
        "Only the sheet Tasks is read, not Notes, Old.",
    ]
    register_documents(workspace)
    report = import_tasks(workspace, path, campaign="Sheet")
    assert (report.imported, report.bad) == (2, [])
    assert report.warnings[:3] == file.notes


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([["id", "text"], [1, "x"]], "has no column question. Columns: id, text."),
        ([["question", "question"]], "has the column 'question' more than once."),
        ([], "holds no rows."),
    ],
)
def test_sheets_without_questions(tmp_path: Path, rows: list[list[object]], sentence: str) -> None:
    """The sentences that other tables get."""
    assert sentence in refusal(write_workbook(tmp_path / "t.xlsx", {"A": rows}))


def test_damaged_workbooks(tmp_path: Path) -> None:
    """No workbook, half of one, and a zip of something else."""
    workbook = write_workbook(tmp_path / "whole.xlsx", {"A": [["question"], ["x"]]}).read_bytes()
    for content in (b"question\nx\n", workbook[: len(workbook) // 2]):
        path = tmp_path / "t.xlsx"
        path.write_bytes(content)
        assert "is not readable as an Excel workbook" in refusal(path)
    with ZipFile(tmp_path / "other.xlsx", "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert "is not readable as an Excel workbook" in refusal(tmp_path / "other.xlsx")


def test_bombs_end_their_own_process_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells in the first and last places, entities within entities, a sheet of gigabytes."""
    monkeypatch.setenv(MEMORY_VARIABLE, str(MIN_MIB))
    distant_cell = sheet_xml([["question"]]).replace(
        "</sheetData>", '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    path = write_parts(tmp_path / "far.xlsx", ["A"], {"xl/worksheets/sheet1.xml": distant_cell})
    assert "needs more than 512 MiB of memory, or is damaged" in refusal(path)
    entities = "".join(
        f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 100}">' for n in range(9)
    )
    nested = f"<!DOCTYPE x [{entities}]>" + sheet_xml([["question"], ["&e8;"]]).replace(
        "&amp;e8;", "&e8;"
    )
    path = write_parts(tmp_path / "nested.xlsx", ["A"], {"xl/worksheets/sheet1.xml": nested})
    assert "is not readable as an Excel workbook: a part has a document type" in refusal(path)
    with (
        ZipFile(write_workbook(tmp_path / "long.xlsx", {"A": []}), "a", ZIP_DEFLATED) as archive,
        archive.open("xl/sharedStrings.xml", "w", force_zip64=True) as part,
    ):
        part.write(_STRINGS)
        for _ in range(10):
            part.write(b"<si><t>" + b"x" * 2**25 + b"</t></si>")
        part.write(b"</sst>")
    assert "needs more than 512 MiB of memory, or is damaged" in refusal(tmp_path / "long.xlsx")
