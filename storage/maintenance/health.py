"""Health of a workspace: whether work can be stored and searched, and numbers for monitoring."""

from __future__ import annotations

import logging
import shutil
import time
from concurrent.futures import Future
from threading import Lock, Thread

from sqlalchemy import Engine, func, select

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.database.damage import DAMAGED, is_damaged
from pagetrail.storage.database.engine import BUSY, write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Document,
    EventRow,
    Meta,
    Task,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.status import index_facts

_CHECK_INTERVAL_S = 2.0
_PATIENCE_S = 1.5
"""Monitors and proxies wait for two seconds."""
_LOCK_EVENTS = f"LOCK TABLE {EventRow.__tablename__} IN ROW EXCLUSIVE MODE"
_log = logging.getLogger("pagetrail.files")


class Health:
    """Health of an open workspace. Thread-safe; checks are repeated after two seconds."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._checked_at = 0.0
        self._problem: str | None = None
        self._check: Future[str | None] | None = None
        self._files_lock = Lock()
        self._files_checked_at = 0.0
        self._files_problem: str | None = None

    def storage_problem(self) -> str | None:
        """Why nothing can be stored (disk full, read-only, replaced, damaged, busy), or None.

        Commits a row: only that shows whether annotators' work would be stored. What takes longer
        than ``_PATIENCE_S`` is busy; the same check is then waited for again.
        """
        with self._lock:
            age_s = time.monotonic() - self._checked_at
            is_due = not self._checked_at or age_s >= _CHECK_INTERVAL_S
            if self._check is None and is_due:
                self._check = Future()
                # A daemon, since a database that is frozen must not keep the server from stopping.
                Thread(target=self._note_write_problem, args=(self._check,), daemon=True).start()
            check = self._check
        if check is None:
            return self._problem
        try:
            return check.result(_PATIENCE_S)
        except TimeoutError:
            return BUSY

    def files_problem(self) -> str | None:
        """Why documents can be neither added nor fetched from the bucket, or None.

        The pages that this server has stay available.
        """
        files = self._workspace.files
        if files is None:
            return None
        with self._files_lock:
            now = time.monotonic()
            if not self._files_checked_at or now - self._files_checked_at >= _CHECK_INTERVAL_S:
                problem = files.problem()
                if problem and not self._files_problem:
                    _log.error("%s", problem)
                self._files_problem = problem
                self._files_checked_at = time.monotonic()
            return self._files_problem

    def search_problem(self) -> str | None:
        """Why searches would be refused, or None."""
        try:
            facts = index_facts(self._workspace)
        except (PagetrailError, OSError) as error:
            return str(error)
        return "There is no search index yet." if facts is None else None

    def numbers(self) -> dict[str, int]:
        """Row counts, free disk space, size of page images, whether a bucket answers (1 or 0)."""
        bucket = {"bucket_up": int(self.files_problem() is None)} if self._workspace.files else {}
        return {
            **workspace_totals(self._workspace.engine),
            **bucket,
            "disk_free_bytes": shutil.disk_usage(self._workspace.root).free,
            "page_cache_bytes": ImageCache(self._workspace.cache_dir).measured_bytes,
        }

    def _note_write_problem(self, check: Future[str | None]) -> None:
        problem: str | None = "The check whether work can be stored failed; the log says more."
        try:
            problem = self._write_problem()
        finally:
            with self._lock:
                self._problem, self._checked_at, self._check = problem, time.monotonic(), None
            check.set_result(problem)

    def _write_problem(self) -> str | None:
        checked_at = str(int(time.time()))
        try:
            with write_transaction(self._workspace.engine, "health") as connection:
                if connection.dialect.name == "postgresql":
                    # What storing an event takes; waits while somebody has locked the table.
                    connection.exec_driver_sql(_LOCK_EVENTS)
                row = insert_into(connection, Meta).values(
                    key="health_checked_at", value=checked_at
                )
                connection.execute(
                    row.on_conflict_do_update(index_elements=["key"], set_={"value": checked_at})
                )
        except (PagetrailError, OSError) as error:
            return str(error)
        return DAMAGED if is_damaged(self._workspace.engine) else None


def workspace_totals(engine: Engine) -> dict[str, int]:
    """Numbers of documents, tasks, attempts and events, for monitoring."""
    tables = {
        "documents": Document,
        "tasks": Task,
        "attempts": Attempt,
        "events": EventRow,
    }
    with engine.connect() as connection:
        counts = {
            name: int(connection.execute(select(func.count()).select_from(rows)).scalar_one())
            for name, rows in tables.items()
        }
        counts["submitted"] = int(
            connection.execute(
                select(func.count())
                .select_from(AttemptStateRow)
                .where(AttemptStateRow.status == "submitted")
            ).scalar_one()
        )
    return counts
