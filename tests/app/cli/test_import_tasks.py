"""The commands for tasks, people and assignments, as a person or a script runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError, WorkspaceError
from pagetrail.app.cli.campaigns import campaign_list as campaigns
from pagetrail.app.cli.operations import register_operation
from pagetrail.app.cli.workspaces import users
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import accounts as people
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

PASSWORD = "correct horse"
program = typer.Typer()
register_operation(program, "import-tasks")
register_operation(program, "assign")
for command in (campaigns, users):
    command.register(program)
runner = CliRunner()


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(users.PASSWORD_VARIABLE, raising=False)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def tasks(workspace: Workspace, tmp_path: Path) -> Path:
    """A file of four good tasks and one that names a page too many, in line 3."""
    register_documents(workspace)
    rows = [task(n) for n in range(4)]
    rows.insert(2, task(9, evidence=[{"document": "report.pdf", "page": 12}]))
    return write_jsonl(tmp_path / "tasks.jsonl", rows)


def test_bad_rows_are_listed_and_nothing_is_imported(workspace: Workspace, tasks: Path) -> None:
    """Line, id and reason on standard error; exit code 1; standard output stays empty."""
    arguments = ["import-tasks", str(workspace.root), str(tasks), "--campaign", "Pilot"]
    result = runner.invoke(program, arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    messages = re.sub(r"\s+", " ", re.sub("[│┃]", "", result.stderr))
    assert (
        "3 q9 evidence[0]: page 12 of report.pdf does not exist: the document has 9 pages"
        in messages
    )
    assert "Nothing was imported: 1 bad row." in messages
    assert list_campaigns(workspace) == []


def test_the_good_rows_come_in_with_skip_bad_and_the_report_is_json(
    workspace: Workspace, tasks: Path
) -> None:
    """All options reach the import; standard output holds the report alone."""
    add_people(workspace, ["Ada", "Bob", "Cy"])
    result = runner.invoke(
        program,
        ["import-tasks", str(workspace.root), str(tasks), "--campaign", "Pilot", "--protocol",
         "search", "--batch-size", "3", "--overlap", "2", "--seed", "11", "--set",
         "search.top_k=10", "--set", "title=Find [it]", "--skip-bad", "--json"],
    )  # fmt: skip
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert report["imported"] == 4
    assert report["batches"] == ["Aquarius", "Orion"]
    assert report["gold_kinds"] == {"comparable": 4, "prose": 0}
    assert report["bad"] == [
        {
            "line": 3,
            "id": "q9",
            "reason": "evidence[0]: page 12 of report.pdf does not exist: the document has 9 pages",
        }
    ]
    assert len(report["assigned"]["created"]) == 4
    assert "4 tasks in 2 batches (Aquarius, Orion) imported into campaign Pilot." in result.stderr
    (campaign,) = list_campaigns(workspace)
    assert (campaign.seed, campaign.overlap, campaign.assignments) == (11, 2, 4)


def test_guidelines_come_from_a_file(workspace: Workspace, tasks: Path, tmp_path: Path) -> None:
    """Markdown in UTF-8 is taken; a file that is none stops the import."""
    arguments = ["import-tasks", str(workspace.root), str(tasks), "--campaign", "P", "--skip-bad"]
    bad = tmp_path / "bad.md"
    for content in (b"\xff\xfe", b"a\0b"):
        bad.write_bytes(content)
        result = runner.invoke(program, [*arguments, "--guidelines", str(bad)])
        assert isinstance(result.exception, InputFileError)
    absent = runner.invoke(program, [*arguments, "--guidelines", str(tmp_path / "absent.md")])
    assert isinstance(absent.exception, InputFileError)
    assert list_campaigns(workspace) == []
    good = tmp_path / "good.md"
    good.write_text("# Règles\n", encoding="utf-8")
    assert runner.invoke(program, [*arguments, "--guidelines", str(good)]).exit_code == 0


@pytest.mark.parametrize("change", ["search.top_k", "=5", ""])
def test_a_setting_needs_key_and_value(workspace: Workspace, tasks: Path, change: str) -> None:
    """A slip in --set is a usage error, not an import with half the settings."""
    result = runner.invoke(
        program,
        ["import-tasks", str(workspace.root), str(tasks), "--campaign", "P", "--set", change],
    )
    assert result.exit_code == 2
    assert "KEY=VALUE" in result.stderr


def test_users_are_added_listed_and_deactivated(workspace: Workspace) -> None:
    """The life of an account by commands; passwords are never shown."""
    ws = str(workspace.root)
    added = runner.invoke(
        program,
        ["users", ws, "add", "Ada [x]", "--role", "annotator", "--password-stdin"],
        input=PASSWORD + "\r\n",
    )
    assert added.exit_code == 0, added.stderr
    assert "Ada [x] can sign in as annotator; pseudonym in exports: annotator-01." in added.stderr
    assert people.authenticate(workspace, "Ada [x]", PASSWORD) is not None
    listing = runner.invoke(program, ["users", ws, "list", "--json"])
    (entry,) = json.loads(listing.stdout)
    assert entry == {
        "id": 1,
        "name": "Ada [x]",
        "role": "annotator",
        "pseudonym": "annotator-01",
        "active": True,
        "languages": [],
        "skills": [],
        "group": "",
    }
    assert runner.invoke(program, ["users", ws, "deactivate", "Ada [x]"]).exit_code == 0
    assert people.authenticate(workspace, "Ada [x]", PASSWORD) is None
    table = runner.invoke(program, ["users", ws, "list"])
    assert "Ada [x]" in table.stdout
    assert "no" in table.stdout
    assert runner.invoke(program, ["users", ws, "activate", "Ada [x]"]).exit_code == 0
    assert people.authenticate(workspace, "Ada [x]", PASSWORD) is not None


def test_the_password_is_asked_for_twice(workspace: Workspace) -> None:
    """Two different entries are asked for again; what was typed is not printed."""
    ws = str(workspace.root)
    result = runner.invoke(
        program,
        ["users", ws, "add", "Ada", "--role", "admin"],
        input=f"{PASSWORD}\nother words\n{PASSWORD}\n{PASSWORD}\n",
    )
    assert result.exit_code == 0
    assert "do not match" in result.stderr
    assert PASSWORD not in result.output
    assert people.authenticate(workspace, "Ada", PASSWORD) is not None


def test_the_password_may_come_from_the_environment(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set-up scripts can add people without a terminal, and give new passwords."""
    ws = str(workspace.root)
    monkeypatch.setenv(users.PASSWORD_VARIABLE, PASSWORD)
    assert runner.invoke(program, ["users", ws, "add", "Ada", "--role", "admin"]).exit_code == 0
    monkeypatch.setenv(users.PASSWORD_VARIABLE, "battery staple")
    assert runner.invoke(program, ["users", ws, "password", "Ada"]).exit_code == 0
    assert people.authenticate(workspace, "Ada", PASSWORD) is None
    assert people.authenticate(workspace, "Ada", "battery staple") is not None


