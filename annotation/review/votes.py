"""How many of a task's annotators submitted what would become gold, and what the others did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from pagetrail.annotation.attempts.forms import TASK
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events.work import OUTCOME_WORDS, Outcome
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.normalised_text import normalised_tokens
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.review_parts import PART_LABELS, is_remark


@dataclass(frozen=True)
class PartVotes:
    """The votes on one part of what would become gold.

    Attributes:
        part: ``answer``, ``outcome`` or a field of the task.
        label: the part as shown.
        value: what would become gold, as text; empty where that is nothing.
        in_favour: annotators who submitted it.
        others: what the others submitted, as text, with how many, the most frequent first.
        dataset: what the dataset says, as text; empty where it says nothing.
    """

    part: str
    label: str
    value: str
    in_favour: int
    others: tuple[tuple[str, int], ...]
    dataset: str


@dataclass(frozen=True)
class _Vote:
    """What somebody submitted: equal votes have equal keys."""

    key: Hashable
    text: str


def votes_on(
    gold: Submission, submissions: Sequence[Submission], dataset: GoldSubmission | None
) -> tuple[PartVotes, ...]:
    """The votes on the answer, or on the outcome where there are no answers, and on the task's
    fields that anybody filled in.

    Args:
        gold: what would become gold.
        dataset: what the task came with.
    """
    return tuple(_part_votes(gold, submissions, dataset))


def _part_votes(
    gold: Submission, submissions: Sequence[Submission], dataset: GoldSubmission | None
) -> Iterator[PartVotes]:
    protocol = gold.form.protocol
    fields = [
        spec
        for spec in protocol.scoped("task")
        if spec.kind != "records"
        and not is_remark(spec)
        and any(submission.value(spec, TASK) is not None for submission in (gold, *submissions))
    ]
    if protocol.answer.kind != "off":
        votes = [_answer_vote(submission) for submission in submissions]
        yield _votes_of_part(
            "answer", PART_LABELS["answer"], _answer_vote(gold), votes, _answer(dataset)
        )
    elif not fields:
        votes = [_outcome_vote(submission.outcome) for submission in submissions]
        yield _votes_of_part(
            "outcome", PART_LABELS["outcome"], _outcome_vote(gold.outcome), votes, ""
        )
    for spec in fields:
        is_stated = dataset is not None and TASK in dataset.targets(spec)
        dataset_value = dataset.value(spec, TASK) if dataset is not None and is_stated else None
        votes = [_field_vote(spec, submission) for submission in submissions]
        yield _votes_of_part(
            spec.name, spec.label, _field_vote(spec, gold), votes, _value_text(spec, dataset_value)
        )


def _votes_of_part(
    part: str, label: str, gold: _Vote, votes: Sequence[_Vote], dataset: str
) -> PartVotes:
    texts = {vote.key: vote.text for vote in sorted(votes, key=lambda vote: vote.text)}
    counts = Counter(vote.key for vote in votes if vote.key != gold.key)
    other_votes = sorted(
        ((texts[key] or "nothing", n) for key, n in counts.items()),
        key=lambda other: (-other[1], other[0]),
    )
    in_favour = sum(vote.key == gold.key for vote in votes)
    return PartVotes(part, label, gold.text, in_favour, tuple(other_votes), dataset)


def _answer_vote(submission: Submission) -> _Vote:
    """Answers of the same items are the same vote, in whatever order."""
    if not submission.answer:
        # Gold without an answer whose outcome is one: people tie.
        return _outcome_vote(None if submission.outcome == "answered" else submission.outcome)
    items = Counter(map(normalised_tokens, submission.answer))
    return _Vote(frozenset(items.items()), "; ".join(submission.answer))


def _outcome_vote(outcome: Outcome | None) -> _Vote:
    return _Vote(outcome, "" if outcome is None else OUTCOME_WORDS[outcome])


def _answer(dataset: GoldSubmission | None) -> str:
    if dataset is None or dataset.outcome is None:
        return ""
    if not dataset.accepted:
        return OUTCOME_WORDS[dataset.outcome]
    return " or ".join("; ".join(variant) for variant in dataset.accepted)


def _field_vote(spec: FieldSpec, submission: Submission) -> _Vote:
    value = submission.value(spec, TASK)
    key = frozenset(value) if isinstance(value, tuple) else value
    return _Vote(key, _value_text(spec, value))


def _value_text(spec: FieldSpec, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(_value_text(spec, item) for item in value)
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    option = spec.option(value)
    return str(value) if option is None else option.label
