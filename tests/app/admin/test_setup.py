"""The checklist of a workspace: what is missing, in which order, and the ways to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.app.admin.setup.steps import is_set_up, setup_steps
from pagetrail.app.services.composition import Services, replace_services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.people.invitations import invite
from pagetrail.storage.progress.setup_state import CampaignCounts, SetupState, setup_state
from tests.app.admin.admin_screen import click, part, screen_messages, screen_text
from tests.app.conftest import PASSWORD
from tests.app.screens import at_screen

MAIN = CampaignCounts("Main", False, None, tasks=6, people=2, submitted=3)
IDLE = CampaignCounts("Main", False, "Trial", tasks=6, people=0, submitted=0)
TRIAL = CampaignCounts("Trial", True, None, tasks=3, people=1, submitted=0)


@pytest.mark.parametrize(
    ("now", "missing"),
    [
        (SetupState(0, 0, 0, ()), ["Documents", "Questions", "People", "Production"]),
        (SetupState(2, 9, 1, (MAIN,)), []),
        (SetupState(2, 9, 0, (IDLE,)), ["People", "Pilot", "Production"]),
        (SetupState(2, 9, 1, (IDLE, TRIAL)), ["Production"]),
        (SetupState(2, 9, 1, (IDLE,), ("Trial",)), ["Production"]),
        (SetupState(2, 9, 1, (TRIAL,)), ["Questions", "Production"]),
    ],
)
def test_checklist_names_what_is_missing(now: SetupState, missing: list[str]) -> None:
    """A pilot is optional unless a campaign requires it; an archived one may be required."""
    steps = setup_steps(now)
    assert [step.title for step in steps if step.state == "missing"] == missing
    assert is_set_up(steps) is not bool(missing)


def test_a_new_workspace_opens_with_the_checklist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names what is missing, and its buttons lead there."""
    workspace = Workspace.create(tmp_path / "new")
    add_user(workspace, "root", "admin", PASSWORD)
    app = Services(workspace)
    replace_services(app)
    try:
        at = at_screen(app, "root", monkeypatch, "administration").run()
        assert not at.exception
        assert "4 of 5 steps left" in screen_text(at)
        for screen in ("progress", "review", "results", "batches"):
            empty = at_screen(app, "root", monkeypatch, screen).run()
            assert not empty.exception and screen_messages(empty)[0].startswith(
                ("There is no", "You have no")
            )
        at = at.button(key="setup-Documents").click().run()
        assert not at.exception
        assert at.header[0].value == "Add documents" and "**Next: 1. Documents**" in screen_text(at)
        invite(workspace, None, "annotator")
        at.session_state["part"] = "Setup"
        at = click(at.run(), "setup-Questions")
        assert at.header[0].value == "New campaign" and "at least one question" in screen_text(at)
        at.session_state["part"] = "Setup"
        at = click(at.run(), "setup-Pilot")
        assert at.header[0].value == "New pilot"
        at.session_state["part"] = "Setup"
        at = at.run()
        assert "1 invitation is open" in screen_text(at)
        assert click(at, "setup-People").button(key="invite-go").label == "Make the link"
    finally:
        replace_services(None)


def test_setup_counts_a_running_workspace(services: Services) -> None:
    """Documents, people and campaigns as they are; nothing is missing."""
    now = setup_state(services.workspace)
    assert (now.documents, now.annotators) == (2, 2)
    assert [(campaign.name, campaign.tasks, campaign.people) for campaign in now.campaigns] == [
        ("Otters", 2, 2),
        ("Otters given", 2, 2),
    ]
    assert is_set_up(setup_steps(now))


def test_the_documents_are_listed_and_found_by_name(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With pages and a link, which the supervisor's token opens."""
    at = part(services, monkeypatch, "Collection")
    document_table = at.dataframe[-1].value
    assert list(zip(document_table["Document"], document_table["Pages"], strict=True)) == [
        ("other.pdf", 1),
        ("report.pdf", 3),
    ]
    assert document_table["Link"][0].startswith("/pagetrail/document/")
    at = at.text_input(key="documents-text").input("REPORT").run()
    assert list(at.dataframe[-1].value["Document"]) == ["report.pdf"]
    at = at.text_input(key="documents-text").input("%").run()
    assert "No document name contains this text." in screen_messages(at)


def test_section_choice_survives_another_screens_state(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress leaves the name of its tab; the section that is shown is marked as chosen."""
    at = at_screen(services, "sven", monkeypatch, "administration")
    at.session_state["part"] = "Quality"
    at = at.run()
    assert not at.exception
    assert at.segmented_control(key="part").value == "People"
