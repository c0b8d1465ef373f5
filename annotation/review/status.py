"""Decides the review status of a task: does a reviewer decide, or does it become gold by itself?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.comparison.differences import TaskDifference
from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.sections import ReviewPart

Status = Literal[
    "waiting",
    "returned",
    "conflict",
    "single",
    "alone",
    "agreed",
    "check",
    "accepted",
    "decided",
    "changed",
    "incomplete",
]
"""Stored with a task's review row; ``status_of`` decides which one applies.

* ``waiting``: not all expected annotators have finished.
* ``returned``: sent back, and not submitted again yet.
* ``conflict``: annotators differ, or agree on something other than the dataset's gold.
* ``single``: too few submissions for the rule, so there is nothing to compare. Needs a reviewer.
* ``alone``: submitted by the only annotator the campaign asks for. Needs no reviewer.
* ``agreed``: meets the rule, and becomes gold next.
* ``check``: accepted automatically, and sampled for a check or in contradiction to the dataset.
* ``accepted``: became gold automatically.
* ``decided``: became gold by a reviewer's decision.
* ``changed``: resubmitted since it became gold.
* ``incomplete``: something that the protocol requires is missing in the gold.
"""

NEEDS_REVIEWER: tuple[Status, ...] = ("conflict", "changed", "incomplete", "check", "single")
"""The statuses in a reviewer's queue."""


@dataclass(frozen=True)
class TaskWorkSummary:
    """The work on a task, as far as its review status depends on it.

    Attributes:
        overlap: annotators per task, also of a closed campaign.
        n_expected: annotators who should finish it: the overlap, and one more for each who skipped
            it and was replaced; 0 for a closed campaign.
        n_finished: attempts that are submitted or skipped.
        n_submitted: attempts that are submitted.
        n_returned: attempts that were sent back and not submitted again.
        n_skipped: skipped attempts that a supervisor has not resolved.
        flagged: whether anybody flagged it.
        attempts: ids of the submitted attempts.
        sources: submitted attempt → number of the event with which it was submitted.
    """

    overlap: int
    n_expected: int
    n_finished: int
    n_submitted: int
    n_returned: int
    n_skipped: int
    flagged: bool
    attempts: tuple[str, ...]
    sources: dict[str, int]


def agreeing_attempts(
    attempts: Sequence[str], difference: TaskDifference, rule: ReviewPart, n_finished: int
) -> tuple[str, ...]:
    """The submitted attempts that agree as the rule requires; empty if a reviewer has to decide.

    Args:
        attempts: all submitted attempts.
        difference: between them, by the same rule.
        n_finished: submitted attempts and unresolved skips; a skip agrees with nobody.
    """
    if rule.accept == "off":
        return ()
    if len(attempts) < 2:
        return tuple(attempts) if rule.people == 1 and n_finished == len(attempts) else ()
    if rule.accept == "majority":
        return _majority(attempts, difference, n_finished // 2 + 1)
    return tuple(attempts) if difference.agreed and n_finished == len(attempts) else ()


def _majority(
    attempts: Sequence[str], difference: TaskDifference, min_size: int
) -> tuple[str, ...]:
    """The majority that agrees in every part; empty if there may be two such groups.

    Attempts that agree with too few others are dropped until none can be dropped. If the rest all
    agree with each other, they contain every majority.
    """
    open_parts = [part for part in difference.parts if not part.agreed]
    if any(not part.apart for part in open_parts):
        return ()  # not compared
    differing_pairs = {frozenset(pair) for part in open_parts for pair in part.apart}
    remaining = set(attempts)
    while True:
        n_agreeing = {
            a: sum(frozenset((a, b)) not in differing_pairs for b in remaining - {a})
            for a in remaining
        }
        dropped = {a for a in remaining if n_agreeing[a] < min_size - 1}
        if not dropped:
            break
        remaining -= dropped
    is_majority = len(remaining) >= min_size and all(
        n_agreeing[a] == len(remaining) - 1 for a in remaining
    )
    return tuple(sorted(remaining)) if is_majority else ()


def status_of(
    work: TaskWorkSummary,
    difference: TaskDifference,
    rule: ReviewPart,
    review: Review | None,
    is_sampled: bool,
    complete: Callable[[], bool] = lambda: True,
    may_contradict: Callable[[], bool] = lambda: False,
) -> Status:
    """The review status of the task.

    A flag asks for a reviewer, so a flagged task is never accepted automatically; nor is one that
    somebody skipped, or whose gold would be incomplete or might contradict the dataset.

    Args:
        complete: whether the gold, or what would become gold, has everything that the protocol asks
            for; called only where the status depends on it.
        may_contradict: likewise, whether it contradicts what the task came with, or whether the
            rule of correctness cannot tell.
    """
    if work.n_returned:
        return "returned"
    if review is not None and review.decided:
        if {s.attempt: s.seq for s in review.sources} != work.sources:
            return "changed"
        if not complete():
            return "incomplete"
        if not review.automatic:
            return "decided"
        return "check" if is_sampled or may_contradict() else "accepted"
    if work.n_finished < max(1, work.n_expected):
        return "waiting"
    if review is not None and review.reopened:
        return "conflict"
    if work.n_submitted < 2 and rule.people > 1:
        is_clear = work.n_submitted == 1 and not work.n_skipped and not work.flagged
        if work.overlap == 1 and is_clear and rule.accept != "off":
            return "alone"
        return "single"
    agreeing = agreeing_attempts(work.attempts, difference, rule, work.n_submitted + work.n_skipped)
    if agreeing and not work.flagged:
        if work.n_submitted < rule.people:
            return "single"
        acceptable = len(agreeing) >= rule.people and complete() and not may_contradict()
        return "agreed" if acceptable else "conflict"
    return "conflict"


def sampled_for_check(seed: int, key: str, share: float) -> bool:
    """Whether a task is in the random share to be checked; the same at every call.

    Args:
        seed: of the campaign.
        key: of the task.
        share: of all tasks, in [0, 1].
    """
    digest = sha256(f"check:{seed}:{key}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * 2**64


STATUS_WORDS: dict[Status, str] = {
    "waiting": N_("With annotators"),
    "returned": N_("Sent back"),
    "conflict": N_("To decide"),
    "changed": N_("Resubmitted"),
    "incomplete": N_("Incomplete gold"),
    "check": N_("To check"),
    "single": N_("Nothing to compare"),
    "alone": N_("One annotator"),
    "agreed": N_("Agreed"),
    "accepted": N_("Accepted automatically"),
    "decided": N_("Decided"),
}
"""In the order of the work."""
