"""Practice tasks for a person: which are offered, and starting one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.protocol import preset as preset_protocol
from pagetrail.app.practice.campaigns import practice_name, with_settings_of
from pagetrail.app.practice.tasks import (
    EDITION_FILE,
    campaign_name,
    practice_edition,
    practice_tasks,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.services.practice import practice_folder, practising_person
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.campaigns.lookup import known_campaign, protocols_of
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.practice import practice_assignment, practised

_BUILD = "pagetrail.app.practice.build:build_practice"
_building = Lock()


@dataclass(frozen=True)
class Offer:
    """A practice task for somebody.

    Attributes:
        preset: whose task it is.
        campaign: whose settings and guidelines it has.
        title: of the preset, and of the campaign where several have this preset.
        new: whether the person has submitted neither it nor a task of such a campaign.
    """

    preset: str
    campaign: str
    title: str
    new: bool


def practice_offers(
    services: Services, person: Person, campaigns: Collection[str], worked_in: Collection[str]
) -> list[Offer]:
    """The practice tasks for campaigns; none where a campaign offers none.

    Args:
        worked_in: campaigns in which the person has submitted or skipped something.
    """
    engine = services.workspace.engine
    protocols = protocols_of(engine, {*campaigns, *worked_in})
    offered: dict[str, tuple[str, Protocol]] = {}
    with engine.connect() as connection:
        for campaign in campaigns:
            protocol = protocols[campaign]
            if protocol.practice and protocol.name in practice_tasks():
                text = known_campaign(connection, campaign).guidelines
                offered.setdefault(practice_name(protocol, text), (campaign, protocol))
    many = Counter(protocol.name for _, protocol in offered.values())
    known = {protocols[name].name for name in worked_in}
    done = _done(services, person) if offered else frozenset()
    return [
        Offer(
            protocol.name,
            campaign,
            protocol.title if many[protocol.name] == 1 else f"{protocol.title}, as in {campaign}",
            protocol.name not in known
            and not any(each.startswith(campaign_name(protocol.name)) for each in done),
        )
        for campaign, protocol in offered.values()
    ]


def start_practice(
    services: Services, person: Person, preset: str, campaign: str | None = None
) -> str:
    """Open the person's practice task of a preset; returns the attempt to go to.

    The first time on a workspace this makes the practice workspace, which takes seconds, unless the
    server has made it already.

    Args:
        campaign: has the settings and guidelines; None is the preset's own.

    Raises:
        NotFoundError: no such practice task, or campaign.
        PagetrailError: the practice workspace cannot be made.
    """
    if preset not in practice_tasks():
        raise NotFoundError(f"There is no practice task for {preset!r}.")
    make_practice(services)
    practice, who = services.practice.open(), practising_person(person)
    if preset_protocol(preset).search.enabled:
        practice.search.open()  # else the first search of all would be told to come again
    name = campaign_name(preset)
    if campaign is not None:
        with services.workspace.engine.connect() as connection:
            found = known_campaign(connection, campaign)
        with _building:
            name = with_settings_of(
                practice.workspace, stored_protocol(found.protocol), found.guidelines
            )
    return open_assignment(
        practice, who, practice_assignment(practice.workspace, who, name, services.clock)
    )


def make_practice(services: Services) -> None:
    """Make the practice workspace if there is none of this edition.

    Raises:
        PagetrailError: it cannot be made.
    """
    with _building:
        if not _is_current(services):
            services.practice.close()
            services.computations.compute(_BUILD)


def _is_current(services: Services) -> bool:
    edition = practice_folder(services.workspace.root) / EDITION_FILE
    return edition.is_file() and edition.read_text(encoding="utf-8") == practice_edition()


def _done(services: Services, person: Person) -> frozenset[str]:
    if not _is_current(services):
        return frozenset()
    return practised(services.practice.open().workspace, person.id)
