"""Whose work on a task becomes gold without a reviewer: everybody's, or that of a majority."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.comparison.differences import TaskDifference
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

    Whoever agrees with too few to be in such a group is left out, again and again. If those who are
    left all agree with each other, every such group is among them.
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
