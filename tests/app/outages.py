"""Databases that refuse work for a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from pagetrail.app.services.composition import Services


@contextmanager
def read_only(services: Services) -> Iterator[None]:
    """SQLite refuses to write, as on a file system that was mounted again without the right to."""

    def refuse_writes(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA query_only = 1")

    engine = services.workspace.engine
    engine.dispose()
    event.listen(engine, "connect", refuse_writes)
    yield
    event.remove(engine, "connect", refuse_writes)
    engine.dispose()
