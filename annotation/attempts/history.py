"""What can be undone and redone in a task, as a fold of its events.

Undoing records an ordinary event that puts the earlier value back. It names the event that it
reverses in ``undoes``; an event that reverses such an event is a redo. Changes of boxes have
``undone`` and ``redone`` for that, which name the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State
from pagetrail.annotation.attempts.form_state import RecordRow, with_moved_row
from pagetrail.annotation.attempts.table_state import table_inverse
from pagetrail.annotation.attempts.transcript_state import TranscriptStep, transcript_step
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.tables.cells import TableChange, change_weight

if TYPE_CHECKING:
    from pagetrail.annotation.attempts.state import AttemptState

MAX_STEPS = 50
"""Steps of a task that can be undone."""
MAX_CHARACTERS = 20_000
"""Characters of text that all steps keep together; the last step is kept however long it is."""


class HistoryStep(State):
    """A change that can be undone or redone, and what that puts back."""

    id: str = Field(description="client event id of the change, or of its last undoing or redoing")
    part: Literal[
        "answer",
        "question",
        "note",
        "flag",
        "citation",
        "field",
        "row",
        "row_order",
        "rows",
        "box",
        "bookmark",
        "scratchpad",
        "transcript",
        "table",
    ]
    field: str | None = None
    document: str | None = None
    page: int | None = None
    box: str | None = None
    row: str | None = None
    value: Value = Field(default=None, description="of a field, a text or a flag")
    cells: dict[str, str] = Field(default_factory=dict, description="of a row, by column")
    rows: dict[str, dict[str, str]] = Field(
        default_factory=dict, description="cells of several rows, by row and column"
    )
    present: bool = Field(
        default=False, description="whether the citation, row or bookmark is there"
    )
    search_id: str | None = Field(default=None, description="of a citation")
    rank: int | None = Field(default=None, description="of a citation")
    transcript: TranscriptStep | None = Field(default=None, description="of a text and patches")
    table: str | None = Field(default=None, description="which table")
    table_change: TableChange | None = Field(default=None, description="of a table: the inverse")

    @property
    def target(self) -> tuple[object, ...]:
        """What the change is of."""
        return (self.part, self.field, self.document, self.page, self.box, self.row, self.table)

    @property
    def changed_rows(self) -> frozenset[str]:
        """Rows whose cells it changes."""
        row = {self.row} if self.part == "row" and self.row is not None else set()
        return frozenset(row | self.rows.keys())

    def overlaps(self, other: HistoryStep) -> bool:
        """Whether both change the same value."""
        same_table = (self.field, self.document, self.page, self.box) == (
            other.field,
            other.document,
            other.page,
            other.box,
        )
        return self.target == other.target or (
            same_table and not self.changed_rows.isdisjoint(other.changed_rows)
        )

    @property
    def characters(self) -> int:
        """Characters of text that it keeps."""
        text = self.value if isinstance(self.value, str) else ""
        cells = [*self.cells.values(), *(c for row in self.rows.values() for c in row.values())]
        edited_chars = self.transcript.characters if self.transcript else 0
        table_chars = change_weight(self.table_change) if self.table_change else 0
        return len(text) + sum(map(len, cells)) + edited_chars + table_chars


def history_after(state: AttemptState, event: ev.Event) -> dict[str, Any]:
    """The attributes ``undo`` and ``redo`` of the state after an event, as far as they change.

    Args:
        state: before the event.
    """
    payload = event.payload
    if isinstance(payload, ev.GoldEvent):
        return {"undo": (), "redo": ()} if state.undo or state.redo else {}
    if isinstance(payload, ev.BatchAidsCarried):
        # They were changed in other tasks: undoing here would lose that.
        return _without_parts(state, "bookmark", "scratchpad")
    if isinstance(payload, ev.TranscriptGiven | ev.PatchesGiven):
        return _without_parts(state, "transcript")
    if isinstance(payload, ev.TablesGiven):
        return _without_parts(state, "table")
    if isinstance(payload, ev.RoundStarted):
        return _without_parts(state, "transcript", "table")
    if isinstance(payload, ev.Undone | ev.Redone):
        return _after_box_turn(state, payload)
    step = step_before(state, payload, event.client_event_id)
    if step is None:
        return {}
    reversed_id = payload.undoes if isinstance(payload, ev.UndoableEdit) else None
    if _has_step(state.undo, reversed_id):
        return {"undo": _without(state.undo, reversed_id), "redo": (*state.redo, step)}
    if _has_step(state.redo, reversed_id):
        return {"undo": _limited((*state.undo, step)), "redo": _without(state.redo, reversed_id)}
    if _changes_nothing(step, payload):
        return {}
    return {"undo": _limited((*state.undo, step)), "redo": ()}


def reversed_step(state: AttemptState, payload: ev.Payload) -> HistoryStep | None:
    """The step of the change that an event undoes or redoes; None where it does neither."""
    reversed_id = payload.undoes if isinstance(payload, ev.UndoableEdit) else None
    if reversed_id is None:
        return None
    return next((step for step in (*state.undo, *state.redo) if step.id == reversed_id), None)


def check_undoing(state: AttemptState, payload: ev.Payload) -> None:
    """Refuse to undo or redo a change that is not the last one of its value."""
    if not isinstance(payload, ev.UndoableEdit) or payload.undoes is None:
        return
    step = step_before(state, payload, payload.undoes)
    for steps in (state.undo, state.redo):
        last = next((s for s in reversed(steps) if step and s.overlaps(step)), None)
        if last is not None and last.id == payload.undoes:
            return
    raise Refusal(
        gettext("This was changed elsewhere meanwhile; nothing was undone or redone."),
        code="not_last",
    )


def step_before(state: AttemptState, payload: ev.Payload, event_id: str) -> HistoryStep | None:
    """The step that puts back what the state holds before an event; None where there is none."""
    match payload:
        case ev.BoxDrawn():
            if state.boxes.get(payload.box) is not None:
                return None
            page = {"document": payload.document, "page": payload.page}
            return HistoryStep(id=event_id, part="box", box=payload.box, **page)
        case ev.BoxChange():
            box = state.boxes.get(payload.box)
            if box is None:
                return None
            return HistoryStep(
                id=event_id, part="box", box=box.id, document=box.document, page=box.page
            )
        case ev.FieldSet():
            target = _target(payload)
            return HistoryStep(id=event_id, part="field", **target, value=state.value(**target))
        case ev.RowSet() | ev.RowDeleted():
            return _row_step(state, payload, event_id)
        case ev.RowsSet():
            return _rows_step(state, payload, event_id)
        case ev.TranscriptEdit():
            return _transcript_step(state, payload, event_id)
        case ev.TableWork():
            return _table_step(state, payload, event_id)
        case ev.RowMoved():
            return _row_order_step(state, payload, event_id)
        case ev.CitationAdded() | ev.CitationRemoved():
            return _citation_step(state, payload, event_id)
        case ev.PageBookmarked() | ev.BookmarkRemoved():
            return _bookmark_step(state, payload, event_id)
        case ev.ScratchpadEdited():
            return HistoryStep(id=event_id, part="scratchpad", value=state.scratchpad)
        case ev.AnswerEdited():
            return HistoryStep(id=event_id, part="answer", value=state.answer_text)
        case ev.QuestionEdited():
            return HistoryStep(id=event_id, part="question", value=state.question_text or "")
        case ev.NoteEdited():
            return HistoryStep(id=event_id, part="note", value=state.note)
        case ev.Flagged() | ev.Unflagged():
            return HistoryStep(id=event_id, part="flag", value=state.flag)
        case _:
            return None


def _row_step(
    state: AttemptState, payload: ev.RowSet | ev.RowDeleted, event_id: str
) -> HistoryStep | None:
    row = _row(state, payload)
    is_present = row is not None and not row.deleted
    if isinstance(payload, ev.RowDeleted) and not is_present:
        return None
    cells = {}
    if isinstance(payload, ev.RowSet) and row is not None and is_present:
        cells = {column: row.values.get(column, "") for column in payload.values}
    return HistoryStep(
        id=event_id,
        part="row",
        **_target(payload),
        row=payload.row,
        cells=cells,
        present=is_present,
    )


def _rows_step(state: AttemptState, payload: ev.RowsSet, event_id: str) -> HistoryStep | None:
    target = tuple(_target(payload).values())
    rows = {
        row.row: {column: row.values.get(column, "") for column in payload.rows[row.row]}
        for row in state.rows
        if row.row in payload.rows
        and not row.deleted
        and (row.field, row.document, row.page, row.box) == target
    }
    if not rows:
        return None
    return HistoryStep(id=event_id, part="rows", **_target(payload), rows=rows)


def _row_order_step(state: AttemptState, payload: ev.RowMoved, event_id: str) -> HistoryStep | None:
    """Where the row was: before the row that ``value`` names, or at the end."""
    target = tuple(_target(payload).values())
    rows = [r.row for r in state.rows if (r.field, r.document, r.page, r.box) == target]
    if payload.row not in rows or with_moved_row(state.rows, payload) == state.rows:
        return None
    place = rows.index(payload.row)
    following = rows[place + 1] if place + 1 < len(rows) else None
    return HistoryStep(
        id=event_id, part="row_order", **_target(payload), row=payload.row, value=following
    )


def _row(state: AttemptState, payload: ev.RowSet | ev.RowDeleted) -> RecordRow | None:
    target = (*_target(payload).values(), payload.row)
    return next(
        (r for r in state.rows if (r.field, r.document, r.page, r.box, r.row) == target), None
    )


def _citation_step(
    state: AttemptState, payload: ev.CitationAdded | ev.CitationRemoved, event_id: str
) -> HistoryStep | None:
    page = (payload.document, payload.page)
    citation = next((c for c in state.citations if (c.document, c.page) == page), None)
    if (citation is None) == isinstance(payload, ev.CitationRemoved):
        return None
    return HistoryStep(
        id=event_id,
        part="citation",
        document=payload.document,
        page=payload.page,
        present=citation is not None,
        search_id=citation.search_id if citation else None,
        rank=citation.rank if citation else None,
    )


def _table_step(state: AttemptState, payload: ev.TableWork, event_id: str) -> HistoryStep | None:
    change = table_inverse(state.tables, payload)
    if change is None:
        return None
    return HistoryStep(
        id=event_id,
        part="table",
        document=payload.document,
        page=payload.page,
        table=payload.table,
        table_change=change,
    )


def _transcript_step(
    state: AttemptState, payload: ev.TranscriptEdit, event_id: str
) -> HistoryStep | None:
    step = transcript_step(state.transcript, payload)
    if step is None:
        return None
    return HistoryStep(
        id=event_id,
        part="transcript",
        document=payload.document,
        page=payload.page,
        transcript=step,
    )


def _bookmark_step(
    state: AttemptState, payload: ev.PageBookmarked | ev.BookmarkRemoved, event_id: str
) -> HistoryStep | None:
    page = (payload.document, payload.page)
    is_present = any((b.document, b.page) == page for b in state.bookmarks)
    if is_present == isinstance(payload, ev.PageBookmarked):
        return None
    return HistoryStep(
        id=event_id,
        part="bookmark",
        document=payload.document,
        page=payload.page,
        present=is_present,
    )


def _without_parts(state: AttemptState, *parts: str) -> dict[str, Any]:
    """The history without the changes of some parts."""

    def kept_steps(steps: tuple[HistoryStep, ...]) -> tuple[HistoryStep, ...]:
        return tuple(step for step in steps if step.part not in parts)

    return {"undo": kept_steps(state.undo), "redo": kept_steps(state.redo)}


def _target(payload: ev.Targeted) -> dict[str, Any]:
    return {
        "field": payload.field,
        "document": payload.document,
        "page": payload.page,
        "box": payload.box,
    }


def _changes_nothing(step: HistoryStep, payload: ev.Payload) -> bool:
    """Whether an event sets what is set already."""
    match payload:
        case ev.FieldSet():
            return step.value == payload.value
        case ev.RowSet():
            return step.present and step.cells == payload.values
        case ev.RowsSet():
            return step.rows == payload.rows
        case ev.AnswerEdited() | ev.QuestionEdited() | ev.NoteEdited() | ev.ScratchpadEdited():
            return step.value == payload.text
        case ev.Flagged():
            return step.value == payload.comment
        case ev.Unflagged():
            return step.value is None
        case ev.TableWork():
            return step.table_change == payload.table_change
        case _:
            return False


def _after_box_turn(state: AttemptState, payload: ev.Undone | ev.Redone) -> dict[str, Any]:
    is_undoing = isinstance(payload, ev.Undone)
    stack: Literal["undo", "redo"] = "undo" if is_undoing else "redo"
    change = state.boxes.last(stack, payload.document, payload.page)
    if change is None or change.id != payload.change:
        return {}
    step = HistoryStep(
        id=change.id, part="box", box=change.box, document=change.document, page=change.page
    )
    if is_undoing:
        return {"undo": _without(state.undo, change.id), "redo": (*state.redo, step)}
    return {"undo": _limited((*state.undo, step)), "redo": _without(state.redo, change.id)}


def _has_step(steps: Sequence[HistoryStep], step_id: str | None) -> bool:
    return any(step.id == step_id for step in steps)


def _without(steps: Sequence[HistoryStep], step_id: str | None) -> tuple[HistoryStep, ...]:
    return tuple(step for step in steps if step.id != step_id)


def _limited(steps: tuple[HistoryStep, ...]) -> tuple[HistoryStep, ...]:
    """The last steps, as many as are kept."""
    recent_steps = steps[-MAX_STEPS:]
    excess = sum(step.characters for step in recent_steps) - MAX_CHARACTERS
    while excess > 0 and len(recent_steps) > 1:
        excess -= recent_steps[0].characters
        recent_steps = recent_steps[1:]
    return recent_steps
