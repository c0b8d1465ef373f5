"""``pagetrail import-elements`` as a person or a script runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import insert
from typer.testing import CliRunner

from pagetrail.annotation.errors import InputFileError, OutputError
from pagetrail.app.cli.campaigns import campaign_list as campaigns
from pagetrail.app.cli.operations import register_operation
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import make_workspace

program = typer.Typer()
register_operation(program, "import-elements")
register_operation(program, "import-tasks")
campaigns.register(program)
runner = CliRunner()

SAMPLE = """{"test_rules": [
  {"type": "layout", "id": "a", "page": 1, "bbox": [0, 0, 0.5, 0.5], "canonical_class": "Title"},
  {"type": "layout", "id": "b", "page": 4, "bbox": [0, 0, 0.5, 0.5], "canonical_class": "Text"},
  {"type": "layout", "id": "c", "page": 2, "bbox": [0, 0, 1.5, 0.5], "canonical_class": "Text"},
  {"type": "order"}
]}"""


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with ``b.pdf`` of three pages, and two annotators."""
    workspace = make_workspace(tmp_path / "ws")
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    return workspace


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A good element on page 1, one on a page that does not exist, one beyond its page."""
    file = tmp_path / "b.test.json"
    file.write_text(SAMPLE, encoding="utf-8")
    return file


def _run(workspace: Workspace, *arguments: object) -> Any:
    words = ["import-elements", str(workspace.root), *map(str, arguments)]
    return runner.invoke(program, [*words, "--campaign", "Layout"])


def unwrapped(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub("[│┃]", "", text))


def test_bad_elements_are_a_table_and_the_rest_is_imported(
    workspace: Workspace, sample: Path
) -> None:
    """File, line, place and reason on standard error; exit code 0; nothing on standard output."""
    result = _run(workspace, sample)
    assert (result.exit_code, result.stdout) == (0, "")
    messages = unwrapped(result.stderr)
    assert "3 test_rules[1] b page 4 of b.pdf does not exist: the document has 3 pages" in messages
    assert "4 test_rules[2] c bbox: is outside its page" in messages
    assert "Left out because they are not elements: 1 rules of type order." in messages
    assert "Note: Elements of class Title, read as Text: 1." in messages
    assert "1 of 3 elements in 1 file imported." in messages
    assert "1 task in 1 batch (Aquarius) imported into campaign Layout." in messages


def test_the_report_as_json_holds_every_bad_element(workspace: Workspace, tmp_path: Path) -> None:
    """The table stops after fifty rows, the report does not."""
    rows = [{"document": "b.pdf", "page": 9, "rect": [1, 2, 3, 4]}] * 60
    rows.append({"document": "b.pdf", "page": 1, "rect": [1, 2, 3, 4]})
    file = tmp_path / "e.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = _run(workspace, file, "--json", "--no-assign")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert [entry["line"] for entry in report["bad"]] == list(range(1, 61))
    assert set(report["bad"][0]) == {"file", "line", "place", "id", "reason"}
    assert (report["elements"], report["tasks"]["imported"]) == (1, 1)
    assert "records" not in report
    assert "… and 10 more; --json lists all." in unwrapped(result.stderr)
    assert "These batches are not assigned yet." in unwrapped(result.stderr)


def test_nothing_to_import_is_exit_code_1(workspace: Workspace, sample: Path) -> None:
    """When no element is good, and when the campaign has the page already."""
    unusable_import = _run(workspace, sample, "--document", "c.pdf")
    assert unusable_import.exit_code == 1
    assert "Nothing was imported: no element can be used." in unwrapped(unusable_import.stderr)
    assert [campaign.name for campaign in list_campaigns(workspace)] == ["Otters"]
    assert _run(workspace, sample).exit_code == 0
    repeated_import = _run(workspace, sample)
    assert repeated_import.exit_code == 1
    assert "b.pdf#p1 campaign Layout has a task 'b.pdf#p1' already" in unwrapped(
        repeated_import.stderr
    )
    assert "Nothing was imported. Import the other tasks with --skip-bad" in unwrapped(
        repeated_import.stderr
    )


def test_all_options_reach_the_import(workspace: Workspace, sample: Path, tmp_path: Path) -> None:
    """Tasks by document, classes mapped, settings changed, and a task file that imports alike."""
    out = tmp_path / "tasks.jsonl"
    result = _run(
        workspace, sample, "--per", "document", "--map", "Title=Heading", "--protocol", "verify",
        "--set", 'boxes.labels=[{"name": "Heading"}, {"name": "Text"}]', "--set", "overlap=2",
        "--tasks-out", out, "--json",
    )  # fmt: skip
    assert result.exit_code == 0
    (task,) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (task["id"], task["elements"][0]["label"]) == ("b.pdf", "Heading")
    assert json.loads(result.stdout)["tasks"]["batches"] == ["Aquarius"]
    arguments = ["import-tasks", str(workspace.root), str(out), "--campaign", "Copy", "--json"]
    copy = runner.invoke(program, [*arguments, "--protocol", "oracle", "--set", "pages=given"])
    assert copy.exit_code == 0
    assert json.loads(copy.stdout)["warnings"] == []


def test_command_line_mistakes_are_explained(
    workspace: Workspace, sample: Path, tmp_path: Path
) -> None:
    """Files that are not there, outputs that would overwrite, mappings without a sign."""
    missing = _run(workspace, tmp_path / "absent.json")
    assert isinstance(missing.exception, InputFileError)
    overwriting = _run(workspace, sample, "--tasks-out", sample)
    assert isinstance(overwriting.exception, OutputError)
    assert sample.read_text(encoding="utf-8") == SAMPLE
    nowhere = _run(workspace, sample, "--tasks-out", tmp_path / "no" / "t.jsonl")
    assert isinstance(nowhere.exception, OutputError)
    for arguments in (("--map", "Title"), ("--map", "=Text"), ("--set", "x"), ("--per", "word")):
        assert _run(workspace, sample, *arguments).exit_code == 2
    assert [campaign.name for campaign in list_campaigns(workspace)] == ["Otters"]
