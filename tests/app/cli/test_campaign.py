"""``pagetrail campaign`` and ``campaigns --archived``, as a person or a script runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from pagetrail.annotation.errors import ConflictError, NotFoundError, ProtocolError
from pagetrail.annotation.protocols.protocol import parse
from pagetrail.app.cli.campaigns import campaign
from pagetrail.app.cli.campaigns import campaign_list as campaigns
from pagetrail.storage.campaigns.guidelines import guidelines_of
from pagetrail.storage.campaigns.lookup import list_campaigns, protocol_of_campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, import_files
from tests.contract.test_keys import CLAIMING
from tests.storage.task_data import add_people, register_documents, task, write_jsonl
from tests.support.factory import make_workspace, record_attempts

program = typer.Typer()
for command in (campaign, campaigns):
    command.register(program)
runner = CliRunner()


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def files(workspace: Workspace, tmp_path: Path) -> list[str]:
    """A file of two good tasks, and one with a bad row in line 2."""
    register_documents(workspace)
    good = write_jsonl(tmp_path / "a.jsonl", [task(1), task(2)])
    bad = write_jsonl(tmp_path / "b.jsonl", [task(3), {"id": "q9"}])
    return [str(good), str(bad)]


def _run(workspace: Workspace, *arguments: str) -> Result:
    return runner.invoke(program, ["campaign", str(workspace.root), *arguments])


def test_a_campaign_is_made_with_its_settings(workspace: Workspace, files: list[str]) -> None:
    """Settings, overlap, batch size and seed reach it; a second run of the same line is refused."""
    line = ["create", "New", files[0], "--protocol", "search", "--overlap", "2", "--batch-size",
            "1", "--seed", "5", "--set", "search.top_k=9", "--no-assign", "--json"]  # fmt: skip
    creation = _run(workspace, *line)
    assert creation.exit_code == 0, creation.stderr
    (report,) = json.loads(creation.stdout)
    assert (report["file"], report["imported"]) == ("a.jsonl", 2)
    (campaign,) = list_campaigns(workspace)
    assert (campaign.batches, campaign.overlap, campaign.seed, campaign.assignments) == (2, 2, 5, 0)
    second_creation = _run(workspace, *line)
    assert isinstance(second_creation.exception, ConflictError)
    assert list_campaigns(workspace)[0].tasks == 2


def test_bad_row_stops_the_import_by_default(workspace: Workspace, files: list[str]) -> None:
    """Exit code 1 and nothing stored; with --skip-bad the good rows of both files."""
    refused = _run(workspace, "create", "New", *files)
    assert refused.exit_code == 1
    assert "b.jsonl:" in refused.stderr
    assert "Nothing was imported: 1 bad row." in refused.stderr
    assert list_campaigns(workspace) == []
    assert _run(workspace, "create", "New", *files, "--skip-bad").exit_code == 0
    assert list_campaigns(workspace)[0].tasks == 3


def test_unknown_setting_is_named(workspace: Workspace, files: list[str]) -> None:
    """Nothing is made with half the settings."""
    for change in ("search.topk=3", "search.top_k=0"):
        result = _run(workspace, "create", "New", files[0], "--set", change)
        assert isinstance(result.exception, ProtocolError)
        assert change.partition("=")[0] in result.exception.message
    assert list_campaigns(workspace) == []


def test_the_life_of_a_campaign(workspace: Workspace, files: list[str]) -> None:
    """Closed, archived with open work only when told so, listed on demand, reopened."""
    add_people(workspace, ["Ada"])
    assert _run(workspace, "create", "New", files[0]).exit_code == 0
    closed = _run(workspace, "close", "New", "--json")
    assert json.loads(closed.stdout)["open"]["left"] == 2
    assert "Open work can be finished: 1 assigned batch with 2 tasks left (Ada)." in closed.stderr
    assert isinstance(_run(workspace, "close", "New").exception, ConflictError)
    assert isinstance(_run(workspace, "archive", "New").exception, ConflictError)
    archived = _run(workspace, "archive", "New", "--unfinished", "--json")
    assert json.loads(archived.stdout)["status"] == "archived"
    ws = str(workspace.root)
    listing = runner.invoke(program, ["campaigns", ws, "--json"])
    assert json.loads(listing.stdout) == []
    all_of_them = runner.invoke(program, ["campaigns", ws, "--archived"])
    assert "New (archived)" in all_of_them.stdout
    assert json.loads(_run(workspace, "reopen", "New", "--json").stdout)["status"] == "open"
    assert isinstance(_run(workspace, "close", "Old").exception, NotFoundError)


def test_guidelines_are_printed_replaced_listed_and_restored(
    workspace: Workspace, files: list[str], tmp_path: Path
) -> None:
    """What is printed can be given back; versions are named so that they can be restored."""
    guidelines_file = tmp_path / "mine.md"
    guidelines_file.write_text("# Mine\n", encoding="utf-8")
    assert (
        _run(workspace, "create", "New", files[0], "--guidelines", str(guidelines_file)).exit_code
        == 0
    )
    assert _run(workspace, "guidelines", "New").stdout == "# Mine\n"
    assert (
        "have not changed since it was created"
        in _run(workspace, "guidelines", "New", "--versions").stderr
    )
    guidelines_file.write_text("# Other", encoding="utf-8")
    saved = _run(workspace, "guidelines", "New", "--from", str(guidelines_file))
    assert "The guidelines of New are saved." in saved.stderr
    unchanged_save = _run(workspace, "guidelines", "New", "--from", str(guidelines_file))
    assert "unchanged" in unchanged_save.stderr
    versions = json.loads(_run(workspace, "guidelines", "New", "--versions", "--json").stdout)
    assert [(v["by"], v["in_force"]) for v in versions] == [
        ("command line", True),
        ("original", False),
    ]
    assert versions[1]["id"] in _run(workspace, "guidelines", "New", "--versions").stdout
    restored = _run(workspace, "guidelines", "New", "--restore", versions[1]["id"], "--json")
    assert json.loads(restored.stdout)["text"] == "# Mine\n"
    assert guidelines_of(workspace, "New").text == "# Mine\n"
    conflicting_options = _run(workspace, "guidelines", "New", "--versions", "--restore", "x")
    assert conflicting_options.exit_code == 2
    assert isinstance(
        _run(workspace, "guidelines", "New", "--restore", "x").exception, NotFoundError
    )


def test_screen_keys_taken_by_a_stored_protocol_are_reported(
    workspace: Workspace, files: list[str]
) -> None:
    """Beside the list, not in it: they are sentences on standard error."""
    campaign_import = CampaignImport(
        campaign="Keys", protocol=parse(CLAIMING, source="keys.toml"), assign=False
    )
    import_files(workspace, None, [Path(files[0])], campaign_import)
    listing = runner.invoke(program, ["campaigns", str(workspace.root), "--json"])
    assert json.loads(listing.stdout)[0]["name"] == "Keys"
    assert "Keys: The key W chooses “Well” in “Fits”" in listing.stderr


def test_skipped_tasks_are_not_listed_as_submitted(tmp_path: Path) -> None:
    """Two people answered and one found nothing; a fourth attempt was skipped."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    (row,) = json.loads(runner.invoke(program, ["campaigns", str(workspace.root), "--json"]).stdout)
    assert (row["submitted"], row["skipped"]) == (3, 1)
    table = runner.invoke(program, ["campaigns", str(workspace.root)]).stdout
    assert "skipped" in table


