"""Roles of people, and what supervisors and admins may do.

Rights are read in the transaction of a change, so that revoked rights no longer count; the command
line (``None``) has an admin's rights. Users that are not people: ``storage.people.system_roles``.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.tables import User
from pagetrail.storage.people.accounts import ROLES, Person, person_of

ADMIN = "admin"
_SUPERVISORS = ("supervisor", ADMIN)
"""Roles that oversee others' work."""

_MANAGED_ROLES: dict[str, tuple[str, ...]] = {"supervisor": ("annotator",), ADMIN: ROLES}
"""Role → roles of the accounts that it may create and change."""


def is_supervisor(person: Person) -> bool:
    """Whether the person oversees others' work."""
    return person.role in _SUPERVISORS


def may_manage(by: Person | None, role: str) -> bool:
    """Whether somebody may create and change accounts with this role."""
    return by is None or role in _MANAGED_ROLES.get(by.role, ())


def require_supervisor_in(connection: Connection, by: Person | None, refusal: str) -> None:
    """Refuse anybody but current supervisors and the command line, in a change's transaction.

    Args:
        refusal: the message for everybody else.

    Raises:
        Forbidden: ``by`` is not, or no longer, a supervisor.
    """
    account = current_account(connection, by)
    if account is not None and not is_supervisor(account):
        raise Forbidden(gettext(refusal))


def current_account(connection: Connection, by: Person | None) -> Person | None:
    """The account of ``by`` as it is now; None for the command line.

    Raises:
        Forbidden: the account was deactivated meanwhile.
    """
    if by is None:
        return None
    row = connection.execute(select(User).where(User.id == by.id)).one_or_none()
    if row is None or not row.active:
        raise Forbidden(gettext("Your account was deactivated. Nothing was changed."))
    return person_of(row)
