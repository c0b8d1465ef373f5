"""A supervisor's correction of gold as the draft of its next version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.review.box_merging import gold_element

FieldKey = tuple[str, str | None, int | None]
"""A field, and the document and page that it is asked of, if of a page."""


@dataclass(frozen=True)
class GoldCorrection:
    """What is right, as far as it differs from the current gold.

    Attributes:
        answers: all accepted answers, each a list of items; None keeps them.
        unanswerable: whether the question has no answer; used if ``answers`` is given.
        evidence: all pages; None keeps them.
        values: of fields; None as a value removes it.
    """

    answers: Sequence[Sequence[str]] | None = None
    unanswerable: bool = False
    evidence: Sequence[Page] | None = None
    values: Mapping[FieldKey, Value] = field(default_factory=dict)


def corrected_draft(
    current: Submission,
    correction: GoldCorrection,
    sources: tuple[ev.Source, ...],
    merged: ev.GoldMerged | None = None,
) -> ev.GoldMerged:
    """The draft of gold with the correction.

    Args:
        current: the gold that is corrected.
        sources: the submissions that it was compared with.
        merged: the annotators' work, which fills in fields that the current gold does not state.

    Raises:
        Refusal: no answer and not unanswerable, or nothing differs.
    """
    protocol = current.form.protocol
    outcome, accepted = _outcome(current, correction)
    pages = current.pages if correction.evidence is None else tuple(correction.evidence)
    if outcome in ("unanswerable", "not_found"):
        pages = ()
    values = {(value.field, value.document, value.page): value.value for value in _values(current)}
    stated = dict(values)
    for value in merged.fields if merged is not None else ():
        if value.box is None:
            values.setdefault((value.field, value.document, value.page), value.value)
    values |= correction.values
    new = (outcome, accepted, set(pages), stated | dict(correction.values))
    if new == (current.outcome, _accepted(current), set(current.pages), stated):
        raise Refusal(gettext("Nothing differs from the current gold."), code="unchanged")
    changed_parts = {name for (name, _, _) in correction.values}
    changed_parts |= {"outcome", "answer"} if correction.answers is not None else set()
    changed_parts |= {"evidence"} if correction.evidence is not None else set()
    texts = ["\n".join(answer) for answer in accepted]
    return ev.GoldMerged(
        sources=sources,
        choices=tuple(
            ev.Choice(part=part, how="edited")
            if part in changed_parts
            else ev.Choice(part=part, how="side", side=DATASET)
            for part in ("outcome", "answer", "evidence", *(spec.name for spec in protocol.fields))
        ),
        outcome=outcome,
        answer_text=texts[0] if texts else "",
        variants=tuple(texts[1:]),
        evidence=tuple(
            ev.KeptPage(document=document, page=page, reviewer=True) for document, page in pages
        ),
        fields=tuple(
            ev.GoldValue(field=name, document=document, page=page, value=value)
            for (name, document, page), value in values.items()
            if value is not None
        ),
        boxes=tuple(gold_element(box, box.id) for box in current.boxes),
        rows=tuple(
            ev.GoldRow(
                field=spec.name,
                document=target.document,
                page=target.page,
                box=target.box,
                row=row.row,
                values=row.values,
            )
            for spec in protocol.fields
            if spec.kind == "records"
            for target, row in current.rows(spec)
        ),
    )


def _outcome(
    current: Submission, correction: GoldCorrection
) -> tuple[Outcome | None, tuple[tuple[str, ...], ...]]:
    protocol = current.form.protocol
    if protocol.answer.kind == "off":
        return "completed", ()
    if correction.answers is None:
        return current.outcome, _accepted(current)
    if correction.unanswerable:
        return ("unanswerable" if protocol.answer.unanswerable else "not_found"), ()
    accepted = tuple(
        dict.fromkeys(
            items
            for answer in correction.answers
            if (items := tuple(item.strip() for item in answer if item.strip()))
        )
    )
    if not accepted:
        raise Refusal(gettext("Write the right answer, or choose “unanswerable”."), code="no_draft")
    return "answered", accepted


def _accepted(current: Submission) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(answer) for answer in current.accepted)


def _values(current: Submission) -> list[ev.GoldValue]:
    return [
        ev.GoldValue(field=spec.name, document=target.document, page=target.page, value=value)
        for spec in current.form.protocol.fields
        if spec.scope != "box" and spec.kind != "records"
        for target in current.targets(spec)
        if (value := current.value(spec, target)) is not None
    ]
