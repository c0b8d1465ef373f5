"""The text of a page and a model's patches, as a fold of their events.

A patch follows the edits around it. An edit that overlaps a patch, or inserts something inside it,
leaves the patch without a place: an open one is stale then, a decided one keeps its decision.
Undoing that edit puts the patch back (``HistoryStep.transcript``).
"""

from __future__ import annotations

import hashlib
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

import numpy as np
from pydantic import Field

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.base import State

PatchState = Literal["open", "accepted", "rejected", "stale"]


class TranscriptPatch(State):
    """A model's patch, and what became of it."""

    id: str
    round: int
    at: int | None = Field(
        description="where it begins now; None once an edit has overlapped it, after which it "
        "can't be accepted, nor its acceptance withdrawn"
    )
    removed: str
    inserted: str
    reason: str = ""
    state: PatchState = "open"

    @property
    def present(self) -> str:
        """What the text has in its place."""
        return self.inserted if self.state == "accepted" else self.removed

    def text_after(self, decision: ev.PatchDecision) -> str:
        """What the text has in its place after a decision."""
        return self.inserted if decision == "accepted" else self.removed


class Transcript(State):
    """The text of a page, and the patches of its current round."""

    document: str
    page: int
    text: str
    model: str | None = Field(default=None, description="the last one that gave text or patches")
    round: int = 1
    round_text_sha256: str = Field(description="of the text with which the round began")
    patches: tuple[TranscriptPatch, ...] = ()

    def patch(self, patch_id: str) -> TranscriptPatch | None:
        """The patch of that id in this round."""
        return next((patch for patch in self.patches if patch.id == patch_id), None)

    def patches_by_id(self) -> dict[str, TranscriptPatch]:
        """The patches of this round by their ids."""
        return {patch.id: patch for patch in self.patches}

    def in_state(self, state: PatchState) -> list[TranscriptPatch]:
        """The patches of this round in that state."""
        return [patch for patch in self.patches if patch.state == state]

    @property
    def text_sha256(self) -> str:
        """SHA-256 of the current text."""
        return text_hash(self.text)


class PatchPosition(State):
    """Position and state of a patch before a change, which undoing the change restores."""

    id: str
    at: int | None
    state: PatchState


class TranscriptStep(State):
    """What undoing or redoing a change of a text does: an edit, or a decision on patches."""

    edits: tuple[ev.TextEdit, ...] = Field(default=(), description="of an edit: the inverse")
    patches: tuple[str, ...] = Field(default=(), description="of a decision: which patches")
    decision: ev.PatchDecision | None = Field(
        default=None, description="of a decision: the one before it"
    )
    positions: tuple[PatchPosition, ...] = Field(
        default=(), description="of patches that the change decided, touched or overlapped"
    )

    @property
    def characters(self) -> int:
        """Characters of text that it keeps."""
        return sum(len(edit.removed) + len(edit.inserted) for edit in self.edits)


def text_hash(text: str) -> str:
    """SHA-256 of a text in UTF-8, as transcripts and their patches name it."""
    return hashlib.sha256(text.encode()).hexdigest()


def edited_text(text: str, edits: Sequence[ev.TextEdit]) -> str | None:
    """The text after the edits; None unless the text has what each of them removes."""
    parts: list[str] = []
    position = 0
    for edit in edits:
        if text[edit.at : edit.end] != edit.removed or edit.at < position or edit.at > len(text):
            return None
        parts += (text[position : edit.at], edit.inserted)
        position = edit.end
    return "".join((*parts, text[position:]))


def inverse_edits(edits: Sequence[ev.TextEdit]) -> tuple[ev.TextEdit, ...]:
    """The edits that restore the text, with positions in the text after ``edits``."""
    growths = accumulate((edit.growth for edit in edits), initial=0)
    return tuple(
        ev.TextEdit(at=edit.at + growth, removed=edit.inserted, inserted=edit.removed)
        for edit, growth in zip(edits, growths, strict=False)
    )


def decided_patches(payload: ev.PatchDecided | ev.PatchesDecided) -> tuple[str, ...]:
    """Ids of the patches that an event decides."""
    return (payload.patch,) if isinstance(payload, ev.PatchDecided) else payload.patches


