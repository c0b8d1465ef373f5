"""The data of a task under review as JSON values for its screen. For supervisors only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.events import GoldEvent, Submitted
from pagetrail.annotation.review import drawn_for_check, merge, proposal
from pagetrail.annotation.review.answer_merging import dataset_parts
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import Pick, ways_of
from pagetrail.annotation.tasks.gold import gold_of
from pagetrail.annotation.tasks.shown_record import material
from pagetrail.annotation.timing.durations import active_ms, wall_ms
from pagetrail.app.reviewing.page_comparison import marked_evidence, zone_overlaps
from pagetrail.app.reviewing.queue_address import place_json
from pagetrail.app.reviewing.raised_flags import raised_flags
from pagetrail.app.reviewing.wording import part_labels
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_nodes import markdown_nodes
from pagetrail.app.workspace.payload import IDLE_CAP_S, documents
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.review.submissions import NO_SIZE, TaskWork, Worked
from pagetrail.storage.review.task_rows import NOT_COMPARED, people_of, task_status
from pagetrail.storage.review.unfinished_work import decide_label, unfinished_sentence


def review_data(app: Services, person: Person, task_id: int, queue: str = "") -> dict[str, Any]:
    """The task, everybody's work on it, the differences, and its gold so far.

    Args:
        queue: address of the queue it was opened from.

    Raises:
        NotFoundError: no such task.
        Forbidden: not a supervisor.
    """
    work = app.reviews.work(task_id)
    task, sides = work.task, work.sides()
    rule = task.protocol.review
    size_of = _sizes(app)
    difference = app.reviews.difference(work)
    why_not = next((part.label for part in difference.parts if part.part == NOT_COMPARED), "")
    people, waits_for = people_of(work), app.reviews.unfinished(work)
    gold = work.gold.state if work.gold else AttemptState()
    drawn = drawn_for_check(task.seed, task.key, rule.check_share)
    proposed = merge(sides, {}, rule, size_of, work.sources())
    return {
        "task": {
            "id": task.id,
            "key": task.key,
            "question": str(task.record.get("question", "")),
            "domain": task.record.get("domain"),
            "category": task.record.get("document_category"),
            "campaign": task.campaign,
            "title": task.protocol.title,
            "code_name": task.code_name,
        },
        "material": [
            part.model_dump()
            for part in material(task.form(AttemptState()), task.record, locks=False)
        ],
        "given": [{"document": d, "page": p} for d, p in task.given() or []],
        "dataset_gold": _dataset_gold(task.record) | {"parts": dataset_parts(task.dataset())},
        "protocol": task.protocol.model_dump(mode="json"),
        "guidelines": markdown_nodes(task.guidelines),
        "rule": rule.model_dump(mode="json"),
        "status": task_status(work, difference, size_of),
        "score": difference.score,
        "flagged": people.flagged,
        "raised": raised_flags(work),
        "drawn": drawn,
        "parts": [
            {
                "part": part.part,
                "label": part.label,
                "score": part.score,
                "agreed": part.agreed,
                "variants": part.variants,
                "places": part.places,
            }
            for part in difference.parts
            if part.part != NOT_COMPARED
        ],
        "not_compared": why_not,
        "token": oversight_token(app, person),
        "me": person.name,
        "holder": app.reviews.holder(gold),
        "held_at": gold.review.held_at if gold.review else None,
        "unfinished": {
            **asdict(waits_for),
            "sentence": unfinished_sentence(waits_for),
            "decide": decide_label(waits_for),
        },
        "seen": {
            "sources": people.sources,
            "gold_seq": gold.last_seq,
            "pending": [person.name for person in waits_for.people],
        },
        "sides": [_side(app, work, worked) for worked in _ordered(work.people)],
        "evidence": marked_evidence(sides, rule),
        "zones": zone_overlaps(sides, size_of),
        "documents": documents(app, _named(work)),
        "gold": None if work.gold is None else _gold(app, work.gold, person.name),
        "draft": _draft_json(task.form(draft_state(proposed)), proposed.evidence),
        "choices": [choice.model_dump(mode="json") for choice in proposed.choices],
        "ways": {part: ways_of(task.protocol, part) for part in proposal(sides)},
        "queue": place_json(app.workspace, task.campaign_id, task_id, queue),
    }


def preview(app: Services, task_id: int, picks: dict[str, Pick]) -> dict[str, Any]:
    """The draft that these selections give; nothing is stored.

    Raises:
        NotFoundError: no such task.
        Refusal: a selection is not possible.
    """
    work = app.reviews.work(task_id)
    rule, dataset = work.task.protocol.review, work.task.dataset()
    merged = merge(work.sides(), picks, rule, _sizes(app), work.sources(), dataset)
    return {
        "draft": _draft_json(work.task.form(draft_state(merged)), merged.evidence),
        "choices": [choice.model_dump(mode="json") for choice in merged.choices],
    }


def state_json(form: Form, evidence: Iterable[Any] = ()) -> dict[str, Any]:
    """A state's content: the values that count, and the boxes that are not deleted."""
    state = form.state
    return {
        "outcome": state.outcome,
        "answer": state.answer,
        "answer_text": state.answer_text,
        "variants": list(state.review.variants) if state.review else [],
        "question_text": state.question_text,
        "citations": [{"document": c.document, "page": c.page} for c in state.citations],
        "evidence": [kept.model_dump(mode="json") for kept in evidence],
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
                "order": box.order,
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


def _draft_json(form: Form, evidence: Iterable[Any]) -> dict[str, Any]:
    """A draft of gold, and what it is missing to be accepted: part or field → a sentence."""
    return state_json(form, evidence) | {"missing": gold_missing(form)}


def _sizes(app: Services) -> PageSizeOf:
    def size(document: str, page: int) -> tuple[float, float]:
        info = app.corpus.document(document)
        if info is None or not 1 <= page <= info.n_pages:
            return NO_SIZE
        found = info.pages[page - 1]
        return found.width, found.height

    return size


def _ordered(people: Sequence[Worked]) -> list[Worked]:
    """Submitted work first, then skipped and returned; work not started is left out."""
    participants = [w for w in people if w.handed_in or w.state.returned]
    return sorted(participants, key=lambda w: (w.state.status != "submitted", w.name))


def _side(app: Services, work: TaskWork, worked: Worked) -> dict[str, Any]:
    state = worked.state
    events = list(app.log.events(worked.attempt))
    submitted_at = next(
        (e.server_ts for e in events if e.seq == worked.handed_seq), state.updated_at
    )
    return {
        "attempt": worked.attempt,
        "name": worked.name,
        "status": state.status,
        **state_json(work.task.form(state)),
        "note": state.note,
        "flag": state.flag,
        "skip_reason": state.skip_reason,
        "submitted_without": part_labels(work.task.protocol, state.missing),
        "returned": state.returned,
        "handed_at": submitted_at,
        "active_ms": active_ms(events, IDLE_CAP_S),
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


def _gold(app: Services, gold: Worked, person: str) -> dict[str, Any]:
    review = gold.state.review or Review()
    events = list(app.log.events(gold.attempt))
    form = app.reviews.gold_row(gold.attempt).context().form(gold.state)
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
        | {"missing": (decided_gold_missing if review.decided else gold_missing)(form)},
        "undoable": review.decided_seq if review.decided and review.decided_by == person else None,
        "edited": any(
            e.payload.is_edit or isinstance(e.payload, Submitted)
            for e in events
            if e.seq > (review.merged_seq or 0)
        ),
        "log": [
            {"seq": e.seq, "at": e.server_ts, "by": e.actor.strip(), "text": e.payload.sentence()}
            for e in events
            if isinstance(e.payload, GoldEvent)
        ],
    }


def _dataset_gold(record: dict[str, Any]) -> dict[str, Any]:
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


def _named(work: TaskWork) -> set[str]:
    """Documents named anywhere on the screen."""
    found = {document for document, _ in work.task.given() or []}
    found |= {str(p["document"]) for p in work.task.record.get("evidence") or []}
    for worked in (*work.people, *([work.gold] if work.gold else [])):
        found |= {c.document for c in worked.state.citations}
        found |= {b.document for b in worked.state.boxes.boxes}
        found |= {d for search in worked.state.searches for d, _ in search.results}
    return found
