"""The practice workspace made before anybody waits for it, and its processes ended after use."""

from __future__ import annotations

import logging
from threading import Event, Thread

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.practice.start import make_practice
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import list_campaigns, protocols_of
from pagetrail.storage.corpus.thumbnails import machine_is_idle

_LOOK_EVERY_S = 30.0
_MOST_WAITS = 10
"""A machine that is never quiet gets practice after five minutes all the same."""
IDLE_S = 600.0
_log = logging.getLogger("pagetrail.server")


class PracticeUpkeep:
    """A thread beside the server."""

    def __init__(self, services: Services) -> None:
        """Nothing is started before ``start``."""
        self._services = services
        self._closed = Event()
        self._made = False
        self._looks = 0

    def start(self) -> None:
        """Look every half minute from now on."""
        Thread(target=self._follow, name="practice", daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        self._closed.set()

    def look(self) -> None:
        """End what nobody has used for ten minutes; make what will be wanted.

        Raises:
            PagetrailError: the practice workspace cannot be made.
        """
        self._services.practice.close_idle(IDLE_S)
        self._looks += 1
        quiet = machine_is_idle(self._services.images.workers.last_used)
        if not self._made and (quiet or self._looks > _MOST_WAITS) and self._wanted():
            make_practice(self._services)
            self._made = True

    def _wanted(self) -> bool:
        campaigns = [
            each.name for each in list_campaigns(self._services.workspace) if each.status == "open"
        ]
        protocols = protocols_of(self._services.workspace.engine, campaigns)
        return any(protocol.practice for protocol in protocols.values())

    def _follow(self) -> None:
        while not self._closed.wait(_LOOK_EVERY_S):
            try:
                self.look()
            except PagetrailError as error:
                _log.warning("practice: %s", error.message)
