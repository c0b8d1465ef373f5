"""Builds the steps of a run: an agent's texts, searches and tool calls as events."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import MAX_ARGUMENTS, MAX_RESULT, MAX_STEP_TEXT, RunFormat
from pagetrail.annotation.runs.record import MAX_STEPS, RunRecord, RunStep
from pagetrail.annotation.runs.search_reply import search_reply_text
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.importers.runs.values import Hits, Notes, SearchResults, storable_text

MAX_QUERY = ev.MAX_TEXT
_MAX_SEARCH_ID = 100
_MAX_TOOL = 200
_MAX_ERROR = 2_000
_SHARED_TOOL = "search_documents"

FINAL_ANSWER = {"pagetrail": "final_answer"}
"""Metadata of the message in our exports that only repeats the submitted answer."""


def query_argument(arguments: Any) -> str | None:
    """The ``query`` argument of a tool; some agents write the arguments as JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments)
        except ValueError:
            return None
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def plausible_total(total: int | None, hits: Hits) -> int | None:
    """The number of matching pages; None if it is lower than the number of hits."""
    return None if total is not None and total < len(hits) else total


def is_final_answer_copy(metadata: Any) -> bool:
    """Whether a message of our own exports only repeats the submitted answer."""
    return isinstance(metadata, dict) and metadata.get("pagetrail") == FINAL_ANSWER["pagetrail"]


