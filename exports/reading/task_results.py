"""What reports compute of the attempts at each task, computed once for each state of the task."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

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
            names of people, on other tasks, or on anything but the protocol, ``also`` and what
            ``valid`` checks.
        also: of a task's first attempt, what else the result depends on; its ``repr`` tells it
            apart.
        valid: whether a stored result still holds.
    """

    what: str
    adapter: TypeAdapter[T]
    compute: Callable[[Sequence[CountedAttempt]], T]
    also: Callable[[AttemptHead], object] | None = None
    valid: Callable[[T], bool] | None = None


def task_results(
    source: Source,
    wanted: TaskComputation[T],
    *,
    beside: Sequence[TaskComputation[Any]] = (),
    gold: bool = False,
) -> Iterator[tuple[Sequence[AttemptHead], T]]:
    """The attempts at each task that have events, and what is computed of them.

    Only attempts whose task has changed since it was last computed are read.

    Args:
        beside: what is computed and stored as well of the attempts that are read, which takes most
            of the time, so that another report need not read them.
        gold: of the streams in which reviewers made gold instead, at most one per task.
    """
    results = _StoredResults(source, wanted)
    others = [_StoredResults(source, other) for other in beside]
    done = 0
    tasks = source.database.task_attempts(source.campaign.id, gold=gold)
    while part := list(islice(tasks, _TASKS_AT_ONCE)):
        found = {task.task: results.find(task) for task in part}
        missing = [task for task in part if found[task.task] is None]
        read = list(_read_attempts(source, missing)) if missing else []
        found |= {task: (result,) for task, result in results.computed(read)}
        for other in others:
            other.computed([each for each in read if other.find(each[0]) is None])
        for task in part:
            result = found[task.task]
            assert result is not None
            yield task.heads, result[0]
            done += len(task.heads)
            if source.progress is not None:
                source.progress(done, source.campaign.opened)


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
        self._scope = f"{source.campaign.id} {source.submission} {computation.what}"
        protocol = source.campaign.protocol.model_dump_json().encode()
        self._base = hashlib.sha256(program_digest() + protocol).digest()

    @cached_property
    def _stored(self) -> dict[str, tuple[bytes, bytes]]:
        return self._cache.of_tasks(self._scope)

    def find(self, task: TaskAttempts) -> tuple[T] | None:
        """The stored result, if it is of the task's present state."""
        version, value = self._stored.pop(task.task, (b"", b""))
        if version != self._version(task):
            return None
        try:
            found = self._computation.adapter.validate_json(unpacked(value))
        except (zlib.error, ValidationError):
            return None  # damaged
        valid = self._computation.valid
        return (found,) if valid is None or valid(found) else None

    def computed(self, tasks: Iterable[_Read]) -> list[tuple[str, T]]:
        """Task → what is computed of its attempts; it is stored as well."""
        rows, found = [], []
        for task, attempts in tasks:
            result = self._computation.compute(attempts)
            json = self._computation.adapter.dump_json(result)
            rows.append((task.task, self._version(task), packed(json)))
            found.append((task.task, result))
        self._cache.store_tasks(self._scope, rows)
        return found

    def _version(self, task: TaskAttempts) -> bytes:
        also = self._computation.also
        said = repr(also(task.heads[0]) if also else None).encode()
        return hashlib.sha256(self._base + task.version + said).digest()
