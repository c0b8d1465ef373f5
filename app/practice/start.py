"""Practice tasks of a person: offers them, and starts one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from threading import Lock

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
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
from pagetrail.storage.campaigns.lookup import get_campaign, protocols_of
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.practice import practice_assignment, practised_campaigns

_BUILD = "pagetrail.app.practice.build:build_practice"
_BUILD_LOCK = Lock()


@dataclass(frozen=True)
class PracticeOffer:
    """A practice task offered to a person.

    Attributes:
        preset: the preset it belongs to.
        campaign: the campaign whose settings and guidelines it uses.
        title: the preset's title, with the campaign if several use the preset.
        new: whether the person has submitted neither it nor a task of a campaign with this preset.
    """

    preset: str
    campaign: str
    title: str
    new: bool


def practice_offers(
    services: Services, person: Person, campaigns: Collection[str], worked_in: Collection[str]
) -> list[PracticeOffer]:
    """The practice tasks of campaigns that have practice switched on.

    Args:
        worked_in: campaigns in which the person has submitted or skipped something.
    """
    engine = services.workspace.engine
    protocols = protocols_of(engine, {*campaigns, *worked_in})
    offers: dict[str, tuple[str, Protocol]] = {}
    with engine.connect() as connection:
        for campaign in campaigns:
            protocol = protocols[campaign]
            if protocol.practice and protocol.name in practice_tasks():
                text = get_campaign(connection, campaign).guidelines
                offers.setdefault(practice_name(protocol, text), (campaign, protocol))
    preset_counts = Counter(protocol.name for _, protocol in offers.values())
    practised_presets = {protocols[name].name for name in worked_in}
    submitted = _submitted_campaigns(services, person) if offers else frozenset()
    return [
        PracticeOffer(
            protocol.name,
            campaign,
            _offer_title(protocol, campaign if preset_counts[protocol.name] > 1 else None),
            protocol.name not in practised_presets
            and not any(name.startswith(campaign_name(protocol.name)) for name in submitted),
        )
        for campaign, protocol in offers.values()
    ]


def _offer_title(protocol: Protocol, campaign: str | None) -> str:
    title = translate_preset_text(protocol.name, protocol.title)
    if campaign is None:
        return title
    return gettext("{title}, as in {campaign}", title=title, campaign=campaign)


def start_practice(
    services: Services, person: Person, preset: str, campaign: str | None = None
) -> str:
    """Open the person's practice task of a preset; returns the attempt to go to.

    The first call builds the practice workspace, which takes seconds, unless the server has built
    it already.

    Args:
        campaign: the campaign whose settings and guidelines to use; None for the preset's own.

    Raises:
        NotFoundError: no such practice task, or campaign.
        PagetrailError: the practice workspace cannot be built.
    """
    if preset not in practice_tasks():
        raise NotFoundError(gettext("There is no practice task for {preset!r}.", preset=preset))
    make_practice(services)
    practice, practising = services.practice.open(), practising_person(person)
    if preset_protocol(preset).search.enabled:
        practice.search.open()  # otherwise the very first search would be refused as too early
    name = campaign_name(preset)
    if campaign is not None:
        with services.workspace.engine.connect() as connection:
            campaign_row = get_campaign(connection, campaign)
        with _BUILD_LOCK:
            name = with_settings_of(
                practice.workspace,
                stored_protocol(campaign_row.protocol),
                campaign_row.guidelines,
            )
    return open_assignment(
        practice,
        practising,
        practice_assignment(practice.workspace, practising, name, services.clock),
    )


def make_practice(services: Services) -> None:
    """Build the practice workspace unless there is one of this edition.

    Raises:
        PagetrailError: building failed.
    """
    with _BUILD_LOCK:
        if not _is_current(services):
            services.practice.close()
            services.computations.compute(_BUILD)


def _is_current(services: Services) -> bool:
    edition = practice_folder(services.workspace.root) / EDITION_FILE
    return edition.is_file() and edition.read_text(encoding="utf-8") == practice_edition()


def _submitted_campaigns(services: Services, person: Person) -> frozenset[str]:
    if not _is_current(services):
        return frozenset()
    return practised_campaigns(services.practice.open().workspace, person.id)
