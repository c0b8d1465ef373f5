"""Pages of the evidence of the gold from those that several people marked.

Retention rule (ViDoRe V3; docs/metrics.md, Review): a page stays relevant when at least ``keep``
annotators marked it, or one annotator and one reviewer did. Marking is citing, or grading above 0.
A page that stays gets the grade that most of those who marked it gave, the lower one of two given
as often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.answer_merging import submission_of
from pagetrail.annotation.review.relevance_marks import marked_pages
from pagetrail.annotation.review.selections import Pick


def marked(submissions: Sequence[Submission]) -> dict[Page, int]:
    """Page → how many people marked it as relevant, in the order of the pages' names."""
    counts = Counter(page for submission in submissions for page in marked_pages(submission))
    return dict(sorted(counts.items()))


def retained(submissions: Sequence[Submission], rule: ReviewPart) -> set[Page]:
    """The pages that stay without a reviewer.

    With fewer people than the rule asks for, what all of them marked is all there can be.
    """
    least = min(rule.keep, max(1, len(submissions)))
    return {page for page, n in marked(submissions).items() if n >= least}


def merged_evidence(
    submissions: Sequence[Submission],
    pick: Pick,
    rule: ReviewPart,
    dataset: GoldSubmission | None = None,
) -> tuple[ev.KeptPage, ...]:
    counts = marked(submissions)
    known = {page: counts.get(page, 0) for page in (*counts, *(dataset.pages if dataset else ()))}
    people = len(submissions)
    chosen: set[Page]
    match pick.how:
        case "side":
            chosen = set(submission_of(submissions, pick.side, dataset).pages)
        case "union":
            chosen = set(counts)
        case "intersection":
            chosen = {page for page, n in counts.items() if n == people}
        case "majority":
            chosen = {page for page, n in counts.items() if 2 * n > people}
        case "retention":
            chosen = retained(submissions, rule)
        case "pick":
            chosen = set(pick.pages)
            strange = sorted(chosen - known.keys())
            if strange:
                raise Refusal(
                    f"Nobody cited page {strange[0][1]} of {strange[0][0]}. Add pages in the "
                    "workspace.",
                    code="unknown_page",
                    field="evidence",
                )
        case _:
            chosen = set()
    reviewed = pick.how != "retention"
    return tuple(
        ev.KeptPage(document=page[0], page=page[1], annotators=n, reviewer=reviewed)
        for page, n in known.items()
        if page in chosen
    )
