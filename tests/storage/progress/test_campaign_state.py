"""How far a campaign is: counts that say what can be shown, and whether anything has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.events import agents as agents
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import campaign_state
from tests.exports.adjudication import answered
from tests.exports.campaigns import CAMPAIGN
from tests.support.factory import AttemptDriver, driver, make_workspace, record_attempts


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Eight attempts of two people, nothing done."""
    return make_workspace(tmp_path / "ws")


def test_before_anybody_works(workspace: Workspace) -> None:
    """Tasks and attempts are there; everything else is zero, not missing."""
    state = campaign_state(workspace, "Otters")
    assert (state.protocol, state.tasks, state.attempts) == ("search", 4, 8)
    assert (state.events, state.submitted, state.people, state.shared) == (0, 0, 0, 0)
    assert state.systems == ()


def test_what_people_have_handed_in(workspace: Workspace) -> None:
    """Three attempts by two people; one task was submitted by both."""
    record_attempts(workspace)
    state = campaign_state(workspace, "Otters")
    assert (state.submitted, state.people, state.shared) == (3, 2, 1)
    log = SqlEventLog(workspace.engine)
    attempts = [f"{task}-{name}" for task in range(1, 5) for name in ("Ada", "Grace")]
    assert state.events == sum(len(list(log.events(attempt))) for attempt in attempts)


def test_every_event_changes_the_number(workspace: Workspace) -> None:
    """Whoever knows the number of events knows whether a report is stale."""
    record_attempts(workspace)
    before = campaign_state(workspace, "Otters")
    late = driver(workspace, "4-Ada")
    late.do(ev.Opened(session="tab-1"))
    assert campaign_state(workspace, "Otters").events == before.events + 1


def test_systems_are_no_people(workspace: Workspace) -> None:
    """A run that was read in is named, and neither its submissions nor itself count as people's."""
    record_attempts(workspace)
    before = campaign_state(workspace, "Otters")
    system = ensure_system(workspace, "agent-x")
    attempt = ensure_attempt(workspace, "Otters", "t/1", system, finished=True)
    context = AttemptContext(attempt.attempt_id, "agent-x", preset("search"), imported=True)
    run = AttemptDriver(SqlEventLog(workspace.engine), context)
    run.do(
        agents.RunImported(
            format="madqa",
            file="run.jsonl",
            sha256="0" * 64,
            record=1,
            timed=False,
            results_known=False,
        )
    )
    run.do(ev.Submitted(outcome="answered"))
    after = campaign_state(workspace, "Otters")
    assert after.systems == ("agent-x",)
    assert (after.submitted, after.people, after.shared) == (
        before.submitted,
        before.people,
        before.shared,
    )
    assert after.events > before.events


def test_an_unknown_campaign_is_named(workspace: Workspace) -> None:
    """The message has the name and those that exist."""
    with pytest.raises(NotFoundError, match=r"'Badgers'.*Otters"):
        campaign_state(workspace, "Badgers")


def test_tasks_that_were_decided(tmp_path: Path) -> None:
    """They are counted with the decision, and go on counting while they are reopened."""
    bench = answered(tmp_path / "decided")
    assert campaign_state(bench.stage.workspace, CAMPAIGN).decided == 3
    bench.take_up(2)
    assert campaign_state(bench.stage.workspace, CAMPAIGN).decided == 3
