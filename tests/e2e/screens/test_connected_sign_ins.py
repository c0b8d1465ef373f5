"""Sign-ins of single sign-on that are connected with an account: told of, and removed."""

from __future__ import annotations

from playwright.sync_api import expect

from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.identities import Identity, connect_identity, identities_of
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.home_workspace import ADMIN, FEW
from tests.e2e.support.screen import press, wait_until

ISSUER = "https://login.example"


def test_a_person_and_an_admin_remove_connected_sign_ins(
    screen_of: OpenScreen, workspace: Workspace
) -> None:
    """Told of at the next sign-in with the password; the person removes one, an admin the other."""
    person = find_person(workspace, FEW)
    for subject in ("anna-login", "somebody-else"):
        identity = Identity(ISSUER, subject)
        connect_identity(workspace, person, identity, person.role, clock=SystemClock())

    def subjects() -> set[str]:
        return {connected.identity.subject for connected in identities_of(workspace, person)}

    screen = screen_of(FEW)
    page = screen.page
    told = page.get_by_text("Single sign-on was connected with your account")
    expect(told).to_contain_text("somebody-else")
    press(page.get_by_role("button", name="That was me"))
    expect(told).to_have_count(0)
    page.goto(f"{screen.url}/account")
    expect(page.get_by_role("heading", name="Single sign-on")).to_be_visible()
    stranger = page.get_by_text("account somebody-else, connected on")
    row = page.get_by_test_id("stHorizontalBlock").filter(has=stranger)
    press(row.get_by_role("button", name="Remove"))
    expect(stranger).to_have_count(0)
    assert subjects() == {"anna-login"}

    admin = screen_of(ADMIN, path="/administration?part=People").page
    press(admin.get_by_role("combobox", name="Person to change"))
    press(admin.get_by_role("option", name=FEW, exact=True))
    press(admin.get_by_role("button", name="Single sign-on"))
    dialog = admin.get_by_role("dialog", name=f"Single sign-on of {FEW}")
    expect(dialog).to_contain_text("account anna-login, connected on")
    press(dialog.get_by_role("button", name="Remove"))
    wait_until(admin, subjects, lambda rest: not rest)
    expect(dialog).to_have_count(0)
    expect(admin.get_by_text(f"{FEW} is disconnected from single sign-on.")).to_be_visible()
