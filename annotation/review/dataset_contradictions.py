"""Compares what is, or would become, gold with the gold that the task came with.

As in pilots (``annotation.comparison.against_gold``), part by part as far as the dataset
says anything. Another answer, outcome or value of a field contradicts the dataset: nothing accepts
such gold without a reviewer who has seen it. Other evidence does not, since an answer is often on
more pages than a dataset names. An answer that the rule leaves undecided contradicts nothing, yet
only a reviewer accepts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.against_gold import part_scores
from pagetrail.annotation.comparison.gold_submission import GoldSubmission

EVIDENCE_PARTS = ("evidence", "boxes")
"""Parts in which gold may differ from the dataset without contradicting it."""


def parts_unlike_dataset(gold: Submission, dataset: GoldSubmission | None) -> tuple[str, ...]:
    """Names of the parts in which the gold is not what the dataset says; none without one."""
    if dataset is None:
        return ()
    return tuple(
        score.part for score in part_scores(gold, dataset) if not (score.right or score.undecided)
    )


def undecided_parts(gold: Submission, dataset: GoldSubmission | None) -> tuple[str, ...]:
    """Names of the parts that the rule cannot compare with the dataset."""
    if dataset is None:
        return ()
    return tuple(score.part for score in part_scores(gold, dataset) if score.undecided)


def is_contradiction(parts: Iterable[str]) -> bool:
    """Whether differing from the dataset in these parts contradicts it."""
    return any(part not in EVIDENCE_PARTS for part in parts)


def can_be_contradicted(dataset: GoldSubmission) -> bool:
    """Whether the dataset says anything but evidence."""
    return dataset.outcome is not None or bool(dataset.gold.fields or dataset.gold.pages)


def has_answers(dataset: GoldSubmission | None) -> bool:
    """Whether the dataset accepts any answer."""
    return dataset is not None and bool(dataset.accepted)


def contradict_answers(
    answers: Iterable[Sequence[str]], accepted: Sequence[Sequence[str]], question: Question
) -> bool:
    """Whether the rule of correctness calls all these answers wrong by the accepted ones."""
    decisions = [decide_answer(answer, accepted, question) for answer in answers]
    return bool(decisions) and all(
        decision is not None and decision.verdict == "incorrect" for decision in decisions
    )


def contradicts_dataset(gold: Submission, dataset: GoldSubmission | None) -> bool:
    """Whether the gold contradicts the dataset."""
    return is_contradiction(parts_unlike_dataset(gold, dataset))


def needs_reviewer(gold: Submission, dataset: GoldSubmission | None) -> bool:
    """Whether the gold contradicts the dataset, or may."""
    return contradicts_dataset(gold, dataset) or bool(undecided_parts(gold, dataset))
