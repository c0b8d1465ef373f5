"""Boxes that were drawn and undone, and are yet stored and exported as deleted."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.events import Event


def undone_drawings(events: Sequence[Event], state: AttemptState) -> list[str]:
    """Ids of the boxes in the state that are gone because their drawing was undone."""
    drawn: dict[str, str] = {}
    undone: set[str] = set()
    for event in events:
        match event.payload:
            case ev.BoxDrawn(box=box):
                drawn[event.client_event_id] = box
            case ev.Undone(change=change) if change in drawn:
                undone.add(drawn[change])
            case ev.Redone(change=change) if change in drawn:
                undone.discard(drawn[change])
    return [box.id for box in state.boxes.boxes if box.deleted and box.id in undone]
