"""Merges people's versions of a page's tables, difference by difference.

Rows and columns are aligned first, so that an inserted or deleted one is a difference of its own
and shifts nothing. A reviewer decides for each line that only one version has whether it stays, and
takes either version of texts, header marks and merged cells, or writes another text. The merge is
complete once every difference is decided; the merged tables can then be compared with a third
version, and so on. Whatever the decisions, one cell covers each position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.attempts.table_state import Table
from pagetrail.annotation.comparison.differences import table_differences
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import TextDecision
from pagetrail.annotation.events.tables import MAX_CAPTION
from pagetrail.annotation.events.transcripts import MAX_TRANSCRIPT
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.text_merging import Passage, decided_passage
from pagetrail.annotation.review.ties import break_tie, nearest
from pagetrail.annotation.tables.cells import MAX_TEXT, table_cells
from pagetrail.annotation.tables.comparison import align_lines
from pagetrail.annotation.tables.grid import Cell, Grid, GridTooLarge, check_size

PART = "tables"

_ROUNDING = 1e-9
MIN_ROW_SIMILARITY = 0.5
"""Of the texts of two rows without a cell in common; below it they are two different rows."""
_CACHED_TABLES = 32

Slot = tuple[int, int]
"""Row and column, 0-based, of the combined table."""
Line = tuple[int | None, int | None]
"""A row or column of the combined table: its number in the left and in the right version."""
DifferenceKind = Literal["table", "caption", "row", "column", "cells", "text", "header"]


class TableDifference(NamedTuple):
    """Something in which two versions of a table differ.

    Attributes:
        kind: table, row, column: only one version has it; cells: merged differently; header: cells
            of a line that only one version marks as headers.
        left: text of the left version; of several cells, between bars.
        right: likewise.
        row: of the combined table; None where it is not about a row.
        column: likewise.
        slots: header: where the cells begin.
    """

    kind: DifferenceKind
    left: str
    right: str
    row: int | None = None
    column: int | None = None
    slots: tuple[Slot, ...] = ()

    @property
    def takes_text(self) -> bool:
        """Whether both texts, or another one, can be taken."""
        return self.kind in ("text", "caption")


class CellGroup(NamedTuple):
    """Cells of both versions that cover the same positions, as far as both have these.

    Attributes:
        slot: the first that they cover.
    """

    slot: Slot
    left: tuple[Cell, ...]
    right: tuple[Cell, ...]

    @property
    def is_pair(self) -> bool:
        """Whether they are two versions of one cell."""
        return len(self.left) == len(self.right) == 1

    @property
    def is_merged_differently(self) -> bool:
        """Whether the versions have cells with other borders."""
        return bool(self.left and self.right) and not self.is_pair


class Rectangle(NamedTuple):
    """Positions of a table that become one cell.

    Attributes:
        owner: what they belong to; None for a position that neither version has.
        is_first: whether it is the owner's first rectangle, which has its text.
    """

    row: int
    column: int
    rowspan: int
    colspan: int
    owner: Hashable
    is_first: bool


@dataclass(frozen=True)
class CombinedTable:
    """Two versions of a table, with their rows and columns aligned."""

    left: Grid
    right: Grid

    @cached_property
    def rows(self) -> list[Line]:
        """The rows of both versions, in their order."""
        left, right = _plain_texts(self.left), _plain_texts(self.right)
        partners = [
            row if row is not None and _is_same_row(left[row], texts) else None
            for row, texts in zip(align_lines(left, right), right, strict=True)
        ]
        return _interleaved(len(left), partners)

    @cached_property
    def columns(self) -> list[Line]:
        """The columns of both versions, in their order."""
        left, right = (
            [list(texts) for texts in zip(*_plain_texts(grid), strict=True)]
            for grid in (self.left, self.right)
        )
        return _interleaved(len(left), align_lines(left, right))

    @cached_property
    def cells(self) -> dict[Slot, tuple[Cell | None, Cell | None]]:
        """The cells of both versions at each position that either has."""
        return {
            (row, column): (
                self.left.slots.get((left_row, left_column)),  # type: ignore[arg-type]
                self.right.slots.get((right_row, right_column)),  # type: ignore[arg-type]
            )
            for row, (left_row, right_row) in enumerate(self.rows)
            for column, (left_column, right_column) in enumerate(self.columns)
            if None not in (left_row, left_column) or None not in (right_row, right_column)
        }

    @cached_property
    def group_of(self) -> dict[Slot, int]:
        """The group at each position that either version has, numbered in reading order."""
        numbers = {(0, cell): number for number, cell in enumerate(self.left.cells)}
        numbers |= {(1, cell): len(numbers) + i for i, cell in enumerate(self.right.cells)}
        members = {
            slot: [numbers[side, cell] for side, cell in enumerate(cells) if cell is not None]
            for slot, cells in self.cells.items()
        }
        links = [pair for pair in members.values() if len(pair) == 2]
        graph = coo_array(
            ([1] * len(links), ([a for a, _ in links], [b for _, b in links])),
            shape=(len(numbers), len(numbers)),
        )
        _, labels = connected_components(graph, directed=False)
        group_numbers: dict[int, int] = {}
        return {
            slot: group_numbers.setdefault(int(labels[cells[0]]), len(group_numbers))
            for slot, cells in members.items()
        }

    @cached_property
    def groups(self) -> list[CellGroup]:
        """The cells of each group."""
        first_slots: dict[int, Slot] = {}
        versions: tuple[dict[int, dict[Cell, None]], ...] = ({}, {})
        for slot, cells in self.cells.items():
            group = self.group_of[slot]
            first_slots.setdefault(group, slot)
            for cells_of_group, cell in zip(versions, cells, strict=True):
                if cell is not None:
                    cells_of_group.setdefault(group, {})[cell] = None
        return [
            CellGroup(slot, *(tuple(cells_of_group.get(group, ())) for cells_of_group in versions))
            for group, slot in first_slots.items()
        ]

    @cached_property
    def differences(self) -> list[TableDifference]:
        """Where a reviewer has to choose, in reading order; those of whole columns come first."""
        differences = [
            *self._line_differences(),
            *self._header_differences(),
            *(difference for group in self.groups for difference in _cell_differences(group)),
        ]
        if self.left.caption != self.right.caption:
            differences.append(TableDifference("caption", self.left.caption, self.right.caption))
        return sorted(differences, key=_reading_order)

    @property
    def layout(self) -> list[Rectangle]:
        """The table with every row and column of both; each rectangle's owner is its group."""
        return _rectangles(range(len(self.rows)), range(len(self.columns)), self.group_of)

    def merged(self, decisions: Mapping[int, TextDecision]) -> Grid | None:
        """The table that these decisions give; None if none of its rows or columns is kept.

        Args:
            decisions: on every difference, by its number.
        """
        decision_at = {
            (difference.kind, difference.row, difference.column): decisions[number]
            for number, difference in enumerate(self.differences)
        }
        headers_from = {
            slot: decisions[number].decision
            for number, difference in enumerate(self.differences)
            for slot in difference.slots
        }
        rows = [
            row
            for row, line in enumerate(self.rows)
            if _is_kept(line, decision_at.get(("row", row, None)))
        ]
        columns = [
            column
            for column, line in enumerate(self.columns)
            if _is_kept(line, decision_at.get(("column", None, column)))
        ]
        if not rows or not columns:
            return None

        def owner(slot: Slot) -> Cell | None:
            """The cell at a position, as it is decided."""
            group, (left, right) = self.groups[self.group_of[slot]], self.cells[slot]
            if group.is_merged_differently:
                return left if decision_at["cells", *group.slot].decision == "left" else right
            if not group.is_pair:
                return left or right
            cell, other = group.left[0], group.right[0]
            text = decision_at.get(("text", *group.slot))
            header = other if headers_from.get(group.slot) == "right" else cell
            return cell._replace(
                text=decided_passage(Passage(cell.text, other.text), text) if text else cell.text,
                is_header=header.is_header,
            )

        owners = {
            slot: (self.group_of[slot], cell)
            for slot in self.cells
            if (cell := owner(slot)) is not None
        }
        caption = decision_at.get(("caption", None, None))
        captions = Passage(self.left.caption, self.right.caption)
        return Grid(
            len(rows),
            len(columns),
            tuple(_merged_cell(rectangle) for rectangle in _rectangles(rows, columns, owners)),
            decided_passage(captions, caption) if caption else self.left.caption,
        )

    def _line_differences(self) -> Iterator[TableDifference]:
        for row, (left, right) in enumerate(self.rows):
            if left is None or right is None:
                yield TableDifference(
                    "row",
                    "" if left is None else _joined(self.left.row_cells(left)),
                    "" if right is None else _joined(self.right.row_cells(right)),
                    row=row,
                )
        for column, (left, right) in enumerate(self.columns):
            if left is None or right is None:
                yield TableDifference(
                    "column",
                    "" if left is None else _joined(_column_cells(self.left, left)),
                    "" if right is None else _joined(_column_cells(self.right, right)),
                    column=column,
                )

    def _header_differences(self) -> Iterator[TableDifference]:
        """Header marks that differ, by row or by column, whichever gives fewer differences."""
        cells = {
            group.slot: (group.left[0], group.right[0])
            for group in self.groups
            if group.is_pair and group.left[0].is_header != group.right[0].is_header
        }
        is_by_row = len({row for row, _ in cells}) <= len({column for _, column in cells})
        lines: dict[tuple[int, bool], list[Slot]] = defaultdict(list)
        for slot, (left, _) in cells.items():
            lines[slot[0 if is_by_row else 1], left.is_header].append(slot)
        for (line, is_left), slots in lines.items():
            texts = _joined(cells[slot][0 if is_left else 1] for slot in slots)
            yield TableDifference(
                "header",
                texts if is_left else "",
                "" if is_left else texts,
                row=line if is_by_row else None,
                column=None if is_by_row else line,
                slots=tuple(slots),
            )


