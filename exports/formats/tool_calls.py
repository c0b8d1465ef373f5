"""Presents a submitted attempt as an agent's run: messages and tool calls.

A search is a call of ``search_documents`` and a page that was opened one of ``read_page``, the
tools that agents have (``app/agents``); turns and steps of an imported run stay as they were.
Refused queries and looks back are not calls, as in the MADQA export.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import iso, parse_iso
from pagetrail.annotation.runs.record import stated_confidence
from pagetrail.annotation.runs.search_reply import search_reply_text
from pagetrail.exports.formats.agent_turns import group_turns, turn_text
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import json_text

SEARCH, READ = "search_documents", "read_page"
FINAL_ANSWER = {"pagetrail": "final_answer"}
"""Marks the message that repeats the submission, which ``import-run`` skips."""

_MAX_UNPARSED = 7_500
"""Characters of arguments that are not a JSON object; their JSON is as long as events hold."""

_EMPTY_TURN = ev.AgentTurn()


@dataclass(frozen=True)
class Call:
    """A call of a tool.

    Attributes:
        at: when it began, ISO-8601 UTC; None in a run without times.
        reply: what it returned, as text; None where that is not known.
        page: the page that it showed, if it is a call of ``read_page`` and its reply is made here.
        error: why it failed.
        took_ms: milliseconds.
    """

    at: str | None
    id: str
    tool: str
    arguments: dict[str, Any]
    reply: str | None = None
    page: tuple[str, int] | None = None
    error: str = ""
    took_ms: int | None = None


@dataclass(frozen=True)
class Turn:
    """A message, tool calls, or both.

    Attributes:
        at: when the model's message arrived; None in a run without times.
        details: usage and reasoning of the model.
    """

    at: str | None
    text: str
    calls: tuple[Call, ...] = ()
    details: ev.AgentTurn = field(default_factory=ev.AgentTurn)


@dataclass(frozen=True)
class ToolRun:
    """An attempt as a run.

    Attributes:
        question: verbatim where an imported run has it.
        started, finished: None in a run without times.
        final: answer, citations, outcome and confidence as ``import-run`` reads them.
        run: the import event of an imported run.
        closing: usage of the model for the submission itself, if it wrote no message.
    """

    question: str
    started: str | None
    finished: str | None
    turns: tuple[Turn, ...]
    final: dict[str, Any]
    run: ev.RunImported | None = None
    closing: ev.AgentTurn = _EMPTY_TURN

    def ends_with_own_message(self, format_: str) -> bool:
        """Whether it was read from that format and ends with a message without calls.

        Reading that message again finds the same answer, so no other has to repeat it.
        """
        if self.run is None or self.run.format != format_ or not self.turns:
            return False
        last = self.turns[-1]
        repeated = self.run.details.keys() >= FINAL_ANSWER.keys()
        return bool(last.text) and not last.calls and not repeated and self.closing.is_empty


def tool_run(source: Source, attempt: ReadAttempt, tally: WrittenFiles) -> ToolRun:
    """A submitted attempt as a run; searches that are not calls are counted as left out."""
    events = attempt.attempt.events
    tally.leave_out(
        "search", "refused", n=sum(isinstance(e.payload, ev.SearchRefused) for e in events)
    )
    tally.leave_out("search", "looked_back", n=sum(map(looks_back, events)))
    first, state = events[0].payload, attempt.state
    run = first if isinstance(first, ev.RunImported) else None
    timed = run is None or run.timed
    last = next(e for e in reversed(events) if isinstance(e.payload, ev.Submitted))
    clock = _Clock(events[0]) if timed else None
    turns = list(_turns(source, events, clock))
    confidence = stated_confidence(events)
    closing = _EMPTY_TURN
    if turns and not (turns[-1].text or turns[-1].calls):
        closing = turns.pop().details
    return ToolRun(
        question=(run.prompt if run else "") or str(attempt.head.record.get("question", "")),
        started=clock.at(events[0]) if clock else None,
        finished=clock.at(last) if clock else None,
        turns=tuple(turns),
        final={
            "answer": list(attempt.submission.answer),
            "citations": [{"file": c.document, "page": c.page} for c in state.citations],
            "outcome": state.outcome,
            **({} if confidence is None else {"confidence": confidence}),
        },
        run=run,
        closing=closing,
    )


def _turns(source: Source, events: list[ev.Event], clock: _Clock | None) -> Iterator[Turn]:
    ids = _CallIds(events)
    for turn in group_turns(event for event in events if _is_step(event)):
        calls = (_call(source, event, clock, ids) for event in turn.steps)
        yield Turn(
            _time_of(clock, turn.start),
            turn_text(turn.steps),
            tuple(call for call in calls if call is not None),
            turn.details,
        )


def _is_step(event: ev.Event) -> bool:
    payload = event.payload
    if isinstance(payload, ev.Searched):
        return payload.looks_back_at is None
    if isinstance(payload, ev.PageViewed):
        return payload.via != "restored"
    return isinstance(payload, ev.AgentStep | ev.AgentTurn)


def _call(source: Source, event: ev.Event, clock: _Clock | None, ids: _CallIds) -> Call | None:
    payload, at = event.payload, _time_of(clock, event)
    if isinstance(payload, ev.Searched):
        ids.count()
        arguments = _arguments(payload.arguments) if payload.arguments else {"query": payload.query}
        took_ms = None if payload.took_ms is None or payload.index_id else round(payload.took_ms)
        reply = search_reply_text(payload)
        return Call(
            at,
            payload.search_id,
            payload.tool or SEARCH,
            arguments,
            reply,
            error=payload.error,
            took_ms=took_ms,
        )
    if isinstance(payload, ev.PageViewed):
        page_ref = (payload.document, payload.page)
        arguments = {"file": payload.document, "page": payload.page}
        return Call(at, ids.free(), READ, arguments, page=page_ref)
    if not isinstance(payload, ev.AgentStep) or payload.tool is None:
        return None
    arguments = _arguments(payload.arguments)
    id_ = ids.free() if payload.call_id is None else ids.claim(payload.call_id)
    read = None
    if payload.result is None and not payload.error and payload.tool.endswith(READ):
        read = _named_page(source, arguments)
    return Call(
        at, id_, payload.tool, arguments, payload.result, read, payload.error, payload.took_ms
    )


def _named_page(source: Source, arguments: dict[str, Any]) -> tuple[str, int] | None:
    """The page of the collection that the arguments of ``read_page`` name."""
    name, page = arguments.get("file", arguments.get("document")), arguments.get("page")
    if not isinstance(name, str) or not isinstance(page, int) or isinstance(page, bool):
        return None
    return (name, page) if source.pages.size(name, page) else None


class _Clock:
    """Times of events: from the file of an imported run, else by the server's clock."""

    def __init__(self, first: ev.Event) -> None:
        self._imported = isinstance(first.payload, ev.RunImported)
        start = first.client_ts if self._imported else None
        self._start = parse_iso(start or first.server_ts)

    def at(self, event: ev.Event) -> str:
        """The time of an event, ISO-8601 UTC."""
        if self._imported and event.client_ts is not None:
            return event.client_ts
        return iso(self._start + timedelta(milliseconds=event.elapsed_ms))


