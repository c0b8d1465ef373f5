"""Test collections as others publish them: which pages are judged, and what is said of the rest."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image
from sqlalchemy import select
from typer.testing import CliRunner

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.app.cli.main import app
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.retrieval.collection import read_collection
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from tests.storage.task_data import register_documents, register_pages


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with ``report.pdf`` of nine pages, each 612 by 792 points."""
    register_documents(workspace)
    register_pages(workspace)
    return workspace


def write(path: Path, text: str) -> Path:
    """A text file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    """A Parquet file, with its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


def stored(workspace: Workspace) -> list[dict[str, Any]]:
    """The records of all tasks."""
    with workspace.engine.connect() as connection:
        return [row.record for row in connection.execute(select(Task))]


def import_as(workspace: Workspace, path: Path, protocol: str, **options: Any) -> ImportReport:
    """Import with a preset."""
    return import_tasks(workspace, path, campaign="C", protocol=preset(protocol), **options)


def test_trec_judgements_for_questions_to_search(filled: Workspace, tmp_path: Path) -> None:
    """Topics with qrels whose ids name the pages: pages of grade 1 and more are the evidence."""
    topics = write(tmp_path / "t.tsv", "301\tHow many otters?\n302\tWho signed?\n\nbroken\n")
    qrels = write(
        tmp_path / "judged.txt",
        "301 0 report.pdf#2 1\n301 0 report_p3.png 0\n301 0 report.pdf#4 -1\n"
        "301 0 report.pdf#2 1\n399 0 report.pdf#1 1\n",
    )
    report = import_as(filled, topics, "search", qrels=qrels, skip_bad=True)
    assert [(row.line, row.reason) for row in report.bad] == [
        (4, "is not a topic: an id, a tab and the text of the query")
    ]
    first, second = stored(filled)
    assert (first["id"], first["question"]) == ("301", "How many otters?")
    assert first["evidence"] == [{"document": "report.pdf", "page": 2}]
    assert [ref["page"] for ref in first["candidates"]] == [2, 3]
    assert second["evidence"] == []
    assert report.warnings[:5] == [
        "Judgements with a grade below 0, which means not judged: 1, left out.",
        "Judgements that occur twice: 1, left out.",
        "Queries without a judgement: 1.",
        "Judgements of queries that are not in the file of queries are left out: 399.",
        "Grades (this protocol grades no pages), left out: 2.",
    ]


