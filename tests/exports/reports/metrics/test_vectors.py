"""Reports and papers with vectors from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pagetrail
from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.reading.open_source import open_source
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors
from tests.exports.campaigns import CAMPAIGN
from tests.exports.papers.test_madqa import cells
from tests.exports.reports.metrics.answered import (
    B1,
    P1,
    P2,
    P3,
    Scene,
    Try,
    left_out,
    line,
    make_scene,
    section,
    table,
    task,
)

QUERIES = ("otters", "fish")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Orthogonal queries, equal questions of q1 and q2, pages 1 and 2 alike; two bad rows."""
    rows = [
        {"text": "otters", "document": None, "page": None, "vector": [1.0, 0.0]},
        {"text": "fish", "vector": [0.0, 1.0]},
        {"text": "What of q1?", "vector": [1.0, 0.0]},
        {"text": "What of q2?", "vector": [2.0, 0.0]},
        {"text": "short", "vector": [1.0]},
        {"text": None, "vector": [1.0, 1.0]},
        *(
            {"document": document, "page": page, "vector": vector}
            for (document, page), vector in {
                P1: [1.0, 0.0],
                P2: [2.0, 0.1],
                P3: [0.0, 1.0],
                B1: [0.0, 1.0],
            }.items()
        ),
    ]
    path = tmp_path_factory.mktemp("vectors") / "vectors.parquet"
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata({"model": "m-1"}), path)
    return path


@pytest.fixture(scope="module")
def vectors(file: Path) -> VectorFile:
    """What is read of it."""
    return read_vectors(file)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Three tasks: pages alike, pages unlike, two documents; the system solves the first."""
    made = make_scene(
        tmp_path_factory.mktemp("searched"),
        [task("q1", P1, P2), task("q2", P1, P3), task("q3", P1, B1)],
    )
    made.system(
        "gpt",
        {
            "q1": Try(searches=[[P1], [P2]], queries=QUERIES),
            "q2": Try("no", searches=[[P1], [P2]], queries=("otters", "unknown")),
            "q3": Try("no"),
        },
    )
    return made


def test_drift_and_near_duplicates(scene: Scene, file: Path) -> None:
    """1 between orthogonal queries; one query has no vector, and equal questions are a pair."""
    report = scene.report(vectors=file)
    assert line(report, "search", side="gpt")["drift"].value == pytest.approx(1, abs=1e-6)
    note = table(report, "search").notes[-1]
    assert note == "Drift by vectors of m-1; 1 of 4 queries have none and are left out."
    assert report.choices["Vectoriser of drift"] == "m-1"
    (pair,) = table(report, "near-duplicates").rows
    assert [pair.cells[key].value for key in ("task", "other", "cosine")] == ["q1", "q2", 1.0]
    assert "1 of 3 questions" in table(report, "near-duplicates").notes[0]


def test_unused_rows_are_left_out_with_their_numbers(scene: Scene, file: Path) -> None:
    report = scene.report(vectors=file)
    assert left_out(report)["vector", "other_length"] == 1
    (entry,) = [entry for entry in report.left_out if entry.reason == "no_text_or_page"]
    assert entry.ids == ["6"]


def test_without_vectors_nothing_changes(scene: Scene) -> None:
    report = scene.report()
    assert not section(report, "Questions")
    assert report.choices["Vectoriser of drift"] == "tfidf-words"


def test_tables_of_the_paper(scene: Scene, file: Path) -> None:
    """Same-document pages alike are solved, unlike ones not; two documents are a table apart."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        paper = paper_of("madqa", [source], PaperOptions(replicates=50, vectors=file))
    near = cells(paper, "table-14", bin="0–0.15")
    far = cells(paper, "table-14", bin="≥ 0.6")
    assert (near["questions"].value, near["accuracy"].value) == (1, 1.0)
    assert (far["questions"].value, far["accuracy"].value) == (1, 0.0)
    assert cells(paper, "table-14", bin="All")["r"].reason == "no_spread"
    assert cells(paper, "table-15", bin="≥ 0.6")["accuracy"].value == 0.0
    # q1 is near its pages, q2 in the middle; q3 has no vector.
    assert cells(paper, "question-page-distance", bin="0–0.15")["accuracy"].value == 1.0
    assert cells(paper, "question-page-distance", bin="All")["questions"].value == 2
    (figure,) = [figure for figure in paper.figures if figure.data.key == "figure-14"]
    assert {row.cells["by"].value for row in figure.data.rows} == {"gap", "distance"}
    assert any("m-1 vectors" in note for note in figure.data.notes)
    assert figure.chart.spec


def test_other_papers_take_no_vectors(scene: Scene, file: Path) -> None:
    with (
        open_source(scene.stage.workspace, CAMPAIGN) as source,
        pytest.raises(PagetrailError) as refused,
    ):
        paper_of("vidore", [source], PaperOptions(vectors=file))
    assert refused.value.code == "vectors_not_taken"


def test_notebooks(scene: Scene, file: Path) -> None:
    """By the path of the file; a warning names the rows that are not used."""
    with (
        pagetrail.open(scene.stage.workspace.root) as workspace,
        pytest.warns(UserWarning, match="row 5 has a vector of 1 numbers; the others have 2"),
    ):
        frames = workspace.metrics(CAMPAIGN, vectors=file, replicates=50)
    assert frames["near-duplicates"].cosine.tolist() == [1.0]
