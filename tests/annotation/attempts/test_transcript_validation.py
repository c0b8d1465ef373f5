"""What may be recorded of a text: edits that fit it, decisions on its patches, further rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import seed_payloads
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.errors import NOT_SUBMITTED
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from tests.support.factory import AttemptDriver, memory_driver

PAGE: dict[str, Any] = {"document": "b.pdf", "page": 2}
TEXT = "The harbor was cold. Total 98."
PATCHES = [
    {"id": "p1", "at": 4, "removed": "harbor", "inserted": "harbour"},
    {"id": "p2", "at": 27, "removed": "98", "inserted": "89"},
]
RECORD = {"candidates": [PAGE], "transcript": TEXT, "patches": PATCHES, "model": "scribe"}
DONE = ev.Submitted(outcome="completed")


def driver(record: dict[str, Any] | None = None, **settings: Any) -> AttemptDriver:
    """An opened task of the preset."""
    protocol = with_overrides(preset("transcribe"), settings)
    attempt = memory_driver(protocol)
    attempt.context = replace(
        attempt.context, seeds=lambda: seed_payloads(protocol, record or RECORD)
    )
    attempt.do(ev.Opened(session="s"))
    return attempt


def edit(at: int, removed: str, inserted: str, **fields: Any) -> ev.TextEdited:
    """One edit."""
    change = ev.TextEdit(at=at, removed=removed, inserted=inserted)
    return ev.TextEdited(**{**PAGE, "edits": (change,), **fields})


def decide(decision: ev.PatchDecision, *patches: str, **fields: Any) -> ev.Payload:
    """A decision on patches."""
    if len(patches) == 1:
        return ev.PatchDecided(**{**PAGE, "patch": patches[0], "decision": decision, **fields})
    return ev.PatchesDecided(**{**PAGE, "patches": patches, "decision": decision, **fields})


def refusal(attempt: AttemptDriver, payload: ev.Payload) -> tuple[str, str | None]:
    """Code and field of the refusal."""
    before = attempt.state
    (refused,) = attempt.do(payload).refusals.values()
    assert attempt.state == before
    return refused.code, refused.field


def test_a_task_begins_with_the_text_and_its_patches() -> None:
    """They come after the opening; without ``transcript.patches`` only the text does."""
    types = [event.type for event in driver().events]
    assert types == ["opened", "transcript_given", "patches_given"]
    given_types = [event.type for event in driver(**{"transcript.patches": False}).events]
    assert given_types == ["opened", "transcript_given"]
    transcript = driver().state.transcript
    assert transcript is not None and transcript.model == "scribe"
    assert transcript.round_text_sha256 == text_hash(TEXT)


def test_edits_must_fit_the_current_text() -> None:
    """What was typed in another tab meanwhile is not overwritten."""
    attempt = driver()
    attempt.do(edit(0, "The", "A"))
    assert refusal(attempt, edit(4, "harbor", "port")) == ("text_differs", "transcript")
    assert refusal(attempt, edit(500, "", "x")) == ("text_differs", "transcript")
    assert refusal(attempt, edit(0, "A", "The", page=1)) == ("page_not_given", "transcript")
    plain = memory_driver(preset("verify_transcript"))
    assert refusal(plain, edit(0, "", "x")) == ("no_transcript", "transcript")


def test_a_text_does_not_grow_beyond_its_limit() -> None:
    """Neither by typing nor by patches; a shorter one is taken."""
    text = "x" * ev.MAX_TRANSCRIPT
    patch = {"id": "p1", "at": 0, "removed": "x", "inserted": "xx"}
    attempt = driver({**RECORD, "transcript": text, "patches": [patch]})
    assert refusal(attempt, edit(0, "", "y")) == ("text_too_long", "transcript")
    assert refusal(attempt, decide("accepted", "p1")) == ("text_too_long", "transcript")
    assert not attempt.do(edit(5, "x", "")).refusals
    assert not attempt.do(decide("accepted", "p1")).refusals


def test_patches_are_decided_while_they_apply() -> None:
    """Unknown patches, repeated decisions, and those that the text has overtaken are refused."""
    attempt = driver()
    assert refusal(attempt, decide("accepted", "p9")) == ("unknown_patch", "transcript")
    assert refusal(attempt, decide("open", "p1")) == ("same_decision", "transcript")
    attempt.do(decide("accepted", "p1"))
    assert refusal(attempt, decide("rejected", "p1", "p2")) == ("mixed_decisions", "transcript")
    attempt.do(edit(27, " 98", " 90"))
    for decision in ("accepted", "rejected"):
        assert refusal(attempt, decide(decision, "p2")) == ("text_differs", "transcript")  # type: ignore[arg-type]
        assert refusal(attempt, decide(decision, "p2", "p2")) == ("text_differs", "transcript")  # type: ignore[arg-type]
    assert not attempt.do(decide("open", "p1")).refusals
    assert attempt.state.transcript and attempt.state.transcript.text.startswith("The harbor was")


def test_only_the_last_change_of_the_text_is_undone() -> None:
    """By the event that its step describes; edits and decisions are one history."""
    attempt = driver()
    attempt.do(edit(0, "The", "A"))
    attempt.do(decide("accepted", "p2"))
    first, second = attempt.state.undo
    assert refusal(attempt, edit(0, "A", "The", undoes=first.id)) == ("not_last", None)
    assert not attempt.do(decide("open", "p2", undoes=second.id)).refusals
    assert not attempt.do(edit(0, "A", "The", undoes=first.id)).refusals
    transcript = attempt.state.transcript
    assert transcript is not None and transcript.text == TEXT
    assert [patch.state for patch in transcript.patches] == ["open", "open"]
    assert len(attempt.state.redo) == 2


def test_every_patch_needs_a_decision_unless_it_is_stale() -> None:
    """The submission says how many are left; a text without patches can be submitted at once."""
    attempt = driver()
    (refused,) = attempt.do(DONE).refusals.values()
    assert (refused.code, refused.field) == ("incomplete", "transcript")
    assert refused.message == "Not decided yet: 2 patches. Accept or reject each."
    attempt.do(edit(5, "arbor", "aven"))
    attempt.do(decide("rejected", "p2"))
    assert not attempt.do(DONE).refusals
    assert not driver({**RECORD, "patches": []}).do(DONE).refusals


def test_a_round_begins_with_submitted_work_only() -> None:
    """Its number follows, its patches are for the current text, and closed batches open again."""
    attempt = driver({**RECORD, "patches": []})
    assert refusal(attempt, ev.RoundStarted(number=2)) == (NOT_SUBMITTED, None)
    attempt.do(edit(4, "harbor", "harbour"))
    attempt.do(DONE)
    attempt.do(ev.BatchClosed())
    assert refusal(attempt, ev.RoundStarted(number=3)) == ("wrong_round", None)
    supervisor = replace(attempt.context, actor="Grace")
    text = "The harbour was cold. Total 98."
    proposed = ev.ProposedPatch(id="r2-1", at=28, removed="98", inserted="89")
    commands = [
        Command("round-2", ev.RoundStarted(number=2, model="scribe-2")),
        Command(
            "patches-2",
            ev.PatchesGiven(**PAGE, round=2, text_sha256=text_hash(text), patches=(proposed,)),
        ),
    ]
    recorded = attempt.recorder.record(supervisor, commands)
    assert not recorded.refusals
    state = attempt.state
    assert (state.status, state.closed, state.hidden) == ("open", False, True)
    assert state.transcript is not None and state.transcript.model == "scribe-2"
    assert [event.actor for event in attempt.events][-2:] == ["Grace", "Grace"]
    wrong = ev.PatchesGiven(**PAGE, round=2, text_sha256=text_hash(TEXT), patches=())
    assert refusal(attempt, wrong) == ("text_differs", "transcript")


@pytest.mark.parametrize("limit_s", [10])
def test_the_text_takes_no_edits_once_the_time_is_up(limit_s: int) -> None:
    """Like all edits; what is undecided then is recorded with the submission."""
    attempt = driver(**{"clock.limit_s": limit_s})
    attempt.do(ev.TabShown(), after_s=20)
    assert refusal(attempt, edit(0, "The", "A")) == ("time_over", "clock")
    assert refusal(attempt, decide("accepted", "p1")) == ("time_over", "clock")
    assert not attempt.do(DONE).refusals
    assert attempt.state.missing == ("transcript",)
