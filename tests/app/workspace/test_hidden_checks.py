"""An annotator's browser is told nothing by which a hidden check differs from another task."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lifecycle import close_campaign
from pagetrail.storage.database.tables import Attempt, Task
from tests.app.conftest import TASKS as OWN_TASKS
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.support.campaigns import add_campaign

POOL, NAME = "Experts", "Checked"


def shape(value: Any) -> Any:
    """The keys of a payload and the types of its values, without the values."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value[:1]]
    return type(value).__name__


def test_payloads_of_checks_are_those_of_tasks(services: Services, client: TestClient) -> None:
    """Same keys and types; no id of a task, no rate, no other campaign; submitted alike."""
    pool = [{**OWN_TASKS[0], "id": "gold-1", "question": "What is known already?"}]
    for name, rows, settings in (
        (POOL, pool, {}),
        (NAME, OWN_TASKS, {"quality.gold_from": POOL, "quality.gold_rate": 0.5}),
    ):
        assigned = name != POOL
        add_campaign(services.workspace, name, rows, settings=settings, overlap=2, assign=assigned)
        if name == POOL:
            close_campaign(services.workspace, None, POOL)
    attempts = attempts_of(services, "alma", NAME)
    with services.workspace.engine.connect() as connection:
        copied = select(Attempt.id).join(Task, Task.id == Attempt.task_id)
        (check,) = connection.execute(
            copied.where(Task.copy_of.is_not(None), Attempt.id.in_(attempts))
        ).scalars()
    sign_in(client, "alma")
    payloads = {attempt: boot(client, attempt) for attempt in attempts}
    other = next(attempt for attempt in attempts if attempt != check)
    assert shape(payloads[check]) == shape(payloads[other])
    for attempt, payload in payloads.items():
        text = json.dumps(payload)
        assert payload["batch"]["size"] == len(OWN_TASKS) + 1
        assert payload["campaign"]["name"] == NAME
        for word in (POOL, "hidden gold", "gold-1", "copy_of", "checks_of"):
            assert word not in text
        assert payload["protocol"]["quality"]["gold_rate"] == 0
        reply = send(client, attempt, payload["token"], ("e1", "flagged", {"comment": "?"}))
        assert reply.status_code == 200
    left_out = ("attempt", "token", "task", "batch", "state", "documents", "active_ms")
    shared_payloads = [
        {key: value for key, value in payloads[attempt].items() if key not in left_out}
        for attempt in (check, other)
    ]
    assert shared_payloads[0] == shared_payloads[1]
