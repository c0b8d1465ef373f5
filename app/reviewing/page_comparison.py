"""Where participants' marks and boxes of a task differ, page by page, as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from typing_extensions import TypedDict

from pagetrail.annotation.agreement import unit_zones
from pagetrail.annotation.attempts.submission import Page
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.events.review import Choice
from pagetrail.annotation.json_types import PageReference
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Submission
from pagetrail.annotation.review.evidence_merging import page_retention, relevance_votes
from pagetrail.annotation.review.retention import Retention, marked_pages
from pagetrail.annotation.review.selections import open_page_sentences, stored_pick

_NUMBERS = (
    N_("no"),
    N_("one"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
)
_RETENTION = {"retained": N_("retained"), "dropped": N_("dropped"), "open": N_("open")}


class MarkedPage(PageReference):
    """A page that somebody marked: the attempts that did, and how many count."""

    attempts: list[str]
    annotators: int


class PageRule(PageReference):
    """What the retention rule did on a page of a part.

    Attributes:
        graded: whether it is open because no grade has a majority.
        reviewer: whether the reviewer marked it; None before they decided it.
        reason: a sentence.
    """

    part: str
    status: Retention
    graded: bool
    reviewer: bool | None
    reason: str


class RetainedPages(TypedDict):
    """What the retention rule did with a draft's pages; ``open_pages`` has a sentence per part."""

    open_pages: dict[str, str]
    page_rules: list[PageRule]


class ZonePair(TypedDict):
    """The overlap of two attempts' boxes on a page; None where there is nothing to compare."""

    a: str
    b: str
    iou: float | None
    dice: float | None


class ZoneOverlap(PageReference):
    """The overlap of every two people's boxes on a page, and the mean over the pairs."""

    pairs: list[ZonePair]
    iou: float | None
    dice: float | None


def marked_pages_json(submissions: Sequence[Submission]) -> list[MarkedPage]:
    """Every page that anybody marked, and who did."""
    return [
        {
            "document": document,
            "page": page,
            "attempts": [s.attempt for s in submissions if (document, page) in marked_pages(s)],
            "annotators": n,
        }
        for (document, page), n in relevance_votes(submissions).items()
    ]


def retention_json(
    protocol: Protocol, choices: Sequence[Choice], submissions: Sequence[Submission]
) -> RetainedPages:
    """What the retention rule did with a draft's pages, for the screen."""
    return {
        "open_pages": open_page_sentences(choices, protocol),
        "page_rules": page_rules(submissions, protocol.review, choices),
    }


def page_rules(
    submissions: Sequence[Submission], rule: ReviewPart, choices: Iterable[Choice]
) -> list[PageRule]:
    """What the retention rule did on each page of the parts that follow it, and why."""
    counts = relevance_votes(submissions)
    rules: list[PageRule] = []
    for choice in choices:
        if choice.how != "retention":
            continue
        retention = page_retention(submissions, stored_pick(choice), rule)
        graded: dict[Page, Retention] = dict.fromkeys(
            _graded_pages(submissions, choice.part), "dropped"
        )
        decisions = {(p.document, p.page): p.decision for p in choice.page_decisions}
        undecided = {(p.document, p.page) for p in choice.open_pages}
        for page, by_rule in sorted((graded | retention).items()):
            status: Retention = "open" if page in undecided else by_rule
            reviewer = (by_rule == "retained") if page in decisions else None
            rules.append(
                {
                    "part": choice.part,
                    "document": page[0],
                    "page": page[1],
                    "status": status,
                    "graded": status == "open" and by_rule == "retained",
                    "reviewer": reviewer,
                    "reason": _reason(
                        counts.get(page, 0), len(submissions), by_rule, status, reviewer
                    ),
                }
            )
    return rules


def _graded_pages(submissions: Sequence[Submission], part: str) -> set[Page]:
    """The pages with a value of a page's field from anybody; none where the part is no field."""
    return {
        (target.document, target.page)
        for submission in submissions
        if (spec := submission.form.protocol.field(part)) is not None
        for target in submission.targets(spec)
        if target.document and target.page and submission.value(spec, target) is not None
    }


def _reason(n: int, people: int, by_rule: str, status: str, reviewer: bool | None) -> str:
    marks = (
        ngettext(
            "{number} annotator marked it",
            "{number} annotators marked it",
            n,
            number=_number(n),
        )
        if n
        else gettext("nobody marked it")
    )
    if status == "open":
        if by_rule == "retained":
            return gettext("open: {marks}, and no grade has a majority", marks=marks)
        if people == 1:
            return gettext("open: the only annotator marked it")
        return ngettext(
            "open: {marks} of {number} annotator marked it",
            "open: {marks} of {number} annotators marked it",
            people,
            marks=_number(n),
            number=_number(people),
        )
    if reviewer is None:
        return f"{gettext(_RETENTION[by_rule])}: {marks}"
    if not reviewer:
        return gettext("rejected by the reviewer")
    return ngettext(
        "retained: {number} annotator and the reviewer",
        "retained: {number} annotators and the reviewer",
        n,
        number=_number(n),
    )


def _number(n: int) -> str:
    return gettext(_NUMBERS[n]) if n < len(_NUMBERS) else str(n)


def zone_overlaps(submissions: Sequence[Submission], size_of: PageSizeOf) -> list[ZoneOverlap]:
    """IoU and Dice of every two people's boxes, page by page, as agreement reports count them.

    Whoever ended the task early has no zones, not even empty ones (docs/metrics.md, Boxes).
    """
    drawers = [submission for submission in submissions if not submission.form.ended]
    pages = sorted({(box.document, box.page) for drawer in drawers for box in drawer.boxes})
    overlaps: list[ZoneOverlap] = []
    for document, page in pages:
        boxes_of = {s.attempt: [box.rect for box in s.boxes_on((document, page))] for s in drawers}
        zones = unit_zones(boxes_of, size_of(document, page))
        overlaps.append(
            {
                "document": document,
                "page": page,
                "pairs": [
                    {"a": a, "b": b, "iou": pair.iou, "dice": pair.dice}
                    for (a, b), pair in zones.pairs.items()
                ],
                "iou": zones.iou,
                "dice": zones.dice,
            }
        )
    return overlaps
