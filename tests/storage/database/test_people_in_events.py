"""Migration 0111: people in payloads and states become ids."""

from __future__ import annotations

import json
from importlib import import_module

import pytest
from sqlalchemy import Connection, create_engine

MIGRATION = import_module("pagetrail.storage.database.migrations.versions.0111_people_in_events")
IDS = {"Ada": 1, "Grace": 2}


def _migrated(table: str, columns: str, *rows: str) -> list[object]:
    with create_engine("sqlite://").begin() as connection:
        connection.exec_driver_sql(f"CREATE TABLE {table} ({columns})")
        for row in rows:
            connection.exec_driver_sql(f"INSERT INTO {table} VALUES ({row})")
        return _values(connection, table)


def _values(connection: Connection, table: str) -> list[object]:
    if table == "event":
        MIGRATION.change_payloads(connection, IDS)
    else:
        MIGRATION.change_states(connection, IDS)
    rows = connection.exec_driver_sql(f"SELECT * FROM {table}")
    return [json.loads(row[-1]) for row in rows]


@pytest.mark.parametrize(
    ("type_", "payload", "expected"),
    [
        ("review_taken", {"over": "Ada"}, {"over": 1}),
        ("review_taken", {"over": None}, {"over": None}),
        ("review_taken", {"over": "nobody"}, {"over": "nobody"}),
        (
            "gold_merged",
            {"sources": [{"annotator": "Ada"}, {"annotator": "Grace"}], "reason": "Ada"},
            {"sources": [{"annotator": 1}, {"annotator": 2}], "reason": "Ada"},
        ),
        ("note_edited", {"over": "Ada"}, {"over": "Ada"}),
    ],
)
def test_payloads(type_: str, payload: dict[str, object], expected: dict[str, object]) -> None:
    """Of the types that name people; who has no account stays text, as what people wrote."""
    row = f"1, '{type_}', '{json.dumps(payload)}'"
    assert _migrated("event", "id INTEGER, type TEXT, payload TEXT", row) == [expected]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (
            {"review": {"holder": "Ada", "decided_by": "x", "sources": [{"annotator": "Grace"}]}},
            {"review": {"holder": 1, "decided_by": "x", "sources": [{"annotator": 2}]}},
        ),
        ({"review": None, "note": "Ada"}, {"review": None, "note": "Ada"}),
        ({"comments": [{"by": "Ada"}], "note": ""}, {"note": ""}),
    ],
)
def test_states(state: dict[str, object], expected: dict[str, object]) -> None:
    """Comments, which earlier versions stored in states as well, are left out."""
    stored = json.dumps(state, separators=(",", ":"))
    columns = "attempt_id TEXT, state TEXT"
    assert _migrated("attempt_state", columns, f"'a', '{stored}'") == [expected]