def is_decidable(
    transcript: Transcript, patch: TranscriptPatch | None, decision: ev.PatchDecision
) -> bool:
    """Whether a patch can get that decision now."""
    return patch is not None and _is_decidable(transcript.text, patch, decision)


def _is_decidable(text: str, patch: TranscriptPatch, decision: ev.PatchDecision) -> bool:
    if patch.state in ("stale", decision):
        return False
    replacement = patch.text_after(decision)
    if replacement == patch.present:
        return True
    if patch.at is None or patch.at > len(text):
        return False
    return text[patch.at : patch.at + len(patch.present)] == patch.present


def changes_transcript(transcript: Transcript | None, payload: ev.TranscriptEdit) -> bool:
    """Whether an event of a person changes the transcript; others leave it as it is."""
    if transcript is None or (payload.document, payload.page) != (
        transcript.document,
        transcript.page,
    ):
        return False
    match payload:
        case ev.TextEdited(edits=edits, text_crc32=crc):
            is_same = crc is None or crc == zlib.crc32(transcript.text.encode())
            return is_same and edited_text(transcript.text, edits) is not None
        case ev.PatchDecided() | ev.PatchesDecided():
            patches = transcript.patches_by_id()
            return any(
                is_decidable(transcript, patches.get(patch_id), payload.decision)
                for patch_id in decided_patches(payload)
            )
    return False


def apply_transcript(
    transcript: Transcript | None,
    payload: ev.TranscriptEvent | ev.RoundStarted,
    reversed_step: TranscriptStep | None,
) -> Transcript | None:
    """The transcript after one more event.

    Args:
        reversed_step: of the change that the event undoes or redoes.
    """
    match payload:
        case ev.TranscriptGiven():
            return Transcript(
                document=payload.document,
                page=payload.page,
                text=payload.text,
                model=payload.model,
                round_text_sha256=payload.text_sha256,
            )
        case ev.RoundStarted() if transcript is not None:
            model = payload.model or transcript.model
            changes = {"round": payload.number, "model": model, "patches": ()}
            return transcript.model_copy(update=changes)
        case ev.PatchesGiven() if transcript is not None:
            return _with_given_patches(transcript, payload)
        case ev.TranscriptEdit() if transcript and changes_transcript(transcript, payload):
            changed = transcript
            if isinstance(payload, ev.TextEdited):
                changed = _with_edits(transcript, payload.edits)
            elif isinstance(payload, ev.PatchDecided | ev.PatchesDecided):
                changed = _with_decisions(transcript, decided_patches(payload), payload.decision)
            return _with_positions(changed, reversed_step) if reversed_step else changed
    return transcript


def transcript_step(
    transcript: Transcript | None, payload: ev.TranscriptEdit
) -> TranscriptStep | None:
    """What reverses an event on the transcript before it; None where the event changes nothing."""
    if transcript is None or not changes_transcript(transcript, payload):
        return None
    if isinstance(payload, ev.TextEdited):
        touched = _touched_patches(transcript.patches, payload.edits)
        return TranscriptStep(
            edits=inverse_edits(payload.edits), positions=tuple(map(_position, touched))
        )
    if not isinstance(payload, ev.PatchDecided | ev.PatchesDecided):
        return None
    ids = decided_patches(payload)
    patches = transcript.patches_by_id()
    states = [patch.state for patch_id in ids if (patch := patches.get(patch_id))]
    decision = next((state for state in states if state != "stale"), None)
    touched = transcript.patches
    if isinstance(payload, ev.PatchDecided):
        touched = _touched_by_decision(transcript, payload.patch)
    return TranscriptStep(patches=ids, decision=decision, positions=tuple(map(_position, touched)))


def _touched_by_decision(transcript: Transcript, patch_id: str) -> tuple[TranscriptPatch, ...]:
    """The patch itself, and those that its text overlaps or adjoins."""
    patch = transcript.patch(patch_id)
    if patch is None or patch.at is None:
        return () if patch is None else (patch,)
    edit = ev.TextEdit(at=patch.at, removed=patch.present, inserted="")
    return _touched_patches(transcript.patches, (edit,))


def _position(patch: TranscriptPatch) -> PatchPosition:
    return PatchPosition(id=patch.id, at=patch.at, state=patch.state)


