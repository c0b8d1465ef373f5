"""Submitted work and gold of a task under review as JSON values. For supervisors only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.reading_order import effective_orders, reading_order
from pagetrail.annotation.attempts.review_state import Comment, Review
from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events import Adjudicated, GoldEvent, Submitted
from pagetrail.annotation.events.review import Choice, Confidence, DatasetAnswers, KeptPage, Source
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.json_types import DumpOf, PageReference, page_references
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
from pagetrail.annotation.review.drafts import stated_parts
from pagetrail.annotation.review.evidence_of_answers import MixedEvidence, mixed_evidence
from pagetrail.annotation.tasks.gold import GoldValue, gold_of
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, active_ms, wall_ms
from pagetrail.app.reviewing.page_comparison import PageRule, retention_json
from pagetrail.app.reviewing.wording import part_labels
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.review.drafts import TaskDrafts
from pagetrail.storage.review.hidden_names import HiddenNames
from pagetrail.storage.review.submissions import StartedAttempt, TaskWork


class ReviewedValue(TypedDict):
    """A field's value for the task, a page or a box."""

    field: str
    document: str | None
    page: int | None
    box: str | None
    value: Value


class ReviewedBox(PageReference):
    """A box.

    Attributes:
        title: its label in the reader's language; None without a label.
        order: 1 to n on its page.
        sort_number: the same for two people if neither moved it.
        model: whether a model gave it.
    """

    id: str
    rect: Box
    label: str | None
    title: str | None
    content: str | None
    order: int | None
    sort_number: float | None
    attributes: dict[str, str]
    model: bool
    verdict: str


class ReviewedRow(TypedDict):
    """A row of a table; ``model``: whether a model gave it."""

    field: str
    document: str | None
    page: int | None
    box: str | None
    row: str
    values: dict[str, str]
    model: bool


class ReviewedContent(TypedDict):
    """The content of somebody's work, or of a draft.

    Attributes:
        variants: of gold: accepted beside the answer, each as its text.
        tables: rows of the tables, one after another: texts of their cells between bars.
        evidence: of gold: its pages, and who marked them.
    """

    outcome: Outcome | None
    answer: list[str]
    answer_text: str
    variants: list[str]
    question_text: str | None
    transcript: str | None
    tables: list[str]
    citations: list[PageReference]
    evidence: list[Annotated[dict[str, Any], DumpOf(KeptPage)]]
    fields: list[ReviewedValue]
    boxes: list[ReviewedBox]
    rows: list[ReviewedRow]


class ReviewedDraft(ReviewedContent):
    """A draft of gold.

    Attributes:
        missing: part or field → what is missing to be accepted.
        mixed_evidence: whose answer the draft joins to whose pages, where they are not the same
            people's.
        open_pages: part → the pages that the retention rule leaves to a reviewer.
    """

    missing: dict[str, str]
    mixed_evidence: Annotated[dict[str, Any], DumpOf(MixedEvidence)] | None
    open_pages: dict[str, str]
    page_rules: list[PageRule]


class ReviewedSearch(TypedDict):
    """A search of somebody's attempt."""

    query: str
    total_hits: int | None
    refusal: str | None
    results: tuple[tuple[str, int], ...]


class Participant(ReviewedContent):
    """One person's work on the task."""

    attempt: str
    name: str
    status: Status
    note: str
    flag: str | None
    skip_reason: str | None
    submitted_without: list[str]
    returned: bool
    submitted_at: str | None
    active_ms: int
    wall_ms: int
    searches: list[ReviewedSearch]
    comments: list[Annotated[dict[str, Any], DumpOf(Comment)]]


class ModelDraft(ReviewedContent):
    """A model's draft of the gold.

    Attributes:
        attempt: its key, which replaces an attempt in choices: ``draft:1``.
        name: the model.
        parts: those that it states; only they can be taken.
        correct, incorrect: names of annotators whose answers the model calls so.
        outdated: whether work has changed since the model read it.
        rejected: why it was rejected as a whole; None if it was not.
    """

    attempt: str
    name: str
    version: str
    parts: tuple[str, ...]
    reasons: str
    scores: dict[str, float]
    correct: list[str]
    incorrect: list[str]
    outdated: bool
    rejected: str | None


class GoldLogEntry(TypedDict):
    """An event of the gold stream, as a sentence."""

    seq: int
    at: str
    by: str
    text: str


class ReviewedGold(TypedDict):
    """The gold, and the draft of its next version.

    Attributes:
        undoable: the event of one's own last decision, while it can be undone.
        edited: whether the draft was edited since it was merged.
    """

    attempt: str
    version: int
    decided_by: str | None
    decided_at: str | None
    reason: str
    automatic: bool
    checked: bool
    errors: tuple[str, ...]
    confidence: Confidence | None
    dataset_answers: DatasetAnswers | None
    reopened: bool
    sources: list[Annotated[dict[str, Any], DumpOf(Source)]]
    choices: list[Annotated[dict[str, Any], DumpOf(Choice)]]
    draft: ReviewedDraft
    undoable: int | None
    edited: bool
    log: list[GoldLogEntry]


