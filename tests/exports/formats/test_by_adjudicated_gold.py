"""Exports by the gold decided in review, with grades, boxes and answers worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select, update

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.review import Pick
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.formats.vidore import ANNOTATORS_FILE, QRELS_FILE, QUERIES_FILE, RATINGS_FILE
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Table
from pagetrail.exports.run import ADJUDICATED, FORMATS, export, formats_by_gold
from pagetrail.exports.writing.left_out import LEFT_OUT
from pagetrail.exports.writing.manifest import Manifest
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Task
from tests.exports.adjudication import Bench, answered, graded, verified
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import left_out, load, rows
from tests.exports.worked_campaigns import page

VOTES = {
    ("q%201", "annual%20report.pdf#1"): 1,
    ("q%201", "annual%20report.pdf#2"): 1,
    ("q%201", "b.pdf#1"): 0,
    ("q%2F2", "annual%20report.pdf#1"): 0,
    ("q%2F2", "annual%20report.pdf#2"): 0,
}
"""Page 2 was marked by one of two, and the reviewer retained it; b.pdf of q/2 is still open."""
GRADES = {
    ("q%201", "annual%20report.pdf#1"): 2,
    ("q%201", "annual%20report.pdf#2"): 1,
    ("q%201", "b.pdf#1"): 0,
}
"""What Ada gave, and the reviewer followed."""
COMPARED = ("runs", "scores", "dataset")
"""The formats that compare people's work with gold."""


