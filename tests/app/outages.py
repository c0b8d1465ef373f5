"""Databases that refuse work for a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

from sqlalchemy import event

from pagetrail.app.services.composition import Services
from pagetrail.storage.database.location import DATABASE_NAME


@contextmanager
def each_connection(
    services: Services, prepare: Callable[[sqlite3.Connection], object]
) -> Iterator[None]:
    """Prepare every connection that is opened meanwhile; none is kept from before or for after."""

    def connected(connection: sqlite3.Connection, _record: object) -> None:
        prepare(connection)

    engine = services.workspace.engine
    engine.dispose()
    event.listen(engine, "connect", connected)
    yield
    event.remove(engine, "connect", connected)
    engine.dispose()


def read_only(services: Services) -> AbstractContextManager[None]:
    """SQLite refuses to write, as on a file system that was mounted again without the right to."""
    return each_connection(services, lambda opened: opened.execute("PRAGMA query_only = 1"))


def limit_pages(connection: sqlite3.Connection, more: int = 0) -> None:
    """Let the database grow by so many pages at most."""
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + more}")


@contextmanager
def write_lock(services: Services) -> Iterator[None]:
    """Another program holds the write lock."""
    path = services.workspace.root / DATABASE_NAME
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
