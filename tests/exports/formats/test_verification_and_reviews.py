"""model-quality, reviews, judgements and authored: results by hand, and records that import."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.run import export
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.conftest import Exported, StageOf, left_out, load, rows
from tests.exports.worked_campaigns import COMPLETED, OPENED, REVIEW, page, page_field, task_field


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_model_quality(exported: Exported) -> None:
    """Ada: 2 of 5 right, 2 corrected, 1 deleted, 1 added; Grace: 5 of 5; both are pooled."""
    manifest, out = exported("verify", "model-quality")
    report = load(out / "model_quality.json")
    overall = report["overall"]
    counts = [overall[n] for n in ("given", "accepted", "corrected", "deleted", "added")]
    assert counts == [10, 7, 2, 1, 1]
    assert overall["corrected_parts"] == {
        "rect": 1,
        "label": 1,
        "content": 1,
        "order": 1,
        "attributes": 1,
    }
    assert overall["precision"]["of"] == [9, 10]
    assert overall["recall"] == {"value": 0.9, "of": [9, 10], "reason": None}
    assert overall["acceptance"]["value"] == 0.7
    # 228 × 40 of 228 × 60.
    assert overall["iou_corrected"]["value"] == pytest.approx(2 / 3)
    assert overall["localised"]["of"] == [9, 10]
    assert report["confusion"]["Text"] == {"Picture": 1, "Text": 3}
    assert report["annotators"]["annotator-2"]["acceptance"]["value"] == 1.0
    # Three given pages of one task twice, and one of another.
    assert (report["attempts"], report["pages"]) == (3, 7)
    assert manifest.counts["given"] == 10


def test_model_quality_as_csv(exported: Exported) -> None:
    """The tables hold the report's results; what is undefined is an empty cell, never 0 or 1."""
    _, out = exported("verify", "model-quality")
    classes = {row["class"]: row for row in table(out / "classes.csv")}
    assert next(iter(classes)) == "(all)"
    assert classes["(all)"]["given"] == "10" and classes["(all)"]["corrected_rect"] == "1"
    footer = classes["Page-Footer"]
    assert (footer["given"], footer["added"], footer["precision"]) == ("0", "1", "")
    assert (footer["recall"], footer["recall_of"]) == ("0.0", "1")
    confusion = {(r["model"], r["human"]): int(r["count"]) for r in table(out / "confusion.csv")}
    assert confusion["Page-Header", "(deleted)"] == 1
    assert confusion["(added)", "Page-Footer"] == 1
    assert sum(confusion.values()) == 11


def test_model_quality_without_elements(exported: Exported) -> None:
    """A campaign in which no model's elements are verified says so."""
    manifest, out = exported("relevance", "model-quality")
    assert left_out(manifest)["attempt", "no_elements_given"] == 4
    assert load(out / "model_quality.json")["overall"]["precision"]["reason"] == "nothing_given"


def test_reviews(exported: Exported) -> None:
    """One row per task and annotator: every field, and every source page."""
    _, out = exported("qa_review", "reviews")
    reviews = rows(out / "reviews.jsonl")
    assert [(r["task"], r["annotator"]) for r in reviews] == [
        ("r1", "annotator-1"),
        ("r1", "annotator-2"),
        ("r1", "annotator-3"),
        ("r2", "annotator-1"),
        ("r2", "annotator-2"),
    ]
    third = reviews[2]
    assert third["fields"]["complete"] == "no" and third["codes"]["complete"] == 0.0
    assert [p["fields"]["source_required"] for p in third["pages"]] == ["required", "not_required"]
    assert third["response"] == "Forty-two."


def test_decisions(exported: Exported) -> None:
    """Votes, majority, and whether a senior is needed: for the task with two disagreements only."""
    manifest, out = exported("qa_review", "reviews")
    first, second = rows(out / "decisions.jsonl")
    assert first["fields"]["complete"] == {
        "votes": {"yes": 2, "no": 1},
        "majority": "yes",
        "agreed": False,
    }
    assert first["pages"][1]["fields"]["source_required"]["agreed"] is False
    assert (first["disagreements"], first["needs_senior"]) == (2, True)
    assert (second["disagreements"], second["needs_senior"]) == (0, False)
    assert (len(second["annotators"]), second["wanted"]) == (2, 3)
    assert manifest.counts["needs_senior"] == 1


def reviewed_by_four(root: Path, decided: bool) -> Stage:
    """Three reviewers, of whom the first differs; a fourth, whom the file lists first."""
    pair = {"id": "r1", "question": "How many?", "response": "Two.", "evidence": [page(1)]}
    stage = make_stage(root, preset("qa_review"), [pair], ("Zoe", "Ada", "Grace", "Mary"))
    for person in ("Ada", "Grace", "Mary", "Zoe"):
        complete = {"Ada": "no", "Zoe": "no" if decided else None}.get(person, "yes")
        answers = {name: "yes" for name in REVIEW} | {"complete": complete}
        if person == "Zoe" and not decided:
            stage.did("r1", person, OPENED)
            continue
        fields = [task_field(name, value) for name, value in answers.items()]
        needed = page_field("source_required", 1, "required")
        stage.did("r1", person, OPENED, *fields, needed, COMPLETED)
    # Changing one's mind afterwards makes nobody the senior.
    stage.did("r1", "Ada", ev.Reopened(), COMPLETED)
    return stage


