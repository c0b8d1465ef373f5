"""``pagetrail batches`` and ``assign``: each act by command, its JSON, and its note in the log."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.app.cli.main import app as program
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.tables import Batch
from pagetrail.storage.database.workspace import Workspace
from tests.storage.batches.campaign_work import CAMPAIGN, hand_in, make_campaign, slot_of, states
from tests.storage.task_data import add_people
from tests.support.audit_log import audited

runner = CliRunner()


@pytest.fixture
def ready(workspace: Workspace) -> Workspace:
    """Four batches for one person each; Ada and Bob."""
    make_campaign(workspace)
    add_people(workspace, ["Ada", "Bob"])
    return workspace


def run(workspace: Workspace, *arguments: str) -> Any:
    """A ``batches`` command that succeeds; its JSON."""
    command = ["batches", str(workspace.root), *arguments, "--campaign", CAMPAIGN, "--json"]
    result = runner.invoke(program, command)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(workspace: Workspace, *arguments: str) -> PagetrailError:
    """The error of a ``batches`` command."""
    command = ["batches", str(workspace.root), *arguments, "--campaign", CAMPAIGN]
    error = runner.invoke(program, command).exception
    assert isinstance(error, PagetrailError)
    return error


def test_a_batch_by_command(ready: Workspace) -> None:
    """Given, started, withdrawn, given back, moved: rows, JSON and one note per act."""
    assert run(ready, "give", "orion", "ada")["reopened"] is False
    hand_in(ready, slot_of(ready, "Orion", "Ada").assignment_id, 1)
    assert "--begun" not in refused(ready, "take-back", "Orion", "Ada").message
    result = run(ready, "take-back", "Orion", "Ada", "--begun")
    assert (result["batch"], result["annotator"], result["events"]) == ("Orion", "Ada", 1)
    assert run(ready, "give", "Orion", "Ada")["reopened"] is True
    assert run(ready, "move", "Orion", "Ada", "Bob", "--begun")["annotator"] == "Bob"
    assert states(ready) == {("Orion", "Ada", "taken_back"), ("Orion", "Bob", "untouched")}
    assert audited(ready) == [
        ("command line", "batch_given", "Baseline: Orion to Ada"),
        ("command line", "batch_taken_back", "Baseline: Orion from Ada; 1 events kept"),
        ("command line", "batch_given_back", "Baseline: Orion to Ada"),
        ("command line", "batch_moved", "Baseline: Orion from Ada to Bob; 1 events kept"),
    ]


def test_a_single_task_by_command(ready: Workspace) -> None:
    """It becomes a batch of its own, of the other person alone; whoever had it keeps the rest."""
    run(ready, "give", "Orion", "Ada")
    slot = slot_of(ready, "Orion", "Ada")
    ensure_attempts(ready.engine, slot.assignment_id, SystemClock())
    first, second = queries.batch_tasks(ready.engine, slot.assignment_id)
    result = run(ready, "give-task", first.key, "Bob", "--instead-of", "Ada")
    assert (result["task"], result["annotator"], result["instead_of"]) == (first.key, "Bob", "Ada")
    bobs = slot_of(ready, result["batch"], "Bob")
    ensure_attempts(ready.engine, bobs.assignment_id, SystemClock())
    left = [
        queries.batch_tasks(ready.engine, batch_slot.assignment_id) for batch_slot in (slot, bobs)
    ]
    assert [[task.key for task in tasks] for tasks in left] == [[second.key], [first.key]]
    assert audited(ready)[-1][:2] == ("command line", "task_given")


def test_a_deadline_by_command(ready: Workspace) -> None:
    """Set, replaced and removed, each noted; what is no day stores nothing."""
    command = ["batches", str(ready.root), "due", "orion"]

    def due(day: str) -> int:
        return runner.invoke(program, [*command, day, "--campaign", CAMPAIGN]).exit_code

    assert [due("2026-12-01"), due("2026-12-24"), due("tomorrow")] == [0, 0, 2]
    with ready.engine.connect() as connection:
        query = select(Batch.due_on).where(Batch.code_name == "Orion")
        assert connection.execute(query).scalar_one() == "2026-12-24"
    assert due("none") == 0
    with ready.engine.connect() as connection:
        assert connection.execute(query).scalar_one() is None
    assert [action for _, action, _ in audited(ready)].count("batch_due") == 3


def test_refused_commands_change_nothing(ready: Workspace) -> None:
    """What is not done is not noted as done."""
    run(ready, "give", "Orion", "Ada")
    before = audited(ready)
    assert isinstance(refused(ready, "give", "Orion", "Bob"), ConflictError)
    assert isinstance(refused(ready, "take-back", "Orion", "Bob"), NotFoundError)
    assert isinstance(refused(ready, "move", "Orion", "Ada", "Zoe"), NotFoundError)
    assert refused(ready, "priority", "Orion", "1001").code == "invalid_priority"
    assert audited(ready) == before
    assert states(ready) == {("Orion", "Ada", "untouched")}


def test_the_moves_are_shown_before_they_are_made(ready: Workspace) -> None:
    """Without --yes nothing moves; with it the moves shown are made, once."""
    assigned = runner.invoke(
        program,
        ["assign", str(ready.root), "--campaign", CAMPAIGN, "--annotator", "Ada", "--json"],
    )
    assert len(json.loads(assigned.stdout)["created"]) == 4
    before = states(ready)
    preview = run(ready, "rebalance")
    assert (preview["carried_out"], len(preview["moves"])) == (False, 2)
    assert states(ready) == before
    result = run(ready, "rebalance", "--yes")
    assert result["moves"] == preview["moves"]
    assert result["after"] == {"Ada": 2, "Bob": 2}
    assert {name for _, name, _ in states(ready)} == {"Ada", "Bob"}
    assert run(ready, "rebalance", "--yes")["moves"] == []
    assert [action for _, action, _ in audited(ready)] == ["batches_assigned", "batches_rebalanced"]


def test_batches_are_listed_by_priority(ready: Workspace) -> None:
    """A raised batch comes first; the table says who has it and how far they are."""
    run(ready, "give", "Lyra", "Ada")
    assert run(ready, "priority", "Lyra", "7") == {"batch": "Lyra", "before": 0, "priority": 7}
    run(ready, "priority", "Aquarius", "-7")
    rows = run(ready, "list")
    assert [row["code_name"] for row in rows] == ["Lyra", "Orion", "Phoenix", "Aquarius"]
    assert [row["free"] for row in rows] == [0, 1, 1, 1]
    assert rows[0]["places"][0]["state"] == "untouched"
    table = runner.invoke(
        program, ["batches", str(ready.root), "list", "--campaign", CAMPAIGN]
    ).stdout
    assert "Ada (0/2, not started)" in table