def test_the_review_rule_and_the_overlap_are_changed_later(
    workspace: Workspace, files: list[str]
) -> None:
    """Printed without a change; changed one by one; what annotators see is refused."""
    _run(workspace, "create", "New", files[0], "--overlap", "2", "--no-assign")
    assert "review.accept" in _run(workspace, "settings", "New").stdout
    line = ["settings", "New", "--set", "review.accept=majority", "--set", "overlap=3"]
    result = _run(workspace, *line)
    assert (
        'review.accept: "agreed" → "majority"' in result.stderr
        and "overlap: 2 → 3" in result.stderr
    )
    report = json.loads(_run(workspace, *line, "--json").stdout)
    assert report["changed"] == [] and report["settings"]["overlap"] == 3
    assert list_campaigns(workspace)[0].open_places == 3
    checks = ["settings", "New", "--set", "quality.repeat_rate=0.1"]
    preview = " ".join(_run(workspace, *checks, "--preview").stderr.split())
    assert "still to be assigned" in preview and "first batch is smaller" in preview
    assert protocol_of_campaign(workspace, "New").quality.repeat_rate == 0
    assert "quality.repeat_rate: 0.0 → 0.1" in _run(workspace, *checks).stderr
    refused = _run(workspace, "settings", "New", "--set", "search.top_k=3")
    assert isinstance(refused.exception, ProtocolError)
