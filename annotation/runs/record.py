"""One run of an agent at one task, in whatever format it was written, and the events it becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.document_names import DocumentNames, composed
from pagetrail.annotation.runs.timestamps import TimeLine, time_line

MAX_STEPS = 20_000
MAX_CITATIONS = 10_000


@dataclass(frozen=True)
class RunStep:
    """A search or another step, or the beginning of a turn.

    Attributes:
        at: when it happened, UTC; None where the file does not say.
    """

    payload: ev.Searched | ev.AgentStep | ev.AgentTurn
    at: datetime | None = None


@dataclass(frozen=True)
class RunDetails:
    """What a file says of the agent and of the run as a whole; see ``RunImported``."""

    agent: str | None = None
    agent_version: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[dict[str, Any], ...] = ()
    system_prompt: str = ""
    prompt: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    totals: tuple[ev.ModelTotal, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunRecord:
    """What a file says of one task.

    Attributes:
        record: line of a JSONL file, else the place in the file, from 1.
        task: the task's id as the file spells it; empty where it has none.
        weak_id: whether that id may be one that a program made up, which says nothing about tasks.
        epoch: which of several runs of one file this is, from 1; None where the file has none.
        question: the question as the file has it; None where it has none.
        answer: one string per answer; empty for none.
        citations: (document, page) as the agent gave them, each once.
        steps: in order.
        model: as the file names it.
        iterations: effort as the file counts it.
        confidence: of the agent in its answer, 0 to 1; None where the file does not say.
        started, finished: when the run began and when its answer was there, UTC.
        results_known: whether the file has the pages that each search returned.
        failed: what went wrong, where the run ended in an error.
        madqa_row: the row as the file has it; None of other formats than MADQA's.
        notes: sentences about what was read differently from what the file says.
        about: the agent and the run as a whole.
        not_kept: fields that no event holds, by name → how often they occur.
    """

    record: int
    task: str
    question: str | None = None
    answer: tuple[str, ...] = ()
    outcome: ev.Outcome = "not_found"
    citations: tuple[tuple[str, int], ...] = ()
    steps: tuple[RunStep, ...] = ()
    model: str | None = None
    iterations: int | None = None
    confidence: float | None = None
    started: datetime | None = None
    finished: datetime | None = None
    results_known: bool = False
    failed: str | None = None
    madqa_row: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = ()
    weak_id: bool = False
    epoch: int | None = None
    about: RunDetails = RunDetails()
    not_kept: Mapping[str, int] = field(default_factory=dict)

    @property
    def searches(self) -> int:
        """How many steps are searches."""
        return sum(isinstance(step.payload, ev.Searched) for step in self.steps)

    @property
    def other_steps(self) -> int:
        """How many steps are texts and calls of other tools."""
        return sum(isinstance(step.payload, ev.AgentStep) for step in self.steps)

    def times(self) -> TimeLine:
        """When each step happened, and the answer last of all."""
        return time_line(self.started, [step.at for step in self.steps], self.finished)


def with_stored_names(record: RunRecord, documents: DocumentNames) -> RunRecord:
    """The run with each document under its stored name, and a note where it had an alias."""
    searches = [step.payload for step in record.steps if isinstance(step.payload, ev.Searched)]
    given_names = {name for name, _ in record.citations}
    given_names |= {hit.file for search in searches for hit in search.results}
    stored = {name: documents.find(name) or name for name in given_names}
    stored = {name: document for name, document in stored.items() if name != document}
    if not stored:
        return record
    cited = [(stored.get(name, name), page) for name, page in record.citations]
    renamed = replace(
        record,
        citations=tuple(dict.fromkeys(cited)),
        steps=tuple(_with_stored_names(step, stored) for step in record.steps),
    )
    if all(composed(name) == composed(document) for name, document in stored.items()):
        return renamed
    note = "a document is called by another name of its file, and imported under its name here"
    return replace(renamed, notes=(*record.notes, note))


def _with_stored_names(step: RunStep, stored: Mapping[str, str]) -> RunStep:
    search = step.payload
    if not isinstance(search, ev.Searched):
        return step
    hits = tuple(
        hit.model_copy(update={"file": stored[hit.file]}) if hit.file in stored else hit
        for hit in search.results
    )
    return replace(step, payload=search.model_copy(update={"results": hits}))


def payloads(record: RunRecord, imported: ev.RunImported, *, prose: bool) -> list[ev.Payload]:
    """The events of a run: where it is from, its steps, the citations, the answer, the submission.

    Args:
        prose: whether the campaign takes the answer as one text, whatever its lines.

    Raises:
        ValueError: the answer does not fit into an answer box.
    """
    text = answer_text(record.answer, prose=prose)
    return [
        imported,
        *(step.payload for step in record.steps),
        *(ev.CitationAdded(document=name, page=page) for name, page in record.citations),
        *([ev.AnswerEdited(text=text)] if text else []),
        ev.Submitted(outcome=record.outcome),
    ]


def without_times(events: Sequence[ev.Event]) -> bool:
    """Whether the attempt was read from a file that does not say when things happened."""
    first = events[0].payload if events else None
    return isinstance(first, ev.RunImported) and not first.timed


def stated_confidence(events: Sequence[ev.Event]) -> float | None:
    """The agent's confidence in its answer: of its imported run, else of its submission here."""
    first = events[0].payload if events else None
    if isinstance(first, ev.RunImported):
        return first.confidence
    submissions = (e.payload for e in reversed(events) if isinstance(e.payload, ev.Submitted))
    return next((submission.confidence for submission in submissions), None)


def answer_text(answer: Sequence[str], *, prose: bool) -> str:
    """The answers as an answer box holds them: one per line, unless the box takes prose.

    Raises:
        ValueError: too many answers, or too long.
    """
    if len(answer) > ev.MAX_ANSWERS:
        raise ValueError(f"answer: has {len(answer):,} answers; {ev.MAX_ANSWERS} are allowed")
    text = "\n".join(answer if prose else map(_one_line, answer))
    if len(text) > ev.MAX_TEXT:
        raise ValueError(f"answer: has {len(text):,} characters; {ev.MAX_TEXT:,} are allowed")
    return text


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines() if line.strip())
