"""MADQA results JSONL: one row for every submitted attempt, as that benchmark's agents write it.

``results.jsonl`` holds all rows. With overlap a question occurs in it once for each annotator, and
``evaluate.py`` counts a file as one system; ``by-annotator/<name>.jsonl`` holds the rows of one
person each, to be given to it separately or with ``--compare``.

A row describes the attempt as of the submission that counts:

* ``answer`` is a list; empty for "no answer found" and "unanswerable", whatever draft was left in
  the answer box. The evaluator scores an empty list 0. Which of the two it was is in the
  trajectory's last step as ``outcome``.
* ``search_history`` and ``trajectory`` hold the searches that ran. A refused query (empty, or too
  broad) showed no page and is no search; the manifest counts them and the trajectory export has
  them in full.
* A person's repeated search with the same results is a look back and no search either; the manifest
  counts those too. MADQA counts each call of an agent, repeated or not: those of systems stay.
* ``iterations`` is ``max(1, number of searches)``: an effort of 0 drops a row out of Kuiper.

A run that was imported goes out as it came in: with the iterations and times of its own file, with
the steps beside its searches, and without results where the file had none. Importing the export
and exporting that gives the same rows.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reading.attempts import counting, not_withdrawn
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import JsonLines, file_name
from pagetrail.storage.snapshot.rows import AttemptEvents

ALL_ROWS = "results.jsonl"
TOOL = "search_documents"


def write(source: Source, folder: Path) -> Written:
    """Write the rows of all submitted attempts."""
    written = Written(counts={"rows": 0, "annotators": 0})
    never = source.campaign.attempts - source.campaign.opened
    written.leave_out("attempt", "never_opened", n=never)
    with ExitStack() as stack:
        everything = stack.enter_context(JsonLines(folder / ALL_ROWS))
        by_annotator: dict[str, JsonLines] = {}
        for whole in not_withdrawn(source, written):
            attempt = counting(source, whole, written)
            response = fold(attempt.events)
            if response.status != "submitted":
                written.leave_out("attempt", f"status_{response.status}", attempt.head.id)
                continue
            name = source.name(attempt.head.user)
            row = result_row(attempt, response, source.campaign.protocol, model_name(attempt, name))
            path = f"by-annotator/{file_name(name)}.jsonl"
            if path not in by_annotator:
                by_annotator[path] = stack.enter_context(JsonLines(folder / path))
                written.count("annotators")
            for lines in (everything, by_annotator[path]):
                lines.write(row)
            written.count("rows")
            written.saw(attempt.events)
            written.leave_out("search", "refused", n=sum(map(_refused, attempt.events)))
            written.leave_out("search", "looked_back", n=sum(map(_looks_back, attempt.events)))
        written.rows[ALL_ROWS] = everything.rows
        written.rows |= {path: lines.rows for path, lines in by_annotator.items()}
    return written


def model_name(attempt: AttemptEvents, name: str) -> str:
    """The row's model name: a system's or pseudonym; an imported run keeps its own."""
    return name if attempt.head.role == "system" else f"human:{name}"


def result_row(
    attempt: AttemptEvents, response: AttemptState, protocol: Protocol, model: str
) -> dict[str, Any]:
    """The row of one submitted attempt; ``response`` is the fold of its events."""
    run = imported_run(attempt)
    done = [
        e
        for e in attempt.events
        if isinstance(e.payload, ev.Searched | ev.AgentStep) and not _looks_back(e)
    ]
    numbered = list(enumerate(done, start=1))
    searches = [(n, e) for n, e in numbered if isinstance(e.payload, ev.Searched)]
    answer = submitted_answer(response, protocol)
    citations = [{"file": c.document, "page": c.page} for c in response.citations]
    row = {
        "id": attempt.head.task,
        "question": str(attempt.head.record.get("question", "")),
        "answer": answer,
        "citations": [{"document": c["file"], **c} for c in citations],
        "iterations": max(1, len(searches)),
        "search_history": [_entry(n, event, run is not None) for n, event in searches],
        "trajectory": [
            *(_step(n, event, run is not None) for n, event in numbered),
            {
                "iteration": len(done) + 1,
                "role": "assistant",
                "content": None,
                "tool_calls": [],
                "tool_results": [],
                "parsed_answer": {"answer": answer, "citations": citations},
                "outcome": response.outcome,
            },
        ],
        "model": model,
    }
    return row if run is None else row | _own(attempt, run)


def imported_run(attempt: AttemptEvents) -> ev.RunImported | None:
    """Where an attempt was read from; None for one that was made here."""
    first = attempt.events[0].payload
    return first if isinstance(first, ev.RunImported) else None


def _own(attempt: AttemptEvents, run: ev.RunImported) -> dict[str, Any]:
    """What an imported run's own file said, in place of what its events would say."""
    handed_in = next(e for e in reversed(attempt.events) if isinstance(e.payload, ev.Submitted))
    told = {
        "iterations": run.iterations,
        "started_at": attempt.events[0].client_ts,
        "finished_at": handed_in.client_ts,
    }
    return {name: value for name, value in told.items() if value is not None}


def _entry(iteration: int, event: ev.Event, imported: bool) -> dict[str, Any]:
    payload = _searched(event)
    entry = {
        "iteration": iteration,
        "query": payload.query,
        "num_results": len(payload.results),
        "total_hits": payload.total_hits,
        "timestamp": event.client_ts if imported else event.server_ts,
        "results": _pages(payload),
    }
    return entry | {"num_results": None, "results": None} if _unknown(payload) else entry


def _step(iteration: int, event: ev.Event, imported: bool) -> dict[str, Any]:
    payload = event.payload
    step: dict[str, Any] = {
        "iteration": iteration,
        "role": "assistant",
        "content": None,
        "tool_calls": [],
        "tool_results": [],
    }
    if imported and event.client_ts is not None:
        step["timestamp"] = event.client_ts
    if isinstance(payload, ev.AgentStep):
        step["content"] = payload.text or None
        if payload.tool is not None:
            step["tool_calls"] = [{"name": payload.tool, "arguments": payload.arguments}]
        return step
    payload = _searched(event)
    call = {"id": payload.search_id, "name": TOOL, "arguments": {"query": payload.query}}
    result = {
        "tool_call_id": payload.search_id,
        "name": TOOL,
        "query": payload.query,
        "results": _pages(payload),
    }
    step["tool_calls"] = [call]
    step["tool_results"] = [] if _unknown(payload) else [result]
    return step


def _unknown(payload: ev.Searched) -> bool:
    """Whether an imported run does not tell what a search returned."""
    return not payload.results and payload.total_hits != 0


def _searched(event: ev.Event) -> ev.Searched:
    assert isinstance(event.payload, ev.Searched)
    return event.payload


def _pages(payload: ev.Searched) -> list[dict[str, Any]]:
    return [{"file": hit.file, "page": hit.page} for hit in payload.results]


def _looks_back(event: ev.Event) -> bool:
    return isinstance(event.payload, ev.Searched) and event.payload.looks_back_at is not None


def _refused(event: ev.Event) -> bool:
    return isinstance(event.payload, ev.SearchRefused)
