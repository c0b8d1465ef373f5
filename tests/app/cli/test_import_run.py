"""``pagetrail import-run`` from the entry point, and where an imported run shows afterwards."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pagetrail.annotation.errors import ConflictError
from pagetrail.app.cli import operations
from pagetrail.app.cli.main import app
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import list_people
from tests.app.screens import at_screen
from tests.storage.importers.runs.run_data import (
    atif,
    bare,
    eval_log,
    madqa,
    run,
    sample,
    write_json,
)
from tests.storage.task_data import add_people, write_jsonl
from tests.support.factory import make_workspace, record_attempts

runner = CliRunner()


@pytest.fixture
def otters(tmp_path: Path) -> Workspace:
    """Four tasks, two people and their work."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    return workspace


def call(*words: object) -> Result:
    """A command as it is typed."""
    return runner.invoke(app, [*map(str, words)], env={"COLUMNS": "160"})


def imported(workspace: Workspace, path: Path, *more: object) -> Result:
    """``import-run`` as the system ``agent``."""
    return call(
        "import-run", workspace.root, path, "--campaign", "Otters", "--system", "agent", *more
    )


def flat(text: str) -> str:
    """Output without the lines of tables."""
    return re.sub(r"\s+", " ", re.sub("[│┃]", "", text))


def test_report_lists_imported_and_rejected_rows(otters: Workspace, tmp_path: Path) -> None:
    """Lines with reasons, warnings, counts; standard output stays empty; exit code 0."""
    rows = [madqa(), bare("t/9"), bare("t/2", citations=[{"file": "c.pdf", "page": 1}])]
    result = imported(otters, write_jsonl(tmp_path / "r.jsonl", rows))
    assert (result.exit_code, result.stdout) == (0, "")
    messages = flat(result.stderr)
    assert "2 t/9 r.jsonl campaign Otters has no task 't/9'" in messages
    assert "3 t/2 r.jsonl cites a page that does not exist" in messages
    assert "2 runs of agent (madqa) imported into campaign Otters, with 1 search and 2" in messages
    assert "1 left out." in messages and "1 without times" in messages


def test_the_report_is_json_alone_on_standard_output(otters: Workspace, tmp_path: Path) -> None:
    """Counts, lines and reasons; a second import says that everything is there, with code 0."""
    path = write_jsonl(tmp_path / "r.jsonl", [madqa(), bare("t/9")])
    report = json.loads(imported(otters, path, "--json").stdout)
    assert (report["imported"], report["already_there"], report["format"]) == (1, 0, "madqa")
    assert [(n["line"], n["id"], n["file"]) for n in report["left_out"]] == [(2, "t/9", "r.jsonl")]
    repeated_import = imported(otters, path, "--json")
    assert repeated_import.exit_code == 0
    assert json.loads(repeated_import.stdout)["already_there"] == 1


@pytest.mark.parametrize("form", ["inspect", "atif"])
def test_other_formats_from_the_command_line(otters: Workspace, tmp_path: Path, form: str) -> None:
    """Told by their content, or named."""
    if form == "atif":
        path = write_json(tmp_path / "t.json", atif())
    else:
        path = eval_log(tmp_path / "l.eval", [sample()])
    for more in ((), ("--format", form)):
        result = imported(otters, path, "--json", *more)
        assert result.exit_code == 0 and json.loads(result.stdout)["format"] == form


def test_strict_and_nothing_to_import_end_with_code_1(otters: Workspace, tmp_path: Path) -> None:
    """With a sentence, and nothing is stored."""
    mixed = write_jsonl(tmp_path / "r.jsonl", [bare(), bare("t/9")])
    result = imported(otters, mixed, "--strict")
    assert result.exit_code == 1
    assert "Nothing was imported: 1 line would be left out" in flat(result.stderr)
    bad = write_jsonl(tmp_path / "b.jsonl", [bare("t/9")])
    assert imported(otters, bad).exit_code == 1
    assert [p.name for p in list_people(otters)] == ["Ada", "Grace"]