@lru_cache(maxsize=_CACHED_TABLES)
def combined_table(left: Grid, right: Grid) -> CombinedTable:
    """Two versions of a table; kept, since every preview of a choice needs it again."""
    return CombinedTable(left, right)


@dataclass(frozen=True)
class TablePair:
    """Two people's versions of a table; None for a person who does not have it."""

    left: Table | None
    right: Table | None

    @property
    def table(self) -> Table:
        """The version of whoever has it, the left one first."""
        table = self.left or self.right
        assert table is not None
        return table

    @cached_property
    def combined(self) -> CombinedTable | None:
        """Both versions; None where there is only one."""
        if self.left is None or self.right is None:
            return None
        return combined_table(self.left.grid, self.right.grid)

    @property
    def differences(self) -> list[TableDifference]:
        """Where the versions differ."""
        if self.combined is not None:
            return self.combined.differences
        versions = (self.left, self.right)
        left, right = ("" if table is None else _table_text(table.grid) for table in versions)
        return [TableDifference("table", left, right)]

    def merged(self, decisions: Mapping[int, TextDecision]) -> ev.GoldTable | None:
        """The table of the gold; None where it is left out.

        Args:
            decisions: on every difference, by its number in this table.
        """
        if self.combined is not None:
            grid = self.combined.merged(decisions)
        else:
            table = self.left if decisions[0].decision == "left" else self.right
            grid = None if table is None else table.grid
        return None if grid is None else _gold_table(self.table, grid)


