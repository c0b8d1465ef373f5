"""The fallback transport: events through component state if the event route is unreachable."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.json_types import ErrorDetails
from pagetrail.app.services.composition import services
from pagetrail.app.services.practice import practising_person
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.workspace.annotator_actions import EventsReply, count_events, record_events
from pagetrail.app.workspace.search import ShownSearch, run_search

_REPLY = "fallback_reply"


class FallbackMessage(BaseModel):
    """Events, and perhaps a search, in the component's state; ``n`` counts the messages."""

    model_config = ConfigDict(extra="ignore")
    n: int
    attempt: str = Field(max_length=100)
    session: str = ""
    events: list[dict[str, Any]]
    search: dict[str, Any] | None = None


class FallbackReply(TypedDict):
    """The answer to the message ``n``."""

    n: int
    events: EventsReply | None
    search: ShownSearch | None
    error: ErrorDetails | None


def last_reply() -> FallbackReply | None:
    """The answer to the last message, for the component's next mount."""
    reply: FallbackReply | None = st.session_state.get(_REPLY)
    return reply


def answer_outbox(key: str, *, practising: bool = False) -> None:
    """Callback: record the events in the component's state; repeated messages are answered again.

    State keeps only the last value and is replayed on reruns: the event ids make that harmless.
    """
    try:
        message = FallbackMessage.model_validate((st.session_state.get(key) or {}).get("outbox"))
    except ValidationError:
        return
    person = signed_in()
    reply: FallbackReply = {"n": message.n, "events": None, "search": None, "error": None}
    body = message.model_dump(include={"session", "events"})
    try:
        app = services()
        if practising:
            app, person = app.practice.open(), practising_person(person)
        size = len(message.model_dump_json())
        time.sleep(app.event_rates.wait(person.id, count_events(body), size))
        reply["events"] = record_events(app, person, message.attempt, body)
        if message.search:
            reply["search"], _ = run_search(app, person, message.attempt, message.search)
    except PagetrailError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    st.session_state[_REPLY] = reply
