"""Task files of every kind and state of repair: rows where there are rows, else a sentence."""

from __future__ import annotations

import csv
import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.tasks.task import read_task
from pagetrail.storage.importers.files.row_files import TaskFile, read_task_file
from pagetrail.storage.importers.files.rows import MAX_ROW_BYTES
from tests.storage.task_data import task, write_jsonl


def _read(path: Path, content: bytes) -> TaskFile:
    path.write_bytes(content)
    return read_task_file(path)


def _refusal(path: Path, content: bytes) -> str:
    with pytest.raises(InputFileError) as caught:
        _read(path, content)
    assert path.name in caught.value.message
    return caught.value.message


def test_jsonl_with_bom_blank_lines_and_windows_ends(tmp_path: Path) -> None:
    """Rows keep the line numbers a text editor shows; a missing last line end is no harm."""
    file = _read(tmp_path / "t.jsonl", b'\xef\xbb\xbf{"id": 1}\r\n\r\n  \n{"id": 2}')
    assert [(row.line, row.data) for row in file.rows] == [(1, {"id": 1}), (4, {"id": 2})]
    assert file.errors == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": 2', "is not JSON: Expecting ',' delimiter (column 9)"),
        (b"null", "is not a JSON object"),
        (b'["a"]', "is not a JSON object"),
        (b'{"id": "\xff"}', "is not UTF-8 at byte 9"),
        (b'{"id": "a\x00b"}', "is not JSON: Invalid control character at (column 10)"),
        (b'{"id": NaN}', "is not JSON: NaN is not a JSON value"),
        (b'{"id": -Infinity}', "is not JSON: -Infinity is not a JSON value"),
        (b'{"id": 1e999}', "is not JSON: the number 1e999 is too large"),
        (b'{"id": ' + b"9" * 5_000 + b"}", "is too large"),
        (b'{"id": ' + b"[" * 200_000, "is not JSON: its lists or objects are nested too deeply"),
    ],
)
def test_a_broken_line_is_one_error_among_good_rows(
    tmp_path: Path, line: bytes, reason: str
) -> None:
    """The lines before and after a broken one are read; the error has its line number."""
    file = _read(tmp_path / "t.jsonl", b'{"id": 1}\n' + line + b'\n{"id": 3}\n')
    assert [row.data["id"] for row in file.rows] == [1, 3]
    assert [error.line for error in file.errors] == [2]
    assert reason in file.errors[0].reason


def test_empty_columns_of_excel(tmp_path: Path) -> None:
    """Rows may have more or fewer cells where a table has no heading; what is there is named."""
    rows = b"sep=;\r\nid;question;;\r\n1;a;;\r\n2;b;x\r\n3;c\r\n4;d;;;;;\r\n5\r\n"
    file = _read(tmp_path / "t.csv", rows)
    assert [(row.line, row.data["question"]) for row in file.rows] == [
        (3, "a"), (4, "b"), (5, "c"), (6, "d"),
    ]  # fmt: skip
    assert [(error.line, error.reason) for error in file.errors] == [
        (7, "has 1 cells; the header has 4")
    ]
    assert file.notes == ["Columns without a heading are not read: number 3."]


def test_a_line_of_10_mb_is_read(tmp_path: Path) -> None:
    """Long lines are no error as such."""
    row = {"id": 1, "elements": ["x" * 10_000_000]}
    file = _read(tmp_path / "t.jsonl", json.dumps(row).encode() + b'\n{"id": 2}')
    assert [len(json.dumps(row.data)) > 1_000_000 for row in file.rows] == [True, False]


def test_a_line_beyond_the_limit_is_skipped_and_counted(tmp_path: Path) -> None:
    """A line longer than the limit becomes an error, and the next line keeps its number."""
    long = b'{"id": "' + b"x" * (2 * MAX_ROW_BYTES) + b'"}'
    file = _read(tmp_path / "t.jsonl", long + b'\n{"id": 2}\n')
    assert [(error.line, error.reason) for error in file.errors] == [(1, "is longer than 16 MiB")]
    assert [row.line for row in file.rows] == [2]


