"""An attempt's data for the workspace screen, without anything annotators must not see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from typing_extensions import TypedDict

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.batch_aids import carried_payload
from pagetrail.annotation.attempts.preannotations import state_once_started
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, Status, with_payload
from pagetrail.annotation.authoring.brief import brief_places
from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.json_types import DumpOf, PageReference, page_references
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.protocols.key_bindings import ProtocolCondition, protocol_conditions
from pagetrail.annotation.protocols.preset_texts import (
    translate_guidelines,
    translate_preset_text,
    translated_json,
)
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.shown_record import ShownMaterial, material, unset_fields
from pagetrail.annotation.timing.durations import active_ms
from pagetrail.app.services.addresses import review_url
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_nodes import Node, markdown_nodes
from pagetrail.app.workspace.pilot_feedback import shown_feedback
from pagetrail.app.workspace.readable_pages import check_readable, why_unreadable
from pagetrail.app.workspace.search import ShownSearch, stored_reply
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.queries import AttemptRow, CorpusSize, corpus_size
from pagetrail.storage.authoring.question_counts import QuestionCounts, authored
from pagetrail.storage.people.accounts import Person

QUESTION_PREVIEW = 90
EDITS = sorted(ev.event_types(is_edit=True))
CONTENT = sorted(ev.event_types(is_content=True))


class ShownDocument(TypedDict):
    """A document for the viewer; widths and heights of its pages in points as displayed."""

    sha256: str
    version: int
    n_pages: int
    pages: list[tuple[float, float]]


class TaskHeading(TypedDict):
    """A task's question, and what it is about."""

    question: str
    domain: str | None
    category: str | None


class SignedInPerson(TypedDict):
    """Whose screen it is."""

    name: str


class ShownCampaign(TypedDict):
    """The campaign of an attempt."""

    name: str
    title: str
    status: str


class GoldDraft(TypedDict):
    """What a gold draft is of.

    Attributes:
        review_address: of the task under review.
        replaced_seq: the last event that replaced the draft: merged, decided, reopened, or edited
            by somebody else. Unsent work must follow it.
    """

    task: int
    campaign: str
    review_address: str
    replaced_seq: int


class ShownBatchTask(TypedDict):
    """A task in the batch's list.

    Attributes:
        position: None where annotators do not see how many tasks there are.
        has_question: whether the last comment is a supervisor's that did not send the task back.
        round: of its text or tables, from 1.
        question: its beginning; empty before the task's turn, where tasks are done in turn.
        locked: whether it cannot be opened: not its turn yet, or finished for good.
    """

    attempt: str
    position: int | None
    status: Status
    flagged: bool
    returned: bool
    has_question: bool
    round: int
    question: str
    locked: bool


class ShownBatch(TypedDict):
    """The attempt's batch, without excluded tasks.

    ``size`` and ``position`` are None where annotators do not see them, and of an excluded task.
    """

    assignment: int | None
    code_name: str
    closed: bool
    size: int | None
    position: int | None
    tasks: list[ShownBatchTask]


class SentEventTypes(TypedDict):
    """Types of events that edit the submission, and that carry work."""

    edits: list[str]
    content: list[str]


class AttemptPayload(TypedDict):
    """The screen of one attempt.

    Attributes:
        review: of gold drafts only.
        practice: whether it counts nowhere.
        key_conditions: those of the screen's keys that hold under the protocol.
        label_keys: key of each box label.
        locked: labels of the fields that must be set before the pages are shown.
        brief: what the brief for a new question is about.
        given_pages: the task's; None where pages are found by searching.
        results: of the last search.
    """

    attempt: str
    token: str
    epoch: str
    user: SignedInPerson
    campaign: ShownCampaign
    review: GoldDraft | None
    archived: bool
    withdrawn: bool
    excluded: bool
    decisions_mark: str
    practice: bool
    batch: ShownBatch
    task: TaskHeading
    protocol: Annotated[dict[str, Any], DumpOf(Protocol)]
    guidelines: list[Node]
    key_conditions: list[ProtocolCondition]
    label_keys: dict[str, str | None]
    material: list[Annotated[dict[str, Any], DumpOf(ShownMaterial)]]
    locked: list[str]
    brief: list[PageReference]
    question_counts: QuestionCounts | None
    given_pages: list[PageReference] | None
    documents: dict[str, ShownDocument]
    results: ShownSearch | None
    state: Annotated[dict[str, Any], DumpOf(AttemptState)]
    active_ms: int
    link: PageReference | None
    corpus: CorpusSize
    event_types: SentEventTypes


