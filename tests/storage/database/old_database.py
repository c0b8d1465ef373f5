"""Workspaces as older versions left them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config

from pagetrail.storage.database import migrations
from pagetrail.storage.database.engine import sqlite_engine, write_transaction
from pagetrail.storage.database.location import DATABASE_NAME


def old_workspace(root: Path, revision: str, source: Path) -> None:
    """A workspace of an older schema, with the rows of a present database that it has room for."""
    root.mkdir()
    engine = sqlite_engine(root / DATABASE_NAME)
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    with write_transaction(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with sqlite3.connect(root / DATABASE_NAME) as database:
        database.execute("ATTACH DATABASE ? AS work", (str(source),))
        for table in old_tables(root) - {"alembic_version"}:
            columns = ", ".join(
                f'"{row[1]}"' for row in database.execute(f"PRAGMA main.table_info({table})")
            )
            database.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} "
                             f"FROM work.{table}")  # fmt: skip


def old_tables(root: Path) -> set[str]:
    """Names of the tables that a workspace's database has."""
    with sqlite3.connect(root / DATABASE_NAME) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_master "
                "WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}  # fmt: skip
