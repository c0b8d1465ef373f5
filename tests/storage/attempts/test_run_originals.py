"""What runs were read from: stored once, checked, deleted with a withdrawn run, in every copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, StorageError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.attempts.run_originals import originals_of
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import OriginalContent, RunOriginal
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.withdrawal import set_run_withdrawn
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.search.store import ensure_index
from tests.exports.campaigns import CAMPAIGN as STAGE
from tests.exports.campaigns import make_stage
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    bare,
    eval_log,
    events,
    madqa,
    run,
    sample,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace


@pytest.fixture
def imported(tmp_path: Path) -> Workspace:
    """Two rows of one run, and two samples of another that share a header."""
    workspace = make_workspace(tmp_path / "ws")
    run(workspace, write_jsonl(tmp_path / "r.jsonl", [madqa(), bare("t/2")]))
    run(workspace, eval_log(tmp_path / "l.eval", [sample(), sample("t/2")]), system="inspected")
    return workspace


def originals(workspace: Workspace, system: str = "agent") -> list[str]:
    """The parts that are stored of a system's first task."""
    attempt = events(workspace, system=system)[0].attempt_id
    with workspace.engine.connect() as connection:
        return [original.part for original in originals_of(connection, attempt)]


def contents(workspace: Workspace) -> int:
    """How many contents are stored."""
    with workspace.engine.connect() as connection:
        statement = select(func.count()).select_from(OriginalContent)
        return int(connection.execute(statement).scalar_one())


def problems(workspace: Workspace) -> list[str]:
    """What is wrong with the originals."""
    return next(check.problems for check in verify(workspace) if check.name == "originals")


def test_each_content_is_stored_once_under_its_hash(imported: Workspace) -> None:
    """The event names the hash, so that the log vouches for what is stored with it."""
    assert originals(imported) == ["row"] and originals(imported, "inspected") == ["header", "row"]
    assert contents(imported) == 5
    first = events(imported)[0]
    with imported.engine.connect() as connection:
        (row,) = originals_of(connection, first.attempt_id)
    assert isinstance(first.payload, ev.RunImported) and first.payload.original == row.sha256


def test_runs_of_older_versions_get_theirs_when_imported_again(
    imported: Workspace, tmp_path: Path
) -> None:
    """The same file says the same, so what it was read from can be added; nothing else changes."""
    with write_transaction(imported.engine) as connection:
        connection.execute(delete(RunOriginal))
        connection.execute(delete(OriginalContent))
    assert run(imported, tmp_path / "r.jsonl").already_there == 2
    assert originals(imported) == ["row"] and contents(imported) == 2


def test_damage_is_found(imported: Workspace) -> None:
    """By the check, and by whoever wants to read it."""
    ensure_index(imported)
    assert problems(imported) == []
    with write_transaction(imported.engine) as connection:
        connection.execute(update(OriginalContent).values(content=b"no zlib"))
    assert len(problems(imported)) == 5
    with imported.engine.connect() as connection, pytest.raises(StorageError, match="damaged"):
        originals_of(connection, events(imported)[0].attempt_id)
    with write_transaction(imported.engine) as connection:
        connection.execute(delete(OriginalContent))
    assert len(problems(imported)) == 6


def test_those_of_a_withdrawn_run_can_be_deleted(imported: Workspace, tmp_path: Path) -> None:
    """For good, and only its own; the events stay, and importing again does not bring them back."""
    with pytest.raises(ConflictError, match="Only withdrawn runs"):
        set_run_withdrawn(
            imported, CAMPAIGN, "agent", withdrawn=False, reason="", delete_originals=True
        )
    set_run_withdrawn(imported, CAMPAIGN, "agent", withdrawn=True, reason="")
    assert originals(imported) == ["row"]
    deleted = set_run_withdrawn(
        imported, CAMPAIGN, "agent", withdrawn=True, reason="a key in it", delete_originals=True
    )
    assert deleted == 2 and originals(imported) == [] and contents(imported) == 3
    assert len(events(imported)) == 9 and problems(imported) == []
    run(imported, tmp_path / "r.jsonl")
    assert originals(imported) == [] and originals(imported, "inspected") == ["header", "row"]


def test_backups_have_them(tmp_path: Path) -> None:
    """And they are sound there."""
    stage = make_stage(tmp_path / "ws", preset("search"), [{"id": "t/1", "question": "Who?"}])
    log = eval_log(tmp_path / "l.eval", [sample()])
    run(stage.workspace, log, campaign=STAGE)
    back_up(stage.workspace, tmp_path / "backup.tar", SystemClock())
    restore(tmp_path / "backup.tar", tmp_path / "again", SystemClock())
    restored = Workspace.open(tmp_path / "again")
    assert originals(restored) == ["header", "row"] and problems(restored) == []
