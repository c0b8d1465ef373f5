"""Where versions of tables differ, as JSON values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.events.review import MAX_TEXT_DECISIONS, Choice
from pagetrail.annotation.review.drafts import merged_versions, versions_to_merge
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.table_merging import (
    PART,
    CombinedTable,
    DifferenceKind,
    TableDifference,
    TablePair,
    combined_table,
    table_pairs,
    table_steps,
)
from pagetrail.annotation.tables.grid import Cell

Presence = Literal["both", "left", "right"]


class ComparedCell(TypedDict):
    """A cell; ``differences`` has the numbers of those that are decided in it."""

    text: str
    rowspan: NotRequired[int]
    colspan: NotRequired[int]
    header: NotRequired[bool]
    differences: NotRequired[list[int]]


class ComparedLine(TypedDict):
    """A row or column, who has it, and the numbers of the differences about it as a whole."""

    presence: Presence
    differences: list[int]


class ComparedRow(ComparedLine):
    """A row with the cells that begin in it."""

    cells: list[ComparedCell]


class ComparedTableDifference(TypedDict):
    """A difference between two versions of a table.

    Attributes:
        number: among those of all tables of the pair.
        only_in: the only version with the row, column or table, or with the header marks.
        left_cells: cells by row, where they are merged differently; likewise right_cells.
    """

    number: int
    kind: DifferenceKind
    left: str
    right: str
    only_in: NotRequired[Literal["left", "right"]]
    left_cells: NotRequired[list[list[ComparedCell]]]
    right_cells: NotRequired[list[list[ComparedCell]]]


class ComparedTable(TypedDict):
    """Two versions of a table as one, with the rows and columns of both.

    Attributes:
        presence: who has the table.
    """

    id: str
    caption: str
    document: str
    page: int
    presence: Presence
    columns: list[ComparedLine]
    rows: list[ComparedRow]
    differences: list[ComparedTableDifference]


class ComparedTables(TypedDict):
    """Two versions of a task's tables.

    Attributes:
        left: attempt.
        right: attempt, or key of a model's draft.
        merged_from: attempts and drafts that the left version was merged of, in place of ``left``.
        first_number: of the differences, where earlier ones were decided for the left version.
    """

    left: str
    right: str
    merged_from: NotRequired[list[str]]
    first_number: NotRequired[int]
    tables: list[ComparedTable]


def compared_tables(
    submissions: Sequence[Submission], drafts: Sequence[GoldSubmission]
) -> list[ComparedTables]:
    """Every pair of people who have tables, and of a person and a model.

    Pairs with too many differences to decide are left out.
    """
    compared: list[ComparedTables] = []
    for left, right in merged_versions(submissions, drafts, PART):
        pairs = table_pairs(left, right)
        n_differences = sum(len(pair.differences) for pair in pairs)
        if not pairs or n_differences > MAX_TEXT_DECISIONS:
            continue
        compared.append(
            {"left": left.attempt, "right": right.attempt, "tables": _tables_json(pairs)}
        )
    return compared


def running_table_pair(
    submissions: Sequence[Submission], drafts: Sequence[GoldSubmission], pick: Pick | Choice | None
) -> ComparedTables | None:
    """What was merged so far and the version that is compared with it; None before there is one."""
    versions = versions_to_merge((*submissions, *drafts), pick) if pick else []
    if pick is None or len(versions) < 3:
        return None
    steps = table_steps(versions, pick.text_decisions)
    first_number = steps[-1].first_number
    return {
        "left": pick.sides[0],
        "right": pick.sides[len(steps)],
        "merged_from": list(pick.sides[: len(steps)]),
        "first_number": first_number,
        "tables": _tables_json(steps[-1].pairs, first_number),
    }


def _tables_json(pairs: Iterable[TablePair], first_number: int = 0) -> list[ComparedTable]:
    tables: list[ComparedTable] = []
    for pair in pairs:
        tables.append(_compared_table(pair, first_number))
        first_number += len(pair.differences)
    return tables


def _compared_table(pair: TablePair, first_number: int) -> ComparedTable:
    table = pair.table
    combined = pair.combined or combined_table(table.grid, table.grid)
    of_rows: dict[int, list[int]] = defaultdict(list)
    of_columns: dict[int, list[int]] = defaultdict(list)
    of_groups: dict[int, list[int]] = defaultdict(list)
    for number, difference in enumerate(pair.differences, start=first_number):
        row, column = difference.row, difference.column
        if row is not None and column is not None:
            of_groups[combined.group_of[row, column]].append(number)
        elif row is not None:
            of_rows[row].append(number)
        elif column is not None:
            of_columns[column].append(number)
    return {
        "id": table.id,
        "caption": table.caption,
        "document": table.document,
        "page": table.page,
        "presence": _presence(pair.left, pair.right),
        "columns": [
            {"presence": _presence(*line), "differences": of_columns[column]}
            for column, line in enumerate(combined.columns)
        ],
        "rows": [
            {
                "presence": _presence(*line),
                "differences": of_rows[row],
                "cells": cells,
            }
            for row, (line, cells) in enumerate(
                zip(combined.rows, _cells_by_row(combined, of_groups), strict=True)
            )
        ],
        "differences": [
            _difference_json(number, difference, pair, combined)
            for number, difference in enumerate(pair.differences, start=first_number)
        ],
    }


def _presence(left: object, right: object) -> Presence:
    if left is None:
        return "right"
    return "left" if right is None else "both"


def _cells_by_row(
    combined: CombinedTable, of_groups: dict[int, list[int]]
) -> list[list[ComparedCell]]:
    rows: list[list[ComparedCell]] = [[] for _ in combined.rows]
    for row, column, rowspan, colspan, owner, is_first in combined.layout:
        cell = Cell(row, column, "", rowspan, colspan)
        numbers: list[int] = []
        if isinstance(owner, int):
            group = combined.groups[owner]
            source = (group.left or group.right)[0]
            text = source.text if is_first and not group.is_merged_differently else ""
            cell = cell._replace(text=text, is_header=source.is_header)
            numbers = of_groups[owner] if is_first else []
        rows[row].append(_cell_json(cell, numbers))
    return rows


def _cell_json(cell: Cell, differences: list[int]) -> ComparedCell:
    compared: ComparedCell = {"text": cell.text}
    if cell.rowspan > 1:
        compared["rowspan"] = cell.rowspan
    if cell.colspan > 1:
        compared["colspan"] = cell.colspan
    if cell.is_header:
        compared["header"] = True
    if differences:
        compared["differences"] = differences
    return compared


def _difference_json(
    number: int, difference: TableDifference, pair: TablePair, combined: CombinedTable
) -> ComparedTableDifference:
    compared: ComparedTableDifference = {
        "number": number,
        "kind": difference.kind,
        "left": difference.left,
        "right": difference.right,
    }
    match difference:
        case TableDifference(kind="table"):
            compared["only_in"] = "right" if pair.left is None else "left"
        case TableDifference(kind="row", row=int(row)):
            compared["only_in"] = "right" if combined.rows[row][0] is None else "left"
        case TableDifference(kind="column", column=int(column)):
            compared["only_in"] = "right" if combined.columns[column][0] is None else "left"
        case TableDifference(kind="header", slots=(slot, *_)):
            marked = combined.groups[combined.group_of[slot]].left[0]
            compared["only_in"] = "left" if marked.is_header else "right"
        case TableDifference(kind="cells", row=int(row), column=int(column)):
            group = combined.groups[combined.group_of[row, column]]
            compared["left_cells"] = _version_rows(group.left)
            compared["right_cells"] = _version_rows(group.right)
    return compared


def _version_rows(cells: Iterable[Cell]) -> list[list[ComparedCell]]:
    rows: dict[int, list[ComparedCell]] = defaultdict(list)
    for cell in cells:
        rows[cell.row].append(_cell_json(cell, []))
    return [rows[row] for row in sorted(rows)]
