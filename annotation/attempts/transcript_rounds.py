"""Rounds of a transcription: whether a page is with its annotator or a model, and what was done.

The annotator corrects the text and decides the model's patches. If that changed anything, a model
looks at the page again and the next round begins; a page that is submitted without a change is done
(ParseBench, Zhang et al. 2026, section 2.2 and appendix A.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.transcript_state import Transcript
from pagetrail.annotation.messages import N_
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, gaps

PageStage = Literal["untouched", "changed", "waiting", "accepted", "skipped"]
PAGE_STAGES: tuple[PageStage, ...] = get_args(PageStage)
STAGE_LABELS: dict[PageStage, str] = {
    "untouched": N_("Untouched"),
    "changed": N_("Changed, not submitted"),
    "waiting": N_("Waiting for a model"),
    "accepted": N_("Accepted without an edit"),
    "skipped": N_("Skipped"),
}


def page_stage(state: AttemptState) -> PageStage:
    """Where the page of a transcription is in its current round.

    ``untouched`` and ``changed`` are with the annotator, ``waiting`` with a model. ``accepted``,
    submitted without a change, is the end; so is ``skipped``.
    """
    transcript = state.transcript
    if state.status == "skipped":
        return "skipped"
    is_changed = transcript is not None and has_changed(transcript)
    if state.status == "submitted":
        return "waiting" if is_changed else "accepted"
    is_touched = transcript is not None and any(p.state != "open" for p in transcript.patches)
    return "changed" if is_changed or is_touched else "untouched"


def has_changed(transcript: Transcript) -> bool:
    """Whether the text differs from the round's first one, or a patch of the round is accepted."""
    return (
        bool(transcript.in_state("accepted"))
        or transcript.text_sha256 != transcript.round_text_sha256
    )


@dataclass
class RoundWork:
    """What one annotator did with one page in one round.

    Attributes:
        number: of the round, from 1.
        model: that gave the text or the patches.
        stage: at the end of the round, or now.
        given: patches.
        accepted, rejected, stale, undecided: of the patches, at the end of the round.
        edits: events that edited the text, undoing included.
        added_chars, removed_chars: of these edits; patches are not counted.
        active_ms: working time.
    """

    number: int
    model: str | None = None
    stage: PageStage = "untouched"
    given: int = 0
    accepted: int = 0
    rejected: int = 0
    stale: int = 0
    undecided: int = 0
    edits: int = 0
    added_chars: int = 0
    removed_chars: int = 0
    active_ms: int = 0

    @property
    def edited_chars(self) -> int:
        """Characters inserted and removed."""
        return self.added_chars + self.removed_chars


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
    for state in _states(event for event in events if event.elapsed_ms <= elapsed_ms):
        transcript = state.transcript
    return None if transcript is None else transcript.text


def round_works(
    events: Sequence[ev.Event], idle_cap_s: float = DEFAULT_IDLE_CAP_S
) -> list[RoundWork]:
    """The work of an attempt by round; empty where the attempt has no text."""
    rounds: list[RoundWork] = []
    number = 1
    active_ms: dict[int, int] = {}
    last_states: dict[int, AttemptState] = {}
    for event, gap_ms in zip(events, _active_gaps(events, idle_cap_s), strict=True):
        if isinstance(event.payload, ev.RoundStarted):
            number = event.payload.number
        active_ms[number] = active_ms.get(number, 0) + gap_ms
    for event, state in zip(events, _states(events), strict=True):
        if state.transcript is None:
            continue
        if not rounds or rounds[-1].number != state.transcript.round:
            rounds.append(RoundWork(state.transcript.round))
        _count(rounds[-1], event.payload)
        last_states[state.transcript.round] = state
    for work in rounds:
        work.active_ms = active_ms.get(work.number, 0)
        _set_outcome(work, last_states[work.number])
    return rounds


def text_changes(
    events: Sequence[ev.Event], idle_cap_s: float = DEFAULT_IDLE_CAP_S
) -> Iterator[TextChange]:
    """The changes of an attempt's text with the working time that each took."""
    number, active_ms = 1, 0
    gaps_before = [0, *_active_gaps(events, idle_cap_s)]
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


def _states(events: Iterable[ev.Event]) -> Iterator[AttemptState]:
    state = AttemptState()
    for event in events:
        state = apply(state, event)
        yield state


def _active_gaps(events: Sequence[ev.Event], idle_cap_s: float) -> list[int]:
    """Working time after each event; nothing follows the last."""
    cap_ms = round(idle_cap_s * 1000)
    return [*(gap.active_ms(cap_ms) for gap in gaps(events)), *([0] if events else [])]


def _count(work: RoundWork, payload: ev.Payload) -> None:
    if isinstance(payload, ev.TextEdited):
        work.edits += 1
        work.added_chars += payload.added_chars
        work.removed_chars += payload.removed_chars


def _set_outcome(work: RoundWork, state: AttemptState) -> None:
    """Fill in what the last state of the round says."""
    transcript = state.transcript
    if transcript is None:
        return
    work.stage = page_stage(state)
    work.model = transcript.model
    work.given = len(transcript.patches)
    work.accepted = len(transcript.in_state("accepted"))
    work.rejected = len(transcript.in_state("rejected"))
    work.stale = len(transcript.in_state("stale"))
    work.undecided = len(transcript.in_state("open"))
