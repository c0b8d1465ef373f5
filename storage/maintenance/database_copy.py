"""Copies a workspace's rows from one database into another, and compares the two.

JSON is copied as stored text. PostgreSQL's texts cannot hold NUL, which becomes U+FFFD there;
everything else stays the same to the byte.
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

BATCH_ROWS = 1_000
FILE_BATCH_ROWS = 10

Progress = Callable[[int, int], None]
"""Called with the rows done and their total."""


@dataclass(frozen=True)
class TableDigest:
    """Content of a table: number of rows, and their SHA-256 in key order."""

    rows: int
    sha256: str


def copy_rows(
    source: Connection, target: Connection, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Copy every row into an empty database of the same schema, and compare the two.

    Both connections are in a transaction: the source is consistent, and nothing is stored in the
    target before the caller commits.

    Returns:
        The digest of each table, equal in both.

    Raises:
        StorageError: a table of the target had rows, or differs from the source's after the copy.
    """
    tables = metadata.sorted_tables
    total = sum(_count(source, table) for table in tables)
    nonempty = [table.name for table in tables if _count(target, table)]
    if nonempty:
        raise StorageError(
            f"The database is not empty: {', '.join(nonempty)}. Choose an empty one."
        )
    rows_done = 0
    for table in tables:
        statement = _insertion(table, target)
        for rows in _batches(source, table):
            target.execute(statement, rows)
            rows_done += len(rows)
            if progress is not None:
                progress(rows_done, total)
    if target.dialect.name == "postgresql":
        advance_sequences(target)
    expected, copied = digests(source), digests(target)
    different = [name for name in expected if expected[name] != copied[name]]
    if different:
        raise StorageError(f"The copy differs in: {', '.join(different)}. Nothing was changed.")
    return expected


def copy_to_file(
    source: Connection, path: Path, progress: Progress | None = None
) -> dict[str, TableDigest]:
    """Write all rows to a new SQLite file, replacing the remains of an interrupted copy."""
    for old in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))):
        old.unlink(missing_ok=True)
    path.touch(mode=0o600)
    engine = sqlite_engine(path)
    try:
        migrate(engine)
        with write_transaction(engine) as target:
            copied = copy_rows(source, target, progress)
    finally:
        engine.dispose()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")  # one file, until it is opened again
    return copied


def digests(connection: Connection) -> dict[str, TableDigest]:
    """Digest of each table, independent of the kind of database."""
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
    # JSON columns are selected as stored text.
    columns = [
        (cast(column, Text) if isinstance(column.type, JSON) else column).label(column.name)
        for column in table.columns
    ]
    statement: AnySelect = select(*columns).order_by(*table.primary_key)
    # Only a few files fit in memory.
    has_files = any(isinstance(column.type, LargeBinary) for column in table.columns)
    batch_rows = FILE_BATCH_ROWS if has_files else BATCH_ROWS
    result = connection.execution_options(yield_per=batch_rows).execute(statement)
    for rows in result.mappings().partitions(batch_rows):
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
    text_table = Table(table.name, type(metadata)())
    for column in table.columns:
        text_column = column._copy()
        if isinstance(column.type, JSON):
            text_column.type = Text()
        text_table.append_column(text_column)
    return text_table.insert()


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
