"""Audit log entries about misuse and failed sign-ins, bounded so that nobody can fill the disk."""

from __future__ import annotations

import logging
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from threading import Lock
from time import monotonic

from pagetrail.annotation.errors import Refusal, StorageError
from pagetrail.app.services.outages import log_failure
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import audit

MAX_ENTRIES = 60
"""Entries per person within ``WINDOW_S``."""
WINDOW_S = 600
SIGN_IN_PERIOD_S = 600
MAX_SIGN_IN_PAIRS = 60
"""Pairs of account and address listed separately within a period; others share one entry."""
_OTHER_PAIRS = ("various names", "various addresses")
_MAX_NAME_LENGTH = 60
_MAX_CALLERS = 10_000
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
"""Codes of refusals that our own screens never cause, not even with a second tab open."""


class SecurityLog:
    """Records in the audit log what no genuine client of this project would do.

    At most ``MAX_ENTRIES`` per person in ``WINDOW_S`` seconds. Entries beyond that are counted,
    and the person's next entry says how many there were.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._throttle = Throttle(MAX_ENTRIES, WINDOW_S)
        self._omitted: Counter[str] = Counter()
        self._lock = Lock()

    def record(self, actor: str, action: str, detail: str) -> None:
        """Record an action. A failing database is logged, and does not fail the request."""
        with self._lock:
            if not self._throttle.allows(actor):
                self._omitted[actor] += 1
                return
            self._throttle.count_failure(actor)
            omitted = self._omitted.pop(actor, 0)
        if omitted:
            detail = f"({omitted} before this were not noted) {detail}"
        try:
            audit(self._workspace, actor, action, detail)
        except StorageError as error:
            log_failure(_log, f"noting {action}", error)

    def record_refusals(self, actor: str, attempt_id: str, refusals: Iterable[Refusal]) -> None:
        """Record the forged events among one request's refusals, as one entry."""
        forged = [refusal for refusal in refusals if refusal.code in FORGED]
        if forged:
            counts = Counter(refusal.code for refusal in forged)
            codes = ", ".join(f"{code} × {count}" for code, count in sorted(counts.items()))
            self.record(actor, "refused event", f"{attempt_id}: {codes}. {forged[0].message}")


class FailedSignInLog:
    """Records failed sign-ins: one entry for the first, and one that counts those that follow.

    That is at most two entries per name and address in ten minutes, and 122 in total.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._periods: dict[tuple[str, str], tuple[float, int]] = {}
        self._lock = Lock()

    def record(self, name: str, address: str) -> None:
        """Record a failed attempt. A failing database is logged, and does not fail the request."""
        key = (name[:_MAX_NAME_LENGTH], address)
        with self._lock:
            entries = self._end_periods(monotonic() - SIGN_IN_PERIOD_S)
            if key not in self._periods and len(self._periods) >= MAX_SIGN_IN_PAIRS:
                key = _OTHER_PAIRS
            if key in self._periods:
                started, repeats = self._periods[key]
                self._periods[key] = started, repeats + 1
            else:
                self._periods[key] = monotonic(), 0
                entries.append((key[0], f"from {key[1]}"))
        self._write(entries)

    def close(self) -> None:
        """Write what has only been counted so far."""
        with self._lock:
            entries = self._end_periods(float("inf"))
        self._write(entries)

    def _end_periods(self, started_before: float) -> list[tuple[str, str]]:
        """Remove the periods that are over, and return their entries."""
        entries = []
        for key, (started, repeats) in list(self._periods.items()):
            if started < started_before:
                del self._periods[key]
                if repeats:
                    entries.append((key[0], f"{repeats} more from {key[1]} within ten minutes"))
        return entries

    def _write(self, entries: list[tuple[str, str]]) -> None:
        for actor, detail in entries:
            try:
                audit(self._workspace, actor, "sign-in failed", detail)
            except StorageError as error:
                log_failure(_log, "noting failed sign-ins", error)


class Throttle:
    """Allows ``max_failures`` failures within ``window_s`` seconds per caller, in memory.

    Beyond 10,000 callers, the one whose last failure is oldest is forgotten.
    """

    def __init__(self, max_failures: int, window_s: float) -> None:
        self._max_failures = max_failures
        self._window = window_s
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, caller: str) -> bool:
        """Whether the caller may try (again)."""
        with self._lock:
            return len(self._recent(caller)) < self._max_failures

    def count_failure(self, caller: str) -> None:
        """Count a failure."""
        with self._lock:
            self._failures.setdefault(caller, deque(maxlen=self._max_failures)).append(monotonic())
            self._failures.move_to_end(caller)
            if len(self._failures) > _MAX_CALLERS:
                self._failures.popitem(last=False)

    def _recent(self, caller: str) -> deque[float]:
        times = self._failures.get(caller, deque())
        while times and times[0] < monotonic() - self._window:
            times.popleft()
        return times
