"""Small files that stand for gigabytes end their own reader, with an error that says what to do."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.corpus.changes import NewDocument, register
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files import bounded_reading, row_files, spreadsheets, table_rows
from pagetrail.storage.importers.files.recognition import kind_of_file
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.retrieval.corpora import read_corpus
from pagetrail.storage.ingest import run, text_jsonl, worker
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.text_jsonl import read_text_jsonl
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, MIN_MIB
from tests.attacks.hostile_pdfs import (
    write_long_text,
    write_many_pages,
    write_nested_forms,
)
from tests.storage.workers import calls


def write_repeated_text(path: Path, rows: int, size: int) -> None:
    """A dictionary of one value: a few KB, whatever it is repeated."""
    text = pa.array(["x" * size]).dictionary_encode()
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), text.dictionary)
    pq.write_table(pa.table({"question": column}), path, compression="zstd")


def test_small_parquet_bomb_is_refused(tmp_path: Path) -> None:
    """One value of 1 MB, 7,000 times: the footer knows nothing of it. It is refused, and the way
    out is named; it took 6.7 GB."""
    write_repeated_text(tmp_path / "bomb.parquet", rows=7_000, size=1_000_000)
    assert (tmp_path / "bomb.parquet").stat().st_size < 30_000
    with pytest.raises(InputFileError, match=r"bomb\.parquet (unpacks to|needs) more than .*Split"):
        read_task_file(tmp_path / "bomb.parquet")


def test_a_corpus_that_unpacks_to_gigabytes(tmp_path: Path) -> None:
    """Ids of 100 MB each, in the reader of a test collection's pages."""
    ids = pa.DictionaryArray.from_arrays(
        pa.array([0] * 500, pa.int32()), pa.array(["x" * 50_000_000])
    )
    table = pa.table({"corpus_id": ids, "doc_id": ids, "page_number_in_doc": list(range(500))})
    pq.write_table(table, tmp_path / "corpus.parquet", compression="zstd")
    with pytest.raises(
        InputFileError, match=rf"memory, or is damaged.* can raise {MEMORY_VARIABLE}"
    ):
        read_corpus([tmp_path / "corpus.parquet"], set())


def test_rows_and_bytes_are_limited_by_the_footer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million integers take a few KB; nothing of them is unpacked to refuse them."""
    column = pa.array([1] * (table_rows.MAX_PARQUET_ROWS + 1))
    pq.write_table(pa.table({"question": column}), tmp_path / "long.parquet")
    with pytest.raises(InputFileError, match=r"1,000,001 rows; at most 1,000,000 are read\. Split"):
        read_task_file(tmp_path / "long.parquet")


def test_parquet_is_opened_in_a_separate_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even its footer, which a sentence about a wrong file needs."""
    write_repeated_text(tmp_path / "t.parquet", rows=3, size=10)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Parquet was opened in this process")

    monkeypatch.setattr(pq, "ParquetFile", refuse)
    assert len(read_task_file(tmp_path / "t.parquet").rows) == 3
    assert kind_of_file(tmp_path / "t.parquet") is not None


