"""Submitted work and gold of a task under review as JSON values. For supervisors only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.reading_order import effective_orders, reading_order
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events import GoldEvent, Submitted
from pagetrail.annotation.events.review import Choice
from pagetrail.annotation.review.evidence_of_answers import mixed_evidence
from pagetrail.annotation.tasks.gold import gold_of
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, active_ms, wall_ms
from pagetrail.app.reviewing.page_comparison import retention_json
from pagetrail.app.reviewing.wording import part_labels
from pagetrail.app.services.composition import Services
from pagetrail.storage.review.hidden_names import HiddenNames
from pagetrail.storage.review.submissions import StartedAttempt, TaskWork


def state_json(form: Form, evidence: Iterable[Any] = ()) -> dict[str, Any]:
    """A state's content: the values that count, and the boxes that are not deleted."""
    state = form.state
    order, numbers = reading_order(form), effective_orders(state.boxes.boxes)
    return {
        "outcome": state.outcome,
        "answer": state.answer,
        "answer_text": state.answer_text,
        "variants": list(state.review.variants) if state.review else [],
        "question_text": state.question_text,
        "citations": [{"document": c.document, "page": c.page} for c in state.citations],
        "evidence": [page_evidence.model_dump(mode="json") for page_evidence in evidence],
        "fields": [
            {
                "field": spec.name,
                "document": None if target.box else target.document,
                "page": None if target.box else target.page,
                "box": target.box,
                "value": value,
            }
            for spec in form.protocol.fields
            if spec.kind != "records"
            for target in form.targets(spec)
            if (value := form.value(spec, target)) is not None
        ],
        "boxes": [
            {
                "id": box.id,
                "document": box.document,
                "page": box.page,
                "rect": box.rect,
                "label": box.label,
                "content": box.content,
                "order": order.get(box.id),
                "standing": numbers[box.id],
                "attributes": box.attributes,
                "model": box.model is not None,
                "verdict": box.verdict,
            }
            for box in state.boxes.boxes
            if not box.deleted
        ],
        "rows": [
            row.model_dump(
                mode="json", include={"field", "document", "page", "box", "row", "values"}
            )
            | {"model": row.model is not None}
            for row in state.rows
            if not row.deleted
        ],
    }


def participant_json(
    app: Services, task_work: TaskWork, participant: StartedAttempt
) -> dict[str, Any]:
    """One person's work: what was submitted, how long it took, and the searches."""
    state = participant.state
    events = list(app.log.events(participant.attempt))
    submitted_at = next(
        (e.server_ts for e in events if e.seq == participant.submission_seq), state.updated_at
    )
    return {
        "attempt": participant.attempt,
        "name": participant.name,
        "status": state.status,
        **state_json(task_work.task.form(state)),
        "note": state.note,
        "flag": state.flag,
        "skip_reason": state.skip_reason,
        "submitted_without": part_labels(task_work.task.protocol, state.missing),
        "returned": state.returned,
        "handed_at": submitted_at,
        "active_ms": active_ms(events, DEFAULT_IDLE_CAP_S),
        "wall_ms": wall_ms(events),
        "searches": [
            {
                "query": search.query,
                "total_hits": search.total_hits,
                "refusal": search.refusal,
                "results": search.results,
            }
            for search in own_searches(state.searches)
        ],
        "comments": [comment.model_dump(mode="json") for comment in state.comments],
    }


def mixed_json(
    submissions: Sequence[Submission],
    form: Form,
    choices: Iterable[Choice],
    dataset: GoldSubmission | None,
) -> dict[str, Any] | None:
    """Whose answer a draft joins to whose pages; None where they are the same people's."""
    mixed = mixed_evidence(submissions, Submission(form), choices, dataset)
    return None if mixed is None else asdict(mixed)


def gold_json(
    app: Services, task_work: TaskWork, person: str, hidden: HiddenNames
) -> dict[str, Any] | None:
    """The gold and the draft of the next version, as ``person`` may see and undo it; None before
    there is either."""
    gold = task_work.gold
    if gold is None:
        return None
    review = gold.state.review or Review()
    events = list(app.log.events(gold.attempt))
    form = app.reviews.streams.gold_row(gold.attempt).context().form(gold.state)
    return {
        "attempt": gold.attempt,
        "version": review.version,
        "decided_by": review.decided_by,
        "decided_at": review.decided_at,
        "reason": review.reason,
        "automatic": review.automatic,
        "checked": review.checked,
        "errors": review.errors,
        "confidence": review.confidence,
        "reopened": review.reopened,
        "sources": [source.model_dump(mode="json") for source in review.sources],
        "choices": [choice.model_dump(mode="json") for choice in review.choices],
        "draft": state_json(form, review.evidence)
        | {
            "missing": (decided_gold_missing if review.decided else gold_missing)(form),
            "mixed": mixed_json(
                task_work.submissions(), form, review.choices, task_work.task.dataset()
            ),
        }
        | retention_json(form.protocol, review.choices, task_work.submissions()),
        "undoable": review.decided_seq if review.decided and review.decided_by == person else None,
        "edited": any(
            e.payload.is_edit or isinstance(e.payload, Submitted)
            for e in events
            if e.seq > (review.merged_seq or 0)
        ),
        "log": [
            {
                "seq": e.seq,
                "at": e.server_ts,
                "by": e.actor.strip(),
                "text": hidden.in_text(e.payload.sentence()),
            }
            for e in events
            if isinstance(e.payload, GoldEvent)
        ],
    }


def dataset_gold_json(record: dict[str, Any]) -> dict[str, Any]:
    """What the task came with."""
    try:
        gold = gold_of(record)
    except ValueError:
        gold = gold_of({})
    return {
        "answers": record.get("answer_variants") or [],
        "unanswerable": record.get("unanswerable"),
        "evidence": [
            {"document": str(p["document"]), "page": int(p["page"])}
            for p in record.get("evidence") or []
        ],
        "fields": gold.fields,
    }
