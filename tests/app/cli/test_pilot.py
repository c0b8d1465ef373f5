"""``pagetrail pilot``: deciding, and everything as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.app.cli.campaigns import pilot
from pagetrail.app.cli.operations import register_operation
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.database.workspace import Workspace
from tests.storage.qualification.test_gate import ready, submit_answers

__all__ = ["ready"]

program = typer.Typer()
register_operation(program, "assign")
pilot.register(program)
runner = CliRunner()


@pytest.fixture
def failed(ready: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Ada has one of two right, and all of them are needed."""
    monkeypatch.setenv("COLUMNS", "160")
    assignment = claim_next_batch(ready, "Pilot", 1)
    assert assignment is not None
    submit_answers(ready, assignment, ["=", "99"])
    return ready


def run(workspace: Workspace, *options: str) -> Result:
    """The command on the pilot."""
    return runner.invoke(program, ["pilot", str(workspace.root), "--campaign", "Pilot", *options])


def as_json(workspace: Workspace, *options: str) -> Any:
    """What it prints as JSON."""
    return json.loads(run(workspace, *options, "--json").stdout)


def test_a_decision_is_made_and_shown(failed: Workspace) -> None:
    """Admitted: by whom and why is in the table and in the JSON, and production opens."""
    result = run(
        failed, "--decide", "admit", "--person", "ada", "--reason", "a typo", "--by", "Sven"
    )
    assert result.exit_code == 0
    assert "Ada: admitted. a typo" in result.stderr
    assert "1 of 2 (9–91 %)" in result.stdout and "Admitted by Sven" in result.stdout
    (row,) = as_json(failed)
    assert (row["passed"], row["decision"], row["admitted"]) == (False, "admit", True)
    assert [(h["decision"], h["reason"], h["by"]) for h in row["history"]] == [
        ("admit", "a typo", "Sven")
    ]
    assert row["history"][0]["baseline"]["right"] == 1
    assert [part["part"] for part in row["parts"]] == ["answer", "evidence"]
    assert row["share"]["value"] == 0.5 and row["times"]["n"] == 2
    assert claim_next_batch(failed, "Work", 1) is not None


def test_a_retraining_without_a_batch_left_gives_the_tasks_again(failed: Workspace) -> None:
    """The name of who decides is the command line's unless it is given."""
    result = run(failed, "--decide", "retrain", "--person", "Ada", "--reason", "guesses")
    assert "Ada now has batch" in result.stderr
    (row,) = as_json(failed)
    assert row["history"][0]["by"] == "command line"
    assert (row["set_aside"], row["admitted"]) == (False, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--decide", "admit"), "give --person and --reason"),
        (("--decide", "admit", "--person", "Ada"), "give --person and --reason"),
        (("--reason", "why"), "belongs to a decision"),
        (("--decide", "expel", "--person", "Ada", "--reason", "x"), "expel"),
    ],
)
def test_incomplete_decision_is_refused(
    failed: Workspace, options: tuple[str, ...], message: str
) -> None:
    """Exit code 2, with what is missing; nothing stored."""
    result = run(failed, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.replace("│", " ").split())
    assert as_json(failed)[0]["history"] == []


def test_a_refusal_ends_the_command(failed: Workspace) -> None:
    """There is nothing to reset."""
    result = run(failed, "--decide", "reset", "--person", "Ada", "--reason", "why")
    assert isinstance(result.exception, ConflictError)


def test_tasks_with_their_results(failed: Workspace) -> None:
    """Each task with its question and how many had it right; machine-readable too."""
    result = run(failed, "--show", "tasks")
    assert "tasks with most errors" in result.stdout and "Answer" in result.stdout
    rows = as_json(failed, "--show", "tasks")
    assert sorted((row["judged"], row["right"]) for row in rows) == [(1, 0), (1, 1)]
    assert all(row["question"].startswith("Question") for row in rows)
    assert not any(row["everybody_wrong"] for row in rows)  # one person is not everybody


@pytest.mark.parametrize("options", [("--baseline",), ("--show", "then-and-now")])
def test_baselines_are_refused_with_what_to_do_instead(
    failed: Workspace, options: tuple[str, ...]
) -> None:
    """Decisions store results, and another command reports later work; nothing is decided."""
    decision = ("--decide", "admit", "--person", "Ada", "--reason", "fine")
    refusal = run(failed, *options, *decision).exception
    assert isinstance(refusal, PagetrailError) and "`pagetrail quality`" in refusal.message
    assert as_json(failed)[0]["history"] == []


def test_person_without_a_batch_is_reported(failed: Workspace, tmp_path: Path) -> None:
    """A sentence instead of an empty table; as JSON an empty list."""
    assert "Bob has no batch of Pilot." in run(failed, "--person", "Bob").stderr
    assert as_json(failed, "--person", "Bob") == []


def test_help_has_examples(failed: Workspace) -> None:
    """Every option that decides, and an example of it."""
    result = runner.invoke(program, ["pilot", "--help"]).stdout
    for words in ("--decide", "--person", "--reason", "--baseline", "--show", "Examples:"):
        assert words in result
