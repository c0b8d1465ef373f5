"""The retention rule: which pages stay relevant, by who marked them (ViDoRe V3, section 3.3).

A page that nobody marked is dropped; one that at least ``keep`` annotators marked is retained.
Anything between is open until a reviewer marks or rejects it: one annotator and a reviewer retain a
page. Marking is citing, or grading above 0. Review and exports read the rule here
(docs/metrics.md, Review).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.protocols.fields import FieldSpec, Option, token
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.ties import values_agree

Retention = Literal["retained", "dropped", "open"]


def retention_of(marks: int, keep: int, reviewer: bool | None = None) -> Retention:
    """What the rule makes of a page.

    Args:
        marks: annotators who marked the page.
        keep: annotators who are enough without a reviewer.
        reviewer: whether the reviewer marked it (True) or rejected it; None before either.
    """
    if reviewer is not None:
        return "retained" if reviewer else "dropped"
    if marks == 0:
        return "dropped"
    return "retained" if marks >= keep else "open"


def retained_grade(marks: Sequence[Option], spec: FieldSpec, rule: ReviewPart) -> Option | None:
    """The grade of a retained page: the one that more than half of those who marked it gave.

    Without such a majority, grades that differ by no more than the campaign's rule allows count as
    the same, and the lowest is taken; otherwise None: the page is open.

    Args:
        marks: the options above 0 that were chosen, one per annotator who marked the page.
    """
    if not marks:
        return None
    by_value = {option.value: option for option in marks}
    value, votes = Counter(option.value for option in marks).most_common(1)[0]
    if 2 * votes > len(marks):
        return by_value[value]
    grades = sorted(by_value.values(), key=lambda option: option.code or 0.0)
    agree = all(values_agree(spec, rule, a.value, b.value) for a, b in combinations(grades, 2))
    return grades[0] if agree else None


def grade_field(protocol: Protocol) -> FieldSpec | None:
    """The scale on which pages are graded from 0, not relevant, upwards; the first there is."""
    return next(
        (
            spec
            for spec in protocol.scoped("page")
            if spec.kind == "ordinal" and min(option.code or 0.0 for option in spec.options) == 0
        ),
        None,
    )


def marked_pages(submission: Submission) -> frozenset[Page]:
    """The pages cited, or where none are asked for those graded above 0; none once it has ended."""
    if submission.form.protocol.evidence.enabled:
        return frozenset(submission.pages)
    spec = grade_field(submission.form.protocol)
    if spec is None:
        return frozenset()
    return frozenset(
        (target.document, target.page)
        for target in submission.targets(spec)
        if target.document is not None
        and target.page is not None
        and grade(submission, spec, target) > 0
    )


def grade(submission: Submission, spec: FieldSpec, target: Target) -> float:
    """The grade's number; 0 where there is none."""
    value = submission.value(spec, target)
    option = next((o for o in spec.options if value is not None and o.value == token(value)), None)
    return 0.0 if option is None else option.code or 0.0
