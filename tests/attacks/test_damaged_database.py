"""A damaged database: nobody reads data in an error, and health names what is wrong."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pagetrail.storage.database.append_only import UPDATE_TRIGGER
from pagetrail.storage.database.location import DATABASE_NAME
from tests.app.signed_in import at_work, attempts_of, send
from tests.attacks.served_routes import served_routes

SECRET = "quality-of-otters"


@pytest.mark.parametrize("damage", ["not UTF-8", "no pages"])
def test_errors_contain_no_data(root: Path, caplog: pytest.LogCaptureFixture, damage: str) -> None:
    """The annotator's 503 and the log have no value of the column; ``/healthz`` says damaged."""
    with served_routes(root) as (browser, services):
        attempt = attempts_of(services, "alma")[0]
        assert browser.get("/healthz").status_code == 200
        _damage(root / DATABASE_NAME, damage)
        caplog.set_level(logging.DEBUG)
        reply = browser.get(f"/pagetrail/attempts/{attempt}")
        assert reply.status_code == 503
        assert reply.json()["error"]["code"] == "storage_damaged"
        services.health._checked_at = 0.0
        health = browser.get("/healthz")
        assert health.status_code == 503
        assert "damaged" in health.json()["reason"]
        assert "replaced" not in health.json()["reason"]
        for text in (json.dumps(reply.json()), health.text, caplog.text):
            assert SECRET not in text
            assert "top_k" not in text


@pytest.mark.parametrize("column", ["campaign.protocol", "attempt_state.state", "event.payload"])
def test_unreadable_values_are_not_quoted(
    root: Path, caplog: pytest.LogCaptureFixture, column: str
) -> None:
    """Of stored JSON that its model refuses, log and answer have the kind of problem only."""
    with served_routes(root) as (browser, services):
        attempt, token = at_work(browser, services)
        comment = ("2", "commented", {"text": "Look here."})
        assert send(browser, attempt, token, ("1", "opened", {"session": "s"}), comment).is_success
    table, _, name = column.partition(".")
    unreadable = json.dumps({"name": SECRET, SECRET: {"top_k": SECRET}})
    with closing(sqlite3.connect(root / DATABASE_NAME)) as connection:
        connection.execute(f"DROP TRIGGER {UPDATE_TRIGGER}")
        connection.execute(f"UPDATE {table} SET {name} = ?", (unreadable,))
        connection.commit()
    with served_routes(root) as (browser, _):
        caplog.set_level(logging.DEBUG)
        reply = browser.get(f"/pagetrail/attempts/{attempt}")
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "storage_damaged")
    assert "cannot be read" in caplog.text
    for text in (reply.text, caplog.text):
        assert SECRET not in text
        assert "top_k" not in text


def _damage(path: Path, damage: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        if damage == "not UTF-8":
            torn = b'{"name": "' + SECRET.encode() + b'", "top_k": "\xff\xfe"}'
            connection.execute("UPDATE campaign SET protocol = CAST(? AS TEXT)", (torn,))
            connection.commit()
            return
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:  # every page but the first
        size = path.stat().st_size
        file.seek(4096)
        file.write((SECRET.encode() * (size // len(SECRET) + 1))[: size - 4096])
