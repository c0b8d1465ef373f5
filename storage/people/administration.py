"""Changes to accounts, with the rights they need and their entries in the audit log.

Supervisors manage annotators; admins manage everybody (``storage.people.roles``). The last active
admin always stays one.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, Forbidden
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.database.append_only import forget_old_rows
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.copy_before_upgrade import remove_copy
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import RUNNING
from pagetrail.storage.database.tables import IdentityRow, Job, LoginSession, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import (
    ROLES,
    Person,
    check_role,
    insert_user,
    person_of,
    remove_identities,
    require_user,
    role_phrase,
)
from pagetrail.storage.people.audit import Detail, PersonName, audit_in
from pagetrail.storage.people.confusable_names import check_new_name, taken_names
from pagetrail.storage.people.credentials import hash_password
from pagetrail.storage.people.roles import ADMIN, current_account, may_manage
from pagetrail.storage.people.stored_names import forget_in_audit, is_in_audit_texts, replace_name

NOT_REPLACED = N_(
    "What people wrote themselves is not changed. Backups, identified exports and server logs made "
    "before still have the name: delete them."
)
"""Where a replaced name may still appear, shown to the person who replaced it."""
_ANONYMISED: dict[str, object] = {"active": False, "password_hash": None,
                              "languages": [], "skills": [], "group": "", "email": None,
                              "preferences": {}, "former_names": [],
                              "away_from": None, "away_until": None}  # fmt: skip


def add_account(
    workspace: Workspace,
    by: Person | None,
    name: str,
    role: str,
    password: str,
) -> Person:
    """Create an account.

    Raises:
        PagetrailError: name, role or password is not allowed.
        ConflictError: the name is taken, ignoring case.
        Forbidden: ``by`` may not do this.
    """
    check_role(role)
    name = check_new_name(name)
    hashed = hash_password(password)
    clock = SystemClock()
    with write_transaction(workspace.engine) as connection:
        actor = current_account(connection, by)
        _require_right(
            actor,
            role,
            N_("As {role} you may not add {person} as {new_role}. Ask an admin."),
            person=name,
            new_role=role_phrase(role),
        )
        person = insert_user(connection, name, role, hashed, clock)
        _note(connection, by, "user_added", [PersonName(person.name), f" as {person.role}"], clock)
    return person


def change_role(workspace: Workspace, by: Person | None, name: str, role: str) -> Person:
    """Change a person's role. Pseudonym, batches and sessions stay; rights change at once.

    Raises:
        PagetrailError: no such role.
        NotFoundError: no such person.
        ConflictError: the person has the role, is the last active admin, a system, or ``by``.
        Forbidden: ``by`` may not do this.
    """
    check_role(role)
    clock = SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_("As {role} you may not change the role of {person}, who is {rank}. Ask an admin."),
        )
        _require_right(
            current_account(connection, by),
            role,
            N_("As {role} you may not make {person} {new_role}. Ask an admin."),
            person=row.name,
            new_role=role_phrase(role),
        )
        if row.role == role:
            raise ConflictError(
                gettext("{name} is {role} already.", name=row.name, role=role_phrase(role))
            )
        _refuse_self(by, row, N_("This is your own account. Another admin can change your role."))
        keep_an_admin(connection, row)
        connection.execute(update(User).where(User.id == row.id).values(role=role))
        _note(
            connection, by, "role_changed", [PersonName(row.name), f": {row.role} → {role}"], clock
        )
        return person_of(require_user(connection, row.name))


def reset_password(
    workspace: Workspace,
    by: Person | None,
    name: str,
    password: str,
    *,
    with_identities_removed: bool = False,
) -> Person:
    """Set a new password and sign the person out everywhere.

    Args:
        with_identities_removed: whether single sign-on has to be connected again.

    Raises:
        PagetrailError: the password is not allowed (code ``invalid_password``).
        NotFoundError: no such person.
        ConflictError: a system, or ``by``: changing one's own password requires the old one.
        Forbidden: ``by`` may not do this.
    """
    hashed = hash_password(password)
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_(
                "As {role} you may not reset the password of {person}, who is {rank}. Ask an admin."
            ),
        )
        _refuse_self(
            by,
            row,
            N_("This is your own account. Change your own password on the page under your name."),
        )
        connection.execute(update(User).where(User.id == row.id).values(password_hash=hashed))
        _sign_out(connection, row)
        if with_identities_removed:
            remove_identities(connection, row, by)
        _note(connection, by, "password_set", [PersonName(row.name)])
        return person_of(row)


def set_active(workspace: Workspace, by: Person | None, name: str, active: bool) -> Person:
    """Deactivate or reactivate an account; inactive people cannot sign in or get batches.

    If nothing changes, nothing is recorded.

    Raises:
        NotFoundError: no such person.
        ConflictError: the person is the last active admin, or ``by``.
        Forbidden: ``by`` may not do this.
    """
    act, refusal = (
        ("activate", N_("As {role} you may not activate {person}, who is {rank}. Ask an admin."))
        if active
        else (
            "deactivate",
            N_("As {role} you may not deactivate {person}, who is {rank}. Ask an admin."),
        )
    )
    with write_transaction(workspace.engine) as connection:
        row = managed_account(connection, by, name, refusal, systems=by is None)
        if bool(row.active) == active:
            return person_of(row)
        if not active:
            _refuse_self(by, row, N_("This is your own account. Another admin can deactivate you."))
            keep_an_admin(connection, row)
            _sign_out(connection, row)
        connection.execute(update(User).where(User.id == row.id).values(active=active))
        _note(connection, by, f"user_{act}d", [PersonName(row.name)])
        return person_of(require_user(connection, row.name))


def rename(
    workspace: Workspace, by: Person | None, name: str, new: str, *, clock: Clock | None = None
) -> Person:
    """Rename a person everywhere the name is stored, and sign them out everywhere.

    Raises:
        PagetrailError: the new name is not allowed (code ``invalid_name``).
        NotFoundError: no such person.
        ConflictError: the new name is taken, the person is a system, has a job running, or is
            ``by``.
        Forbidden: ``by`` may not do this.
    """
    new = check_new_name(new)
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_("As {role} you may not rename {person}, who is {rank}. Ask an admin."),
        )
        _refuse_self(by, row, N_("This is your own account. Another admin can rename you."))
        former_names = row.former_names
        if is_in_audit_texts(connection, row.name):
            former_names = [*former_names, row.name]
        _change_name(connection, row, new, {"former_names": former_names})
        _note(connection, by, "user_renamed", row.pseudonym, clock or SystemClock())
        renamed = person_of(require_user(connection, new))
    forget_old_rows(workspace.engine)
    return renamed


def anonymise(
    workspace: Workspace, by: Person | None, name: str, *, clock: Clock | None = None
) -> Person:
    """Replace a person's name with the pseudonym permanently and close the account; work stays.

    Raises:
        NotFoundError: no such person.
        ConflictError: the person is the last active admin, a system, has a job running, or is
            ``by``; or the pseudonym is somebody's name.
        Forbidden: only admins may.
    """
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_("As {role} you may not anonymise {person}, who is {rank}. Ask an admin."),
        )
        _require_right(
            current_account(connection, by),
            ADMIN,
            N_("As {role} you may not anonymise {person}. Ask an admin."),
            person=row.name,
        )
        _refuse_self(by, row, N_("This is your own account. Another admin can anonymise you."))
        keep_an_admin(connection, row)
        _change_name(connection, row, row.pseudonym, _ANONYMISED)
        forget_in_audit(connection, [row.name, *row.former_names], row.pseudonym)
        connection.execute(delete(IdentityRow).where(IdentityRow.user_id == row.id))
        _note(connection, by, "user_anonymised", row.pseudonym, clock or SystemClock())
        anonymous = person_of(require_user(connection, row.pseudonym))
    forget_old_rows(workspace.engine)
    remove_copy(workspace.engine)
    return anonymous


def name_mapping(workspace: Workspace, by: Person | None) -> list[Person]:
    """Names and pseudonyms of everybody; the access is recorded in the audit log.

    Raises:
        Forbidden: only admins may.
    """
    with write_transaction(workspace.engine) as connection:
        _require_right(
            current_account(connection, by),
            ADMIN,
            N_("As {role} you may not see the mapping of pseudonyms to names. Ask an admin."),
        )
        _note(connection, by, "mapping_exported", "")
        rows = connection.execute(select(User).where(User.role.in_(ROLES)).order_by(User.pseudonym))
        return [person_of(row) for row in rows]


def _change_name(connection: Connection, row: AnyRow, new: str, values: dict[str, object]) -> None:
    taken_names(connection, excluded_id=row.id).require_free(new)
    busy = connection.execute(
        select(Job.title).where(Job.by == row.name, Job.state.in_(RUNNING))
    ).first()
    if busy is not None:
        raise ConflictError(
            gettext(
                "{name} has a job running: {title}. Wait until it ends.",
                name=row.name,
                title=busy.title,
            )
        )
    connection.execute(update(User).where(User.id == row.id).values(name=new, **values))
    replace_name(connection, row.name, new)
    _sign_out(connection, row)


def managed_account(
    connection: Connection, by: Person | None, name: str, refusal: str, *, systems: bool = False
) -> AnyRow:
    """The account to be changed, if ``by`` may change it."""
    actor = current_account(connection, by)
    row = require_user(connection, name)
    if row.role not in ROLES and not systems:
        raise ConflictError(
            gettext(
                "{name} is an imported run: it cannot sign in and has no rights.", name=row.name
            )
        )
    _require_right(actor, row.role, refusal, person=row.name, rank=role_phrase(row.role))
    return row


def _require_right(actor: Person | None, role: str, refusal: str, **values: object) -> None:
    if not may_manage(actor, role):
        actor_role = role_phrase("annotator" if actor is None else actor.role)
        raise Forbidden(gettext(refusal, role=actor_role, **values))


def _refuse_self(by: Person | None, row: AnyRow, refusal: str) -> None:
    if by and by.id == row.id:
        raise ConflictError(gettext(refusal))


def keep_an_admin(connection: Connection, row: AnyRow) -> None:
    """Refuse to remove the last active admin (``ConflictError``)."""
    other_admins = select(User.id).where(
        User.role == ADMIN, User.active.is_(True), User.id != row.id
    )
    if row.role != ADMIN or not row.active or connection.execute(other_admins.limit(1)).first():
        return
    raise ConflictError(
        gettext(
            "{name} is the last active admin, and somebody has to be one. Make "
            "another admin first.",
            name=row.name,
        )
    )


def _sign_out(connection: Connection, row: AnyRow) -> None:
    connection.execute(delete(LoginSession).where(LoginSession.user_id == row.id))


def _note(
    connection: Connection,
    by: Person | None,
    action: str,
    detail: Detail,
    clock: Clock | None = None,
) -> None:
    audit_in(connection, by, action, detail, clock=clock)
