"""Finds the signed-in person from the session cookie, for routes and screens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta

from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.login_sessions import session_digest, session_roles, session_user

COOKIE = "pagetrail_session"
DEVICE_COOKIE = "pagetrail_device"
"""Says in which account this browser has signed in before; see ``sign_ins``."""
SSO_COOKIE = "pagetrail_sso"
"""Says that this browser has signed in by single sign-on."""
LANGUAGE_COOKIE = "pagetrail_language"
"""The language that the account prefers, for routes; screens are told by ``SocketSessions``."""

SESSION_TTL = timedelta(days=14)
SSO_SESSION_TTL = timedelta(hours=12)
"""Shorter, since the service decides who may still come in when they sign in again."""
DEVICE_TTL = timedelta(days=365)


def person_of(services: Services, cookies: Mapping[str, str]) -> Person | None:
    """The signed-in person, or None when there is no valid session."""
    token = cookies.get(COOKIE)
    return session_user(services.workspace, token) if token else None


def stamp_of(token: str, person: Person) -> str:
    """What a Streamlit session is bound to: the signed-in session it began with, and the role."""
    return f"{session_digest(token)}:{person.role}"


def live_stamps(services: Services, stamps: Collection[str]) -> set[str]:
    """Those of the stamps whose session is open, its person active and in the same role."""
    digests = {stamp.partition(":")[0] for stamp in stamps}
    now = session_roles(services.workspace, digests)
    return {f"{digest}:{role}" for digest, role in now.items()} & set(stamps)
