"""Who is asking: the session cookie, read the same way for routes and for screens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person, session_user

COOKIE = "pagetrail_session"
SUPERVISORS = ("supervisor", "admin")
"""Roles that oversee others' work."""

SESSION_TTL = timedelta(days=14)


def person_of(services: Services, cookies: Mapping[str, str]) -> Person | None:
    """The signed-in person, or None when there is no valid session."""
    token = cookies.get(COOKIE)
    return session_user(services.workspace, token) if token else None
