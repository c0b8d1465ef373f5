"""Runs of models without documents tell which questions need them, and are in no other result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pagetrail.annotation.metrics.without_documents import guess_class, questions_by_need
from pagetrail.exports.papers.madqa.report import madqa_paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.vidore import vidore_paper
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.madqa_report import madqa_metrics
from pagetrail.exports.reports.model import Table
from pagetrail.exports.reports.suspects.reading import read_suspect_gold
from pagetrail.exports.run import export
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.runs.importer import RunImportReport, import_run
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.progress.campaign_state import campaign_state
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import (
    P1,
    Scene,
    Try,
    left_out,
    line,
    make_scene,
    section,
    task,
    value,
)
from tests.storage.importers.runs.run_data import madqa
from tests.storage.task_data import write_jsonl

TASKS = [
    task("1", P1),
    task("2", P1, answer="yes"),
    task("3", P1, answer="7", guess_class="binary_choice"),
    task("4", P1, answer="Ada"),
    task("5", answer=None),
]
GUESSES = {
    "panel-a": {"1": "42", "2": "Yes.", "3": "1", "4": "Bo", "5": "nothing"},
    "panel-b": {"1": "41", "2": "no", "3": "7", "4": "Bo"},
}


def run_of(scene: Scene, folder: Path, system: str, rows: list[Any], **options: Any) -> Any:
    """Import a run."""
    file = write_jsonl(folder / f"{system}.jsonl", rows)
    report: RunImportReport = import_run(
        scene.stage.workspace, file, campaign=CAMPAIGN, system=system, **options
    )
    return report


def bare(key: str, answer: str) -> dict[str, Any]:
    """A row with nothing but an answer."""
    return {"id": key, "answer": [answer], "citations": [], "iterations": 1, "search_history": []}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Ada answers questions 1 and 4 right; two models guess; one system works as usual."""
    worked = make_scene(tmp_path, TASKS)
    worked.person("Ada", {"1": Try("42"), "2": Try("no"), "4": Try("Ada")})
    worked.system("agent", {"1": Try("42"), "4": Try("Bo")})
    for system, answers in GUESSES.items():
        rows = [bare(key, answer) for key, answer in answers.items()]
        report = run_of(worked, tmp_path, system, rows, without_documents=True)
        assert report.imported == len(rows) and not report.left_out
    return worked


def test_the_table_of_models_and_of_easy_questions(scene: Scene) -> None:
    """By hand: 1, 2 and 3 are easy; unanswerable questions are in neither."""
    report = scene.report()
    first = line(report, "without-documents", side="panel-a")
    assert (first["questions"].value, first["correct"].value) == (4, 0.5)
    assert [first[name].value for name in ("yes_no", "binary_choice", "other")] == [1, 0, 1]
    assert (first["random"].value, first["memorised"].value) == (0.125, 0.25)
    second = line(report, "without-documents", side="panel-b")
    assert [second[name].value for name in ("yes_no", "binary_choice", "other")] == [0, 1, 0]
    easy = line(report, "without-documents", side="Any of them")["correct"]
    assert (easy.value, easy.n) == (0.75, 4)
    assert easy.low is not None and easy.high is not None and easy.low < 0.75 < easy.high
    for side, hard, attempts in (("Humans", 1.0, 3), ("agent", 0.0, 2)):
        accuracy = line(report, "accuracy-by-need", side=side)
        assert (accuracy["hard"].value, accuracy["attempts"].value) == (hard, attempts)
    assert line(report, "accuracy-by-need", side="Humans")["easy"].value == 0.5


def test_they_are_reported_beside_another_campaign(scene: Scene) -> None:
    """With the campaign that they belong to."""
    import_tasks(
        scene.stage.workspace,
        TaskFile([RawRow(0, task("1", P1))]),
        campaign="Oracle",
        protocol="oracle",
        assign=False,
    )
    scene.system("agent", {"1": Try("42")}, campaign="Oracle")
    report = scene.report(beside=["Oracle"])
    alone = line(scene.report(), "without-documents", side="panel-a")
    beside = line(report, "without-documents", side=f"panel-a · {CAMPAIGN}")
    assert {**beside, "side": None} == {**alone, "side": None}
    assert line(report, "accuracy-by-need", side="agent · Oracle")["easy"].value == 1.0


def test_they_are_in_no_other_result(scene: Scene) -> None:
    """They are counted as left out, and named in no other table."""
    report = scene.report()
    assert left_out(report)["attempt", "without_documents"] == 9
    others = [table for table in report.tables if table.key != "without-documents"]
    assert not any("panel" in table.frame.to_csv() for table in others)
    assert value(report, "results", "attempts", side="agent") == 2
    state = campaign_state(scene.stage.workspace, CAMPAIGN)
    assert state.systems == ("agent",), "the results screen does not offer to compare them"
    named = scene.report(compare=["agent", "panel-a"])
    assert value(named, "results", "attempts", side="agent") == 2
    assert not section(
        make_scene(scene.stage.workspace.root.parent / "other", TASKS).report(),
        "Questions answered without documents",
    )


