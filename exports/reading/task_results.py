"""What reports compute of the attempts at each task, computed once for each state of the task."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from pagetrail.exports.reading.source import Source
from pagetrail.storage.snapshot.result_cache import packed, program_digest, unpacked
from pagetrail.storage.snapshot.rows import AttemptEvents, AttemptHead, TaskAttempts

T = TypeVar("T")

_TASKS_AT_ONCE = 20


def task_results(
    source: Source,
    what: str,
    adapter: TypeAdapter[T],
    compute: Callable[[Sequence[AttemptEvents]], T],
    *,
    also: Callable[[AttemptHead], object] | None = None,
    valid: Callable[[T], bool] | None = None,
    gold: bool = False,
) -> Iterator[tuple[Sequence[AttemptHead], T]]:
    """The attempts at each task that have events, and what is computed of them.

    Only attempts whose task has changed since it was last computed are read.

    Args:
        what: names the computation and its options; what was computed under another name is not
            used.
        adapter: writes the result as JSON and reads it again; both must be equal.
        compute: from a task's attempts, which are in the order of the heads. It must not depend on
            names of people, on other tasks, or on anything but the protocol, ``also`` and what
            ``valid`` checks.
        also: of a task's first attempt, what else the result depends on; its ``repr`` tells it
            apart.
        valid: whether a stored result still holds.
        gold: of the streams in which reviewers made gold instead, at most one per task.
    """
    scope = f"{source.campaign.id} {source.submission} {what}"
    protocol = source.campaign.protocol.model_dump_json().encode()
    base = hashlib.sha256(program_digest() + protocol).digest()
    stored = source.cache.of_tasks(scope)
    done = 0
    tasks = source.database.task_attempts(source.campaign.id, gold=gold)
    while part := list(islice(tasks, _TASKS_AT_ONCE)):
        versions = [
            hashlib.sha256(
                base + task.version + repr(also(task.heads[0]) if also else None).encode()
            ).digest()
            for task in part
        ]
        found = [
            _read(adapter, stored.pop(task.task, None), version, valid)
            for task, version in zip(part, versions, strict=True)
        ]
        missing = [task for task, result in zip(part, found, strict=True) if result is None]
        made = dict(_computed(source, missing, compute)) if missing else {}
        source.cache.store_tasks(
            scope,
            [
                (task.task, version, packed(adapter.dump_json(made[task.task])))
                for task, version in zip(part, versions, strict=True)
                if task.task in made
            ],
        )
        for task, result in zip(part, found, strict=True):
            yield task.heads, made[task.task] if result is None else result[0]
            done += len(task.heads)
            if source.progress is not None:
                source.progress(done, source.campaign.opened)


def _computed(
    source: Source, tasks: Sequence[TaskAttempts], compute: Callable[[Sequence[AttemptEvents]], T]
) -> Iterator[tuple[str, T]]:
    attempts = source.database.with_events([head for task in tasks for head in task.heads])
    for task in tasks:
        yield task.task, compute([next(attempts) for _ in task.heads])


def _read(
    adapter: TypeAdapter[T],
    stored: tuple[bytes, bytes] | None,
    version: bytes,
    valid: Callable[[T], bool] | None,
) -> tuple[T] | None:
    """The stored result, if it is of this version."""
    if stored is None or stored[0] != version:
        return None
    try:
        found = adapter.validate_json(unpacked(stored[1]))
    except (zlib.error, ValidationError):
        return None  # damaged
    return (found,) if valid is None or valid(found) else None
