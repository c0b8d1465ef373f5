"""A handed-in pilot task against its gold.

What counts as right is strict, since a pilot decides who may work: the answer says what an
accepted answer says (``annotation.comparison.gold_answers``), exactly the gold pages are cited,
every field that has gold holds it, and the boxes match (``BOX_IOU``, ``BOX_PASS``). A task is right
when all of its parts are; its score is the mean of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pagetrail.annotation.attempts.form_state import Feedback, FieldValue
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.state import Response
from pagetrail.annotation.comparison.box_matching import Placed, matched
from pagetrail.annotation.comparison.gold_answers import answer_score
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.metrics.answer_matching import normalised, same
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.statistics.set_overlap import overlap
from pagetrail.annotation.tasks.gold import Gold, gold_of, gold_rows, gold_value

BOX_IOU = 0.5
"""Overlap at which a drawn box is taken for a gold box of its label."""

BOX_PASS = 0.8
"""F1 of matched boxes from which the boxes count as right."""


def compare(form: Form, record: dict[str, Any]) -> Feedback | None:
    """What is right in a handed-in task; None where its record has no gold for this protocol.

    A skipped task has every part wrong. Parts: ``answer``, or ``outcome`` where the question has
    no answer; ``evidence``; each field that has gold; ``boxes``.

    Raises:
        ValueError: the gold is not of its form; the importer lets no such record in.
    """
    parts = list(_parts(form, record, gold_of(record)))
    if not parts:
        return None
    if form.state.status == "skipped":
        parts = [PartScore(part=part.part, right=False, score=0) for part in parts]
    return Feedback(
        right=all(part.right for part in parts),
        score=math.fsum(part.score for part in parts) / len(parts),
        parts=tuple(parts),
    )


def has_gold(protocol: Protocol, record: dict[str, Any]) -> bool:
    """Whether a task can be compared with anything under this protocol.

    Raises:
        ValueError: the gold is not of its form.
    """
    return compare(Form(protocol, Response()), record) is not None


def shown_gold(protocol: Protocol, record: dict[str, Any]) -> dict[str, Any]:
    """The gold that the protocol's parts are compared with, as JSON values.

    For the annotator's eyes only after the task was handed in and its feedback stored.
    """
    gold = gold_of(record)
    found: dict[str, Any] = {"answers": [], "evidence": [], "fields": gold.fields}
    found["pages"] = [page.model_dump(mode="json") for page in gold.pages]
    found["boxes"] = [box.model_dump(mode="json") for box in gold.boxes or ()]
    if gold_form(protocol, record).ended:
        return found
    if protocol.answer.kind != "off":
        found["answers"] = (
            ["Unanswerable: the documents do not hold the answer."]
            if record.get("unanswerable")
            else ["; ".join(variant) for variant in record.get("answer_variants") or []]
        )
    if protocol.evidence.enabled and not record.get("unanswerable"):
        found["evidence"] = [
            {"document": document, "page": page} for document, page in _evidence(record)
        ]
    return found


def gold_form(protocol: Protocol, record: dict[str, Any]) -> Form:
    """The form as the gold fills it in; where that ends the task, nothing behind is asked.

    The outcome of a question without accepted answers is left open. Its pages are those that have
    gold of their own; tables of records, citations and boxes are not in it.

    Raises:
        ValueError: the gold is not of its form.
    """
    return _right_form(protocol, gold_of(record), record)


def _parts(form: Form, record: dict[str, Any], gold: Gold) -> Iterator[PartScore]:
    protocol = form.protocol
    right = _right_form(protocol, gold, record)
    if not right.ended:
        yield from _answer(form, record)
        if protocol.evidence.enabled and not record.get("unanswerable"):
            wanted = _evidence(record)
            if wanted:
                cited = [(c.document, c.page) for c in form.state.citations]
                score = overlap(cited, wanted).f1 or 0.0
                yield PartScore(part="evidence", right=score == 1, score=score)
    for spec in protocol.fields:
        if not right.ended or right.asked(spec, TASK):
            yield from _field(form, spec, gold)
    if gold.boxes is not None and protocol.boxes.enabled and not right.ended:
        found = matched(
            _drawn(form.state),
            [(box.document, box.page, box.label, box.rect) for box in gold.boxes],
            BOX_IOU,
        ).f1
        score = 1.0 if found is None else found
        yield PartScore(part="boxes", right=score >= BOX_PASS, score=score)


def _answer(form: Form, record: dict[str, Any]) -> Iterator[PartScore]:
    answer, outcome = form.protocol.answer, form.state.outcome
    if answer.kind == "off":
        return
    if record.get("unanswerable"):
        # Who has no such choice says it by finding nothing.
        right = outcome == ("unanswerable" if answer.unanswerable else "not_found")
        yield PartScore(part="outcome", right=right, score=float(right))
        return
    variants = record.get("answer_variants") or []
    if not variants:
        return
    score = max(answer_score(given, variants) for given in _given(form))
    yield PartScore(part="answer", right=score == 1, score=score)


def _given(form: Form) -> Sequence[list[str]]:
    """The answer as it may be read: prose as one answer, or as one a line."""
    if form.state.outcome != "answered":
        return [[]]
    lines = form.state.answer
    prose = form.protocol.answer.kind == "text" and lines
    return [lines, [" ".join(lines)]] if prose else [lines]


def _field(form: Form, spec: FieldSpec, gold: Gold) -> Iterator[PartScore]:
    if spec.scope == "task" and spec.name in gold.fields:
        wanted = gold.fields[spec.name]
        score = (
            _rows_score(form, spec, wanted)
            if spec.kind == "records"
            else _value_score(spec, form.value(spec), gold_value(spec, wanted))
        )
        yield PartScore(part=spec.name, right=score == 1, score=score)
    if spec.scope == "page":
        scores = [
            _value_score(
                spec,
                form.value(spec, Target(page.document, page.page)),
                gold_value(spec, page.fields[spec.name]),
            )
            for page in gold.pages
            if spec.name in page.fields
        ]
        if scores:
            right = sum(score == 1 for score in scores)
            yield PartScore(part=spec.name, right=right == len(scores), score=right / len(scores))


def _value_score(spec: FieldSpec, value: Value, wanted: Value) -> float:
    """1 for a value that agrees; the F1 of a choice of several."""
    if isinstance(value, tuple) and isinstance(wanted, tuple):
        return _f1(value, wanted)
    if spec.kind == "text" and isinstance(value, str) and isinstance(wanted, str):
        return float(same(value, wanted))
    if spec.kind == "number" and isinstance(value, int | float) and isinstance(wanted, int | float):
        return float(math.isclose(value, wanted, rel_tol=1e-9))
    return float(value == wanted)


def _rows_score(form: Form, spec: FieldSpec, wanted: Any) -> float:
    """F1 of the rows, compared in the columns that the gold names."""
    gold = gold_rows(wanted)
    mine = [row.values for row in form.rows(spec, TASK) if not row.deleted]
    columns = sorted({name for row in gold for name in row})

    def keys(rows: Sequence[dict[str, str]]) -> list[Any]:
        return [tuple(normalised(row.get(name, "")) for name in columns) for row in rows]

    return _f1(keys(mine), keys(gold))


def _f1(mine: Iterable[Any], wanted: Iterable[Any]) -> float:
    """1 where there is nothing and should be nothing."""
    found = overlap(mine, wanted).f1
    return 1.0 if found is None else found


def _right_form(protocol: Protocol, gold: Gold, record: dict[str, Any]) -> Form:
    values = [
        FieldValue(field=name, value=gold_value(spec, value), seq=0)
        for name, value in gold.fields.items()
        if (spec := protocol.field(name)) and spec.kind != "records"
    ]
    values += [
        FieldValue(
            field=name,
            document=page.document,
            page=page.page,
            value=gold_value(spec, value),
            seq=0,
        )
        for page in gold.pages
        for name, value in page.fields.items()
        if (spec := protocol.field(name)) and spec.kind != "records"
    ]
    outcome: Outcome | None = "answered" if record.get("answer_variants") else None
    if record.get("unanswerable"):
        outcome = "unanswerable" if protocol.answer.unanswerable else "not_found"
    state = Response(fields=tuple(values), outcome=outcome)
    return Form(protocol, state, [page.key for page in gold.pages])


def _evidence(record: dict[str, Any]) -> list[tuple[str, int]]:
    pages = [(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []]
    return list(dict.fromkeys(pages))


def _drawn(state: Response) -> list[Placed]:
    return [
        (box.document, box.page, box.label, box.rect)
        for box in state.boxes.boxes
        if not box.deleted
    ]
