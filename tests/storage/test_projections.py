"""Projections are rebuilt from the log, and a check finds what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.projection import refresh
from tests.support.factory import driver, make_workspace, record_attempts

OPENED = ["1-Ada", "1-Grace", "2-Ada", "2-Grace", "3-Ada"]


@pytest.fixture
def worked_workspace(tmp_path: Path) -> Workspace:
    """A workspace in which people have worked."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    return workspace


def projections(workspace: Workspace) -> list[tuple[object, ...]]:
    """The whole table."""
    with workspace.engine.connect() as connection:
        return [
            tuple(row) for row in connection.execute(text("SELECT * FROM attempt_state ORDER BY 1"))
        ]


def run(workspace: Workspace, *statements: str) -> None:
    """Tamper with the database."""
    with workspace.engine.connect() as connection, connection.begin():
        for statement in statements:
            connection.execute(text(statement))


def test_a_healthy_workspace_is_clean(worked_workspace: Workspace) -> None:
    """Rebuilding what is right changes nothing and says so."""
    before = projections(worked_workspace)
    steps: list[tuple[int, int]] = []
    report = rebuild(worked_workspace.engine, progress=lambda *now: steps.append(now))
    assert report.clean
    assert report.rewritten
    assert report.attempts == 5
    assert projections(worked_workspace) == before
    assert steps == [(5, 5)]


def test_damage_is_found_and_repaired(worked_workspace: Workspace) -> None:
    """A wrong, a missing and an orphaned projection are named by a check, which changes nothing,
    and put right by a rebuild."""
    before = projections(worked_workspace)
    run(
        worked_workspace,
        "UPDATE attempt_state SET status = 'open' WHERE attempt_id = '1-Ada'",
        "UPDATE attempt_state SET state = replace(state, 'Rh', 'rh') WHERE attempt_id = '2-Ada'",
        "DELETE FROM attempt_state WHERE attempt_id = '2-Grace'",
        "INSERT INTO attempt_state SELECT '4-Ada', last_seq, status, outcome, flagged, n_searches, "
        "n_citations, updated_at, state, log_chars FROM attempt_state WHERE attempt_id = '3-Ada'",
    )
    damaged = projections(worked_workspace)
    for check in (True, False):
        assert projections(worked_workspace) == damaged
        report = rebuild(worked_workspace.engine, check=check)
        assert report.differed == ["1-Ada", "2-Ada"]
        assert report.missing == ["2-Grace"]
        assert report.orphaned == ["4-Ada"]
        assert report.rewritten is not check
        assert not report.clean
    assert projections(worked_workspace) == before
    assert rebuild(worked_workspace.engine, check=True).clean


def test_everything_can_be_dropped(worked_workspace: Workspace) -> None:
    """The log alone is enough: with no projection left, all come back as they were."""
    before = projections(worked_workspace)
    run(worked_workspace, "DELETE FROM attempt_state")
    assert rebuild(worked_workspace.engine).missing == OPENED
    assert projections(worked_workspace) == before


def test_work_goes_on_after_a_rebuild(worked_workspace: Workspace) -> None:
    """A rebuilt attempt takes the next event."""
    rebuild(worked_workspace.engine)
    ada = driver(worked_workspace, "3-Ada")
    ada.sent = 90
    last = ada.state.last_seq
    from_next = ada.do(ada.events[-1].payload, after_s=700)
    assert from_next.receipts[0].seq == last + 1


def test_an_empty_workspace(workspace: Workspace) -> None:
    """Nothing to do is no error."""
    report = rebuild(workspace.engine)
    assert (report.attempts, report.clean) == (0, True)


def test_rows_of_review_are_compared_and_made_anew(worked_workspace: Workspace) -> None:
    """What the queue and the dashboard read is checked against the log, and put right."""
    refresh(worked_workspace.engine)
    assert rebuild(worked_workspace.engine, check=True).clean
    run(
        worked_workspace,
        "UPDATE review_task SET score = 0.7, status = 'decided' WHERE task_id = 1",
        "UPDATE attempt_summary SET active_ms = 5 WHERE task_id = 2",
    )
    for _ in range(2):
        report = rebuild(worked_workspace.engine, check=True)
        assert report.tasks_differed == ["t/1", "t/2"]
        assert not report.clean
    assert rebuild(worked_workspace.engine).tasks_differed == ["t/1", "t/2"]
    assert rebuild(worked_workspace.engine, check=True).clean
