"""Checks of the log for ``scripts/kill9``, after all clients have stopped."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, apply, fold
from pagetrail.annotation.clock import iso
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.event_rows import EVENT_ROWS, event_of
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.tables import EventRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.people_by_id import People
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.submissions import load_task_work
from scripts.kill9_reviewers import Act, Reviewer
from scripts.kill9_tabs import Tab

OF_REVIEW = "review/"
OF_RULE = "/rule-"


@dataclass
class LogContents:
    """The content of the log.

    Attributes:
        stored: events of annotators.
        edits: of those, edits of texts and tables.
        duplicates: events that are stored twice.
        acts_stored: events of supervisors.
        acts_lost: of those, the ones whose first answer never arrived.
        idle: acts that changed nothing: taking what one holds, releasing what one does not.
        overtaken: tasks taken whose supervisor was told that somebody else has it, as was so by
            then.
        decisions: versions of gold that a supervisor made.
        accepted: versions of gold that the rule made.
        wrong: sentences; empty when every promise was kept.
    """

    stored: int = 0
    edits: int = 0
    duplicates: int = 0
    acts_stored: int = 0
    acts_lost: int = 0
    idle: int = 0
    overtaken: int = 0
    decisions: int = 0
    accepted: int = 0
    wrong: list[str] = field(default_factory=list)


def check(
    workspace: Workspace,
    tabs: Sequence[Tab],
    reviewers: Sequence[Reviewer],
    tasks: Iterable[int],
    planted: frozenset[str],
) -> LogContents:
    """Check the log against what the clients were promised.

    Args:
        tasks: the reviewed tasks.
        planted: ids of the events that were there before.
    """
    contents = LogContents()
    log = SqlEventLog(workspace.engine)
    with workspace.engine.connect() as connection:
        rows = connection.execute(EVENT_ROWS.order_by(EventRow.id))
        accounts = People(connection)
        events = [event_of(row, accounts) for row in rows]
        work_by_task = {task: load_task_work(connection, task) for task in tasks}
    streams: dict[str, list[ev.Event]] = {}
    for event in events:
        streams.setdefault(event.attempt_id, []).append(event)
    for attempt, stream in streams.items():
        if [event.seq for event in stream] != list(range(1, len(stream) + 1)):
            contents.wrong.append(f"{attempt}: the numbers have a gap")
        ids = Counter(event.client_event_id for event in stream)
        contents.duplicates += sum(count - 1 for count in ids.values())
        if fold(stream) != log.state(attempt):
            contents.wrong.append(f"{attempt}: the projection is not the fold of the events")
    gold = {
        task_work.gold.attempt: task
        for task, task_work in work_by_task.items()
        if task_work.gold is not None
    }
    annotator_events: list[ev.Event] = []
    supervisor_events: list[ev.Event] = []
    for event in events:
        if isinstance(event.payload, ev.TimeCorrected):
            continue  # the server's own mark, where a restart took long
        id_ = event.client_event_id
        of_others = event.attempt_id in gold or id_ in planted or id_.startswith(OF_REVIEW)
        (supervisor_events if of_others else annotator_events).append(event)
    contents.stored = len(annotator_events)
    contents.edits = sum(
        isinstance(event.payload, ev.TextEdited | ev.TableWork) for event in annotator_events
    )
    stored = {e.client_event_id: (e.attempt_id, e.seq, e.fields()) for e in annotator_events}
    for tab in tabs:
        contents.wrong += _broken_promises(tab, stored)
    acts = [act for reviewer in reviewers for act in reviewer.acts]
    _acts(acts, supervisor_events, streams, gold, contents)
    people = {
        w.attempt: task for task, task_work in work_by_task.items() for w in task_work.attempts
    }
    contents.wrong += _sources(events, people, gold)
    for attempt, task in gold.items():
        versions = [
            e.payload.version for e in streams[attempt] if isinstance(e.payload, ev.Adjudicated)
        ]
        if versions != list(range(1, len(versions) + 1)):
            contents.wrong.append(f"task {task}: its gold has the versions {versions}")
    contents.wrong += _file(workspace)
    if contents.duplicates:
        contents.wrong.append(f"{contents.duplicates} events are stored twice")
    return contents


def _file(workspace: Workspace) -> Iterator[str]:
    """Problems of projections and database."""
    rebuilt = rebuild(workspace.engine, check=True)
    if not rebuilt.clean:
        yield f"projections are not what the log says: {rebuilt}"
    if workspace.engine.dialect.name != "sqlite":
        return
    connection = sqlite3.connect(workspace.root / DATABASE_NAME)
    verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    if verdict != "ok":
        yield f"integrity check: {verdict}"


def _broken_promises(tab: Tab, stored: dict[str, tuple[str, int, dict[str, Any]]]) -> Iterator[str]:
    for event_id, (attempt, seq) in tab.acknowledged.items():
        stored_event = stored.get(event_id)
        if stored_event is None:
            yield f"{event_id} was acknowledged and is not stored"
        elif stored_event[0] != attempt or (seq and stored_event[1] != seq):
            location = stored_event[:2]
            yield f"{event_id} was acknowledged as {attempt} {seq}, and is stored as {location}"
    last: dict[str, int] = {}
    for attempt, event in tab.sent:
        if event["id"] in tab.refused:
            if event["id"] in stored:
                yield f"{event['id']} was refused and is stored"
            continue
        if event["id"] not in stored:
            yield f"{event['id']} was made and is not stored"
            continue
        _, seq, fields = stored[event["id"]]
        if not event["payload"].items() <= fields.items():
            yield f"{event['id']} holds {fields} instead of {event['payload']}"
        if seq <= last.get(attempt, 0):
            yield f"{event['id']} is stored before the event made before it"
        last[attempt] = seq


def _acts(
    acts: Sequence[Act],
    events: Sequence[ev.Event],
    streams: dict[str, list[ev.Event]],
    gold: dict[str, int],
    contents: LogContents,
) -> None:
    """Each confirmed action is stored once, as it was sent, and there are no others."""
    by_id: dict[str, list[ev.Event]] = {}
    for event in events:
        by_id.setdefault(event.client_event_id.removeprefix(OF_REVIEW), []).append(event)
    attempts = {task: attempt for attempt, task in gold.items()}
    act_ids: set[str] = set()
    for act in acts:
        stored = by_id.get(act.id, [])
        merged = by_id.get(f"{act.id}/merged", [])
        act_ids |= {act.id, f"{act.id}/merged"} if stored else set()
        if act.code is None:
            contents.wrong.append(f"{act.name} {act.id} was never answered")
        elif act.code and stored and act.name == "take" and act.sends > 1:
            contents.overtaken += 1
        elif act.code and (stored or merged):
            contents.wrong.append(f"{act.name} {act.id} was refused ({act.code}) and is stored")
        elif (
            not act.code and not stored and _idle(act, streams.get(attempts.get(act.task, ""), []))
        ):
            contents.idle += 1
        elif not act.code and len(stored) != 1:
            contents.wrong.append(
                f"{act.name} {act.id} was confirmed, and is stored {len(stored)} ×"
            )
        elif stored:
            attempt = act.body.get("attempt", attempts.get(act.task))
            contents.wrong += _not_as_sent(act, stored[0], merged, attempt)
        if stored:
            contents.acts_stored += 1
            is_lost = act.last_sent is not None and stored[0].server_ts < iso(act.last_sent)
            contents.acts_lost += is_lost
    for id_, stored in by_id.items():
        decisions = sum(isinstance(event.payload, ev.Adjudicated) for event in stored)
        if id_.startswith(OF_RULE) and all(event.actor == GOLD_USER for event in stored):
            contents.accepted += decisions
        elif id_ in act_ids:
            contents.decisions += decisions
        elif any(event.attempt_id in gold for event in stored):
            contents.wrong.append(f"nobody did {stored}")


def _idle(act: Act, stream: Sequence[ev.Event]) -> bool:
    """Whether the action had nothing to change at some time between sending and answer."""
    if act.name not in ("take", "release"):
        return False
    state = reduce(apply, stream[: act.saw], AttemptState())
    for number in range(act.saw, act.knew + 1):
        holder = state.review.holder if state.review else None
        if (holder == act.holder) == (act.name == "take"):
            return True
        if number < len(stream):
            state = apply(state, stream[number])
    return False


def _not_as_sent(
    act: Act, event: ev.Event, merged: Sequence[ev.Event], attempt: str | None
) -> Iterator[str]:
    """Differences between an action as sent and as stored."""
    payload, body = event.payload, act.body
    if (event.actor, event.attempt_id) != (act.holder, attempt):
        yield f"{act.id} is stored as {event.actor}'s in {event.attempt_id}"
    match payload:
        case ev.ReviewTaken() | ev.ReviewReleased():
            is_same = True
        case ev.Commented():
            is_same = payload.text == body["text"]
        case ev.Returned():
            is_same = payload.comment == body["comment"]
        case ev.GoldReopened():
            is_same = payload.reason == body["reason"]
        case ev.GoldMerged():
            is_same = _follows(payload, body)
        case ev.Adjudicated():
            # People who are still working on the task are named before the reason.
            is_same = (
                payload.reason.endswith(body["reason"])
                and _sources_of(payload) == body["reviewed_version"]["sources"]
            )
            if len(merged) != (body["picks"] is not None):
                yield f"{act.id} is stored with {len(merged)} drafts"
            for draft in merged:
                right = isinstance(draft.payload, ev.GoldMerged) and draft.seq == event.seq - 1
                is_same &= right and _follows(draft.payload, body)
        case _:
            is_same = False
    if not is_same:
        yield f"{act.name} {act.id} holds {payload} instead of {body}"


def _sources_of(payload: ev.Adjudicated | ev.GoldMerged) -> dict[str, int]:
    return {source.attempt: source.seq for source in payload.sources}


def _follows(payload: Any, body: dict[str, Any]) -> bool:
    choices = {choice.part: (choice.how, choice.side) for choice in payload.choices}
    picks = {part: (pick["how"], pick["side"]) for part, pick in body["picks"].items()}
    return (
        _sources_of(payload) == body["reviewed_version"]["sources"]
        and picks.items() <= choices.items()
    )


def _sources(
    events: Sequence[ev.Event], people: dict[str, int], gold: dict[str, int]
) -> Iterator[str]:
    """Drafts and decisions based on other work than was submitted at that time.

    Args:
        events: in the order in which they were stored.
        people: attempt → task.
        gold: gold stream → task.
    """
    submitted: dict[str, int] = {}
    for event in events:
        if isinstance(event.payload, ev.Submitted):
            submitted[event.attempt_id] = event.seq
        elif isinstance(event.payload, ev.Reopened | ev.Returned):
            submitted.pop(event.attempt_id, None)
        elif isinstance(event.payload, ev.Adjudicated | ev.GoldMerged):
            task = gold[event.attempt_id]
            real = {a: seq for a, seq in submitted.items() if people.get(a) == task}
            sources = _sources_of(event.payload)
            if sources != real:
                yield f"{event.client_event_id} rests on {sources}, not on {real}"
