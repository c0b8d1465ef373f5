"""The attempts of a campaign with what metrics or agreement need of them, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reports.per_task.attempt_results import (
    AttemptResult,
    Record,
    attempt_results,
)
from pagetrail.exports.reports.per_task.task_agreement import (
    TaskAgreement,
    task_agreement,
    with_names,
)
from pagetrail.storage.snapshot.rows import AttemptHead


def measured_attempts(
    source: Source, rule: Rule, gold: str, record: Record
) -> Iterator[tuple[AttemptHead, AttemptResult]]:
    """The attempts that have events. Arguments as of ``attempt_results``."""
    wanted = attempt_results(source, rule, gold, record)
    for heads, results in task_results(source, wanted, beside=[task_agreement(source, None)]):
        yield from zip(heads, results, strict=True)


def compared_tasks(
    source: Source, dpi: float | None
) -> Iterator[tuple[Sequence[AttemptHead], TaskAgreement]]:
    """The tasks on which somebody has worked. Arguments as of ``task_agreement``."""
    beside = [_by_default(source)]
    for heads, found in task_results(source, task_agreement(source, dpi), beside=beside):
        yield heads, with_names(source, heads, found)


def _by_default(source: Source) -> TaskComputation[list[AttemptResult]]:
    return attempt_results(source, "first", "task", lambda head: head.record)