def test_a_line_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    """The limit itself is allowed, with and without a line end after it."""
    line = b'{"id": "' + b"x" * (MAX_ROW_BYTES - 10) + b'"}'
    assert len(line) == MAX_ROW_BYTES
    for end in (b"", b"\n", b'\n{"id": 2}'):
        file = _read(tmp_path / "t.jsonl", line + end)
        assert file.errors == []
        assert file.rows[0].line == 1


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_a_json_array_is_read_whatever_the_ending(tmp_path: Path, name: str) -> None:
    """An array's elements are numbered; one that is no object is an error."""
    file = _read(tmp_path / name, b'\xef\xbb\xbf [\n{"id": 1},\n 7, {"id": 3}]')
    assert [(row.line, row.data["id"]) for row in file.rows] == [(1, 1), (3, 3)]
    assert [(error.line, error.reason) for error in file.errors] == [(2, "is not a JSON object")]


def test_a_broken_array_names_the_place(tmp_path: Path) -> None:
    """There are no rows to save in a broken array: the file is refused, with the place."""
    assert "line 2, column 1" in _refusal(tmp_path / "t.json", b'[{"id": 1},\n}')


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("t.jsonl", b"", "is empty"),
        ("t.csv", b"", "is empty"),
        ("t.parquet", b"", "is empty"),
        ("t.jsonl", b"\n \n", "holds no rows"),
        ("t.json", b"[]", "holds no rows"),
        ("t.csv", b"id,question\n", "holds no rows"),
        ("t.jsonl", b"%PDF-1.7\n", "is a PDF, not JSONL"),
        ("t.csv", b"PK\x03\x04...", "is a ZIP archive or an office document"),
        ("t.jsonl", b"\x1f\x8b\x08", "compressed with gzip"),
        ("t.jsonl", '{"id": 1}'.encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
        ("t.jsonl", b"\x7fELF\x02\x01\x00\x00", "is not a text file"),
        ("t.jsonl", b"PAR1\x15\x04", "give it the ending .parquet"),
        ("t.parquet", b'{"id": 1}', "is not readable Parquet"),
        ("t.parquet", b"PAR1 and then nothing PAR1", "is not readable Parquet"),
        ("t.pdf", b"%PDF", "Supported: .jsonl"),
        ("t", b"x", "Supported: .jsonl"),
        ("t.csv", b"\xff\xffid,question\n", "is not UTF-8 in line 1"),
        ("t.csv", b"id,question\n1,a\n2,caf\xe9\n", "is not UTF-8 in line 3"),
        ("t.csv", b"id,query\n1,a\n", "has no column question. Columns: id, query"),
        ("t.csv", b"id,question,question\n1,a,b\n", "has the column 'question' more than once"),
    ],
)
def test_files_of_the_wrong_kind_are_refused(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    """What is wrong is said in one sentence that names the file."""
    assert reason in _refusal(tmp_path / name, content)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    """No path leads to a traceback."""
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(InputFileError, match=r"folder\.jsonl is a folder"):
        read_task_file(tmp_path / "folder.jsonl")
    with pytest.raises(InputFileError, match=r"absent\.jsonl cannot be read: No such file"):
        read_task_file(tmp_path / "absent.jsonl")


FULL = task(
    1,
    question='He said: "α,\nβ; γ"',
    unanswerable=False,
    candidates=[{"document": "report.pdf", "page": 2}],
    domain="[not json",
    modality=["Table", "Chart"],
)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_csv_gives_the_same_record_as_jsonl(tmp_path: Path, delimiter: str, encoding: str) -> None:
    """Lists as JSON in cells, quotes and line ends in text, any separator, with BOM or not."""
    path = tmp_path / "t.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(FULL)
        writer.writerow(_as_cell(value) for value in FULL.values())
    (row,) = read_task_file(path).rows
    assert row.line == 2
    assert read_task(row.data) == read_task(FULL)


def _as_cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def test_csv_row_errors_have_the_line_where_the_row_starts(tmp_path: Path) -> None:
    """Cells with line ends, short rows, bad JSON and stray quotes: each error at its own line."""
    lines = [
        "id,question,evidence",
        '1,"two',
        'lines",',
        "2,short",
        "3,q,[{]",
        '4,"q"x,',
        "5,q,",
        '6,"never closed,',
    ]
    file = _read(tmp_path / "t.csv", "\n".join(lines).encode())
    assert [(row.line, row.data["id"]) for row in file.rows] == [(2, "1"), (7, "5")]
    assert [error.line for error in file.errors] == [4, 5, 6, 8]
    assert "has 2 cells; the header has 3" in file.errors[0].reason
    assert file.errors[1].reason.startswith("evidence: the cell is not JSON")


def test_csv_cells_may_be_huge_and_empty_cells_are_absent(tmp_path: Path) -> None:
    """Python's limit of 128 KiB a cell does not apply; an empty cell is no value at all."""
    cell = json.dumps([["x" * 300_000]]).replace('"', '""')
    file = _read(tmp_path / "t.csv", f'id,question,answers,domain\n1,q,"{cell}",\n'.encode())
    assert file.errors == []
    assert file.rows[0].data.keys() == {"id", "question", "answers"}


@pytest.mark.parametrize(("cell", "value"), [("TRUE", True), ("false", False), ("1", True)])
def test_csv_booleans(tmp_path: Path, cell: str, value: bool) -> None:
    """Spreadsheets write TRUE, programs true, people 1."""
    file = _read(tmp_path / "t.csv", f"id,question,unanswerable\n1,q,{cell}\n".encode())
    assert read_task(file.rows[0].data).unanswerable is value


def test_parquet_gives_the_same_record_as_jsonl(tmp_path: Path) -> None:
    """Nested columns, and lists as JSON text, both arrive as plain Python."""
    pq.write_table(pa.Table.from_pylist([FULL]), tmp_path / "nested.parquet")
    text = {name: [_as_cell(value)] for name, value in FULL.items()}
    pq.write_table(pa.table(text), tmp_path / "text.parquet")
    for name in ("nested.parquet", "text.parquet"):
        (row,) = read_task_file(tmp_path / name).rows
        assert row.line == 1
        assert read_task(row.data) == read_task(FULL)


def test_parquet_numbers_nulls_and_foreign_types(tmp_path: Path) -> None:
    """Numeric ids, pages as floats, nulls, NaN, dates and decimals are read; bytes are refused."""
    rows = [
        {"id": 5, "question": "q", "evidence": [{"document": "a.pdf", "page": 2.0}], "score": 1.5},
        {"id": 6, "question": "q", "evidence": None, "score": float("nan")},
    ]
    columns = pa.Table.from_pylist(rows).append_column("day", pa.array([date(2026, 1, 2), None]))
    columns = columns.append_column("price", pa.array([Decimal("2.00"), Decimal("2.50")]))
    pq.write_table(columns, tmp_path / "t.parquet")
    first, second = read_task_file(tmp_path / "t.parquet").rows
    task_ = read_task(first.data)
    assert (task_.id, task_.evidence[0].page) == ("5", 2)
    assert first.data["day"] == "2026-01-02"
    assert (first.data["price"], second.data["price"]) == (2, 2.5)
    assert second.data.keys() == {"id", "question", "price"}
    pq.write_table(
        pa.table({"id": ["1"], "question": ["q"], "image": [b"\x00\xff"]}), tmp_path / "b.parquet"
    )
    file = read_task_file(tmp_path / "b.parquet")
    assert [error.reason for error in file.errors] == [
        "image: bytes values cannot be kept; leave the column out"
    ]


def test_parquet_without_questions_is_refused(tmp_path: Path) -> None:
    """The columns that are there are named."""
    pq.write_table(pa.table({"id": ["1"], "text": ["q"]}), tmp_path / "t.parquet")
    with pytest.raises(InputFileError, match=r"has no column question\. Columns: id, text"):
        read_task_file(tmp_path / "t.parquet")


def test_names_that_cannot_be_printed_are_written_out(tmp_path: Path) -> None:
    """A file name with a line end stays on one line of the message."""
    path = write_jsonl(tmp_path / "a\nb.txt", [])
    with pytest.raises(InputFileError) as caught:
        read_task_file(path)
    assert "\n" not in caught.value.message


def test_parquet_with_impossible_dates_or_columns_twice(tmp_path: Path) -> None:
    """A date beyond the year 9999 costs its row; a second column of a name is never dropped."""
    path = tmp_path / "t.parquet"
    columns = {
        "question": pa.array(["a", "b", "c"]),
        "date": pa.array([0, 2**62, None], pa.timestamp("us")),
    }
    pq.write_table(pa.table(columns), path)
    file = read_task_file(path)
    assert [(row.line, row.data["question"]) for row in file.rows] == [(1, "a"), (3, "c")]
    assert [(row.line, row.reason) for row in file.errors] == [
        (2, "has a date or time that is out of range")
    ]
    twice = pa.Table.from_arrays([columns["question"]] * 2, names=["question", "question"])
    pq.write_table(twice, path)
    with pytest.raises(InputFileError, match="has the column 'question' more than once"):
        read_task_file(path)
