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
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.snapshot.snapshot import snapshot
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
def answered(workspace: Workspace) -> Workspace:
    """Ada has answered two tasks with what the gold does not say."""
    make_campaign(workspace, batches=1)
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
        assert [row.correct for row in measure_attempts(source).rows] == [False, False]
    with open_source(answered, CAMPAIGN, verdicts="judge") as source:
        rows = measure_attempts(source, rule="judgement").rows
    assert [(row.task, row.correctness.judgement, row.correct) for row in rows] == [
        ("q0", 1.0, True),
        ("q1", 0.5, True),
    ]
    with (
        pytest.raises(NotFoundError, match="Imported verdicts: judge"),
        open_source(answered, CAMPAIGN, verdicts="other") as source,
    ):
        measure_attempts(source)
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
        {**RIGHT, "confidence": 0.9, "rationale": "the words are equal", "mood": "good"},
        {"task": "q1", "system": "Ada", "verdict": 0, "confidence": "sure"},
    ]
    file = write_jsonl(tmp_path / "labels.jsonl", rows)
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (report.imported, report.not_kept) == (1, {"mood": 1})
    assert [row.reason for row in report.left_out] == [
        "the confidence 'sure' is not a number from 0 to 100, such as 0.9 or 90"
    ]
    export(answered, CAMPAIGN, "scores", tmp_path / "scores", verdicts="judge")
    text = (tmp_path / "scores" / "verdicts.jsonl").read_text(encoding="utf-8")
    assert json.loads(text) == {
        "task": "q0",
        "system": "pseudonym of Ada",
        "judge": "judge",
        "answer": "seal",
        "value": 1.0,
        "confidence": 0.9,
        "rationale": "the words are equal",
    }


def infos(workspace: Workspace) -> dict[str, JudgeInfo]:
    """The judge of each set, as stored."""
    with snapshot(workspace) as database:
        campaign = database.campaign(CAMPAIGN)
        return {stored.name: stored.info for stored in database.verdict_sets(campaign.id)}


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_set_belongs_to_a_judge(answered: Workspace, tmp_path: Path) -> None:
    """Stated by options or columns, completed by a later import, never replaced."""
    file = write_jsonl(tmp_path / "labels.jsonl", [RIGHT])
    import_verdicts(answered, file, campaign=CAMPAIGN, name="v")
    assert infos(answered) == {"v": JudgeInfo(judge="v")}
    stated = JudgeInfo("gpt", "m-1", "Judge this.", "2", 3, 1, "2026-01-31")
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="v", judge=stated)
    assert (report.already_there, infos(answered)) == (1, {"v": stated})
    other = JudgeInfo(model="m-2")
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="v", judge=other)
    assert [(row.line, row.reason) for row in report.left_out] == [
        (1, "judge_model is 'm-2', but the set v has 'm-1'. Import this row under another name")
    ]
    assert infos(answered) == {"v": stated}
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="w", judge=stated)
    assert [row.reason for row in report.left_out] == [
        "run 1 of this judge is already the set v. Import this row under that name, or with "
        "another run number"
    ]


def test_rounds_and_runs_of_a_file_are_sets(answered: Workspace, tmp_path: Path) -> None:
    """Two verdicts of one run are named; the others are imported."""
    rows = [
        {**RIGHT, "judge_round": 1, "judge_run": 1, "judge_date": "2026-01-31T10:00:00"},
        {**RIGHT, "judge_round": 1, "judge_run": "2", "verdict": 0},
        {**RIGHT, "judge_round": 1, "judge_run": 2, "verdict": 1},
        {**RIGHT, "judge_round": 0},
        {**RIGHT, "judge_date": "31.1.2026"},
    ]
    file = write_jsonl(tmp_path / "labels.jsonl", rows)
    judge = JudgeInfo(model="m-1")
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="gpt", judge=judge)
    assert report.sets == ["gpt-round-1-run-1", "gpt-round-1-run-2"]
    assert [(row.line, row.reason) for row in report.left_out] == [
        (
            3,
            "gpt-round-1-run-2 already has another verdict on pseudonym of Ada’s answer to q0, "
            "which stays. Import this one under another name",
        ),
        (4, "judge_round is 0; it is a whole number from 1"),
        (5, "judge_date is '31.1.2026'; write it as 2026-01-31"),
    ]
    assert infos(answered) == {
        "gpt-round-1-run-1": JudgeInfo("gpt", "m-1", round=1, run=1, judged_on="2026-01-31"),
        "gpt-round-1-run-2": JudgeInfo("gpt", "m-1", round=1, run=2),
    }