def test_a_reader_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reader does; the error names the file."""
    monkeypatch.setattr(bounded_reading, "TIME_LIMIT_S", 0.5)
    monkeypatch.setattr(row_files, "_SMALL_BYTES", 0)
    monkeypatch.setattr(row_files, "_READERS", {".csv": calls.hang_over})
    (tmp_path / "slow.csv").write_text("question\nWhy?\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"slow\.csv takes more than 0\.5 s to read\. Split"):
        read_task_file(tmp_path / "slow.csv")


def test_large_json_is_read_within_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 MB of empty lists become gigabytes of objects."""
    monkeypatch.setenv(MEMORY_VARIABLE, str(MIN_MIB))
    rows = [{"question": "Why?", "x": []}]
    text = json.dumps(rows).replace("[]}", "[" + ",".join(["[[]]"] * 6_000_000) + "]}")
    (tmp_path / "lists.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=r"lists\.json needs more than 512 MiB"):
        read_task_file(tmp_path / "lists.json")


def test_a_workbook_that_claims_gigabytes_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory of the archive says what its sheets unpack to."""
    monkeypatch.setattr(spreadsheets, "MAX_UNPACKED_BYTES", 2**25)
    with (
        ZipFile(tmp_path / "t.xlsx", "w", ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(4):
            part.write(b"\0" * 2**25)
    with pytest.raises(InputFileError, match=r"t\.xlsx unpacks to 0\.1 GiB\. Delete empty rows"):
        read_task_file(tmp_path / "t.xlsx")


@pytest.mark.parametrize(
    ("line", "reason"), [(b"x" * 40_000, "is longer"), (b"{}\n", "unpacks to")]
)
def test_zipped_page_texts_are_read_within_limits(
    line: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line, and the whole, however little it is zipped."""
    monkeypatch.setattr(text_jsonl, "MAX_LINE_BYTES", 30_000)
    monkeypatch.setattr(text_jsonl, "MAX_TEXT_BYTES", 1 << 20 if reason == "is longer" else 200_000)
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(line * (100_000 if line == b"{}\n" else 5)))
    with pytest.raises(InputFileError, match=rf"t\.jsonl\.gz .*{reason}"):
        read_text_jsonl(tmp_path / "t.jsonl.gz")


def test_a_pdf_that_needs_gigabytes_is_refused_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader reaches the limit that the operator has set; the other document comes in."""
    monkeypatch.setenv(MEMORY_VARIABLE, str(MIN_MIB))
    folder = tmp_path / "pdfs"
    folder.mkdir()
    write_long_text(folder / "long.pdf")
    assert (folder / "long.pdf").stat().st_size < 100_000
    workspace = Workspace.create(tmp_path / "ws")
    report = ingest(workspace, [folder], ocr="never", workers=1)
    workspace.engine.dispose()
    (failed,) = report.failed
    assert "needs more than 512 MiB of memory" in failed.reason
    assert MEMORY_VARIABLE in failed.reason


def test_a_small_document_has_little_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of nested forms, drawn 10¹² times, is given up after the time for small files, which
    grows with size; the other document comes in."""
    assert worker.reading_limit_s(2_400) == pytest.approx(60, abs=1)
    assert worker.reading_limit_s(30 << 20) == 120
    assert worker.reading_limit_s(1 << 30) == 300
    monkeypatch.setattr(worker, "_READING_S", 2.0)
    folder = tmp_path / "pdfs"
    folder.mkdir()
    write_nested_forms(folder / "nested.pdf")
    write_many_pages(folder / "other.pdf", 1)
    assert (folder / "nested.pdf").stat().st_size < 4_000
    workspace = Workspace.create(tmp_path / "ws")
    report = ingest(workspace, [folder], ocr="never", workers=1)
    workspace.engine.dispose()
    (failed,) = report.failed
    assert "nested.pdf was given up after 2" in failed.reason
    assert [ingested.document for ingested in report.ingested] == ["other.pdf"]


def test_long_document_does_not_delay_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one reader, several short documents that come after two long ones are complete first;
    of the long ones the shorter is."""
    folder = tmp_path / "pdfs"
    folder.mkdir()
    write_many_pages(folder / "a-longest.pdf", 1_300)
    write_many_pages(folder / "b-long.pdf", 700)
    for name in ("c", "d", "e", "f"):
        write_many_pages(folder / f"{name}.pdf", 2 + ord(name) - ord("c"))
    completed: list[str] = []

    def note(workspace: Workspace, documents: Sequence[NewDocument]) -> None:
        completed.extend(document.name for document in documents)
        register(workspace, documents)

    monkeypatch.setattr(run, "register", note)
    workspace = Workspace.create(tmp_path / "ws")
    report = ingest(workspace, [folder], ocr="never", workers=1)
    workspace.engine.dispose()
    assert not report.failed
    assert completed == ["c.pdf", "d.pdf", "e.pdf", "f.pdf", "b-long.pdf", "a-longest.pdf"]
    pages = {entry.document: entry.pages for entry in report.ingested}
    assert (pages["a-longest.pdf"], pages["b-long.pdf"], pages["f.pdf"]) == (1_300, 700, 5)
