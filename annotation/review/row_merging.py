"""Rows of tables of records of the gold from those of several people.

Ids, as of boxes: a model's row keeps its own, so that the model's cells stay with it; a row that
somebody added gets the number of its submission before its id, unless a whole table is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.normalised_text import normalised_tokens
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.review.selections import Pick, Row

_NumberedRow = tuple[int, Target, RecordRow]


def merged_rows(submissions: Sequence[Submission], picks: Mapping[str, Pick]) -> list[ev.GoldRow]:
    """The rows of the tables of the task and of pages.

    Of one person, those that all have (what they say, and of a model's also which row it is), or
    one by one.

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

    Of versions that say the same one is taken by its content, whoever wrote it.
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
    raise Refusal("A chosen row no longer exists.", code="unknown_row", field=spec.name)


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
