"""Page grades as ViDoRe, TREC and BEIR have them, with scores worked out by hand."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.exports.formats.vidore import (
    ANNOTATORS_FILE,
    CORPUS_FILE,
    QRELS_FILE,
    QUERIES_FILE,
    RATINGS_FILE,
)
from pagetrail.exports.gold.page_grades import score_by_rule
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.conftest import Exported, StageOf, left_out, rows
from tests.exports.worked_campaigns import (
    ANSWERED,
    COMPLETED,
    OPENED,
    REPORT,
    box_drawn,
    page,
    page_field,
    task_field,
)

INT, TEXT, TEXTS = pa.int64(), pa.string(), pa.list_(pa.string())
BOX = pa.struct([(name, INT) for name in ("annotator", "x1", "x2", "y1", "y2")])


RELEVANCE = preset("relevance")
GRADES = RELEVANCE.fields[1]


def score(grades: list[int], keep: int = 2, reviewer: int | None = None) -> int | None:
    """The score of a page with these grades; None where it is open."""
    options = {int(option.code or 0): option for option in GRADES.options}
    decided = None if reviewer is None else options[reviewer]
    rule = ReviewPart(keep=keep)
    return score_by_rule([options[grade] for grade in grades], GRADES, rule, decided)


@pytest.mark.parametrize(
    ("grades", "keep", "expected"),
    [
        ([], 2, 0),
        ([0], 2, 0),
        ([0, 0], 2, 0),
        ([2], 2, None),  # one annotator without a reviewer
        ([2], 1, 2),
        ([2, 0], 2, None),  # one of two
        ([0, 0, 2], 2, None),
        ([2, 0], 1, 2),
        ([2, 1], 2, None),  # no majority
        ([2, 2], 2, 2),
        ([2, 0, 2], 2, 2),
        ([1, 2, 2], 2, 2),
        ([0, 1, 2], 2, None),
        ([1, 1, 2, 2], 2, None),
        ([2, 2, 0], 3, None),
    ],
)
def test_scores(grades: list[int], keep: int, expected: int | None) -> None:
    """The retention rule, case by case; a reviewer decides the pages that it leaves open."""
    assert score(grades, keep) == expected
    for reviewer in (0, 1, 2):
        assert score(grades, keep, reviewer) == (reviewer if expected is None else expected)


@given(st.lists(st.integers(0, 2), max_size=9), st.integers(1, 4))
def test_scores_are_somebodys_grade(grades: list[int], keep: int) -> None:
    """A score above 0 is a grade by somebody; order does not matter."""
    result = score(grades, keep)
    assert result == score(grades[::-1], keep) == score(sorted(grades), keep)
    marks = [grade for grade in grades if grade]
    assert result is None or result in (*grades, 0)
    assert (result == 0) == (not marks)
    assert result is None or not marks or len(marks) >= keep


def table(exported: Exported, file: str) -> list[dict[str, Any]]:
    """The rows of a Parquet file of the ViDoRe export."""
    _, out = exported("relevance", "vidore")
    table: list[dict[str, Any]] = pq.read_table(out / file).to_pylist()
    return table


def test_vidore_columns_are_the_published_ones(exported: Exported) -> None:
    """Names, order and types of the published datasets; what is added is behind them."""
    _, out = exported("relevance", "vidore")
    schemas = {f: pq.read_schema(out / f) for f in (CORPUS_FILE, QUERIES_FILE, QRELS_FILE)}
    image = pa.struct([("bytes", pa.binary()), ("path", TEXT)])
    assert list(zip(schemas[CORPUS_FILE].names, schemas[CORPUS_FILE].types, strict=True)) == [
        ("corpus_id", INT),
        ("image", image),
        ("doc_id", TEXT),
        ("markdown", TEXT),
        ("page_number_in_doc", INT),
    ]
    queries = schemas[QUERIES_FILE]
    assert list(zip(queries.names, queries.types, strict=True))[:12] == [
        ("query_id", INT),
        ("query", TEXT),
        ("language", TEXT),
        ("query_types", TEXTS),
        ("query_format", TEXT),
        ("content_type", TEXTS),
        ("raw_answers", TEXTS),
        ("query_generator", TEXT),
        ("query_generation_pipeline", TEXT),
        ("source_type", TEXT),
        ("query_type_for_generation", TEXT),
        ("answer", TEXT),
    ]
    qrels = schemas[QRELS_FILE]
    assert list(zip(qrels.names, qrels.types, strict=True)) == [
        ("query_id", INT),
        ("corpus_id", INT),
        ("score", INT),
        ("content_type", TEXTS),
        ("bounding_boxes", pa.list_(BOX)),
        ("box_content_type", TEXTS),
    ]
    assert b'"image": {"_type": "Image"}' in schemas[CORPUS_FILE].metadata[b"huggingface"]


def test_vidore_with_the_names_of_mteb(
    exported: Exported, stage_of: StageOf, tmp_path: Path
) -> None:
    """Its loader wants id and text, query-id and corpus-id; the judgements are as published."""
    _, published = exported("relevance", "vidore")
    workspace = stage_of("relevance").workspace
    export(workspace, CAMPAIGN, "vidore", tmp_path / "out", columns="mteb")
    was = pq.read_table(published / QRELS_FILE).to_pylist()
    assert [
        (row["query-id"], row["corpus-id"], row["score"])
        for row in pq.read_table(tmp_path / "out" / QRELS_FILE).to_pylist()
    ] == [(str(row["query_id"]), str(row["corpus_id"]), row["score"]) for row in was]
    with pytest.raises(PagetrailError, match="only vidore"):
        export(workspace, CAMPAIGN, "trec", tmp_path / "trec", columns="mteb")


def test_vidore_corpus(exported: Exported) -> None:
    """Candidates and evidence, once each, with the page's text and an image of it."""
    corpus = table(exported, CORPUS_FILE)
    assert [(r["corpus_id"], r["doc_id"], r["page_number_in_doc"]) for r in corpus] == [
        (0, REPORT, 1),
        (1, REPORT, 2),
        (2, REPORT, 3),
        (3, "b.pdf", 1),
    ]
    assert corpus[1]["markdown"] == "Text of page 2.\nOtters\t\u2028here."
    sizes = [Image.open(io.BytesIO(row["image"]["bytes"])).size for row in corpus]
    assert sizes == [(1700, 2200), (2200, 1700), (1654, 2339), (889, 611)]


