"""What the participants of a task say of each part of its gold, as labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.metrics.correctness import UNDECIDED, Correctness, Rule, decide
from pagetrail.annotation.normalised_text import normalised_tokens
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.exports.reading.attempts import CountedAttempt, is_guess
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation
from pagetrail.exports.reading.values import as_text
from pagetrail.storage.snapshot.rows import AttemptHead

ANSWER = "answer"
"""The part of a task's answer; other parts are named like fields."""
GOLD, UNANSWERABLE, NOT_FOUND = "gold", "unanswerable", "not found"
"""Labels of an answer besides the groups of wrong answers, which are named ``answer: TEXT``."""

RecordOfHead = Callable[[AttemptHead], dict[str, Any] | None]


@dataclass(frozen=True)
class GoldPart:
    """A part that the gold states.

    Attributes:
        part: ``answer``, a field's name, or ``FIELD, DOCUMENT page N``.
        field: its field; None for the answer.
        label: of the gold.
        options: all labels, where a field has a closed list of them.
        document, page: of a page's field.
    """

    part: str
    field: str | None
    label: str
    options: tuple[str, ...] = ()
    document: str | None = None
    page: int | None = None


@dataclass(frozen=True)
class AttemptLabels:
    """What an attempt says of the parts of the gold.

    Attributes:
        labels: part → label; None for "not found" where a task can be called unanswerable. An
            answer that the rule leaves undecided has none: it speaks neither for nor against gold.
        answer: as submitted.
        pages: as cited.
        is_guess: whether a model made it from the question alone; it says nothing of the gold.
    """

    status: Status
    outcome: Outcome | None = None
    labels: Mapping[str, str | None] = field(default_factory=dict)
    answer: tuple[str, ...] = ()
    pages: tuple[tuple[str, int], ...] = ()
    is_guess: bool = False


@dataclass(frozen=True)
class GoldLabels:
    """The parts of a task's gold, and the labels of its attempts in the order of the campaign."""

    parts: tuple[GoldPart, ...]
    attempts: tuple[AttemptLabels, ...]


_RESULTS = TypeAdapter(GoldLabels)


def gold_labels(source: Source, rule: Rule, record_of: RecordOfHead) -> TaskComputation[GoldLabels]:
    """The labels of a task's attempts.

    Args:
        rule: what decides whether two answers are the same; judgements decide no such thing, so
            ``judgement`` stands for ``first``.
        record_of: the record with the gold that is checked; None for a task without gold.
    """
    text_rule: Rule = "first" if rule == "judgement" else rule

    def compute(attempts: Sequence[CountedAttempt]) -> GoldLabels:
        record = record_of(attempts[0].whole.head)
        submissions = [_submission(attempt) for attempt in attempts]
        statuses = [attempt.submission.state.status for attempt in attempts]
        if record is None:
            return GoldLabels((), tuple(AttemptLabels(status) for status in statuses))
        gold = gold_submission(source.campaign.protocol, record)
        labels = _labels(gold, submissions, statuses, text_rule)
        guesses = [is_guess(attempt.whole) for attempt in attempts]
        return replace(
            labels,
            attempts=tuple(
                replace(attempt_labels, is_guess=guess)
                for attempt_labels, guess in zip(labels.attempts, guesses, strict=True)
            ),
        )

    return TaskComputation(
        f"gold labels, {text_rule}", _RESULTS, compute, dependency=lambda heads: record_of(heads[0])
    )


def _submission(attempt: CountedAttempt) -> Submission | None:
    """The submission with what it says of the gold; None without one, and of a guess."""
    if attempt.submission.state.status != "submitted" or is_guess(attempt.whole):
        return None
    return Submission(attempt.submission.form)


