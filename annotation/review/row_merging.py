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
    found: list[ev.GoldRow] = []
    for spec in submissions[0].form.protocol.fields if submissions else ():
        pick = picks[spec.name]
        if spec.kind != "records" or spec.scope == "box":
            continue
        match pick.how:
            case "side":
                side = next(work for work in submissions if work.attempt == pick.side)
                found += [_gold_row(spec, target, row, row.row) for target, row in side.rows(spec)]
            case "intersection":
                found += [_merged_row(spec, mine) for mine in _common_rows(submissions, spec)]
            case "pick":
                chosen = {}
                for wanted in pick.rows:
                    place, target, row = _picked(submissions, spec, wanted)
                    # Of a model's row one version is in the gold: the last pick wins.
                    chosen[target, _gold_id(place, row)] = (place, target, row)
                found += [_merged_row(spec, mine) for mine in chosen.values()]
            case _:
                pass
    return found


def _common_rows(submissions: Sequence[Submission], spec: FieldSpec) -> Iterator[_NumberedRow]:
    """A row for each that everybody has, in the order of the tables.

    Of versions that say the same one is taken by its content, whoever wrote it.
    """
    tables = [_by_content(place, work, spec) for place, work in enumerate(submissions)]
    shared = [key for key in tables[0] if all(key in table for table in tables)]
    order = {key: min(list(table).index(key) for table in tables) for key in shared}
    for key in sorted(shared, key=lambda key: (order[key], repr(key))):
        yield min((table[key] for table in tables), key=lambda mine: repr(mine[2].values))


def _by_content(place: int, work: Submission, spec: FieldSpec) -> dict[object, _NumberedRow]:
    """What each row says → the row; a row that is there twice has a number after the first."""
    seen = Counter[object]()
    found: dict[object, _NumberedRow] = {}
    for target, row in work.rows(spec):
        cells = tuple(normalised_tokens(row.values.get(column.name, "")) for column in spec.columns)
        said = (target, row.row if row.model is not None else "", cells)
        seen[said] += 1
        found[(said, seen[said])] = (place, target, row)
    return found


def _picked(submissions: Sequence[Submission], spec: FieldSpec, wanted: Row) -> _NumberedRow:
    attempt, document, page, id_ = wanted
    for place, work in enumerate(submissions):
        if work.attempt == attempt:
            for target, row in work.rows(spec):
                if (target.document, target.page, row.row) == (document, page, id_):
                    return place, target, row
    raise Refusal("A chosen row no longer exists.", code="unknown_row", field=spec.name)


def _gold_id(place: int, row: RecordRow) -> str:
    return row.row if row.model is not None else f"g{place}-{row.row}"[:100]


def _merged_row(spec: FieldSpec, mine: _NumberedRow) -> ev.GoldRow:
    place, target, row = mine
    return _gold_row(spec, target, row, _gold_id(place, row))


def _gold_row(spec: FieldSpec, target: Target, row: RecordRow, id_: str) -> ev.GoldRow:
    return ev.GoldRow(
        field=spec.name,
        document=target.document,
        page=target.page,
        row=id_,
        values=row.values,
    )
