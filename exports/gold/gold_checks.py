"""Reads the decisions on suspect gold, and the gold before and after them.

Before: the gold that a task came with; if it came without, the last version decided in review.
After: the version that replaced it; dropped tasks are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.gold.adjudicated_gold import (
    GoldVersion,
    RecordOf,
    came_with_gold,
    gold_versions,
    records_of_tasks,
    standing_checks,
    version_parts,
    without_gold,
)
from pagetrail.exports.reading.attempts import CountedAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.storage.snapshot.rows import AttemptEvents

Gold = Literal["task", "adjudicated", "corrected"]
"""Which gold counts: the tasks' own, the last version decided in review, or the checked gold.

``corrected``: with the corrections of suspect gold, and without the tasks that were dropped.
"""

GoldChoice = Literal["task", "adjudicated", "corrected", "unchecked"]
"""``unchecked``: what ``corrected`` was before any check."""


@dataclass(frozen=True)
class GoldCheck:
    """The last decision on a task's gold.

    Attributes:
        reason: as its supervisor wrote it; may be empty.
        at: when, ISO-8601 UTC.
    """

    decision: ev.CheckDecision
    reason: str
    at: str


@dataclass(frozen=True)
class CheckedTask:
    """A task's gold stream, as far as checks of gold are concerned.

    Attributes:
        seq: its last event.
        before: the task's record with its gold before any check; None without gold.
        after: the same with the corrected gold; None if it was not corrected.
        reviewed_version: the last version decided in review, if that was not made by a check and
            the task came with other gold; 0 without one.
        check: None if the gold has not been checked.
    """

    seq: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reviewed_version: int
    check: GoldCheck | None


_CHECKED = TypeAdapter(list[CheckedTask])


@dataclass(frozen=True)
class CheckedGold:
    """The gold of a campaign's tasks before and after checks.

    Attributes:
        tasks: task → its gold stream; tasks without one are missing.
    """

    protocol: Protocol
    tasks: Mapping[str, CheckedTask]

    def before(self, task: str, record: dict[str, Any]) -> dict[str, Any] | None:
        """A task's record with its gold before any check; None without gold."""
        if task in self.tasks:
            return self.tasks[task].before
        return record if came_with_gold(self.protocol, record) else None

    def after(self, task: str, record: dict[str, Any]) -> dict[str, Any] | None:
        """A task's record with its current gold; None without gold."""
        stream = self.tasks.get(task)
        return stream.after if stream and stream.after else self.before(task, record)

    @property
    def corrected(self) -> set[str]:
        """The tasks whose gold was corrected, and that were not dropped since."""
        return {task for task, decision in self.decisions.items() if decision == "corrected"}

    @property
    def dropped(self) -> set[str]:
        """The tasks that were dropped."""
        return {task for task, decision in self.decisions.items() if decision == "dropped"}

    @property
    def decisions(self) -> dict[str, ev.CheckDecision]:
        """Task → the decision on its gold."""
        return {
            task: stream.check.decision
            for task, stream in self.tasks.items()
            if stream.check is not None
        }


def records_by_gold(source: Source, gold: GoldChoice) -> RecordOf:
    """A function from (task, imported record) to the record with the gold that counts.

    Tasks without such gold, and for ``corrected`` dropped tasks, have no gold at all.

    Raises:
        PagetrailError: ``adjudicated``, and nothing has been decided (``no_adjudicated_gold``).
    """
    if gold in ("task", "adjudicated"):
        return records_of_tasks(source, adjudicated=gold == "adjudicated")
    checked = read_checked_gold(source)
    dropped = checked.dropped if gold == "corrected" else set()
    record_in_use = checked.after if gold == "corrected" else checked.before

    def record_of(task: str, record: dict[str, Any]) -> dict[str, Any]:
        gold_record = None if task in dropped else record_in_use(task, record)
        return without_gold(record) if gold_record is None else gold_record

    return record_of


def gold_choice(source: Source) -> GoldChoice:
    """The gold that an export goes by."""
    if source.adjudicated:
        return "adjudicated"
    if source.checked_gold == "original":
        return "unchecked"
    return source.checked_gold or "task"


def dropped_tasks(source: Source, gold: GoldChoice) -> set[str]:
    """The tasks that leave every table by this gold: dropped when their gold was checked."""
    return read_checked_gold(source).dropped if gold in ("adjudicated", "corrected") else set()


def read_checked_gold(source: Source) -> CheckedGold:
    """Read the gold streams of a campaign; only changed ones are read again."""
    protocol = source.campaign.protocol

    def compute(streams: Sequence[CountedAttempt]) -> list[CheckedTask]:
        return [_checked_task(source, stream.whole) for stream in streams]

    computation = TaskComputation("checked gold", _CHECKED, compute)
    results = task_results(replace(source, progress=None), computation, gold=True)
    return CheckedGold(
        protocol,
        {
            head.task: stream
            for heads, streams in results
            for head, stream in zip(heads, streams, strict=True)
        },
    )


def _checked_task(source: Source, stream: AttemptEvents) -> CheckedTask:
    record = stream.head.record
    versions = {version.review.version: version for version in gold_versions(source, stream)}
    imported = came_with_gold(source.campaign.protocol, record)
    checks = standing_checks(stream, versions, imported=imported)
    corrections = {payload.version for _, payload in checks if payload.decision == "corrected"}
    reviewed = max((number for number in versions if number not in corrections), default=0)
    first = min(corrections, default=None)
    before = record if imported else None
    if not imported:
        decided = [n for n in versions if first is None or n < first]
        before = _with_gold(stream, versions[max(decided)]) if decided else None
    check = _last_check(checks)
    if check is not None and not imported and checks[-1][1].version != max(versions):
        check = None  # review has decided a later version
    after = None
    if check is not None and corrections:
        after = _with_gold(stream, versions[max(corrections)])
    return CheckedTask(
        seq=stream.events[-1].seq,
        before=before,
        after=after,
        reviewed_version=reviewed if imported and reviewed > max(corrections, default=0) else 0,
        check=check,
    )


def _last_check(checks: Sequence[tuple[ev.Event, ev.GoldChecked]]) -> GoldCheck | None:
    if not checks:
        return None
    event, payload = checks[-1]
    decision = payload.decision
    if decision == "confirmed" and any(p.decision == "corrected" for _, p in checks):
        decision = "corrected"  # the correction is confirmed
    return GoldCheck(decision, payload.reason, event.server_ts)


def _with_gold(stream: AttemptEvents, version: GoldVersion) -> dict[str, Any]:
    """The task's record with this gold; parts that the protocol does not ask for are kept."""
    return dict(stream.head.record) | version_parts(stream, version)
