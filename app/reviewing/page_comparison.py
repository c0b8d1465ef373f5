"""Where participants' marks and boxes of a task differ, page by page, as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Submission
from pagetrail.annotation.review.evidence_merging import marked, retained
from pagetrail.annotation.review.relevance_marks import marked_pages

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def marked_evidence(sides: Sequence[Submission], rule: ReviewPart) -> list[dict[str, Any]]:
    """Every page that anybody marked, and what the retention rule makes of it."""
    stay = retained(sides, rule)
    found = []
    for (document, page), n in marked(sides).items():
        people = f"{_NUMBERS[n] if n < len(_NUMBERS) else n} annotator{'' if n == 1 else 's'}"
        kept = (document, page) in stay
        found.append(
            {
                "document": document,
                "page": page,
                "by": [s.attempt for s in sides if (document, page) in marked_pages(s)],
                "annotators": n,
                "kept": kept,
                "why": f"kept: {people}" if kept else f"{people}: stays if you mark it too",
            }
        )
    return found


def zone_overlaps(sides: Sequence[Submission], size_of: PageSizeOf) -> list[dict[str, Any]]:
    """IoU and Dice of every two people's boxes, page by page."""
    pages = sorted({(b.document, b.page) for side in sides for b in side.boxes})
    found = []
    for document, page in pages:
        on = {s.attempt: [b.rect for b in s.boxes_on((document, page))] for s in sides}
        pairs, overlaps = [], []
        for a, b in combinations(on, 2):
            zone = zone_agreement(on[a], on[b], size_of(document, page))
            overlaps.append(zone)
            pairs.append({"a": a, "b": b, "iou": zone.iou, "dice": zone.dice})
        found.append(
            {
                "document": document,
                "page": page,
                "pairs": pairs,
                "iou": _mean(zone.iou for zone in overlaps),
                "dice": _mean(zone.dice for zone in overlaps),
            }
        )
    return found


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
