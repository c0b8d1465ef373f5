"""What spares every test some work: cheap hashes, copied databases, statements compiled once, one
look at installed packages, quick runs of screens, forked worker processes, and pseudonyms that can
be written into a test.

Commands and servers that a test starts hash and migrate as installed.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from argon2 import PasswordHasher
from sqlalchemy import Engine
from sqlmodel import create_engine
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner

from pagetrail.storage.database import engine as engines
from pagetrail.storage.database import workspace
from pagetrail.storage.database.engine import sqlite_engine
from pagetrail.storage.people import accounts, credentials
from tests.support.forked_workers import fork_workers

CHEAP_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PRODUCT_HASHER = credentials.HASHER
_migrate = workspace.migrate
PRODUCT_PSEUDONYM = accounts.new_pseudonym
_wait_for_script = local_script_runner.require_widgets_deltas


def take_shortcuts() -> None:
    """For the rest of the process."""
    credentials.HASHER = CHEAP_HASHER
    workspace.migrate = _copied_or_migrated
    accounts.new_pseudonym = numbered_pseudonym
    engines.create_engine = _engine_with_compiled_statements
    scan_packages_once()
    run_screens_quickly()
    fork_workers()


def numbered_pseudonym(taken_pseudonyms: Collection[str], role: str) -> str:
    """annotator-01, annotator-02 …"""
    return next(
        pseudonym for n in count(1) if (pseudonym := f"{role}-{n:02d}") not in taken_pseudonyms
    )


def scan_packages_once() -> None:
    """Streamlit reads the metadata of all packages for each app: a third of a second each time."""
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def run_screens_quickly() -> None:
    """``AppTest`` compiles scripts in each run, and asks every millisecond whether it has ended."""
    scripts = ScriptCache()
    local_script_runner.ScriptCache = lambda: scripts  # type: ignore[assignment, misc]
    local_script_runner.require_widgets_deltas = _wait_for_thread


def _wait_for_thread(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    if runner._script_thread is not None:
        runner._script_thread.join(timeout)
    _wait_for_script(runner, timeout if runner.script_stopped() else 0)


def _engine_with_compiled_statements(url: str, **options: Any) -> Engine:
    """SQLAlchemy compiles the statements for each engine: a tenth of the time of tests."""
    if not url.startswith("sqlite:"):
        return create_engine(url, **options)
    first = _first_engine()
    engine = create_engine(url, _initialize=False, **options)
    engine.dialect = engine.pool._dialect = first.dialect
    engine._compiled_cache = first._compiled_cache
    return engine


@cache
def _first_engine() -> Engine:
    """Its connection has told the dialect about the installed SQLite."""
    engine = create_engine("sqlite://", query_cache_size=5_000)
    engine.connect().close()
    return engine


def _copied_or_migrated(engine: Engine) -> None:
    path = Path(str(engine.url.database))
    if engine.dialect.name != "sqlite" or path.exists():
        _migrate(engine)
    else:
        path.write_bytes(_new_database())


@cache
def _new_database() -> bytes:
    """What the migrations make of nothing."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.sqlite3"
        engine = sqlite_engine(path)
        _migrate(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        engine.dispose()
        return path.read_bytes()
