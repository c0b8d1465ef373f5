"""Which pages somebody marked as relevant: by citing them, or by grading them above 0."""

from __future__ import annotations

from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.protocols.fields import FieldSpec, token
from pagetrail.annotation.protocols.protocol import Protocol


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