def table_pairs(left: Submission, right: Submission) -> list[TablePair]:
    """Both people's tables by their ids: those of the first, then those that only the other has."""
    return _paired(_tables_of(left), _tables_of(right))


def _tables_of(submission: Submission) -> dict[str, Table]:
    if not submission.form.protocol.tables.enabled:
        return {}
    return {table.id: table for table in submission.form.state.tables.tables}


def _paired(left: Mapping[str, Table], right: Mapping[str, Table]) -> list[TablePair]:
    return [
        TablePair(left.get(table_id), right.get(table_id))
        for table_id in dict.fromkeys([*left, *right])
    ]


class TableStep(NamedTuple):
    """Tables, of one person or merged of several, compared with the next person's.

    Attributes:
        first_number: of their differences, which are numbered through all steps.
        tables: as they are decided; None while a difference is open.
    """

    pairs: list[TablePair]
    first_number: int
    tables: list[ev.GoldTable] | None


def table_steps(
    versions: Sequence[Submission], decisions: Sequence[TextDecision]
) -> list[TableStep]:
    """Compares the first two people's tables, then those merged of them with the third's, etc.

    The first step with an open difference is the last.

    Raises:
        Refusal: a decision on a difference that the tables don't have, or one that can't be made.
    """
    decision_of = {decision.number: decision for decision in decisions}
    steps: list[TableStep] = []
    tables, differences = _tables_of(versions[0]), list[TableDifference]()
    for version in versions[1:]:
        pairs = _paired(tables, _tables_of(version))
        first_number = len(differences)
        differences += [difference for pair in pairs for difference in pair.differences]
        own_decisions = {n: d for n, d in decision_of.items() if n < len(differences)}
        _check_decisions(differences, own_decisions)
        merged = _merged_pairs(pairs, own_decisions, first_number)
        steps.append(TableStep(pairs, first_number, merged))
        if merged is None:
            break
        tables = {table.id: Table(**dict(table)) for table in merged}
    _check_decisions(differences, decision_of)
    return steps


