"""The signed-in person, and access to supervisors' screens."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.services.addresses import HOME, PREFIX, login_path
from pagetrail.app.services.composition import services
from pagetrail.app.services.sessions import COOKIE
from pagetrail.app.services.sessions import person_of as person_of
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.roles import is_supervisor


def signed_in() -> Person:
    """The signed-in person; without one the run ends at a link to the sign-in page."""
    person = person_of(services(), st.context.cookies)
    if person is None:
        st.title(gettext("Signed out"))
        st.write(gettext("Sign in to continue. Unsent work in this browser is sent afterwards."))
        st.link_button(gettext("Sign in"), login_path(PREFIX, HOME), type="primary")
        st.stop()
    return person


def session_token() -> str:
    """The token of the session that this screen belongs to."""
    return str(st.context.cookies.get(COOKIE) or "")


def require_supervisor_screen(person: Person, screen: str) -> None:
    """End the run unless the person is a supervisor, and record the attempt."""
    if not is_supervisor(person):
        services().security_log.record(person.name, "forbidden screen", screen)
        st.error(gettext("This page is for supervisors. The access was noted."))
        st.stop()
