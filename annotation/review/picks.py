"""What a reviewer chose, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.review_events import How

Page = tuple[str, int]
HOWS: dict[str, tuple[How, ...]] = {
    "question": ("side", "none"),
    "outcome": ("side", "majority"),
    "answer": ("side", "medoid", "none"),
    "evidence": ("side", "union", "intersection", "majority", "retention", "pick", "none"),
    "boxes": ("side", "union", "intersection", "medoid", "pick", "none"),
    "field": ("side", "majority", "none"),
}
"""Ways in which each kind of part can be put together; a table of records only as a side."""


@dataclass(frozen=True)
class Pick:
    """What a reviewer chose for one part.

    Attributes:
        side: attempt that is followed, where ``how`` is ``side``.
        pages: of the evidence, where ``how`` is ``pick``.
        boxes: (attempt, box id), where ``how`` is ``pick``.
        at: page → attempt: another side for some pages of a page's field.
    """

    how: How
    side: str | None = None
    pages: tuple[Page, ...] = ()
    boxes: tuple[tuple[str, str], ...] = ()
    at: Mapping[Page, str] | None = None
