"""The steps of a run: what an agent wrote, searched for and called, as events of the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import MAX_ARGUMENTS, MAX_RESULT, MAX_STEP_TEXT
from pagetrail.annotation.runs.record import MAX_STEPS, RunStep
from pagetrail.annotation.runs.search_reply import search_reply_text
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs.search_tools import SearchResults, SearchTools
from pagetrail.storage.importers.runs.values import Hits, Notes, storable_text

MAX_QUERY = ev.MAX_TEXT
_MAX_SEARCH_ID = 100
_MAX_TOOL = 200
_MAX_ERROR = 2_000
_SHARED_TOOL = "search_documents"

FINAL_ANSWER = {"pagetrail": "final_answer"}
"""Marks the message of our exports that only repeats what was submitted."""


def query_argument(arguments: Any) -> str | None:
    """The query among a tool's arguments, which some agents write as JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments)
        except ValueError:
            return None
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def plausible_total(total: int | None, results: Hits) -> int | None:
    """How many pages match; None where a file says that they are fewer than it lists."""
    return None if total is not None and total < len(results) else total


def is_final_answer_copy(metadata: Any) -> bool:
    """Whether a message of our own exports only says what was submitted, and is no step."""
    return isinstance(metadata, dict) and metadata.get("pagetrail") == FINAL_ANSWER["pagetrail"]


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool.

    Attributes:
        query: what a search looked for; None for a call that is a step beside searching.
        found: what a search returned; None where that is not known.
        takes_text: whether what the agent wrote before its first call goes with this one.
        reply: what the tool returned, as text; None where the file does not say.
        error: why the call failed.
        took_ms: how long it took.
    """

    name: str
    id: Any
    arguments: Any
    query: str | None = None
    found: SearchResults | None = None
    takes_text: bool = True
    reply: str | None = None
    error: str = ""
    took_ms: int | None = None


@dataclass(frozen=True)
class _Turn:
    """Where a turn begins among the steps."""

    begins: int
    at: datetime | None
    details: ev.AgentTurn


@dataclass
class RunSteps:
    """The steps of a run in the making.

    Attributes:
        tools: which of the agent's tools are searches.
    """

    notes: Notes
    tools: SearchTools = field(default_factory=SearchTools)
    made: list[RunStep] = field(default_factory=list)
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
        """Add a turn: what the agent wrote and the calls it made with it."""
        self.begin_turn(at, details)
        calls = [self._known(call) for call in calls]
        if text and not (calls and calls[0].takes_text):
            self.write(text, at)
            text = ""
        for call in calls:
            self._add_call(call, at, text)
            text = "" if call.query is None else text

    def begin_turn(self, at: datetime | None, details: ev.AgentTurn | None = None) -> None:
        """Have what is added from here on belong to a new turn."""
        self._turns.append(_Turn(len(self.made), at, details or ev.AgentTurn()))

    def write(self, text: str, at: datetime | None = None) -> None:
        """Add what the agent wrote."""
        self.made.append(RunStep(self._agent_step(text, None), at))

    def call(self, call: ToolCall, at: datetime | None = None) -> None:
        """Add a call."""
        self._add_call(self._known(call), at, "")

    def _known(self, call: ToolCall) -> ToolCall:
        """The call as a search, where its tool is one."""
        if call.query is not None:
            return call
        search = self.tools.search_of(call.name, call.arguments, call.reply)
        if search is None:
            return call
        return replace(call, query=search.query, found=search.found, takes_text=False)

    def _add_call(self, call: ToolCall, at: datetime | None, text: str) -> None:
        """Add a call; ``text`` was written with it."""
        if call.query is not None:
            self.search(call.id, call.query, call.found, at, call=call)
        else:
            self.made.append(RunStep(self._agent_step(text, call), at))

    def search(
        self,
        wanted_id: Any,
        query: str,
        found: SearchResults | None,
        at: datetime | None,
        total: int | None = None,
        call: ToolCall | None = None,
    ) -> None:
        """Add a search as the run tells it.

        Args:
            total: how many pages match, where ``found`` does not say.
            call: the call of the tool, where the file has one.
        """
        query = storable_text(query, self.notes)
        if len(query) > MAX_QUERY:
            self.notes.add(f"a query is cut at {MAX_QUERY:,} characters")
        results: Hits = ()
        if found is not None:
            results, total_in_results = found
            total = (
                plausible_total(total if total_in_results is None else total_in_results, results)
                if results
                else 0
            )
        elif total == 0:
            total = None
        search = ev.Searched(
            search_id=self._search_id(wanted_id),
            query=query[:MAX_QUERY],
            parsed=None,
            top_k=None,
            total_hits=total,
            took_ms=None if call is None else call.took_ms,
            index_id=None,
            results=results,
        )
        if call is not None:
            search = search.model_copy(update=self._search_details(call, search))
        self.made.append(RunStep(search, at))

    def prepend(self, steps: Sequence[RunStep]) -> None:
        """Put steps before all others, in no turn of these."""
        self.made[:0] = steps
        self._turns = [
            _Turn(turn.begins + len(steps), turn.at, turn.details) for turn in self._turns
        ]

    def searches(self) -> list[tuple[int, ev.Searched]]:
        """The searches with their places among the steps."""
        return [
            (index, step.payload)
            for index, step in enumerate(self.made)
            if isinstance(step.payload, ev.Searched)
        ]

    def results_known(self) -> bool:
        """Whether each search has its results; one that found nothing has none to have."""
        return all(search.results or search.total_hits == 0 for _, search in self.searches())

    def all_steps(self, field: str) -> tuple[RunStep, ...]:
        """All steps, with the beginnings of turns where these say more than the steps alone.

        Raises:
            ValueError: they are too many for one attempt; names ``field`` they come from.
        """
        if len(self.made) > MAX_STEPS or len(self._turns) > MAX_STEPS:
            count = max(len(self.made), len(self._turns))
            raise ValueError(f"{field}: {count:,} steps are too many; {MAX_STEPS:,} are allowed")
        ends = [*(turn.begins for turn in self._turns[1:]), len(self.made)]
        sizes = [end - turn.begins for turn, end in zip(self._turns, ends, strict=False)]
        if all(turn.details.is_empty for turn in self._turns) and max(sizes, default=0) <= 1:
            return tuple(self.made)
        steps, copied = [], 0
        for turn, size in zip(self._turns, sizes, strict=True):
            steps += self.made[copied : turn.begins]
            if size or not turn.details.is_empty:
                steps.append(RunStep(turn.details, turn.at))
            copied = turn.begins
        return (*steps, *self.made[copied:])

    def _search_id(self, preferred: Any) -> str:
        """The id of the next search: that of its tool call where it can be told from others."""
        self._searches += 1
        name = preferred if isinstance(preferred, str) else ""
        if not (name.isprintable() and 0 < len(name) <= _MAX_SEARCH_ID) or name in self._ids:
            name = f"search-{self._searches}"
            while name in self._ids:
                name = f"{name}-"
        self._ids.add(name)
        return name

    def _search_details(self, call: ToolCall, search: ev.Searched) -> dict[str, Any]:
        """What the call says beyond query and pages."""
        details: dict[str, Any] = {}
        if call.name != _SHARED_TOOL:
            details["tool"] = storable_text(call.name, self.notes)[:_MAX_TOOL]
        if isinstance(call.arguments, dict) and call.arguments.keys() - {"query"}:
            details["arguments"] = self._cut(
                _json_text(call.arguments), MAX_ARGUMENTS, "the arguments of a search"
            )
        if call.reply:
            reply = storable_text(call.reply, self.notes)
            if len(reply) > MAX_RESULT and call.found is not None:
                self.notes.add(
                    f"what a search returned beside its pages is longer than {MAX_RESULT:,} "
                    "characters and is only in the stored original"
                )
            elif reply != search_reply_text(search):
                details["reply"] = self._cut(reply, MAX_RESULT, "what a search returned")
        return details

    def _agent_step(self, text: str, call: ToolCall | None) -> ev.AgentStep:
        """What an agent wrote or called, cut where it is long."""
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
