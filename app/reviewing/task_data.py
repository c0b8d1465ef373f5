"""The data of a task under review as JSON values for its screen. For supervisors only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import DATASET, Choice, GoldMerged, MergeMethod
from pagetrail.annotation.json_types import DumpOf, PageReference, page_references
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.conditions import without_prefilter
from pagetrail.annotation.protocols.preset_texts import (
    translate_guidelines,
    translate_preset_text,
    translated_json,
)
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import merge, proposal, sampled_for_check
from pagetrail.annotation.review.answer_merging import dataset_parts
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import Pick, ways_of
from pagetrail.annotation.review.status import Status
from pagetrail.annotation.tasks.shown_record import ShownMaterial, material
from pagetrail.app.reviewing.page_comparison import (
    MarkedPage,
    ZoneOverlap,
    marked_pages_json,
    retention_json,
    zone_overlaps,
)
from pagetrail.app.reviewing.queue_address import QueuePosition, position_json
from pagetrail.app.reviewing.table_comparison import (
    ComparedTables,
    compared_tables,
    running_table_pair,
)
from pagetrail.app.reviewing.text_comparison import TextPair, running_text_pair, text_pairs
from pagetrail.app.reviewing.wording import exclusion_words
from pagetrail.app.reviewing.work_json import (
    DatasetGold,
    ModelDraft,
    Participant,
    ReviewedDraft,
    ReviewedGold,
    dataset_gold_json,
    gold_json,
    mixed_json,
    model_drafts_json,
    participant_json,
    state_json,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_nodes import Node, markdown_nodes
from pagetrail.app.workspace.payload import (
    ShownDocument,
    TaskHeading,
    documents,
    shown_brief,
)
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.review.drafts import TaskDrafts
from pagetrail.storage.review.submissions import NO_SIZE, StartedAttempt, TaskWork
from pagetrail.storage.review.task_rows import (
    NOT_COMPARED,
    agree_against_dataset,
    task_status,
    work_summary,
)
from pagetrail.storage.review.unfinished_work import (
    Pending,
    decide_hint,
    decide_label,
    unfinished_sentence,
)


class ReviewedTask(TaskHeading):
    """The task under review."""

    id: int
    key: str
    campaign: str
    title: str
    code_name: str


class ComparedPart(TypedDict):
    """How far the submissions differ in a part.

    Attributes:
        variants: whether gold could accept all the different answers.
        places: the pages where they differ.
    """

    part: str
    label: str
    score: float
    agreed: bool
    variants: bool
    places: tuple[tuple[str, int], ...]


class ReviewedDatasetGold(DatasetGold):
    """The gold that the task came with, and the parts that can be taken from it."""

    parts: tuple[str, ...]


class UnfinishedPeople(TypedDict):
    """The work that the task still waits for.

    Attributes:
        free_slots: slots that nobody has.
        decide_label: of the button that decides anyway.
    """

    people: list[Annotated[dict[str, Any], DumpOf(Pending)]]
    free_slots: int
    sentence: str
    decide_label: str
    decide_hint: str


class ReviewedVersionJson(TypedDict):
    """The state of the work that the reviewer sees, which a decision names.

    Attributes:
        sources: attempt → its last submission.
        pending: people who have not submitted.
    """

    sources: dict[str, int]
    gold_seq: int
    pending: list[str]


class RunningMerges(TypedDict):
    """What was merged of two or more versions so far, compared with the next one."""

    text: TextPair | None
    tables: ComparedTables | None


class ReviewData(TypedDict):
    """A task under review.

    Attributes:
        given_pages: those that the task gives.
        excluded: why, by whom and when the task was excluded; empty where it counts.
        not_compared: why the submissions were not compared; empty where they were.
        dataset_gold: None until the reviewer asks for it, or has taken something from it; so is
            what only the dataset has, such as pages.
        has_dataset_gold: whether the dataset says anything.
        contradicts_dataset: everybody agrees, on something else than the dataset.
        merge_methods: those that each part can be put together by.
        model_drafts: of models, never of participants; none while they are hidden.
        hidden_drafts: number of drafts that appear after the decision.
    """

    task: ReviewedTask
    material: list[Annotated[dict[str, Any], DumpOf(ShownMaterial)]]
    given_pages: list[PageReference]
    dataset_gold: ReviewedDatasetGold | None
    has_dataset_gold: bool
    protocol: Annotated[dict[str, Any], DumpOf(Protocol)]
    guidelines: list[Node]
    rule: Annotated[dict[str, Any], DumpOf(ReviewPart)]
    status: Status
    excluded: str
    score: float
    flagged: bool
    raised_flags: list[RaisedFlag]
    drawn_for_check: bool
    parts: list[ComparedPart]
    not_compared: str
    contradicts_dataset: bool
    token: str
    reviewer: str
    holder: str | None
    held_at: str | None
    unfinished: UnfinishedPeople
    reviewed_version: ReviewedVersionJson
    participants: list[Participant]
    model_drafts: list[ModelDraft]
    hidden_drafts: int
    evidence: list[MarkedPage]
    zones: list[ZoneOverlap]
    text_pairs: list[TextPair]
    table_pairs: list[ComparedTables]
    running_merges: RunningMerges
    documents: dict[str, ShownDocument]
    gold: ReviewedGold | None
    draft: ReviewedDraft
    choices: list[Annotated[dict[str, Any], DumpOf(Choice)]]
    merge_methods: dict[str, tuple[MergeMethod, ...]]
    queue: QueuePosition


class DraftPreview(TypedDict):
    """The draft that a reviewer's selections give."""

    draft: ReviewedDraft
    running_merges: RunningMerges
    choices: list[Annotated[dict[str, Any], DumpOf(Choice)]]


