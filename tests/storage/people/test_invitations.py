"""Invitations: one use, an end, and no more rights than whoever made them has."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import ConflictError, Forbidden, NotFoundError, PagetrailError
from pagetrail.storage.database.tables import Audit, InvitationRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, add_user, authenticate, find_person
from pagetrail.storage.people.administration import change_role, set_active
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.invitations import (
    MAX_DAYS,
    accept_invitation,
    first_admin_link,
    invitation_of,
    invitations,
    invite,
    withdraw_invitation,
)
from pagetrail.storage.people.profiles import all_profiles
from tests.support.factory import start_clock

PASSWORD = "correct horse"


@pytest.fixture
def sven(workspace: Workspace) -> Person:
    """A supervisor, beside an admin and an annotator."""
    for name, role in (("root", "admin"), ("sven", "supervisor"), ("Ada", "annotator")):
        add_user(workspace, name, role, PASSWORD)
    return find_person(workspace, "sven")


def test_a_link_makes_one_account(workspace: Workspace, sven: Person) -> None:
    """With the role and group of the invitation; a name that is taken leaves the link valid. The
    token is stored nowhere.
    """
    token, invitation = invite(workspace, sven, "annotator", note="Cy", group="North")
    assert invitations(workspace) == [invitation] and invitation.by == "sven"
    with pytest.raises(ConflictError):
        accept_invitation(workspace, token, "ada", PASSWORD)
    with pytest.raises(PagetrailError, match="8 to 1,000 characters"):
        accept_invitation(workspace, token, "Cy", "short")
    person = accept_invitation(workspace, token, "Cy", PASSWORD)
    assert authenticate(workspace, "cy", PASSWORD) == person and person.role == "annotator"
    assert all_profiles(workspace)["Cy"].group == "North"
    with pytest.raises(NotFoundError, match="used, withdrawn, or has expired"):
        accept_invitation(workspace, token, "Di", PASSWORD)
    with workspace.engine.connect() as connection:
        stored = [str(row) for t in (InvitationRow, Audit) for row in connection.execute(select(t))]
    assert not [row for row in stored if token in row]
    assert [(e.actor, e.action) for e in audit_entries(workspace)] == [
        ("Cy", "invitation_accepted"),
        ("sven", "invited"),
    ]


def _expire(_workspace: Workspace, clock: ManualClock, _id: int) -> None:
    clock.advance(seconds=timedelta(days=7).total_seconds())


def _withdraw(workspace: Workspace, _clock: ManualClock, id_: int) -> None:
    withdraw_invitation(workspace, find_person(workspace, "sven"), id_)


def _leave(workspace: Workspace, _clock: ManualClock, _id: int) -> None:
    set_active(workspace, None, "sven", False)


def _step_down(workspace: Workspace, _clock: ManualClock, _id: int) -> None:
    change_role(workspace, None, "sven", "annotator")


@pytest.mark.parametrize("end", [_expire, _withdraw, _leave, _step_down])
def test_what_ends_an_invitation(
    workspace: Workspace, sven: Person, end: Callable[[Workspace, ManualClock, int], Any]
) -> None:
    """Its time, whoever withdraws it, and the end of its maker's rights."""
    clock = start_clock()
    token, invitation = invite(workspace, sven, "annotator", clock=clock)
    clock.advance(seconds=timedelta(days=7).total_seconds() - 1)
    assert invitation_of(workspace, token, clock=clock) == invitation
    end(workspace, clock, invitation.id)
    assert invitations(workspace, clock=clock) == []
    with pytest.raises(NotFoundError):
        accept_invitation(workspace, token, "Cy", PASSWORD, clock=clock)


def test_nobody_invites_to_more_than_they_may(workspace: Workspace, sven: Person) -> None:
    """Supervisors invite annotators; nobody for longer than is allowed."""
    with pytest.raises(Forbidden, match="Only admins invite admins"):
        invite(workspace, sven, "admin")
    with pytest.raises(Forbidden):
        invite(workspace, find_person(workspace, "Ada"), "annotator")
    with pytest.raises(PagetrailError, match="valid for 1 to 90 days"):
        invite(workspace, sven, "annotator", days=MAX_DAYS + 1)
    _, invitation = invite(workspace, None, "supervisor")
    with pytest.raises(Forbidden):
        withdraw_invitation(workspace, sven, invitation.id)


def test_the_first_admins_link_ends_with_the_next_and_once_somebody_administers(
    workspace: Workspace,
) -> None:
    """Only the newest link counts, for a day; whoever is made admin by other means ends it, and
    the server makes no more.
    """
    clock = start_clock()

    def link() -> str:
        first_link = first_admin_link(workspace, clock=clock)
        assert first_link is not None and first_link[1].role == "admin"
        return first_link[0]

    add_user(workspace, "Ada", "annotator", PASSWORD)
    old, token = link(), link()
    with pytest.raises(NotFoundError):
        accept_invitation(workspace, old, "Mallory", PASSWORD, clock=clock)
    clock.advance(seconds=24 * 3600)
    with pytest.raises(NotFoundError):
        invitation_of(workspace, token, clock=clock)
    token, spare = link(), invite(workspace, None, "admin", clock=clock)[0]
    assert accept_invitation(workspace, token, "Root", PASSWORD, clock=clock).role == "admin"
    assert first_admin_link(workspace, clock=clock) is None
    assert invitation_of(workspace, spare, clock=clock).role == "admin"


def test_a_first_link_that_is_open_makes_no_second_admin(workspace: Workspace) -> None:
    """An admin made on the command line ends it."""
    first_link = first_admin_link(workspace)
    assert first_link is not None
    add_user(workspace, "root", "admin", PASSWORD)
    with pytest.raises(NotFoundError):
        accept_invitation(workspace, first_link[0], "Mallory", PASSWORD)
