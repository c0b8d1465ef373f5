"""The commands for protocols and pilots, and that the page about them is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from starlette.testclient import TestClient
from typer.testing import CliRunner

from pagetrail.annotation.errors import ConflictError, NotFoundError, ProtocolError
from pagetrail.annotation.protocols.lint import lint
from pagetrail.annotation.protocols.protocol import preset, preset_names, with_overrides
from pagetrail.annotation.protocols.text import overview
from pagetrail.app.cli.campaigns import pilot, protocol
from pagetrail.app.cli.operations import register_operation
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks as do_import
from scripts.protocol_reference import reference, with_reference
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

DOCS = Path(__file__).parents[3] / "docs" / "protocols.md"
program = typer.Typer()
register_operation(program, "import-tasks")
register_operation(program, "assign")
for command in (pilot, protocol):
    command.register(program)
runner = CliRunner()


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def blocks(language: str) -> list[str]:
    """The code blocks of that language on the page."""
    return re.findall(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def test_the_list_has_every_preset() -> None:
    """As a table for people and as JSON for programs."""
    listing = runner.invoke(program, ["protocol", "list"])
    assert listing.exit_code == 0
    assert all(f"│ {name} " in listing.stdout for name in preset_names())
    presets = json.loads(runner.invoke(program, ["protocol", "list", "--json"]).stdout)
    assert [entry["name"] for entry in presets] == preset_names()


@pytest.mark.parametrize("name", preset_names())
def test_show_lists_every_field_option_and_key(name: str) -> None:
    """Nothing that is asked is missing from the overview; JSON is the protocol itself."""
    overview_text = runner.invoke(program, ["protocol", "show", name]).stdout
    protocol = preset(name)
    assert overview_text == overview(protocol)
    for spec in protocol.fields:
        assert f"  {spec.name} – {spec.label}\n" in overview_text
        for option in spec.options:
            key = f"[{option.key}] " if option.key else ""
            assert f"      {key}{option.value}" in overview_text
        assert all(f"      {column.name} – " in overview_text for column in spec.columns)
    for label, key in protocol.boxes.keys().items():
        assert f"[{key}] {label}" in overview_text
    as_json = json.loads(runner.invoke(program, ["protocol", "show", name, "--json"]).stdout)
    assert as_json == protocol.model_dump(mode="json")


def test_show_lists_presets_for_an_unknown_name() -> None:
    """An unknown preset and a missing file are typed errors."""
    unknown = runner.invoke(program, ["protocol", "show", "serach"])
    assert isinstance(unknown.exception, NotFoundError)
    assert "relevance" in unknown.exception.message
    absent = runner.invoke(program, ["protocol", "show", "absent.toml"])
    assert isinstance(absent.exception, ProtocolError)


def test_check_names_all_problems_and_fails(tmp_path: Path) -> None:
    """One line a problem on standard error, as JSON on request; exit code 1."""
    file = tmp_path / "mine.toml"
    file.write_text('name = "x"\ntitle = "X"\npages = "giving"\nbrows = true\n', encoding="utf-8")
    result = runner.invoke(program, ["protocol", "check", str(file)])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"{file}:3: pages: must be 'search', 'given' or 'gold', not 'giving'" in result.stderr
    assert f"{file}:4: brows: there is no such key; did you mean 'browse'?" in result.stderr
    assert "2 problems" in result.stderr
    result = runner.invoke(program, ["protocol", "check", str(file), "--json"])
    assert [entry["line"] for entry in json.loads(result.stdout)] == [3, 4]
    file.write_text('name = "x"\ntitle = "X"\n', encoding="utf-8")
    result = runner.invoke(program, ["protocol", "check", str(file), "--json"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """Missing files, folders and other encodings: a sentence each."""
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    for name, message in (("absent.toml", "cannot be read"), ("latin.toml", "is not UTF-8"),
                       (".", "cannot be read")):  # fmt: skip
        result = runner.invoke(program, ["protocol", "check", str(tmp_path / name)])
        assert isinstance(result.exception, ProtocolError)
        assert message in result.exception.message


def test_an_import_with_a_wrong_protocol_says_the_same(
    workspace: Workspace, tmp_path: Path
) -> None:
    """The first problems with their lines, and the command that lists all."""
    register_documents(workspace)
    file = tmp_path / "mine.toml"
    file.write_text("".join(f"key{n} = 1\n" for n in range(5)), encoding="utf-8")
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    result = runner.invoke(
        program,
        ["import-tasks", str(workspace.root), str(tasks), "--campaign", "C", "--protocol",
         str(file)],
    )  # fmt: skip
    assert isinstance(result.exception, ProtocolError)
    assert f"{file}:1: key0: there is no such key" in result.exception.message
    assert "Check the file to see all" in result.exception.message


def test_pilot_shows_who_has_passed(workspace: Workspace, tmp_path: Path) -> None:
    """A table of people, JSON for programs, and a sentence for what is no pilot."""
    register_documents(workspace)
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1), task(2)])
    ws = str(workspace.root)
    creation = runner.invoke(
        program,
        ["import-tasks", ws, str(tasks), "--campaign", "P", "--set", "pilot.enabled=true",
         "--set", "pilot.pass_mark=0.5"],
    )  # fmt: skip
    assert creation.exit_code == 0, creation.stderr
    empty = runner.invoke(program, ["pilot", ws, "--campaign", "P"])
    assert "Nobody has a batch of P yet" in empty.stderr
    add_people(workspace, ["Ada", "Bob"])
    runner.invoke(program, ["assign", ws, "--campaign", "P"])
    result = runner.invoke(program, ["pilot", ws, "--campaign", "P"])
    assert "P: 50 % needed" in result.stdout
    assert re.search(r"Ada +│ Aquarius +│ 0 of 2 +│ 0 of 0 +│ +│ not decided", result.stdout)
    rows = json.loads(runner.invoke(program, ["pilot", ws, "--campaign", "P", "--json"]).stdout)
    assert [(row["user_name"], row["total"], row["passed"]) for row in rows] == [
        ("Ada", 2, None),
        ("Bob", 2, None),
    ]
    do_import(workspace, tasks, campaign="Plain")
    plain = runner.invoke(program, ["pilot", ws, "--campaign", "Plain"])
    assert isinstance(plain.exception, ConflictError)


def test_assign_reports_who_is_skipped_and_why(workspace: Workspace, tmp_path: Path) -> None:
    """In words, and in the report as JSON."""
    register_documents(workspace)
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    do_import(workspace, tasks, campaign="P", settings={"pilot.enabled": True})
    add_people(workspace, ["Ada"])
    ws = str(workspace.root)
    creation = runner.invoke(
        program, ["import-tasks", ws, str(tasks), "--campaign", "W", "--set", "requires=P"]
    )
    assert "Ada gets no batch: Opens when you have passed the pilot “P”." in creation.stderr
    assert "1 annotator will get batches from the next `pagetrail assign`" in creation.stderr
    assert "--decide admit --person NAME --reason WHY" in creation.stderr
    result = runner.invoke(program, ["assign", ws, "--campaign", "W", "--json"])
    assert json.loads(result.stdout)["passed_over"] == {
        "Ada": "Opens when you have passed the pilot “P”."
    }


@pytest.mark.parametrize("entry", ["omega", "=x.jsonl", "omega=", " =x"])
def test_predictions_need_system_and_file(workspace: Workspace, tmp_path: Path, entry: str) -> None:
    """A slip in --predictions is a usage error."""
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    result = runner.invoke(
        program,
        ["import-tasks", str(workspace.root), str(tasks), "--campaign", "J", "--protocol",
         "judge", "--predictions", entry],
    )  # fmt: skip
    assert result.exit_code == 2
    assert "SYSTEM=FILE" in result.stderr


def test_predictions_come_from_files(workspace: Workspace, tmp_path: Path) -> None:
    """Two systems, two tasks per question; an equals sign in a path is no obstacle."""
    register_documents(workspace)
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [task(1)])
    for name in ("a", "b=b"):
        write_jsonl(tmp_path / f"{name}.jsonl", [{"id": "q1", "answer": "x"}])
    result = runner.invoke(
        program,
        ["import-tasks", str(workspace.root), str(tasks), "--campaign", "J", "--protocol",
         "judge", "--predictions", f"a={tmp_path}/a.jsonl", "--predictions",
         f"b={tmp_path}/b=b.jsonl"],
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    assert "2 tasks in 1 batch" in result.stderr


def test_a_page_without_a_place_for_the_reference_is_refused() -> None:
    """The error names the comment that has to be there."""
    with pytest.raises(ValueError, match="has no <!-- generated"):
        with_reference("# A page without it\n")


def test_the_reference_leaves_no_key_unexplained() -> None:
    """Every key has a value and a description, or leads to the table that has them."""
    rows = [line.split(" | ") for line in reference().splitlines() if line.startswith("| `")]
    assert len(rows) > 80
    for key, value, _, description in rows:
        assert value.startswith("see `[") or description.strip("| "), key


def test_the_protocol_on_the_page_runs(
    client: TestClient, services: Services, tmp_path: Path
) -> None:
    """From the text to a submitted task: checked, imported, its rules enforced on the way."""
    toml, *_ = blocks("toml")
    (row, _) = blocks("json")
    assert lint(toml) == []
    file = tmp_path / "chart.toml"
    file.write_text(toml, encoding="utf-8")
    tasks = write_jsonl(tmp_path / "pages.jsonl", [json.loads(row)])
    report = do_import(services.workspace, tasks, campaign="charts", protocol=str(file))
    assert (report.imported, report.bad, report.warnings) == (1, [], [])
    attempt = attempts_of(services, "alma", "charts")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]

    def page(number: int, **fields: Any) -> dict[str, Any]:
        return {"document": "report.pdf", "page": number, **fields}

    def box(name: str, number: int) -> dict[str, Any]:
        return page(number, box=name, rect=[50, 50, 150, 150], label="Chart")

    submission = ("submitted", {"outcome": "completed"})
    steps: list[tuple[str, dict[str, Any], str | None]] = [
        ("box_drawn", box("b-0", 1), "page_takes_no_boxes"),
        ("field_set", page(1, field="chart", value="yes"), None),
        ("field_set", page(2, field="chart", value="perhaps"), "bad_value"),
        ("field_set", page(2, field="chart", value="no"), None),
        ("box_drawn", box("b-1", 2), "page_takes_no_boxes"),
        (*submission, "incomplete"),
        ("box_drawn", box("b-2", 1), None),
        (*submission, "incomplete"),
        ("field_set", {"field": "chart_kind", "box": "b-2", "value": "bar"}, None),
        (*submission, None),
    ]
    for number, (kind, payload, refused) in enumerate(steps):
        reply = send(client, attempt, token, (str(number), kind, payload)).json()
        codes = [refusal["code"] for refusal in reply["refusals"]]
        assert codes == ([refused] if refused else []), (kind, payload, reply)
    assert services.log.state(attempt).status == "submitted"


def test_the_gold_on_the_page_can_be_imported(services: Services, tmp_path: Path) -> None:
    """The example is a good row of a pilot of the relevance protocol."""
    (_, row) = blocks("json")
    tasks = write_jsonl(tmp_path / "pilot.jsonl", [json.loads(row)])
    report = do_import(
        services.workspace,
        tasks,
        campaign="P",
        protocol="relevance",
        settings={"pilot.enabled": True},
    )
    assert (report.imported, report.bad) == (1, [])


def test_the_settings_on_the_page_exist() -> None:
    """Each --set of the page can be set on some preset."""
    page = DOCS.read_text(encoding="utf-8").partition("<!-- generated")[0]
    documented_settings = re.findall(r"--set \"?([a-z_.]+)=([^`\"\s]+)", page)
    assert len(documented_settings) >= 6
    presets = [preset(name) for name in preset_names()]
    for key, value in documented_settings:
        accepting_presets = 0
        for preset_protocol in presets:
            try:
                with_overrides(preset_protocol, {key: value})
            except ProtocolError:
                continue
            accepting_presets += 1
        assert accepting_presets, key


def test_show_states_the_review_rule() -> None:
    """What becomes gold automatically, how near is near enough, and which pages stay."""
    overview_text = overview(
        with_overrides(preset("relevance"), {"review": {"people": 3, "steps": 1, "boxes": 0.7}})
    )
    assert "once 3 people have submitted and all agree, 10 % of that is checked" in overview_text
    assert "boxes from IoU 0.7, scales up to 1 step apart" in overview_text
    assert "a page stays if 2 annotators marked it" in overview_text
    overview_without_rule = overview(
        with_overrides(preset("search"), {"review": {"accept": "off", "keep": 1}})
    )
    assert "review      every task is looked at" in overview_without_rule
    assert "agree:" not in overview_without_rule
    assert "a page stays if 1 annotator marked it" in overview_without_rule