@pytest.fixture(scope="module")
def grades(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Graded pages of which some are decided; only read."""
    return graded(tmp_path_factory.mktemp("graded") / "ws")


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Verified elements of which one task is decided; only read."""
    return verified(tmp_path_factory.mktemp("verified") / "ws")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Answered questions of which three are decided; only read."""
    return answered(tmp_path_factory.mktemp("answered") / "ws")


def by_gold(bench: Bench, format_: str, out: Path) -> Manifest:
    """An export by the gold decided in review."""
    return export(bench.stage.workspace, CAMPAIGN, format_, out, gold=ADJUDICATED)


def read_qrels(path: Path) -> dict[tuple[str, str], int]:
    """A TREC file as an evaluator reads it."""
    scores = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, zero, document, grade = line.split()
        assert zero == "0"
        scores[query, document] = int(grade)
    return scores


def test_qrels_are_the_decided_grades(grades: Bench, tmp_path: Path) -> None:
    """Read back, they are the reviewer's where the votes said otherwise; the rest is left out."""
    export(grades.stage.workspace, CAMPAIGN, "trec", tmp_path / "votes")
    assert read_qrels(tmp_path / "votes" / "qrels.txt") == VOTES
    manifest = by_gold(grades, "trec", tmp_path / "gold")
    assert read_qrels(tmp_path / "gold" / "qrels.txt") == GRADES
    assert left_out(manifest) == {("task", "no_adjudicated_gold"): 2, ("query", "poor_gold"): 1}
    (undecided,) = (e for e in manifest.left_out if e.reason == "no_adjudicated_gold")
    assert undecided.ids == ["q/2", "q4"]


def test_the_manifest_says_which_gold(grades: Bench, tmp_path: Path) -> None:
    """The version of each task, and who decided how many; without the choice nothing is said."""
    manifest = by_gold(grades, "trec", tmp_path / "gold")
    assert load(tmp_path / "gold" / "manifest.json")["choices"] == manifest.choices
    assert manifest.choices["gold"] == "adjudicated"
    assert manifest.choices["gold_versions"] == {"q 1": 1, "q3": 1}
    assert manifest.choices["gold_tasks"] == {
        "decided": 2,
        "by_rule": 0,
        "by_reviewer": 2,
        "checked": 0,
        "taken_up_again": 0,
    }
    votes = export(grades.stage.workspace, CAMPAIGN, "trec", tmp_path / "votes")
    assert set(votes.choices) == {"query_left_out", "score", "submission"}


def test_beir_has_the_same_grades(grades: Bench, tmp_path: Path) -> None:
    """Its qrels agree with the TREC file, and every judged page is in the corpus."""
    by_gold(grades, "beir", tmp_path / "out")
    _, *lines = (tmp_path / "out/qrels/test.tsv").read_text(encoding="utf-8").splitlines()
    qrels = {(q, d): int(grade) for q, d, grade in (line.split("\t") for line in lines)}
    assert qrels == GRADES
    assert {d for _, d in qrels} <= {row["_id"] for row in rows(tmp_path / "out/corpus.jsonl")}


def test_vidore_by_gold(grades: Bench, tmp_path: Path) -> None:
    """Scores, boxes, kinds of content and answer are the gold's, under its own name."""
    manifest = by_gold(grades, "vidore", tmp_path / "out")

    def table(file: str) -> list[dict[str, Any]]:
        table: list[dict[str, Any]] = pq.read_table(tmp_path / "out" / file).to_pylist()
        return table

    (query,) = table(QUERIES_FILE)
    assert (query["task_id"], query["annotators"]) == ("q 1", 1)
    assert query["raw_answers"] == [query["answer"]] == ["Forty-two otters"]
    qrels = table(QRELS_FILE)
    assert [(r["corpus_id"], r["score"]) for r in qrels] == [(0, 2), (1, 1), (3, 0)]
    # Ada's boxes alone, in pixels at 200 dpi; Grace graded page 2 with 0.
    assert qrels[0]["bounding_boxes"] == [
        {"annotator": 0, "x1": 199, "x2": 835, "y1": 253, "y2": 534}
    ]
    assert [r["box_content_type"] for r in qrels] == [["Table"], ["Chart"], []]
    assert [r["content_type"] for r in qrels] == [["Text", "Table"], ["Chart"], ["N/A"]]
    assert table(ANNOTATORS_FILE) == [{"annotator": 0, "name": "gold"}]
    assert len(table(RATINGS_FILE)) == 3
    assert "lower median" not in manifest.choices["score"]


def test_coco_has_the_decided_boxes(boxes: Bench, tmp_path: Path) -> None:
    """Five elements as the gold has them, where two people together gave ten; one owner."""
    votes = export(boxes.stage.workspace, CAMPAIGN, "coco", tmp_path / "votes")
    assert votes.counts["annotations"] == 10
    manifest = by_gold(boxes, "coco", tmp_path / "gold")
    instances = load(tmp_path / "gold" / "annotations/instances_merged.json")
    names = {entry["id"]: entry["name"] for entry in instances["categories"]}
    assert [names[annotation["category_id"]] for annotation in instances["annotations"]] == [
        "Table",
        "Text",
        "Text",
        "Page-Header",
        "Picture",
    ]
    # 72, 200, 300, 260 points at 200 dpi, as the model had it: Ada's was 20 points lower.
    assert instances["annotations"][1]["bbox"] == [200.0, 555.56, 633.33, 166.66]
    assert {annotation["annotator"] for annotation in instances["annotations"]} == {"gold"}
    assert left_out(manifest) == {("task", "no_adjudicated_gold"): 1}
    assert manifest.choices["dpi"] == 200 and manifest.choices["gold"] == "adjudicated"


def test_label_studio_and_parsebench_by_gold(boxes: Bench, tmp_path: Path) -> None:
    """One annotation per page, marked as ground truth; rules of the gold, no folder of people."""
    by_gold(boxes, "labelstudio", tmp_path / "studio")
    tasks = load(tmp_path / "studio" / "tasks.json")
    assert [len(task["annotations"]) for task in tasks] == [1, 1, 1]
    assert all(task["annotations"][0]["ground_truth"] for task in tasks)
    assert len(tasks[0]["predictions"]) == 1, "the model's elements stay beside it"
    by_gold(boxes, "parsebench", tmp_path / "bench")
    (path,) = (tmp_path / "bench").glob("*.test.json")
    assert len(load(path)["test_rules"]) == 5
    assert not (tmp_path / "bench" / "by-annotator").exists()


def test_the_dataset_has_the_decided_answers(answers: Bench, tmp_path: Path) -> None:
    """It reads as tasks, with decided answers and pages; a task without a decision is not in it."""
    manifest = by_gold(answers, "gold", tmp_path / "out")
    records = rows(tmp_path / "out" / "gold.jsonl")
    tasks = [read_task(row) for row in records]
    assert [(t.id, t.answer_variants, bool(t.unanswerable)) for t in tasks] == [
        ("q1", [["seal"], ["otter"]], False),
        ("q2", [["whale"]], False),
        ("q4", [], True),
    ]
    assert [row["evidence"] for row in records] == [[page(1)], [page(1), page(2)], []]
    assert {row["domain"] for row in records} == {"Wildlife"}
    assert left_out(manifest) == {("task", "no_adjudicated_gold"): 1}
    assert (manifest.choices["gold_tasks"]["by_rule"], manifest.counts["rows"]) == (1, 3)


def test_gold_taken_up_again_still_counts(tmp_path: Path) -> None:
    """The last version counts until another is decided, which then takes its place."""
    bench = graded(tmp_path / "ws")
    bench.take_up(1)
    manifest = by_gold(bench, "trec", tmp_path / "one")
    assert read_qrels(tmp_path / "one" / "qrels.txt") == GRADES
    assert manifest.choices["gold_tasks"]["taken_up_again"] == 1
    picks = {part: Pick("side", "1-Ada") for part in ("answer", "modalities", "boxes")}
    bench.decide(1, {**picks, "relevance": Pick("side", "1-Grace")})
    manifest = by_gold(bench, "trec", tmp_path / "two")
    assert read_qrels(tmp_path / "two" / "qrels.txt") != GRADES
    assert manifest.choices["gold_versions"]["q 1"] == 2


@pytest.mark.parametrize("format_", formats_by_gold())
def test_any_campaign_twice_the_same(format_: str, answers: Bench, tmp_path: Path) -> None:
    """What a format does not find in it is said in words; a second time the bytes are the same."""
    manifest = by_gold(answers, format_, tmp_path / "out")
    by_gold(answers, format_, tmp_path / "again")
    first, second = (tmp_path / name / "manifest.json" for name in ("out", "again"))
    assert first.read_bytes() == second.read_bytes(), "the digests of all files are in it"
    assert {entry.reason for entry in manifest.left_out} <= set(LEFT_OUT)
    assert left_out(manifest)["task", "no_adjudicated_gold"] == 1
    if format_ not in COMPARED:
        assert not any(entry.what == "attempt" for entry in manifest.left_out)


def test_what_compares_work_with_gold_goes_by_it(answers: Bench, tmp_path: Path) -> None:
    """Relevant pages, scores and the tasks' table have the decided pages and answers."""
    for name in COMPARED:
        manifest = by_gold(answers, name, tmp_path / name)
        assert manifest.choices["gold"] == "adjudicated"
        assert manifest.choices["submission"] == "first", "it is people's work that is compared"
    decided = {"q1": [page(1)], "q2": [page(1), page(2)], "q4": []}
    tasks = pq.read_table(tmp_path / "dataset" / "data" / "tasks.parquet").to_pylist()
    assert {t["id"]: t["evidence"] for t in tasks if t["id"] in decided} == decided
    (open_task,) = (task for task in tasks if task["id"] not in decided)
    assert not open_task["evidence"] and not open_task["answer_variants"]
    answered = {t["id"]: t["answer_variants"] for t in tasks if t["id"] in decided}
    assert answered == {"q1": [["seal"], ["otter"]], "q2": [["whale"]], "q4": []}
    qrels = (tmp_path / "runs" / "qrels.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in qrels] == ["q1", "q2", "q2"]
    scores = pq.read_table(tmp_path / "scores" / "scores.parquet").to_pylist()
    pages = {row["task"]: row["gold_pages"] for row in scores}
    assert (pages["q1"], pages["q2"]) == (1, 2)
    by_task_gold = export(answers.stage.workspace, CAMPAIGN, "scores", tmp_path / "own")
    assert "gold" not in by_task_gold.choices
    with pytest.raises(PagetrailError, match="always go by the tasks' gold") as refused:
        paper_of("vidore", [], PaperOptions(gold="adjudicated"))
    assert refused.value.code == "gold_not_taken"


def test_a_paper_by_decided_gold(answers: Bench) -> None:
    """Its accuracy is that of the metrics report by the same gold, and the manifest says so."""
    with open_source(answers.stage.workspace, CAMPAIGN) as source:
        paper = paper_of("madqa", [source], PaperOptions(gold="adjudicated", replicates=20))
        report = metrics(source, MetricsOptions(gold="adjudicated", replicates=20))
    tables = [part for part in paper.parts if isinstance(part, Table)]
    (table,) = [table for table in tables if table.key == "table-3"]
    (expected,) = [table for table in report.tables if table.key == "results"]
    humans = expected.rows[0].cells["accuracy"].value
    assert isinstance(humans, float)
    assert humans in [cell.value for row in table.rows for cell in row.cells.values()]
    assert paper.choices["Gold"] == "adjudicated"


@pytest.mark.parametrize("format_", sorted(set(FORMATS) - set(formats_by_gold())))
def test_other_formats_refuse(format_: str, answers: Bench, tmp_path: Path) -> None:
    """The error names the formats that go by gold, and nothing is written."""
    with pytest.raises(PagetrailError, match="gold, table-fixes, vidore, trec") as refused:
        by_gold(answers, format_, tmp_path / "out")
    assert refused.value.code == "gold_not_taken"
    assert not (tmp_path / "out").exists()


def test_no_such_gold(answers: Bench, tmp_path: Path) -> None:
    """Another word is refused with the one that is known."""
    with pytest.raises(PagetrailError, match="give adjudicated") as refused:
        export(answers.stage.workspace, CAMPAIGN, "gold", tmp_path / "out", gold="best")
    assert refused.value.code == "invalid_gold"


def test_page_0_is_no_evidence_once_reviewers_decided(tmp_path: Path) -> None:
    """What an import left out stays with the task's own gold alone."""
    workspace = answered(tmp_path / "ws").stage.workspace
    with write_transaction(workspace.engine) as connection:
        for id_, record in connection.execute(select(Task.id, Task.record)).all():
            more = {**record, "evidence_left_out": [{"document": "b.pdf", "page": 0}]}
            connection.execute(update(Task).where(Task.id == id_).values(record=more))
    for gold, pages in ((None, {0}), (ADJUDICATED, set[int]())):
        export(workspace, CAMPAIGN, "gold", tmp_path / str(gold), gold=gold)
        records = rows(tmp_path / str(gold) / "gold.jsonl")
        assert {p["page"] for r in records for p in r["evidence"]} & {0} == pages
        assert not any("evidence_left_out" in row for row in records)
