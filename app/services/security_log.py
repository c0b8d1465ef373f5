"""Notes for supervisors in the audit log: what no genuine client of this project would do."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from threading import Lock

from pagetrail.annotation.errors import Refusal, StorageError
from pagetrail.app.services.outages import log_failure
from pagetrail.app.services.throttle import Throttle
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import audit

NOTES = 60
WINDOW_S = 600
_log = logging.getLogger("pagetrail.notes")

FORGED = frozenset(
    {
        "bad_value",
        "box_exists",
        "given_question",
        "invalid",
        "no_answer",
        "no_boxes",
        "no_evidence",
        "no_new_boxes",
        "no_search",
        "no_such_part",
        "not_a_table",
        "not_given",
        "outside_page",
        "page_not_given",
        "pages_locked",
        "server_only",
        "unknown_document",
        "unknown_field",
        "unknown_label",
        "unknown_page",
        "wrong_scope",
    }
)
"""Codes of refusals that the screen cannot bring about, not even with a second tab open."""


class Notes:
    """Writes to the audit log, at most ``NOTES`` per person in ``WINDOW_S`` seconds.

    Without the bound, somebody who sends nonsense in a loop would fill the disk. What is left out
    is counted, and the person's next note says how many there were.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._throttle = Throttle(NOTES, WINDOW_S)
        self._left_out: Counter[str] = Counter()
        self._lock = Lock()

    def note(self, actor: str, action: str, detail: str) -> None:
        """Note what somebody did; a database that takes no note is not the person's trouble."""
        with self._lock:
            if not self._throttle.allows(actor):
                self._left_out[actor] += 1
                return
            self._throttle.failed(actor)
            left_out = self._left_out.pop(actor, 0)
        if left_out:
            detail = f"({left_out} before this were not noted) {detail}"
        try:
            audit(self._workspace, actor, action, detail)
        except StorageError as error:
            log_failure(_log, f"noting {action}", error)

    def refused(self, actor: str, attempt_id: str, refusals: Iterable[Refusal]) -> None:
        """Note the forged ones among the refusals of one request, in one line."""
        forged = [refusal for refusal in refusals if refusal.code in FORGED]
        if forged:
            counts = Counter(refusal.code for refusal in forged)
            kinds = ", ".join(f"{code} × {count}" for code, count in sorted(counts.items()))
            self.note(actor, "refused event", f"{attempt_id}: {kinds}. {forged[0].message}")
