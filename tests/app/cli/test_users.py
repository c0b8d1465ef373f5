"""``pagetrail users``: roles, many people at once, and the log of who did what."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import (
    ConflictError,
    InputFileError,
    MailError,
    NotFoundError,
    OutputError,
)
from pagetrail.app.cli.workspaces import users
from pagetrail.storage.campaigns.pay_rates import stored_rates
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people.absences import absence_of
from pagetrail.storage.people.email_addresses import address_of
from pagetrail.storage.people.identities import Identity, connect_identity, identities_of
from tests.storage.batches.campaign_work import CAMPAIGN, make_campaign

PASSWORD = "correct horse"
program = typer.Typer()
users.register(program)
program.callback()(lambda: None)
runner = CliRunner()


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_a_connected_sign_in_is_listed_and_removed(workspace: Workspace) -> None:
    """Only the named one goes, noted in the audit log; one that is not there is an error."""
    ws = str(workspace.root)
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD)
    kept, removed = (Identity("https://login.example", subject) for subject in ("s-1", "s-2"))
    for identity in (kept, removed):
        connect_identity(workspace, ada, identity, "annotator", clock=SystemClock())
    listed = runner.invoke(program, ["users", ws, "sign-ins", "ada", "--json"])
    assert {row["subject"] for row in json.loads(listed.stdout)} == {"s-1", "s-2"}
    elsewhere = ["--remove", "s-2", "--issuer", "https://other.example"]
    refused = runner.invoke(program, ["users", ws, "sign-ins", "Ada", *elsewhere])
    assert isinstance(refused.exception, NotFoundError)
    result = runner.invoke(program, ["users", ws, "sign-ins", "Ada", "--remove", "s-2"])
    assert result.exit_code == 0, result.stderr
    assert "s-2 of https://login.example no longer signs in as Ada" in result.stderr
    assert [entry.identity for entry in identities_of(workspace, ada)] == [kept]
    log = json.loads(runner.invoke(program, ["users", ws, "audit", "--json"]).stdout)
    assert log[0]["action"] == "identity_removed"


def test_a_role_is_changed_and_noted(workspace: Workspace) -> None:
    """The role holds, the pseudonym stays, the audit log names the command line."""
    ws = str(workspace.root)
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    changed = runner.invoke(program, ["users", ws, "role", "ada", "admin"])
    assert changed.exit_code == 0, changed.stderr
    assert "Ada now has the role admin; the pseudonym is still annotator-01." in changed.stderr
    assert people.find_person(workspace, "Ada").role == "admin"
    refused = runner.invoke(program, ["users", ws, "role", "Ada", "annotator"])
    assert isinstance(refused.exception, ConflictError)
    assert runner.invoke(program, ["users", ws, "role", "Ada", "boss"]).exit_code == 2
    log = runner.invoke(program, ["users", ws, "audit", "--json"])
    assert [
        (entry["actor"], entry["action"], entry["detail"]) for entry in json.loads(log.stdout)
    ] == [("command line", "role_changed", "Ada: annotator → admin")]


def test_a_person_is_renamed_mapped_and_anonymised(workspace: Workspace, tmp_path: Path) -> None:
    """The mapping is a private file and never replaces one; anonymising asks unless told not to."""
    ws, out = str(workspace.root), tmp_path / "mapping.csv"
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    renamed = runner.invoke(program, ["users", ws, "rename", "ada", "Ada L."])
    assert renamed.exit_code == 0, renamed.stderr
    assert "the pseudonym is still annotator-01" in renamed.stderr
    assert runner.invoke(program, ["users", ws, "mapping", str(out)]).exit_code == 0
    assert out.read_text("utf-8") == "\ufeffpseudonym,name,role\nannotator-01,Ada L.,annotator\n"
    assert out.stat().st_mode & 0o077 == 0
    repeated_mapping = runner.invoke(program, ["users", ws, "mapping", str(out)])
    assert isinstance(repeated_mapping.exception, OutputError)
    assert runner.invoke(program, ["users", ws, "anonymise", "Ada L."], input="n\n").exit_code == 1
    assert people.find_person(workspace, "Ada L.").active
    assert runner.invoke(program, ["users", ws, "anonymise", "Ada L.", "--yes"]).exit_code == 0
    log = runner.invoke(program, ["users", ws, "audit", "--json"])
    assert [(entry["action"], entry["detail"]) for entry in json.loads(log.stdout)] == [
        ("user_anonymised", "annotator-01"),
        ("mapping_exported", ""),
        ("user_renamed", "annotator-01"),
    ]


def test_people_are_added_from_a_file_or_standard_input(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Good lines are added with working passwords, bad ones listed; exit code 1 where any is."""
    ws = str(workspace.root)
    team = tmp_path / "team.txt"
    team.write_text("Ada\nBob,supervisor\nCleo,boss\n", encoding="utf-8-sig")
    result = runner.invoke(program, ["users", ws, "add-many", str(team), "--json"])
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert [(added_person["name"], added_person["role"]) for added_person in report["added"]] == [
        ("Ada", "annotator"),
        ("Bob", "supervisor"),
    ]
    assert report["bad"] == [
        {
            "line": 3,
            "text": "Cleo,boss",
            "reason": "There is no role 'boss'. Roles: annotator, supervisor, admin.",
        }
    ]
    assert "2 of 3 people added." in result.stderr
    for added_person in report["added"]:
        assert (
            people.authenticate(workspace, added_person["name"], added_person["password"])
            is not None
        )
    piped = runner.invoke(program, ["users", ws, "add-many", "-"], input="Dan\n")
    assert piped.exit_code == 0
    assert "Dan" in piped.stdout
    assert "not shown again" in piped.stderr
    log = runner.invoke(program, ["users", ws, "audit", "--about", "Dan"])
    assert "user_added" in log.stdout
    assert not [
        added_person
        for added_person in report["added"]
        if added_person["password"] in runner.invoke(program, ["users", ws, "audit"]).stdout
    ]