def review_data(
    app: Services, person: Person, task_id: int, queue: str = "", *, shows_dataset: bool = False
) -> ReviewData:
    """The task, everybody's work on it, the differences, and its gold so far.

    Args:
        queue: address of the queue it was opened from.
        shows_dataset: whether the reviewer has asked for what the dataset says.

    Raises:
        NotFoundError: no such task.
        Forbidden: not a supervisor.
    """
    stored, hidden = (
        app.reviews.streams.task_work(task_id),
        app.reviews.streams.hidden_names(task_id),
    )
    task_work = hidden.in_task_work(stored)
    task, submissions = task_work.task, task_work.submissions()
    rule = task.protocol.review
    size_of = _sizes(app)
    difference = app.reviews.streams.difference(task_work)
    reason_not_compared = next(
        (part.label for part in difference.parts if part.part == NOT_COMPARED), ""
    )
    counts, waits_for = (
        work_summary(task_work),
        hidden.in_unfinished(app.reviews.streams.unfinished(stored)),
    )
    gold = task_work.gold.state if task_work.gold else AttemptState()
    drafts = app.reviews.streams.drafts(stored)
    is_sampled_for_check = sampled_for_check(task.seed, task.key, rule.check_share)
    proposed, dataset = merge(submissions, {}, rule, size_of, task_work.sources()), task.dataset()
    stated = dataset_gold_json(task.record)
    shows_dataset = shows_dataset or _follows_dataset(gold)
    return {
        "task": {
            "id": task.id,
            "key": task.key,
            "question": str(task.record.get("question", "")),
            "domain": task.record.get("domain"),
            "category": task.record.get("document_category"),
            "campaign": task.campaign,
            "title": translate_preset_text(task.protocol.name, task.protocol.title),
            "code_name": task.code_name,
        },
        "material": [
            part.model_dump()
            for part in material(task.form(AttemptState()), task.record, locks=False)
        ],
        "given_pages": page_references(task.given_pages() or []),
        "dataset_gold": {**stated, "parts": dataset_parts(dataset)} if shows_dataset else None,
        "has_dataset_gold": any(stated.values()),
        "protocol": translated_json(without_prefilter(task.protocol)),
        "guidelines": markdown_nodes(translate_guidelines(task.guidelines)),
        "rule": rule.model_dump(mode="json"),
        "status": task_status(task_work, difference, size_of),
        "excluded": "" if task.exclusion is None else exclusion_words(task.exclusion),
        "score": difference.score,
        "flagged": counts.flagged,
        "raised_flags": raised_flags(task_work),
        "drawn_for_check": is_sampled_for_check,
        "parts": [
            {
                "part": part.part,
                "label": gettext(part.label),
                "score": part.score,
                "agreed": part.agreed,
                "variants": part.variants,
                "places": part.places,
            }
            for part in difference.parts
            if part.part != NOT_COMPARED
        ],
        "not_compared": reason_not_compared,
        "contradicts_dataset": agree_against_dataset(task_work, difference, size_of),
        "token": oversight_token(app, person),
        "reviewer": person.name,
        "holder": app.reviews.streams.holder(gold),
        "held_at": gold.review.held_at if gold.review else None,
        "unfinished": {
            "people": [asdict(person) for person in waits_for.people],
            "free_slots": waits_for.free_slots,
            "sentence": unfinished_sentence(waits_for),
            "decide_label": decide_label(waits_for),
            "decide_hint": decide_hint(waits_for),
        },
        "reviewed_version": {
            "sources": counts.sources,
            "gold_seq": gold.last_seq,
            "pending": [person.name for person in waits_for.people],
        },
        "participants": [
            participant_json(app, task_work, participant)
            for participant in _ordered_participants(task_work.attempts)
        ],
        "model_drafts": model_drafts_json(task_work, drafts),
        "hidden_drafts": len(drafts.current) if drafts.is_hidden else 0,
        "evidence": marked_pages_json(submissions),
        "zones": zone_overlaps(submissions, size_of),
        "text_pairs": text_pairs(submissions, drafts.comparable()),
        "table_pairs": compared_tables(submissions, drafts.comparable()),
        "running_merges": _running_merges(
            submissions,
            drafts,
            {choice.part: choice for choice in (gold.review.choices if gold.review else ())},
        ),
        "documents": documents(
            app,
            _document_names(task_work)
            | _draft_documents(drafts)
            | {document for document, _ in shown_brief(app, task.protocol, task.record)}
            | ({page["document"] for page in stated["evidence"]} if shows_dataset else set()),
        ),
        "gold": gold_json(app, task_work, person.name, hidden),
        "draft": _draft_json(task.form(draft_state(proposed)), proposed, submissions, dataset),
        "choices": [choice.model_dump(mode="json") for choice in proposed.choices],
        "merge_methods": {part: ways_of(task.protocol, part) for part in proposal(submissions)},
        "queue": position_json(app.workspace, task.campaign_id, task_id, queue),
    }


