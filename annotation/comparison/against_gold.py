"""A submitted pilot task against its gold.

What counts as right is strict, since a pilot decides who may work: the answer is correct as in
results (``annotation.answers.decision``), exactly the gold pages are cited,
every field that has gold holds it, the text of the page and the cells of its tables are the gold's
but for white space, and the boxes match (``BOX_IOU``, ``BOX_PASS``). A task is right
when all of its parts are; its score is the mean of theirs. An answer that the rule leaves undecided
is neither right nor wrong: no score has it, and a supervisor decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from typing_extensions import TypedDict

from pagetrail.annotation.agreement.text_error_rates import text_difference
from pagetrail.annotation.answers.decision import AnswerDecision, decide_answer
from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.comparison.measures import (
    box_overlap,
    page_overlap,
    row_overlap,
    value_distance,
)
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.json_types import DumpOf, PageReference, page_references
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.statistics.set_overlap import Overlap, overlap
from pagetrail.annotation.tables.comparison import cell_agreement
from pagetrail.annotation.tasks.gold import GoldBox, GoldPageFields, GoldTable, GoldValue, gold_rows

BOX_IOU = 0.5
"""Overlap at which a drawn box is taken for a gold box of its label."""

BOX_PASS = 0.8
"""F1 of matched boxes from which the boxes count as right."""


class ShownGold(TypedDict):
    """The gold that a protocol's parts are compared with."""

    answers: list[str]
    evidence: list[PageReference]
    transcript: str | None
    tables: list[Annotated[dict[str, Any], DumpOf(GoldTable)]]
    fields: dict[str, GoldValue]
    pages: list[Annotated[dict[str, Any], DumpOf(GoldPageFields)]]
    boxes: list[Annotated[dict[str, Any], DumpOf(GoldBox)]]


def compare(form: Form, record: dict[str, Any]) -> Feedback | None:
    """What is right in a submitted task; None where its record has no gold for this protocol.

    A skipped task has every part wrong. Parts: ``answer``, or ``outcome`` where the question has
    no answer; ``evidence``; each field that has gold; ``transcript``; ``tables``; ``boxes``.

    Raises:
        ValueError: the gold is not of its form; the importer lets no such record in.
    """
    parts = list(part_scores(Submission(form), gold_submission(form.protocol, record)))
    if not parts:
        return None
    if form.state.status == "skipped":
        parts = [PartScore(part=part.part, right=False, score=0) for part in parts]
    return Feedback.of_parts(parts)


def decide_submitted_answer(submission: Submission, gold: GoldSubmission) -> AnswerDecision | None:
    """The verdict on the answer as it is best read; None where the gold has no answer."""
    decisions = [
        decision
        for answer in answer_readings(submission)
        if (decision := decide_answer(answer, gold.variants, gold.question)) is not None
    ]
    return min(
        decisions,
        key=lambda decision: (
            decision.verdict != "correct",
            decision.verdict != "undecided",
            -decision.score,
        ),
        default=None,
    )


def has_gold(protocol: Protocol, record: dict[str, Any]) -> bool:
    """Whether a task can be compared with anything under this protocol.

    Raises:
        ValueError: the gold is not of its form.
    """
    return compare(Form(protocol, AttemptState()), record) is not None


def shown_gold(protocol: Protocol, record: dict[str, Any]) -> ShownGold:
    """The gold that the protocol's parts are compared with, as JSON values.

    For the annotator's eyes only after the task was submitted and its feedback stored.
    """
    found_gold = gold_submission(protocol, record)
    gold, answers = found_gold.gold, ["; ".join(variant) for variant in found_gold.variants]
    if record.get("unanswerable"):
        answers = [gettext("Unanswerable: the documents do not hold the answer.")]
    answered = protocol.answer.kind != "off" and not found_gold.form.ended
    return {
        "answers": answers if answered else [],
        "evidence": page_references(found_gold.pages) if protocol.evidence.enabled else [],
        "transcript": gold.transcript if protocol.transcript.enabled else None,
        "tables": [table.model_dump(mode="json") for table in gold.tables or ()],
        "fields": gold.fields,
        "pages": [page.model_dump(mode="json") for page in gold.pages],
        "boxes": [box.model_dump(mode="json") for box in gold.boxes or ()],
    }


