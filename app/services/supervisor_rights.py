"""What supervisors may do beyond their own work: see every page, every attempt, and gold."""

from __future__ import annotations

from pagetrail.annotation.errors import Forbidden
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import SUPERVISORS
from pagetrail.storage.people.accounts import Person

OVERSIGHT = "@oversight"
"""Scope of a token that is for a supervisor's screens; no attempt can be called that."""


def oversight_token(app: Services, person: Person) -> str:
    """A token with which the page images of the whole collection can be fetched.

    Raises:
        Forbidden: not a supervisor; written to the audit log.
    """
    overseeing(app, person, "token")
    return app.tokens.make(person.id, OVERSIGHT)


def overseeing(app: Services, person: Person, what: str) -> None:
    """Refuse anybody who is not a supervisor.

    Raises:
        Forbidden: not a supervisor; written to the audit log.
    """
    if person.role not in SUPERVISORS:
        app.security_log.record(person.name, "forbidden oversight", what[:200])
        raise Forbidden("This is for supervisors. The access was noted.")
