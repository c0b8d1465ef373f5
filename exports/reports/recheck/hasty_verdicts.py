"""Verdicts that were given before what they judge can have been seen, estimated from events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pagetrail.annotation import events as ev
from pagetrail.annotation.events import Event

MIN_SEEN_MS = 400
"""A verdict needs its unit on the screen for as long."""
SAME_DECISION_MS = 1
"""Acceptances this close together are one confirmed step."""

Unit = tuple[str, ...]
"""What a verdict is about: a page, a box or element, or a patch."""


class HastyVerdict(NamedTuple):
    """A verdict on something that was under decision for less than ``MIN_SEEN_MS``.

    Attributes:
        unit: a page as ``report.pdf#3``, else the id of the box or patch.
        seen_ms: from when the unit came under decision to the verdict.
    """

    seq: int
    unit: str
    seen_ms: int


def hasty_verdicts(events: Sequence[Event]) -> Iterator[HastyVerdict]:
    """The hasty verdicts of an attempt, in order.

    A unit comes under decision when its page is opened, or with the verdict on the unit before it.
    Changes of the last verdict and confirmed acceptances of all that is left are exempt.
    """
    shown_at: dict[Unit, int] = {}
    turned_at = decided_at = 0
    last_unit: Unit | None = None
    accepted_at: int | None = None
    for event in events:
        payload, at = event.payload, event.elapsed_ms
        if isinstance(payload, ev.PageViewed):
            shown_at[_page(payload.document, payload.page)] = turned_at = at
        unit = _judged_unit(payload)
        if unit is None:
            continue
        in_bulk = (
            isinstance(payload, ev.BoxAccepted)
            and accepted_at is not None
            and at - accepted_at <= SAME_DECISION_MS
        )
        accepted_at = at if isinstance(payload, ev.BoxAccepted) else None
        since = max(shown_at.get(unit, turned_at), decided_at)
        is_known = unit in shown_at if unit[0] == "page" else last_unit is not None
        if is_known and unit != last_unit and not in_bulk and at - since < MIN_SEEN_MS:
            yield HastyVerdict(event.seq, _label(unit), at - since)
        last_unit, decided_at = unit, at


def _page(document: str, page: int) -> Unit:
    return "page", document, str(page)


def _label(unit: Unit) -> str:
    return "#".join(unit[1:])


def _judged_unit(payload: ev.Payload) -> Unit | None:
    match payload:
        case ev.FieldSet(undoes=None, box=str(box)):
            return "box", box
        case ev.FieldSet(undoes=None, document=str(document), page=int(page)):
            return _page(document, page)
        case ev.BoxAccepted(accepted=True, box=box):
            return "box", box
        case ev.PatchDecided(undoes=None, patch=patch) if payload.decision != "open":
            return "patch", patch
    return None