def test_verdict_on_an_unknown_attempt_is_left_out(answered: Workspace, tmp_path: Path) -> None:
    """Bo has an account and no attempt; the other row is imported."""
    add_people(answered, ["Bo"])
    file = write_jsonl(tmp_path / "labels.jsonl", [{**RIGHT, "system": "Bo"}, RIGHT])
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert [(row.line, row.reason) for row in report.left_out] == [
        (
            1,
            "Bo has no attempt at q0 in this campaign. Import the run first, then its verdicts",
        )
    ]
    assert report.imported == 1


def test_row_without_a_verdict_says_so(answered: Workspace, tmp_path: Path) -> None:
    """Nothing is printed as None."""
    file = write_jsonl(tmp_path / "labels.jsonl", [{**RIGHT, "verdict": None}, RIGHT])
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert [(row.line, row.reason) for row in report.left_out] == [
        (1, "it has no verdict: correct (1), partial (0.5) or wrong (0)")
    ]


def test_judge_by_command(answered: Workspace, tmp_path: Path) -> None:
    """The prompt comes from a file."""
    file = write_jsonl(tmp_path / "labels.jsonl", [RIGHT])
    (tmp_path / "prompt.txt").write_text("Judge this.", encoding="utf-8")
    arguments = [str(answered.root), str(file), "--campaign", CAMPAIGN, "--name", "gpt-2"]
    options = ["--judge", "gpt", "--model", "m-1", "--round", "2", "--run", "1"]
    prompt = ["--prompt-file", str(tmp_path / "prompt.txt"), "--date", "2026-01-31"]
    run = CliRunner().invoke(app, ["import-verdicts", *arguments, *options, *prompt])
    assert run.exit_code == 0, run.output
    stored = JudgeInfo("gpt", "m-1", "Judge this.", None, 2, 1, "2026-01-31")
    assert infos(answered) == {"gpt-2": stored}
    both = CliRunner().invoke(app, ["import-verdicts", *arguments, *prompt, "--prompt", "a"])
    assert both.exit_code == 2
    wrong = CliRunner().invoke(app, ["import-verdicts", *arguments, "--date", "soon"])
    assert "judge_date is 'soon'; write it as 2026-01-31" in str(wrong.exception)


@pytest.mark.parametrize("command", ["metrics", "export --format scores"])
def test_two_sets_of_verdicts_are_refused(answered: Workspace, command: str) -> None:
    """Never the last one silently."""
    name, *options = command.split()
    arguments = [*options, "--campaign", CAMPAIGN, "--verdicts", "a", "--verdicts", "b"]
    result = CliRunner().invoke(app, [name, str(answered.root), *arguments])
    assert result.exit_code == 2
    assert "2 sets are given (a, b)" in " ".join(result.output.replace("│", "").split())


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_texts_that_cannot_be_stored_cost_nothing(answered: Workspace, tmp_path: Path) -> None:
    """An answer with half of a surrogate pair or NUL is kept with U+FFFD; reasons stay short."""
    rows = [
        {**RIGHT, "answer": "\ud800 a\0"},
        {"task": "q1", "system": "Ada", "verdict": 1, "answer": ["\udfff", "b"]},
        {"task": "q" * 100_000, "system": "Ada", "verdict": 1},
        {"task": "q1", "system": "\ud800" * 100_000, "verdict": 1},
        {"task": "q1", "system": "Ada", "verdict": "\0" * 100_000},
    ]
    file = write_jsonl(tmp_path / "labels.jsonl", rows)
    report = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (report.imported, [row.line for row in report.left_out]) == (2, [3, 4, 5])
    assert all(len(row.reason) < 200 and row.reason.isprintable() for row in report.left_out)
    repeated = import_verdicts(answered, file, campaign=CAMPAIGN, name="judge")
    assert (repeated.imported, repeated.already_there) == (0, 2)
