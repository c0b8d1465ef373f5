"""Texts of pages for screen readers, and finding a text in a document.

Like searches, the server records both before it answers.
"""

from __future__ import annotations

from hashlib import sha256

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.errors import BadRequest, Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import describe
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import storage_guard
from pagetrail.app.workspace.find_computation import normalised
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.people.accounts import Person

MAX_TEXT = 200
"""Maximum length of a text to find."""

_FIND = "pagetrail.app.workspace.find_computation:hits_in_document"


class PageTextRequest(BaseModel):
    """The body of a request of this module; ``text`` is what to find."""

    model_config = ConfigDict(extra="ignore")
    id: str = Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_.:-]+$")
    document: str = Field(min_length=1, max_length=1_000)
    page: int = Field(default=1, ge=1, le=10_000_000)
    text: str = Field(default="", max_length=MAX_TEXT)
    client_ts: str | None = Field(default=None, max_length=40)


class TextRecorded(TypedDict):
    """The attempt once the request was recorded."""

    last_seq: int
    saved_at: str | None


class TextFound(TextRecorded):
    """Pages with a text, as (page, hits)."""

    pages: list[tuple[int, int]]


def parse_request(body: object) -> PageTextRequest:
    """The body of a request of this module.

    Raises:
        BadRequest: it is something else.
    """
    try:
        return PageTextRequest.model_validate(body)
    except ValidationError as error:
        raise BadRequest(
            gettext("This is not a request for text: {problem}", problem=describe(error))
        ) from error


def record_text_read(
    services: Services, person: Person, row: AttemptRow, request: PageTextRequest
) -> TextRecorded:
    """Record that a page's text goes to a screen reader.

    Raises:
        Refusal: the attempt does not accept events, or the page is not the task's.
    """
    return _record(
        services,
        person,
        row,
        request,
        ev.PageTextRead(document=request.document, page=request.page),
    )


def find_in_document(
    services: Services, person: Person, row: AttemptRow, request: PageTextRequest
) -> TextFound:
    """Find a text in a document's pages that the task may read.

    Raises:
        BadRequest: no text.
        Refusal: the campaign's pages are images only, or the attempt does not accept events.
        NotFoundError: no such document.
        Busy, TooLong: too many searches at once, or it takes too long.
    """
    if not normalised(request.text):
        raise BadRequest(gettext("Type the text to look for."))
    row.require_changeable()
    if not row.protocol.text.find:  # the recorder would refuse only after the work
        raise Refusal(gettext("This campaign's pages are images only."), code="no_text")
    readable = row.readable()
    hits = [
        (page, n)
        for page, n in services.checks.compute(_FIND, request.document, request.text)
        if readable is None or (request.document, page) in readable
    ]
    payload = ev.DocumentSearched(
        document=request.document,
        text=request.text,
        hits=sum(n for _, n in hits),
        pages=len(hits),
    )
    return {**_record(services, person, row, request, payload), "pages": hits}


def _record(
    services: Services,
    person: Person,
    row: AttemptRow,
    request: PageTextRequest,
    payload: ev.PageTextRead | ev.DocumentSearched,
) -> TextRecorded:
    row.require_changeable()
    # Includes the content: a repeated id must not return another page without an event.
    content = sha256(payload.model_dump_json().encode()).hexdigest()[:16]
    command = Command(f"{request.id}:{content}", payload, request.client_ts, 0)
    outcome = services.recorder.record(
        row.context(), [command], storage_guard(services, person, row)
    )
    for refusal in outcome.refusals.values():
        raise refusal
    return {"last_seq": outcome.state.last_seq, "saved_at": outcome.state.updated_at}