def test_vidore_queries(exported: Exported) -> None:
    """Metadata as the task has it, answers as annotators wrote them, poor queries left out."""
    manifest, _ = exported("relevance", "vidore")
    first, second = table(exported, QUERIES_FILE)
    assert (first["query_id"], first["task_id"]) == (0, "q 1")
    assert first["query"] == "How many otters\nwere counted?"
    assert first["query_types"] == ["extractive", "numerical"]
    assert first["raw_answers"] == ["Forty-two otters", "42 otters"]
    assert first["answer"] == "42"
    assert first["content_type"] == ["Text", "Table"]
    assert second["query_types"] == ["multi-hop"]
    assert (second["raw_answers"], second["answer"], second["unanswerable"]) == ([], None, 1)
    assert left_out(manifest)["query", "poor"] == 1
    assert manifest.choices["dpi"] == 200 and "at least 2 did" in manifest.choices["score"]


def test_vidore_qrels(exported: Exported) -> None:
    """One row a judged page: score, modalities of those who agree, and their boxes in pixels."""
    manifest, _ = exported("relevance", "vidore")
    qrels = table(exported, QRELS_FILE)
    assert [(r["query_id"], r["corpus_id"], r["score"]) for r in qrels] == [
        (0, 0, 1),
        (0, 3, 0),
        (1, 0, 0),
        (1, 1, 0),
    ]
    # 71.5, 91.25, 300.75, 192.1 and 80, 100, 290, 180 points times 200/72, half up.
    assert qrels[0]["bounding_boxes"] == [
        {"annotator": 0, "x1": 199, "x2": 835, "y1": 253, "y2": 534},
        {"annotator": 1, "x1": 222, "x2": 806, "y1": 278, "y2": 500},
    ]
    assert qrels[0]["box_content_type"] == ["Table", "Text"]
    assert qrels[0]["content_type"] == ["Text", "Table"]
    assert (qrels[1]["bounding_boxes"], qrels[1]["content_type"]) == ([], ["N/A"])
    # Graded 1 by one of two, or by the only one: open, so that nothing of it is exported here.
    assert left_out(manifest)["judgement", "open_page"] == 2


