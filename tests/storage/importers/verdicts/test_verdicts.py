"""Verdicts from elsewhere: imported once, by name, and what they decide in metrics and scores."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import NotFoundError, PagetrailError
from pagetrail.app.cli.main import app
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.input_rows import measured
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.exports.reports.test_quality import answer
from tests.storage.batches.campaign_work import CAMPAIGN, make_campaign
from tests.storage.task_data import add_people, write_jsonl
from tests.support.factory import start_clock

RIGHT = {"task": "q0", "system": "pseudonym of Ada", "verdict": "correct", "answer": "seal"}
ROWS = [
    RIGHT,
    {"question_id": "q1", "annotator": "Ada", "verdict": 0.5},
    {**RIGHT, "verdict": False},
    {"task": "q9", "system": "Ada", "verdict": 1},
    {"task": "q1", "system": "Nobody", "verdict": 1},
    {"task": "q1", "system": "Ada", "verdict": "maybe"},
]


@pytest.fixture
def answered(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Ada has answered two tasks with what the gold does not say."""
    make_campaign(workspace, tmp_path, batches=1)
    add_people(workspace, ["Ada"])
    assign(workspace, CAMPAIGN, ["Ada"])
    clock = start_clock()
    (batch,) = assignments(workspace.engine, 1)
    ensure_attempts(workspace.engine, batch.assignment_id, clock)
    for task in queries.batch_tasks(workspace.engine, batch.assignment_id):
        answer(workspace, clock, task.attempt_id, "seal" if task.key == "q0" else "whale")
    return workspace


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_verdicts_decide_which_answers_are_right(answered: Workspace, tmp_path: Path) -> None:
    """A set is imported once; bad rows are listed; reports and scores go by it."""
    file = write_jsonl(tmp_path / "labels.jsonl", ROWS)
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (report.imported, report.already_there) == (2, 0)
    assert [row.line for row in report.left_out] == [3, 4, 5, 6]
    second_report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (second_report.imported, second_report.already_there) == (0, 2)
    with open_source(answered, CAMPAIGN) as source:
        assert [row.correct for row in measured(source).rows] == [False, False]
    with open_source(answered, CAMPAIGN, verdicts="judge") as source:
        rows = measured(source, rule="judgement").rows
    assert [(row.task, row.correctness.judgement, row.correct) for row in rows] == [
        ("q0", 1.0, True),
        ("q1", 0.5, True),
    ]
    with (
        pytest.raises(NotFoundError, match="Imported verdicts: judge"),
        open_source(answered, CAMPAIGN, verdicts="other") as source,
    ):
        measured(source)
    export(answered, CAMPAIGN, "scores", tmp_path / "scores", verdicts="judge")
    with (tmp_path / "scores" / "scores.csv").open(encoding="utf-8") as table:
        assert [row["judgement"] for row in csv.DictReader(table)] == ["1.0", "0.5"]
    with pytest.raises(PagetrailError, match="scores does"):
        export(answered, CAMPAIGN, "madqa", tmp_path / "madqa", verdicts="judge")


def test_verdicts_by_command(answered: Workspace, tmp_path: Path) -> None:
    """From CSV; a verdict on another answer than the submitted one is not used."""
    file = tmp_path / "labels.csv"
    file.write_text("task,system,verdict,answer\nq0,Ada,1,seal\nq1,Ada,1,two\n", encoding="utf-8")
    ws = str(answered.root)
    run = CliRunner().invoke(
        app, ["import-verdicts", ws, str(file), "--campaign", CAMPAIGN, "--name", "gold"]
    )
    assert run.exit_code == 0, run.output
    command = ["metrics", ws, "--campaign", CAMPAIGN, "--verdicts", "gold", "--json"]
    out = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "m"), "--replicates", "2"])
    report = json.loads(out.stdout)
    assert report["choices"]["Verdicts"] == "gold"
    assert report["facts"]["Attempts judged"] == 1
    reasons = {entry["reason"] for entry in report["left_out"]}
    assert "another_answer_was_judged" in reasons


def test_confidence_and_rationale_are_kept(answered: Workspace, tmp_path: Path) -> None:
    """They come out with the scores; other columns are named and counted, odd values refused."""
    rows = [
        {**RIGHT, "confidence": 0.9, "rationale": "the words are equal", "judge": "m-1"},
        {"task": "q1", "system": "Ada", "verdict": 0, "confidence": "sure"},
    ]
    file = write_jsonl(tmp_path / "labels.jsonl", rows)
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (report.imported, report.not_kept) == (1, {"judge": 1})
    assert [row.reason for row in report.left_out] == [
        "the confidence 'sure' is not a number from 0 to 100, such as 0.9 or 90"
    ]
    export(answered, CAMPAIGN, "scores", tmp_path / "scores", verdicts="judge")
    text = (tmp_path / "scores" / "verdicts.jsonl").read_text(encoding="utf-8")
    assert json.loads(text) == {
        "task": "q0",
        "system": "pseudonym of Ada",
        "answer": "seal",
        "value": 1.0,
        "confidence": 0.9,
        "rationale": "the words are equal",
    }


@pytest.mark.parametrize("command", ["metrics", "export --format scores"])
def test_two_sets_of_verdicts_are_refused(answered: Workspace, command: str) -> None:
    """Never the last one silently."""
    name, *options = command.split()
    arguments = [*options, "--campaign", CAMPAIGN, "--verdicts", "a", "--verdicts", "b"]
    result = CliRunner().invoke(app, [name, str(answered.root), *arguments])
    assert result.exit_code == 2
    assert "2 sets are given (a, b)" in " ".join(result.output.replace("│", "").split())
