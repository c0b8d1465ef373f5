"""Rounds of a transcription: where a page is, the work of each round, the text at any time."""

from __future__ import annotations

import random

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.rounds import round_stage, round_works
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import as_of, later_change
from pagetrail.annotation.attempts.text_changes import text_at, text_changes
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.timing.durations import active_ms
from tests.support.factory import events_at
from tests.support.random_transcripts import PAGE, given_text, transcript_states

TEXT = "The harbor was cold."
OPENED = ev.Opened(session="s")
SUBMITTED = ev.Submitted(outcome="completed")


def edit(old: str, new: str, text: str = TEXT) -> ev.TextEdited:
    """One edit of a text."""
    change = ev.TextEdit(at=text.index(old), removed=old, inserted=new)
    return ev.TextEdited(**PAGE, edits=(change,))


def patches(number: int, text: str, *pairs: tuple[str, str]) -> ev.PatchesGiven:
    """A round's patches, named a, b, …"""
    proposed = tuple(
        ev.ProposedPatch(id=name, at=text.index(old), removed=old, inserted=new)
        for name, (old, new) in zip("abc", pairs, strict=False)
    )
    return ev.PatchesGiven(**PAGE, round=number, text_sha256=text_hash(text), patches=proposed)


def decide(patch: str, decision: ev.PatchDecision) -> ev.PatchDecided:
    """A decision on a patch."""
    return ev.PatchDecided(**PAGE, patch=patch, decision=decision)


ROUND_1 = (OPENED, given_text(TEXT), patches(1, TEXT, ("harbor", "harbour"), ("cold", "warm")))


@pytest.mark.parametrize(
    ("payloads", "stage"),
    [
        ((), "untouched"),
        ((decide("a", "rejected"),), "changed"),
        ((edit("The", "A"),), "changed"),
        ((edit("The", "A"), edit("A", "The", "A harbor")), "untouched"),
        ((decide("a", "rejected"), decide("b", "rejected"), SUBMITTED), "accepted"),
        ((decide("a", "accepted"), decide("b", "rejected"), SUBMITTED), "waiting"),
        ((edit("The", "A"), SUBMITTED), "waiting"),
        ((decide("a", "accepted"), edit("harbour", "harbor", TEXT.replace("bor", "bour")),
          SUBMITTED), "waiting"),
        ((edit("The", "A"), ev.Skipped(reason="unreadable")), "skipped"),
        ((edit("The", "A"), SUBMITTED, ev.Reopened()), "changed"),
    ],
)  # fmt: skip
def test_a_page_is_with_its_annotator_or_a_model_or_done(
    payloads: tuple[ev.Payload, ...], stage: str
) -> None:
    """A changed text or an accepted patch asks for a model; without either the page is done."""
    state = fold(events_at(*((float(n), p) for n, p in enumerate((*ROUND_1, *payloads)))))
    assert round_stage(state) == stage


def test_a_page_that_nobody_opened_is_untouched() -> None:
    """It has no text yet."""
    assert round_stage(AttemptState()) == "untouched"


def two_rounds() -> list[ev.Event]:
    """A page that goes round once, with a week between the rounds."""
    text = "A harbour was cold."
    week = 7 * 86_400
    return events_at(
        (0, OPENED),
        (0, given_text(TEXT)),
        (0, patches(1, TEXT, ("harbor", "harbour"), ("cold", "warm"))),
        (10, decide("a", "accepted")),
        (15, decide("b", "rejected")),
        (35, edit("The", "A", TEXT.replace("bor", "bour"))),
        (40, SUBMITTED),
        (week, ev.RoundStarted(number=2, model="scribe-2")),
        (week, patches(2, text, ("cold", "wet"))),
        (week + 3_600, OPENED),
        (week + 3_605, decide("a", "rejected")),
        (week + 3_611, SUBMITTED),
    )


def test_work_is_counted_by_round() -> None:
    """Patches by their outcome, characters that were typed, and the working time of the round."""
    events = two_rounds()
    first, second = round_works(events)
    assert (first.number, first.model, first.stage) == (1, None, "waiting")
    assert (first.given, first.accepted, first.rejected, first.stale) == (2, 1, 1, 0)
    assert (first.edits, first.added_chars, first.removed_chars) == (1, 1, 3)
    assert first.edited_chars == 4 and first.active_ms == 40_000
    assert (second.number, second.model, second.stage) == (2, "scribe-2", "accepted")
    assert (second.given, second.rejected, second.edits, second.active_ms) == (1, 1, 0, 11_000)
    assert first.active_ms + second.active_ms == active_ms(events)
    assert round_works(events_at((0, OPENED))) == []


def test_each_change_has_the_time_that_it_took() -> None:
    """From the change before it; each round starts from zero, and waiting for it is no work."""
    changes = list(text_changes(two_rounds()))
    assert [(c.round, c.kind, c.active_ms) for c in changes] == [
        (1, "accepted", 10_000),
        (1, "rejected", 5_000),
        (1, "typing", 20_000),
        (2, "rejected", 5_000),
    ]
    assert changes[0].patches == ("a",) and changes[2].removed_chars == 3


def test_the_text_at_any_time() -> None:
    """What was on the screen then; none before the text was given."""
    events = two_rounds()
    assert text_at(events, 9_999) == TEXT
    assert text_at(events, 10_000) == "The harbour was cold."
    assert text_at(events, 10**9) == "A harbour was cold."
    assert text_at(events_at((0, OPENED)), 5) is None
    for seed in range(5):
        history = list(transcript_states(random.Random(seed), 60))
        log = [event for event, _ in history]
        for event, state in history:
            assert state.transcript is not None
            assert text_at(log, event.elapsed_ms) == state.transcript.text


def test_a_later_round_is_told_from_other_reopenings() -> None:
    """The first submission is that of round 1; the next round is the cause of later changes."""
    events = two_rounds()
    protocol = preset("transcribe")
    assert len(as_of(events, "first")) == 7
    page = [("a.pdf", 1)]
    assert later_change(events, protocol, page) is None
    more = events_at(
        *((e.elapsed_ms / 1000, e.payload) for e in events[:-1]),
        (10**6, edit("cold", "wet", "A harbour was cold.")),
        (10**6, SUBMITTED),
    )
    assert later_change(more, protocol, page) == "next_round"
