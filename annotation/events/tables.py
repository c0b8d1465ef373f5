"""Events of tables: given by a model, corrected and flagged by a person, and confirmed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagetrail.annotation.events.base import (
    BulkVerdictEvent,
    Identifier,
    PageEvent,
    UndoableEdit,
)
from pagetrail.annotation.events.phrases import quoted
from pagetrail.annotation.events.transcripts import ModelName, RoundNumber
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.tables.cells import (
    FLAG_KINDS,
    MAX_NOTE,
    Anchor,
    CellFlag,
    CellsReplaced,
    CellText,
    ColumnIndex,
    FixesConfirmed,
    FlagKind,
    FlagSet,
    HeaderMark,
    LayoutChange,
    LinesDeleted,
    LinesInserted,
    RowIndex,
    TableCell,
    TableChange,
)
from pagetrail.annotation.tables.grid import MAX_COLUMNS, MAX_ROWS, MAX_SLOTS

MAX_TABLES = 50
"""Tables of one task."""
MAX_CAPTION = 2_000


class GivenTable(BaseModel):
    """A table as a model wrote it, and how it differs from the round before."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Identifier = Field(description="unique in its task")
    caption: str = Field(default="", max_length=MAX_CAPTION, description="its title")
    n_rows: int = Field(ge=1, le=MAX_ROWS)
    n_columns: int = Field(ge=1, le=MAX_COLUMNS)
    cells: tuple[TableCell, ...] = Field(
        min_length=1, max_length=MAX_SLOTS, description="by row and column, each slot once"
    )
    removed: tuple[str, ...] = Field(
        default=(), description="texts of rows and columns of the round before that are gone"
    )
    answered_flag: CellFlag | None = Field(
        default=None, description="the flag of the whole table that it answers"
    )


class TablesGiven(PageEvent):
    """Tables of a page were given as a model wrote them; those with a known id replace theirs."""

    type: Literal["tables_given"] = "tables_given"
    lane = "answer"
    server_only = True
    is_work = False
    presence = "unknown"
    round: RoundNumber = Field(default=1, description="which round they begin")
    model: ModelName | None = Field(default=None, description="which model, if known")
    tables: tuple[GivenTable, ...] = Field(
        max_length=MAX_TABLES, description="as the model wrote them"
    )

    def sentence(self) -> str:
        return ngettext(
            "Was given {number:,} table of {page}",
            "Was given {number:,} tables of {page}",
            len(self.tables),
            page=self.page_name,
        )


class TableWork(PageEvent, UndoableEdit):
    """Base of what people do with a table."""

    lane = "answer"
    is_edit = True
    is_content = True
    table: Identifier = Field(description="which table")
    structure: int = Field(
        ge=0,
        description="how often rows, columns and merged cells had changed before; refused where "
        "the table has changed since, so that a place never means another cell",
    )

    @property
    @abstractmethod
    def table_change(self) -> TableChange:
        """What it does to the table's cells."""


