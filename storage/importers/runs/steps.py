"""The steps of a run: what an agent wrote, searched for and called, as events of the log."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import MAX_ARGUMENTS, MAX_STEP_TEXT
from pagetrail.annotation.runs.record import MAX_STEPS, RunStep
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs.values import Hits, Notes, tidy

MAX_QUERY = ev.MAX_TEXT
_MAX_SEARCH_ID = 100
_MAX_TOOL = 200
_SEARCH_TOOL = re.compile(r"(^|[^a-z0-9])search_documents$", re.IGNORECASE)

Found = tuple[Hits, int | None]
"""The pages that a search returned, and how many match in all where that is told."""


def is_search(tool: str) -> bool:
    """Whether a tool is the one that people and agents share, under a server's prefix or not."""
    return _SEARCH_TOOL.search(tool) is not None


def query_of(arguments: Any) -> str | None:
    """The query among a tool's arguments, which some agents write as JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments)
        except ValueError:
            return None
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def possible_total(total: int | None, results: Hits) -> int | None:
    """How many pages match; None where a file says that they are fewer than it lists."""
    return None if total is not None and total < len(results) else total


def repeats_the_answer(metadata: Any) -> bool:
    """Whether a message of our own exports only says what was submitted, and is no step."""
    return isinstance(metadata, dict) and metadata.get("pagetrail") == "final_answer"


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool.

    Attributes:
        query: what a search looked for; None for a call that is a step beside searching.
        found: what a search returned; None where that is not known.
        takes_text: whether what the agent wrote before its first call goes with this one.
    """

    name: str
    id: Any
    arguments: Any
    query: str | None = None
    found: Found | None = None
    takes_text: bool = True


@dataclass
class RunSteps:
    """The steps of a run in the making."""

    notes: Notes
    made: list[RunStep] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)
    _searches: int = 0

    def turn(self, text: str, calls: Sequence[ToolCall], at: datetime | None) -> None:
        """Add what the agent wrote and the calls it made with it."""
        if text and not (calls and calls[0].takes_text):
            self.write(text, at)
            text = ""
        for call in calls:
            self.call(call, at, text)
            text = "" if call.query is None else text

    def write(self, text: str, at: datetime | None = None) -> None:
        """Add what the agent wrote."""
        self.made.append(RunStep(self._agent_step(text, None, None), at))

    def call(self, call: ToolCall, at: datetime | None = None, text: str = "") -> None:
        """Add a call; ``text`` was written with it."""
        if call.query is not None:
            self.search(call.id, call.query, call.found, at)
        else:
            self.made.append(RunStep(self._agent_step(text, call.name, call.arguments), at))

    def search(
        self,
        wanted_id: Any,
        query: str,
        found: Found | None,
        at: datetime | None,
        total: int | None = None,
    ) -> None:
        """Add a search as the run tells it.

        Args:
            total: how many pages match, where ``found`` does not say.
        """
        query = tidy(query, self.notes)
        if len(query) > MAX_QUERY:
            self.notes.add(f"a query is cut at {MAX_QUERY:,} characters")
        results: Hits = ()
        if found is not None:
            results, told = found
            total = possible_total(total if told is None else told, results) if results else 0
        elif total == 0:
            total = None
        search = ev.Searched(
            search_id=self._search_id(wanted_id),
            query=query[:MAX_QUERY],
            parsed=None,
            top_k=None,
            total_hits=total,
            took_ms=None,
            index_id=None,
            results=results,
        )
        self.made.append(RunStep(search, at))

    def searches(self) -> list[tuple[int, ev.Searched]]:
        """The searches with their places among the steps."""
        return [
            (place, step.payload)
            for place, step in enumerate(self.made)
            if isinstance(step.payload, ev.Searched)
        ]

    def results_known(self) -> bool:
        """Whether each search has its results; one that found nothing has none to have."""
        return all(search.results or search.total_hits == 0 for _, search in self.searches())

    def done(self, where: str) -> tuple[RunStep, ...]:
        """All steps.

        Raises:
            ValueError: they are too many for one attempt; names ``where`` they come from.
        """
        if len(self.made) > MAX_STEPS:
            raise ValueError(
                f"{where}: {len(self.made):,} steps are too many; {MAX_STEPS:,} are allowed"
            )
        return tuple(self.made)

    def _search_id(self, wanted: Any) -> str:
        """The id of the next search: that of its tool call where it can be told from others."""
        self._searches += 1
        name = wanted if isinstance(wanted, str) else ""
        if not (name.isprintable() and 0 < len(name) <= _MAX_SEARCH_ID) or name in self._ids:
            name = f"search-{self._searches}"
            while name in self._ids:
                name = f"{name}-"
        self._ids.add(name)
        return name

    def _agent_step(self, text: str, tool: str | None, arguments: Any) -> ev.AgentStep:
        """What an agent wrote or called, cut where it is long."""
        said = arguments if isinstance(arguments, str) else _json_text(arguments)
        return ev.AgentStep(
            text=tidy(text, self.notes)[:MAX_STEP_TEXT],
            tool=None if tool is None else tidy(tool, self.notes)[:_MAX_TOOL],
            arguments=tidy(said, self.notes)[:MAX_ARGUMENTS],
        )


def _json_text(value: Any) -> str:
    if value in (None, {}):
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return ""
