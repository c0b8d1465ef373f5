"""Failed sign-ins in the audit log: a line for the first, and one for all that follow."""

from __future__ import annotations

import logging
from threading import Lock
from time import monotonic

from pagetrail.annotation.errors import StorageError
from pagetrail.app.services.outages import log_failure
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import audit

PERIOD_S = 600
PLACES = 60
"""Pairs of account and address that are told apart in a period; the rest are counted together."""
_MANY = ("various names", "various addresses")
_MAX_NAME = 60
_log = logging.getLogger("pagetrail.notes")


class FailureNotes:
    """Writes at most two lines per name and address in ten minutes, and 122 in all."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._periods: dict[tuple[str, str], tuple[float, int]] = {}
        self._lock = Lock()

    def note(self, name: str, address: str) -> None:
        """Note a failed attempt; a database that takes no note is not the person's trouble."""
        key = (name[:_MAX_NAME], address)
        with self._lock:
            lines = self._ended(monotonic() - PERIOD_S)
            if key not in self._periods and len(self._periods) >= PLACES:
                key = _MANY
            if key in self._periods:
                began, more = self._periods[key]
                self._periods[key] = began, more + 1
            else:
                self._periods[key] = monotonic(), 0
                lines.append((key[0], f"from {key[1]}"))
        self._write(lines)

    def close(self) -> None:
        """Write what has only been counted so far."""
        with self._lock:
            lines = self._ended(float("inf"))
        self._write(lines)

    def _ended(self, began_before: float) -> list[tuple[str, str]]:
        """Lines about the periods that are over, which are forgotten."""
        lines = []
        for key, (began, more) in list(self._periods.items()):
            if began < began_before:
                del self._periods[key]
                if more:
                    lines.append((key[0], f"{more} more from {key[1]} within ten minutes"))
        return lines

    def _write(self, lines: list[tuple[str, str]]) -> None:
        for actor, detail in lines:
            try:
                audit(self._workspace, actor, "sign-in failed", detail)
            except StorageError as error:
                log_failure(_log, "noting failed sign-ins", error)
