"""Whether a workspace can store work and be searched, and numbers for monitoring."""

from __future__ import annotations

import logging
import shutil
import time
from threading import Lock

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.corpus.image_cache import ImageCache
from pagetrail.storage.database.damage import DAMAGED, is_damaged
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.totals import totals
from pagetrail.storage.search.status import index_facts

_KEPT_S = 2.0
_log = logging.getLogger("pagetrail.files")


class Health:
    """Health of an open workspace. Thread-safe; asked often, it looks every two seconds."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = Lock()
        self._looked = 0.0
        self._problem: str | None = None
        self._files_lock = Lock()
        self._files_looked = 0.0
        self._files_problem: str | None = None

    def storage_problem(self) -> str | None:
        """Why nothing can be stored (disk full, read-only, replaced, damaged, busy), or None.

        A row is really committed: nothing else tells whether annotators' work would be.
        """
        with self._lock:
            now = time.monotonic()
            if not self._looked or now - self._looked >= _KEPT_S:
                self._problem = self._try()
                self._looked = time.monotonic()
            return self._problem

    def files_problem(self) -> str | None:
        """Why documents can be neither added nor fetched from the bucket, or None.

        People go on with the pages that this server has.
        """
        files = self._workspace.files
        if files is None:
            return None
        with self._files_lock:
            now = time.monotonic()
            if not self._files_looked or now - self._files_looked >= _KEPT_S:
                problem = files.problem()
                if problem and not self._files_problem:
                    _log.error("%s", problem)
                self._files_problem = problem
                self._files_looked = time.monotonic()
            return self._files_problem

    def search_problem(self) -> str | None:
        """Why searches would be refused, or None."""
        try:
            facts = index_facts(self._workspace)
        except (PagetrailError, OSError) as error:
            return str(error)
        return "There is no search index yet." if facts is None else None

    def numbers(self) -> dict[str, int]:
        """Counts of rows, bytes free on the workspace's disk, bytes of page images; of a bucket
        whether it answers (1 or 0).
        """
        bucket = {"bucket_up": int(self.files_problem() is None)} if self._workspace.files else {}
        return {
            **totals(self._workspace.engine),
            **bucket,
            "disk_free_bytes": shutil.disk_usage(self._workspace.root).free,
            "page_cache_bytes": ImageCache(self._workspace.cache_dir).measured_bytes,
        }

    def _try(self) -> str | None:
        now = str(int(time.time()))
        try:
            with write_transaction(self._workspace.engine, "health") as connection:
                row = insert_into(connection, Meta).values(key="health_checked_at", value=now)
                connection.execute(
                    row.on_conflict_do_update(index_elements=["key"], set_={"value": now})
                )
        except (PagetrailError, OSError) as error:
            return str(error)
        return DAMAGED if is_damaged(self._workspace.engine) else None
