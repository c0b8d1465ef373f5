"""Runs without an id find their task by the question; what fits none or several is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.app.cli.main import app
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.question_matching import (
    AmbiguousMatch,
    NoMatch,
    QuestionMatcher,
)
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    atif,
    bare,
    eval_log,
    events,
    run,
    sample,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

QUESTIONS = {"a": "How many otters\nlive here?", "b": "Who signed?", "c": "who  signed?"}


def test_questions_are_compared_whatever_their_spaces_and_capitals() -> None:
    """An own question has to be equal; a prompt may have it inside, if only one is."""
    matcher = QuestionMatcher(QUESTIONS)
    assert matcher.task_of("how many OTTERS live here?", "") == "a"
    assert matcher.task_of(None, "You are an agent. How many otters live here? Cite.") == "a"
    with pytest.raises(AmbiguousMatch, match="2 tasks match its question: b, c"):
        matcher.task_of("Who signed?", "")
    for question, prompt in (("How many?", ""), (None, "How many?"), (None, " ")):
        with pytest.raises(NoMatch):
            matcher.task_of(question, prompt)
    with pytest.raises(NoMatch):
        matcher.task_of("Tell me: how many otters live here?", "")


def test_madqa_rows_without_an_id(tmp_path: Path) -> None:
    """The report counts what was matched how; the others are listed with their question."""
    workspace = make_workspace(tmp_path / "ws")
    rows = [bare("t/1"), bare("", question=" how  MANY otters in 2? "), bare("", question="Why?")]
    for row in rows[1:]:
        del row["id"]
    questions = run_questions(workspace)
    rows[1]["question"] = questions["t/2"].upper()
    file = write_jsonl(tmp_path / "r.jsonl", rows)
    report = run(workspace, file)
    assert (report.matched_by_id, report.matched_by_text) == (1, 1)
    assert (report.unmatched, report.ambiguous) == (1, 0)
    assert events(workspace, "t/2")
    assert "no task has its question: 'Why?'" in report.left_out[0].reason
    command = ["import-run", str(workspace.root), str(file), "--campaign", CAMPAIGN]
    result = CliRunner().invoke(app, [*command, "--system", "again"])
    assert "1 run matched by id, 1 by the text of the question" in " ".join(result.output.split())


def run_questions(workspace: Workspace) -> dict[str, str]:
    """Task → its question."""
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql(
            "select key, json_extract(record, '$.question') as question from task"
        )
        return {row.key: row.question for row in rows}


def test_made_up_ids_do_not_hide_the_question(tmp_path: Path) -> None:
    """ATIF's session and the numbers that Inspect gives to samples are no ids of tasks."""
    workspace = make_workspace(tmp_path / "ws")
    question = run_questions(workspace)["t/2"]
    row = atif(extra={})
    row["steps"][0]["message"] = f"Answer this. {question} Cite pages."
    report = run(workspace, write_json(tmp_path / "t.json", row))
    assert (report.imported, report.matched_by_text) == (1, 1), report.left_out
    log = eval_log(tmp_path / "l.json", [sample(17, input=question)])
    report = run(workspace, log, system="other")
    assert (report.imported, report.matched_by_text) == (1, 1), report.left_out


def test_epochs_are_runs_of_their_own(tmp_path: Path) -> None:
    """Each epoch of a log with several is a run; a log with one stays the system's."""
    workspace = make_workspace(tmp_path / "ws")
    samples = [sample(epoch=n, completion=f'{{"answer": "{n}"}}') for n in (1, 2)]
    log = eval_log(tmp_path / "l.json", samples)
    report = run(workspace, log)
    assert (report.imported, report.left_out, report.runs) == (2, [], ["agent#1", "agent#2"])
    assert events(workspace, system="agent#2") and not events(workspace)
    second_report = run(workspace, log)
    assert (second_report.imported, second_report.already_there) == (0, 2)
    report = run(workspace, log, system="agent#x")
    assert report.runs == ["agent#x-1", "agent#x-2"]
