"""``pagetrail export``, ``replay`` and ``rebuild`` as a person at the terminal meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError, WorkspaceError
from pagetrail.app.cli.main import app
from pagetrail.exports.run import FORMATS
from pagetrail.storage.database.workspace import Workspace
from tests.exports.adjudication import graded
from tests.exports.campaigns import CAMPAIGN
from tests.exports.worked_campaigns import SCENES
from tests.support.factory import make_workspace, record_attempts


@pytest.fixture
def worked_workspace(tmp_path: Path) -> Workspace:
    """A workspace in which people have worked."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    return workspace


def pagetrail(*arguments: object) -> Result:
    """Run the program on a terminal that is wide enough for the tables."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(argument) for argument in arguments])


@pytest.mark.parametrize("format_", ["madqa", "trajectories", "gold"])
def test_export_json_is_alone_on_standard_output(
    worked_workspace: Workspace, tmp_path: Path, format_: str
) -> None:
    """``--json`` prints the manifest that is in the folder, and nothing else."""
    out = tmp_path / "out"
    result = pagetrail(
        "export",
        worked_workspace.root,
        "--campaign",
        "Otters",
        "--format",
        format_,
        "--out",
        out,
        "--json",
    )
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads((out / "manifest.json").read_text("utf-8"))


def test_export_says_what_it_left_out(worked_workspace: Workspace) -> None:
    """Without ``--out`` the workspace takes the export; the table and the losses are shown."""
    result = pagetrail("export", worked_workspace.root, "--campaign", "Otters", "--format", "madqa")
    assert result.exit_code == 0
    assert (worked_workspace.root / "exports/Otters-madqa/results.jsonl").is_file()
    assert "by-annotator/annotator-1.jsonl" in result.stdout
    assert "Left out:\n  3 attempts: never opened\n" in result.stderr
    assert "  1 search: refused, no page was shown\n" in result.stderr


def test_export_does_not_overwrite_unasked(worked_workspace: Workspace) -> None:
    """The second time it asks for ``--overwrite``, and with it does it."""
    command = ("export", worked_workspace.root, "--campaign", "Otters", "--format", "gold")
    assert pagetrail(*command).exit_code == 0
    refused = pagetrail(*command)
    assert isinstance(refused.exception, ConflictError)
    assert "--overwrite" in refused.exception.message
    assert pagetrail(*command, "--overwrite").exit_code == 0


def test_export_by_the_gold_decided_in_review(tmp_path: Path) -> None:
    """It has a folder of its own beside the votes, and says what it left out and why."""
    root = graded(tmp_path / "ws").stage.workspace.root
    command = ("export", root, "--campaign", CAMPAIGN, "--format", "trec")
    assert pagetrail(*command).exit_code == 0
    result = pagetrail(*command, "--gold", "adjudicated")
    assert result.exit_code == 0, result.output
    votes = (root / "exports/Work-trec/qrels.txt").read_text("utf-8").splitlines()
    gold = (root / "exports/Work-trec-adjudicated/qrels.txt").read_text("utf-8").splitlines()
    assert votes[0] == "q%201 0 annual%20report.pdf#1 1"
    assert gold[0] == "q%201 0 annual%20report.pdf#1 2"
    assert "  2 tasks: without gold decided in review\n" in result.stderr


def test_formats_without_gold_name_those_that_use_it(worked_workspace: Workspace) -> None:
    """The option is refused with the names of the formats that take it."""
    command = ("export", worked_workspace.root, "--campaign", "Otters", "--gold", "adjudicated")
    refused = pagetrail(*command, "--format", "madqa")
    assert isinstance(refused.exception, PagetrailError)
    assert refused.exception.code == "gold_not_taken"
    assert (
        "gold, table-fixes, vidore, trec, beir, coco, labelstudio, page-scores, parsebench, "
        "parsebench-dataset, pages, runs, scores, dataset do" in str(refused.exception)
    )
    assert not (worked_workspace.root / "exports/Otters-madqa-adjudicated").exists()


@pytest.mark.parametrize("format_", ["coco", "trec", "judgements", "parsebench"])
def test_an_export_with_nothing_to_write_fails(worked_workspace: Workspace, format_: str) -> None:
    """It says why, and leaves no folder that a script could take for a result."""
    result = pagetrail("export", worked_workspace.root, "--campaign", "Otters", "--format", format_)
    assert result.exit_code == 1
    assert isinstance(result.exception, NotFoundError)
    message = result.exception.message
    assert f"nothing to export as {format_}, so nothing was written. Left out: " in message
    assert not (worked_workspace.root / f"exports/Otters-{format_}").exists()


def test_identified_exports_warn(worked_workspace: Workspace) -> None:
    """Names in an export are pointed out."""
    result = pagetrail(
        "export", worked_workspace.root, "--campaign", "Otters", "--format", "madqa", "--identify"
    )
    assert "by-annotator/Ada.jsonl" in result.stdout
    assert "Do not publish" in result.stderr


def test_unknown_names_are_explained(worked_workspace: Workspace, tmp_path: Path) -> None:
    """Workspace, campaign and attempt: each error says what there is instead."""
    wrong = pagetrail("export", worked_workspace.root, "--campaign", "X", "--format", "gold")
    assert isinstance(wrong.exception, NotFoundError)
    assert "Otters" in wrong.exception.message
    assert isinstance(pagetrail("rebuild", tmp_path / "nowhere").exception, WorkspaceError)
    unknown = pagetrail("replay", worked_workspace.root, "zzz").exception
    assert isinstance(unknown, NotFoundError)
    assert "--list" in unknown.message
    error = pagetrail("replay", worked_workspace.root, "1-").exception
    assert isinstance(error, NotFoundError)
    assert "1-Ada, 1-Grace" in error.message


def test_replay_tells_the_story(worked_workspace: Workspace) -> None:
    """Events in words, dwell, idle time, submission and totals, by an id's first characters."""
    result = pagetrail("replay", worked_workspace.root, "1-A")
    assert result.exit_code == 0
    for words in (
        "Attempt 1-Ada, by Ada, from 2026-03-02 09:00:00 UTC",
        "Searched for “otters”: 7 pages found, 5 shown",
        "Viewed annual report.pdf page 3, from the results, rank 1",
        "viewed 20.0 s",
        "0:01:30.0 without an event, 0:00:30.0 of it idle",
        "1:00:00.0 submitted",
        "active, gaps up to 60 s",
        "0:01:52.0",
    ):
        assert words in result.stdout


