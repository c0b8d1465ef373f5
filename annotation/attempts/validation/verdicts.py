"""Decides whether what a verdict judges can have been seen.

A screen says how long (``VerdictEvent.seen_ms``), by the browser's clock: the server cannot measure
it, but refuses what no screen sends.
"""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext

_TYPED = ("text", "number", "records")
"""Kinds of fields whose values are typed."""


def check_seen(form: Form, payload: ev.Payload, *, is_from_screen: bool) -> None:
    """Refuse a verdict on what was seen for less than ``MIN_SEEN_MS``.

    A withdrawal is none, nor are typed values, undoing and redoing.

    Args:
        is_from_screen: whether a screen of this version sent it, which always says how long.
    """
    if not isinstance(payload, ev.VerdictEvent) or _is_withdrawal(payload):
        return
    if payload.seen_ms is not None and payload.seen_ms < ev.MIN_SEEN_MS:
        raise Refusal(
            gettext("Judged before it can have been seen. Look at it, then decide."),
            code="not_seen",
            field=getattr(payload, "field", None),
        )
    if payload.seen_ms is None and is_from_screen and _says_how_long(form, payload):
        raise Refusal(
            gettext("This tab shows an earlier version of Pagetrail. Reload it, then decide."),
            code="earlier_screen",
            field=getattr(payload, "field", None),
        )


def _is_withdrawal(payload: ev.VerdictEvent) -> bool:
    match payload:
        case (
            ev.BoxAccepted(accepted=False)
            | ev.CellConfirmed(confirmed=False)
            | ev.PatchDecided(decision="open")
            | ev.PatchesDecided(decision="open")
            | ev.FieldSet(value=None)
        ):
            return True
    return isinstance(payload, ev.UndoableEdit) and payload.undoes is not None


def _says_how_long(form: Form, payload: ev.VerdictEvent) -> bool:
    """Whether a screen always states ``seen_ms`` with it: not where a value was typed, followed
    from the boxes, or is the person's own box or row.
    """
    match payload:
        case ev.FieldSet():
            spec = form.protocol.field(payload.field)
            return spec is not None and spec.kind not in _TYPED and not spec.matches_boxes
        case ev.BoxLabelled() | ev.BoxDeleted():
            box = form.state.boxes.get(payload.box)
            return box is not None and box.model is not None
        case ev.RowSet():
            spec = form.protocol.field(payload.field)
            columns = spec.columns if spec else ()
            choices = {column.name for column in columns if column.kind == "choice"}
            return bool(payload.values) and payload.values.keys() <= choices
        case ev.RowDeleted():
            return any(
                row.row == payload.row and row.field == payload.field and row.model is not None
                for row in form.state.rows
            )
    return True
