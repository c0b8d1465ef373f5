"""Campaigns for the tests of agents: gold carries a word that is found nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import update

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from tests.app.signed_in import attempts_of
from tests.support.campaigns import add_campaign

GOLD = "zyxgold"
"""In every field of a record that may hold gold, and in what a person wrote."""

QUERIES = ["otters", "otters rivers", "badgers OR fish", '"otters eat"', "animal*", "zebra"]

Event = tuple[str, dict[str, Any]]


def records(n: int = 3) -> list[dict[str, Any]]:
    """Task records with planted gold."""
    return [
        {
            "id": f"q{number}",
            "question": f"What does report {number} say about otters?",
            "answer_variants": [[f"{GOLD}-answer-{number}"]],
            "evidence": [{"document": "report.pdf", "page": 1}],
            "domain": f"{GOLD}-domain",
            "rationale": f"{GOLD}-rationale",
            "elements": None,
            "predictions": None,
        }
        for number in range(1, n + 1)
    ]


def add_agents_campaign(
    workspace: Workspace,
    name: str,
    protocol: str = "search",
    settings: dict[str, Any] | None = None,
    rows: Sequence[dict[str, Any]] | None = None,
) -> None:
    """A campaign of three tasks, assigned to both annotators."""
    add_campaign(
        workspace,
        name,
        rows or records(),
        protocol=protocol,
        settings=settings or {},
        overlap=2,
        seed=1,
    )


def close_campaign(workspace: Workspace, name: str) -> None:
    """Nobody may work in it any more."""
    with workspace.engine.begin() as connection:
        connection.execute(update(Campaign).where(Campaign.name == name).values(status="closed"))


def events_of(services: Services, attempt_id: str) -> list[Event]:
    """(type, fields) of everything stored, after seeing that numbers and ids are sound."""
    events = list(services.log.events(attempt_id))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len({event.client_event_id for event in events}) == len(events)
    assert fold(events) == services.log.state(attempt_id)
    return [(event.type, event.fields()) for event in events]


def types_of(services: Services, attempt_id: str) -> list[str]:
    """The kinds of the stored events, in order."""
    return [kind for kind, _ in events_of(services, attempt_id)]


def attempt_of(services: Services, task: str, system: str = "bot") -> str:
    """The system's attempt at a task."""
    person = ensure_system(services.workspace, system)
    return ensure_attempt(services.workspace, "Agents", task, person, finished=True).attempt_id


def first_attempt(services: Services, name: str, campaign: str) -> str:
    """The person's first attempt of a campaign."""
    return attempts_of(services, name, campaign)[0]


def refused(call: Callable[[], object]) -> PagetrailError:
    """The typed error that a call ends in."""
    with pytest.raises(PagetrailError) as caught:
        call()
    return caught.value
