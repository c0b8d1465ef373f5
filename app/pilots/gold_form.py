"""The form in which a supervisor corrects the gold of a pilot's task that people have done."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import InputFileError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.pilots.decisions import NOTICE, PROBLEM, changed_people_words
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.app.ui.answer_fields import gold_answer, read_answer_fields, show_answer_fields
from pagetrail.storage.campaigns.lookup import protocol_of_campaign
from pagetrail.storage.importers.tasks.pilot_gold import correct_gold
from pagetrail.storage.importers.tasks.task_changes import task_details
from pagetrail.storage.people.accounts import Person, find_person

_OTHER_KEYS = ("evidence", "gold")


def show_gold_form(app: Services, person: Person, campaign: str, key: str) -> None:
    """Show the gold as inputs; storing it grades everybody's work on the task again."""
    record = task_details(app.workspace, campaign, key).record
    protocol = protocol_of_campaign(app.workspace, campaign)
    widget_key = f"pilot-gold-{key}"
    with st.expander(gettext("Correct the gold"), key=f"{widget_key}-open"):
        st.caption(
            gettext(
                "Everybody’s work on this task is compared with the new gold, and so are retakes "
                "of it. Whoever passes by it is admitted; whoever no longer does stays admitted "
                "until you decide."
            )
        )
        if protocol.answer.kind != "off":
            show_answer_fields(gold_answer(record), f"{widget_key}-answer")
        st.text_area(
            gettext("Evidence and other gold, as JSON"),
            json.dumps(
                {name: record.get(name) for name in _OTHER_KEYS}, ensure_ascii=False, indent=1
            ),
            key=f"{widget_key}-other",
            height=160,
            help=gettext("As in a file of tasks: evidence, and gold for fields, pages and boxes."),
        )
        st.text_input(
            gettext("Reason"),
            key=f"{widget_key}-reason",
            max_chars=500,
            placeholder=gettext("What was wrong with it; needed"),
        )
        st.button(
            gettext("Correct the gold and grade again"),
            key=f"{widget_key}-store",
            type="primary",
            on_click=_store,
            args=(app, person, campaign, key, record, protocol),
        )


def _store(
    app: Services,
    person: Person,
    campaign: str,
    key: str,
    record: dict[str, Any],
    protocol: Protocol,
) -> None:
    """Callback: store the gold in the form, and say whose results changed."""
    widget_key = f"pilot-gold-{key}"
    try:
        # Checked again: the role may have changed since the screen was shown.
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, f"gold of {key}")
        corrected = correct_gold(
            app.workspace,
            campaign,
            key,
            _read_gold(record, protocol, widget_key),
            str(st.session_state.get(f"{widget_key}-reason") or ""),
            edited_record=record,
            by=supervisor.name,
            clock=app.clock,
        )
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[NOTICE] = " ".join(
        [
            gettext("Gold corrected: {tasks}.", tasks=", ".join(corrected.tasks)),
            changed_people_words(corrected.people),
        ]
    )


def _read_gold(record: dict[str, Any], protocol: Protocol, widget_key: str) -> dict[str, Any]:
    state = st.session_state
    try:
        gold = json.loads(state[f"{widget_key}-other"])
    except (ValueError, RecursionError) as error:
        raise InputFileError(
            gettext("The other gold is not JSON: {error}.", error=error)
        ) from error
    if not isinstance(gold, dict) or not gold.keys() <= set(_OTHER_KEYS):
        raise InputFileError(
            gettext(
                "The other gold must be one JSON object, in braces, with {names} only.",
                names=", ".join(_OTHER_KEYS),
            )
        )
    if protocol.answer.kind == "off":
        return gold
    current = gold_answer(record)
    typed = read_answer_fields(current, protocol.answer.kind, f"{widget_key}-answer")
    if typed.unanswerable != current.unanswerable:
        gold["unanswerable"] = typed.unanswerable
    gold["answer_variants"] = None if typed.unanswerable else typed.variants or None
    return gold
