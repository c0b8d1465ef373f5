"""What a reviewer chose, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pagetrail.annotation.attempts.submission import Page
from pagetrail.annotation.events.review import Choice, How
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import PART_LABELS
from pagetrail.annotation.review.relevance_marks import grade_field

HOWS: dict[str, tuple[How, ...]] = {
    "question": ("side", "none"),
    "outcome": ("side", "majority"),
    "answer": ("side", "medoid", "variants", "edited", "none"),
    "evidence": ("side", "union", "intersection", "majority", "retention", "pick", "none"),
    "boxes": ("side", "union", "intersection", "medoid", "pick", "none"),
    "field": ("side", "majority", "none"),
    "grade": ("side", "retention", "majority", "none"),
    "table": ("side", "intersection", "pick", "none"),
    "whole": ("side", "none"),
}
"""Ways in which each kind of part can be put together. ``grade``: a scale of pages from 0, not
relevant, upwards; ``table``: of records; ``whole``: a field or a table of boxes."""

Row = tuple[str, str | None, int | None, str]
"""A row of somebody's table: attempt, the page that the table belongs to, and the row's id."""


def ways_of(protocol: Protocol, part: str) -> tuple[How, ...]:
    """The ways of a part, by its name."""
    spec = protocol.field(part)
    if spec is None:
        return HOWS[part]
    if spec.scope == "box":
        return HOWS["whole"]
    if spec.kind == "records":
        return HOWS["table"]
    grades = grade_field(protocol)
    return HOWS["grade" if grades is not None and grades.name == part else "field"]


@dataclass(frozen=True)
class Pick:
    """What a reviewer chose for one part.

    Attributes:
        side: the attempt to follow, where ``how`` is ``side``; of an outcome, an answer or the
            evidence also ``DATASET``, what the task came with.
        sides: those whose answers are accepted, where ``how`` is ``variants``; likewise.
        texts: the accepted answers, where ``how`` is ``edited``.
        pages: of the evidence, where ``how`` is ``pick``.
        boxes: (attempt, box id), where ``how`` is ``pick``.
        rows: of a table, where ``how`` is ``pick``.
        at: page → attempt: another side for some pages of a page's field.
    """

    how: How
    side: str | None = None
    sides: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    pages: tuple[Page, ...] = ()
    boxes: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    at: Mapping[Page, str] | None = None


def tied_parts(choices: Iterable[Choice], protocol: Protocol) -> list[str]:
    """The labels of the parts that a merge left open because of a tie."""
    found = []
    for choice in choices:
        if choice.tied:
            spec = protocol.field(choice.part)
            found.append(spec.label if spec else PART_LABELS[choice.part])
    return found
