"""ViDoRe V3's tables of retrieval, of first queries whose ranks are worked out by hand."""

from __future__ import annotations

from math import log2
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from pagetrail.exports.papers.model import Figure, Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.papers.unidoc import unidoc_paper
from pagetrail.exports.papers.vidore import vidore_paper
from pagetrail.exports.papers.vidore_retrieval import _additive_residuals
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.exports.campaigns import CAMPAIGN
from tests.exports.papers.test_madqa import cells
from tests.exports.reports.metrics.answered import B1, P1, P2, P3, Scene, Try, make_scene, task
from tests.storage.task_data import write_jsonl

TYPED = {
    "q1": {"query_type": "numerical", "query_format": "question", "language": "en"},
    "q2": {"query_type": ["numerical", "boolean"], "query_format": "keyword", "language": "de"},
    "q3": {"query_type": "boolean", "query_format": "question", "language": "en"},
}
MODALITIES = {"q1": ["table"], "q2": ["table", "text"], "q3": ["text"]}
SECOND = 1 / log2(3)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Ada's first queries rank the gold page of q1 second, one of q2's two first, none of q3."""
    tasks = [
        task("q1", P1, domain="Birds", modality=MODALITIES["q1"], **TYPED["q1"]),
        task("q2", P1, P2, domain="Fish", modality=MODALITIES["q2"], **TYPED["q2"]),
        task("q3", B1, domain="Fish", modality=MODALITIES["q3"], **TYPED["q3"]),
        task("q4", P3, domain="Fish"),
    ]
    scene = make_scene(tmp_path_factory.mktemp("search"), tasks, ("Ada",))
    scene.person(
        "Ada",
        {
            "q1": Try(searches=[[P2, P1], [P1]]),
            "q2": Try(searches=[[P1, P3]]),
            "q3": Try(searches=[[P3], [B1]]),
            "q4": Try(),
        },
    )
    scene.system("gpt", {"q1": Try(searches=[[P1]])}, results_known=False)
    return scene


@pytest.fixture(scope="module")
def paper(scene: Scene) -> Paper:
    """The tables of ViDoRe V3."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return vidore_paper([source], PaperOptions(replicates=50))


Q2 = 1 / (1 + SECOND)


@pytest.mark.parametrize(
    ("key", "row", "value"),
    [
        ("table-1", {"group": "All"}, (SECOND + Q2) / 3),
        ("table-1", {"group": "Birds"}, SECOND),
        ("table-1", {"group": "Fish"}, Q2 / 2),
        ("figure-5", {"type": "numerical", "format": "keyword"}, Q2),
        ("figure-5", {"type": "boolean", "format": "question"}, 0),
        ("figure-6", {"content": "table"}, (SECOND + Q2) / 2),
        ("table-14", {"content": "text"}, Q2 / 2),
        ("figure-7", {"pages": "1"}, SECOND / 2),
        ("figure-7", {"pages": "2"}, Q2),
        ("table-12", {"language": "en"}, SECOND / 2),
        ("table-9-10", {"language": "en", "domain": "Birds"}, SECOND),
        ("table-9-10", {"language": "en", "domain": "Fish"}, 0),
        ("figure-12", {"type": "numerical", "pages": "2"}, Q2),
    ],
)
def test_ndcg_of_the_first_query(paper: Paper, key: str, row: dict[str, Any], value: float) -> None:
    """Later queries, and tasks without a search, count nothing."""
    assert cells(paper, key, **row)["ndcg"].value == approx(value)


def test_who_has_no_ranking_is_left_out(paper: Paper) -> None:
    """A run without result lists is in no table; a task without a search is counted."""
    everything = cells(paper, "table-1", group="All")
    assert everything["side"].value == "Humans"
    assert everything["ndcg"].excluded == {"no_searches": 1}
    assert cells(paper, "table-13", type="boolean")["slope"].reason == "no_spread"


@pytest.mark.parametrize(
    ("key", "by", "group", "precision", "recall"),
    [
        ("table-3", "All", "All", 1 / 3, 1 / 2),
        ("table-3", "Domain", "Birds", 1 / 2, 1.0),
        ("table-3", "Domain", "Fish", 1 / 4, 1 / 4),
        ("table-7", "Question", "boolean", 1 / 4, 1 / 4),
        ("table-7", "Evidence", "table + text", 1 / 2, 1 / 2),
        ("table-7", "Evidence", "(none)", None, None),
    ],
)
def test_precision_and_recall_of_the_first_query(
    scene: Scene, key: str, by: str, group: str, precision: float | None, recall: float | None
) -> None:
    """UniDoc-Bench's tables 3 and 7."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        unidoc = unidoc_paper([source], PaperOptions(replicates=50))
    row = cells(unidoc, key, by=by, group=group)
    assert row["side"].value == "Humans"
    assert (row["precision"].value, row["recall"].value) == approx((precision, recall))


def test_answers_end_to_end(paper: Paper) -> None:
    """Without a run of models without documents, no query is easy or hard."""
    row = cells(paper, "table-3", side="gpt")
    assert (row["context"].value, row["accuracy"].value) == ("own search", 1.0)
    assert row["hard"].value is None and row["easy"].value is None
    assert any(gap.what == "Table 16" for gap in paper.not_given)


def test_verdicts_decide_final_answers(tmp_path: Path) -> None:
    """The system's answer equals gold; the judge calls it incorrect."""
    made = make_scene(tmp_path, [task("q1", P1)], ("Ada",))
    made.system("gpt", {"q1": Try()})
    file = write_jsonl(tmp_path / "v.jsonl", [{"task": "q1", "system": "gpt", "verdict": 0}])
    import_verdicts(made.stage.workspace, file, campaign=CAMPAIGN, name="judge")
    for verdicts, accuracy in ((None, 1.0), ("judge", 0.0)):
        with open_source(made.stage.workspace, CAMPAIGN) as source:
            judged = paper_of("vidore", [source], PaperOptions(replicates=50, verdicts=verdicts))
        assert cells(judged, "table-3", side="gpt")["accuracy"].value == accuracy
        assert judged.choices.get("Verdicts on answers") == verdicts


def test_residuals_of_an_additive_model() -> None:
    """Without interaction there is none; with it, a balanced table has a quarter in each cell."""
    additive = {("a", "x"): [0.1], ("a", "y"): [0.3], ("b", "x"): [0.5], ("b", "y"): [0.7]}
    assert set(_additive_residuals(additive).values()) == {0}
    mixed = {("a", "x"): [0.0], ("a", "y"): [0.0], ("b", "x"): [0.0], ("b", "y"): [1.0]}
    residuals = _additive_residuals(mixed)
    assert residuals == {
        ("a", "x"): approx(0.25),
        ("a", "y"): approx(-0.25),
        ("b", "x"): approx(-0.25),
        ("b", "y"): approx(0.25),
    }
    weighted = {("a", "x"): [0.0, 1.0], ("b", "x"): [1.0]}
    assert set(_additive_residuals(weighted).values()) == {0}


def test_the_figures_are_drawn(paper: Paper) -> None:
    """Each figure has a chart under its own key."""
    figures = {part.data.key: part for part in paper.parts if isinstance(part, Figure)}
    expected = {"figure-5", "figure-6", "figure-7", "figure-12", "figure-14"}
    assert expected <= set(figures)
    with unchecked():
        for key in expected:
            assert figures[key].chart.key == key
