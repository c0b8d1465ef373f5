"""Copying a workspace's rows from one database into another, and showing that both have the same.

JSON is copied as the text that is stored. PostgreSQL's texts cannot hold NUL, so that it arrives
there as U+FFFD; everything else is the same to the byte.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Connection,
    LargeBinary,
    Table,
    Text,
    bindparam,
    cast,
    func,
    select,
)

from pagetrail.annotation.errors import StorageError
from pagetrail.storage.database.base import AnySelect, metadata
from pagetrail.storage.database.engine import sqlite_engine, write_transaction
from pagetrail.storage.database.postgresql import advance_sequences
from pagetrail.storage.database.workspace import migrate

AT_ONCE = 1_000
FILES_AT_ONCE = 10

Progress = Callable[[int, int], None]
"""Called with the rows done and the rows in all."""


@dataclass(frozen=True)
class TableDigest:
    """What a table holds: its number of rows, and the SHA-256 of them in the order of its key."""

    rows: int
    sha256: str


def copy_rows(
    source: Connection, target: Connection, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Copy every row into an empty database of the same schema, and compare the two.

    Both connections are in a transaction: the source's is one moment, and nothing of the target is
    stored before its caller commits.

    Returns:
        The digest of each table, the same on both ends.

    Raises:
        StorageError: a table of the target had rows, or differs from the source's after the copy.
    """
    tables = metadata.sorted_tables
    total = sum(_count(source, table) for table in tables)
    filled = [table.name for table in tables if _count(target, table)]
    if filled:
        raise StorageError(f"The database is not empty: {', '.join(filled)}. Choose an empty one.")
    done = 0
    for table in tables:
        statement = _insertion(table, target)
        for rows in _batches(source, table):
            target.execute(statement, rows)
            done += len(rows)
            if progress is not None:
                progress(done, total)
    if target.dialect.name == "postgresql":
        advance_sequences(target)
    wanted, found = digests(source), digests(target)
    differ = [name for name in wanted if wanted[name] != found[name]]
    if differ:
        raise StorageError(f"The copy differs in: {', '.join(differ)}. Nothing was changed.")
    return wanted


def copy_to_file(
    reading: Connection, path: Path, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Write all rows to a new SQLite file, in place of what an interrupted copy left there."""
    for left in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        left.unlink(missing_ok=True)
    path.touch(mode=0o600)
    engine = sqlite_engine(path)
    try:
        migrate(engine)
        with write_transaction(engine) as writing:
            found = copy_rows(reading, writing, progress)
    finally:
        engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # one file, until it is opened again
    return found


def digests(connection: Connection) -> dict[str, TableDigest]:
    """What each table holds, in a form that does not depend on the database."""
    return {table.name: _digest(connection, table) for table in metadata.sorted_tables}


def _digest(connection: Connection, table: Table) -> TableDigest:
    rows, sha256 = 0, hashlib.sha256()
    for batch in _batches(connection, table):
        rows += len(batch)
        for row in batch:
            values = json.dumps([*row.values()], ensure_ascii=False, default=bytes.hex)
            sha256.update(values.replace("\\u0000", "\ufffd").encode() + b"\n")
    return TableDigest(rows, sha256.hexdigest())


def _batches(connection: Connection, table: Table) -> Iterator[Sequence[dict[str, Any]]]:
    # Columns that are JSON are selected as the text that is stored.
    columns = [
        (cast(column, Text) if isinstance(column.type, JSON) else column).label(column.name)
        for column in table.columns
    ]
    statement: AnySelect = select(*columns).order_by(*table.primary_key)
    # Files are large: a few of them at once fit in memory.
    files = any(isinstance(column.type, LargeBinary) for column in table.columns)
    at_once = FILES_AT_ONCE if files else AT_ONCE
    found = connection.execution_options(yield_per=at_once).execute(statement)
    for rows in found.mappings().partitions(at_once):
        yield [{**row} for row in rows]


def _insertion(table: Table, target: Connection) -> Any:
    if target.dialect.name == "postgresql":
        return table.insert().values(
            {
                column.name: cast(bindparam(column.name, type_=Text), JSON)
                for column in table.columns
                if isinstance(column.type, JSON)
            }
        )
    copied = Table(table.name, type(metadata)())
    for column in table.columns:
        fresh = column._copy()
        if isinstance(column.type, JSON):
            fresh.type = Text()
        copied.append_column(fresh)
    return copied.insert()


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
