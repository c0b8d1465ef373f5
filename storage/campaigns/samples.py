"""Samples that campaigns' tasks were drawn in, with the strata and sizes they were drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, insert, select

from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.storage.database.tables import Sample, SampledTask

SampleKind = Literal["predictions", "tasks", "pages"]


@dataclass(frozen=True)
class SampleDesign:
    """How a sample is drawn.

    Attributes:
        source: campaign whose answers or tasks it is drawn from; empty for pages.
        fields: that it is stratified by.
        verdicts: imported set of the verdicts; empty if the answer rule gives them.
        population: digest of all units with their strata.
        strata: values of the fields → number of units.
    """

    kind: SampleKind
    source: str
    fields: tuple[str, ...]
    verdicts: str
    seed: int
    population: str
    strata: Mapping[StratumValues, int]


@dataclass(frozen=True)
class StoredSample:
    """A sample of a campaign.

    Attributes:
        tasks: key of each drawn task → values of its stratum.
        draws: in how many parts it was drawn.
    """

    design: SampleDesign
    tasks: Mapping[str, StratumValues]
    draws: int

    @property
    def drawn_by_stratum(self) -> Mapping[StratumValues, int]:
        """Values of each stratum → tasks drawn from it."""
        counts = Counter(self.tasks.values())
        return {values: counts[values] for values in self.design.strata}

    def inclusion_probability(self, task: str) -> float | None:
        """Probability with which a task was drawn; None if it is not of the sample."""
        values = self.tasks.get(task)
        return (
            None if values is None else self.drawn_by_stratum[values] / self.design.strata[values]
        )

    def description(self, task: str) -> dict[str, Any]:
        """Stratum and inclusion probability of a task for exports; None if it was not drawn."""
        values = self.tasks.get(task)
        stratum = None if values is None else dict(zip(self.design.fields, values, strict=True))
        return {
            "stratum": stratum,
            "inclusion_probability": self.inclusion_probability(task),
        }


def sample_of(connection: Connection, campaign_id: int) -> StoredSample | None:
    """The sample that a campaign's tasks were drawn in, or None."""
    row = connection.execute(select(Sample).where(Sample.campaign_id == campaign_id)).one_or_none()
    if row is None:
        return None
    strata = [(tuple(values), int(size)) for values, size in row.strata]
    drawn = connection.execute(
        select(SampledTask.task, SampledTask.stratum, SampledTask.draw)
        .where(SampledTask.sample_id == row.id)
        .order_by(SampledTask.id)
    ).all()
    design = SampleDesign(
        row.kind,
        row.source,
        tuple(row.fields),
        row.verdicts,
        row.seed,
        row.population,
        dict(strata),
    )
    return StoredSample(
        design,
        {entry.task: strata[entry.stratum][0] for entry in drawn},
        max((entry.draw for entry in drawn), default=0),
    )


def store_draw(
    connection: Connection,
    campaign_id: int,
    design: SampleDesign,
    tasks: Mapping[str, StratumValues],
    clock: Clock,
) -> None:
    """Store the tasks that were drawn into a campaign, as its sample or as more of it.

    Raises:
        ConflictError: the campaign has a sample of another design, or the population has changed.
    """
    stored = sample_of(connection, campaign_id)
    at = iso(clock.now())
    if stored is None:
        connection.execute(
            insert(Sample).values(
                campaign_id=campaign_id,
                kind=design.kind,
                source=design.source,
                fields=list(design.fields),
                verdicts=design.verdicts,
                seed=design.seed,
                population=design.population,
                strata=[[list(values), size] for values, size in design.strata.items()],
                created_at=at,
            )
        )
    else:
        require_same_design(stored.design, design)
    sample_id = connection.execute(
        select(Sample.id).where(Sample.campaign_id == campaign_id)
    ).scalar_one()
    positions = {values: index for index, values in enumerate(design.strata)}
    draw = (
        1
        + connection.execute(
            select(func.coalesce(func.max(SampledTask.draw), 0)).where(
                SampledTask.sample_id == sample_id
            )
        ).scalar_one()
    )
    connection.execute(
        insert(SampledTask),
        [
            {
                "sample_id": sample_id,
                "task": task,
                "stratum": positions[values],
                "draw": draw,
                "drawn_at": at,
            }
            for task, values in tasks.items()
        ],
    )


def require_same_design(stored: SampleDesign, design: SampleDesign) -> None:
    """Refuse to add to a sample what was drawn in another way.

    Raises:
        ConflictError: the design differs, or the population has changed.
    """
    for name, before, now in (
        (gettext("kind"), stored.kind, design.kind),
        (gettext("source"), stored.source, design.source),
        (gettext("strata"), ", ".join(stored.fields), ", ".join(design.fields)),
        (gettext("verdicts"), stored.verdicts, design.verdicts),
        (gettext("seed"), stored.seed, design.seed),
    ):
        if before != now:
            raise ConflictError(
                gettext(
                    "The campaign’s sample was drawn in another way ({name}: {before}, now {now}). "
                    "Draw as before, or into another campaign.",
                    name=name,
                    before=before or gettext("none"),
                    now=now or gettext("none"),
                )
            )
    if stored.population != design.population:
        raise ConflictError(
            gettext(
                "What the sample was drawn from has changed since, so its inclusion probabilities "
                "would be wrong. Draw into another campaign."
            )
        )