class TableEdited(TableWork):
    """A cell's text, headers, rows, columns or merged cells of a table were changed."""

    type: Literal["table_edited"] = "table_edited"
    change: LayoutChange = Field(description="what was changed, by its kind")

    @property
    def table_change(self) -> TableChange:
        return self.change

    def sentence(self) -> str:
        match self.change:
            case CellText() as change:
                return gettext(
                    "Changed {was} to {text} in {table}, row {row}, column {column}",
                    was=quoted(change.was),
                    text=quoted(change.text),
                    table=self.table,
                    row=change.row + 1,
                    column=change.column + 1,
                )
            case HeaderMark(header=True) as change:
                return ngettext(
                    "Marked {number:,} cell of {table} as header",
                    "Marked {number:,} cells of {table} as headers",
                    len(change.cells),
                    table=self.table,
                )
            case HeaderMark() as change:
                return ngettext(
                    "Marked {number:,} cell of {table} as no header",
                    "Marked {number:,} cells of {table} as no headers",
                    len(change.cells),
                    table=self.table,
                )
            case CellsReplaced() as change:
                return ngettext(
                    "Replaced the cells of a part of {table} by {number:,} cell",
                    "Replaced the cells of a part of {table} by {number:,} cells",
                    len(change.cells),
                    table=self.table,
                )
            case LinesInserted(axis="row") as change:
                return ngettext(
                    "Inserted {number:,} row in {table}",
                    "Inserted {number:,} rows in {table}",
                    change.count,
                    table=self.table,
                )
            case LinesInserted() as change:
                return ngettext(
                    "Inserted {number:,} column in {table}",
                    "Inserted {number:,} columns in {table}",
                    change.count,
                    table=self.table,
                )
            case LinesDeleted(axis="row") as change:
                return ngettext(
                    "Deleted {number:,} row of {table}",
                    "Deleted {number:,} rows of {table}",
                    change.count,
                    table=self.table,
                )
            case LinesDeleted() as change:
                return ngettext(
                    "Deleted {number:,} column of {table}",
                    "Deleted {number:,} columns of {table}",
                    change.count,
                    table=self.table,
                )


class CellFlagged(TableWork):
    """A cell or a table was flagged for a model to fix, or a flag was withdrawn."""

    type: Literal["cell_flagged"] = "cell_flagged"
    row: RowIndex | None = Field(default=None, description="0-based; None for the whole table")
    column: ColumnIndex | None = Field(default=None, description="0-based; None as well")
    kind: FlagKind | None = Field(
        default=None, description="what is wrong; None withdraws the flag"
    )
    note: str = Field(default="", max_length=MAX_NOTE, description="what to fix, in words")

    @model_validator(mode="after")
    def _cell_or_table(self) -> CellFlagged:
        if (self.row is None) != (self.column is None):
            raise ValueError("a cell is named by its row and its column")
        return self

    @property
    def flag(self) -> CellFlag | None:
        """The flag that the cell or table has afterwards."""
        return None if self.kind is None else CellFlag(kind=self.kind, note=self.note)

    @property
    def table_change(self) -> TableChange:
        return FlagSet(row=self.row, column=self.column, flag=self.flag)

    def sentence(self) -> str:
        flagged = self.table
        if self.row is not None and self.column is not None:
            flagged = gettext(
                "row {row}, column {column} of {table}",
                row=self.row + 1,
                column=self.column + 1,
                table=self.table,
            )
        if self.kind is None:
            return gettext("Withdrew the flag of {flagged}", flagged=flagged)
        values = {"flagged": flagged, "kind": gettext(FLAG_KINDS[self.kind])}
        if not self.note.strip():
            return gettext("Flagged {flagged}, {kind}", **values)
        return gettext("Flagged {flagged}, {kind}: {note}", **values, note=quoted(self.note))


class CellConfirmed(TableWork, BulkVerdictEvent):
    """What a model changed in a table since the round before was confirmed, or no longer is."""

    type: Literal["cell_confirmed"] = "cell_confirmed"
    cells: Annotated[tuple[Anchor, ...], Field(max_length=MAX_SLOTS)] = Field(
        default=(), description="row and column of each cell, 0-based"
    )
    removed: bool = Field(default=False, description="whether what was removed is meant, too")
    confirmed: bool = Field(default=True, description="False withdraws a confirmation")

    @property
    def table_change(self) -> TableChange:
        return FixesConfirmed(cells=self.cells, removed=self.removed, confirmed=self.confirmed)

    def sentence(self) -> str:
        number = len(self.cells) + self.removed
        if self.confirmed:
            return ngettext(
                "Confirmed {number:,} change of {table}",
                "Confirmed {number:,} changes of {table}",
                number,
                table=self.table,
            )
        return ngettext(
            "Withdrew the confirmation of {number:,} change of {table}",
            "Withdrew the confirmation of {number:,} changes of {table}",
            number,
            table=self.table,
        )