def beir(folder: Path) -> Path:
    """A data set whose corpus says which pages its ids are."""
    write(folder / "queries.jsonl", json.dumps({"_id": "q", "text": "Otters?", "metadata": {}}))
    corpus = {"_id": "p7", "title": "", "text": "x", "metadata": {"file": "report", "page": 7}}
    write(folder / "corpus.jsonl", json.dumps(corpus))
    write(folder / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\nq\tp7\t2\n")
    return folder


def test_beir_with_a_corpus(filled: Workspace, tmp_path: Path) -> None:
    """Grades are gold where the protocol grades pages; the ending of documents may be left out."""
    report = import_as(filled, beir(tmp_path / "beir"), "relevance")
    assert (report.imported, report.bad) == (1, [])
    (record,) = stored(filled)
    assert record["gold"]["pages"] == [
        {"document": "report.pdf", "page": 7, "fields": {"relevance": "2"}}
    ]
    assert record["evidence"] == [] and "page_grades" not in record


def test_several_splits_have_to_be_chosen_from(tmp_path: Path) -> None:
    """Nobody can tell whether training judgements are wanted."""
    folder = beir(tmp_path / "beir")
    train = write(folder / "qrels" / "train.tsv", "query-id\tcorpus-id\tscore\nq\tp7\t1\n")
    with pytest.raises(InputFileError, match=r"test.tsv, train.tsv. Name one of them \(--qrels\)"):
        read_collection(folder)
    assert read_collection(folder, train).rows[0].data["page_grades"][0]["grade"] == 1


def test_a_grade_or_page_that_is_not_there_is_a_bad_row(filled: Workspace, tmp_path: Path) -> None:
    """The row is refused by its query, with what would be right."""
    folder = beir(tmp_path / "beir")
    for line, reason in (
        (
            "q\tp7\t3",
            "page_grades[0]: the grade 3 does not exist in “Relevance”, which has 2, 1, 0",
        ),
        ("q\treport.pdf#12\t1", "page_grades[0]: page 12 of report.pdf does not exist"),
        ("q\tp7\tmuch", "test.tsv: the grade must be a whole number, not 'much'"),
        ("q p7", "test.tsv: has 2 columns; a judgement has four"),
    ):
        write(folder / "qrels" / "test.tsv", f"query-id\tcorpus-id\tscore\n{line}\n")
        report = import_as(filled, folder, "relevance")
        assert report.imported == 0
        assert any(reason in row.reason for row in report.bad)


def vidore(folder: Path) -> Path:
    """Tables as they are published: pages from 0, names without ending, two annotators' boxes."""
    data = io.BytesIO()
    Image.new("RGB", (612, 792)).save(data, "PNG")
    image = {"bytes": data.getvalue(), "path": "p.png"}
    name = "test-00000-of-00001.parquet"
    write_table(
        folder / "corpus" / name,
        [
            {"corpus_id": n, "image": image, "doc_id": "report", "page_number_in_doc": n}
            for n in range(3)
        ],
    )
    write_table(
        folder / "queries" / name,
        [
            {"query_id": 5, "query": "Otters?", "language": "english", "answer": "42",
             "query_types": ["numerical"], "raw_answers": ["42", "forty-two"]},
        ],
    )  # fmt: skip
    box = {"x1": 61, "x2": 122, "y1": 79, "y2": 158}
    write_table(
        folder / "qrels" / name,
        [
            {"query_id": 5, "corpus_id": 0, "score": 2, "content_type": ["Table", "Music"],
             "bounding_boxes": [{"annotator": 1, **box}], "box_content_type": ["Table"]},
            {"query_id": 5, "corpus_id": 2, "score": 1, "content_type": ["Text"],
             "bounding_boxes": [], "box_content_type": []},
        ],
    )  # fmt: skip
    return folder


def test_published_vidore_tables(filled: Workspace, tmp_path: Path) -> None:
    """Pages move by one, boxes from pixels to points, further columns stay with the task."""
    report = import_as(filled, vidore(tmp_path / "v"), "relevance")
    assert (report.imported, report.bad) == (1, [])
    (record,) = stored(filled)
    assert (record["id"], record["answer_variants"]) == ("5", [["42"]])
    assert (record["query_type"], record["raw_answers"]) == (["numerical"], ["42", "forty-two"])
    assert record["gold"]["pages"] == [
        {"document": "report.pdf", "page": 1,
         "fields": {"relevance": "2", "modalities": ["table"]}},
        {"document": "report.pdf", "page": 3,
         "fields": {"relevance": "1", "modalities": ["text"]}},
    ]  # fmt: skip
    (box,) = record["gold"]["boxes"]
    assert (box["page"], box["label"], box["rect"]) == (1, "Table", [61.0, 79.0, 122.0, 158.0])
    assert report.warnings[:2] == [
        "The corpus counts pages from 0; they were renumbered from 1.",
        "Kinds of content that the protocol does not have, left out: 1.",
    ]


def test_boxes_of_several_annotators_are_no_gold(filled: Workspace, tmp_path: Path) -> None:
    """Two people's boxes around one thing are not two things; they are counted."""
    folder = vidore(tmp_path / "v")
    (path,) = (folder / "qrels").iterdir()
    rows = pq.read_table(path).to_pylist()
    rows[0]["bounding_boxes"] *= 2
    rows[0]["bounding_boxes"][1] = {**rows[0]["bounding_boxes"][1], "annotator": 2}
    rows[0]["box_content_type"] *= 2
    pq.write_table(pa.Table.from_pylist(rows), path)
    report = import_as(filled, folder, "relevance")
    assert "boxes" not in stored(filled)[0]["gold"]
    assert any("several annotators on a page, left out: 2." in note for note in report.warnings)


def test_on_the_command_line(filled: Workspace, tmp_path: Path) -> None:
    """A folder, a zip that leads out of its folder, and a folder that holds something else."""
    ws = str(filled.root)
    beir(tmp_path / "beir")
    command = ["import-tasks", ws, str(tmp_path / "beir"), "--campaign", "A"]
    result = CliRunner().invoke(app, [*command, "--protocol", "relevance"])
    assert result.exit_code == 0, result.output
    with ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("../queries.jsonl", "{}")
    result = CliRunner().invoke(
        app, ["import-tasks", ws, str(tmp_path / "z.zip"), "--campaign", "B"]
    )
    assert result.exit_code == 1
    assert "is not a test collection" in str(result.exception)
    assert not (tmp_path / "queries.jsonl").exists()


def test_a_task_file_takes_judgements_too(filled: Workspace, tmp_path: Path) -> None:
    """Questions of one's own, with qrels by their ids; a protocol without the grade says so."""
    tasks = write(tmp_path / "t.csv", "id,question,domain\na,Otters?,Rivers\n")
    qrels = write(tmp_path / "q.txt", "a 0 report.pdf#1 1\n")
    plain = with_overrides(preset("relevance"), {"boxes.enabled": False})
    report = import_tasks(filled, tasks, campaign="C", protocol=plain, qrels=qrels)
    assert (report.imported, report.bad) == (1, [])
    assert stored(filled)[0]["domain"] == "Rivers"