def _with_given_patches(transcript: Transcript, payload: ev.PatchesGiven) -> Transcript:
    patches = tuple(
        TranscriptPatch(
            id=patch.id,
            round=payload.round,
            at=patch.at,
            removed=patch.removed,
            inserted=patch.inserted,
            reason=patch.reason,
        )
        for patch in payload.patches
    )
    changes = {
        "round": payload.round,
        "round_text_sha256": payload.text_sha256,
        "patches": patches,
    }
    return transcript.model_copy(update=changes)


def _with_edits(transcript: Transcript, edits: Sequence[ev.TextEdit]) -> Transcript:
    text = edited_text(transcript.text, edits)
    patches = _moved_patches(transcript.patches, edits)
    return transcript.model_copy(update={"text": text, "patches": patches})


def _with_decisions(
    transcript: Transcript, ids: Sequence[str], decision: ev.PatchDecision
) -> Transcript:
    """The transcript after deciding the patches one after the other.

    Positions and lengths are arrays: each decision moves the patches behind it.
    """
    numbers = {patch.id: number for number, patch in enumerate(transcript.patches)}
    decided = list(transcript.patches)
    starts = np.array([-1 if patch.at is None else patch.at for patch in decided], dtype=np.int64)
    lengths = np.array([len(patch.present) for patch in decided], dtype=np.int64)
    text = transcript.text
    for number in (numbers[patch_id] for patch_id in ids if patch_id in numbers):
        start = int(starts[number])
        at = None if start < 0 else start
        patch = decided[number].model_copy(update={"at": at})
        if not _is_decidable(text, patch, decision):
            continue
        replacement, end = patch.text_after(decision), start + len(patch.present)
        state: PatchState = "stale" if decision == "open" and at is None else decision
        decided[number] = patch.model_copy(update={"state": state})
        if at is None or replacement == patch.present:
            continue
        text = text[:start] + replacement + text[end:]
        starts[number] = -1  # not among those that follow or overlap it
        follow = starts >= end
        overlap = (starts >= 0) & ~follow & (start < starts + lengths)
        starts[follow] += len(replacement) - len(patch.present)
        starts[overlap] = -1
        for other in np.flatnonzero(overlap):
            if decided[other].state == "open":
                decided[other] = decided[other].model_copy(update={"state": "stale"})
        starts[number], lengths[number] = start, len(replacement)
    patches = tuple(
        patch.model_copy(update={"at": at})
        if patch.at != (at := None if start < 0 else int(start))
        else patch
        for patch, start in zip(decided, starts, strict=True)
    )
    return transcript.model_copy(update={"text": text, "patches": patches})


def _with_positions(transcript: Transcript, step: TranscriptStep) -> Transcript:
    positions = {position.id: position for position in step.positions}
    patches = tuple(
        patch.model_copy(update={"at": position.at, "state": position.state})
        if (position := positions.get(patch.id))
        else patch
        for patch in transcript.patches
    )
    return transcript.model_copy(update={"patches": patches})


def _moved_patches(
    patches: Sequence[TranscriptPatch], edits: Sequence[ev.TextEdit]
) -> tuple[TranscriptPatch, ...]:
    """The patches after the edits: moved, where they are, or without a place."""
    ends = [edit.end for edit in edits]
    growths = list(accumulate((edit.growth for edit in edits), initial=0))

    def moved(patch: TranscriptPatch) -> TranscriptPatch:
        if patch.at is None:
            return patch
        n_before = bisect_right(ends, patch.at)  # edits that end at or before its beginning
        if n_before < len(edits) and edits[n_before].at < patch.at + len(patch.present):
            state = "stale" if patch.state == "open" else patch.state
            return patch.model_copy(update={"at": None, "state": state})
        growth = growths[n_before]
        return patch.model_copy(update={"at": patch.at + growth}) if growth else patch

    return tuple(map(moved, patches))


def _touched_patches(
    patches: Sequence[TranscriptPatch], edits: Sequence[ev.TextEdit]
) -> tuple[TranscriptPatch, ...]:
    """The patches that an edit overlaps or adjoins."""
    ends = [edit.end for edit in edits]

    def is_touched(patch: TranscriptPatch) -> bool:
        if patch.at is None:
            return False
        first = bisect_left(ends, patch.at)  # the first edit that ends at its beginning or later
        return first < len(edits) and edits[first].at <= patch.at + len(patch.present)

    return tuple(filter(is_touched, patches))
