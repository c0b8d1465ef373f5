"""Events and states as rows of the database, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.attempts.review_state import Comment, comment_of
from pagetrail.annotation.events import Commented, Event, Payload, Returned, read_payload
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.damage import damaged, unreadable
from pagetrail.storage.database.json_cache import as_text
from pagetrail.storage.database.tables import EventRow
from pagetrail.storage.people.people_by_id import NAMING_EVENTS, People

COMMENT_TYPES = ("commented", "returned")
EVENT_ROWS = select(
    EventRow.attempt_id,
    EventRow.seq,
    EventRow.type,
    EventRow.server_ts,
    EventRow.client_ts,
    EventRow.elapsed_ms,
    EventRow.actor_id,
    EventRow.actor,
    EventRow.client_event_id,
    as_text(EventRow.payload).label("payload"),
    EventRow.document_version,
)
"""Rows of the log that ``event_of`` reads; the payload is JSON text."""
_EVENTS = EVENT_ROWS.where(EventRow.attempt_id == bindparam("attempt")).order_by(EventRow.seq)
_COMMENTS = EVENT_ROWS.where(
    EventRow.attempt_id.in_(bindparam("attempts", expanding=True)),
    EventRow.type.in_(COMMENT_TYPES),
).order_by(EventRow.attempt_id, EventRow.seq)


def comments_of(
    connection: Connection, attempt_ids: Sequence[str]
) -> dict[str, tuple[Comment, ...]]:
    """Attempt id → comments, from their events; attempts without comments are left out."""
    people = People(connection)
    comments_by_attempt: dict[str, list[Comment]] = {}
    for row in connection.execute(_COMMENTS, {"attempts": list(attempt_ids)}):
        event = event_of(row, people)
        if isinstance(event.payload, Commented | Returned):
            comments_by_attempt.setdefault(event.attempt_id, []).append(
                comment_of(event.payload, event)
            )
    return {attempt_id: tuple(comments) for attempt_id, comments in comments_by_attempt.items()}


def read_events(connection: Connection, attempt_id: str) -> Iterator[Event]:
    """The attempt's events in order, on an open connection."""
    rows = connection.execute(_EVENTS, {"attempt": attempt_id})
    people = People(connection)
    return (event_of(row, people) for row in rows)


def event_row(event: Event, people: People) -> dict[str, Any]:
    """An event as a row of ``EventRow``."""
    actor_id = people.id(event.actor)
    fields = event.fields()
    return {
        "attempt_id": event.attempt_id,
        "seq": event.seq,
        "type": event.type,
        "version": event.payload.VERSION,
        "server_ts": event.server_ts,
        "client_ts": event.client_ts,
        "elapsed_ms": event.elapsed_ms,
        "actor_id": actor_id,
        "actor": event.actor if actor_id is None else "",
        "client_event_id": event.client_event_id,
        "payload": people.with_ids(fields) if event.type in NAMING_EVENTS else fields,
        "document_version": event.document_version,
    }


def payload_chars(row: dict[str, Any]) -> int:
    """Length in the database of the payload in a row from ``event_row``."""
    return len(json.dumps(row["payload"]))


def stored_payload(type_: str, fields: str, attempt_id: str) -> Payload:
    """The payload in a row of an attempt, from its fields as JSON text.

    Raises:
        StorageError: it is not a payload of its type; the database is damaged.
    """
    try:
        return read_payload(type_, fields)
    except ValidationError as error:
        raise unreadable(f"an event of attempt {attempt_id}", error) from None


def _with_names(fields: str, attempt_id: str, people: People) -> str:
    try:
        return json.dumps(people.with_names(json.loads(fields)))
    except (AttributeError, TypeError, ValueError):
        raise damaged(f"an event of attempt {attempt_id}") from None


_EVENT_FIELDS = set(Event.model_fields)


def event_of(row: AnyRow, people: People) -> Event:
    """The event in a row of the log, with people under their current names.

    The envelope is not validated again, since the recorder made it. This is
    ``Event.model_construct`` without its slow loop over the fields.

    Raises:
        StorageError: the payload is not one of its type; the database is damaged.
    """
    (
        attempt_id, seq, type_, server_ts, client_ts, elapsed_ms, actor_id, actor, client_event_id,
        payload, document_version,
    ) = row  # fmt: skip
    if type_ in NAMING_EVENTS:
        payload = _with_names(payload, attempt_id, people)
    event = Event.__new__(Event)
    fields = {
        "attempt_id": attempt_id,
        "seq": seq,
        "server_ts": server_ts,
        "client_ts": client_ts,
        "elapsed_ms": elapsed_ms,
        "actor": actor if actor_id is None else people.name(actor_id),
        "client_event_id": client_event_id,
        "payload": stored_payload(type_, payload, attempt_id),
        "document_version": document_version,
    }
    object.__setattr__(event, "__dict__", fields)
    object.__setattr__(event, "__pydantic_fields_set__", _EVENT_FIELDS)
    object.__setattr__(event, "__pydantic_extra__", None)
    object.__setattr__(event, "__pydantic_private__", None)
    return event
