"""Who may change which account, what nobody may, and that each act is in the audit log once."""

from __future__ import annotations

import threading
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation.errors import ConflictError, Forbidden, NotFoundError, PagetrailError
from pagetrail.storage.database.tables import Audit, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people import administration as people_admin
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit, audit_actions, audit_entries
from pagetrail.storage.people.bulk_accounts import MAX_LINES, add_lines, make_password, read_lines
from pagetrail.storage.people.login_sessions import open_session, session_user
from pagetrail.storage.people.overview import people_overview
from tests.storage.task_data import add_people
from tests.support.at_once import run_at_once
from tests.support.audit_log import audited
from tests.support.factory import make_workspace, record_attempts

PASSWORD = "correct horse"


@pytest.fixture
def staff(workspace: Workspace) -> dict[str, Person]:
    """Two admins, a supervisor, an annotator and a system."""
    for name, role in (("Root", "admin"), ("Rita", "admin"), ("Sven", "supervisor")):
        people.add_user(workspace, name, role, PASSWORD)
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    add_people(workspace, ["robot"], "system")
    return {person.name: person for person in people.list_people(workspace)}


def _roles(workspace: Workspace) -> dict[str, tuple[str, bool]]:
    return {person.name: (person.role, person.active) for person in people.list_people(workspace)}


@pytest.mark.parametrize(
    ("actor", "whom", "allowed"),
    [
        ("Ada", "Ada", False),
        ("Ada", "Sven", False),
        ("Sven", "Ada", True),
        ("Sven", "Root", False),
        ("Sven", "Sven", False),
        ("Root", "Ada", True),
        ("Root", "Sven", True),
        ("Root", "Rita", True),
    ],
)
def test_who_may_reset_and_bar_whom(
    workspace: Workspace, staff: dict[str, Person], actor: str, whom: str, allowed: bool
) -> None:
    """Supervisors manage annotators, admins everybody, annotators nobody; refused acts are void."""
    by = staff[actor]
    before = _roles(workspace)
    if not allowed:
        with pytest.raises(Forbidden):
            people_admin.set_active(workspace, by, whom, False)
        with pytest.raises(Forbidden):
            people_admin.reset_password(workspace, by, whom, "another password")
        assert _roles(workspace) == before
        assert people.authenticate(workspace, whom, PASSWORD) is not None
        assert audited(workspace) == []
        return
    people_admin.reset_password(workspace, by, whom, "another password")
    assert people.authenticate(workspace, whom, PASSWORD) is None
    people_admin.set_active(workspace, by, whom, False)
    assert _roles(workspace)[whom][1] is False
    assert audited(workspace) == [(actor, "password_set", whom), (actor, "user_deactivated", whom)]


