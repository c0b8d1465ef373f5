"""MADQA results JSONL: one row for every submitted attempt, as that benchmark's agents write it.

``results.jsonl`` holds all rows. With overlap a question occurs in it once for each annotator, and
``evaluate.py`` counts a file as one system; ``by-annotator/<name>.jsonl`` holds the rows of one
person each, to be given to it separately or with ``--compare``.

A row describes the attempt as it stood when it was last submitted:

* ``answer`` is a list; empty for "no answer found" and "unanswerable", whatever draft was left in
  the answer box. The evaluator scores an empty list 0. Which of the two it was stands in the
  trajectory's last step as ``outcome``.
* ``search_history`` and ``trajectory`` hold the searches that ran. A refused query (empty, or too
  broad) showed no page and is no search; the manifest counts them and the trajectory export has
  them in full.
* ``iterations`` is ``max(1, number of searches)``: an effort of 0 drops a row out of Kuiper.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from annotation import events as ev
from annotation.protocol import Protocol
from annotation.response import Response, fold
from exports.answers import answer_of
from exports.files import JsonLines, file_name
from exports.source import Source, Written
from storage.export_rows import AttemptEvents

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
        for attempt in source.attempts():
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
        written.rows[ALL_ROWS] = everything.rows
        written.rows |= {path: lines.rows for path, lines in by_annotator.items()}
    return written


def model_name(attempt: AttemptEvents, name: str) -> str:
    """What stands in the place of a model's name; an imported run keeps its own."""
    return name if attempt.head.role == "system" else f"human:{name}"


def result_row(
    attempt: AttemptEvents, response: Response, protocol: Protocol, model: str
) -> dict[str, Any]:
    """The row of one submitted attempt; ``response`` is the fold of its events."""
    searches = [e for e in attempt.events if isinstance(e.payload, ev.Searched)]
    answer = answer_of(response, protocol)
    citations = [{"file": c.document, "page": c.page} for c in response.citations]
    return {
        "id": attempt.head.task,
        "question": str(attempt.head.record.get("question", "")),
        "answer": answer,
        "citations": [{"document": c["file"], **c} for c in citations],
        "iterations": max(1, len(searches)),
        "search_history": [_entry(n, event) for n, event in enumerate(searches, start=1)],
        "trajectory": [
            *(_step(n, event) for n, event in enumerate(searches, start=1)),
            {
                "iteration": len(searches) + 1,
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


def _entry(iteration: int, event: ev.Event) -> dict[str, Any]:
    payload = _searched(event)
    return {
        "iteration": iteration,
        "query": payload.query,
        "num_results": len(payload.results),
        "total_hits": payload.total_hits,
        "timestamp": event.server_ts,
        "results": _pages(payload),
    }


def _step(iteration: int, event: ev.Event) -> dict[str, Any]:
    payload = _searched(event)
    call = {"id": payload.search_id, "name": TOOL, "arguments": {"query": payload.query}}
    result = {
        "tool_call_id": payload.search_id,
        "name": TOOL,
        "query": payload.query,
        "results": _pages(payload),
    }
    return {
        "iteration": iteration,
        "role": "assistant",
        "content": None,
        "tool_calls": [call],
        "tool_results": [result],
    }


def _searched(event: ev.Event) -> ev.Searched:
    assert isinstance(event.payload, ev.Searched)
    return event.payload


def _pages(payload: ev.Searched) -> list[dict[str, Any]]:
    return [{"file": hit.file, "page": hit.page} for hit in payload.results]


def _refused(event: ev.Event) -> bool:
    return isinstance(event.payload, ev.SearchRefused)
