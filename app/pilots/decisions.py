"""Callbacks of the pilots screen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, translate
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.exports.reports.pilots.wording import DECISIONS, verdict, verdict_key
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.pilots.decisions import ReviewedResult, decide
from pagetrail.storage.pilots.regrading import judge_answer, regrade
from pagetrail.storage.qualification.regrading import RegradedPerson

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


def store_judgement(
    app: Services, person: Person, campaign: str, attempt_id: str, is_right: bool
) -> None:
    """Store the judgement of an answer that the rule leaves undecided."""
    try:
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, f"judgement of {attempt_id}")
        judged = judge_answer(
            app.workspace,
            campaign,
            attempt_id,
            is_right=is_right,
            by=supervisor.name,
            clock=app.clock,
        )
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[NOTICE] = regraded_words(judged)


def store_regrading(app: Services, person: Person, campaign: str) -> None:
    """Compare all work of a pilot again, and say whose results changed."""
    try:
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, f"regrading of {campaign}")
        people = regrade(app.workspace, campaign, by=supervisor.name, clock=app.clock)
    except PagetrailError as error:
        st.session_state[PROBLEM] = error.message
        return
    st.session_state[NOTICE] = changed_people_words(people)


def changed_people_words(people: Sequence[RegradedPerson]) -> str:
    """Whose results changed, one sentence each."""
    if not people:
        return gettext("Nobody’s results changed.")
    return " ".join(map(regraded_words, people))


def regraded_words(person: RegradedPerson) -> str:
    """A person's result after verdicts were replaced, and what it was before if that differs."""
    before, after = person.before, person.after
    sentence = gettext(
        "{person}: {right} of {total} right, {verdict}.",
        person=person.name,
        right=after.right,
        total=after.total,
        verdict=translate(verdict(after)),
    )
    if verdict_key(before) == verdict_key(after):
        return sentence
    return " ".join([sentence, gettext("Before: {verdict}.", verdict=translate(verdict(before)))])
