"""The participants of one or several campaigns, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.exports.papers.model import CampaignFacts
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.campaigns import campaign_suffix, side_by_side
from pagetrail.exports.reports.metrics.cells import ACCURACY, Options
from pagetrail.exports.reports.metrics.input_rows import Gold, Measured, measured
from pagetrail.exports.reports.metrics.participants import Participant, participants_of


@dataclass(frozen=True)
class Material:
    """What the tables of a paper are made of.

    Attributes:
        sources, found: the campaigns, and the rows of each.
        participants: who searched: people, then systems, campaign by campaign; named with the
            campaign where several have any.
        oracle: who was given the gold pages instead.
        annotators: the people who searched, one by one.
    """

    sources: Sequence[Source]
    found: Sequence[Measured]
    participants: Sequence[Participant]
    oracle: Sequence[Participant]
    annotators: Sequence[Participant]
    options: Options
    gold: Gold

    @property
    def people(self) -> list[Participant]:
        """People who searched, one line per campaign."""
        return [side for side in self.participants if side.kind == "humans"]

    @property
    def systems(self) -> list[Participant]:
        """Systems that searched, the most accurate first."""
        return self.ranked([side for side in self.participants if side.kind == "system"])

    @property
    def rows(self) -> list[Row]:
        """Attempts of ``participants`` at tasks with an answer."""
        return [row for side in self.participants for row in side.rows]

    def accuracy(self, side: Participant) -> float:
        """For ordering; below everything where it is undefined."""
        value = ACCURACY.cell(side.rows, self.options).value
        return float(value) if isinstance(value, int | float) else -1.0

    def ranked(self, sides: Sequence[Participant]) -> list[Participant]:
        """The most accurate first."""
        return sorted(sides, key=lambda side: (-self.accuracy(side), side.name))

    def facts(self) -> list[CampaignFacts]:
        """What each campaign gave."""
        return [
            CampaignFacts(
                source.campaign.name, source.campaign.protocol.name, each.facts, each.left_out
            )
            for source, each in zip(self.sources, self.found, strict=True)
        ]


def material(
    sources: Sequence[Source],
    options: Options,
    *,
    rule: Rule,
    judgements: str | None,
    gold: Gold,
) -> Material:
    """The participants of these campaigns. Arguments as of ``measured``, which also raises."""
    found = [measured(source, rule=rule, judgements=judgements, gold=gold) for source in sources]
    named = [(source.campaign.name, each) for source, each in zip(sources, found, strict=True)]
    sides = participants_of(found[0], by_annotator=True)
    if len(named) > 1:
        _, sides = side_by_side(named, by_annotator=True)
    given = {
        row.attempt
        for source, each in zip(sources, found, strict=True)
        if pages_are_given(source)
        for row in each.rows
    }
    searching: list[Participant] = []
    oracle: list[Participant] = []
    annotators: list[Participant] = []
    for side in sides:
        attempts = [row.attempt for row in (*side.rows, *side.unanswerable)]
        if not attempts:
            continue
        if side.kind != "annotator":
            (oracle if attempts[0] in given else searching).append(side)
        elif attempts[0] not in given:
            annotators.append(side)
    searching = _plainly_named(searching, [name for name, _ in named])
    return Material(sources, found, searching, oracle, annotators, options, gold)


def _plainly_named(sides: Sequence[Participant], campaigns: Sequence[str]) -> list[Participant]:
    """Without the campaign's name where all are of one."""
    for campaign in campaigns:
        suffix = campaign_suffix(campaign)
        if all(side.name.endswith(suffix) for side in sides):
            return [replace(side, name=side.name.removesuffix(suffix)) for side in sides]
    return list(sides)


def pages_are_given(source: Source) -> bool:
    """Whether people had the gold pages in front of them and nothing to search with."""
    protocol = source.campaign.protocol
    return protocol.pages == "gold" and not protocol.search.enabled
