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
        state: ``optional`` is missing too, and nothing waits for it.
        said: what there is, or what is missing and what it is for.
        part: the section of the administration where it is done.
        action: label of the way there.
        form: what is opened there: a new ``campaign`` or ``pilot``, or whom to ``invite``.
        name: what the new campaign has to be called, where that is known.
    """

    title: str
    state: Literal["done", "missing", "optional"]
    said: str
    part: str
    action: str
    form: Literal["", "campaign", "pilot", "invite"] = ""
    name: str = ""


def steps(now: SetupState) -> list[Step]:
    """The steps in the order in which they are taken."""
    return [_documents(now), _questions(now), _people(now), _pilot(now), _production(now)]


def next_step(found: list[Step]) -> Step | None:
    """The first step that annotators wait for; None when nothing is missing."""
    return next((step for step in found if step.state == "missing"), None)


def is_set_up(found: list[Step]) -> bool:
    """Whether nothing is missing that annotators wait for."""
    return next_step(found) is None


def _documents(now: SetupState) -> Step:
    if now.documents:
        said = f"{_n(now.documents, 'document')} with {_n(now.pages, 'page')}."
        return Step("Documents", "done", said, "Collection", "See the collection")
    said = "No documents yet. Upload the PDF files that annotators search and read."
    return Step("Documents", "missing", said, "Collection", "Upload documents")


def _questions(now: SetupState) -> Step:
    title, found = "Questions", [each for each in now.production if each.tasks]
    if found:
        tasks = _n(sum(each.tasks for each in found), "task")
        said = f"{tasks} in {_n(len(found), 'campaign')}: {_names(found)}."
        return Step(title, "done", said, "Campaigns", "See the campaigns")
    said = (
        "No questions yet. Create a campaign: choose what annotators do, and upload the questions "
        "or type them."
    )
    return Step(title, "missing", said, "Campaigns", "Create a campaign", "campaign")


def _people(now: SetupState) -> Step:
    if now.annotators:
        said = f"{_n(now.annotators, 'annotator')} can sign in."
        return Step("People", "done", said, "People", "See the people")
    said = "No annotators yet. Invite them by link, or add accounts with passwords."
    if now.invited:
        many = f"{_n(now.invited, 'invitation')} {'is' if now.invited == 1 else 'are'} open"
        said = f"No annotators yet. {many}."
    return Step("People", "missing", said, "People", "Invite people", "invite")


def _pilot(now: SetupState) -> Step:
    wanted = {each.requires for each in now.production if each.requires}
    lost = sorted(wanted - {each.name for each in now.pilots} - {*now.archived})
    if lost:
        said = f"A campaign requires the pilot “{lost[0]}”, which does not exist. Create it."
        return Step("Pilot", "missing", said, "Campaigns", "Create the pilot", "pilot", lost[0])
    if now.pilots:
        people = max(each.people for each in now.pilots)
        said = f"{_names(now.pilots)}: {_n(people, 'annotator')} on it."
        if not people:
            said = f"{_names(now.pilots)}: nobody has a batch of it yet. Assign it."
            return Step("Pilot", "missing", said, "Batches", "Assign batches")
        return Step("Pilot", "done", said, "Batches", "See the batches")
    said = (
        "None. A pilot is a campaign of tasks with known answers: it shows who has understood the "
        "guidelines before the real work begins. A campaign is closed to those who have not passed "
        "only if it names its pilot when it is created: make the pilot first."
    )
    return Step("Pilot", "optional", said, "Campaigns", "Create a pilot", "pilot")


def _production(now: SetupState) -> Step:
    working = [each for each in now.production if each.people]
    if working:
        submitted = sum(each.submitted for each in working)
        count = f"{format_number(submitted)} submitted so far"
        said = f"{_names(working)}: {count if submitted else 'assigned, nothing submitted yet'}."
        return Step("Production", "done", said, "Batches", "See the batches")
    said = "Nobody has a batch yet. Once there are questions and people, assign the batches."
    return Step("Production", "missing", said, "Batches", "Assign batches")


def _names(found: tuple[CampaignCounts, ...] | list[CampaignCounts]) -> str:
    names = [each.name for each in found]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _n(number: int, noun: str) -> str:
    return f"{format_number(number)} {noun}" if number == 1 else f"{format_number(number)} {noun}s"
