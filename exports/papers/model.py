"""The model of a paper: tables, figures, and those that the campaigns cannot give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pagetrail.exports.reading.source import LeftOut, Source
from pagetrail.exports.reports.model import Chart, Table, Value


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        data: what the chart shows, with intervals and notes; its key names the files.
        draw: makes the chart from the data alone.
    """

    data: Table
    draw: Callable[[Table], Chart]

    @property
    def chart(self) -> Chart:
        """The figure under the data's key and title."""
        return replace(self.draw(self.data), key=self.data.key, title=self.data.title)


@dataclass(frozen=True)
class NotGiven:
    """A table or figure of the paper that these campaigns do not give, and why."""

    what: str
    reason: str


@dataclass(frozen=True)
class CampaignFacts:
    """Counts of a campaign, and what was left out of it.

    Attributes:
        excluded: reason → number of tasks that a supervisor excluded for it.
    """

    name: str
    protocol: str
    facts: Mapping[str, int]
    left_out: Sequence[LeftOut]
    excluded: Mapping[str, int]

    @classmethod
    def from_source(
        cls, source: Source, facts: Mapping[str, int], left_out: Sequence[LeftOut]
    ) -> CampaignFacts:
        """The facts of a source's campaign."""
        campaign = source.campaign
        return cls(
            campaign.name, campaign.protocol.name, facts, left_out, source.exclusion_reasons()
        )


@dataclass(frozen=True)
class Paper:
    """What ``pagetrail report --paper`` writes.

    Attributes:
        name: of the paper, as the command has it.
        source: title and where to find it.
        choices: settings that shaped the numbers, by name.
        parts: tables and figures, in the paper's order.
        identified: whether people appear under their own names.
    """

    name: str
    title: str
    source: str
    campaigns: Sequence[CampaignFacts]
    choices: Mapping[str, Value | Sequence[Value]]
    parts: Sequence[Table | Figure]
    not_given: Sequence[NotGiven]
    identified: bool

    @property
    def tables(self) -> list[Table]:
        """All tables: those of the paper, and the data of its figures."""
        return [part.data if isinstance(part, Figure) else part for part in self.parts]

    @property
    def figures(self) -> list[Figure]:
        """All figures in order."""
        return [part for part in self.parts if isinstance(part, Figure)]
