"""Events of fields, tables of records, the written question and pilot feedback."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pagetrail.annotation.events.base import (
    MAX_REASON,
    MAX_TEXT,
    ClientId,
    Name,
    PageNumber,
    Payload,
    UndoableEdit,
    VerdictEvent,
)
from pagetrail.annotation.events.phrases import field_value, page_name, quoted, written_text
from pagetrail.annotation.geometry.element import MAX_CONTENT, Row
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.fields import FieldName, Value

Cells = Annotated[
    dict[FieldName, Annotated[str, Field(max_length=MAX_CONTENT)]], Field(max_length=50)
]

MAX_RECORDS = 2_000
"""Rows of a table of records."""

CellsByRow = Annotated[dict[ClientId, Cells], Field(min_length=1, max_length=MAX_RECORDS)]

Options = Annotated[
    tuple[Annotated[str, Field(max_length=60)], ...],
    Field(max_length=200),
]


class Targeted(Payload):
    """Base of events on a field: of the task, of a page, or of a box."""

    field: FieldName = Field(description="name of the field")
    document: Name | None = Field(default=None, description="of the page, for a page's field")
    page: PageNumber | None = Field(default=None, description="1-based, for a page's field")
    box: ClientId | None = Field(default=None, description="for a box's field")

    @model_validator(mode="after")
    def _one_target(self) -> Targeted:
        if (self.document is None) != (self.page is None):
            raise ValueError("a page is named by its document and its number")
        if self.box is not None and self.page is not None:
            raise ValueError("a field belongs to a page or to a box, not to both")
        return self

    @property
    def target(self) -> str:
        """What the field is of, to be put behind its name; empty for the task."""
        if self.box is not None:
            return f" of box {self.box}"
        if self.document is not None and self.page is not None:
            return f" of {page_name(self.document, self.page)}"
        return ""


class FieldSet(Targeted, UndoableEdit, VerdictEvent):
    """A field got a value, or lost it."""

    type: Literal["field_set"] = "field_set"
    lane = "answer"
    is_edit = True
    is_content = True
    value: Value = Field(description="by the field's kind; None clears it")

    def sentence(self) -> str:
        if self.value is None:
            return gettext("Cleared {field}", field=f"{self.field}{self.target}")
        return gettext(
            "Set {field} to {value}",
            field=f"{self.field}{self.target}",
            value=field_value(self.value),
        )


class ContradictionConfirmed(VerdictEvent):
    """A page's field and the labels of its boxes differ, and both are right."""

    type: Literal["contradiction_confirmed"] = "contradiction_confirmed"
    lane = "answer"
    is_edit = True
    is_content = True
    field: FieldName = Field(description="name of the field")
    document: Name = Field(description="document name")
    page: PageNumber = Field(description="1-based page number")
    chosen: Options = Field(description="options that are chosen")
    drawn: Options = Field(description="options that are named like the labels of the boxes")

    def sentence(self) -> str:
        return gettext(
            "Confirmed {field} of {page}: {chosen}, with boxes of {drawn}",
            field=self.field,
            page=page_name(self.document, self.page),
            chosen=field_value(self.chosen),
            drawn=field_value(self.drawn),
        )


class RowSet(Targeted, UndoableEdit, VerdictEvent):
    """Cells of a row were set; a new row begins, and a deleted one comes back, with this."""

    type: Literal["row_set"] = "row_set"
    lane = "answer"
    is_edit = True
    is_content = True
    row: ClientId = Field(description="names the row; unique in its field and target")
    values: Cells = Field(description="the cells that changed, by column")

    def sentence(self) -> str:
        place = {"row": self.row, "field": f"{self.field}{self.target}"}
        if not self.values:
            return gettext("Started row {row} of {field}", **place)
        cells = ", ".join(f"{name} = {quoted(cell)}" for name, cell in self.values.items())
        return gettext("Set row {row} of {field}: {cells}", **place, cells=cells)


class RowsSet(Targeted, UndoableEdit):
    """Cells of several rows of a table were set in one step."""

    type: Literal["rows_set"] = "rows_set"
    lane = "answer"
    is_edit = True
    is_content = True
    rows: CellsByRow = Field(description="the cells that changed, by row and column")

    def sentence(self) -> str:
        columns = dict.fromkeys(name for cells in self.rows.values() for name in cells)
        return ngettext(
            "Set {number:,} row of {field}: {columns}",
            "Set {number:,} rows of {field}: {columns}",
            len(self.rows),
            field=f"{self.field}{self.target}",
            columns=", ".join(columns),
        )


class RowDeleted(Targeted, UndoableEdit, VerdictEvent):
    """A row was deleted; a model's row keeps its untouched cells in the log."""

    type: Literal["row_deleted"] = "row_deleted"
    lane = "answer"
    is_edit = True
    is_content = True
    row: ClientId = Field(description="which row")

    def sentence(self) -> str:
        return gettext(
            "Deleted row {row} of {field}", row=self.row, field=f"{self.field}{self.target}"
        )


