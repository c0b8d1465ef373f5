"""Callbacks of the pilots screen."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.exports.reports.pilots.wording import DECISIONS
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.pilots.decisions import ReviewedResult, decide, store_baselines

NOTICE, PROBLEM = "pilot-notice", "pilot-problem"
CHOICE, REASON = "pilot-decision", "pilot-reason"


def store_decision(
    app: Services, person: Person, campaign: str, user_name: str, reviewed: ReviewedResult
) -> None:
    """Store the decision in the form, and keep a message for the screen."""
    decision = st.session_state.get(f"{CHOICE}-{user_name}")
    reason = st.session_state.get(f"{REASON}-{user_name}") or ""
    if decision is None:
        st.session_state[PROBLEM] = gettext(
            "Choose a decision first: admit, retrain, or by the mark."
        )
        return
    try:
        # Checked again: the role may have changed since the screen was shown.
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, f"decision on {user_name}")
        outcome = decide(
            app.workspace,
            campaign,
            user_name,
            decision,
            reason,
            by=supervisor.name,
            reviewed=reviewed,
            clock=app.clock,
        )
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[f"{REASON}-{user_name}"] = ""
    sentences = [f"{outcome.row.user_name}: {gettext(DECISIONS[outcome.row.decision])}."]
    if outcome.gave is not None:
        sentences.append(gettext("They now have batch {batch} of the pilot.", batch=outcome.gave))
    st.session_state[NOTICE] = " ".join([*sentences, outcome.remark]).strip()


def store_baseline(app: Services, person: Person, campaign: str) -> None:
    """Store all people's results as a baseline."""
    try:
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, f"baseline of {campaign}")
        baselines = store_baselines(app.workspace, campaign, by=supervisor.name, clock=app.clock)
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[NOTICE] = ngettext(
        "Results of {number} person stored; {unchanged} unchanged since they were last stored; "
        "{without} without a judged task yet.",
        "Results of {number} people stored; {unchanged} unchanged since they were last stored; "
        "{without} without a judged task yet.",
        len(baselines.stored),
        unchanged=len(baselines.unchanged),
        without=len(baselines.without),
    )