def attempt_payload(
    services: Services,
    person: Person,
    row: AttemptRow,
    link: tuple[str, int] | None = None,
) -> AttemptPayload:
    """The attempt's screen as JSON values.

    Args:
        link: a (document, page) to open first; dropped and recorded in the audit log if the attempt
            may not read it.
    """
    if link is not None and not _is_readable(services, row, *link):
        link = None
    state = services.log.state(row.attempt_id)
    if state.last_seq == 0:
        state = state_once_started(state, row.seeds())
    if row.archived or row.decisions.withdrawn:
        # The screen then offers no changes.
        state = state.model_copy(update={"closed": True})
    if state.review is not None:  # it names people
        state = state.model_copy(update={"review": Review()})
    if state.feedback is not None:
        feedback = shown_feedback(services, row, state.feedback)
        state = state.model_copy(update={"feedback": feedback})
    state = _with_batch_aids(services, row, state)
    form = row.context().form(state)
    locked = unset_fields(form, row.protocol.pages_after)
    results = stored_reply(services, row, state)
    given_pages = [] if locked else row.pages()
    brief = shown_brief(services, row.protocol, row.record)
    document_names = {
        document
        for document in _documents_named(state, results, [*(given_pages or []), *brief], link)
        if why_unreadable(services, row, document, None) is None
    }
    return {
        "attempt": row.attempt_id,
        "token": services.tokens.make(person.id, row.attempt_id),
        "epoch": services.epoch,
        "user": {"name": person.name},
        "campaign": {
            "name": row.campaign,
            "title": translate_preset_text(row.protocol.name, row.protocol.title),
            "status": row.campaign_status,
        },
        "review": _gold_draft(services, person, row) if row.is_gold else None,
        "archived": row.archived,
        "withdrawn": row.decisions.withdrawn,
        "excluded": row.decisions.excluded,
        "decisions_mark": row.decisions.mark,
        "practice": services.is_practice,
        "batch": _batch(services, row, state),
        "task": {
            "question": str(row.record.get("question", "")),
            "domain": row.record.get("domain"),
            "category": row.record.get("document_category"),
        },
        "protocol": translated_json(row.protocol),
        "guidelines": markdown_nodes(translate_guidelines(row.guidelines)),
        "key_conditions": protocol_conditions(row.protocol),
        "label_keys": row.protocol.boxes.keys(),
        "material": [part.model_dump() for part in material(form, row.record)],
        "locked": locked,
        "brief": page_references(brief),
        "question_counts": authored(services.workspace.engine, row),
        "given_pages": None if given_pages is None else page_references(given_pages),
        "documents": documents(services, document_names),
        "results": results,
        "state": state.model_dump(mode="json"),
        "active_ms": active_ms(services.log.events(row.attempt_id)),
        "link": None if link is None else {"document": link[0], "page": link[1]},
        "corpus": corpus_size(services.workspace.engine),
        "event_types": {"edits": EDITS, "content": CONTENT},
    }


def _with_batch_aids(services: Services, row: AttemptRow, state: AttemptState) -> AttemptState:
    """The state with bookmarks and scratchpad as opening the task will bring them."""
    if not row.protocol.aids.link_tasks or row.is_gold:
        return state
    payload = carried_payload(services.log.batch_aids(row.attempt_id), state.aids)
    return state if payload is None else with_payload(state, payload)


