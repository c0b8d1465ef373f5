"""What a supervisor does on the pilots screen; called by callbacks alone, once a click."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import overseeing
from pagetrail.exports.reports.pilots.wording import DECISIONS
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.pilots.decisions import ReviewedResult, decide, store_baselines

NOTICE, PROBLEM = "pilot-notice", "pilot-problem"
CHOICE, REASON = "pilot-decision", "pilot-reason"


def decide_now(
    app: Services, person: Person, campaign: str, who: str, seen: ReviewedResult
) -> None:
    """Store the decision in the form; problems are shown on the screen."""
    decision = st.session_state.get(f"{CHOICE}-{who}")
    reason = st.session_state.get(f"{REASON}-{who}") or ""
    if decision is None:
        st.session_state[PROBLEM] = "Choose a decision first: admit, retrain, or by the mark."
        return
    try:
        # Checked again: the role may have changed since the screen was drawn.
        now = find_person(app.workspace, person.name)
        overseeing(app, now, f"decision on {who}")
        made = decide(
            app.workspace,
            campaign,
            who,
            decision,
            reason,
            by=now.name,
            reviewed=seen,
            clock=app.clock,
        )
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[f"{REASON}-{who}"] = ""
    said = [f"{made.row.user_name}: {DECISIONS[made.row.decision].lower()}."]
    if made.gave is not None:
        said.append(f"They have batch {made.gave} of the pilot now.")
    st.session_state[NOTICE] = " ".join([*said, made.remark]).strip()


def store_now(app: Services, person: Person, campaign: str) -> None:
    """Store everybody's results."""
    try:
        now = find_person(app.workspace, person.name)
        overseeing(app, now, f"baseline of {campaign}")
        found = store_baselines(app.workspace, campaign, by=now.name, clock=app.clock)
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[NOTICE] = (
        f"Results of {_people(len(found.stored))} stored; {len(found.unchanged)} unchanged since "
        f"they were last stored; {len(found.without)} without a judged task yet."
    )


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"