def test_vidore_ratings(exported: Exported) -> None:
    """Each annotator's grades, with the boxes that the scores left out; numbers lead to names."""
    ratings = table(exported, RATINGS_FILE)
    assert [(r["query_id"], r["corpus_id"], r["annotator"], r["score"]) for r in ratings][:4] == [
        (0, 0, 0, 2),
        (0, 0, 1, 1),
        (0, 1, 0, 1),
        (0, 1, 1, 0),
    ]
    (box,) = ratings[2]["bounding_boxes"]
    assert (box["x2"], box["y2"]) == (2200, 1700)
    assert table(exported, ANNOTATORS_FILE) == [
        {"annotator": 0, "name": "annotator-1"},
        {"annotator": 1, "name": "annotator-2"},
    ]


def test_trec(exported: Exported) -> None:
    """Four columns without a space inside any, and tables that lead back to task and page."""
    _, out = exported("relevance", "trec")
    lines = (out / "qrels.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "q%201 0 annual%20report.pdf#1 1"
    assert all(len(line.split()) == 4 for line in lines)
    assert len(lines) == 4
    topics = (out / "topics.tsv").read_text(encoding="utf-8").splitlines()
    assert topics[0] == "q%201\tHow many otters were counted?"
    documents = (out / "documents.tsv").read_text(encoding="utf-8").splitlines()
    assert documents[2] == "b.pdf#1\t1\tb.pdf"


def test_beir(exported: Exported) -> None:
    """The three files, whose ids agree: every judged page is in the corpus."""
    _, out = exported("relevance", "beir")
    corpus = {row["_id"]: row for row in rows(out / "corpus.jsonl")}
    queries = {row["_id"]: row for row in rows(out / "queries.jsonl")}
    header, *qrels = (out / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "query-id\tcorpus-id\tscore"
    judgements = [line.split("\t") for line in qrels]
    assert {q for q, _, _ in judgements} == set(queries)
    assert {d for _, d, _ in judgements} <= set(corpus)
    assert [int(s) for _, _, s in judgements] == [1, 0, 0, 0]
    assert corpus["annual%20report.pdf#3"]["metadata"] == {"document": REPORT, "page": 3}


@pytest.mark.parametrize("format_", ["vidore", "trec", "beir"])
def test_campaigns_that_grade_nothing(exported: Exported, format_: str) -> None:
    """A campaign without page grades gives an empty export that says so, and draws no page."""
    manifest, _ = exported("verify", format_)
    assert left_out(manifest)["attempt", "no_page_grades"] == 3
    assert set(manifest.counts.values()) - {2, 3, 4} == {0}


def test_a_query_that_half_found_poor(tmp_path: Path) -> None:
    """One of two annotators calling a query poor is enough to leave it out."""
    task = {"id": "q", "question": "?", "candidates": [page(1)]}
    stage = make_stage(tmp_path / "ws", preset("relevance"), [task])
    stage.did("q", "Ada", OPENED, task_field("query_quality", "poor"), COMPLETED)
    stage.did(
        "q",
        "Grace",
        OPENED,
        task_field("query_quality", "good"),
        page_field("relevance", 1, "1"),
        page_field("modalities", 1, ("text",)),
        box_drawn("b-1", 1, (10, 10, 50, 50)),
        ev.AnswerEdited(text="x"),
        ANSWERED,
    )
    manifest = export(stage.workspace, CAMPAIGN, "trec", tmp_path / "out")
    assert left_out(manifest) == {("query", "poor"): 1}
    assert (tmp_path / "out" / "qrels.txt").read_bytes() == b""
