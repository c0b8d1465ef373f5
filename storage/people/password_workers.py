"""Checks passwords in processes of low priority, since each hash occupies a core."""

from __future__ import annotations

import os

from pagetrail.annotation.errors import Busy
from pagetrail.annotation.messages import gettext
from pagetrail.storage.people.credentials import verify_password
from pagetrail.storage.workers.pool import WorkerPool
from pagetrail.storage.workers.process import WorkerFailure
from pagetrail.storage.workers.worker_main import import_modules

PROCESSES = 2
_NICENESS = 3
"""Below events and searches, above drawing pages."""

_LIMIT_S = 30.0


class PasswordWorkers:
    """Checks passwords in ``pool``, or in the caller's process until that is started."""

    def __init__(self) -> None:
        self.pool = WorkerPool(
            min(PROCESSES, os.cpu_count() or 1),
            import_modules,
            ([verify_password.__module__],),
            niceness=_NICENESS,
        )

    def verify(self, password_hash: str | None, password: str) -> bool:
        """Like ``verify_password``.

        Raises:
            Busy: no process answers in time.
        """
        if not self.pool.is_started:
            return verify_password(password_hash, password)
        try:
            return self.pool.call(verify_password, password_hash, password, timeout=_LIMIT_S)
        except WorkerFailure:
            raise Busy(
                gettext("Passwords cannot be checked at the moment. Try again shortly.")
            ) from None
