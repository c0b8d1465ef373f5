"""The steps from an empty workspace to a running campaign, and what each still needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.sentences import join_first
from pagetrail.app.ui.notation import format_count
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
        title: translated where it is shown.
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
        description = format_count(
            "{documents} with {number} page.",
            "{documents} with {number} pages.",
            state.pages,
            documents=format_count("{number} document", "{number} documents", state.documents),
        )
        return Step(
            N_("Documents"), "done", description, "Collection", gettext("See the collection")
        )
    return Step(
        N_("Documents"),
        "missing",
        gettext("No documents yet. Upload the PDF files that annotators search and read."),
        "Collection",
        gettext("Upload documents"),
    )


def _questions(state: SetupState) -> Step:
    title, campaigns = N_("Questions"), [c for c in state.production if c.tasks]
    if campaigns:
        description = format_count(
            "{tasks} in {number} campaign: {names}.",
            "{tasks} in {number} campaigns: {names}.",
            len(campaigns),
            tasks=format_count("{number} task", "{number} tasks", sum(c.tasks for c in campaigns)),
            names=_names(campaigns),
        )
        return Step(title, "done", description, "Campaigns", gettext("See the campaigns"))
    description = gettext(
        "No questions yet. Create a campaign: choose what annotators do, and upload the questions "
        "or type them."
    )
    return Step(
        title, "missing", description, "Campaigns", gettext("Create a campaign"), "campaign"
    )


def _people(state: SetupState) -> Step:
    title = N_("People")
    if state.annotators:
        description = format_count(
            "{number} annotator can sign in.", "{number} annotators can sign in.", state.annotators
        )
        return Step(title, "done", description, "People", gettext("See the people"))
    description = gettext("No annotators yet. Invite them by link, or add accounts with passwords.")
    if state.invited:
        description = format_count(
            "No annotators yet. {number} invitation is open.",
            "No annotators yet. {number} invitations are open.",
            state.invited,
        )
    return Step(title, "missing", description, "People", gettext("Invite people"), "invite")


def _pilot(state: SetupState) -> Step:
    title = N_("Pilot")
    required = {campaign.requires for campaign in state.production if campaign.requires}
    nonexistent = sorted(
        required - {campaign.name for campaign in state.pilots} - {*state.archived}
    )
    if nonexistent:
        description = gettext(
            "A campaign requires the pilot “{pilot}”, which does not exist. Create it.",
            pilot=nonexistent[0],
        )
        action = gettext("Create the pilot")
        return Step(title, "missing", description, "Campaigns", action, "pilot", nonexistent[0])
    if state.pilots:
        people = max(campaign.people for campaign in state.pilots)
        if not people:
            description = gettext(
                "{pilots}: nobody has a batch of it yet. Assign it.", pilots=_names(state.pilots)
            )
            return Step(title, "missing", description, "Batches", gettext("Assign batches"))
        description = format_count(
            "{pilots}: {number} annotator on it.",
            "{pilots}: {number} annotators on it.",
            people,
            pilots=_names(state.pilots),
        )
        return Step(title, "done", description, "Batches", gettext("See the batches"))
    description = gettext(
        "None. A pilot is a campaign of tasks with known answers: it shows who has understood the "
        "guidelines before the real work begins. A campaign is closed to those who have not passed "
        "only if it names its pilot when it is created: make the pilot first."
    )
    return Step(title, "optional", description, "Campaigns", gettext("Create a pilot"), "pilot")


def _production(state: SetupState) -> Step:
    title = N_("Production")
    assigned = [campaign for campaign in state.production if campaign.people]
    if assigned:
        submitted = sum(campaign.submitted for campaign in assigned)
        description = (
            format_count(
                "{campaigns}: {number} submitted so far.",
                "{campaigns}: {number} submitted so far.",
                submitted,
                campaigns=_names(assigned),
            )
            if submitted
            else gettext(
                "{campaigns}: assigned, nothing submitted yet.", campaigns=_names(assigned)
            )
        )
        return Step(title, "done", description, "Batches", gettext("See the batches"))
    description = gettext(
        "Nobody has a batch yet. Once there are questions and people, assign the batches."
    )
    return Step(title, "missing", description, "Batches", gettext("Assign batches"))


def _names(campaigns: tuple[CampaignCounts, ...] | list[CampaignCounts]) -> str:
    return join_first([campaign.name for campaign in campaigns], 3)
