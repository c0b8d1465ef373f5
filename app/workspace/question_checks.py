"""Runs the live checks of a question that is being written, and records their findings."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.authoring import Draft
from pagetrail.annotation.errors import ALREADY_SUBMITTED, BadRequest, Refusal
from pagetrail.annotation.events.forms import Checked
from pagetrail.annotation.json_types import DumpOf
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.readable_errors import describe
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import MAX_AGE_MS, own_attempt, record_command
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.authoring.question_counts import QuestionCounts, authored
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.workers.pool import CallHandle

# By name, so that the server does not import the checks.
_FINDINGS = "pagetrail.app.workspace.check_computation:findings_of"


class ChecksRequest(BaseModel):
    """The body of a request to run the checks; all fields are optional."""

    model_config = ConfigDict(extra="ignore")
    id: str | None = Field(default=None, min_length=1, max_length=90, pattern=r"^[A-Za-z0-9_.:-]+$")
    client_ts: str | None = Field(default=None, max_length=40)
    age_ms: int = Field(default=0, ge=0, le=MAX_AGE_MS)


class ChecksReply(TypedDict):
    """One finding per check; ``at_seq`` is the last event that they cover."""

    findings: list[Annotated[dict[str, Any], DumpOf(Finding)]]
    at_seq: int
    last_seq: int
    saved_at: str | None
    question_counts: QuestionCounts | None


def check_question(
    services: Services,
    person: Person,
    attempt_id: str,
    body: object,
    handle: CallHandle | None = None,
) -> ChecksReply:
    """Run the checks on the stored attempt in a worker process, and record their findings.

    A repeated request id is answered with the last findings and stores nothing.

    Args:
        handle: cancels the checks; nothing is stored then.

    Raises:
        BadRequest: the body is malformed.
        Refusal: this campaign has no such checks, or the attempt is submitted.
        TooLong: they take too long, or were cancelled.
        Busy: too many checks run at the moment.
        NotFoundError, Forbidden, ConflictError: as ``own_attempt``; a gold draft may have been
            released in the meantime.
    """
    row = own_attempt(services, person, attempt_id)
    row.require_changeable()
    try:
        request = ChecksRequest.model_validate({} if body is None else body)
    except ValidationError as error:
        raise BadRequest(
            gettext("This is not a request for checks: {problem}", problem=describe(error))
        ) from error
    state = services.log.state(attempt_id)
    _check_allowed(row, state)
    search = row.protocol.search
    findings = services.checks.compute(
        _FINDINGS,
        draft_of(row, state),
        attempt_id,
        search.top_k,
        search.enabled,
        row.protocol.evidence.enabled,
        on_question=lambda question: services.search.search(*question),
        handle=handle,
    )
    command = Command(
        # Ids from browsers have no slash, so the server's own ids cannot collide with them.
        request.id or f"checks/{uuid4().hex}",
        Checked(at_seq=state.last_seq, findings=findings),
        request.client_ts,
        request.age_ms,
    )
    return _reply(services, row, record_command(services, person, row, command))


def draft_of(row: AttemptRow, state: AttemptState) -> Draft:
    """The attempt's stored question, answer, evidence and searches."""
    return Draft(
        question=state.question_text or "",
        answers=tuple(state.answer),
        evidence=tuple((citation.document, citation.page) for citation in state.citations),
        unanswerable=row.protocol.answer.unanswerable and row.record.get("unanswerable") is True,
        queries=tuple(search.query for search in state.searches if search.refusal is None),
    )


def _check_allowed(row: AttemptRow, state: AttemptState) -> None:
    """Refuse before any search; the recorder checks the attempt's state again."""
    question = row.protocol.question
    if question.kind != "editable" or not question.checks:
        raise Refusal(
            gettext("This campaign has no checks of written questions."),
            code="no_checks",
            field="checks",
        )
    if state.closed or state.status in ("submitted", "skipped"):
        raise Refusal(
            gettext("This task is submitted. Reopen it to check its question again."),
            code=ALREADY_SUBMITTED,
            field="checks",
        )


def _reply(services: Services, row: AttemptRow, state: AttemptState) -> ChecksReply:
    checks = state.checks
    return {
        "findings": []
        if checks is None
        else [finding.model_dump(mode="json") for finding in checks.findings],
        "at_seq": 0 if checks is None else checks.at_seq,
        "last_seq": state.last_seq,
        "saved_at": state.updated_at,
        "question_counts": authored(services.workspace.engine, row),
    }