def side_of_tables(submissions: Sequence[Submission], rule: ReviewPart) -> Pick:
    """The person whose tables are closest to the others'; nobody on a tie."""
    limit = rule.parts.get(PART, 0.0) + _ROUNDING

    def difference(*people: Submission) -> float:
        a, b = sorted(people, key=lambda submission: submission.attempt)
        shares = list(table_differences(a, b).values())
        return sum(shares) / len(shares) if shares else 0.0

    leader = break_tie(
        nearest(submissions, lambda a, b: 1 - difference(a, b)),
        lambda a, b: difference(a, b) <= limit,
        lambda submission: submission.form.state.tables.sha256,
    )
    return Pick("none") if leader is None else Pick("side", leader.attempt)


def merged_tables(
    submissions: Sequence[Submission], pick: Pick | None
) -> tuple[ev.GoldTable, ...] | None:
    """The gold's tables; None until versions are chosen and every difference is decided.

    Args:
        submissions: of people, and drafts of models.

    Raises:
        Refusal: a pick that does not name two of them, or decides a difference that does not exist.
    """
    people = {submission.attempt: submission for submission in submissions}
    if pick is None or pick.how not in ("side", "pick") or not submissions:
        return None
    if pick.how == "side":
        tables = people[pick.side or ""].form.state.tables.tables
        return tuple(_gold_table(table, table.grid) for table in tables)
    if len(pick.sides) < 2:
        raise Refusal(
            gettext("Say which two people’s tables are compared."), code="no_side", field=PART
        )
    versions = [people[attempt] for attempt in pick.sides]
    steps = table_steps(versions, pick.text_decisions)
    merged = steps[-1].tables
    return None if merged is None or len(steps) < len(versions) - 1 else tuple(merged)


def _merged_pairs(
    pairs: Sequence[TablePair], decisions: Mapping[int, TextDecision], first_number: int
) -> list[ev.GoldTable] | None:
    """The tables that these decisions give; None while a difference is open."""
    merged: list[ev.GoldTable] = []
    for pair in pairs:
        numbers = range(first_number, first_number + len(pair.differences))
        first_number = numbers.stop
        if any(number not in decisions for number in numbers):
            return None
        table = pair.merged({i: decisions[number] for i, number in enumerate(numbers)})
        if table is not None:
            merged.append(table)
    return merged


def _check_decisions(
    differences: Sequence[TableDifference], decisions: Mapping[int, TextDecision]
) -> None:
    for number, decision in decisions.items():
        difference = differences[number] if number < len(differences) else None
        if difference is None or difference[1:3] != (decision.left, decision.right):
            raise Refusal(
                gettext("A difference that was decided is no longer there. Look at it again."),
                code="unknown_difference",
                field=PART,
            )
        if decision.decision in ("both", "edited") and not difference.takes_text:
            raise Refusal(
                gettext("Of rows, columns and merged cells, one person’s version is taken."),
                code="unknown_way",
                field=PART,
            )


def _gold_table(table: Table, grid: Grid) -> ev.GoldTable:
    """The table with these cells.

    Raises:
        Refusal: it has more cells, or longer texts, than a table may have.
    """
    try:
        check_size(grid.n_rows, grid.n_columns)
    except GridTooLarge as error:
        raise Refusal(
            gettext("With the rows and columns of both, the table is too large."),
            code="too_large",
            field=PART,
        ) from error
    is_too_long = any(len(cell.text) > MAX_TEXT for cell in grid.cells)
    if is_too_long or len(grid.caption) > MAX_CAPTION:
        raise Refusal(
            gettext("The text of a cell or title is too long."), code="too_long", field=PART
        )
    return ev.GoldTable(
        document=table.document,
        page=table.page,
        id=table.id,
        caption=grid.caption,
        n_rows=grid.n_rows,
        n_columns=grid.n_columns,
        cells=table_cells(grid),
    )


