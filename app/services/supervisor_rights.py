"""What only supervisors may see: every page, every attempt and gold. Refusals go to the audit log.

Who is a supervisor is decided in ``storage.people.roles``, whose ``require_supervisor_in`` checks
changes in their own transaction; ``require_supervisor`` here checks requests, and
``app.ui.current_user.require_supervisor_screen`` screens; ``app.server.headers`` checks uploads.
All record who was refused. ``app.server.navigation`` hides links to screens that would refuse.
"""

from __future__ import annotations

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.roles import is_supervisor

OVERSIGHT = "@oversight"
"""Scope of tokens for supervisors' screens; no attempt id can have this form."""


def oversight_token(app: Services, person: Person) -> str:
    """A token for page images of the whole collection.

    Raises:
        Forbidden: not a supervisor; recorded in the audit log.
    """
    require_supervisor(app, person, "token")
    return app.tokens.make(person.id, OVERSIGHT)


def require_supervisor(app: Services, person: Person, access: str) -> None:
    """Refuse anybody who is not a supervisor.

    Raises:
        Forbidden: not a supervisor; recorded in the audit log.
    """
    if not is_supervisor(person):
        app.security_log.record(person.name, "forbidden oversight", access[:200])
        raise Forbidden(gettext("This is for supervisors. The access was noted."))