def _time_of(clock: _Clock | None, event: ev.Event) -> str | None:
    return None if clock is None else clock.at(event)


class _CallIds:
    """Ids of calls: the run's own, else by position, so that a copy of a run has the same ids."""

    def __init__(self, events: list[ev.Event]) -> None:
        self._used = {e.payload.search_id for e in events if isinstance(e.payload, ev.Searched)}
        self._used |= {
            e.payload.call_id
            for e in events
            if isinstance(e.payload, ev.AgentStep) and e.payload.call_id is not None
        }
        self._claimed: set[str] = set()
        self._number = 0

    def count(self) -> None:
        """Count a call with an id."""
        self._number += 1

    def claim(self, id_: str) -> str:
        """The run's own id, or a free one if another call has it."""
        if id_ in self._claimed:
            return self.free()
        self._claimed.add(id_)
        self.count()
        return id_

    def free(self) -> str:
        """An id that no other call has."""
        id_ = f"call-{self._number + 1}"
        while id_ in self._used:
            id_ += "-"
        self.count()
        return id_


def _arguments(text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        value = json.loads(text)
        json_text(value)
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"arguments": text[:_MAX_UNPARSED]}


def looks_back(event: ev.Event) -> bool:
    """Whether the event is a search that only shows an earlier one's results again."""
    return isinstance(event.payload, ev.Searched) and event.payload.looks_back_at is not None
