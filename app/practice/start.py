"""Practice tasks for a person: which are offered, and starting one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.app.practice.tasks import (
    EDITION_FILE,
    campaign_name,
    practice_edition,
    practice_tasks,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.services.practice import practice_folder, practising_person
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.campaigns.lookup import protocols_of
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.practice import practice_assignment, practised

_BUILD = "pagetrail.app.practice.build:build_practice"
_building = Lock()


@dataclass(frozen=True)
class Offer:
    """A practice task for somebody.

    Attributes:
        preset: of the campaigns that it prepares for.
        title: of the preset.
        new: whether the person has submitted neither it nor a task of such a campaign.
    """

    preset: str
    title: str
    new: bool


def practice_offers(
    services: Services, person: Person, campaigns: Collection[str], worked_in: Collection[str]
) -> list[Offer]:
    """The practice tasks for campaigns; none where a campaign offers none.

    Args:
        worked_in: campaigns in which the person has submitted or skipped something.
    """
    protocols = protocols_of(services.workspace.engine, {*campaigns, *worked_in})
    offered = {
        protocols[name].name: protocols[name].title
        for name in campaigns
        if protocols[name].practice and protocols[name].name in practice_tasks()
    }
    known = {protocols[name].name for name in worked_in}
    done = _done(services, person) if offered else frozenset()
    return [
        Offer(name, title, name not in known and campaign_name(name) not in done)
        for name, title in offered.items()
    ]


def start_practice(services: Services, person: Person, preset: str) -> str:
    """Open the person's practice task of a preset; returns the attempt to go to.

    The first time on a workspace this makes the practice workspace, which takes seconds.

    Raises:
        NotFoundError: no such practice task.
        PagetrailError: the practice workspace cannot be made.
    """
    if preset not in practice_tasks():
        raise NotFoundError(f"There is no practice task for {preset!r}.")
    with _building:
        if not _is_current(services):
            services.close_practice()
            services.computations.now(_BUILD)
    practice, who = services.practising(), practising_person(person)
    if protocols.preset(preset).search.enabled:
        practice.search.open()  # else the first search of all would be told to come again
    assignment = practice_assignment(practice.workspace, who, campaign_name(preset), services.clock)
    return open_assignment(practice, who, assignment)


def _is_current(services: Services) -> bool:
    edition = practice_folder(services.workspace.root) / EDITION_FILE
    return edition.is_file() and edition.read_text(encoding="utf-8") == practice_edition()


def _done(services: Services, person: Person) -> frozenset[str]:
    if not _is_current(services):
        return frozenset()
    return practised(services.practising().workspace, person.id)
