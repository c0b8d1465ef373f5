"""Expected temporary failures: a full disk, missing permissions, a busy or unreachable database.

They are answered with 503 and a message, and logged as one line. All other failures are logged
with a traceback.
"""

from __future__ import annotations

import logging

from pagetrail.annotation.errors import (
    ACCESS_ERRNOS,
    FULL_ERRNOS,
    Busy,
    PagetrailError,
    StorageError,
)
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.database.engine import BUSY, POOL_TIMEOUT

_FORESEEN = (
    "storage_busy",
    "storage_full",
    "storage_gone",
    "storage_not_writable",
    "storage_replaced",
)
_DISK_FULL = N_(
    "The server's disk is full. Nothing was stored; it works again once there is space."
)

_NO_ACCESS = N_(
    "The server cannot read or write a file of the workspace. Nothing was stored; an administrator "
    "finds the file in the server's log, and has to give the user that runs Pagetrail access to it."
)


def outage_of(error: BaseException) -> PagetrailError | None:
    """The error to answer with 503 and a retry time; None for other causes."""
    if isinstance(error, OSError) and error.errno in FULL_ERRNOS:
        return StorageError(gettext(_DISK_FULL), code="storage_full")
    if isinstance(error, OSError) and error.errno in ACCESS_ERRNOS:
        return StorageError(gettext(_NO_ACCESS), code="storage_not_writable")
    if isinstance(error, POOL_TIMEOUT):
        return StorageError(gettext(BUSY), code="storage_busy")
    return error if isinstance(error, StorageError | Busy) else None


def is_foreseen(error: BaseException) -> bool:
    """Whether the cause is clear without a traceback."""
    outage = outage_of(error)
    return isinstance(outage, Busy) or (outage is not None and outage.code in _FORESEEN)


class FailureLog:
    """Logs failures of a repeated task, but only the first of several in a row.

    Args:
        task: names what failed, without user data.
    """

    def __init__(self, logger: logging.Logger, task: str) -> None:
        self._logger = logger
        self._task = task
        self._is_failing = False

    def failed(self, error: BaseException) -> None:
        """Log the failure, unless the last run failed as well."""
        if not self._is_failing:
            log_failure(self._logger, self._task, error)
        self._is_failing = True

    def succeeded(self) -> None:
        """Log the next failure again."""
        self._is_failing = False


def log_failure(logger: logging.Logger, task: str, error: BaseException) -> None:
    """Log a failure: as one line if it is expected, otherwise with a traceback.

    Args:
        task: names what failed, without user data.
    """
    outage = outage_of(error)
    if outage is not None and is_foreseen(error):
        # An OSError names the file.
        reason = error if isinstance(error, OSError) else outage.message
        logger.warning("%s failed (%s): %s", task, outage.code, reason)
    else:
        logger.error("%s failed", task, exc_info=error)
