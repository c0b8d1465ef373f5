"""Zone agreement over several annotators, pages and data sets.

docs/metrics.md, Boxes. Dice is averaged from the Dice of pairs, never converted from a mean IoU:
neither mean is a function of the other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Literal

from pagetrail.annotation.agreement.zones import (
    KINDS,
    Boxes,
    Kind,
    Size,
    ZoneAgreement,
    zone_agreement,
)


@dataclass(frozen=True, slots=True)
class UnitZones:
    """All pairs of annotators of one unit, a (task, page).

    Attributes:
        pairs: by the two annotators' names, in the order given.
        iou, dice: mean over the pairs in which it is defined; None where there is none.
        iou_both, dice_both: mean over the pairs in which both drew something; likewise.
    """

    pairs: dict[tuple[str, str], ZoneAgreement]
    iou: float | None
    dice: float | None
    iou_both: float | None
    dice_both: float | None

    @property
    def kind(self) -> Kind:
        """Whether two annotators or more drew something, only one, or nobody."""
        kinds = {pair.kind for pair in self.pairs.values()}
        return next((kind for kind in KINDS if kind in kinds), "both_empty")


@dataclass(frozen=True, slots=True)
class ZoneMeans:
    """Means over units of the means over their pairs, and what they rest on.

    Attributes:
        iou, dice: over units with a defined pair; None where there is none.
        iou_both, dice_both: over units with a pair in which both drew something; likewise.
        reason: ``"no_defined_pair"`` where ``iou`` is None.
        n_units: units with two annotators or more.
        n_both, n_one_empty, n_both_empty: those on which two annotators or more, only one, or
            nobody drew something.
    """

    iou: float | None
    dice: float | None
    iou_both: float | None
    dice_both: float | None
    reason: Literal["no_defined_pair"] | None
    n_units: int
    n_both: int
    n_one_empty: int
    n_both_empty: int


@dataclass(frozen=True, slots=True)
class ZoneBreakdown:
    """Means by data set in the order they first come; pooled over units; macro over data sets.

    Attributes:
        macro: (iou, dice), each data set counting the same; None where none is defined.
    """

    rows: dict[Hashable, ZoneMeans]
    pooled: ZoneMeans
    macro: tuple[float | None, float | None]


def unit_zones(
    zones: Mapping[str, Boxes], page_size: Size, *, dpi: float | None = None
) -> UnitZones:
    """Every pair of annotators of one page.

    Args:
        zones: boxes by annotator; an annotator who drew nothing has an empty list, one who was not
            asked is not among them.

    Raises:
        BoxError: as ``zone_agreement`` does.
    """
    pairs = {
        (a, b): zone_agreement(zones[a], zones[b], page_size, dpi=dpi)
        for a, b in combinations(zones, 2)
    }
    both_drawn = [pair for pair in pairs.values() if pair.kind == "both"]
    return UnitZones(
        pairs,
        iou=mean_of_defined(pair.iou for pair in pairs.values()),
        dice=mean_of_defined(pair.dice for pair in pairs.values()),
        iou_both=mean_of_defined(pair.iou for pair in both_drawn),
        dice_both=mean_of_defined(pair.dice for pair in both_drawn),
    )


def zone_means(units: Iterable[UnitZones]) -> ZoneMeans:
    """Means over units; a unit counts once, however many annotators it had."""
    paired_units = [unit for unit in units if unit.pairs]
    kinds = [unit.kind for unit in paired_units]
    iou = mean_of_defined(unit.iou for unit in paired_units)
    return ZoneMeans(
        iou=iou,
        dice=mean_of_defined(unit.dice for unit in paired_units),
        iou_both=mean_of_defined(unit.iou_both for unit in paired_units),
        dice_both=mean_of_defined(unit.dice_both for unit in paired_units),
        reason="no_defined_pair" if iou is None else None,
        n_units=len(paired_units),
        n_both=kinds.count("both"),
        n_one_empty=kinds.count("one_empty"),
        n_both_empty=kinds.count("both_empty"),
    )


def zone_breakdown(units: Iterable[tuple[Hashable, UnitZones]]) -> ZoneBreakdown:
    """Means of each data set and of all; ``units`` are (data set, unit)."""
    all_units = list(units)
    members: dict[Hashable, list[UnitZones]] = {}
    for name, unit in all_units:
        members.setdefault(name, []).append(unit)
    rows = {name: zone_means(group_units) for name, group_units in members.items()}
    macro = (
        mean_of_defined(row.iou for row in rows.values()),
        mean_of_defined(row.dice for row in rows.values()),
    )
    return ZoneBreakdown(rows, zone_means(unit for _, unit in all_units), macro)


def mean_of_defined(values: Iterable[float | None]) -> float | None:
    """The mean of the values that there are; None without any."""
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None
