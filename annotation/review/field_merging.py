"""Values of fields of the gold, and rows of tables, from those of several people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import FieldValue, RecordRow
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import row_overlap, value_distance
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.normalised_text import normalised_tokens
from pagetrail.annotation.protocols.fields import FieldSpec, Value, token
from pagetrail.annotation.protocols.review_parts import is_remark
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.answer_merging import submission_of
from pagetrail.annotation.review.retention import Retention, retained_grade
from pagetrail.annotation.review.selections import Pick, Row
from pagetrail.annotation.review.ties import break_tie, most_given, values_agree

Tie = tuple[FieldSpec, Target]
"""A field, and of what, that has no value because people's values tie."""

_ROUNDING = 1e-9


def merged_fields(
    submissions: Sequence[Submission],
    picks: Mapping[str, Pick],
    rule: ReviewPart,
    retention: Mapping[Page, Retention],
    drafts: Sequence[GoldSubmission] = (),
    proposed: Mapping[str, Pick] | None = None,
) -> tuple[list[ev.GoldValue], list[Tie]]:
    """Values of the task and of pages, as they are stored, so that conditions are met again.

    Args:
        retention: what the retention rule makes of pages; those that it does not name are dropped.
        drafts: that can be followed.
        proposed: how each part is merged by default, also where a followed draft states nothing.
    """
    values: list[ev.GoldValue] = []
    ties: list[Tie] = []
    for spec in submissions[0].form.protocol.fields if submissions else ():
        pick = picks[spec.name]
        if spec.scope == "box" or spec.kind == "records" or pick.how == "none":
            continue
        so_far = merged_form(submissions[0].form, values)
        followed = {pick.side, *(pick.at or {}).values()}
        versions = [*submissions, *(draft for draft in drafts if draft.attempt in followed)]
        for target in dict.fromkeys(
            target for submission in versions for target in submission.targets(spec)
        ):
            of_target = _without_silent_drafts(pick, spec, target, drafts, proposed or {})
            value, tied = _merged_value(
                submissions, of_target, target, spec, rule, retention, so_far, drafts
            )
            if tied:
                ties.append((spec, target))
            if value is not None:
                values.append(
                    ev.GoldValue(
                        field=spec.name, document=target.document, page=target.page, value=value
                    )
                )
    return values, ties


def _without_silent_drafts(
    pick: Pick,
    spec: FieldSpec,
    target: Target,
    drafts: Sequence[GoldSubmission],
    proposed: Mapping[str, Pick],
) -> Pick:
    """The pick; the proposed way if it follows a draft that says nothing of the target."""
    silent = {draft.attempt for draft in drafts if target not in draft.targets(spec)}
    if silent & {*(pick.at or {}).values()}:
        at = {page: key for page, key in (pick.at or {}).items() if key not in silent}
        pick = replace(pick, at=at)
    if pick.how == "side" and pick.side in silent:
        return replace(proposed.get(spec.name, Pick("none")), at=pick.at)
    return pick


def _merged_value(
    submissions: Sequence[Submission],
    pick: Pick,
    target: Target,
    spec: FieldSpec,
    rule: ReviewPart,
    retention: Mapping[Page, Retention],
    gold: Form,
    drafts: Sequence[GoldSubmission] = (),
) -> tuple[Value, bool]:
    """The value, and whether there is none because of a tie.

    Args:
        gold: over the fields before this one. Where they offer some of the options only, the others
            are no vote: who graded a page 0 has no say in what is on it.
    """
    page = (target.document or "", target.page or 0)
    at = (pick.at or {}).get(page)
    if at is not None or pick.how == "side":
        return submission_of(submissions, at or pick.side, drafts=drafts).value(spec, target), False
    all_values = [submission.value(spec, target) for submission in submissions]
    if pick.how == "retention":
        status = retention.get(page, "dropped")
        grade = _grade_by_retention(all_values, spec, status, rule)
        return grade, grade is None and any(value is not None for value in all_values)
    values = [value for value in all_values if value is not None]
    if spec.rules.takes_options and gold.is_asked(spec, target):
        offered_options = {option.value for option in gold.options(spec, target)}
        values = [
            left for value in values if (left := _offered_part(value, offered_options)) is not None
        ]

    def values_equal(a: Value, b: Value) -> bool:
        return value_distance(spec, a, b) == 0

    def agree(a: Value, b: Value) -> bool:
        return values_agree(spec, rule, a, b)

    def content(value: Value) -> object:
        option = spec.option(value) if spec.kind == "ordinal" else None
        return (0.0 if option is None else option.code or 0.0, value)

    value = break_tie(most_given(values, values_equal), agree, content)
    # Comments may differ without disagreement; then the gold has none.
    return value, value is None and bool(values) and not is_remark(spec)


def merged_form(form: Form, values: Sequence[ev.GoldValue]) -> Form:
    """The protocol's questions over merged values."""
    stored = tuple(FieldValue(**value.model_dump(), seq=0) for value in values)
    return Form(form.protocol, AttemptState(fields=stored), form.given)


def _offered_part(value: Value, offered_options: set[str]) -> Value:
    """What of the value is offered; None where nothing is."""
    if isinstance(value, tuple):
        return tuple(item for item in value if item in offered_options) or None
    return value if token(value) in offered_options else None


