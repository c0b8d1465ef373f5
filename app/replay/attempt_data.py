"""Attempts as the replay shows them: events, outcome, and the script for the browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Condition
from typing import Any

from cachetools import LRUCache, cached

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.events.work import OUTCOME_WORDS
from pagetrail.annotation.replay.builder import STEP_MS
from pagetrail.annotation.replay.script import TEXT_NAMES, Script
from pagetrail.annotation.replay.timeline import TimelineEntry
from pagetrail.annotation.timing.durations import Timing
from pagetrail.app.replay.part_computation import Part, parts_of, replay_part
from pagetrail.app.replay.script_json import script_json
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts import replay_lists as replays
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM

_PART = "pagetrail.app.replay.part_computation:part_in"
STATES = {
    "new": "Not started",
    "open": "Open",
    "skipped": "Skipped",
    "submitted": "Submitted",
    **OUTCOME_WORDS,
}


@dataclass(frozen=True)
class Replayed:
    """What is derived from an attempt's events.

    Attributes:
        state: the attempt's state.
        times: of the whole attempt.
        script: of the part that is shown, as are ``entries`` and ``data``.
        entries: the events in words.
        data: the script for the browser.
    """

    state: AttemptState
    times: Timing
    script: Script
    entries: list[TimelineEntry]
    data: dict[str, Any]


@dataclass(frozen=True)
class Side:
    """One attempt on screen.

    Attributes:
        name: the annotator's or system's name, as shown.
        system: whether it is a system's attempt.
        result: comparison with the task's gold; None if there is none.
        parts: how many parts the replay of the attempt has.
    """

    row: AttemptRow
    name: str
    system: bool
    replayed: Replayed
    result: Feedback | None
    parts: int = 1

    @property
    def state(self) -> str:
        """The attempt's status in words."""
        state = self.replayed.state
        return STATES[state.outcome or state.status]


def side(app: Services, attempt_id: str, part: int = 0) -> Side:
    """The attempt with that id, ready to be shown.

    Args:
        part: which part of a long attempt, from 0; the last for one beyond it.

    Raises:
        NotFoundError: there is none.
    """
    row = queries.attempt(app.workspace.engine, attempt_id)
    last_seq = replays.last_seq(app.workspace.engine, attempt_id)
    parts = parts_of(last_seq)
    part = min(part, parts - 1)
    computed_part = None
    if parts > 1:
        key = attempt_id, last_seq, part
        computed_part = shared_result(app, key, _PART, attempt_id, part, title="the replay")
    replayed = _replayed(app, attempt_id, last_seq, part, computed_part)
    role = find_person(app.workspace, row.user_name).role
    state = replayed.state
    result = None
    if state.status in ("submitted", "skipped"):
        result = compare(row.context().form(state), row.record)
    return Side(
        row=row,
        name="Gold stream" if role == REVIEW else row.user_name,
        system=role == SYSTEM,
        replayed=replayed,
        result=result,
        parts=parts,
    )


def side_json(shown: Side) -> dict[str, Any]:
    """The attempt as JSON values for the component."""
    boxes = shown.row.protocol.boxes
    made = shown.replayed.script
    asked = {"answer"} if shown.row.protocol.answer.kind != "off" else set()
    labels = {field.name: field.label for field in shown.row.protocol.fields}
    return {
        "id": shown.row.attempt_id,
        "name": shown.name,
        "system": shown.system,
        "campaign": shown.row.campaign,
        "state": shown.state,
        "result": result_json(shown.result),
        "labels": [{"name": label.name} for label in boxes.labels],
        "seed": boxes.seed,
        "textNames": [
            [name, title] for name, title in TEXT_NAMES.items() if name in asked | made.texts.keys()
        ],
        "pace": "" if made.timed else f"no times: one step every {STEP_MS // 1000} s",
        "fieldLabels": labels,
        **shown.replayed.data,
    }


def told_apart(sides: list[Side]) -> list[Side]:
    """The attempts with numbers added to equal names."""
    if len({shown.name for shown in sides}) == len(sides):
        return sides
    return [replace(shown, name=f"{shown.name} ({n})") for n, shown in enumerate(sides, start=1)]


def question_of(sides: list[Side]) -> str:
    """The question, or both if the two attempts are at different tasks."""
    questions = [str(shown.row.record.get("question", "")) for shown in sides]
    return " / ".join(dict.fromkeys(filter(None, questions)))


def signature(sides: list[Side]) -> str:
    """A text that changes when any attempt on screen does."""
    return "/".join(
        f"{s.row.attempt_id}:{s.replayed.state.last_seq}:{s.replayed.script.moments[0].t_ms}"
        for s in sides
    )


def result_json(result: Feedback | None) -> dict[str, str] | None:
    """The result in words, its parts in words, and a tone."""
    if result is None:
        return None
    parts = "Against the gold: " + ", ".join(
        f"{part.part} {'right' if part.right else 'wrong'}" for part in result.parts
    )
    if result.right:
        return {"words": "Right", "parts": parts, "tone": "good"}
    if result.score == 0:
        return {"words": "Wrong", "parts": parts, "tone": "bad"}
    return {"words": f"{result.score * 100:.0f} % right", "parts": parts, "tone": "part"}


# Cached, since Streamlit reruns the screen with every interaction.
@cached(
    LRUCache(8),
    key=lambda app, attempt_id, last_seq, part, _computed: (
        app.workspace.root,
        attempt_id,
        last_seq,
        part,
    ),
    condition=Condition(),
)
def _replayed(
    app: Services, attempt_id: str, _last_seq: int, _part: int, computed_part: Part | None
) -> Replayed:
    if computed_part is None:
        computed_part = replay_part(list(app.log.events(attempt_id)), 0)
    times, made, entries = computed_part
    return Replayed(
        state=app.log.state(attempt_id),
        times=times,
        script=made,
        entries=entries,
        data=script_json(made, lambda pages: replays.stored_pages(app.workspace.engine, pages)),
    )
