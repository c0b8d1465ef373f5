"""The text of a page is the fold of its events, and patches follow the text around them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.history import HistoryStep
from pagetrail.annotation.attempts.state import AttemptState, apply, fold, fold_without_history
from pagetrail.annotation.attempts.transcript_state import (
    Transcript,
    apply_transcript,
    edited_text,
    inverse_edits,
    text_hash,
)
from tests.support.factory import events_at
from tests.support.random_transcripts import (
    PAGE,
    given_patches,
    given_text,
    random_edits,
    random_text,
    reversal,
    transcript_states,
)

TEXT = "The harbor was cold. Total 98."


def transcript_after(*payloads: ev.Payload, text: str = TEXT) -> Transcript:
    """The transcript after a text and further events; the ids are c1, c2 …"""
    transcript = state_after(*payloads, text=text).transcript
    assert transcript is not None
    return transcript


def state_after(*payloads: ev.Payload, text: str = TEXT) -> AttemptState:
    """The state after a text and further events."""
    return fold(events_at(*((float(n), p) for n, p in enumerate((given_text(text), *payloads)))))


def patches(*rows: tuple[int, str, str], round_number: int = 1, text: str = TEXT) -> ev.Payload:
    """Patches p1, p2 … of (at, removed, inserted)."""
    proposed = tuple(
        ev.ProposedPatch(id=f"p{number}", at=at, removed=removed, inserted=inserted)
        for number, (at, removed, inserted) in enumerate(rows, start=1)
    )
    return ev.PatchesGiven(
        **PAGE, round=round_number, text_sha256=text_hash(text), patches=proposed
    )


def edit(at: int, removed: str, inserted: str, undoes: str | None = None) -> ev.TextEdited:
    """One edit."""
    change = ev.TextEdit(at=at, removed=removed, inserted=inserted)
    return ev.TextEdited(**PAGE, edits=(change,), undoes=undoes)


def decide(patch: str, decision: ev.PatchDecision, undoes: str | None = None) -> ev.PatchDecided:
    """A decision on one patch."""
    return ev.PatchDecided(**PAGE, patch=patch, decision=decision, undoes=undoes)


def patch_positions(transcript: Transcript) -> list[tuple[int | None, str]]:
    """Position and state of each patch."""
    return [(patch.at, patch.state) for patch in transcript.patches]


def test_a_text_is_edited_at_several_places_at_once() -> None:
    """Positions are in the text before the event, in code points."""
    edits = (
        ev.TextEdit(at=0, removed="𝔘🙂", inserted=""),
        ev.TextEdit(at=3, removed="", inserted="e\u0301"),
        ev.TextEdit(at=4, removed="c", inserted="🇩🇪"),
    )
    payload = ev.TextEdited(**PAGE, edits=edits, source="replace")
    transcript = transcript_after(payload, text="𝔘🙂abcd")
    assert transcript.text == "ae\u0301b🇩🇪d"
    assert edited_text(transcript.text, inverse_edits(edits)) == "𝔘🙂abcd"


def test_edits_that_do_not_fit_change_nothing() -> None:
    """Another text, a position beyond the end, another page, and no text at all."""
    for payload in (
        edit(4, "harbour", "port"),
        edit(len(TEXT) + 1, "", "x"),
        edit(0, "", "x").model_copy(update={"page": 2}),
    ):
        state = state_after(payload)
        assert state.transcript == transcript_after() and state.undo == ()
    assert fold(events_at((0, edit(0, "", "x")))).transcript is None


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([{"at": 4, "removed": "a", "inserted": ""}, {"at": 4, "removed": "b", "inserted": ""}],
         "ascending"),
        ([{"at": 4, "removed": "a", "inserted": "a"}], "change something"),
        ([{"at": 4, "removed": "a", "inserted": "a\r\nb"}], "pattern"),
        ([], "at least 1"),
    ],
)  # fmt: skip
def test_malformed_edits_are_no_event(edits: list[dict[str, object]], message: str) -> None:
    """Overlapping edits, edits that change nothing, and line ends of other systems."""
    with pytest.raises(ValueError, match=message):
        ev.parse_payload("text_edited", {**PAGE, "edits": edits})


def test_patches_follow_the_text_around_them() -> None:
    """An edit before a patch moves it, one after it does not, and adjacent ones leave it whole."""
    proposed = patches((4, "harbor", "harbour"), (27, "98", "89"))
    assert patch_positions(transcript_after(proposed, edit(0, "The", "A"))) == [
        (2, "open"),
        (25, "open"),
    ]
    assert patch_positions(transcript_after(proposed, edit(4, "", "old "))) == [
        (8, "open"),
        (31, "open"),
    ]
    assert patch_positions(transcript_after(proposed, edit(10, "", "s"))) == [
        (4, "open"),
        (28, "open"),
    ]
    assert patch_positions(transcript_after(proposed, edit(29, ".", ""))) == [
        (4, "open"),
        (27, "open"),
    ]


def test_a_patch_that_is_typed_over_is_stale_until_that_is_undone() -> None:
    """An edit that overlaps it, or types inside it; the undoing edit opens it at its position."""
    proposed = patches((4, "harbor", "harbour"), (27, "98", "89"))
    for change in (edit(7, "", "u"), edit(9, "r w", ""), edit(0, TEXT[:12], "")):
        stale = state_after(proposed, change)
        assert stale.transcript is not None
        assert [patch.state for patch in stale.transcript.patches] == ["stale", "open"]
        undoing = reversal(stale.undo[-1])
        restored = transcript_after(proposed, change, undoing)
        assert restored == transcript_after(proposed)
        redoing = reversal(state_after(proposed, change, undoing).redo[-1])
        assert transcript_after(proposed, change, undoing, redoing) == stale.transcript


def test_an_insertion_keeps_its_side_when_a_deletion_beside_it_is_undone() -> None:
    """A patch that removes nothing has no text of its own to tell before from after."""
    proposed = patches((4, "", "old "))
    for change in (edit(4, "harbor ", ""), edit(0, "The ", "")):
        undoing = reversal(state_after(proposed, change).undo[-1])
        assert transcript_after(proposed, change, undoing) == transcript_after(proposed)


def test_a_patch_is_accepted_rejected_and_withdrawn() -> None:
    """Accepting changes the text, withdrawing restores it; each is one step of the history."""
    proposed = patches((4, "harbor", "harbour"), (27, "98", "89"))
    accepted = state_after(proposed, decide("p1", "accepted"))
    assert accepted.transcript is not None
    assert accepted.transcript.text == "The harbour was cold. Total 98."
    assert patch_positions(accepted.transcript) == [(4, "accepted"), (28, "open")]
    assert transcript_after(proposed, decide("p1", "accepted"), decide("p1", "open")) == (
        transcript_after(proposed)
    )
    rejected = transcript_after(proposed, decide("p1", "rejected"))
    assert rejected.text == TEXT and patch_positions(rejected)[0] == (4, "rejected")
    swapped = transcript_after(proposed, decide("p1", "accepted"), decide("p1", "rejected"))
    assert swapped == rejected
    assert [step.part for step in accepted.undo] == ["transcript"]


def test_an_acceptance_that_was_typed_over_stays() -> None:
    """It has no place any more, so that it cannot be withdrawn; a rejection becomes stale."""
    proposed = patches((4, "harbor", "harbour"), (27, "98", "89"))
    inside = (decide("p1", "accepted"), edit(8, "o", "0"))
    kept = transcript_after(proposed, *inside)
    assert patch_positions(kept)[0] == (None, "accepted")
    for decision in ("open", "rejected"):
        assert transcript_after(proposed, *inside, decide("p1", decision)) == kept  # type: ignore[arg-type]
    reopened = (decide("p2", "rejected"), edit(27, "98", "90"), decide("p2", "open"))
    assert patch_positions(transcript_after(proposed, *reopened))[1] == (None, "stale")


def test_all_patches_are_accepted_in_one_step() -> None:
    """Of two that overlap the first is accepted, and the other is stale; undoing opens both."""
    proposed = patches((4, "harbor", "harbour"), (0, "The harbor", "A port"), (27, "98", "89"))
    payload = ev.PatchesDecided(**PAGE, patches=("p1", "p2", "p3"), decision="accepted")
    state = state_after(proposed, payload)
    assert state.transcript is not None
    assert state.transcript.text == "The harbour was cold. Total 89."
    assert patch_positions(state.transcript) == [(4, "accepted"), (None, "stale"), (28, "accepted")]
    undoing = reversal(state.undo[-1])
    assert undoing.type == "patches_decided"
    assert transcript_after(proposed, payload, undoing) == transcript_after(proposed)
    redoing = reversal(state_after(proposed, payload, undoing).redo[-1])
    assert transcript_after(proposed, payload, undoing, redoing) == state.transcript


def test_a_round_has_patches_of_its_own() -> None:
    """The text stays; patches, their history and the model are those of the new round."""
    state = state_after(
        patches((4, "harbor", "harbour")),
        decide("p1", "accepted"),
        ev.Submitted(outcome="completed"),
        ev.RoundStarted(number=2, model="scribe"),
    )
    assert (state.status, state.hidden, state.outcome) == ("open", True, None)
    assert state.undo == () and state.transcript is not None
    assert state.transcript.patches == () and state.transcript.model == "scribe"
    text = state.transcript.text
    following = ev.PatchesGiven(
        **PAGE,
        round=2,
        text_sha256=text_hash(text),
        patches=(ev.ProposedPatch(id="q", at=0, removed="The", inserted="A"),),
    )
    (event,) = events_at((9, following))
    transcript = apply(state, event.model_copy(update={"seq": 6})).transcript
    assert transcript is not None and transcript.text == text
    assert (transcript.round, transcript.round_text_sha256) == (2, text_hash(text))
    assert patch_positions(transcript) == [(0, "open")] and transcript.patches[0].round == 2


class MarkedText:
    """A text whose characters are told apart, as the simplest account of what edits do."""

    def __init__(self, text: str) -> None:
        self._numbers = count()
        self.characters = [(next(self._numbers), char) for char in text]

    @property
    def text(self) -> str:
        """The characters in a row."""
        return "".join(char for _, char in self.characters)

    def edit(self, edits: tuple[ev.TextEdit, ...]) -> None:
        """Applies the edits from the last to the first."""
        for change in reversed(edits):
            inserted = [(next(self._numbers), char) for char in change.inserted]
            self.characters[change.at : change.at + len(change.removed)] = inserted


@pytest.mark.parametrize("seed", range(40))
def test_patches_are_where_their_characters_are(seed: int) -> None:
    """Compared with a text of marked characters, in any script and for any edits."""
    rng = random.Random(seed)
    text = random_text(rng, rng.choice([0, 1, 30, 200]))
    given = given_patches(rng, text, 1, 12)
    state = state_after(given, text=text)
    marked = MarkedText(text)
    spans = {
        patch.id: marked.characters[patch.at : patch.end]
        for patch in given.patches
        if patch.removed
    }
    for number in range(40):
        edits = random_edits(rng, marked.text, rng.choice([1, 1, 2, 4]))
        marked.edit(edits)
        (event,) = events_at((number, ev.TextEdited(**PAGE, edits=edits)))
        state = apply(state, event.model_copy(update={"seq": 3 + number}))
        assert state.transcript is not None and state.transcript.text == marked.text
        for patch in state.transcript.patches:
            span = spans.get(patch.id)
            if span is None:
                continue
            if span[0] in marked.characters:
                start = marked.characters.index(span[0])
                is_whole = marked.characters[start : start + len(span)] == span
            else:
                is_whole = False
            if patch.state == "stale":
                del spans[patch.id]
            assert (patch.at, patch.state) == ((start, "open") if is_whole else (None, "stale")), (
                number
            )


@pytest.mark.parametrize("seed", range(30))
def test_any_work_can_be_undone_to_the_beginning_and_done_again(seed: int) -> None:
    """Texts, positions and states of patches are those of before, step by step."""
    history = list(transcript_states(random.Random(seed), 40, strays=False))
    state, number = history[-1][1], len(history)
    stages = [state.transcript]
    while any(step.part == "transcript" for step in state.undo):
        number += 1
        state = _applied(state, reversal(_last_step(state.undo)), number)
        stages.append(state.transcript)
    assert stages.pop() == state.transcript
    while stages:
        number += 1
        state = _applied(state, reversal(_last_step(state.redo)), number)
        assert state.transcript == stages.pop()


def _last_step(steps: Sequence[HistoryStep]) -> HistoryStep:
    return next(step for step in reversed(steps) if step.part == "transcript")


def _applied(state: AttemptState, payload: ev.Payload, number: int) -> AttemptState:
    (event,) = events_at((float(number), payload))
    return apply(state, event.model_copy(update={"seq": number, "client_event_id": f"u-{number}"}))


@pytest.mark.parametrize("seed", range(12))
def test_the_fold_takes_any_log_and_stored_states_go_on_alike(seed: int) -> None:
    """A state that was stored as JSON half-way, as the database does, ends as the whole fold."""
    history = list(transcript_states(random.Random(seed), 150))
    half = history[70][1]
    state = AttemptState.model_validate_json(half.stored_json())
    for event, _ in history[71:]:
        state = apply(state, event)
    log = [event for event, _ in history]
    assert state == history[-1][1] == fold(log)
    assert fold_without_history(log) == state.model_copy(update={"undo": (), "redo": ()})
    decisions = [e for e, _ in history if e.type in ("patch_decided", "patches_decided")]
    assert decisions, "the sequence did nothing"


@pytest.mark.parametrize("seed", range(40))
def test_deciding_patches_at_once_is_deciding_one_after_the_other(seed: int) -> None:
    """Also if they overlap, adjoin, insert at one place, or are listed in another order."""
    rng = random.Random(seed)
    rows = []
    for _ in range(12):
        at = rng.randrange(len(TEXT))
        removed = TEXT[at : at + rng.choice((0, 1, 1, 2, 5))]
        inserted = removed + "é" if rng.random() < 0.2 else rng.choice(("", "x", "long text"))
        if inserted != removed:
            rows.append((at, removed, inserted))
    given, ids = patches(*rows), [f"p{number}" for number in range(1, len(rows) + 1)]
    at_once = transcript_after(given)
    one_by_one = at_once
    for decision in rng.choices(("accepted", "rejected", "open"), k=6):
        chosen = rng.sample(ids, rng.randrange(1, len(ids) + 1))
        event = ev.PatchesDecided(**PAGE, patches=tuple(chosen), decision=decision)
        at_once = apply_transcript(at_once, event, None) or at_once
        for patch in chosen:
            one_by_one = apply_transcript(one_by_one, decide(patch, decision), None) or one_by_one
        assert at_once == one_by_one


def test_most_patches_of_the_longest_text_are_decided_at_once() -> None:
    """Accepted and opened again, they leave the transcript as it was."""
    text = "abcdefghi " * 19_000
    rows = [(at, "abc", "abcd") for at in range(0, len(text), 100)]
    assert ev.MAX_PATCHES >= len(rows) == 1_900
    with_patches = transcript_after(patches(*rows, text=text), text=text)
    ids = tuple(patch.id for patch in with_patches.patches)
    accepted = apply_transcript(
        with_patches, ev.PatchesDecided(**PAGE, patches=ids, decision="accepted"), None
    )
    assert accepted is not None and len(accepted.text) == len(text) + len(rows)
    reopened = apply_transcript(
        accepted, ev.PatchesDecided(**PAGE, patches=ids, decision="open"), None
    )
    assert reopened == with_patches
