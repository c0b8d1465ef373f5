"""The attempts of a campaign in order, with what metrics or agreement need of them."""

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
    PartOf,
    TaskAgreement,
    agreement_by_part,
    positions_by_part,
    task_agreement,
    with_names,
)
from pagetrail.storage.snapshot.rows import AttemptHead


def measured_attempts(
    source: Source, rule: Rule, gold: str, record: Record
) -> Iterator[tuple[AttemptHead, AttemptResult]]:
    """The attempts that have events. Arguments as of ``attempt_results``."""
    computation = attempt_results(source, rule, gold, record)
    for heads, results in task_results(
        source, computation, also_compute=[task_agreement(source, None)]
    ):
        yield from zip(heads, results, strict=True)


def compared_tasks(
    source: Source, dpi: float | None
) -> Iterator[tuple[Sequence[AttemptHead], TaskAgreement]]:
    """The tasks on which somebody has worked. Arguments as of ``task_agreement``."""
    default_computation = [_by_default(source)]
    for heads, agreement in task_results(
        source, task_agreement(source, dpi), also_compute=default_computation
    ):
        yield heads, with_names(source, heads, agreement)


def compared_by_part(
    source: Source, dpi: float | None, part_of: PartOf
) -> Iterator[tuple[str, Sequence[AttemptHead], TaskAgreement]]:
    """Part, attempts and agreement of each part that worked on a task."""
    for heads, agreements in task_results(source, agreement_by_part(source, dpi, part_of)):
        parts = positions_by_part(heads, part_of).items()
        for (part, positions), result in zip(parts, agreements, strict=True):
            part_heads = [heads[position] for position in positions]
            yield part, part_heads, with_names(source, part_heads, result)


def _by_default(source: Source) -> TaskComputation[list[AttemptResult]]:
    return attempt_results(source, "first", "task", lambda head: head.record)
