"""Creates many accounts at once from pasted lines."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from pagetrail.annotation.errors import ConflictError, Forbidden, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.administration import add_account
from pagetrail.storage.people.confusable_names import check_new_name, taken_names
from pagetrail.storage.people.roles import may_manage

MAX_LINES = 500
# No letters or digits that look alike: people copy their first password from paper.
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_N_GROUPS, _GROUP_CHARS = 4, 4


def make_password() -> str:
    """A random 80-bit password in groups that can be read aloud."""
    groups = (
        "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_CHARS)) for _ in range(_N_GROUPS)
    )
    return "-".join(groups)


@dataclass(frozen=True)
class NewPerson:
    """A line that can become an account."""

    line: int
    name: str
    role: str


@dataclass(frozen=True)
class BadLine:
    """A line that cannot; ``text`` is its printable form."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True)
class CheckedLines:
    """The pasted lines by whether they can be added. Numbers start at 1 and count empty lines."""

    good: list[NewPerson] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)


@dataclass(frozen=True)
class NewAccount:
    """A new account with its first password, which is shown once and never stored."""

    person: Person
    password: str


def read_lines(workspace: Workspace, by: Person | None, text: str) -> CheckedLines:
    """Check pasted lines ``name`` or ``name,role``; the role is ``annotator`` unless given.

    Raises:
        PagetrailError: more than ``MAX_LINES`` lines (code ``too_many_lines``).
    """
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise PagetrailError(
            gettext(
                "These are {lines:,} lines; {max_lines} can be added at once. Paste a part.",
                lines=len(lines),
                max_lines=MAX_LINES,
            ),
            code="too_many_lines",
        )
    checked_lines = CheckedLines()
    with workspace.engine.connect() as connection:
        reserved_names = taken_names(connection)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            new_person = _new_person(by, number, line)
            reserved_names.require_free(new_person.name)
        except PagetrailError as error:
            checked_lines.bad.append(BadLine(number, printable(line.strip()[:200]), error.message))
            continue
        reserved_names.add(new_person.name, f"{new_person.name} (line {number})")
        checked_lines.good.append(new_person)
    return checked_lines


def add_lines(
    workspace: Workspace, by: Person | None, lines: CheckedLines
) -> tuple[list[NewAccount], list[BadLine]]:
    """Create an account with a generated password for each good line.

    Returns:
        The new accounts, and the lines that were not added, with reasons.
    """
    new_accounts: list[NewAccount] = []
    bad = list(lines.bad)
    for new_person in lines.good:
        password = make_password()
        try:
            person = add_account(workspace, by, new_person.name, new_person.role, password)
        except (ConflictError, Forbidden) as error:
            bad.append(
                BadLine(new_person.line, f"{new_person.name},{new_person.role}", error.message)
            )
            continue
        new_accounts.append(NewAccount(person, password))
    return new_accounts, sorted(bad, key=lambda line: line.line)


def _new_person(by: Person | None, number: int, line: str) -> NewPerson:
    # The role follows the last separator: a name may hold a comma.
    name, separator, role = line.replace("\t", ",").replace(";", ",").rpartition(",")
    if not separator:
        name, role = line, "annotator"
    name, role = check_new_name(name.strip()), role.strip().lower()
    if role not in ROLES:
        raise PagetrailError(
            gettext(
                "There is no role {role!r}. Roles: {roles}.", role=role, roles=", ".join(ROLES)
            ),
            code="invalid_role",
        )
    if not may_manage(by, role):
        raise Forbidden(gettext("Only admins add {role}s.", role=role))
    return NewPerson(number, name, role)