class RowFormat(NamedTuple):
    """A format in which each row or object of a file is a run.

    Attributes:
        name: as stored with the attempts.
        matches: whether an object has this format.
        read: the run in an object. Args: its line or number, the object, and the search tools.
            Raises ValueError if the object is invalid.
        task_id: the id of the object's task, unchecked; None if it has none.
    """

    name: RunFormat
    matches: Callable[[dict[str, Any]], bool]
    read: Callable[[int, dict[str, Any], SearchTools], RunRecord]
    task_id: Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool.

    Attributes:
        query: query of a search; None for other tools.
        results: pages that a search returned; None if unknown.
        takes_text: whether text written before the first call is stored with this call.
        reply: what the tool returned, as text; None if not stated.
        error: why the call failed.
        took_ms: duration.
    """

    name: str
    id: Any
    arguments: Any
    query: str | None = None
    results: SearchResults | None = None
    takes_text: bool = True
    reply: str | None = None
    error: str = ""
    took_ms: int | None = None


@dataclass(frozen=True)
class _Turn:
    """Start of a turn: the index of its first step."""

    start: int
    at: datetime | None
    details: ev.AgentTurn


@dataclass
class RunSteps:
    """Collects the steps of a run.

    Attributes:
        tools: tells which of the agent's tools are searches.
        steps: the steps so far, without turns.
    """

    notes: Notes
    tools: SearchTools = field(default_factory=SearchTools)
    steps: list[RunStep] = field(default_factory=list)
    _turns: list[_Turn] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)
    _searches: int = 0

    def turn(
        self,
        text: str,
        calls: Sequence[ToolCall],
        at: datetime | None,
        details: ev.AgentTurn | None = None,
    ) -> None:
        """Add a turn: text that the agent wrote, and its calls."""
        self.begin_turn(at, details)
        calls = [self._known(call) for call in calls]
        if text and not (calls and calls[0].takes_text):
            self.write(text, at)
            text = ""
        for call in calls:
            self._add_call(call, at, text)
            text = "" if call.query is None else text

    def begin_turn(self, at: datetime | None, details: ev.AgentTurn | None = None) -> None:
        """Start a new turn for the following steps."""
        self._turns.append(_Turn(len(self.steps), at, details or ev.AgentTurn()))

    def write(self, text: str, at: datetime | None = None) -> None:
        """Add text that the agent wrote."""
        self.steps.append(RunStep(self._agent_step(text, None), at))

    def call(self, call: ToolCall, at: datetime | None = None) -> None:
        """Add a call."""
        self._add_call(self._known(call), at, "")

    def _known(self, call: ToolCall) -> ToolCall:
        """The call, with query and results if its tool is a search."""
        if call.query is not None:
            return call
        search = self.tools.search_of(call.name, call.arguments, call.reply)
        if search is None:
            return call
        return replace(call, query=search.query, results=search.results, takes_text=False)

    def _add_call(self, call: ToolCall, at: datetime | None, text: str) -> None:
        """Add a call; ``text`` was written with it."""
        if call.query is not None:
            self.search(call.id, call.query, call.results, at, call=call)
        else:
            self.steps.append(RunStep(self._agent_step(text, call), at))

    def search(
        self,
        preferred_id: Any,
        query: str,
        results: SearchResults | None,
        at: datetime | None,
        total: int | None = None,
        call: ToolCall | None = None,
    ) -> None:
        """Add a search.

        Args:
            preferred_id: id in the file, used if it is valid and unique.
            total: number of matching pages, if ``results`` does not say.
            call: the tool call, if the file has one.
        """
        query = storable_text(query, self.notes)
        if len(query) > MAX_QUERY:
            self.notes.add(f"a query is cut at {MAX_QUERY:,} characters")
        if results is None:
            hits: Hits = ()
            total = None if total == 0 else total
        else:
            hits = results.hits
            total = plausible_total(total if results.total is None else results.total, hits)
            total = total if hits else 0
        search = ev.Searched(
            search_id=self._search_id(preferred_id),
            query=query[:MAX_QUERY],
            parsed=None,
            top_k=None,
            total_hits=total,
            took_ms=None if call is None else call.took_ms,
            index_id=None,
            results=hits,
        )
        if call is not None:
            search = search.model_copy(update=self._search_details(call, search))
        self.steps.append(RunStep(search, at))

    def prepend(self, steps: Sequence[RunStep]) -> None:
        """Insert steps before all others, outside their turns."""
        self.steps[:0] = steps
        self._turns = [
            _Turn(turn.start + len(steps), turn.at, turn.details) for turn in self._turns
        ]

    def searches(self) -> list[tuple[int, ev.Searched]]:
        """The searches with their indices among the steps."""
        return [
            (index, step.payload)
            for index, step in enumerate(self.steps)
            if isinstance(step.payload, ev.Searched)
        ]

    def results_known(self) -> bool:
        """Whether the results of every search are known: those of failed ones are none."""
        return all(search.results_known for _, search in self.searches())

    def all_steps(self, field: str) -> tuple[RunStep, ...]:
        """All steps, with turn events if these add information.

        Args:
            field: the field of the file, named in the error.

        Raises:
            ValueError: too many steps for one attempt.
        """
        if len(self.steps) > MAX_STEPS or len(self._turns) > MAX_STEPS:
            count = max(len(self.steps), len(self._turns))
            raise ValueError(f"{field}: {count:,} steps are too many; {MAX_STEPS:,} are allowed")
        ends = [*(turn.start for turn in self._turns[1:]), len(self.steps)]
        sizes = [end - turn.start for turn, end in zip(self._turns, ends, strict=False)]
        if all(turn.details.is_empty for turn in self._turns) and max(sizes, default=0) <= 1:
            return tuple(self.steps)
        steps, copied = [], 0
        for turn, size in zip(self._turns, sizes, strict=True):
            steps += self.steps[copied : turn.start]
            if size or not turn.details.is_empty:
                steps.append(RunStep(turn.details, turn.at))
            copied = turn.start
        return (*steps, *self.steps[copied:])

    def _search_id(self, preferred: Any) -> str:
        """The id of the next search: ``preferred`` if it is valid and unique, else a number."""
        self._searches += 1
        name = preferred if isinstance(preferred, str) else ""
        if not (name.isprintable() and 0 < len(name) <= _MAX_SEARCH_ID) or name in self._ids:
            name = f"search-{self._searches}"
            while name in self._ids:
                name = f"{name}-"
        self._ids.add(name)
        return name

    def _search_details(self, call: ToolCall, search: ev.Searched) -> dict[str, Any]:
        """Tool, arguments, reply and error of a search, if they add to query and results."""
        details: dict[str, Any] = {}
        if call.error:
            details["error"] = storable_text(call.error, self.notes)[:_MAX_ERROR]
        if call.name != _SHARED_TOOL:
            details["tool"] = storable_text(call.name, self.notes)[:_MAX_TOOL]
        if isinstance(call.arguments, dict) and call.arguments.keys() - {"query"}:
            details["arguments"] = self._cut(
                _json_text(call.arguments), MAX_ARGUMENTS, "the arguments of a search"
            )
        if call.reply:
            reply = storable_text(call.reply, self.notes)
            if len(reply) > MAX_RESULT and call.results is not None:
                self.notes.add(
                    f"the reply to a search is longer than {MAX_RESULT:,} characters; beyond its "
                    "pages it is only in the stored original"
                )
            elif reply != search_reply_text(search):
                details["reply"] = self._cut(reply, MAX_RESULT, "what a search returned")
        return details

    def _agent_step(self, text: str, call: ToolCall | None) -> ev.AgentStep:
        """Event for text or a tool call, cut if it is too long."""
        text_kept = self._cut(
            storable_text(text, self.notes), MAX_STEP_TEXT, "what the agent wrote"
        )
        if call is None:
            return ev.AgentStep(text=text_kept)
        arguments = (
            call.arguments if isinstance(call.arguments, str) else _json_text(call.arguments)
        )
        has_valid_id = (
            isinstance(call.id, str) and call.id.isprintable() and 0 < len(call.id) <= _MAX_TOOL
        )
        reply = None if not call.reply else storable_text(call.reply, self.notes)
        return ev.AgentStep(
            text=text_kept,
            tool=storable_text(call.name, self.notes)[:_MAX_TOOL],
            arguments=self._cut(
                storable_text(arguments, self.notes), MAX_ARGUMENTS, "the arguments of a tool"
            ),
            call_id=call.id if has_valid_id else None,
            result=None if reply is None else self._cut(reply, MAX_RESULT, "the result of a tool"),
            error=storable_text(call.error, self.notes)[:_MAX_ERROR],
            took_ms=call.took_ms,
        )

    def _cut(self, text: str, longest: int, description: str) -> str:
        if len(text) > longest:
            self.notes.add(f"{description} is cut at {longest:,} characters")
        return text[:longest]


def _json_text(value: Any) -> str:
    if value in (None, {}):
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return ""
