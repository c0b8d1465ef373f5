"""The steps from an empty workspace to a running campaign, and what each still needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pagetrail.app.ui.notation import format_number
from pagetrail.storage.progress.setup_state import CampaignCounts, SetupState


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes:
        state: ``optional`` steps are missing, but nothing depends on them.
        description: what exists, or what is missing and why it is needed.
        part: the section of Administration that has its form.
        action: label of the button.
        form: the form to open: a new ``campaign`` or ``pilot``, or ``invite``.
        name: required name of the new campaign, if known.
    """

    title: str
    state: Literal["done", "missing", "optional"]
    description: str
    part: str
    action: str
    form: Literal["", "campaign", "pilot", "invite"] = ""
    name: str = ""


def setup_steps(state: SetupState) -> list[Step]:
    """The steps in order."""
    return [_documents(state), _questions(state), _people(state), _pilot(state), _production(state)]


def next_step(checklist: list[Step]) -> Step | None:
    """First missing step that annotators need; None if nothing is missing."""
    return next((step for step in checklist if step.state == "missing"), None)


def is_set_up(checklist: list[Step]) -> bool:
    """Whether annotators can start work."""
    return next_step(checklist) is None


def _documents(state: SetupState) -> Step:
    if state.documents:
        description = f"{_count(state.documents, 'document')} with {_count(state.pages, 'page')}."
        return Step("Documents", "done", description, "Collection", "See the collection")
    description = "No documents yet. Upload the PDF files that annotators search and read."
    return Step("Documents", "missing", description, "Collection", "Upload documents")


def _questions(state: SetupState) -> Step:
    title, campaigns = "Questions", [campaign for campaign in state.production if campaign.tasks]
    if campaigns:
        tasks = _count(sum(campaign.tasks for campaign in campaigns), "task")
        description = f"{tasks} in {_count(len(campaigns), 'campaign')}: {_names(campaigns)}."
        return Step(title, "done", description, "Campaigns", "See the campaigns")
    description = (
        "No questions yet. Create a campaign: choose what annotators do, and upload the questions "
        "or type them."
    )
    return Step(title, "missing", description, "Campaigns", "Create a campaign", "campaign")


def _people(state: SetupState) -> Step:
    if state.annotators:
        description = f"{_count(state.annotators, 'annotator')} can sign in."
        return Step("People", "done", description, "People", "See the people")
    description = "No annotators yet. Invite them by link, or add accounts with passwords."
    if state.invited:
        invitations = (
            f"{_count(state.invited, 'invitation')} {'is' if state.invited == 1 else 'are'} open"
        )
        description = f"No annotators yet. {invitations}."
    return Step("People", "missing", description, "People", "Invite people", "invite")


def _pilot(state: SetupState) -> Step:
    required = {campaign.requires for campaign in state.production if campaign.requires}
    nonexistent = sorted(
        required - {campaign.name for campaign in state.pilots} - {*state.archived}
    )
    if nonexistent:
        description = (
            f"A campaign requires the pilot “{nonexistent[0]}”, which does not exist. Create it."
        )
        return Step(
            "Pilot",
            "missing",
            description,
            "Campaigns",
            "Create the pilot",
            "pilot",
            nonexistent[0],
        )
    if state.pilots:
        people = max(campaign.people for campaign in state.pilots)
        description = f"{_names(state.pilots)}: {_count(people, 'annotator')} on it."
        if not people:
            description = f"{_names(state.pilots)}: nobody has a batch of it yet. Assign it."
            return Step("Pilot", "missing", description, "Batches", "Assign batches")
        return Step("Pilot", "done", description, "Batches", "See the batches")
    description = (
        "None. A pilot is a campaign of tasks with known answers: it shows who has understood the "
        "guidelines before the real work begins. A campaign is closed to those who have not passed "
        "only if it names its pilot when it is created: make the pilot first."
    )
    return Step("Pilot", "optional", description, "Campaigns", "Create a pilot", "pilot")


def _production(state: SetupState) -> Step:
    assigned = [campaign for campaign in state.production if campaign.people]
    if assigned:
        submitted = sum(campaign.submitted for campaign in assigned)
        count = f"{format_number(submitted)} submitted so far"
        description = (
            f"{_names(assigned)}: {count if submitted else 'assigned, nothing submitted yet'}."
        )
        return Step("Production", "done", description, "Batches", "See the batches")
    description = "Nobody has a batch yet. Once there are questions and people, assign the batches."
    return Step("Production", "missing", description, "Batches", "Assign batches")


def _names(campaigns: tuple[CampaignCounts, ...] | list[CampaignCounts]) -> str:
    names = [campaign.name for campaign in campaigns]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _count(number: int, noun: str) -> str:
    return f"{format_number(number)} {noun}" if number == 1 else f"{format_number(number)} {noun}s"