def _labels(
    gold: GoldSubmission,
    submissions: Sequence[Submission | None],
    statuses: Sequence[Status],
    rule: Rule,
) -> GoldLabels:
    protocol = gold.form.protocol
    parts: list[GoldPart] = []
    labels: list[dict[str, str | None]] = [{} for _ in submissions]
    submitted = {n: work for n, work in enumerate(submissions) if work is not None}
    if gold.outcome is not None and protocol.answer.kind != "off":
        label = GOLD if gold.variants else UNANSWERABLE
        parts.append(GoldPart(ANSWER, None, label))
        for number, answer_label in _answer_labels(gold, submitted, rule).items():
            labels[number][ANSWER] = answer_label
    for spec in protocol.fields:
        if spec.scope == "box" or spec.kind == "records":
            continue
        for target in gold.targets(spec):
            value = gold.value(spec, target)
            if value is None:
                continue
            part = _part_name(spec, target)
            options = tuple(option.value for option in spec.options if spec.kind != "multi")
            label = _value_label(spec, value)
            parts.append(GoldPart(part, spec.name, label, options, target.document, target.page))
            for number, work in submitted.items():
                stored_value = work.value(spec, target)
                if stored_value is not None:
                    labels[number][part] = _value_label(spec, stored_value)
    return GoldLabels(
        tuple(parts),
        tuple(
            AttemptLabels(status)
            if work is None
            else AttemptLabels(status, work.outcome, labels[number], work.answer, work.pages)
            for number, (status, work) in enumerate(zip(statuses, submissions, strict=True))
        ),
    )


def _answer_labels(
    gold: GoldSubmission, submitted: Mapping[int, Submission], rule: Rule
) -> dict[int, str | None]:
    """Answers that match the gold have its label, undecided ones none; the others are grouped."""
    protocol = gold.form.protocol
    labels: dict[int, str | None] = {}
    wrong: dict[int, tuple[str, ...]] = {}
    for number, work in submitted.items():
        if work.outcome == "unanswerable":
            labels[number] = UNANSWERABLE
        elif work.outcome == "not_found":
            # Where a task cannot be called unanswerable, "not found" says the same.
            if protocol.answer.unanswerable:
                labels[number] = None
            else:
                labels[number] = NOT_FOUND if gold.variants else UNANSWERABLE
        elif work.answer and not gold.variants:
            wrong[number] = work.answer
        elif work.answer:
            decision = _decision(gold, work.answer, gold.variants, rule)
            if decision.correct:
                labels[number] = GOLD
            elif decision.correct is not None and decision.decided_by != UNDECIDED:
                wrong[number] = work.answer
    for group in _groups(gold, wrong, rule):
        label = min(wrong_answer_label(wrong[number]) for number in group)
        labels |= dict.fromkeys(group, label)
    return labels


def wrong_answer_label(answer: Sequence[str]) -> str:
    """The label of an answer that is not the gold's."""
    return "answer: " + "\n".join(answer)


def _groups(
    gold: GoldSubmission, answers: Mapping[int, tuple[str, ...]], rule: Rule
) -> list[list[int]]:
    """Answers that the rule calls correct by each other, directly or through others."""
    groups: list[list[int]] = []
    for number, answer in answers.items():
        joined = [
            group
            for group in groups
            if any(
                _decision(gold, answer, [answers[other]], rule).correct
                or _decision(gold, answers[other], [answer], rule).correct
                for other in group
            )
        ]
        groups = [group for group in groups if group not in joined]
        groups.append([number, *(other for group in joined for other in group)])
    return groups


def _decision(
    gold: GoldSubmission, answer: Sequence[str], variants: Sequence[Sequence[str]], rule: Rule
) -> Correctness:
    return decide(answer, variants, None, rule, question=gold.question)


def _value_label(spec: FieldSpec, value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(sorted(value))
    if spec.kind == "text":
        return " ".join(map(str, normalised_tokens(str(value))))
    return "" if value is None else as_text(value)


def _part_name(spec: FieldSpec, target: Target) -> str:
    if target.page is None:
        return spec.name
    return f"{spec.name}, {target.document} page {target.page}"
