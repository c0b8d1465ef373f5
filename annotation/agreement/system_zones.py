"""How boxes that a system drew agree with those of people on one page (ViDoRe V3, section 4.3).

The system's zone is compared with that of each annotator by itself, as two annotators' zones are
(``zones``); the best match counts, since people may mark different regions for the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.agreement.zone_means import mean_of_defined, unit_zones
from pagetrail.annotation.agreement.zones import Boxes, Size, zone_agreement

Marked = Literal["both", "neither", "system_only", "people_only"]
MARKED: tuple[Marked, ...] = ("both", "neither", "system_only", "people_only")
"""Who marked a page, in the order of the paper's table 4."""


@dataclass(frozen=True, slots=True)
class SystemZone:
    """A system's zone on a page against those of the annotators.

    Attributes:
        marked: by the system, by any annotator, by both or neither.
        dice, iou: against each annotator, in their order; None where neither drew anything.
        people_dice: mean Dice of the annotators' pairs; None where no pair has one.
    """

    marked: Marked
    dice: tuple[float | None, ...]
    iou: tuple[float | None, ...]
    people_dice: float | None

    @property
    def best_dice(self) -> float | None:
        """The highest Dice; None where nobody drew anything."""
        return max((value for value in self.dice if value is not None), default=None)

    @property
    def best_iou(self) -> float | None:
        """The highest IoU; likewise."""
        return max((value for value in self.iou if value is not None), default=None)

    @property
    def mean_dice(self) -> float | None:
        """The mean over annotators; likewise."""
        return mean_of_defined(self.dice)


def system_zone(
    system: Boxes, people: Mapping[str, Boxes], page_size: Size, *, dpi: float | None = None
) -> SystemZone:
    """Compare a system's boxes on a page with those of each annotator.

    Args:
        people: boxes by annotator, empty where they drew nothing.

    Raises:
        BoxError: as ``zone_agreement`` does.
    """
    pairs = [zone_agreement(system, boxes, page_size, dpi=dpi) for boxes in people.values()]
    system_drew = any(pair.area_a for pair in pairs)
    people_drew = any(pair.area_b for pair in pairs)
    marked: Marked = "both" if system_drew and people_drew else "neither"
    if system_drew != people_drew:
        marked = "system_only" if system_drew else "people_only"
    return SystemZone(
        marked,
        tuple(pair.dice for pair in pairs),
        tuple(pair.iou for pair in pairs),
        unit_zones(people, page_size, dpi=dpi).dice,
    )


def best_annotator(pages: Sequence[SystemZone]) -> float | None:
    """The highest mean Dice over a task's pages against one annotator; None where none has one.

    The pages must have the same annotators in the same order.
    """
    by_annotator = zip(*(page.dice for page in pages), strict=True)
    means = [mean_of_defined(values) for values in by_annotator]
    return max((value for value in means if value is not None), default=None)