def _is_same_row(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two rows are versions of one: they have a text in common, or similar ones."""
    texts = [[text for text in row if text] for row in (left, right)]
    if set(texts[0]) & set(texts[1]) or min(map(len, texts)) < 2:
        return True
    return Indel.normalized_similarity(*map(" ".join, texts)) >= MIN_ROW_SIMILARITY


def _interleaved(n_left: int, partners: Sequence[int | None]) -> list[Line]:
    """The lines of both versions; at the same position the left ones come first.

    Args:
        partners: the left line of each right one.
    """
    lines: list[Line] = []
    only_right: list[Line] = []
    next_left = 0
    for line, partner in enumerate(partners):
        if partner is None:
            only_right.append((None, line))
            continue
        lines += [*((number, None) for number in range(next_left, partner)), *only_right]
        lines.append((partner, line))
        next_left, only_right = partner + 1, []
    return [*lines, *((number, None) for number in range(next_left, n_left)), *only_right]


def _cell_differences(group: CellGroup) -> Iterator[TableDifference]:
    """The differences in a group, except for header marks."""
    if group.is_merged_differently:
        yield TableDifference("cells", _joined(group.left), _joined(group.right), *group.slot)
    elif group.is_pair:
        left, right = group.left[0].text, group.right[0].text
        if _plain_text(left) != _plain_text(right):
            yield TableDifference("text", left, right, *group.slot)


_KIND_ORDER: tuple[DifferenceKind, ...] = (
    "table",
    "caption",
    "column",
    "row",
    "header",
    "cells",
    "text",
)


def _reading_order(difference: TableDifference) -> tuple[int, int, int]:
    row, column = (-1 if line is None else line for line in (difference.row, difference.column))
    return row, column, _KIND_ORDER.index(difference.kind)


def _is_kept(line: Line, decision: TextDecision | None) -> bool:
    return decision is None or line[0 if decision.decision == "left" else 1] is not None


def _merged_cell(rectangle: Rectangle) -> Cell:
    row, column, rowspan, colspan, owner, is_first = rectangle
    cell = owner[1] if isinstance(owner, tuple) else Cell(row, column)
    text = cell.text if is_first else ""
    return Cell(row, column, text, rowspan, colspan, cell.is_header)


def _rectangles(
    rows: Sequence[int], columns: Sequence[int], owners: Mapping[Slot, Hashable]
) -> list[Rectangle]:
    """These rows and columns cut into rectangles of one owner, by position."""
    grid = _without_holes([[owners.get((row, column)) for column in columns] for row in rows])
    covered_slots: set[Slot] = set()
    known_owners: set[Hashable] = set()

    def belongs(row: int, column: int, owner: Hashable) -> bool:
        is_free = (row, column) not in covered_slots
        return is_free and owner is not None and grid[row][column] == owner

    rectangles = []
    for row, line in enumerate(grid):
        for column, owner in enumerate(line):
            if (row, column) in covered_slots:
                continue
            right, bottom = column + 1, row + 1
            while right < len(line) and belongs(row, right, owner):
                right += 1
            while bottom < len(grid) and all(
                belongs(bottom, other, owner) for other in range(column, right)
            ):
                bottom += 1
            covered_slots |= {(r, c) for r in range(row, bottom) for c in range(column, right)}
            is_first = owner not in known_owners
            known_owners.add(owner)
            rectangles.append(Rectangle(row, column, bottom - row, right - column, owner, is_first))
    return rectangles


def _without_holes(grid: Sequence[Sequence[Hashable]]) -> list[list[Hashable]]:
    """The grid in which positions without an owner inside a cell belong to that cell."""

    def nearest_owner(owners: Iterable[Hashable]) -> Hashable:
        return next((owner for owner in owners if owner is not None), None)

    def owner_around(row: int, column: int) -> Hashable:
        line, others = grid[row], [line[column] for line in grid]
        before, after = nearest_owner(line[:column][::-1]), nearest_owner(line[column + 1 :])
        above, below = nearest_owner(others[:row][::-1]), nearest_owner(others[row + 1 :])
        if before in (after, above):
            return before
        return above if above == below else None

    return [
        [owner_around(row, column) if owner is None else owner for column, owner in enumerate(line)]
        for row, line in enumerate(grid)
    ]


def _plain_text(text: str) -> str:
    return " ".join(text.split())


def _plain_texts(grid: Grid) -> list[list[str]]:
    return [[_plain_text(text) for text in texts] for texts in grid.texts()]


def _column_cells(grid: Grid, column: int) -> list[Cell]:
    return [grid.slots[row, column] for row in range(grid.n_rows)]


def _joined(cells: Iterable[Cell]) -> str:
    """The cells' texts between bars, each cell once."""
    return " | ".join(cell.text for cell in dict.fromkeys(cells))[:MAX_TRANSCRIPT]


def _table_text(grid: Grid) -> str:
    return "\n".join(_joined(grid.row_cells(row)) for row in range(grid.n_rows))[:MAX_TRANSCRIPT]
