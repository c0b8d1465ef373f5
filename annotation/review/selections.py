"""What a reviewer chose, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.attempts.completeness import named_places
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page
from pagetrail.annotation.events.review import Choice, MergeMethod, PageDecision, TextDecision
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import PART_LABELS
from pagetrail.annotation.review.retention import grade_field
from pagetrail.annotation.sentences import sentence

HOWS: dict[str, tuple[MergeMethod, ...]] = {
    "question": ("side", "none"),
    "outcome": ("side", "majority"),
    "answer": ("side", "medoid", "variants", "edited", "none"),
    "evidence": ("side", "union", "intersection", "majority", "retention", "pick", "none"),
    "boxes": ("side", "union", "intersection", "medoid", "pick", "none"),
    "field": ("side", "majority", "none"),
    "grade": ("side", "retention", "majority", "none"),
    "table": ("side", "intersection", "pick", "none"),
    "transcript": ("side", "pick", "none"),
    "tables": ("side", "pick", "none"),
    "whole": ("side", "none"),
}
"""Ways in which each kind of part can be put together. ``grade``: a scale of pages from 0, not
relevant, upwards; ``table``: of records; ``whole``: a field or a table of boxes."""

Row = tuple[str, str | None, int | None, str]
"""A row of somebody's table: attempt, the page that the table belongs to, and the row's id."""


def ways_of(protocol: Protocol, part: str) -> tuple[MergeMethod, ...]:
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
        pages: of the evidence, where ``how`` is ``pick``; where it is ``retention``, pages that the
            reviewer marked.
        rejected: pages that the reviewer rejected, where ``how`` is ``retention``.
        boxes: (attempt, box id), where ``how`` is ``pick``.
        rows: of a table, where ``how`` is ``pick``.
        at: page → attempt: another side for some pages of a page's field.
        text_decisions: of a transcript or tables, where ``how`` is ``pick``: the differences that
            are decided, first between two ``sides``, then between what was merged of them and the
            next side.
    """

    how: MergeMethod
    side: str | None = None
    sides: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    pages: tuple[Page, ...] = ()
    rejected: tuple[Page, ...] = ()
    boxes: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    at: Mapping[Page, str] | None = None
    text_decisions: tuple[TextDecision, ...] = ()


def page_decisions(pick: Pick) -> tuple[PageDecision, ...]:
    """What a pick says of single pages, as it is stored with the choice."""
    decisions: dict[Page, tuple[Literal["marked", "rejected", "side"], str | None]] = {}
    if pick.how == "retention":
        decisions |= {page: ("marked", None) for page in pick.pages}
        decisions |= {page: ("rejected", None) for page in pick.rejected}
    decisions |= {page: ("side", attempt) for page, attempt in (pick.at or {}).items()}
    return tuple(
        PageDecision(document=document, page=page, decision=decision, side=attempt)
        for (document, page), (decision, attempt) in sorted(decisions.items())
    )


def stored_pick(choice: Choice) -> Pick:
    """The pick of a choice by the retention rule, as page_decisions stored it."""

    def pages(decision: str) -> dict[Page, str | None]:
        return {
            (p.document, p.page): p.side for p in choice.page_decisions if p.decision == decision
        }

    return Pick(
        "retention",
        pages=tuple(pages("marked")),
        rejected=tuple(pages("rejected")),
        at={page: attempt for page, attempt in pages("side").items() if attempt is not None},
    )


def open_page_sentences(choices: Iterable[Choice], protocol: Protocol) -> dict[str, str]:
    """Part → which pages the retention rule leaves to a reviewer, of the parts with such pages."""
    sentences = {}
    for choice in choices:
        if choice.open_pages:
            spec = protocol.field(choice.part)
            sentences[choice.part] = sentence(
                "open_page" if len(choice.open_pages) == 1 else "open_pages",
                label=spec.label if spec else gettext(PART_LABELS[choice.part]),
                places=named_places([Target(p.document, p.page) for p in choice.open_pages]),
            )
    return sentences


def tied_parts(choices: Iterable[Choice], protocol: Protocol) -> list[str]:
    """The labels of the parts that a merge left open because of a tie."""
    labels = []
    for choice in choices:
        if choice.tied:
            spec = protocol.field(choice.part)
            labels.append(spec.label if spec else gettext(PART_LABELS[choice.part]))
    return labels
