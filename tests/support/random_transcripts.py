"""Random work on the text of a page: edits, decisions, undoing, further rounds, stray events."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.history import HistoryStep
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.transcript_state import Transcript, text_hash
from tests.support.factory import events_at

PAGE: dict[str, Any] = {"document": "a.pdf", "page": 1}
ALPHABETS = (
    "abc XY.,\n",
    "שלום עולם\u200f\n",
    "مرحبا العالم\u202b\u202c",
    "कि\u093f\u094dषि",
    "e\u0301n\u0303o\u0308\u200d",
    "𝔘𐍈🙂👩\u200d👩\u200d👧🇩🇪",
    "漢字かな。\u2028\x85\ufeff",
    "| a | b |\n|---|---|\n",
)
"""Latin, right to left, combining marks, characters beyond 16 bits, line ends of other programs."""


def random_text(rng: random.Random, length: int) -> str:
    """A text of that many code points in several scripts."""
    alphabet = rng.choice([*ALPHABETS, "".join(ALPHABETS)])
    return "".join(rng.choices(alphabet, k=length))


def given_text(text: str) -> ev.TranscriptGiven:
    """The text of the page as a model wrote it."""
    return ev.TranscriptGiven(**PAGE, text=text, text_sha256=text_hash(text))


def given_patches(rng: random.Random, text: str, round_number: int, count: int) -> ev.PatchesGiven:
    """Patches that apply; some of them overlap."""
    patches = []
    for number in range(1, count + 1):
        at = rng.randint(0, len(text))
        removed = text[at : at + rng.choice([0, 1, 2, 5])]
        inserted = random_text(rng, rng.choice([0, 1, 3]))
        if removed != inserted:
            patch_id = f"r{round_number}-{number}"
            patches.append(
                ev.ProposedPatch(
                    id=patch_id, at=at, removed=removed, inserted=inserted, reason="because"
                )
            )
    return ev.PatchesGiven(
        **PAGE, round=round_number, text_sha256=text_hash(text), patches=tuple(patches)
    )


def random_edits(rng: random.Random, text: str, count: int) -> tuple[ev.TextEdit, ...]:
    """Edits that fit the text."""
    edits: list[ev.TextEdit] = []
    position = 0
    for _ in range(count):
        if position > len(text):
            break
        at = rng.randint(position, min(len(text), position + max(3, len(text) // count)))
        removed = text[at : at + rng.choice([0, 0, 1, 2, 6])]
        inserted = random_text(rng, rng.choice([0, 1, 1, 4]))
        if removed != inserted:
            edits.append(ev.TextEdit(at=at, removed=removed, inserted=inserted))
            position = at + len(removed)
    return tuple(edits) or (ev.TextEdit(at=0, removed="", inserted="x"),)


def reversal(step: HistoryStep) -> ev.TranscriptEdit:
    """The event that undoes or redoes a step."""
    change = step.transcript
    assert change is not None
    if change.edits:
        return ev.TextEdited(**PAGE, edits=change.edits, source="undo", undoes=step.id)
    assert change.decision is not None
    if len(change.patches) == 1:
        (patch,) = change.patches
        return ev.PatchDecided(**PAGE, patch=patch, decision=change.decision, undoes=step.id)
    return ev.PatchesDecided(
        **PAGE, patches=change.patches, decision=change.decision, undoes=step.id
    )


def transcript_states(
    rng: random.Random, count: int, *, length: int = 60, patches: int = 8, strays: bool = True
) -> Iterator[tuple[ev.Event, AttemptState]]:
    """Events of a text and the states after each.

    Args:
        strays: whether some events do not fit the state, as a log of any origin may have them.
    """
    state = AttemptState()
    text = random_text(rng, length)
    payloads: list[ev.Payload] = [given_text(text), given_patches(rng, text, 1, patches)]
    for number in range(count):
        if not payloads:
            payloads = _payloads(rng, state, patches, strays=strays)
        (event,) = events_at((float(number), payloads.pop(0)))
        event = event.model_copy(
            update={"seq": state.last_seq + 1, "client_event_id": f"c-{number}"}
        )
        state = apply(state, event)
        yield event, state


def _payloads(
    rng: random.Random, state: AttemptState, patches: int, *, strays: bool
) -> list[ev.Payload]:
    transcript = state.transcript
    assert transcript is not None
    if strays and rng.random() < 0.1:
        return [_stray(rng, transcript)]
    chance = rng.random()
    if chance < 0.03:
        number = transcript.round + 1
        submitted = ev.Submitted(outcome="completed")
        round_started = ev.RoundStarted(number=number, model=rng.choice([None, "scribe"]))
        return [submitted, round_started, given_patches(rng, transcript.text, number, patches)]
    for steps, limit in ((state.undo, 0.25), (state.redo, 0.4)):
        transcript_steps = [step for step in steps if step.part == "transcript"]
        if chance < limit and transcript_steps:
            return [reversal(transcript_steps[-1])]
    if chance < 0.65 and (decided := _decision(rng, transcript)) is not None:
        return [decided]
    edits = random_edits(rng, transcript.text, rng.choice([1, 1, 1, 2, 5]))
    return [ev.TextEdited(**PAGE, edits=edits)]


def _decision(rng: random.Random, transcript: Transcript) -> ev.TranscriptEdit | None:
    decision: ev.PatchDecision = rng.choice(["accepted", "accepted", "rejected", "open"])
    movable = [
        patch
        for patch in transcript.patches
        if patch.state not in ("stale", decision) and patch.at is not None
    ]
    if not movable:
        return None
    first = rng.choice(movable)
    alike = [patch.id for patch in movable if patch.state == first.state]
    if len(alike) > 1 and rng.random() < 0.3:
        return ev.PatchesDecided(**PAGE, patches=tuple(alike), decision=decision)
    return ev.PatchDecided(**PAGE, patch=first.id, decision=decision)


def _stray(rng: random.Random, transcript: Transcript) -> ev.Payload:
    """An event that a recorder would refuse."""
    edit = ev.TextEdit(at=rng.randint(0, 100), removed="not there", inserted="")
    point = ev.TextEdit(at=len(transcript.text) + 1, removed="", inserted="beyond")
    other_page = {"document": "b.pdf", "page": 9}
    payloads: list[ev.Payload] = [
        ev.TextEdited(**PAGE, edits=(edit,)),
        ev.TextEdited(**PAGE, edits=(point,)),
        ev.TextEdited(
            **other_page, edits=(ev.TextEdit(at=0, removed="", inserted="on another page"),)
        ),
        ev.PatchDecided(**PAGE, patch="no-such-patch", decision="accepted"),
        ev.PatchDecided(**other_page, patch="r1-1", decision="accepted"),
        ev.PatchesDecided(**PAGE, patches=("r1-1", "r1-2", "r1-1"), decision="open"),
        ev.TextEdited(
            **PAGE,
            edits=(ev.TextEdit(at=0, removed="", inserted="y"),),
            undoes=f"c-{rng.randint(0, 9)}",
        ),
    ]
    return rng.choice(payloads)