class DatasetGold(TypedDict):
    """The gold that the task came with."""

    answers: list[str | list[str]]
    unanswerable: bool | None
    evidence: list[PageReference]
    fields: dict[str, GoldValue]


def state_json(form: Form, evidence: Iterable[KeptPage] = ()) -> ReviewedContent:
    """A state's content: the values that count, and the boxes that are not deleted."""
    state = form.state
    order, numbers = reading_order(form), effective_orders(state.boxes.boxes)
    return {
        "outcome": state.outcome,
        "answer": state.answer,
        "answer_text": state.answer_text,
        "variants": list(state.review.variants) if state.review else [],
        "question_text": state.question_text,
        "transcript": state.transcript.text if state.transcript else None,
        "tables": [
            " | ".join(texts)
            for table in (state.tables.tables if form.protocol.tables.enabled else ())
            for texts in table.grid.texts()
        ],
        "citations": page_references((c.document, c.page) for c in state.citations),
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
                "title": translate_preset_text(form.protocol.name, box.label or "") or None,
                "content": box.content,
                "order": order.get(box.id),
                "sort_number": numbers[box.id],
                "attributes": box.attributes,
                "model": box.model is not None,
                "verdict": box.verdict,
            }
            for box in state.boxes.boxes
            if not box.deleted
        ],
        "rows": [
            {
                "field": row.field,
                "document": row.document,
                "page": row.page,
                "box": row.box,
                "row": row.row,
                "values": row.values,
                "model": row.model is not None,
            }
            for row in state.rows
            if not row.deleted
        ],
    }


def participant_json(
    app: Services, task_work: TaskWork, participant: StartedAttempt
) -> Participant:
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
        "submitted_at": submitted_at,
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


def model_drafts_json(task_work: TaskWork, drafts: TaskDrafts) -> list[ModelDraft]:
    """The current drafts that a reviewer may see.

    Args:
        task_work: with the names that the reviewer sees.
    """
    if drafts.is_hidden:
        return []
    names = {attempt.attempt: attempt.name for attempt in task_work.attempts}
    return [
        {
            **_draft_content(drafts.submission(draft)),
            "attempt": draft.key,
            "name": draft.model,
            "version": draft.version,
            "parts": stated_parts(drafts.submission(draft)),
            "reasons": draft.reasons,
            "scores": dict(draft.scores),
            "correct": [
                names.get(key, key) for key, is_right in draft.correctness.items() if is_right
            ],
            "incorrect": [
                names.get(key, key) for key, is_right in draft.correctness.items() if not is_right
            ],
            "outdated": draft.is_outdated(task_work.sources()),
            "rejected": drafts.rejected.get(draft.key),
        }
        for draft in drafts.current
    ]


def _draft_content(draft: GoldSubmission) -> ReviewedContent:
    """What a draft states; its values count whether or not it states what they depend on."""
    return {
        **state_json(draft.form),
        "variants": ["\n".join(variant) for variant in draft.accepted[1:]],
        "fields": [
            {
                "field": spec.name,
                "document": target.document,
                "page": target.page,
                "box": None,
                "value": draft.value(spec, target),
            }
            for spec in draft.form.protocol.fields
            for target in draft.targets(spec)
        ],
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
) -> ReviewedGold | None:
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
        "dataset_answers": next(
            (
                e.payload.dataset_answers
                for e in events
                if e.seq == review.decided_seq and isinstance(e.payload, Adjudicated)
            ),
            None,
        ),
        "reopened": review.reopened,
        "sources": [source.model_dump(mode="json") for source in review.sources],
        "choices": [choice.model_dump(mode="json") for choice in review.choices],
        "draft": {
            **state_json(form, review.evidence),
            "missing": (decided_gold_missing if review.decided else gold_missing)(form),
            "mixed_evidence": mixed_json(
                task_work.submissions(), form, review.choices, task_work.task.dataset()
            ),
            **retention_json(form.protocol, review.choices, task_work.submissions()),
        },
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
                "by": gettext("The campaign’s rule") if e.actor == GOLD_USER else e.actor,
                "text": hidden.in_text(e.payload.sentence()),
            }
            for e in events
            if isinstance(e.payload, GoldEvent)
        ],
    }


def dataset_gold_json(record: dict[str, Any]) -> DatasetGold:
    """What the task came with."""
    try:
        gold = gold_of(record)
    except ValueError:
        gold = gold_of({})
    return {
        "answers": record.get("answer_variants") or [],
        "unanswerable": record.get("unanswerable"),
        "evidence": page_references(
            (str(p["document"]), int(p["page"])) for p in record.get("evidence") or []
        ),
        "fields": gold.fields,
    }
