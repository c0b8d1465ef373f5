"""Computes per-task results for reports, once for each state of a task."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from pagetrail.exports.reading.attempts import CountedAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.storage.snapshot.result_cache import packed, program_digest, unpacked
from pagetrail.storage.snapshot.rows import AttemptHead, TaskAttempts

T = TypeVar("T")

_TASKS_AT_ONCE = 20


@dataclass(frozen=True)
class TaskComputation(Generic[T]):
    """Something that is computed of the attempts at a task.

    Attributes:
        what: names the computation and its options; what was computed under another name is not
            used.
        adapter: writes the result as JSON and reads it again; both must be equal.
        compute: from a task's attempts, which are in the order of the heads. It must not depend on
            names of people, on other tasks, or on anything but the protocol, ``dependency`` and
            what ``valid`` checks.
        dependency: of a task's attempts, what else the result depends on; its ``repr`` tells it
            apart.
        valid: whether a stored result still holds.
    """

    name: str
    adapter: TypeAdapter[T]
    compute: Callable[[Sequence[CountedAttempt]], T]
    dependency: Callable[[Sequence[AttemptHead]], object] | None = None
    is_valid: Callable[[T], bool] | None = None


def task_results(
    source: Source,
    computation: TaskComputation[T],
    *,
    also_compute: Sequence[TaskComputation[Any]] = (),
    gold: bool = False,
) -> Iterator[tuple[Sequence[AttemptHead], T]]:
    """The attempts with events at each task, and the result computed from them.

    Attempts are read only if their task has changed since the last computation.

    Args:
        also_compute: further computations to run and store for the attempts that are read, since
            reading takes most of the time and another report will need the results.
        gold: use the event streams in which reviewers decided gold instead.
    """
    results = _StoredResults(source, computation)
    further_results = [_StoredResults(source, other) for other in also_compute]
    attempts_done = 0
    tasks = source.database.task_attempts(source.campaign.id, gold=gold)
    while part := list(islice(tasks, _TASKS_AT_ONCE)):
        results_by_task = {task.task: results.find(task) for task in part}
        missing = [task for task in part if results_by_task[task.task] is None]
        read_tasks = list(_read_attempts(source, missing)) if missing else []
        results_by_task |= {task: (result,) for task, result in results.computed(read_tasks)}
        for other in further_results:
            other.computed(
                [task_read for task_read in read_tasks if other.find(task_read[0]) is None]
            )
        for task in part:
            result = results_by_task[task.task]
            assert result is not None
            yield task.heads, result[0]
            attempts_done += len(task.heads)
            if source.progress is not None:
                source.progress(attempts_done, source.campaign.opened)


_Read = tuple[TaskAttempts, Sequence[CountedAttempt]]


def _read_attempts(source: Source, tasks: Sequence[TaskAttempts]) -> Iterator[_Read]:
    attempts = source.database.with_events([head for task in tasks for head in task.heads])
    for task in tasks:
        yield task, [CountedAttempt(source, next(attempts)) for _ in task.heads]


class _StoredResults(Generic[T]):
    """The results of one computation in the workspace's cache."""

    def __init__(self, source: Source, computation: TaskComputation[T]) -> None:
        self._cache = source.cache
        self._computation = computation
        self._scope = f"{source.campaign.id} {source.submission} {computation.name}"
        protocol = source.campaign.protocol.model_dump_json().encode()
        self._base = hashlib.sha256(program_digest() + protocol).digest()

    @cached_property
    def _stored(self) -> dict[str, tuple[bytes, bytes]]:
        return self._cache.of_tasks(self._scope)

    def find(self, task: TaskAttempts) -> tuple[T] | None:
        """The stored result, if it belongs to the task's current state."""
        version, value = self._stored.pop(task.task, (b"", b""))
        json = unpacked(value, version) if version == self._version(task) else None
        if json is None:
            return None
        result = self._computation.adapter.validate_json(json)
        valid = self._computation.is_valid
        return (result,) if valid is None or valid(result) else None

    def computed(self, tasks: Iterable[_Read]) -> list[tuple[str, T]]:
        """Compute and store the results of tasks; returns (task, result)."""
        rows, results = [], []
        for task, attempts in tasks:
            result = self._computation.compute(attempts)
            json = self._computation.adapter.dump_json(result)
            version = self._version(task)
            rows.append((task.task, version, packed(json, version)))
            results.append((task.task, result))
        self._cache.store_tasks(self._scope, rows)
        return results

    def _version(self, task: TaskAttempts) -> bytes:
        depends_on = self._computation.dependency
        dependency = repr(depends_on(task.heads) if depends_on else None).encode()
        return hashlib.sha256(self._base + task.version + dependency).digest()
