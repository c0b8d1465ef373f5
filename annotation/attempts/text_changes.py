"""The text of a page at any time of an attempt, and its changes with the time that each took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.rounds import active_gaps, states_after


@dataclass
class TextChange:
    """An edit of a text, or a decision on its patches.

    Attributes:
        seq: of the event.
        elapsed_ms: when it happened, from the attempt's first event.
        active_ms: working time since the change before it, or since the beginning.
        kind: how the text was edited, or what was decided.
        patches: that were decided.
    """

    seq: int
    round: int
    elapsed_ms: int
    active_ms: int
    kind: str
    added_chars: int = 0
    removed_chars: int = 0
    patches: tuple[str, ...] = field(default=())


def text_at(events: Iterable[ev.Event], elapsed_ms: int) -> str | None:
    """The text of the page at a time of the attempt; None before there was one."""
    transcript = None
    for state in states_after(event for event in events if event.elapsed_ms <= elapsed_ms):
        transcript = state.transcript
    return None if transcript is None else transcript.text


def text_changes(events: Sequence[ev.Event]) -> Iterator[TextChange]:
    """The changes of an attempt's text with the working time that each took."""
    number, active_ms = 1, 0
    gaps_before = [0, *active_gaps(events)]
    for event, gap_ms in zip(events, gaps_before, strict=False):
        payload = event.payload
        active_ms += gap_ms
        if isinstance(payload, ev.RoundStarted):
            number, active_ms = payload.number, 0
        if not isinstance(payload, ev.TranscriptEdit):
            continue
        change = TextChange(event.seq, number, event.elapsed_ms, active_ms, "")
        match payload:
            case ev.TextEdited():
                change.kind = payload.source
                change.added_chars = payload.added_chars
                change.removed_chars = payload.removed_chars
            case ev.PatchDecided():
                change.kind, change.patches = payload.decision, (payload.patch,)
            case ev.PatchesDecided():
                change.kind, change.patches = payload.decision, payload.patches
        yield change
        active_ms = 0
