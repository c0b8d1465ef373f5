"""The gold of a pilot task beyond its answer and evidence: fields, boxes, text and tables.

In a task's record: ``"gold": {"fields": {name: value}, "pages": [{"document", "page", "fields":
{name: value}}], "boxes": [{"document", "page", "rect", "label"}], "transcript": text, "tables":
[{"id", "html"}], "why": {part: sentence}}``. It never leaves the server before its task is
submitted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pagetrail.annotation.attempts.preannotations import cell_text
from pagetrail.annotation.events.transcripts import MAX_TRANSCRIPT
from pagetrail.annotation.geometry.box import Rect
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import (
    FieldSpec,
    Scope,
    Value,
    cells_problem,
    token,
    value_problem,
)
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.tables.grid import Grid
from pagetrail.annotation.tables.parsing import parse_tables
from pagetrail.annotation.tables.sources import MAX_SOURCE, MAX_TABLE_ID
from pagetrail.annotation.tasks.task import PageRef

GoldValue = Value | list[dict[str, Any]]
"""What a field should hold; the rows of a table."""


class _Gold(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GoldPageFields(PageRef):
    """What the fields of one page should hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    fields: dict[str, Any]


class GoldBox(PageRef):
    """A box that should be there; ``rect`` in points on the displayed page."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    rect: Rect
    label: str = Field(min_length=1, max_length=60)


class GoldTable(_Gold):
    """A table as it should be, in HTML or Markdown."""

    id: str = Field(min_length=1, max_length=MAX_TABLE_ID)
    html: Annotated[str, Field(max_length=MAX_SOURCE)]

    @property
    def grid(self) -> Grid:
        """Its cells.

        Raises:
            ValueError: it holds no table, or one that is too large.
        """
        tables = parse_tables(self.html)
        if len(tables) != 1 or not tables[0].grid.cells:
            raise ValueError("must hold one table")
        return tables[0].grid


class Gold(_Gold):
    """Gold of fields and boxes.

    Attributes:
        fields: value by task field; a table of records has a list of rows, each an object.
        boxes: None where boxes have no gold; an empty list says that none should be drawn.
        transcript: the text of the page; None where it has no gold.
        tables: each table as it should be, by its id; None where tables have no gold.
        why: a sentence on each part, such as ``answer`` or a field, for its feedback.
    """

    fields: dict[str, Any] = Field(default_factory=dict)
    pages: tuple[GoldPageFields, ...] = ()
    boxes: tuple[GoldBox, ...] | None = None
    transcript: Annotated[str, Field(max_length=MAX_TRANSCRIPT)] | None = None
    tables: tuple[GoldTable, ...] | None = None
    why: dict[str, Annotated[str, Field(max_length=2_000)]] = Field(default_factory=dict)


def gold_of(record: dict[str, Any]) -> Gold:
    """The gold in a task's record; empty where there is none.

    Raises:
        ValueError: it is not of that form; the message names the place.
    """
    data = record.get("gold")
    if data is None:
        return Gold()
    if not isinstance(data, dict):
        raise ValueError("gold: must be an object with fields, pages or boxes")
    try:
        return Gold.model_validate(data)
    except ValidationError as error:
        raise ValueError(f"gold.{describe(error)}") from error


def gold_value(spec: FieldSpec, value: Any) -> Value:
    """A gold value as the field would hold it: options as text, several of them as a tuple."""
    if spec.kind == "multi" and isinstance(value, list):
        return tuple(_option(item) for item in value)
    plain: Value = _option(value) if spec.kind in ("choice", "ordinal") else value
    return plain


def _option(value: Any) -> Any:
    """Grades are often written as numbers."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return token(value) if number else value


def gold_rows(value: Any) -> list[dict[str, str]]:
    """The rows of a table's gold, each cell as text; a cell that is null is left out."""
    if not isinstance(value, list):
        return []
    return [
        {str(name): cell_text(cell) for name, cell in row.items() if cell is not None}
        for row in value
        if isinstance(row, dict)
    ]


def gold_problems(protocol: Protocol, gold: Gold) -> Iterator[str]:
    """Problems of gold that this protocol cannot hold, as ``gold.key: what is wrong``."""
    yield from _fields(protocol, gold.fields, "task", "gold.fields")
    seen_pages = set()
    for index, page in enumerate(gold.pages):
        if page.key in seen_pages:
            yield f"gold.pages[{index}]: page {page.page} of {page.document} is there twice"
        seen_pages.add(page.key)
        yield from _fields(protocol, page.fields, "page", f"gold.pages[{index}].fields")
    if gold.transcript is not None and not protocol.transcript.enabled:
        yield "gold.transcript: tasks of this protocol have no text to correct"
    yield from _tables(protocol, gold)
    if gold.boxes is None:
        return
    if not protocol.boxes.enabled:
        yield "gold.boxes: the boxes of this protocol are off"
        return
    labels = [label.name for label in protocol.boxes.labels]
    for index, box in enumerate(gold.boxes):
        if box.label not in labels:
            label_names = ", ".join(labels)
            yield f"gold.boxes[{index}]: there is no label {box.label!r}; labels: {label_names}"


def _tables(protocol: Protocol, gold: Gold) -> Iterator[str]:
    if gold.tables is not None and not protocol.tables.enabled:
        yield "gold.tables: tasks of this protocol have no tables"
        return
    for index, table in enumerate(gold.tables or ()):
        try:
            _ = table.grid
        except ValueError as error:
            yield f"gold.tables[{index}]: {error}"


def _fields(
    protocol: Protocol, values: dict[str, Any], scope: Scope, position: str
) -> Iterator[str]:
    field_names = ", ".join(field.name for field in protocol.scoped(scope)) or "none"
    for name, value in values.items():
        spec = protocol.field(name)
        if spec is None or spec.scope != scope:
            yield f"{position}: there is no {scope} field {name!r}; {scope} fields: {field_names}"
            continue
        if value is None:
            yield f"{position}.{name}: is null; leave it out where it has no gold"
            continue
        problem = _value_problem(spec, value)
        if problem is not None:
            yield f"{position}.{name}: {problem.removesuffix('.')}"


def _value_problem(spec: FieldSpec, value: Any) -> str | None:
    if spec.kind == "records":
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            return gettext("must be a list of objects, one per row.")
        problems = (cells_problem(spec, row, new=True) for row in gold_rows(value))
        return next(filter(None, problems), None)
    if isinstance(value, dict):
        return gettext("an object is no value of a field.")
    return value_problem(spec, gold_value(spec, value))


def unanswerable_problem(protocol: Protocol, record: dict[str, Any]) -> str | None:
    """Why gold that calls its task unanswerable contradicts itself, or None.

    Evidence is no contradiction where it names the pages that annotators are given.
    """
    if not record.get("unanswerable"):
        return None
    if record.get("answer_variants"):
        return "unanswerable: the task has answers too; leave out either"
    if record.get("evidence") and protocol.evidence.enabled and protocol.pages != "gold":
        return "unanswerable: the task has evidence too; leave out either"
    return None
