"""Accepting many tasks at once, as they were previewed.

Each task is decided like one on the review screen, in a transaction of its own: by whoever accepts,
on the work that the preview was made of, complete, and without a tie. What has changed since the
preview is refused and told; the others are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.review.merging import draft_state
from pagetrail.storage.review.actions import Reviews, Seen
from pagetrail.storage.review.decision_guards import undecided_sentence
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.task_rows import people_of

MOST_AT_ONCE = 200
"""Tasks that are previewed together: more than anybody looks through."""


@dataclass(frozen=True)
class Proposed:
    """A task with the gold that accepting it makes.

    Attributes:
        pages: of the evidence.
        confirms: whether it is gold already, which was drawn to be checked.
        left_out: why it cannot be accepted with the others; empty where it can.
        seen: the work that this was made of.
    """

    task_id: int
    campaign: str
    key: str
    question: str
    outcome: Outcome | None
    answer: tuple[str, ...]
    pages: tuple[tuple[str, int], ...]
    confirms: bool
    left_out: str
    seen: Seen


@dataclass(frozen=True)
class Accepted:
    """What became of one task; ``refused`` is empty where it was accepted."""

    key: str
    refused: str = ""


def propose(reviews: Reviews, task_ids: Sequence[int], actor: str) -> list[Proposed]:
    """What accepting these tasks would make, and which have to be looked at one by one.

    Raises:
        NotFoundError: no such task.
    """
    return [_proposed(reviews, task_id, actor) for task_id in task_ids]


def accept(
    reviews: Reviews, proposed: Sequence[Proposed], actor: str, reason: str, run: str
) -> Iterator[Accepted]:
    """Accept the proposed tasks one after the other, but for those that are left out.

    Args:
        run: starts the events' ids; the same again accepts nothing twice.
    """
    for each in proposed:
        if each.left_out:
            continue
        try:
            reviews.decide(
                each.task_id,
                actor,
                None if each.confirms else {},
                reason,
                each.seen,
                f"{run}/{each.task_id}",
            )
        except PagetrailError as error:
            yield Accepted(each.key, error.message)
        else:
            yield Accepted(each.key)


def _proposed(reviews: Reviews, task_id: int, actor: str) -> Proposed:
    work = reviews.work(task_id)
    stored = work.gold.state if work.gold is not None else AttemptState()
    review = stored.review or Review()
    confirms = review.decided and review.automatic
    undecided = ""
    form = work.gold_form(stored)
    if not confirms:
        merged = reviews.merged_draft(task_id, {})
        undecided = undecided_sentence(merged.choices, work.task.protocol)
        form = work.task.form(draft_state(merged))
    state = form.state
    return Proposed(
        task_id=task_id,
        campaign=work.task.campaign,
        key=work.task.key,
        question=str(work.task.record.get("question", "")),
        outcome=state.outcome,
        answer=tuple(state.answer),
        pages=tuple((c.document, c.page) for c in state.citations),
        confirms=confirms,
        left_out=_reason_not(reviews, work, review, form, undecided, actor),
        seen=Seen(work.sources(), stored.last_seq, pending=()),
    )


def _reason_not(
    reviews: Reviews, work: TaskWork, review: Review, form: Form, undecided: str, actor: str
) -> str:
    """Why a task has to be looked at by itself, in a sentence; empty where it has not."""
    confirms = review.decided and review.automatic
    holder = reviews.holder(work.gold.state) if work.gold is not None else None
    if work.task.archived:
        return "The campaign is archived."
    if holder not in (None, actor):
        return f"{holder} is reviewing it."
    if review.decided and not confirms:
        return "It is gold already."
    if review.decided and {s.attempt: s.seq for s in review.sources} != work.sources():
        return "It was resubmitted since it became gold."
    waits_for = reviews.unfinished(work)
    if waits_for.people or waits_for.places:
        return "Annotators are still working on it."
    if not work.sides():
        return "Nobody has submitted work on it."
    if not confirms and (review.merged_seq is not None or review.reopened):
        return "A reviewer has started on it."
    if people_of(work).flagged:
        return "It is flagged."
    if people_of(work).skips:
        return "Somebody skipped it."
    if undecided:
        return undecided
    return " ".join((decided_gold_missing if confirms else gold_missing)(form).values())
