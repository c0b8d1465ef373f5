"""The fallback transport: events through component state if the event route is unreachable."""

from __future__ import annotations

import json
import time
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import services
from pagetrail.app.services.practice import practising_person
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.workspace.annotator_actions import count_events, record_events
from pagetrail.app.workspace.search import run_search

_REPLY = "fallback_reply"


def last_reply() -> dict[str, Any] | None:
    """The answer to the last message, for the component's next mount."""
    reply: dict[str, Any] | None = st.session_state.get(_REPLY)
    return reply


def answer_outbox(key: str, *, practising: bool = False) -> None:
    """Callback: record the events in the component's state; repeated messages are answered again.

    State keeps only the last value and is replayed on reruns: the event ids make that harmless.
    """
    message = (st.session_state.get(key) or {}).get("outbox")
    if not isinstance(message, dict):
        return
    person = signed_in()
    reply: dict[str, Any] = {"n": message.get("n"), "events": None, "search": None, "error": None}
    attempt_id = str(message.get("attempt", ""))
    try:
        app = services()
        if practising:
            app, person = app.practice.open(), practising_person(person)
        size = len(json.dumps(message))
        time.sleep(app.event_rates.wait(person.id, count_events(message), size))
        reply["events"] = record_events(app, person, attempt_id, message)
        if message.get("search"):
            reply["search"], _ = run_search(app, person, attempt_id, message["search"])
    except PagetrailError as error:
        reply["error"] = {"code": error.code, "message": error.message}
    st.session_state[_REPLY] = reply
