"""The review status of a task, in code and in words, and whose work needs no reviewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.comparison.differences import TaskDifference
from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.sections import ReviewPart


def agreeing_attempts(
    attempts: Sequence[str], difference: TaskDifference, rule: ReviewPart, n_finished: int
) -> tuple[str, ...]:
    """The submitted attempts that agree as the rule asks; none where a reviewer has to decide.

    Args:
        attempts: all submitted ones.
        difference: theirs, by the same rule.
        n_finished: these, and the skips that nobody has dealt with: they agree with nobody.
    """
    if rule.accept == "off":
        return ()
    if len(attempts) < 2:
        return tuple(attempts) if rule.people == 1 and n_finished == len(attempts) else ()
    if rule.accept == "majority":
        return _majority(attempts, difference, n_finished // 2 + 1)
    return tuple(attempts) if difference.agreed and n_finished == len(attempts) else ()


def _majority(attempts: Sequence[str], difference: TaskDifference, least: int) -> tuple[str, ...]:
    """More than half of the people, who agree with each other in every part; none if there may be
    two such groups, since which of them counts would be arbitrary.

    Attempts that agree with too few to be in such a group are dropped until none is left to drop.
    If the rest all agree with each other, every such group is among them.
    """
    open_parts = [part for part in difference.parts if not part.agreed]
    if any(not part.apart for part in open_parts):
        return ()  # not compared
    differing_pairs = {frozenset(pair) for part in open_parts for pair in part.apart}
    left = set(attempts)
    while True:
        n_agreeing = {
            a: sum(frozenset((a, b)) not in differing_pairs for b in left - {a}) for a in left
        }
        out = {a for a in left if n_agreeing[a] < least - 1}
        if not out:
            break
        left -= out
    agree = len(left) >= least and all(n_agreeing[a] == len(left) - 1 for a in left)
    return tuple(sorted(left)) if agree else ()


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
"""waiting: annotators are still at work, or nobody has started; returned: sent back and not
submitted again; conflict: somebody has to decide, since people differ, or agree on something else
than the dataset; single: fewer than two submissions, so there is
nothing to compare, or fewer than the campaign asks for; alone: submitted by the one annotator that
the campaign asks for, and nobody has to look at it; agreed: meets the rule and becomes gold
next; check: became gold automatically and was drawn for a check, or contradicts the dataset, from
before that was checked; accepted: became gold
automatically; decided: gold by a reviewer; changed: resubmitted since it became gold; incomplete:
gold without something that the protocol asks of annotators, from before that was checked."""

NEEDS_A_PERSON: tuple[Status, ...] = ("conflict", "changed", "incomplete", "check", "single")
"""What a reviewer's queue holds."""


@dataclass(frozen=True)
class People:
    """The people's work on a task, counted.

    Attributes:
        expected: people the campaign wants for it.
        handed: attempts that are submitted or skipped.
        submitted: of these, the submitted ones.
        returned: attempts that were sent back and not submitted again.
        flagged: whether anybody flagged it.
        sources: attempt → number of the event with which it was submitted.
        attempts: the submitted ones.
        skips: skipped attempts that a supervisor still has to deal with.
        overlap: annotators per task, also of a closed campaign.
    """

    expected: int
    handed: int
    submitted: int
    returned: int
    flagged: bool
    sources: dict[str, int]
    attempts: tuple[str, ...]
    skips: int
    overlap: int


def status_of(
    people: People,
    difference: TaskDifference,
    rule: ReviewPart,
    review: Review | None,
    is_drawn: bool,
    complete: Callable[[], bool] = lambda: True,
    contradicts: Callable[[], bool] = lambda: False,
) -> Status:
    """The review status of the task.

    A flag asks for a reviewer, so a flagged task is never accepted automatically; nor is one that
    somebody skipped, or whose gold would be incomplete or contradict the dataset.

    Args:
        complete: whether the gold, or what would become gold, has everything that the protocol asks
            for; called only where the status depends on it.
        contradicts: likewise, whether it contradicts what the task came with.
    """
    if people.returned:
        return "returned"
    if review is not None and review.decided:
        if {s.attempt: s.seq for s in review.sources} != people.sources:
            return "changed"
        if not complete():
            return "incomplete"
        if not review.automatic:
            return "decided"
        return "check" if is_drawn or contradicts() else "accepted"
    if people.handed < max(1, people.expected):
        return "waiting"
    if review is not None and review.reopened:
        return "conflict"
    if people.submitted < 2 and rule.people > 1:
        nothing_to_ask = people.submitted == 1 and not people.skips and not people.flagged
        if people.overlap == 1 and nothing_to_ask and rule.accept != "off":
            return "alone"
        return "single"
    agree = agreeing_attempts(people.attempts, difference, rule, people.submitted + people.skips)
    if agree and not people.flagged:
        if people.submitted < rule.people:
            return "single"
        acceptable = len(agree) >= rule.people and complete() and not contradicts()
        return "agreed" if acceptable else "conflict"
    return "conflict"


def drawn_for_check(seed: int, key: str, share: float) -> bool:
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
    "returned": N_("Returned"),
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
