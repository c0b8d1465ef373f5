"""Data of the replay: events, outcome, and the browser's script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Condition
from typing import Literal

from cachetools import LRUCache, cached
from typing_extensions import TypedDict

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.events.work import OUTCOME_WORDS
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.preset_texts import translate_preset_text
from pagetrail.annotation.replay.builder import STEP_MS
from pagetrail.annotation.replay.script import TEXT_NAMES, Script
from pagetrail.annotation.replay.timeline import TimelineEntry
from pagetrail.annotation.timing.durations import Timing
from pagetrail.app.replay.part_computation import (
    Part,
    count_parts,
    replay_part,
    replayed_events,
)
from pagetrail.app.replay.script_json import ScriptJson, script_json
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts import replay_lists as replays
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM

_PART = "pagetrail.app.replay.part_computation:load_part"
STATES = {
    "new": N_("Not started"),
    "open": N_("Open"),
    "skipped": N_("Skipped"),
    "submitted": N_("Submitted"),
    **OUTCOME_WORDS,
}


@dataclass(frozen=True)
class ReplayedAttempt:
    """Data derived from an attempt's events.

    Attributes:
        state: the attempt's state.
        times: durations in the whole attempt.
        script: script of the displayed part, like ``entries`` and ``data``.
        entries: descriptions of the events.
        data: the script for the browser.
    """

    state: AttemptState
    times: Timing
    script: Script
    entries: list[TimelineEntry]
    data: ScriptJson


class ResultJson(TypedDict):
    """The result and its parts as text, and a tone."""

    words: str
    parts: str
    tone: Literal["good", "bad", "part"]


class LabelName(TypedDict):
    """A label of boxes."""

    name: str
    title: str


class AttemptScript(ScriptJson):
    """One attempt for the replay.

    Attributes:
        textNames: (name, title) of the texts that the replay shows.
        pace: how an attempt without times is played; empty for one with times.
    """

    id: str
    name: str
    system: bool
    campaign: str
    state: str
    result: ResultJson | None
    labels: list[LabelName]
    seed: bool
    textNames: list[tuple[str, str]]
    pace: str
    fieldLabels: dict[str, str]


@dataclass(frozen=True)
class ReplaySide:
    """One attempt on screen.

    Attributes:
        name: the annotator's or system's name, as shown.
        system: whether it is a system's attempt.
        result: comparison with the task's gold; None if there is none, or nothing was submitted.
        parts: number of parts of the replay.
    """

    row: AttemptRow
    name: str
    system: bool
    replayed: ReplayedAttempt
    result: Feedback | None
    parts: int = 1

    @property
    def state(self) -> str:
        """The attempt's status as a label."""
        state = self.replayed.state
        skipped = state.status == "skipped"
        return gettext(STATES["skipped" if skipped else state.outcome or state.status])


def replay_side(app: Services, attempt_id: str, part: int = 0) -> ReplaySide:
    """The attempt with that id, prepared for the replay.

    Args:
        part: part of a long attempt, from 0; numbers beyond the last mean the last.

    Raises:
        NotFoundError: there is none.
    """
    row = queries.attempt(app.workspace.engine, attempt_id)
    last_seq = replays.last_seq(app.workspace.engine, attempt_id)
    parts = count_parts(last_seq)
    part = min(part, parts - 1)
    computed_part = None
    if parts > 1:
        key = attempt_id, last_seq, part
        computed_part = shared_result(
            app, key, _PART, attempt_id, part, title=gettext("the replay")
        )
    replayed = _replayed(app, attempt_id, last_seq, part, computed_part)
    role = find_person(app.workspace, row.user_name).role
    state = replayed.state
    result = None
    if state.status == "submitted":
        form = row.context().form(state)
        result = compare(form, row.record)
    return ReplaySide(
        row=row,
        name=gettext("Gold stream") if role == REVIEW else row.user_name,
        system=role == SYSTEM,
        replayed=replayed,
        result=result,
        parts=parts,
    )


def replay_json(replay: ReplaySide) -> AttemptScript:
    """The attempt as JSON values for the component."""
    protocol, boxes = replay.row.protocol, replay.row.protocol.boxes
    script = replay.replayed.script
    text_names = {"answer"} if protocol.answer.kind != "off" else set()
    labels = {
        field.name: translate_preset_text(protocol.name, field.label) for field in protocol.fields
    }
    return {
        "id": replay.row.attempt_id,
        "name": replay.name,
        "system": replay.system,
        "campaign": replay.row.campaign,
        "state": replay.state,
        "result": _result_json(replay),
        "labels": [
            {"name": label.name, "title": translate_preset_text(protocol.name, label.name)}
            for label in boxes.labels
        ],
        "seed": boxes.seed,
        "textNames": [
            (name, gettext(title))
            for name, title in TEXT_NAMES.items()
            if name in text_names | script.texts.keys()
        ],
        "pace": ""
        if script.timed
        else gettext("no times: one step every {seconds} s", seconds=STEP_MS // 1000),
        "fieldLabels": labels,
        **replay.replayed.data,
    }


def with_distinct_names(replays: list[ReplaySide]) -> list[ReplaySide]:
    """The attempts with numbers added to equal names."""
    if len({replay.name for replay in replays}) == len(replays):
        return replays
    return [
        replace(replay, name=f"{replay.name} ({n})") for n, replay in enumerate(replays, start=1)
    ]


def question_of(replays: list[ReplaySide]) -> str:
    """The question, or both if the two attempts are at different tasks."""
    questions = [str(replay.row.record.get("question", "")) for replay in replays]
    return " / ".join(dict.fromkeys(filter(None, questions)))


def signature(replays: list[ReplaySide]) -> str:
    """A text that changes whenever an attempt on screen does."""
    return "/".join(
        f"{s.row.attempt_id}:{s.replayed.state.last_seq}:{s.replayed.script.moments[0].t_ms}"
        for s in replays
    )


def _result_json(replay: ReplaySide) -> ResultJson | None:
    """The comparison with gold as text, part by part unless all is right."""
    result, protocol = replay.result, replay.row.protocol
    if result is None:
        return None
    labels = {field.name: field.label for field in protocol.fields}
    words = [
        part.words(translate_preset_text(protocol.name, labels.get(part.part, "")))
        for part in result.parts
    ]
    parts = ", ".join(words)
    against_gold = gettext("Against the gold: {parts}", parts=parts)
    if result.right:
        return {"words": gettext("Right"), "parts": against_gold, "tone": "good"}
    return {
        "words": parts[:1].upper() + parts[1:],
        "parts": against_gold,
        "tone": "part" if any(part.undecided for part in result.parts) or result.score else "bad",
    }


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
) -> ReplayedAttempt:
    if computed_part is None:
        computed_part = replay_part(replayed_events(app.workspace, attempt_id), 0)
    times, script, entries = computed_part
    return ReplayedAttempt(
        state=app.log.state(attempt_id),
        times=times,
        script=script,
        entries=entries,
        data=script_json(script, lambda pages: replays.stored_pages(app.workspace.engine, pages)),
    )