def test_only_admins_make_and_unmake_supervisors_and_admins(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """A supervisor can neither promote, nor demote, nor add anybody above annotators."""
    sven = staff["Sven"]
    for role in ("supervisor", "admin"):
        with pytest.raises(Forbidden, match="Ask an admin"):
            people_admin.change_role(workspace, sven, "Ada", role)
        with pytest.raises(Forbidden):
            people_admin.add_account(workspace, sven, "New", role, PASSWORD)
    with pytest.raises(Forbidden):
        people_admin.change_role(workspace, sven, "Root", "annotator")
    assert people_admin.add_account(workspace, sven, "New", "annotator", PASSWORD).role == (
        "annotator"
    )
    changed = people_admin.change_role(workspace, staff["Root"], "ada", "supervisor")
    assert (changed.name, changed.role, changed.pseudonym) == ("Ada", "supervisor", "annotator-01")
    assert audited(workspace) == [
        ("Sven", "user_added", "New as annotator"),
        ("Root", "role_changed", "Ada: annotator → supervisor"),
    ]


def test_a_role_that_is_taken_away_ends_the_rights_of_open_sessions(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """The session stays, whoever holds it has the new role; an act with the old person is refused.

    ``staff["Sven"]`` is what a screen still holds that was drawn before the change.
    """
    token = open_session(workspace, staff["Sven"].id, timedelta(days=1))
    people_admin.change_role(workspace, staff["Root"], "Sven", "annotator")
    signed_in = session_user(workspace, token)
    assert signed_in is not None and signed_in.role == "annotator"
    with pytest.raises(Forbidden):
        people_admin.set_active(workspace, staff["Sven"], "Ada", False)
    people_admin.set_active(workspace, staff["Root"], "Sven", False)
    assert session_user(workspace, token) is None
    with pytest.raises(Forbidden, match="deactivated"):
        people_admin.add_account(workspace, staff["Sven"], "New", "annotator", PASSWORD)


def test_a_reset_password_signs_out(workspace: Workspace, staff: dict[str, Person]) -> None:
    """The open session is void; the new password signs in, the old one does not."""
    token = open_session(workspace, staff["Ada"].id, timedelta(days=1))
    people_admin.reset_password(workspace, staff["Sven"], "Ada", "quite another one")
    assert session_user(workspace, token) is None
    assert people.authenticate(workspace, "Ada", PASSWORD) is None
    assert people.authenticate(workspace, "Ada", "quite another one") is not None


def test_nobody_locks_themselves_out(workspace: Workspace, staff: dict[str, Person]) -> None:
    """One's own role, activity and password are not changed here, not even by an admin."""
    root = staff["Root"]
    for act in (
        lambda: people_admin.change_role(workspace, root, "Root", "annotator"),
        lambda: people_admin.set_active(workspace, root, "Root", False),
        lambda: people_admin.reset_password(workspace, root, "Root", "another password"),
    ):
        with pytest.raises(ConflictError, match="your own account"):
            act()
    assert _roles(workspace)["Root"] == ("admin", True)
    assert audited(workspace) == []


def test_the_last_active_admin_stays(workspace: Workspace, staff: dict[str, Person]) -> None:
    """Not by an admin who is gone, not by the command line; an inactive admin does not count."""
    people_admin.set_active(workspace, staff["Rita"], "Root", False)
    for act in (
        lambda: people_admin.set_active(workspace, None, "Rita", False),
        lambda: people_admin.change_role(workspace, None, "Rita", "supervisor"),
    ):
        with pytest.raises(ConflictError, match="last active admin"):
            act()
    # An inactive admin may lose the role: nobody is missing after it.
    people_admin.change_role(workspace, None, "Root", "annotator")
    people_admin.change_role(workspace, None, "Sven", "admin")
    people_admin.change_role(workspace, None, "Rita", "annotator")
    assert _roles(workspace)["Sven"] == ("admin", True)


def test_two_admins_who_unmake_each_other_at_once_leave_one(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """The acts are ordered, and the second finds that its author has no right any more."""
    barrier = threading.Barrier(2)
    refused: list[PagetrailError] = []

    def unmake(actor: str, whom: str) -> None:
        barrier.wait()
        try:
            people_admin.change_role(workspace, staff[actor], whom, "annotator")
        except PagetrailError as error:
            refused.append(error)

    run_at_once([partial(unmake, *pair) for pair in (("Root", "Rita"), ("Rita", "Root"))])
    assert [type(error) for error in refused] == [Forbidden]
    roles = _roles(workspace)
    assert sorted([roles["Root"][0], roles["Rita"][0]]) == ["admin", "annotator"]


def test_the_same_act_twice_is_done_once(workspace: Workspace, staff: dict[str, Person]) -> None:
    """A second click neither changes anything nor writes a second line."""
    root = staff["Root"]
    for _ in range(2):
        people_admin.set_active(workspace, root, "Ada", False)
    people_admin.change_role(workspace, root, "Ada", "supervisor")
    with pytest.raises(ConflictError, match="a supervisor already"):
        people_admin.change_role(workspace, root, "Ada", "supervisor")
    with pytest.raises(ConflictError, match="already"):
        people_admin.add_account(workspace, root, "ADA", "annotator", PASSWORD)
    assert [action for _, action, _ in audited(workspace)] == ["user_deactivated", "role_changed"]


def test_systems_are_no_people(workspace: Workspace, staff: dict[str, Person]) -> None:
    """An imported run gets neither role nor password on the screens; the command line bars it."""
    root = staff["Root"]
    for act in (
        lambda: people_admin.change_role(workspace, root, "robot", "annotator"),
        lambda: people_admin.reset_password(workspace, root, "robot", PASSWORD),
        lambda: people_admin.set_active(workspace, root, "robot", False),
    ):
        with pytest.raises(ConflictError, match="imported run"):
            act()
    with pytest.raises(PagetrailError) as refused:
        people_admin.change_role(workspace, root, "Ada", "system")
    assert refused.value.code == "invalid_role"
    assert people_admin.set_active(workspace, None, "robot", False).active is False
    with pytest.raises(NotFoundError):
        people_admin.set_active(workspace, root, "nobody", False)


def test_no_password_is_stored_or_noted_in_clear(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """Neither the accounts nor the audit log hold it, in whatever column."""
    secret = make_password()
    people_admin.add_account(workspace, staff["Root"], "New", "annotator", secret)
    people_admin.reset_password(workspace, staff["Root"], "Ada", secret)
    added, _ = add_lines(workspace, None, read_lines(workspace, None, "Zoe"))
    with workspace.engine.connect() as connection:
        stored_rows = [
            str(row)
            for table in (User, Audit)
            for row in connection.execute(select(table)).mappings()
        ]
    for password in (secret, added[0].password):
        assert not [row for row in stored_rows if password in row]
    assert people.authenticate(workspace, "Zoe", added[0].password) is not None


def test_made_up_passwords_are_long_and_differ() -> None:
    """80 bits from an alphabet of 32 without look-alikes, never the same twice."""
    passwords = {make_password() for _ in range(500)}
    assert len(passwords) == 500
    assert {len(password) for password in passwords} == {19}
    letters = set("".join(passwords)) - {"-"}
    assert not letters & set("0O1lI")
    assert len(letters) == 32


def test_pasted_lines_are_added_and_the_bad_ones_named(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """Line, text and reason of each bad line; the rest is added, each once."""
    pasted = "\n".join(
        [
            "Bob",
            "",
            " Cleo , supervisor ",
            "Dan;Annotator",
            "ada",
            "Eve,boss",
            "bob,annotator",
            "x" * 61,
            "\x07bell",
            "Gus\tadmin",
            ",annotator",
        ]
    )
    lines = read_lines(workspace, staff["Root"], pasted)
    assert [(new.line, new.name, new.role) for new in lines.good] == [
        (1, "Bob", "annotator"),
        (3, "Cleo", "supervisor"),
        (4, "Dan", "annotator"),
        (10, "Gus", "admin"),
    ]
    added, bad = add_lines(workspace, staff["Root"], lines)
    assert [account.person.name for account in added] == ["Bob", "Cleo", "Dan", "Gus"]
    assert {rejected.line: rejected.reason for rejected in bad} == {
        5: "There is a user Ada already. Choose another name.",
        6: "There is no role 'boss'. Roles: annotator, supervisor, admin.",
        7: "There is a user Bob (line 1) already. Choose another name.",
        8: "A name has 1 to 60 characters, not 61.",
        9: "The name '\\x07bell' has space around it or characters that cannot be seen. "
        "Leave them out.",
        11: "A name has 1 to 60 characters, not 0.",
    }
    added_again, refused = add_lines(workspace, staff["Root"], lines)
    assert added_again == []
    assert len(refused) == 10


def test_a_supervisor_pastes_annotators_only(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """Lines with a higher role are bad lines, also where the role was lost after the check."""
    lines = read_lines(workspace, staff["Sven"], "Bob\nCleo,admin")
    assert [new.name for new in lines.good] == ["Bob"]
    assert lines.bad[0].reason == "Only admins add admins."
    people_admin.change_role(workspace, staff["Root"], "Sven", "annotator")
    added, bad = add_lines(workspace, staff["Sven"], lines)
    assert (added, len(bad)) == ([], 2)


def test_too_many_lines_are_refused_at_once(workspace: Workspace) -> None:
    """A pasted novel does not become accounts."""
    with pytest.raises(PagetrailError) as refused:
        read_lines(workspace, None, "a\n" * (MAX_LINES + 1))
    assert refused.value.code == "too_many_lines"


def test_the_overview_counts_what_people_have_on_their_desks(tmp_path: Path) -> None:
    """Open batches, tasks submitted and the time of the newest event, by person."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    add_people(workspace, ["Idle"])
    rows = {row.person.name: row for row in people_overview(workspace)}
    assert {name: (row.open_batches, row.submitted, row.skipped) for name, row in rows.items()} == {
        "Ada": (2, 2, 0),
        "Grace": (2, 1, 1),
        "Idle": (0, 0, 0),
    }
    assert rows["Idle"].last_work is None
    assert rows["Ada"].last_work is not None and rows["Ada"].last_work > "2026-03-02T10"


def test_the_audit_log_is_read_newest_first_and_searched(
    workspace: Workspace, staff: dict[str, Person]
) -> None:
    """Text is looked for as it is, percent signs included; actions and a limit narrow it."""
    audit(workspace, "Root", "note", "100% sure")
    audit(workspace, "Root", "note", "100 sure")
    audit(workspace, "Ada", "other", "x")
    assert [entry.action for entry in audit_entries(workspace)] == ["other", "note", "note"]
    assert [entry.detail for entry in audit_entries(workspace, text="0% S")] == ["100% sure"]
    assert [entry.detail for entry in audit_entries(workspace, actions=["other"])] == ["x"]
    assert len(audit_entries(workspace, limit=1)) == 1
    assert audit_actions(workspace) == ["note", "other"]