@pytest.mark.parametrize("decided", [True, False])
def test_the_fourth_reviewer_decides(tmp_path: Path, decided: bool) -> None:
    """Once the fourth has submitted no senior is needed any more, and it is told what counts."""
    stage = reviewed_by_four(tmp_path / "ws", decided)
    manifest = export(stage.workspace, CAMPAIGN, "reviews", tmp_path / "out")
    (row,) = rows(tmp_path / "out" / "decisions.jsonl")
    assert row["fields"]["complete"]["agreed"] is False
    assert row["disagreements"] == 1
    assert row["needs_senior"] is not decided
    assert manifest.counts["needs_senior"] == int(not decided)
    assert row["fields"]["complete"].get("decided") == ("no" if decided else None)
    assert row.get("decided_by") == ("annotator-1" if decided else None)
    assert "decided" not in row["fields"]["self_contained"]


def test_a_tie_has_no_majority(exported: Exported) -> None:
    """Two judges who differ have no majority; one who was not asked for an issue has no vote."""
    _, out = exported("judge", "reviews")
    decisions = {row["task"]: row["fields"] for row in rows(out / "decisions.jsonl")}
    assert decisions["q1#2"]["verdict"]["majority"] is None
    assert decisions["q1#2"]["verdict"]["agreed"] is False
    assert decisions["q1#1"]["issue"] == {"votes": {}, "majority": None, "agreed": None}


def test_judgements(exported: Exported) -> None:
    """Question, system, prediction, verdict with its number and issue, by annotator."""
    manifest, out = exported("judge", "judgements")
    judgements = rows(out / "judgements.jsonl")
    assert [
        (r["question_id"], r["task"], r["system"], r["code"], r["issue"]) for r in judgements
    ] == [
        ("q1", "q1#1", "model-b", 1.0, None),
        ("q1", "q1#1", "model-b", 1.0, None),
        ("q1", "q1#2", "model-a", 0.5, "verbosity"),
        ("q1", "q1#2", "model-a", 0.0, "wrong_content"),
    ]
    assert {r["predicted_answer"] for r in judgements} == {"42", "some"}
    counts = {name: manifest.counts[name] for name in ("rows", "systems", "annotators")}
    assert counts == {"rows": 4, "systems": 2, "annotators": 2}


@pytest.mark.parametrize("format_", ["gold", "labels", "reviews", "madqa", "trajectories"])
def test_systems_are_named_in_judgements_only(exported: Exported, format_: str) -> None:
    """No other export of a judging campaign tells which system answered."""
    _, out = exported("judge", format_)
    for path in out.rglob("*"):
        if path.is_file():
            assert b"model-a" not in path.read_bytes() and b"model-b" not in path.read_bytes()


def test_authored(exported: Exported) -> None:
    """What authors wrote, in the schema of tasks, with hop, evidence and what the checks found."""
    manifest, out = exported("author", "authored")
    first, second = rows(out / "authored.jsonl")
    assert (first["id"], second["id"]) == ("w1/annotator-1", "w1/annotator-2")
    assert first["question"] == "How many otters did 2 rivers have?"
    assert first["answer_variants"] == [["42", "forty-two"]]
    assert [page["page"] for page in first["evidence"]] == [1, 2]
    assert (first["hop"], first["query_type"], first["domain"]) == (
        "comparison",
        "numerical",
        "Wildlife",
    )
    assert first["checks"][0]["words"] == ["page"] and first["checks_current"] is True
    assert "summary" not in first and first["brief"] == "w1"
    counts = {name: manifest.counts[name] for name in ("rows", "multi_hop", "authors")}
    assert counts == {"rows": 2, "multi_hop": 1, "authors": 2}


def test_authored_questions_import_again(
    stage_of: StageOf, tmp_path: Path, exported: Exported
) -> None:
    """The file is a task file: a search campaign of what was written, gold and extras kept."""
    _, out = exported("author", "authored")
    stage = stage_of("author")
    file = tmp_path / "authored.jsonl"
    file.write_bytes((out / "authored.jsonl").read_bytes())
    report = import_tasks(stage.workspace, file, campaign="Written", assign=False)
    assert (report.imported, report.bad) == (2, [])
    export(stage.workspace, "Written", "gold", tmp_path / "gold")
    authored: list[dict[str, Any]] = rows(out / "authored.jsonl")
    gold = {row["id"]: row for row in rows(tmp_path / "gold" / "gold.jsonl")}
    for row in authored:
        assert gold[row["id"]].items() >= {k: v for k, v in row.items() if v is not None}.items()


def test_nothing_written(exported: Exported) -> None:
    """A campaign in which no questions are written, or nothing is judged, says so."""
    for format_, reason in (("authored", "no_question_written"), ("judgements", "nothing_judged")):
        manifest, _ = exported("verify", format_)
        assert left_out(manifest)["attempt", reason] == 3
    assert manifest.campaign["name"] == CAMPAIGN
