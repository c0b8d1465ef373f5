"""MADQA results: one row a question, with the searches and the answer (docs/formats.md, Runs).

The trajectory is read where it tells of searches, since it has what each of them returned; else
the search history is. Where both are there, times and totals are taken from the history.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import MAX_STEPS, RunRecord, RunStep
from pagetrail.annotation.runs.timestamps import read_stamp
from pagetrail.storage.importers.runs import values as values
from pagetrail.storage.importers.runs.values import Notes

_OUTCOMES: tuple[ev.Outcome, ...] = ("answered", "not_found", "unanswerable", "completed")
_STARTED = ("started_at", "start_time")
_FINISHED = ("finished_at", "completed_at", "end_time")
_STAMPS = ("timestamp", "started_at")


def is_madqa(row: dict[str, Any]) -> bool:
    """Whether a row looks like one of such a file."""
    told = ("answer", "citations", "search_history", "trajectory", "iterations")
    return "id" in row and any(name in row for name in told)


def read_row(number: int, row: dict[str, Any]) -> RunRecord:
    """The run in a row; ``number`` is its line.

    Raises:
        ValueError: the row breaks the format; the message names the field and what is wrong.
    """
    notes = Notes()
    task = values.task_id(row.get("id"))
    trajectory = _list(row, "trajectory")
    history = _list(row, "search_history")
    last = trajectory[-1] if trajectory else {}
    parsed = last.get("parsed_answer")
    parsed = parsed if isinstance(parsed, dict) else {}
    given = row if "answer" in row else parsed
    failed = _failed(row)
    if "answer" not in given and failed is None:
        raise ValueError("answer: is missing")
    answer = values.answers(given.get("answer"), notes)
    cited = values.citations(row.get("citations", parsed.get("citations")), notes)
    told = _searches(trajectory, history, notes)
    if len(told.steps) > MAX_STEPS:
        raise ValueError(f"trajectory: has {len(told.steps):,} steps; {MAX_STEPS:,} are allowed")
    searches = [s.payload for s in told.steps if isinstance(s.payload, ev.Searched)]
    question = row.get("question")
    return RunRecord(
        record=number,
        task=task,
        question=question if isinstance(question, str) else None,
        answer=answer,
        outcome=outcome_of(last.get("outcome", row.get("outcome")), answer, notes),
        citations=cited,
        steps=tuple(told.steps),
        model=_model(row.get("model"), notes),
        iterations=_iterations(row.get("iterations"), notes),
        started=_stamp(row, _STARTED, notes),
        finished=_stamp(row, _FINISHED, notes) or _stamp(last, _STAMPS, notes),
        # A row that tells of no search at all may leave the searches out.
        results_known=values.known(searches) and ("trajectory" in row or "search_history" in row),
        failed=failed,
        notes=notes.all(),
    )


def outcome_of(value: Any, answer: tuple[str, ...], notes: Notes) -> ev.Outcome:
    """What was handed in: as the file says, unless the answer says otherwise."""
    wanted = next((known for known in _OUTCOMES if known == value), None)
    if answer:
        if wanted not in (None, "answered"):
            notes.add(f"its outcome is {wanted}, but it has an answer, which counts")
        return "answered"
    return wanted if wanted is not None and wanted != "answered" else "not_found"


@dataclass
class _Told:
    steps: list[RunStep] = field(default_factory=list)

    def searches(self) -> list[tuple[int, ev.Searched]]:
        """The searches with their places among the steps."""
        return [
            (place, step.payload)
            for place, step in enumerate(self.steps)
            if isinstance(step.payload, ev.Searched)
        ]


def _searches(
    trajectory: list[dict[str, Any]], history: list[dict[str, Any]], notes: Notes
) -> _Told:
    by_steps = _trajectory(trajectory, notes)
    found = by_steps.searches()
    by_history = _history(history, notes)
    if not found or not history:
        # Steps that tell of no search can still be kept; there is no telling where they belong.
        return by_steps if found or not history else _Told([*by_history.steps, *by_steps.steps])
    entries = [step for step in by_history.steps if isinstance(step.payload, ev.Searched)]
    if [search.query for _, search in found] != [
        entry.payload.query for entry in entries if isinstance(entry.payload, ev.Searched)
    ]:
        notes.add(
            f"search_history ({len(entries):,} searches) and trajectory ({len(found):,}) differ; "
            "the trajectory counts"
        )
        return by_steps
    for (place, search), entry in zip(found, entries, strict=True):
        assert isinstance(entry.payload, ev.Searched)
        own = by_steps.steps[place]
        by_steps.steps[place] = RunStep(_joined(search, entry.payload), own.at or entry.at)
    return by_steps


def _joined(search: ev.Searched, entry: ev.Searched) -> ev.Searched:
    results = search.results or entry.results
    total = entry.total_hits if search.total_hits is None else search.total_hits
    return search.model_copy(update={"results": results, "total_hits": total})


def _history(history: list[dict[str, Any]], notes: Notes) -> _Told:
    told = _Told()
    ids = values.SearchIds()
    for number, entry in enumerate(history):
        query = entry.get("query")
        if not isinstance(query, str):
            raise ValueError(f"search_history[{number}].query: must be text")
        found = values.hits(entry) if "results" in entry else None
        if found is None and values.count(entry.get("num_results")) == 0:
            found = ((), 0)
        total = values.count(entry.get("total_hits"))
        made = values.search(ids.next(None), query, found, notes, total)
        told.steps.append(RunStep(made, _at(entry, notes)))
    return told


def _trajectory(trajectory: list[dict[str, Any]], notes: Notes) -> _Told:
    told = _Told()
    ids = values.SearchIds()
    for number, step in enumerate(trajectory):
        if step.get("role") in ("user", "system", "tool"):
            continue
        at = _at(step, notes)
        text = values.words(step.get("content"))
        calls = list(_calls(step, number))
        first_other = next((place for place, call in enumerate(calls) if not call.is_search), None)
        if text and first_other != 0:
            told.steps.append(RunStep(values.step(text, None, None, notes), at))
            text = ""
        for call in calls:
            if call.is_search and call.query is not None:
                made = values.search(ids.next(call.id), call.query, call.found(), notes)
                told.steps.append(RunStep(made, at))
            else:
                other = values.step(text, call.name, call.arguments, notes)
                told.steps.append(RunStep(other, at))
                text = ""
    return told


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: Any
    id: Any
    result: dict[str, Any] | None

    @property
    def is_search(self) -> bool:
        return values.is_search(self.name)

    @property
    def query(self) -> str | None:
        """The query; where the arguments have none, the one that the results are said to be of."""
        query = values.query_of(self.arguments)
        if query is None and self.result is not None and isinstance(self.result.get("query"), str):
            query = str(self.result["query"])
        return query

    def found(self) -> tuple[values.Hits, int | None] | None:
        """What it returned."""
        if self.result is None:
            return None
        if "results" in self.result:
            return values.hits(self.result)
        return values.hits(self.result.get("content"))


def _calls(step: dict[str, Any], number: int) -> Iterator[_Call]:
    results = _list(step, "tool_results", f"trajectory[{number}].")
    calls = _list(step, "tool_calls", f"trajectory[{number}].")
    by_id = {r["tool_call_id"]: r for r in results if isinstance(r.get("tool_call_id"), str)}
    for place, call in enumerate(calls):
        inner = call.get("function")
        named = inner if isinstance(inner, dict) else call
        name = named.get("name")
        if not isinstance(name, str):
            raise ValueError(f"trajectory[{number}].tool_calls[{place}].name: must be text")
        id_ = call.get("id")
        result = by_id.get(id_) if isinstance(id_, str) else None
        if result is None and not by_id and len(results) == len(calls):
            result = results[place]
        yield _Call(name, named.get("arguments"), id_, result)
    if not calls:
        for result in results:
            name = result.get("name")
            if isinstance(name, str):
                yield _Call(name, None, result.get("tool_call_id"), result)


def _list(row: dict[str, Any], name: str, where: str = "") -> list[dict[str, Any]]:
    found = row.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise ValueError(f"{where}{name}: must be a list of objects")
    return found


def _at(step: dict[str, Any], notes: Notes) -> datetime | None:
    return _stamp(step, _STAMPS, notes)


def _stamp(row: dict[str, Any], names: tuple[str, ...], notes: Notes) -> datetime | None:
    for name in names:
        if row.get(name) is not None:
            return stamp(row[name], notes)
    return None


def stamp(value: Any, notes: Notes) -> datetime | None:
    """A time stamp; what is odd about it is noted."""
    read = read_stamp(value)
    if read.at is None:
        notes.add("a time stamp is no ISO-8601 time and is not used")
    elif not read.zone:
        notes.add("a time stamp has no zone and is read as UTC")
    return read.at


def _model(value: Any, notes: Notes) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return values.tidy(value, notes)[:1_000]


def _iterations(value: Any, notes: Notes) -> int | None:
    if value is None:
        return None
    number = values.count(value)
    if number is None:
        notes.add("its iterations are no whole number from 0 and are not used")
    return number


def _failed(row: dict[str, Any]) -> str | None:
    error = row.get("error")
    if isinstance(error, dict):
        error = error.get("message") or "no message"
    return error[:300] if isinstance(error, str) and error.strip() else None
