"""E-mail addresses for reminders; they appear in no export and no log."""

from __future__ import annotations

from email.errors import HeaderParseError
from email.headerregistry import Address

from sqlalchemy import select, update

from pagetrail.annotation.errors import MailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.administration import managed_account
from pagetrail.storage.people.audit import PersonName, audit_in

MAX_ADDRESS = 254
"""Characters (RFC 5321, 4.5.3.1.3)."""


def checked_address(written: str) -> str:
    """The address in the form it is stored in.

    Raises:
        MailError: not an address, such as ``ada`` or ``Ada <ada@example.org>``.
    """
    address = written.strip()
    try:
        parsed = Address(addr_spec=address)
        good = parsed.addr_spec == address and address.isascii() and "." in parsed.domain
    except (HeaderParseError, ValueError, IndexError):
        good = False
    if not good or len(address) > MAX_ADDRESS:
        raise MailError(gettext("That is no e-mail address. An example: ada@example.org."))
    return address


def address_of(workspace: Workspace, name: str) -> str:
    """A person's address, or an empty string."""
    with workspace.engine.connect() as connection:
        address = connection.execute(select(User.email).where(User.name == name)).scalar()
    return address or ""


def set_address(workspace: Workspace, by: Person | None, name: str, written: str) -> None:
    """Replace a person's address; an empty one removes it.

    Raises:
        MailError: not an address.
        NotFoundError: no such person.
        ConflictError: a system.
        Forbidden: ``by`` may not do this.
    """
    address = checked_address(written) if written.strip() else None
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_(
                "As {role} you may not change the e-mail address of {person}, who is {rank}. Ask "
                "an admin."
            ),
        )
        is_user = User.id == row.id
        if connection.execute(select(User.email).where(is_user)).scalar() == address:
            return
        connection.execute(update(User).where(is_user).values(email=address))
        detail = [PersonName(row.name), f": {'set' if address else 'removed'}"]
        audit_in(connection, by, "email_changed", detail)