class RowMoved(Targeted, UndoableEdit):
    """A row was moved to another place of its table."""

    type: Literal["row_moved"] = "row_moved"
    lane = "answer"
    is_edit = True
    is_content = True
    row: ClientId = Field(description="which row")
    before: ClientId | None = Field(
        default=None, description="the row that follows it then; None at the end"
    )

    def sentence(self) -> str:
        field = f"{self.field}{self.target}"
        if self.before is None:
            return gettext("Moved row {row} of {field} to the end", row=self.row, field=field)
        return gettext(
            "Moved row {row} of {field} before row {before}",
            row=self.row,
            field=field,
            before=self.before,
        )


class RowsSeeded(Targeted):
    """A model's rows were given to be verified, untouched."""

    type: Literal["rows_seeded"] = "rows_seeded"
    lane = "answer"
    server_only = True
    rows: tuple[Row, ...] = Field(description="as the model gave them")

    def sentence(self) -> str:
        return ngettext(
            "Was given {number:,} row of a model in {field}",
            "Was given {number:,} rows of a model in {field}",
            len(self.rows),
            field=self.field,
        )


class QuestionSeeded(Payload):
    """The task's question was given in the editor, to be confirmed or changed."""

    type: Literal["question_seeded"] = "question_seeded"
    lane = "answer"
    server_only = True
    text: str = Field(max_length=MAX_TEXT, description="as the task has it")

    def sentence(self) -> str:
        return gettext("Was given the question {text}", text=quoted(self.text))


class QuestionEdited(UndoableEdit):
    """The whole text of the question being written, after a pause in typing."""

    type: Literal["question_edited"] = "question_edited"
    lane = "answer"
    is_edit = True
    is_content = True
    text: str = Field(max_length=MAX_TEXT, description="everything in the question box")

    def sentence(self) -> str:
        return written_text(N_("Wrote the question {text}"), N_("Emptied the question"), self.text)


class Checked(Payload):
    """The live checks were run over question, answer and evidence."""

    type: Literal["checked"] = "checked"
    server_only = True
    at_seq: int = Field(ge=0, description="the last event that the checks have seen")
    findings: tuple[Finding, ...] = Field(description="one per check")

    def sentence(self) -> str:
        warned = [finding.check for finding in self.findings if finding.status == "warning"]
        return gettext(
            "Ran the checks: {findings}",
            findings=", ".join(warned) if warned else gettext("nothing to warn of"),
        )


class GoldDisputed(Payload):
    """Who has seen the gold of a pilot task says that it is wrong."""

    type: Literal["gold_disputed"] = "gold_disputed"
    is_work = False
    is_content = True
    presence = "unknown"
    reason: str = Field(min_length=1, max_length=MAX_REASON, description="why")

    def sentence(self) -> str:
        return gettext("Disputed the gold: {reason}", reason=quoted(self.reason))


_SCORED_PARTS = {
    "evidence": N_("evidence"),
    "transcript": N_("text"),
    "tables": N_("tables"),
    "boxes": N_("boxes"),
}


class PartScore(BaseModel):
    """How one part of a pilot task compares with its gold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: str = Field(max_length=100, description="answer, evidence, boxes or a field's name")
    right: bool = Field(description="whether it counts as right")
    score: float = Field(ge=0, le=1, allow_inf_nan=False, description="share that agrees")
    undecided: bool = Field(
        default=False, description="whether the rule leaves open if it is right"
    )

    def words(self, label: str = "") -> str:
        """Such as “wrong answer” or “evidence 0.33”; ``label`` is that of a field."""
        if self.undecided:
            return gettext("undecided answer")
        if self.part == "answer":
            return gettext(N_("right answer") if self.right else N_("wrong answer"))
        if self.part == "outcome":
            return gettext(N_("right outcome") if self.right else N_("wrong outcome"))
        name = gettext(_SCORED_PARTS[self.part]) if self.part in _SCORED_PARTS else label
        return gettext("{part} {score}", part=name or self.part, score=f"{self.score:.2g}")


class FeedbackGiven(Payload):
    """A submitted pilot task was compared with its gold, and the gold was shown."""

    type: Literal["feedback_given"] = "feedback_given"
    server_only = True
    right: bool = Field(description="whether every part is right")
    score: float = Field(ge=0, le=1, allow_inf_nan=False, description="mean of the decided parts")
    parts: tuple[PartScore, ...] = Field(description="one per part that has gold")

    def sentence(self) -> str:
        parts = ", ".join(part.words() for part in self.parts)
        return gettext("Was shown the gold: {parts}", parts=parts)
