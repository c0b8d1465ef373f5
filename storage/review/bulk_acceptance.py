"""Accepts many tasks at once, as they were previewed.

The preview shows for each task the proposed gold, the votes for it, and the dataset's values. Each
task is then decided as on the review screen, in its own transaction: by the person who accepts, on
the previewed version, complete, without ties, and with the gold that was shown. Tasks that have
changed since the preview are refused with a reason; the others are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.review.dataset_contradictions import (
    has_answers,
    is_contradiction,
    parts_unlike_dataset,
    undecided_parts,
)
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.votes import PartVotes, votes_on
from pagetrail.storage.review.actions import ReviewedVersion, ReviewerRemarks, Reviews
from pagetrail.storage.review.decision_guards import CHANGED_SINCE_SHOWN, undecided_sentence
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.task_rows import work_summary

MOST_AT_ONCE = 200
"""Maximum number of tasks previewed together."""


@dataclass(frozen=True)
class ProposedGold:
    """A task with the gold that accepting it makes.

    Attributes:
        votes: on the answer and the fields of the task.
        annotators: number of people who voted.
        pages: of the evidence.
        dataset_pages: of the evidence, as the dataset has it.
        unlike_dataset: part → label of the parts in which the gold differs from the dataset;
            empty if the task cannot be accepted.
        contradicts_dataset: whether it differs in more than evidence.
        contradicts_answers: whether its answer is none of those that the dataset has.
        confirms: whether it is gold already and waits to be checked.
        left_out: why it cannot be accepted with the others; empty if it can.
        version: the work that the gold is made of.
        merged: the draft; None if it is gold already.
        undecided: part → label of the parts that the rule cannot compare with the dataset.
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
    contradicts_answers: bool
    confirms: bool
    left_out: str
    version: ReviewedVersion
    merged: ev.GoldMerged | None
    undecided: dict[str, str] = field(default_factory=dict)

    @property
    def may_contradict(self) -> bool:
        """Whether it contradicts the dataset, or whether the rule cannot tell."""
        return self.contradicts_dataset or bool(self.undecided)


@dataclass(frozen=True)
class AcceptanceResult:
    """Outcome of one task; ``refused`` is empty if it was accepted."""

    key: str
    refused: str = ""


def propose(reviews: Reviews, task_ids: Sequence[int], actor: str) -> list[ProposedGold]:
    """The gold that accepting these tasks would make, with the reasons for those left out.

    Raises:
        NotFoundError: no such task.
    """
    return [_proposed_gold(reviews, task_id, actor) for task_id in task_ids]


def accept(
    reviews: Reviews,
    proposed: Sequence[ProposedGold],
    actor: str,
    reason: str,
    run: str,
    dataset_answers: ev.DatasetAnswers = "kept",
) -> Iterator[AcceptanceResult]:
    """Accept the proposed tasks one after the other, without those left out.

    Args:
        run: prefix of the event ids; repeating a run accepts nothing twice.
        dataset_answers: what is said of the dataset's answers where the gold contradicts them;
            elsewhere they are kept.
    """
    for proposal in proposed:
        if proposal.left_out:
            continue
        try:
            refused = _outdated_reason(reviews, proposal, actor)
            if not refused:
                reviews.decide(
                    proposal.task_id,
                    actor,
                    None if proposal.confirms else {},
                    reason,
                    proposal.version,
                    f"{run}/{proposal.task_id}",
                    ReviewerRemarks(
                        dataset_answers=dataset_answers if proposal.contradicts_answers else "kept"
                    ),
                    shown=proposal.merged,
                    saw_drafts=False,
                )
        except PagetrailError as error:
            refused = error.message
        yield AcceptanceResult(proposal.key, refused)


def _outdated_reason(reviews: Reviews, proposal: ProposedGold, actor: str) -> str:
    """Why the preview is outdated although the work is the same; empty if it is current.

    If the work has changed, ``decide`` refuses it, or this run has decided it already.
    """
    current = _proposed_gold(reviews, proposal.task_id, actor)
    if current.version != proposal.version or current == proposal:
        return ""
    return current.left_out or CHANGED_SINCE_SHOWN


def _proposed_gold(reviews: Reviews, task_id: int, actor: str) -> ProposedGold:
    task_work = reviews.streams.task_work(task_id)
    stored = task_work.gold.state if task_work.gold is not None else AttemptState()
    review = stored.review or Review()
    confirms = review.decided and review.automatic
    merged = None if confirms else reviews.streams.merged_draft(task_id, {})
    undecided = ""
    form = task_work.gold_form(stored)
    if merged is not None:
        undecided = undecided_sentence(merged.choices, task_work.task.protocol)
        form = task_work.task.form(draft_state(merged))
    gold, dataset = Submission(form), task_work.task.dataset()
    left_out = _reason_left_out(reviews, task_work, review, form, undecided, actor)
    unlike_dataset = () if left_out else parts_unlike_dataset(gold, dataset)
    undecided_by_rule = () if left_out else undecided_parts(gold, dataset)
    labels = review_parts(task_work.task.protocol)
    return ProposedGold(
        task_id=task_id,
        campaign=task_work.task.campaign,
        key=task_work.task.key,
        question=str(task_work.task.record.get("question", "")),
        votes=votes_on(gold, task_work.submissions(), dataset),
        annotators=len(task_work.submissions()),
        pages=gold.pages,
        dataset_pages=() if dataset is None else dataset.pages,
        unlike_dataset={part: labels.get(part, part) for part in unlike_dataset},
        contradicts_dataset=is_contradiction(unlike_dataset),
        undecided={part: labels.get(part, part) for part in undecided_by_rule},
        contradicts_answers="answer" in unlike_dataset and has_answers(dataset),
        confirms=confirms,
        left_out=left_out,
        version=ReviewedVersion(task_work.sources(), stored.last_seq, pending=()),
        merged=merged,
    )


def _reason_left_out(
    reviews: Reviews, task_work: TaskWork, review: Review, form: Form, undecided: str, actor: str
) -> str:
    """Why a task has to be reviewed by itself, as a sentence; empty if it need not be."""
    confirms = review.decided and review.automatic
    holder = reviews.streams.holder(task_work.gold.state) if task_work.gold is not None else None
    if task_work.task.archived:
        return gettext("The campaign is archived.")
    if holder not in (None, actor):
        return gettext("{holder} is reviewing it.", holder=holder)
    if review.decided and not confirms:
        return gettext("It is gold already.")
    if (
        review.decided
        and {source.attempt: source.seq for source in review.sources} != task_work.sources()
    ):
        return gettext("It was resubmitted since it became gold.")
    unfinished = reviews.streams.unfinished(task_work)
    if unfinished.people or unfinished.free_slots:
        return gettext("Annotators are still working on it.")
    if not task_work.submissions():
        return gettext("Nobody has submitted work on it.")
    if not confirms and (review.merged_seq is not None or review.reopened):
        return gettext("A reviewer has started on it.")
    if work_summary(task_work).flagged:
        return gettext("It is flagged.")
    if work_summary(task_work).n_skipped:
        return gettext("Somebody skipped it.")
    if undecided:
        return undecided
    return " ".join((decided_gold_missing if confirms else gold_missing)(form).values())
