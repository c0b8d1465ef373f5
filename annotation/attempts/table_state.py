"""The tables of a task as they are corrected in rounds: a fold of their events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.tables.cells import (
    CellFlag,
    FixesConfirmed,
    FlagSet,
    Layout,
    TableCell,
    TableChange,
    apply_change,
    inverse,
    is_structural,
)
from pagetrail.annotation.tables.grid import Grid


class Table(State):
    """A table of a page, and what is said of it."""

    id: str
    document: str
    page: int
    caption: str = ""
    n_rows: int
    n_columns: int
    cells: tuple[TableCell, ...]
    flag: CellFlag | None = Field(default=None, description="of the table as a whole")
    removed: tuple[str, ...] = Field(
        default=(),
        description="texts of rows and columns that a model has removed since the round before",
    )
    answered_flag: CellFlag | None = Field(
        default=None, description="the flag of the whole table, before a model answered it"
    )
    removed_confirmed: bool = Field(
        default=False, description="what was removed, and the answer to the flag, was confirmed"
    )
    structure: int = Field(
        default=0, description="how often rows, columns and merged cells have changed"
    )
    edited: bool = Field(default=False, description="changed by the annotator in this round")

    @property
    def layout(self) -> Layout:
        """Its cells."""
        return Layout(self.n_rows, self.n_columns, self.cells)

    @property
    def grid(self) -> Grid:
        """Its texts and spans."""
        return self.layout.grid(self.caption)

    def flags(self) -> Iterator[tuple[TableCell | None, CellFlag]]:
        """Every flag with its cell; None for the table's own."""
        if self.flag is not None:
            yield None, self.flag
        for cell in self.cells:
            if cell.flag is not None:
                yield cell, cell.flag

    @property
    def n_unconfirmed(self) -> int:
        """A model's changes that the annotator has not confirmed, corrected or flagged."""
        is_whole_open = (
            bool(self.removed or self.answered_flag)
            and not self.removed_confirmed
            and self.flag is None
        )
        return sum(cell.needs_confirmation for cell in self.cells) + is_whole_open


class Tables(State):
    """The tables of a task in their order, and the round they are in."""

    round: int = 1
    model: str | None = Field(default=None, description="the last one that gave tables")
    tables: tuple[Table, ...] = ()

    def table(self, table_id: str) -> Table | None:
        """The table of that id."""
        return next((table for table in self.tables if table.id == table_id), None)

    @property
    def n_flags(self) -> int:
        """Flags of all tables."""
        return sum(1 for table in self.tables for _ in table.flags())

    @property
    def sha256(self) -> str:
        """SHA-256 of the tables as HTML, one after another, by which fixes name what they are for.

        Two tables with the same texts, headers and spans have the same.
        """
        html = "\n".join(table.grid.to_html() for table in self.tables)
        return hashlib.sha256(html.encode()).hexdigest()


def with_given_tables(tables: Tables, payload: ev.TablesGiven) -> Tables:
    """The tables after a model gave some: those with a known id replace theirs."""
    given_tables = {
        table.id: Table(
            **table.model_dump(exclude={"cells"}),
            cells=table.cells,
            document=payload.document,
            page=payload.page,
        )
        for table in payload.tables
    }
    replaced_tables = [given_tables.pop(table.id, table) for table in tables.tables]
    return Tables(
        round=payload.round,
        model=payload.model,
        tables=(*replaced_tables, *given_tables.values()),
    )


def with_next_round(tables: Tables, payload: ev.RoundStarted) -> Tables:
    """The tables at the beginning of a round, before a model's are given."""
    if not tables.tables:
        return tables
    unedited = tuple(table.model_copy(update={"edited": False}) for table in tables.tables)
    return Tables(round=payload.number, model=payload.model, tables=unedited)


def with_table_work(tables: Tables, payload: ev.TableWork) -> Tables:
    """The tables after somebody worked on one; unchanged where the change does not apply."""
    table = tables.table(payload.table)
    if table is None:
        return tables
    changed_table = _changed(table, payload.table_change)
    if changed_table is None:
        return tables
    return tables.model_copy(
        update={"tables": tuple(changed_table if t.id == table.id else t for t in tables.tables)}
    )


def applies(table: Table, payload: ev.TableWork) -> bool:
    """Whether a change fits the table."""
    return (
        payload.structure == table.structure
        and apply_change(table.layout, payload.table_change) is not None
    )


def table_inverse(tables: Tables, payload: ev.TableWork) -> TableChange | None:
    """The change that undoes the payload's; None where it does not apply."""
    table = tables.table(payload.table)
    return None if table is None else inverse(table.layout, payload.table_change, table.flag)


def _changed(table: Table, change: TableChange) -> Table | None:
    layout = apply_change(table.layout, change)
    if layout is None:
        return None
    update: dict[str, object] = {**layout._asdict()}
    if isinstance(change, FlagSet):
        if change.row is None:
            update["flag"] = change.flag
    elif isinstance(change, FixesConfirmed):
        if change.removed:
            update["removed_confirmed"] = change.confirmed
    else:
        update["edited"] = True
        update["structure"] = table.structure + is_structural(change)
    return table.model_copy(update=update)