def _grade_by_retention(
    values: Sequence[Value], spec: FieldSpec, status: Retention, rule: ReviewPart
) -> Value:
    """A page's grade by the retention rule; None where the page is open, or nobody graded it."""
    options = [option for value in values if (option := spec.option(value)) is not None]
    if not options or status == "open":
        return None
    marks = [option for option in options if (option.code or 0.0) > 0]
    if status == "dropped" or not marks:  # cited, and graded 0 all the same
        return min(spec.options, key=lambda option: option.code or 0.0).value
    grade = retained_grade(marks, spec, rule)
    return None if grade is None else grade.value


def side_of_table(submissions: Sequence[Submission], spec: FieldSpec) -> Pick:
    """The person whose table most others have too; nobody where that is a tie."""

    def tables_match(a: Submission, b: Submission) -> bool:
        score = row_overlap(spec, a, b).f1
        return score is None or score >= 1 - _ROUNDING

    def content(submission: Submission) -> object:
        return [(target, sorted(row.values.items())) for target, row in submission.rows(spec)]

    leader = break_tie(most_given(submissions, tables_match), tables_match, content)
    return Pick("none") if leader is None else Pick("side", leader.attempt)


_NumberedRow = tuple[int, Target, RecordRow]


def merged_rows(submissions: Sequence[Submission], picks: Mapping[str, Pick]) -> list[ev.GoldRow]:
    """Rows of the task's and the pages' tables: one person's, those in common, or picked ones.

    Rows are in common if their cells are equal and, for a model's row, their ids. A model's row
    keeps its id, so that the model's cells stay with it; the id of a row that somebody added begins
    with the number of its submission, unless the whole table is taken.

    Raises:
        Refusal: a picked row that is not there.
    """
    merged: list[ev.GoldRow] = []
    for spec in submissions[0].form.protocol.fields if submissions else ():
        pick = picks[spec.name]
        if spec.kind != "records" or spec.scope == "box":
            continue
        match pick.how:
            case "side":
                submission = next(
                    submission for submission in submissions if submission.attempt == pick.side
                )
                merged += [
                    _gold_row(spec, target, row, row.row) for target, row in submission.rows(spec)
                ]
            case "intersection":
                merged += [
                    _merged_row(spec, numbered_row)
                    for numbered_row in _common_rows(submissions, spec)
                ]
            case "pick":
                picked_rows = {}
                for choice in pick.rows:
                    index, target, row = _picked_row(submissions, spec, choice)
                    # Of a model's row one version is in the gold: the last pick wins.
                    picked_rows[target, _gold_id(index, row)] = (index, target, row)
                merged += [_merged_row(spec, numbered_row) for numbered_row in picked_rows.values()]
            case _:
                pass
    return merged


def _common_rows(submissions: Sequence[Submission], spec: FieldSpec) -> Iterator[_NumberedRow]:
    """A row for each that everybody has, in the order of the tables.

    Of equal versions the choice depends on their content, not on who wrote them.
    """
    tables = [_by_content(index, submission, spec) for index, submission in enumerate(submissions)]
    shared = [key for key in tables[0] if all(key in table for table in tables)]
    order = {key: min(list(table).index(key) for table in tables) for key in shared}
    for key in sorted(shared, key=lambda key: (order[key], repr(key))):
        yield min(
            (table[key] for table in tables), key=lambda numbered_row: repr(numbered_row[2].values)
        )


def _by_content(index: int, submission: Submission, spec: FieldSpec) -> dict[object, _NumberedRow]:
    """What each row says → the row; a row that is there twice has a number after the first."""
    occurrences = Counter[object]()
    rows_by_content: dict[object, _NumberedRow] = {}
    for target, row in submission.rows(spec):
        cells = tuple(normalised_tokens(row.values.get(column.name, "")) for column in spec.columns)
        content = (target, row.row if row.model is not None else "", cells)
        occurrences[content] += 1
        rows_by_content[(content, occurrences[content])] = (index, target, row)
    return rows_by_content


def _picked_row(submissions: Sequence[Submission], spec: FieldSpec, choice: Row) -> _NumberedRow:
    attempt, document, page, id_ = choice
    for index, submission in enumerate(submissions):
        if submission.attempt == attempt:
            for target, row in submission.rows(spec):
                if (target.document, target.page, row.row) == (document, page, id_):
                    return index, target, row
    raise Refusal(gettext("A chosen row no longer exists."), code="unknown_row", field=spec.name)


def _gold_id(index: int, row: RecordRow) -> str:
    return row.row if row.model is not None else f"g{index}-{row.row}"[:100]


def _merged_row(spec: FieldSpec, numbered_row: _NumberedRow) -> ev.GoldRow:
    index, target, row = numbered_row
    return _gold_row(spec, target, row, _gold_id(index, row))


def _gold_row(spec: FieldSpec, target: Target, row: RecordRow, id_: str) -> ev.GoldRow:
    return ev.GoldRow(
        field=spec.name,
        document=target.document,
        page=target.page,
        row=id_,
        values=row.values,
    )