def test_they_are_no_participants_of_suspect_gold(scene: Scene) -> None:
    """Neither among those who worked on a task, nor in the model; nobody else did task 3."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        gold = read_suspect_gold(source)
    names = {p.name for evidence in gold.tasks.values() for p in evidence.participants}
    assert names == {"annotator-1", "agent"}
    assert {entry.participant for entry in gold.sample.accuracies} == names
    assert "3" in gold.sample.without_labels


def test_exported_rows_are_marked(scene: Scene, tmp_path: Path) -> None:
    """In the dataset, whose card does not count them, in trajectories and in MADQA's results."""
    for format_ in ("dataset", "trajectories", "madqa"):
        export(scene.stage.workspace, CAMPAIGN, format_, tmp_path / format_)
    data = tmp_path / "dataset" / "data"
    for file in (*data.glob("scores.*"), *data.glob("attempts.*"), *tmp_path.glob("*/attempts.p*")):
        rows = pq.read_table(file).to_pylist()
        marked = {row["annotator"] for row in rows if row["without_documents"]}
        assert marked == {"panel-a", "panel-b"}, file
        assert sum(row["without_documents"] for row in rows) == 9
    card = (tmp_path / "dataset" / "README.md").read_text(encoding="utf-8")
    assert "3 submitted attempts by 1 person, 2 by systems" in card
    assert "panel" not in card and "Not in this table: 9 attempts" in card
    lines = (tmp_path / "madqa" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum(row.get("without_documents", False) for row in map(json.loads, lines)) == 9
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        assert "panel" not in madqa_metrics(source).tables[0].frame.to_csv()


def test_exported_tasks_say_whether_they_need_the_documents(scene: Scene, tmp_path: Path) -> None:
    """A field of the gold; none where no model answered, or nothing was imported."""
    export(scene.stage.workspace, CAMPAIGN, "gold", tmp_path / "gold")
    lines = (tmp_path / "gold" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    needs = {row["id"]: row.get("needs_documents") for row in map(json.loads, lines)}
    assert needs == {"1": False, "2": False, "3": False, "4": True, "5": None}


def test_a_run_that_searched_is_no_run_without_documents(scene: Scene, tmp_path: Path) -> None:
    """It is left out with the reason; and a run cannot be imported again as another kind."""
    report = run_of(scene, tmp_path, "liar", [madqa("1")], without_documents=True)
    assert report.imported == 0
    assert "it searched the collection" in report.left_out[0].reason
    rows = [bare(key, answer) for key, answer in GUESSES["panel-b"].items()]
    again = run_of(scene, tmp_path, "panel-b", rows, without_documents=True)
    assert (again.already_there, again.left_out) == (4, [])
    other = run_of(scene, tmp_path, "panel-b", rows)
    assert other.already_there == 0 and len(other.left_out) == 4


def test_classes_and_needs_of_questions() -> None:
    """What the record says counts first; undecided answers do not."""
    assert guess_class({"answer_variants": [["No"], ["false."]]}) == "yes_no"
    assert guess_class({"answer_variants": [["No"], ["7"]]}) == "other"
    assert guess_class({"query_type": ["boolean", "multi-hop"]}) == "yes_no"
    assert guess_class({"query_type": "boolean", "guess_class": "other"}) == "other"
    assert guess_class({"guess_class": "haiku"}) == "other"
    assert questions_by_need([("a", False), ("a", True), ("b", None), ("c", False)]) == {
        "a": False,
        "c": True,
    }


def test_table_9_of_the_paper(scene: Scene) -> None:
    """The same numbers; a campaign without such runs says so."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        paper = madqa_paper([source], PaperOptions(replicates=50))
    (table,) = [part for part in paper.parts if isinstance(part, Table) and part.key == "table-9"]
    rows = {row.cells["side"].value: row.cells for row in table.rows}
    assert rows["panel-a"]["correct"].value == 0.5
    assert rows["panel-a"]["memorised"].value == 0.25
    assert "Table 9" not in {missing.what for missing in paper.not_given}


def test_vidore_has_both_tables(scene: Scene) -> None:
    """Questions 1 to 3 of four are easy. Ada solves 1 of the easy 1 and 2, and the hard 4."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        paper = vidore_paper([source], PaperOptions(replicates=50))
    shares = {
        row.cells["side"].value: row.cells["correct"].value
        for row in next(table for table in paper.tables if table.key == "table-16").rows
    }
    assert shares == {"panel-a": 0.5, "panel-b": 0.25, "Easy queries": 0.75}
    accuracies = {
        row.cells["side"].value: [row.cells[key].value for key in ("accuracy", "easy", "hard")]
        for row in next(table for table in paper.tables if table.key == "table-3").rows
    }
    assert accuracies == {"Humans": [pytest.approx(2 / 3), 0.5, 1.0], "agent": [0.5, 1.0, 0.0]}
