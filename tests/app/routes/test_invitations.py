"""The page of an invitation: from the link to a signed-in account, once."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import person_of
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.invitations import invitations, invite
from tests.app.admin.admin_screen import click, part, screen_text

FORM = {"name": "Carla", "password": "correct horse", "again": "correct horse"}


def test_an_invited_person_signs_up_and_is_signed_in(
    client: TestClient, services: Services
) -> None:
    """What is wrong is said on the page and uses nothing up; the second use finds nothing."""
    token, _ = invite(services.workspace, None, "annotator")
    url = f"/pagetrail/invitation/{token}"
    page = client.get(url)
    assert page.status_code == 200 and "invited as an annotator" in page.text
    assert page.headers["cache-control"] == "no-store"
    for wrong, message in (
        ({"again": "other"}, "The passwords are not the same."),
        ({"name": "ALMA"}, "There is a user alma already."),
        ({"name": "<b>", "password": "x", "again": "x"}, 'value="&lt;b&gt;"'),
    ):
        refused = client.post(url, data=FORM | wrong)
        assert refused.status_code == 400 and message in refused.text
    foreign = client.post(url, data=FORM, headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403
    reply = client.post(url, data=FORM)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    person = person_of(services, client.cookies)
    assert person == find_person(services.workspace, "Carla") and person.role == "annotator"
    for reply_after_use in (client.get(url), client.post(url, data=FORM)):
        assert (
            reply_after_use.status_code == 404
            and "This invitation is not valid" in reply_after_use.text
        )


def test_links_are_made_and_withdrawn_on_screen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link is shown once; the open invitation can be withdrawn."""
    at = click(part(services, monkeypatch, "People"), "invite")
    at.text_input(key="invite-note").input("Carla").run()
    at = click(at, "invite-go")
    link = at.code[0].value
    assert link.startswith("/pagetrail/invitation/")
    (invitation,) = invitations(services.workspace)
    assert (invitation.role, invitation.note, invitation.by) == ("annotator", "Carla", "sven")
    at = click(at, "done")
    assert not at.code and "annotator · Carla" in screen_text(at)
    at = click(at, f"withdraw-invitation-{invitation.id}")
    assert invitations(services.workspace) == []