def test_unreadable_people_file_is_explained(workspace: Workspace, tmp_path: Path) -> None:
    """Absent, a folder, not UTF-8: named, and nobody is added."""
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfeA")
    for path in (bad, tmp_path / "absent.txt", tmp_path):
        result = runner.invoke(program, ["users", str(workspace.root), "add-many", str(path)])
        assert isinstance(result.exception, InputFileError)
        assert str(path) in result.exception.message
    assert people.list_people(workspace) == []


def test_a_profile_has_an_address_and_an_absence(workspace: Workspace) -> None:
    """Both are stored, stay where they are not given, and are removed; bad ones store nothing."""
    ws = str(workspace.root)
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    profile = ["users", ws, "profile", "Ada"]
    options = ["--email", "ada@example.org", "--away", "2026-12-01/2026-12-24", "--group", "north"]
    result = runner.invoke(program, [*profile, *options])
    assert (result.exit_code, " ".join(result.output.split())) == (
        0, "Ada: group north; e-mail ada@example.org; away 2026-12-01/2026-12-24."
    )  # fmt: skip
    assert runner.invoke(program, [*profile, "--skill", "charts"]).exit_code == 0
    days = (date(2026, 12, 1), date(2026, 12, 24))
    assert (address_of(workspace, "Ada"), absence_of(workspace, "Ada")) == ("ada@example.org", days)
    for bad in ("soon", "2026-12-01", "2026-12-24/2026-12-01"):
        assert runner.invoke(program, [*profile, "--away", bad]).exit_code != 0
    assert isinstance(runner.invoke(program, [*profile, "--email", "ada"]).exception, MailError)
    assert (address_of(workspace, "Ada"), absence_of(workspace, "Ada")) == ("ada@example.org", days)
    assert runner.invoke(program, [*profile, "--email", "", "--away", ""]).exit_code == 0
    assert (address_of(workspace, "Ada"), absence_of(workspace, "Ada")) == ("", None)


def test_what_a_campaign_pays(workspace: Workspace) -> None:
    """Set, shown, used by ``hours``, and removed; a rate that is none is a usage error."""
    make_campaign(workspace)
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    rate = ["users", str(workspace.root), "rate", CAMPAIGN]
    assert "has no rates" in runner.invoke(program, rate).stderr
    result = runner.invoke(
        program, [*rate, "0.5", "--per", "task", "--currency", "eur", "--person", "ada", "--json"]
    )
    assert json.loads(result.stdout) == [
        {"campaign": CAMPAIGN, "person": "Ada", "amount": "0.5", "per": "task", "currency": "EUR"}
    ]
    assert runner.invoke(program, [*rate, "much", "--currency", "EUR"]).exit_code == 2
    assert runner.invoke(program, [*rate, "none", "--person", "Ada"]).exit_code == 0
    assert not stored_rates(workspace)


def test_hours_between_two_days(workspace: Workspace) -> None:
    """Days as people write them; one that does not exist is a usage error that says the form."""
    make_campaign(workspace)
    hours = ["users", str(workspace.root), "hours", "--json", "--from"]
    result = runner.invoke(program, [*hours, "2026-11-30", "--to", "2026-12-01"])
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])
    wrong = runner.invoke(program, [*hours, "2026-11-31"])
    assert wrong.exit_code == 2
    assert (
        "'2026-11-31' is no day. Give it as" in wrong.stderr and "Value error" not in wrong.stderr
    )
