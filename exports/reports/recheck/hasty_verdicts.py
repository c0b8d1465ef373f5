"""Verdicts that were given before what they judge can have been seen.

The event says how long it was seen; for events from before that, this is estimated from times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pagetrail.annotation import events as ev
from pagetrail.annotation.events import Event
from pagetrail.annotation.protocols.protocol import Protocol

SAME_DECISION_MS = 1
"""Acceptances this close together are one confirmed step."""

Unit = tuple[str, ...]
"""What a verdict is about: its kind, and what names it."""

PAGE, REST = "page", "rest"
"""Kinds of units: a page itself, and all that is left of it."""

_VERDICTS_IF_GIVEN = (ev.BoxDeleted, ev.RowSet, ev.RowDeleted)
"""Verdicts on a model's elements and rows; with one's own, they are work."""


class HastyVerdict(NamedTuple):
    """A verdict on something that was under decision for less than ``MIN_SEEN_MS``.

    Attributes:
        unit: a page, or all that is left of it, as ``report.pdf#3``, its table as
            ``report.pdf#3#table``, a cell as ``table#row#column``, a row as ``field#row``, else the
            id of the box or patch.
        seen_ms: as stored, or from when the unit came under decision to the verdict.
    """

    seq: int
    unit: str
    seen_ms: int


def hasty_verdicts(events: Sequence[Event], protocol: Protocol) -> Iterator[HastyVerdict]:
    """The hasty verdicts of an attempt, in order.

    A unit comes under decision when its page is opened, or with the verdict on the unit before it.
    Changes of the last verdict and confirmed acceptances of all that is left are exempt.
    """
    shown_at: dict[Unit, int] = {}
    turned_at = decided_at = 0
    last_unit: Unit | None = None
    accepted_at: int | None = None
    given: set[Unit] = set()
    for event in events:
        payload, at = event.payload, event.elapsed_ms
        if isinstance(payload, ev.PageViewed):
            shown_at[_page(payload.document, payload.page)] = turned_at = at
        elif isinstance(payload, ev.RowsSeeded):
            given |= {_row(payload, row.id) for row in payload.rows}
        elif isinstance(payload, ev.ElementsSeeded):
            given |= {("box", element.id) for element in payload.elements}
        unit = _judged_unit(payload, protocol)
        if unit is None or (isinstance(payload, _VERDICTS_IF_GIVEN) and unit not in given):
            continue
        in_bulk = (
            isinstance(payload, ev.BoxAccepted)
            and accepted_at is not None
            and at - accepted_at <= SAME_DECISION_MS
        )
        accepted_at = at if isinstance(payload, ev.BoxAccepted) else None
        seen_ms = payload.seen_ms if isinstance(payload, ev.VerdictEvent) else None
        page = (PAGE, *unit[1:3])
        if seen_ms is None and unit[0] == REST:
            seen_ms = at - shown_at[page] if page in shown_at else None
        elif seen_ms is None and (unit in shown_at if unit == page else shown_at or last_unit):
            seen_ms = at - max(shown_at.get(unit, turned_at), decided_at)
        if seen_ms is not None and seen_ms < ev.MIN_SEEN_MS and unit != last_unit and not in_bulk:
            yield HastyVerdict(event.seq, "#".join(unit[1:]), seen_ms)
        last_unit, decided_at = unit, at


def _page(document: str, page: int) -> Unit:
    return PAGE, document, str(page)


def _row(payload: ev.Targeted, row: str) -> Unit:
    return "row", f"{payload.field}{payload.target}", row


def _judged_unit(payload: ev.Payload, protocol: Protocol) -> Unit | None:
    """What a payload gives a verdict on; None if it gives none, or the value was typed."""
    match payload:
        case ev.FieldSet(undoes=None, box=str(box)):
            return "box", box
        case ev.FieldSet(undoes=None, document=str(document), page=int(page)):
            return _page(document, page)
        case ev.BoxAccepted(accepted=True, box=box) | ev.BoxDeleted(box=box):
            return "box", box
        case ev.PatchDecided(undoes=None, patch=patch) if payload.decision != "open":
            return "patch", patch
        case ev.RowSet(undoes=None, row=row) if _is_choice(payload, protocol):
            return _row(payload, row)
        case ev.RowDeleted(undoes=None, row=row):
            return _row(payload, row)
        case ev.CellConfirmed(undoes=None, confirmed=True, document=document, page=page):
            if len(payload.cells) == 1 and not payload.removed:
                return "cell", payload.table, *(str(index + 1) for index in payload.cells[0])
            return REST, document, str(page), payload.table
        case ev.PatchesDecided(undoes=None, document=document, page=page) if (
            payload.decision != "open"
        ):
            return REST, document, str(page)
    return None


def _is_choice(payload: ev.RowSet, protocol: Protocol) -> bool:
    """Whether only options of a row were chosen."""
    spec = protocol.field(payload.field)
    choices = {column.name for column in spec.columns if column.kind == "choice"} if spec else set()
    return bool(payload.values) and payload.values.keys() <= choices