def test_replay_shows_the_run(otters: Workspace, tmp_path: Path) -> None:
    """Where it is from and what it did; without times, no times are made up."""
    history: list[dict[str, Any]] = [{"query": "otters", "num_results": 3}]
    rows = [madqa(), bare("t/2", search_history=history)]
    imported(otters, write_jsonl(tmp_path / "r.jsonl", rows))
    attempts = json.loads(call("replay", otters.root, "--list", "--json").stdout)
    ids = {row["task"]: row["id"] for row in attempts if row["user"] == "agent"}
    timed = flat(call("replay", otters.root, ids["t/1"]).stdout)
    assert "Imported run of model-1: record 1 of r.jsonl" in timed
    assert "0:00:02.0 Searched for “otters”: 2 shown" in timed
    assert "Called calculator with" in timed and "wall, first to last event 0:00:09.0" in timed
    untimed = call("replay", otters.root, ids["t/2"])
    assert "– Searched for “otters”: results unknown" in flat(untimed.stdout)
    assert "0:00" not in untimed.stdout
    assert json.loads(call("replay", otters.root, ids["t/2"], "--json").stdout)["timing"] is None
    assert "does not say when" in untimed.stderr


def test_systems_get_no_batches(otters: Workspace, tmp_path: Path) -> None:
    """It is among the accounts with its role; batches and progress are people's alone."""
    progress = json.loads(call("campaigns", otters.root, "--json").stdout)
    imported(otters, write_jsonl(tmp_path / "r.jsonl", [bare(f"t/{n}") for n in range(1, 5)]))
    accounts = call("users", otters.root, "list").stdout
    assert re.search(r"agent +│ system", accounts)
    assignment = call("assign", otters.root, "--campaign", "Otters")
    assert assignment.exit_code == 0 and "agent" not in assignment.stdout
    refused = call("assign", otters.root, "--campaign", "Otters", "--annotator", "agent")
    assert isinstance(refused.exception, ConflictError)
    assert "batches go to annotators" in refused.exception.message
    assert json.loads(call("campaigns", otters.root, "--json").stdout) == progress


def test_the_trajectory_page_opens_imported_runs(
    otters: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """Without an assigned batch, without times, with pages that do not exist."""
    add_people(otters, ["sven"], role="supervisor")
    cited = [{"file": "gone.pdf", "page": 7}]
    run(otters, write_jsonl(tmp_path / "r.jsonl", [madqa(), bare("t/2", citations=cited)]))
    services = Services(otters)
    wiring.replace_services(services)
    request.addfinalizer(lambda: wiring.replace_services(None))
    at = at_screen(services, "sven", monkeypatch, "trajectory").run()
    opened_runs = {}
    for task in ("t/1", "t/2"):
        at.query_params["attempt"] = _attempt(otters, task)
        at.run()
        assert not at.exception and not at.error
        opened_runs[task] = {metric.label: metric.value for metric in at.metric}
        assert "Imported run" in at.dataframe[0].value["What"][0]
    assert opened_runs["t/1"]["Wall time"] == "9 s" and opened_runs["t/2"]["Wall time"] == "Unknown"
    assert "gone.pdf, page 7" in [text.value for text in at.text]
    at = at.switch_page("views/progress.py").run()
    assert not at.exception
    assert "agent" not in " ".join(str(frame.value) for frame in at.dataframe)


def _attempt(workspace: Workspace, task: str) -> str:
    with workspace.engine.connect() as connection:
        return str(
            connection.exec_driver_sql(
                "select a.id from attempt a join task t on t.id = a.task_id"
                " where t.key = ? and a.assignment_id is null",
                (task,),
            ).scalar_one()
        )


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel has to enforce the limit")
def test_a_file_that_needs_too_much_memory_is_refused(
    otters: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10 MB of empty lists become 400 MB of objects: the command says what to do instead."""
    monkeypatch.setattr(operations, "memory_limit", lambda: 512 << 20)
    rows = '[{"id": "q1", "answer": "x", "trajectory": [' + ",".join(["[[]]"] * 2_000_000) + "]}]"
    (tmp_path / "lists.json").write_text(rows, encoding="utf-8")
    refused = imported(otters, tmp_path / "lists.json", "--format", "madqa")
    assert "needs more than 512 MiB of memory" in str(refused.exception)
    assert "Split the file" in str(refused.exception)
