"""What keeps the event log append-only in the database itself, and lifting it to migrate the log.

``changeable_log`` is the only way around the triggers, and migration 0111 its only caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text

from pagetrail.annotation.errors import StorageError
from pagetrail.storage.database.base import metadata

UPDATE_TRIGGER = "event_is_append_only_update"

_POSTGRES = (
    "CREATE FUNCTION refuse_change_of_event() RETURNS trigger LANGUAGE plpgsql AS "
    "$$BEGIN RAISE EXCEPTION 'the event log is append-only' "
    "USING ERRCODE = 'integrity_constraint_violation'; END$$",
    f"CREATE TRIGGER {UPDATE_TRIGGER} BEFORE UPDATE ON event "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change_of_event()",
    "CREATE TRIGGER event_is_append_only_delete BEFORE DELETE ON event "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change_of_event()",
    "CREATE TRIGGER event_is_append_only_truncate BEFORE TRUNCATE ON event "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_event()",
)
_SQLITE = tuple(
    f"CREATE TRIGGER event_is_append_only_{verb.lower()} BEFORE {verb} ON event "
    "BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END"
    for verb in ("UPDATE", "DELETE")
)


def create_triggers(connection: Connection) -> None:
    """Have the database refuse every change of the log, whoever asks. Part of the first schema."""
    for statement in _POSTGRES if connection.dialect.name == "postgresql" else _SQLITE:
        connection.exec_driver_sql(statement)


@contextmanager
def changeable_log(connection: Connection) -> Iterator[None]:
    """Within a write transaction, let events be updated.

    No other writer ever sees the log like that: the trigger is back before the transaction commits,
    or the whole transaction is undone.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"ALTER TABLE event DISABLE TRIGGER {UPDATE_TRIGGER}")
        yield
        connection.exec_driver_sql(f"ALTER TABLE event ENABLE TRIGGER {UPDATE_TRIGGER}")
        return
    # Without it, the old name would stay readable in the unused parts of the file.
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    trigger = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name"),
        {"name": UPDATE_TRIGGER},
    ).scalar_one()
    connection.exec_driver_sql(f"DROP TRIGGER {UPDATE_TRIGGER}")
    yield
    connection.exec_driver_sql(trigger)


def forget_old_rows(engine: Engine) -> None:
    """Remove what the database keeps of rows as they were; readers may put it off till later.

    SQLite empties its write-ahead log as well when the last process closes the database;
    PostgreSQL vacuums by itself.
    """
    statement, options = "PRAGMA wal_checkpoint(TRUNCATE)", {}
    if engine.dialect.name == "postgresql":
        statement = f"VACUUM {', '.join(metadata.tables)}"
        options = {"isolation_level": "AUTOCOMMIT"}
    try:
        with engine.connect().execution_options(**options) as connection:
            connection.exec_driver_sql(statement)
    except StorageError:
        pass  # the change itself is stored
