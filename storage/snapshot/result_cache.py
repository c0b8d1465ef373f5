"""Cached results of reports on disk, which other options and restarts can use.

There are results per task, stored with the version of the task's attempts, and single results,
stored under a digest of all their inputs. Nothing goes stale: a lookup names a version or digest.
Both also include a digest of the program, so results of another version are not found. A checksum
of the result and of what it belongs to is stored with it: a damaged row counts as none.

It is one SQLite file in the cache folder. Several processes may use it at once, and it may be
deleted at any time. It contains no names; they are added when a report is made.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pagetrail import annotation
from pagetrail.storage.database.private_files import FILE_MODE

FILE_NAME = "results.sqlite3"
MAX_SINGLE = 50_000
"""Maximum number of single results, of a few hundred bytes each; the oldest are removed."""

_WAIT_S = 5.0
_CHECKSUM_BYTES = 8
_PACKAGES = ("annotation", "storage", "exports")
_LIBRARIES = ("numpy", "scipy", "rapidfuzz", "krippendorff", "pydantic")
_TABLES = """
CREATE TABLE IF NOT EXISTS task_result (
    scope TEXT NOT NULL, task TEXT NOT NULL, version BLOB NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (scope, task)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS single_result (
    number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, value BLOB NOT NULL
);
"""
_log = logging.getLogger(__name__)


class ResultCache:
    """The results on disk, for one process. If the file cannot be used, results are computed.

    Args:
        folder: the workspace's cache folder; None to keep results in memory only.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """The file is opened on first use."""
        self._singles: dict[bytes, bytes] = {}
        self._path = None if folder is None else folder / FILE_NAME
        self._opened: sqlite3.Connection | None = None

    def of_tasks(self, scope: str) -> dict[str, tuple[bytes, bytes]]:
        """Task → (version, result) of everything computed under a name."""
        rows = self._read("SELECT task, version, value FROM task_result WHERE scope = ?", scope)
        return {task: (version, value) for task, version, value in rows}

    def store_tasks(self, scope: str, rows: Iterable[tuple[str, bytes, bytes]]) -> None:
        """Store (task, version, result) rows, replacing earlier ones."""
        self._write(
            "INSERT OR REPLACE INTO task_result VALUES (?, ?, ?, ?)",
            [(scope, *row) for row in rows],
        )

    def find(self, digest: bytes) -> bytes | None:
        """A single result; None if there is none."""
        stored = self._singles.get(digest)
        if stored is None:
            for (value,) in self._read("SELECT value FROM single_result WHERE digest = ?", digest):
                stored = unpacked(bytes(value), digest)
        return stored

    def store(self, digest: bytes, value: bytes) -> None:
        """Store a single result."""
        self._singles[digest] = value
        self._write(
            "INSERT OR REPLACE INTO single_result (digest, value) VALUES (?, ?)",
            [(digest, packed(value, digest))],
        )

    def close(self) -> None:
        """Remove results beyond the limit, and close the file."""
        if self._opened is not None:
            self._write(
                "DELETE FROM single_result WHERE number <= "
                "(SELECT max(number) FROM single_result) - ?",
                [(MAX_SINGLE,)],
            )
        self._stop()

    def _connection(self) -> sqlite3.Connection | None:
        if self._opened is None and self._path is not None:
            self._opened = _usable(self._path)
            if self._opened is None:
                self._path = None
        return self._opened

    def _read(self, statement: str, value: object) -> list[Any]:
        connection = self._connection()
        if connection is None:
            return []
        try:
            return connection.execute(statement, (value,)).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        connection = self._connection() if rows else None
        if connection is None:
            return
        try:
            with connection:
                connection.executemany(statement, rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> None:
        _log.warning("results on disk are not used: %s", error)
        self._stop()

    def _stop(self) -> None:
        self._path = None
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def packed(json: bytes, key: bytes) -> bytes:
    """A result as it is stored: after a checksum of it and of the version or digest it is for."""
    return _checksum(json, key) + zlib.compress(json, 1)


def unpacked(stored: bytes, key: bytes) -> bytes | None:
    """A stored result; None if it is damaged or for something else."""
    try:
        json = zlib.decompress(stored[_CHECKSUM_BYTES:])
    except zlib.error:
        return None
    return json if stored[:_CHECKSUM_BYTES] == _checksum(json, key) else None


def _checksum(json: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(json, digest_size=_CHECKSUM_BYTES, key=key).digest()


@cache
def program_digest() -> bytes:
    """A digest of the program's code, of Python and of the libraries used for computing."""
    digest = hashlib.sha256(sys.version.encode())
    for name in _LIBRARIES:
        try:
            digest.update(f"{name} {version(name)}\n".encode())
        except PackageNotFoundError:
            digest.update(f"{name}\n".encode())
    root = Path(annotation.__file__).parents[1]
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _usable(path: Path) -> sqlite3.Connection | None:
    """The file, replaced if it is damaged; None if it cannot be used."""
    for attempt in ("first", "second"):
        try:
            return _connected(path)
        except sqlite3.DatabaseError as error:
            _log.warning("results on disk cannot be opened (%s attempt): %s", attempt, error)
            if isinstance(error, sqlite3.OperationalError):
                return None  # busy, read-only or full, not damaged
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("results on disk cannot be opened: %s", error)
            return None
    return None


def _connected(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.touch(FILE_MODE)
    connection = sqlite3.connect(path, timeout=_WAIT_S)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may lose the last results
        connection.executescript(_TABLES)
    except sqlite3.Error:
        connection.close()
        raise
    return connection
