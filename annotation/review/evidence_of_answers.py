"""Keeps answers together with the pages that they rest on when several people's work is merged.

Whose answer is taken, their evidence is proposed with it. Gold that joins one person's answer to
pages that this person did not cite is described (``MixedEvidence``), so that a reviewer reads it
before accepting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events.review import DATASET, Choice
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.answer_merging import submission_of
from pagetrail.annotation.review.evidence_merging import merged_evidence
from pagetrail.annotation.review.selections import Pick


@dataclass(frozen=True)
class MixedEvidence:
    """Gold whose pages are not those of the people whose answer it has.

    Attributes:
        answered: attempts whose answer the gold has, with ``DATASET`` where its answer was taken.
        taken: the one of them whose answer was chosen; None where it was not chosen from one.
        added: pages of the gold that none of them cited.
        left_out: pages that ``taken`` cited and the gold does not have.
    """

    answered: tuple[str, ...]
    taken: str | None
    added: tuple[Page, ...]
    left_out: tuple[Page, ...]


def evidence_of_answers(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    rule: ReviewPart,
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission] = (),
) -> Pick:
    """How evidence is merged that the reviewer did not choose: with the answer, or as proposed.

    With one person's answer, or their outcome without an answer, come their pages; with the
    dataset's or a draft's, those that it names, or none where it says that the task has no answer.
    Of several accepted answers the proposal stays unless it keeps no page: then the pages of the
    first come.

    Args:
        picks: of every part, as chosen or as proposed.
    """
    proposed = picks["evidence"]
    source = _source(submissions, picks, dataset, drafts)
    if source is None:
        return proposed
    if picks["answer"].how == "variants":
        kept_pages, _ = merged_evidence(submissions, proposed, rule, dataset, drafts)
        if kept_pages:
            return proposed
    version = submission_of(submissions, source, dataset, drafts)
    if not isinstance(version, GoldSubmission) or version.pages:
        return Pick("side", source)
    return proposed if version.outcome == "answered" else Pick("none")


def mixed_evidence(
    submissions: Sequence[Submission],
    gold: Submission,
    choices: Iterable[Choice],
    dataset: GoldSubmission | None,
) -> MixedEvidence | None:
    """How the gold's pages differ from those of the people whose answer it has; None if they fit.

    Nothing is compared where nobody submitted the gold's answer: what a reviewer wrote has no
    evidence of its own.

    Args:
        gold: the draft.
        choices: those that it was merged by.
    """
    if not gold.form.protocol.evidence.enabled or not gold.accepted:
        return None
    participants = [*submissions, *([dataset] if dataset is not None and dataset.pages else [])]
    answer = next((choice for choice in choices if choice.part == "answer"), None)
    sources = set() if answer is None else {answer.side, *answer.sides}
    answered = [
        submission
        for submission in participants
        if any(exact_match_f1(answer, gold.accepted) == 1 for answer in submission.accepted)
        and (submission.attempt != DATASET or DATASET in sources)
    ]
    if not answered:
        return None
    pages = set(gold.pages)
    chosen_submission = next(
        (w for w in answered if answer is not None and w.attempt == answer.side), None
    )
    added = pages.difference(*(submission.pages for submission in answered))
    left_out = (
        set(chosen_submission.pages) - pages if chosen_submission is not None else set[Page]()
    )
    if not (added or left_out):
        return None
    return MixedEvidence(
        answered=tuple(submission.attempt for submission in answered),
        taken=None if chosen_submission is None else chosen_submission.attempt,
        added=tuple(sorted(added)),
        left_out=tuple(sorted(left_out)),
    )


def _source(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission],
) -> str | None:
    """The one whose answer is taken, or the first of several; None where it is nobody's."""
    answer, outcome = picks["answer"], picks["outcome"]
    if answer.how in ("side", "variants"):
        return answer.side if answer.how == "side" else answer.sides[0]
    if outcome.how != "side" or outcome.side is None:
        return None
    outcome_taken = submission_of(submissions, outcome.side, dataset, drafts).outcome
    return outcome.side if outcome_taken in ("not_found", "unanswerable") else None