def part_scores(submission: Submission, gold: GoldSubmission) -> Iterator[PartScore]:
    """Each part that the gold states, and whether it is right; as ``compare``, whatever the status.

    Also what a reviewer's gold is compared with the dataset's by.
    """
    protocol = gold.form.protocol
    if protocol.answer.kind != "off" and not gold.form.ended:
        yield from _answer(submission, gold)
    pages = page_overlap(submission, gold) if protocol.evidence.enabled else None
    if pages is not None:
        yield _part("evidence", _f1(pages))
    for spec in protocol.fields:
        if gold.targets(spec):
            yield _field(spec, submission, gold)
    if gold.transcript is not None and protocol.transcript.enabled:
        rate = text_difference(submission.transcript or "", gold.transcript).characters.rate
        yield _part("transcript", 1 - (rate or 0.0))
    if gold.gold.tables and protocol.tables.enabled:
        yield _part("tables", _table_score(submission, gold))
    if gold.states("boxes") and protocol.boxes.enabled:
        score = _f1(box_overlap(submission.boxes, gold.boxes, BOX_IOU))
        yield PartScore(part="boxes", right=score >= BOX_PASS, score=score)


def _table_score(submission: Submission, gold: GoldSubmission) -> float:
    """Mean over the gold's tables of the share of cells that agree; 0 for a table that is gone."""
    tables = submission.tables
    scores = [
        cell_agreement(tables[table_id], grid) if table_id in tables else 0.0
        for table_id, grid in gold.tables.items()
    ]
    return math.fsum(scores) / len(scores)


def _part(part: str, score: float) -> PartScore:
    return PartScore(part=part, right=score == 1, score=score)


def _f1(overlap_of_part: Overlap) -> float:
    """1 where there is nothing and should be nothing."""
    return 1.0 if overlap_of_part.f1 is None else overlap_of_part.f1


def _answer(submission: Submission, gold: GoldSubmission) -> Iterator[PartScore]:
    decision = decide_submitted_answer(submission, gold)
    if decision is not None:
        yield PartScore(
            part="answer",
            right=decision.verdict == "correct",
            score=decision.score,
            undecided=decision.verdict == "undecided",
        )
    elif gold.outcome is not None:
        # Who cannot choose "unanswerable" says it by finding nothing.
        yield _part("outcome", float(submission.outcome == gold.outcome))


def answer_readings(submission: Submission) -> Sequence[Sequence[str]]:
    """The answer as it may be read: prose as one answer, or as one per line."""
    prose = submission.form.protocol.answer.kind == "text" and submission.answer
    return [submission.answer, submission.form.state.answer] if prose else [submission.answer]


def _field(spec: FieldSpec, submission: Submission, gold: GoldSubmission) -> PartScore:
    if spec.kind == "records":
        columns = {name for row in gold_rows(gold.gold.fields[spec.name]) for name in row}
        return _part(spec.name, _f1(row_overlap(spec, submission, gold, sorted(columns))))
    scores = [
        value_score(spec, submission.value(spec, target), gold.value(spec, target))
        for target in gold.targets(spec)
    ]
    if spec.scope == "task":
        return _part(spec.name, scores[0])
    return _part(spec.name, sum(score == 1 for score in scores) / len(scores))


def value_score(spec: FieldSpec, value: Value, gold_value: Value) -> float:
    """1 for a value that agrees; the F1 of a choice of several."""
    if isinstance(value, tuple) and isinstance(gold_value, tuple):
        return _f1(overlap(value, gold_value))
    return float(value_distance(spec, value, gold_value) == 0)
