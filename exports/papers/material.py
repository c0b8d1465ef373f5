"""The participants of one or several campaigns, as a paper compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.metrics.attempt_rows import NO_ANSWER_ASKED
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.exports.gold.gold_checks import Gold
from pagetrail.exports.papers.model import CampaignFacts
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.campaigns import campaign_suffix, side_by_side
from pagetrail.exports.reports.metrics.cells import ACCURACY, Options
from pagetrail.exports.reports.metrics.input_rows import Measured, measure_attempts
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant, participants_of
from pagetrail.storage.campaigns.verdict_sets import require_verdict_set


@dataclass(frozen=True)
class Material:
    """Participants and attempts that the tables of a paper are computed from.

    Attributes:
        sources, measured_campaigns: the campaigns, and the rows of each.
        participants: who searched: people, then systems, campaign by campaign; named with the
            campaign where several have any. Who was asked for no answer and searched nothing is in
            none of the lists.
        oracle: participants who were given the gold pages.
        annotators: the people who searched, one by one.
    """

    sources: Sequence[Source]
    measured_campaigns: Sequence[Measured]
    participants: Sequence[Participant]
    oracle: Sequence[Participant]
    annotators: Sequence[Participant]
    options: Options
    gold: Gold

    @property
    def people(self) -> list[Participant]:
        """People who searched, one line per campaign."""
        return [participant for participant in self.participants if participant.kind == "humans"]

    @property
    def systems(self) -> list[Participant]:
        """Systems that searched, the most accurate first."""
        return self.ranked(
            [participant for participant in self.participants if participant.kind == "system"]
        )

    @property
    def rows(self) -> list[MeasuredAttempt]:
        """Attempts of ``participants`` at tasks with an answer."""
        return [row for participant in self.participants for row in participant.rows]

    @property
    def systems_without_answers(self) -> list[str]:
        """Systems that only drew boxes and are no participants."""
        campaigns = self.measured_campaigns
        return sorted({name for rows in campaigns for name in rows.systems_without_answers})

    def accuracy(self, participant: Participant) -> float:
        """Accuracy for ordering; undefined values come last."""
        value = ACCURACY.cell(participant.rows, self.options).value
        return float(value) if isinstance(value, int | float) else -1.0

    def ranked(self, participants: Sequence[Participant]) -> list[Participant]:
        """By accuracy, the most accurate first."""
        return sorted(
            participants, key=lambda participant: (-self.accuracy(participant), participant.name)
        )

    def facts(self) -> list[CampaignFacts]:
        """Counts and left-out data of each campaign."""
        return [
            CampaignFacts.from_source(source, measured_campaign.facts, measured_campaign.left_out)
            for source, measured_campaign in zip(self.sources, self.measured_campaigns, strict=True)
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
    campaigns = [
        measure_attempts(source, rule=rule, judgements=judgements, gold=gold) for source in sources
    ]
    participants = participants_of(campaigns[0], by_annotator=True)
    if len(campaigns) > 1:
        _, participants = side_by_side(campaigns, by_annotator=True)
    given_attempts = {
        row.attempt
        for source, measured_campaign in zip(sources, campaigns, strict=True)
        if pages_are_given(source)
        for row in measured_campaign.rows
    }
    searching: list[Participant] = []
    oracle: list[Participant] = []
    annotators: list[Participant] = []
    for participant in participants:
        rows = [*participant.rows, *participant.unanswerable]
        if all(row.correctness.reason == NO_ANSWER_ASKED and not row.searches for row in rows):
            continue
        attempts = [row.attempt for row in rows]
        if participant.kind != "annotator":
            (oracle if attempts[0] in given_attempts else searching).append(participant)
        elif attempts[0] not in given_attempts:
            annotators.append(participant)
    searching = _plainly_named(searching, [campaign.name for campaign in campaigns])
    return Material(sources, campaigns, searching, oracle, annotators, options, gold)


def with_verdicts(sources: Sequence[Source], verdicts: str | None) -> Sequence[Source]:
    """The campaigns, with imported verdicts deciding in those that have the set.

    Raises:
        NotFoundError: no campaign has such a set.
    """
    if verdicts is None:
        return sources
    sets_of = [source.database.verdict_sets(source.campaign.id) for source in sources]
    require_verdict_set([stored for sets in sets_of for stored in sets], verdicts)
    return [
        replace(source, verdicts=verdicts)
        if any(stored.name == verdicts for stored in sets)
        else source
        for source, sets in zip(sources, sets_of, strict=True)
    ]


def _plainly_named(
    participants: Sequence[Participant], campaigns: Sequence[str]
) -> list[Participant]:
    """Without the campaign's name if all participants belong to one campaign."""
    for campaign in campaigns:
        suffix = campaign_suffix(campaign)
        if all(participant.name.endswith(suffix) for participant in participants):
            return [
                replace(participant, name=participant.name.removesuffix(suffix))
                for participant in participants
            ]
    return list(participants)


def pages_are_given(source: Source) -> bool:
    """Whether the campaign shows the gold pages and has no search."""
    protocol = source.campaign.protocol
    return protocol.pages == "gold" and not protocol.search.enabled
