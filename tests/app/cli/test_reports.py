"""``pagetrail agreement``, ``metrics`` and ``suspects`` as a person at the terminal meets them."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from pagetrail.annotation.errors import (
    ConflictError,
    InputFileError,
    NotFoundError,
    PagetrailError,
    WorkspaceError,
)
from pagetrail.app.cli import report_output as reporting
from pagetrail.app.cli.main import app
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.report import MetricsOptions
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import list_people
from tests.exports.adjudication import answered
from tests.exports.campaigns import CAMPAIGN
from tests.exports.worked_campaigns import SCENES
from tests.support.factory import TASKS, make_workspace, record_attempts

COMMANDS = ("agreement", "metrics", "suspects")
QUICK = ("--replicates", 50)


def pagetrail(*arguments: object) -> Result:
    """Run the program; its output goes into a pipe."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A campaign of questions that people searched for; only read."""
    workspace = make_workspace(tmp_path_factory.mktemp("searched") / "ws")
    record_attempts(workspace)
    return workspace


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A campaign in which pages were graded; only read."""
    return SCENES["relevance"](tmp_path_factory.mktemp("graded") / "ws").workspace


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_metrics_shows_tables_and_writes_files(searched: Workspace, tmp_path: Path) -> None:
    """Tables on standard output; what was written, and where, in a sentence beside them."""
    out = tmp_path / "out"
    result = pagetrail("metrics", searched.root, "--campaign", "Otters", "--out", out, *QUICK)
    assert result.exit_code == 0, result.output
    assert "Accuracy (%)" in result.stdout
    assert "Humans" in result.stdout
    assert f"Written to {out}: report.html to read" in result.stderr
    assert "Written to" not in result.stdout
    names = set(contents(out))
    assert {"report.html", "report.json", "manifest.json"} <= names
    tables = {name for name in names if name.startswith("tables/")}
    assert {Path(name).suffix for name in tables} == {".csv", ".tex"}
    charts = {name for name in names if name.startswith("charts/")}
    assert {Path(name).suffix for name in charts} == {".svg", ".png", ".pdf"}


def test_metrics_follow_madqas_convention(searched: Workspace, tmp_path: Path) -> None:
    """A file of results as it is, in place of the campaign's attempts, in the paper and by the
    hidden alias; a row that the evaluator would not accept is named.
    """
    question = TASKS[0]["question"]
    results = tmp_path / "bm25.jsonl"
    rows = [{"question": question, "answer": TASKS[0]["answer_variants"][0]}, {"id": "other"}]
    results.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = ("metrics", searched.root, "--campaign", "Otters", "--convention", "madqa", "--json")
    report = json.loads(pagetrail(*command, "--results", results).stdout)
    (table, by_hop) = report["sections"][0]["parts"]
    (row,) = table["rows"]
    values = {name: cell["value"] for name, cell in row["cells"].items()}
    assert (values["participant"], values["n"], values["accuracy"]) == ("bm25", 1, 1)
    assert (values["page_f1"], values["kuiper"]) == (0, None)
    assert len(by_hop["rows"]) == 3
    assert [(entry["reason"], entry["count"]) for entry in report["left_out"]] == [("not_found", 1)]
    out = tmp_path / "paper"
    paper = ("report", searched.root, "--paper", "madqa", "--campaign", "Otters", "--out", out)
    assert pagetrail(*paper, "--results", results, *QUICK).exit_code == 0
    (scored,) = csv.DictReader((out / "tables" / "madqa.csv").open(encoding="utf-8"))
    assert (scored["participant"], scored["n"], float(scored["accuracy"])) == ("bm25", "1", 1)
    assert "Left out: 1 row whose question or id is no task's." in (out / "README.txt").read_text()
    listing = pagetrail("metrics", "--help").stdout
    assert "--results" not in listing and "--convention" not in listing
    rerun = json.loads(pagetrail(*command, "--overwrite").stdout)
    assert rerun["sections"][0]["parts"][0]["rows"][0]["cells"]["participant"]["value"] == "Humans"
    results.write_text('{"question": null}\n', encoding="utf-8")
    refused = pagetrail(*command, "--results", results).exception
    assert isinstance(refused, InputFileError) and "Line 1 of " in refused.message


def test_metrics_by_the_gold_decided_in_review(tmp_path: Path) -> None:
    """Other results, the gold named in the report and the manifest, undecided tasks counted."""
    root = answered(tmp_path / "ws").stage.workspace.root
    command = ("metrics", root, "--campaign", CAMPAIGN, "--json", *QUICK)
    default_run = pagetrail(*command, "--out", tmp_path / "own")
    plain = pagetrail(*command, "--out", tmp_path / "task", "--gold", "task")
    assert default_run.exit_code == plain.exit_code == 0, default_run.output
    assert contents(tmp_path / "own") == contents(tmp_path / "task"), "that is the default"
    out = tmp_path / "decided"
    decided = pagetrail(*command, "--out", out, "--gold", "adjudicated")
    assert decided.exit_code == 0, decided.output
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["choices"]["Gold"].startswith("adjudicated")
    assert manifest["counts"]["Tasks with gold decided in review"] == 3
    (left,) = manifest["left_out"]
    assert (left["what"], left["reason"], left["count"]) == ("task", "no_adjudicated_gold", 1)
    assert json.loads(default_run.stdout)["facts"]["Tasks measured"] == 4
    assert json.loads(decided.stdout)["left_out"] == manifest["left_out"]


def test_metrics_with_annotators_resampled(searched: Workspace, tmp_path: Path) -> None:
    """The report says which units were resampled, and why two annotators have no interval."""
    out = tmp_path / "out"
    options = ("--intervals", "tasks_and_annotators", "--out", out, *QUICK)
    result = pagetrail("metrics", searched.root, "--campaign", "Otters", *options)
    assert result.exit_code == 0, result.output
    assert "fewer than 5 annotators" in " ".join(result.stdout.split())
    report = json.loads((out / "report.json").read_text())
    assert "tasks and annotators resampled" in json.dumps(report)


def test_metrics_with_vectors(searched: Workspace, tmp_path: Path) -> None:
    """Rows that are not used are listed by number; the report names the model."""
    rows = [{"text": "otters", "vector": [1.0, 0.0]}, {"text": "fish", "vector": [1.0]}]
    rows.append({"text": "rivers", "vector": [0.0, 1.0]})
    file = tmp_path / "vectors.parquet"
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata({"model": "m-1"}), file)
    out = tmp_path / "out"
    arguments = ("--campaign", "Otters", "--out", out, *QUICK, "--vectors", file)
    result = pagetrail("metrics", searched.root, *arguments)
    assert result.exit_code == 0, result.output
    assert "has a vector of 1 numbers; the others have 2" in re.sub(r"\s+", " ", result.stderr)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["choices"]["Vectoriser of drift"] == "m-1"


def test_metrics_lists_the_available_gold(searched: Workspace) -> None:
    """A wrong word, and a campaign in which nothing is decided, are sentences."""
    command = ("metrics", searched.root, "--campaign", "Otters", *QUICK)
    for gold, message in (
        ("best", "task, adjudicated"),
        ("adjudicated", "has been decided in review"),
    ):
        refused = pagetrail(*command, "--gold", gold)
        assert isinstance(refused.exception, PagetrailError)
        assert message in refused.exception.message


def test_agreement_shows_tables_and_writes_files(graded: Workspace, tmp_path: Path) -> None:
    """Alpha and AC2 are side by side, each with what there is to say of it."""
    out = tmp_path / "out"
    result = pagetrail("agreement", graded.root, "--campaign", CAMPAIGN, "--out", out, *QUICK)
    assert result.exit_code == 0, result.output
    assert "Pooled" in result.stdout and "Macro" in result.stdout
    assert {"report.html", "report.json", "manifest.json"} <= set(contents(out))
    page = (out / "report.html").read_text("utf-8")
    assert "Gwet&#39;s AC2" in page and "α (ordinal)" in page


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_alone_on_standard_output(
    searched: Workspace, tmp_path: Path, command: str
) -> None:
    """``--json`` prints what is in ``report.json``, and nothing else."""
    out = tmp_path / "out"
    result = pagetrail(
        command, searched.root, "--campaign", "Otters", "--out", out, "--json", *QUICK
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads((out / "report.json").read_text("utf-8"))
    assert json.loads(result.stdout)["kind"] == command


@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_database_gives_the_same_bytes(
    searched: Workspace, tmp_path: Path, command: str
) -> None:
    """Two runs, two folders, no difference."""
    for name in ("one", "two"):
        result = pagetrail(
            command, searched.root, "--campaign", "Otters", "--out", tmp_path / name, *QUICK
        )
        assert result.exit_code == 0, result.output
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_without_a_folder_the_workspace_takes_the_files(tmp_path: Path) -> None:
    """The folder is named after the campaign; there a new report takes the place of the last.

    A folder that was named is asked about, and one that holds other files is left alone.
    """
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    arguments = ("metrics", workspace.root, "--campaign", "Otters", *QUICK)
    assert pagetrail(*arguments).exit_code == 0
    out = workspace.exports_dir / "Otters-metrics"
    before = contents(out)
    assert pagetrail(*arguments).exit_code == 0
    assert contents(out) == before
    assert pagetrail(*arguments, "--seed", 7).exit_code == 0
    after = contents(out)
    assert after.keys() == before.keys() and after != before
    result = pagetrail(*arguments, "--out", out)
    assert isinstance(result.exception, ConflictError)
    assert "--overwrite" in result.exception.message
    assert contents(out) == after
    assert pagetrail(*arguments, "--out", out, "--overwrite").exit_code == 0
    (out / "manifest.json").unlink()
    assert isinstance(pagetrail(*arguments).exception, ConflictError)


def test_used_output_folder_is_refused_before_the_work(
    searched: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for results that could not be written."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(reporting, "open_source", None)
    result = pagetrail("metrics", searched.root, "--campaign", "Otters", "--out", tmp_path)
    assert isinstance(result.exception, ConflictError)
    assert contents(tmp_path) == {"mine.txt": b"mine"}


@pytest.mark.parametrize("command", COMMANDS)
def test_people_are_named_only_when_asked(
    searched: Workspace, tmp_path: Path, command: str
) -> None:
    """Pseudonyms in every file; with ``--identify`` names, and a warning."""
    arguments = (command, searched.root, "--campaign", "Otters", *QUICK)
    if command == "metrics":
        arguments += ("--by-annotator",)
    plain = pagetrail(*arguments, "--out", tmp_path / "plain")
    identified = pagetrail(*arguments, "--out", tmp_path / "named", "--identify")
    assert plain.exit_code == identified.exit_code == 0
    names = [person.name for person in list_people(searched)]
    plain_text, named_text = (
        b"".join(v for k, v in contents(tmp_path / name).items() if not k.endswith(".png"))
        for name in ("plain", "named")
    )
    for name in names:
        # Attempts of the factory are called ``1-Ada``; real ones have random ids.
        name_pattern = rf"(?<![\w-]){name}\b".encode()
        assert not re.search(name_pattern, plain_text)
        assert re.search(name_pattern, named_text)
    assert "under their own names" in identified.stderr
    assert "under their own names" not in plain.stderr


@pytest.mark.parametrize(
    ("command", "arguments", "kind", "message"),
    [
        ("agreement", ("--campaign", "Nobody"), NotFoundError, "Nobody"),
        ("metrics", ("--campaign", "Nobody"), NotFoundError, "Nobody"),
        ("agreement", ("--campaign", "Otters", "--by", "colour"), PagetrailError, "colour"),
        ("metrics", ("--campaign", "Otters", "--by", "colour"), PagetrailError, "colour"),
        ("metrics", ("--campaign", "Otters", "--idle-cap", 61), PagetrailError, "61"),
        ("metrics", ("--campaign", "Otters", "--rule", "coin"), PagetrailError, "coin"),
        ("metrics", ("--campaign", "Otters", "--intervals", "people"), PagetrailError, "people"),
        ("metrics", ("--campaign", "Otters", "--compare", "gpt"), NotFoundError, "gpt"),
        (
            "metrics",
            ("--campaign", "Otters", "--compare", "a", "--compare", "b"),
            NotFoundError,
            "a",
        ),
        ("metrics", ("--campaign", "Otters", "--judgements", "J"), NotFoundError, "J"),
        ("agreement", ("--campaign", "Otters", "--dpi", "-1"), PagetrailError, "-1"),
        ("agreement", ("--campaign", "Otters", "--dpi", "nan"), PagetrailError, "nan"),
    ],
)
def test_mistakes_are_explained(
    searched: Workspace,
    tmp_path: Path,
    command: str,
    arguments: tuple[object, ...],
    kind: type[PagetrailError],
    message: str,
) -> None:
    """What is wrong is named, and no folder is left behind."""
    out = tmp_path / "out"
    result = pagetrail(command, searched.root, *arguments, "--out", out)
    assert isinstance(result.exception, kind), result.output
    assert message in result.exception.message
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "compared"),
    [
        ((), None),
        (("--people-only",), ()),
        (("--compare", "a"), ("a",)),
        (("--compare", "a", "--compare", "b"), ("a", "b")),
        (("--compare", "a", "b", "c", "--by", "domain"), ("a", "b", "c")),
    ],
)
def test_systems_are_named_in_either_way(
    searched: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    compared: tuple[str, ...] | None,
) -> None:
    """One option a system, or all of them behind one; none means all of the campaign's."""
    calls: list[object] = []

    def build(_: Source, options: MetricsOptions) -> None:
        calls.append(options.compare)
        raise NotFoundError("seen")

    monkeypatch.setattr("pagetrail.app.cli.reports.metrics.metrics", build)
    pagetrail("metrics", searched.root, "--campaign", "Otters", *arguments)
    assert calls == [compared]


