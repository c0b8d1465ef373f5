"""The stored text of a page is the fold of its events, whoever wrote and whatever was killed."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.transcript_state import Transcript, edited_text
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from tests.exports.campaigns import Stage, make_stage
from tests.support.factory import AttemptDriver
from tests.support.random_transcripts import random_edits, random_text

ROOT = Path(__file__).parents[3]
PAGE: dict[str, Any] = {"document": "annual report.pdf", "page": 1}
CHARS, PATCHES = 20_000, 200


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A long text in many scripts, with many patches, which two people have opened."""
    rng = random.Random(5)
    text = random_text(rng, CHARS)
    step = CHARS // PATCHES
    patches = [
        {"id": f"p{at}", "at": at, "removed": text[at : at + 3], "inserted": "\U0001f9a6e\u0301"}
        for at in range(0, step * PATCHES, step)
    ]
    task = {
        "id": "t", "question": "Correct.", "candidates": [PAGE], "transcript": text,
        "patches": patches,
    }  # fmt: skip
    stage = make_stage(tmp_path / "ws", preset("transcribe"), [task])
    for person in ("Ada", "Grace"):
        stage.did("t", person, ev.Opened(session="s"))
    return stage


def transcript_of(driver: AttemptDriver) -> Transcript:
    """The stored transcript."""
    transcript = driver.state.transcript
    assert transcript is not None
    return transcript


def other_server(stage: Stage, driver: AttemptDriver) -> AttemptDriver:
    """The same attempt through another server, which has nothing in memory yet."""
    workspace = Workspace.open(stage.workspace.root)
    return AttemptDriver(SqlEventLog(workspace.engine), driver.context, driver.clock, sent=5_000)


def random_change(rng: random.Random, transcript: Transcript) -> ev.Payload:
    """An edit, or a decision on one or more patches, for a text that may be outdated."""
    movable = [patch for patch in transcript.in_state("open") if patch.at is not None]
    if rng.random() < 0.4 and movable:
        decision: ev.PatchDecision = rng.choice(["accepted", "rejected"])
        if rng.random() < 0.2:
            patches = tuple(patch.id for patch in rng.sample(movable, min(5, len(movable))))
            return ev.PatchesDecided(**PAGE, patches=patches, decision=decision)
        return ev.PatchDecided(**PAGE, patch=rng.choice(movable).id, decision=decision)
    return ev.TextEdited(**PAGE, edits=random_edits(rng, transcript.text, rng.choice([1, 1, 4])))


def test_two_tabs_on_two_servers_never_mix_their_texts(stage: Stage) -> None:
    """What does not fit the current text is refused, resent events are stored once."""
    rng = random.Random(11)
    first = stage.driver("t", "Ada")
    drivers = (first, other_server(stage, first))
    shown = [transcript_of(first), transcript_of(first)]
    text, refused = shown[0].text, 0
    for number in range(160):
        tab = rng.randrange(2)
        payload = random_change(rng, shown[tab])
        command = Command(f"e{number}", payload)
        recorded = drivers[tab].recorder.record(first.context, [command])
        if rng.random() < 0.2:  # the answer was lost, and the event is sent again
            again = drivers[1 - tab].recorder.record(first.context, [command])
            assert [r.repeated for r in again.receipts] == [True] * len(recorded.receipts)
        refused += len(recorded.refusals)
        if recorded.receipts and isinstance(payload, ev.TextEdited):
            text = edited_text(text, payload.edits) or ""
        current = transcript_of(drivers[1 - tab])
        if not isinstance(payload, ev.TextEdited):
            text = current.text
        assert current.text == text == transcript_of(drivers[tab]).text
        if recorded.refusals or rng.random() < 0.5:  # reloaded, or told by the other tab
            shown[tab] = current
    assert 10 < refused < 150
    assert_stored_as_folded(stage, first)


def test_two_people_on_one_page_have_texts_of_their_own(stage: Stage) -> None:
    """Neither sees the other's edits."""
    ada, grace = stage.driver("t", "Ada"), stage.driver("t", "Grace")
    before = transcript_of(grace)
    ada.do(ev.PatchesDecided(**PAGE, patches=("p0", "p100"), decision="accepted"))
    assert transcript_of(grace) == before != transcript_of(ada)


def test_accepting_all_patches_is_one_event_that_can_be_undone(stage: Stage) -> None:
    """200 of them, also after a reload by another server."""
    ada = stage.driver("t", "Ada")
    before = transcript_of(ada)
    ids = tuple(patch.id for patch in before.patches)
    ada.do(ev.PatchesDecided(**PAGE, patches=ids, decision="accepted"))
    assert not transcript_of(ada).in_state("open")
    reloaded = other_server(stage, ada)
    (step,) = reloaded.state.undo
    reloaded.do(ev.PatchesDecided(**PAGE, patches=ids, decision="open", undoes=step.id))
    assert transcript_of(ada) == before
    assert_stored_as_folded(stage, ada)


@pytest.mark.parametrize("seed", range(3))
def test_no_stored_edit_is_lost_when_the_server_is_killed(stage: Stage, seed: int) -> None:
    """Every edit that was acknowledged before SIGKILL is in the text; the next server goes on."""
    ada = stage.driver("t", "Ada")
    attempt = ada.context.attempt_id
    acknowledged = []
    for run in range(2):
        command = [sys.executable, "-m", "tests.support.text_writer"]
        command += [str(stage.workspace.root), attempt, f"{seed}{run}"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(10 + 7 * seed):
                acknowledged.append(writer.stdout.readline().strip())
            writer.kill()
            acknowledged += [line.strip() for line in writer.stdout if line.endswith("\n")]
    reopened = other_server(stage, ada)
    stored = [event.client_event_id for event in reopened.events]
    assert set(acknowledged) <= set(stored) and len(stored) == len(set(stored))
    assert_stored_as_folded(stage, reopened)


def assert_stored_as_folded(stage: Stage, driver: AttemptDriver) -> None:
    """The stored state is that of the events, for every server, and rebuilding changes nothing."""
    folded: AttemptState = fold(driver.events)
    assert driver.state == folded == other_server(stage, driver).state
    assert rebuild(stage.workspace.engine, check=True).differed == []
