"""Accepts many tasks at once, as they were previewed.

The preview says of each task what would become gold, who voted for it, and what the dataset says.
Each task is then decided like one on the review screen, in a transaction of its own: by whoever
accepts, on the work that the preview was made of, complete, without a tie, and with the gold that
was shown. What has changed since the preview is refused with the reason; the others are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.review.dataset_contradictions import (
    is_contradiction,
    parts_unlike_dataset,
)
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.votes import PartVotes, votes_on
from pagetrail.storage.review.actions import Reviews, Seen
from pagetrail.storage.review.decision_guards import CHANGED_SINCE_SHOWN, undecided_sentence
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.task_rows import people_of

MOST_AT_ONCE = 200
"""Tasks that are previewed together: more than anybody looks through."""


@dataclass(frozen=True)
class ProposedGold:
    """A task with the gold that accepting it makes.

    Attributes:
        votes: on the answer and the fields of the task.
        annotators: people whose submitted work the votes are.
        pages: of the evidence.
        dataset_pages: of the evidence, as the dataset has it.
        unlike_dataset: parts in which the gold is not what the dataset says, with their labels;
            none where the task cannot be accepted.
        contradicts_dataset: whether it differs in more than evidence.
        confirms: whether it is gold already, which waits to be checked.
        left_out: why it cannot be accepted with the others; empty where it can.
        seen: the work that this was made of.
        merged: the draft; None where it is gold already.
    """

    task_id: int
    campaign: str
    key: str
    question: str
    votes: tuple[PartVotes, ...]
    annotators: int
    pages: tuple[Page, ...]
    dataset_pages: tuple[Page, ...]
    unlike_dataset: dict[str, str]
    contradicts_dataset: bool
    confirms: bool
    left_out: str
    seen: Seen
    merged: ev.GoldMerged | None


@dataclass(frozen=True)
class AcceptanceResult:
    """What became of one task; ``refused`` is empty where it was accepted."""

    key: str
    refused: str = ""


def propose(reviews: Reviews, task_ids: Sequence[int], actor: str) -> list[ProposedGold]:
    """What accepting these tasks would make, and which have to be looked at one by one.

    Raises:
        NotFoundError: no such task.
    """
    return [_proposed_gold(reviews, task_id, actor) for task_id in task_ids]


def accept(
    reviews: Reviews, proposed: Sequence[ProposedGold], actor: str, reason: str, run: str
) -> Iterator[AcceptanceResult]:
    """Accept the proposed tasks one after the other, but for those that are left out.

    Args:
        run: starts the events' ids; the same again accepts nothing twice.
    """
    for proposal in proposed:
        if proposal.left_out:
            continue
        try:
            refused = _why_outdated(reviews, proposal, actor)
            if not refused:
                reviews.decide(
                    proposal.task_id,
                    actor,
                    None if proposal.confirms else {},
                    reason,
                    proposal.seen,
                    f"{run}/{proposal.task_id}",
                    shown=proposal.merged,
                )
        except PagetrailError as error:
            refused = error.message
        yield AcceptanceResult(proposal.key, refused)


def _why_outdated(reviews: Reviews, proposal: ProposedGold, actor: str) -> str:
    """Why the preview no longer holds although the work is the same; empty where it holds.

    Where the work has changed, deciding is refused, or has been done already by this run.
    """
    current = _proposed_gold(reviews, proposal.task_id, actor)
    if current.seen != proposal.seen or current == proposal:
        return ""
    return current.left_out or CHANGED_SINCE_SHOWN


def _proposed_gold(reviews: Reviews, task_id: int, actor: str) -> ProposedGold:
    work = reviews.work(task_id)
    stored = work.gold.state if work.gold is not None else AttemptState()
    review = stored.review or Review()
    confirms = review.decided and review.automatic
    merged = None if confirms else reviews.merged_draft(task_id, {})
    undecided = ""
    form = work.gold_form(stored)
    if merged is not None:
        undecided = undecided_sentence(merged.choices, work.task.protocol)
        form = work.task.form(draft_state(merged))
    gold, dataset = Submission(form), work.task.dataset()
    left_out = _reason_not(reviews, work, review, form, undecided, actor)
    unlike_dataset = () if left_out else parts_unlike_dataset(gold, dataset)
    labels = review_parts(work.task.protocol)
    return ProposedGold(
        task_id=task_id,
        campaign=work.task.campaign,
        key=work.task.key,
        question=str(work.task.record.get("question", "")),
        votes=votes_on(gold, work.sides(), dataset),
        annotators=len(work.sides()),
        pages=gold.pages,
        dataset_pages=() if dataset is None else dataset.pages,
        unlike_dataset={part: labels.get(part, part) for part in unlike_dataset},
        contradicts_dataset=is_contradiction(unlike_dataset),
        confirms=confirms,
        left_out=left_out,
        seen=Seen(work.sources(), stored.last_seq, pending=()),
        merged=merged,
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
