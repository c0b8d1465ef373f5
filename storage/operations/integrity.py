"""The database's own integrity checks."""

from __future__ import annotations

from sqlalchemy import Connection, text


def integrity_problems(connection: Connection) -> list[str]:
    """One sentence per damage.

    SQLite checks its whole file. PostgreSQL's files are checked by its operator (``pg_amcheck``);
    here it only has to enforce every foreign key and trigger.
    """
    if connection.dialect.name == "postgresql":
        return _unchecked_constraints(connection)
    messages = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    return [f"SQLite: {message}." for message in messages if message != "ok"] + [
        f"Row {row[1]} of {row[0]} belongs to a row of {row[2]} that does not exist."
        for row in broken
    ]


def _unchecked_constraints(connection: Connection) -> list[str]:
    constraints = text(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace AND NOT convalidated"
    )
    triggers = text(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger JOIN pg_class ON "
        "pg_class.oid = tgrelid WHERE relnamespace = current_schema()::regnamespace "
        "AND tgenabled = 'D'"
    )
    return [
        f"PostgreSQL does not check {name} of the table {owner}."
        for statement in (constraints, triggers)
        for owner, name in connection.execute(statement)
    ]