def _is_readable(services: Services, row: AttemptRow, document: str, page: int) -> bool:
    try:
        check_readable(services, row, document, page)
    except Forbidden:
        return False
    return True


def _gold_draft(services: Services, person: Person, row: AttemptRow) -> GoldDraft:
    last_replaced = 0
    for event in services.log.events(row.attempt_id):
        payload = event.payload
        replaces = isinstance(
            payload, ev.GoldMerged | ev.Adjudicated | ev.GoldReopened | ev.DecisionUndone
        )
        edits = payload.is_edit or isinstance(payload, ev.Submitted | ev.Reopened)
        if replaces or (edits and event.actor != person.name):
            last_replaced = event.seq
    return {
        "task": row.task_id,
        "campaign": row.campaign,
        "review_address": review_url(row.task_id),
        "replaced_seq": last_replaced,
    }


def shown_brief(
    services: Services, protocol: Protocol, record: dict[str, Any]
) -> list[tuple[str, int]]:
    """The pages that a brief for a new question names.

    They can be opened only where the whole collection can.
    """
    writes = protocol.question.kind == "editable" and protocol.pages == "search"
    return brief_places(record, services.corpus.names()) if writes else []


def documents(services: Services, names: Iterable[str]) -> dict[str, ShownDocument]:
    """Hash and page sizes (points as displayed) of the named documents."""
    documents_json = {}
    for name in sorted(set(names)):
        info = services.corpus.document(name)
        if info is not None:
            documents_json[name] = document_json(info)
    return documents_json


def document_json(info: DocumentInfo) -> ShownDocument:
    """One document for the viewer."""
    return {
        "sha256": info.sha256,
        "version": info.version,
        "n_pages": info.n_pages,
        "pages": info.page_sizes,
    }


def _documents_named(
    state: AttemptState,
    results: ShownSearch | None,
    given_pages: list[tuple[str, int]] | None,
    link: tuple[str, int] | None,
) -> set[str]:
    names = {citation.document for citation in state.citations}
    names |= {hit["document"] for hit in results["results"]} if results else set()
    names |= {document for document, _ in given_pages or []}
    if state.position is not None:
        names.add(state.position.document)
    if link is not None:
        names.add(link[0])
    return names


def _batch(services: Services, row: AttemptRow, state: AttemptState) -> ShownBatch:
    tasks = (
        []
        if row.assignment_id is None
        else queries.batch_tasks(services.workspace.engine, row.assignment_id)
    )
    # An excluded task has no position any more; the next one is the first unfinished task.
    nowhere = None if row.decisions.excluded else 1
    position = next((t.position for t in tasks if t.attempt_id == row.attempt_id), nowhere)
    study = row.protocol.study
    shows_progress = study.progress and position is not None
    rest = tasks if position is None else [*tasks[position:], *tasks[: position - 1]]
    upcoming = next((task for task in rest if not task.is_done), None)
    if not study.progress:  # the browser only gets this task and the next
        tasks = [task for task in tasks if task.attempt_id == row.attempt_id or task is upcoming]
    turn = next((task for task in tasks if not task.is_done), None)
    early = {
        task.attempt_id
        for task in tasks
        if study.in_turn and task.status == "new" and task is not turn
    }
    return {
        "assignment": row.assignment_id,
        "code_name": row.code_name,
        "closed": state.closed,
        "size": len(tasks) if shows_progress else None,
        "position": position if shows_progress else None,
        "tasks": [
            {
                "attempt": task.attempt_id,
                "position": task.position if study.progress else None,
                "status": task.status,
                "flagged": task.flagged,
                "returned": task.returned,
                "has_question": task.has_question,
                "round": task.round,
                "question": "" if task.attempt_id in early else task.question[:QUESTION_PREVIEW],
                "locked": task.attempt_id in early or (task.is_done and not study.go_back),
            }
            for task in tasks
        ],
    }
