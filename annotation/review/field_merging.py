"""Values of fields of the gold from those of several people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import FieldValue
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.measures import row_overlap, value_distance
from pagetrail.annotation.protocols.fields import FieldSpec, Value, token
from pagetrail.annotation.protocols.review_parts import is_remark
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.retention import Retention, retained_grade
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.ties import most_given, settled, values_agree

Tie = tuple[FieldSpec, Target]
"""A field, and of what, that has no value because people's values tie."""

_ROUNDING = 1e-9


def merged_fields(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    rule: ReviewPart,
    retention: Mapping[Page, Retention],
) -> tuple[list[ev.GoldValue], list[Tie]]:
    """Values of the task and of pages, as they are stored, so that conditions are met again.

    Args:
        retention: what the retention rule makes of pages; those that it does not name are dropped.
    """
    found: list[ev.GoldValue] = []
    ties: list[Tie] = []
    for spec in submissions[0].form.protocol.fields if submissions else ():
        pick = picks[spec.name]
        if spec.scope == "box" or spec.kind == "records" or pick.how == "none":
            continue
        so_far = merged_form(submissions[0].form, found)
        for target in dict.fromkeys(t for work in submissions for t in work.targets(spec)):
            value, tied = _merged_value(submissions, pick, target, spec, rule, retention, so_far)
            if tied:
                ties.append((spec, target))
            if value is not None:
                found.append(
                    ev.GoldValue(
                        field=spec.name, document=target.document, page=target.page, value=value
                    )
                )
    return found, ties


def _merged_value(
    submissions: Sequence[Submission],
    pick: Pick,
    target: Target,
    spec: FieldSpec,
    rule: ReviewPart,
    retention: Mapping[Page, Retention],
    gold: Form,
) -> tuple[Value, bool]:
    """The value, and whether there is none because of a tie.

    Args:
        gold: over the fields before this one. Where they offer some of the options only, the others
            are no vote: who graded a page 0 has no say in what is on it.
    """
    page = (target.document or "", target.page or 0)
    at = (pick.at or {}).get(page)
    if at is not None or pick.how == "side":
        attempt = at or pick.side
        side = next(work for work in submissions if work.attempt == attempt)
        return side.value(spec, target), False
    given = [work.value(spec, target) for work in submissions]
    if pick.how == "retention":
        status = retention.get(page, "dropped")
        grade = _grade_by_retention(given, spec, status, rule)
        return grade, grade is None and any(value is not None for value in given)
    values = [value for value in given if value is not None]
    if spec.rules.takes_options and gold.asked(spec, target):
        offered = {option.value for option in gold.options(spec, target)}
        values = [left for value in values if (left := _among(value, offered)) is not None]

    def same(a: Value, b: Value) -> bool:
        return value_distance(spec, a, b) == 0

    def agree(a: Value, b: Value) -> bool:
        return values_agree(spec, rule, a, b)

    def content(value: Value) -> object:
        option = spec.option(value) if spec.kind == "ordinal" else None
        return (0.0 if option is None else option.code or 0.0, value)

    value = settled(most_given(values, same), agree, content)
    # Nobody disagrees who remarks on something else: then there is no remark in the gold.
    return value, value is None and bool(values) and not is_remark(spec)


def merged_form(form: Form, values: Sequence[ev.GoldValue]) -> Form:
    """The protocol's questions over merged values."""
    stored = tuple(FieldValue(**value.model_dump(), seq=0) for value in values)
    return Form(form.protocol, AttemptState(fields=stored), form.given)


def _among(value: Value, offered: set[str]) -> Value:
    """What of the value is offered; None where nothing is."""
    if isinstance(value, tuple):
        return tuple(item for item in value if item in offered) or None
    return value if token(value) in offered else None


def _grade_by_retention(
    given: Sequence[Value], spec: FieldSpec, status: Retention, rule: ReviewPart
) -> Value:
    """A page's grade by the retention rule; None where the page is open, or nobody graded it."""
    chosen = [option for value in given if (option := spec.option(value)) is not None]
    if not chosen or status == "open":
        return None
    marks = [option for option in chosen if (option.code or 0.0) > 0]
    if status == "dropped" or not marks:  # cited, and graded 0 all the same
        return min(spec.options, key=lambda option: option.code or 0.0).value
    grade = retained_grade(marks, spec, rule)
    return None if grade is None else grade.value


def side_of_table(submissions: Sequence[Submission], spec: FieldSpec) -> Pick:
    """The person whose table most others have too; nobody where that is a tie."""

    def same(a: Submission, b: Submission) -> bool:
        score = row_overlap(spec, a, b).f1
        return score is None or score >= 1 - _ROUNDING

    def content(work: Submission) -> object:
        return [(target, sorted(row.values.items())) for target, row in work.rows(spec)]

    side = settled(most_given(submissions, same), same, content)
    return Pick("none") if side is None else Pick("side", side.attempt)
