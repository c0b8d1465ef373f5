"""Builds the practice workspace in advance, and stops its processes when it is idle."""

from __future__ import annotations

import logging
from threading import Event, Thread

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.practice.start import make_practice
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import list_campaigns, protocols_of
from pagetrail.storage.corpus.thumbnails import machine_is_idle

_INTERVAL_S = 30.0
_MAX_WAITS = 10
"""After five minutes, practice is built even on a busy machine."""
IDLE_S = 600.0
_log = logging.getLogger("pagetrail.server")


class PracticeUpkeep:
    """A background thread of the server."""

    def __init__(self, services: Services) -> None:
        """The thread only runs after ``start``."""
        self._services = services
        self._closed = Event()
        self._is_built = False
        self._checks = 0

    def start(self) -> None:
        """Check every half minute from now on."""
        Thread(target=self._follow, name="practice", daemon=True).start()

    def close(self) -> None:
        """Stop checking."""
        self._closed.set()

    def check(self) -> None:
        """Stop processes that have been idle for ten minutes; build practice if it will be needed.

        Raises:
            PagetrailError: the practice workspace cannot be built.
        """
        self._services.practice.close_idle(IDLE_S)
        self._checks += 1
        quiet = machine_is_idle(self._services.images.workers.last_used)
        if not self._is_built and (quiet or self._checks > _MAX_WAITS) and self._is_needed():
            make_practice(self._services)
            self._is_built = True

    def _is_needed(self) -> bool:
        campaigns = [
            campaign.name
            for campaign in list_campaigns(self._services.workspace)
            if campaign.status == "open"
        ]
        protocols = protocols_of(self._services.workspace.engine, campaigns)
        return any(protocol.practice for protocol in protocols.values())

    def _follow(self) -> None:
        while not self._closed.wait(_INTERVAL_S):
            try:
                self.check()
            except PagetrailError as error:
                _log.warning("practice: %s", error.message)