def preview(app: Services, task_id: int, picks: dict[str, Pick]) -> DraftPreview:
    """The draft that these selections give; nothing is stored.

    Raises:
        NotFoundError: no such task.
        Refusal: a selection is not possible.
    """
    task_work = app.reviews.streams.task_work(task_id)
    rule, dataset = task_work.task.protocol.review, task_work.task.dataset()
    submissions, drafts = task_work.submissions(), app.reviews.streams.drafts(task_work)
    drafts.require_not_rejected(picks)
    merged = merge(
        submissions, picks, rule, _sizes(app), task_work.sources(), dataset, drafts.takeable()
    )
    return {
        "draft": _draft_json(
            task_work.task.form(draft_state(merged)), merged, submissions, dataset
        ),
        "running_merges": _running_merges(submissions, drafts, picks),
        "choices": [choice.model_dump(mode="json") for choice in merged.choices],
    }


def _running_merges(
    submissions: Sequence[Submission],
    drafts: TaskDrafts,
    picks: Mapping[str, Pick] | Mapping[str, Choice],
) -> RunningMerges:
    """None where the work has changed since the decisions were made."""
    versions = submissions, drafts.takeable()
    merges: RunningMerges = {"text": None, "tables": None}
    with suppress(Refusal):
        merges["text"] = running_text_pair(*versions, picks.get("transcript"))
    with suppress(Refusal):
        merges["tables"] = running_table_pair(*versions, picks.get("tables"))
    return merges


def _draft_json(
    form: Form,
    merged: GoldMerged,
    submissions: Sequence[Submission],
    dataset: GoldSubmission | None,
) -> ReviewedDraft:
    """A draft of gold, what it is missing to be accepted, and the pages that are open."""
    return {
        **state_json(form, merged.evidence),
        "missing": gold_missing(form),
        "mixed_evidence": mixed_json(submissions, form, merged.choices, dataset),
        **retention_json(form.protocol, merged.choices, submissions),
    }


def _follows_dataset(gold: AttemptState) -> bool:
    """Whether something was taken from the dataset, which its reviewer has seen then."""
    choices = gold.review.choices if gold.review else ()
    return any(DATASET in (choice.side, *choice.sides) for choice in choices)


def _sizes(app: Services) -> PageSizeOf:
    def size(document: str, page: int) -> tuple[float, float]:
        info = app.corpus.document(document)
        if info is None or not 1 <= page <= info.n_pages:
            return NO_SIZE
        page_size = info.pages[page - 1]
        return page_size.width, page_size.height

    return size


def _ordered_participants(people: Sequence[StartedAttempt]) -> list[StartedAttempt]:
    """Submitted work first, then skipped and returned; work not started is left out."""
    participants = [w for w in people if w.is_done or w.state.returned]
    return sorted(participants, key=lambda w: (w.state.status != "submitted", w.name))


def _document_names(task_work: TaskWork) -> set[str]:
    """Documents that the task gives and that somebody's work names."""
    names = {document for document, _ in task_work.task.given_pages() or []}
    for participant in (*task_work.attempts, *([task_work.gold] if task_work.gold else [])):
        names |= {c.document for c in participant.state.citations}
        names |= {b.document for b in participant.state.boxes.boxes}
        names |= {d for search in participant.state.searches for d, _ in search.results}
    return names


def _draft_documents(drafts: TaskDrafts) -> set[str]:
    """Documents that shown drafts name."""
    submissions = drafts.takeable()
    names = {document for draft in submissions for document, _ in draft.pages}
    names |= {box.document for draft in submissions for box in draft.boxes}
    return names | {page.document for draft in submissions for page in draft.gold.pages}


class RaisedFlag(TypedDict):
    """A flag or skip of one person; ``handled`` by a supervisor."""

    attempt: str
    name: str
    flag: str | None
    skipped: bool
    skip_reason: str | None
    handled: bool


def raised_flags(task_work: TaskWork) -> list[RaisedFlag]:
    """Every flag and skip, also of work that is not submitted, and whether it was handled."""
    return [
        {
            "attempt": participant.attempt,
            "name": participant.name,
            "flag": participant.state.flag,
            "skipped": participant.state.status == "skipped",
            "skip_reason": participant.state.skip_reason,
            "handled": task_work.is_handled(participant),
        }
        for participant in task_work.attempts
        if participant.state.flag is not None or participant.state.status == "skipped"
    ]