def test_replay_shows_pauses(worked_workspace: Workspace) -> None:
    """A pause is in the timeline with its length."""
    assert "0:10:00.0 paused" in pagetrail("replay", worked_workspace.root, "3-Ada").stdout


def test_replay_as_json(worked_workspace: Workspace) -> None:
    """The same as data: entries, times and the final state."""
    story = json.loads(pagetrail("replay", worked_workspace.root, "1-Ada", "--json").stdout)
    assert story["attempt_id"] == "1-Ada"
    assert len(story["entries"]) == story["state"]["last_seq"] == 11
    assert story["timing"]["active_ms"] == {"60": 112_000, "100": 142_000, "120": 142_000}
    capped = json.loads(
        pagetrail("replay", worked_workspace.root, "1-Ada", "--json", "--idle-cap", 10).stdout
    )
    assert [e["dwell_ms"] for e in capped["entries"] if e["dwell_ms"] is not None] == [
        10_000,
        10_000,
        14_000,
    ]


def test_replay_of_an_attempt_nobody_opened(worked_workspace: Workspace) -> None:
    """It is not an error, and no empty table is drawn."""
    result = pagetrail("replay", worked_workspace.root, "4-Grace")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "never opened" in result.stderr


def test_replay_lists_attempts(worked_workspace: Workspace) -> None:
    """The list holds what has events, of all campaigns or of one."""
    rows = json.loads(pagetrail("replay", worked_workspace.root, "--list", "--json").stdout)
    assert [row["id"] for row in rows] == ["1-Ada", "1-Grace", "2-Ada", "2-Grace", "3-Ada"]
    assert rows[0] == {
        "id": "1-Ada",
        "campaign": "Otters",
        "task": "t/1",
        "user": "Ada",
        "status": "submitted",
        "events": 11,
        "updated_at": "2026-03-02T10:02:22.250000Z",
    }
    table = pagetrail("replay", worked_workspace.root, "--list", "--campaign", "Otters").stdout
    assert "2-Grace" in table
    assert "skipped" in table
    assert isinstance(
        pagetrail("replay", worked_workspace.root, "--list", "--campaign", "X").exception,
        NotFoundError,
    )


@pytest.mark.parametrize("arguments", [(), ("1-Ada", "--list"), ("1-Ada", "--campaign", "Otters")])
def test_replay_requires_an_attempt_or_the_list_option(
    worked_workspace: Workspace, arguments: tuple[str, ...]
) -> None:
    """Contradictory arguments are a usage error."""
    assert pagetrail("replay", worked_workspace.root, *arguments).exit_code == 2


def test_rebuild_check_finds_damage(worked_workspace: Workspace) -> None:
    """``--check`` fails without changing anything; ``rebuild`` repairs; then the check passes."""
    assert pagetrail("rebuild", worked_workspace.root, "--check").exit_code == 0
    with worked_workspace.engine.connect() as connection, connection.begin():
        connection.execute(
            text("UPDATE attempt_state SET status = 'new' WHERE attempt_id = '1-Ada'")
        )
    check = pagetrail("rebuild", worked_workspace.root, "--check")
    assert check.exit_code == 1
    assert "1 differed from the log: 1-Ada." in check.stderr
    report = json.loads(pagetrail("rebuild", worked_workspace.root, "--json").stdout)
    assert report["differed"] == ["1-Ada"]
    assert report["rewritten"]
    clean = pagetrail("rebuild", worked_workspace.root, "--check")
    assert clean.exit_code == 0
    assert "Every stored state agrees with the log." in clean.stderr


def test_pictures_are_one_line_of_the_table(tmp_path: Path) -> None:
    """Pages are drawn at the dpi asked for, and shown together; what was left out has words."""
    stage = SCENES["verify"](tmp_path / "ws")
    result = pagetrail(
        "export", stage.workspace.root, "--campaign", "Work", "--format", "coco", "--dpi", "72"
    )
    assert result.exit_code == 0
    assert result.stdout.count("images/") == 1
    assert "  1 box: deleted\n" in result.stderr
    out = stage.workspace.root / "exports/Work-coco"
    assert json.loads((out / "manifest.json").read_text("utf-8"))["choices"] == {
        "dpi": 72,
        "submission": "first",
    }
    refused = pagetrail(
        "export", stage.workspace.root, "--campaign", "Work", "--format", "coco", "--dpi", "9"
    )
    assert isinstance(refused.exception, PagetrailError)
    assert "24 to 300 dpi" in refused.exception.message


def test_every_format_is_explained() -> None:
    """The help has a line for each format."""
    text = " ".join(pagetrail("export", "--help").stdout.replace("│", " ").split())
    for name, format_ in FORMATS.items():
        assert f"{name}: {format_.summary}" in text