def test_invalid_input_adds_nobody(workspace: Workspace) -> None:
    """Unknown roles, taken names, unknown people and missing workspaces are typed errors."""
    ws = str(workspace.root)
    add = ["users", ws, "add", "Ada", "--password-stdin", "--role"]
    assert runner.invoke(program, [*add, "owner"], input=PASSWORD).exit_code == 2
    assert people.list_people(workspace) == []
    assert runner.invoke(program, [*add, "annotator"], input="short").exit_code == 1
    assert people.list_people(workspace) == []
    runner.invoke(program, [*add, "annotator"], input=PASSWORD)
    result = runner.invoke(program, [*add, "admin"], input=PASSWORD)
    assert isinstance(result.exception, ConflictError)
    unknown = runner.invoke(program, ["users", ws, "deactivate", "Eva"])
    assert isinstance(unknown.exception, NotFoundError)
    absent = runner.invoke(program, ["users", ws + "x", "list"])
    assert isinstance(absent.exception, WorkspaceError)


def test_assign_fills_and_reports(workspace: Workspace, tasks: Path) -> None:
    """Batches go to the named people, then to the others; a shortfall is said with the way out."""
    ws = str(workspace.root)
    add_people(workspace, ["Ada", "Bob"])
    runner.invoke(
        program,
        ["import-tasks", ws, str(tasks), "--campaign", "P", "--skip-bad", "--no-assign",
         "--batch-size", "1", "--overlap", "2"],
    )  # fmt: skip
    first = runner.invoke(
        program, ["assign", ws, "--campaign", "P", "--annotator", "Ada", "--json"]
    )
    report = json.loads(first.stdout)
    assert report["loads"] == {"Ada": 4}
    assert set(report["shortfall"].values()) == {1}
    assert "4 batches could not reach the overlap: 1 more annotator needed" in first.stderr
    second = runner.invoke(program, ["assign", ws, "--campaign", "P"])
    assert second.exit_code == 0
    assert re.search(r"Bob\W+4\W+4", second.stdout)
    assert second.stderr == ""
    listing = runner.invoke(program, ["campaigns", ws])
    assert "8 of 8" in listing.stdout
    assert "0 of 8 (0%)" in listing.stdout
    (entry,) = json.loads(runner.invoke(program, ["campaigns", ws, "--json"]).stdout)
    assert (entry["name"], entry["tasks"], entry["assignments"]) == ("P", 4, 8)


def test_an_empty_workspace_says_what_to_do_next(workspace: Workspace) -> None:
    """Lists that are empty point to the command that fills them; JSON stays JSON."""
    ws = str(workspace.root)
    for name, verb, hint in (("campaigns", [], "import-tasks"), ("users", ["list"], "add NAME")):
        result = runner.invoke(program, [name, ws, *verb])
        assert (result.exit_code, result.stdout) == (0, "")
        assert hint in result.stderr
        assert json.loads(runner.invoke(program, [name, ws, *verb, "--json"]).stdout) == []
