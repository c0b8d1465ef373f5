"""Pages of the evidence of the gold from those that several people marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.answer_merging import submission_of
from pagetrail.annotation.review.retention import Retention, marked_pages, retention_of
from pagetrail.annotation.review.selections import Pick


def relevance_votes(submissions: Sequence[Submission]) -> dict[Page, int]:
    """Page → how many people marked it as relevant, in the order of the pages' names."""
    counts = Counter(page for submission in submissions for page in marked_pages(submission))
    return dict(sorted(counts.items()))


def page_retention(
    submissions: Sequence[Submission],
    pick: Pick,
    rule: ReviewPart,
    drafts: Sequence[GoldSubmission] = (),
) -> dict[Page, Retention]:
    """What the retention rule makes of each page that anybody marked, the reviewer too.

    Args:
        pick: by the retention rule, with what the reviewer decided on single pages.
    """
    counts = relevance_votes(submissions)
    reviewer = dict.fromkeys(pick.pages, True) | dict.fromkeys(pick.rejected, False)
    for page, attempt in (pick.at or {}).items():
        submission = submission_of(submissions, attempt, drafts=drafts)
        if page in counts:
            reviewer[page] = page in marked_pages(submission)
    return {
        page: retention_of(counts.get(page, 0), rule.keep, reviewer.get(page))
        for page in sorted({*counts, *reviewer})
    }


def merged_evidence(
    submissions: Sequence[Submission],
    pick: Pick,
    rule: ReviewPart,
    dataset: GoldSubmission | None = None,
    drafts: Sequence[GoldSubmission] = (),
) -> tuple[tuple[ev.KeptPage, ...], list[Page]]:
    """The pages of the evidence, and those that the retention rule leaves to a reviewer.

    Raises:
        Refusal: a picked page that nobody cited.
    """
    counts = relevance_votes(submissions)
    others = [*([dataset] if dataset else []), *drafts]
    pages = (*counts, *(page for other in others for page in other.pages))
    votes = {page: counts.get(page, 0) for page in pages}
    people = len(submissions)
    strange = sorted({*pick.pages, *pick.rejected} - votes.keys())
    if strange:
        raise Refusal(
            gettext(
                "Nobody cited page {page} of {document}. Add pages in the workspace.",
                page=strange[0][1],
                document=strange[0][0],
            ),
            code="unknown_page",
            field="evidence",
        )
    kept_pages: set[Page]
    undecided: list[Page] = []
    match pick.how:
        case "side":
            kept_pages = set(submission_of(submissions, pick.side, dataset, drafts).pages)
        case "union":
            kept_pages = set(counts)
        case "intersection":
            kept_pages = {page for page, n in counts.items() if n == people}
        case "majority":
            kept_pages = {page for page, n in counts.items() if 2 * n > people}
        case "retention":
            retention = page_retention(submissions, pick, rule, drafts)
            kept_pages = {page for page, status in retention.items() if status == "retained"}
            undecided = [page for page, status in retention.items() if status == "open"]
        case "pick":
            kept_pages = set(pick.pages)
        case _:
            kept_pages = set()
    by_rule = pick.how == "retention"
    kept = tuple(
        ev.KeptPage(
            document=page[0],
            page=page[1],
            annotators=n,
            reviewer=not by_rule or page in pick.pages,
        )
        for page, n in votes.items()
        if page in kept_pages
    )
    return kept, undecided