def test_several_campaigns_are_in_one_report(
    searched: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each that is named beside the first, once, and not the first again."""
    opened: list[str] = []
    for_campaign = Source.for_campaign

    def open_campaign(source: Source, name: str) -> Source:
        opened.append(name)
        return for_campaign(source, "Otters")

    monkeypatch.setattr(Source, "for_campaign", open_campaign)
    options = ("--beside", "Other", "--beside", "Otters", "--beside", "Other")
    pagetrail("metrics", searched.root, "--campaign", "Otters", *options)
    assert opened == ["Other"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--replicates", 1),
        ("--seed", -1),
        ("--people-only", "--compare", "a"),
        ("a",),
        ("--idle-cap", "long"),
    ],
)
def test_options_that_cannot_be_are_refused(
    searched: Workspace, arguments: tuple[object, ...]
) -> None:
    """Before anything is read; exit code 2 as of every mistyped call."""
    result = pagetrail("metrics", searched.root, "--campaign", "Otters", *arguments)
    assert result.exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_missing_workspace_is_reported(tmp_path: Path, command: str) -> None:
    """A folder that is none."""
    result = pagetrail(command, tmp_path, "--campaign", "Otters")
    assert isinstance(result.exception, WorkspaceError)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_campaign_without_work_has_a_report(tmp_path: Path, command: str) -> None:
    """Nothing is undefined as 0: the tables say that there is nothing."""
    workspace = make_workspace(tmp_path / "ws")
    out = tmp_path / "out"
    result = pagetrail(command, workspace.root, "--campaign", "Otters", "--out", out, *QUICK)
    assert result.exit_code == 0, result.output
    assert (out / "report.html").is_file()
    assert "nan" not in (out / "report.json").read_text("utf-8").lower().split('"')


@pytest.mark.parametrize("command", COMMANDS)
def test_an_interruption_leaves_no_folder(
    searched: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Ctrl-C while charts are drawn."""

    def interrupted(*_: object, **__: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("pagetrail.exports.reports.render.report_folder.png", interrupted)
    monkeypatch.setattr("pagetrail.exports.reports.render.report_folder.html_text", interrupted)
    out = tmp_path / "out"
    result = pagetrail(command, searched.root, "--campaign", "Otters", "--out", out, *QUICK)
    assert result.exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_paper_is_refused(searched: Workspace, tmp_path: Path) -> None:
    """Nothing is written."""
    command = ("report", searched.root, "--campaign", "Otters", "--out", tmp_path / "o")
    refused = pagetrail(*command, "--paper", "nature")
    assert isinstance(refused.exception, PagetrailError)
    assert refused.exception.code == "invalid_paper"
    assert not (tmp_path / "o").exists()
