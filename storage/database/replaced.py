"""Noticing that the database file of an open workspace was replaced, copied over or damaged.

SQLite cannot: its connections go on with the deleted file, or with a mixture of the old file and
the new, and what they commit is lost at the next start.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from pagetrail.annotation.errors import StorageError
from pagetrail.storage.database.damage import DAMAGED

_RECENT = 64
_SPREAD = 16

MESSAGE = (
    "The workspace’s database file was replaced while Pagetrail had it open. Nothing more is "
    "stored until the server has been restarted. Your work is kept in this browser meanwhile."
)
_GONE = (
    "The workspace’s database file is not in its place. Nothing is stored until it is back. Your "
    "work is kept in this browser meanwhile."
)


class DatabaseFile:
    """The file that an engine was opened with. Looked at by the writer that has the turn."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._node: tuple[int, int] | None = None
        self._changed_ns = 0
        self._events = 0
        self._problem: StorageError | None = None

    def check(self) -> None:
        """Refuse if this is another file than before, or one without events it had.

        Costs one look at the file's status. Only a checkpoint changes the main file in WAL mode,
        every few hundred events, so that is when the events are looked up.

        Raises:
            StorageError: the file was replaced, or is damaged; every later call says so too. Or it
                is gone; once the same file is back, all is well.
        """
        if self._problem is None:
            try:
                if self._is_replaced():
                    self._problem = StorageError(MESSAGE, code="storage_replaced")
            except sqlite3.DatabaseError:
                self._problem = (
                    StorageError(MESSAGE, code="storage_replaced")
                    if self._is_sound_by_itself()
                    else StorageError(DAMAGED, code="storage_damaged")
                )
        if self._problem is not None:
            raise StorageError(self._problem.message, code=self._problem.code)

    def _is_replaced(self) -> bool:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            if self._node is None:
                return False  # not made yet
            raise StorageError(_GONE, code="storage_replaced") from None
        node = (status.st_dev, status.st_ino)
        if self._node is None:
            self._node = node
        if node != self._node:
            return True
        if status.st_mtime_ns != self._changed_ns:
            self._changed_ns = status.st_mtime_ns
            return self._lacks_events()
        return False

    def _is_sound_by_itself(self) -> bool:
        """Whether the main file without its log of changes is a database.

        Then another one was copied over, to which the changes do not belong.
        """
        try:
            with closing(sqlite3.connect(f"file:{self._path}?immutable=1", uri=True)) as connection:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        except sqlite3.DatabaseError:
            return False

    def _lacks_events(self) -> bool:
        """Whether events seen at the last look are gone; a new connection reads the file itself.

        A backup that was copied over misses the newest ones. The log's ids have no gaps, since
        nothing is ever deleted from it.
        """
        first = max(1, self._events - _RECENT + 1)
        event_ids = {*range(first, self._events + 1)}
        event_ids |= {max(1, self._events * share // _SPREAD) for share in range(1, _SPREAD + 1)}
        try:
            with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as connection:
                if self._events:
                    marks = ",".join("?" * len(event_ids))
                    n_found = connection.execute(
                        f"SELECT count(*) FROM event WHERE id IN ({marks})",  # noqa: S608 - question marks
                        sorted(event_ids),
                    ).fetchone()[0]
                    if n_found != len(event_ids):
                        return True
                newest = connection.execute("SELECT max(id) FROM event").fetchone()[0]
                self._events = newest or 0
        except sqlite3.OperationalError as error:
            # No table yet (a new workspace), or too busy to look now: looked at next time.
            if "malformed" in str(error):
                raise
        return False
