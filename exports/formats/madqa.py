"""MADQA results JSONL: one row for every submitted attempt, as that benchmark's agents write it.

``results.jsonl`` holds all rows. With overlap a question occurs in it once for each annotator, and
``evaluate.py`` counts a file as one system; ``by-annotator/<name>.jsonl`` holds the rows of one
person each, to be passed to it separately or with ``--compare``.

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

An imported run is exported as it was: with the iterations and times of its file, with its other
steps, and without results where the file had none. Importing an export and exporting it again gives
the same rows.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.runs.record import stated_confidence
from pagetrail.exports.formats.agent_turns import TurnEvents, group_turns, turn_text
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.tool_calls import looks_back
from pagetrail.exports.reading.attempts import submitted_attempts
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines, encoded_stem
from pagetrail.storage.snapshot.rows import AttemptEvents

ALL_ROWS = "results.jsonl"
TOOL = "search_documents"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the rows of all submitted attempts."""
    tally = WrittenFiles(counts={"rows": 0, "annotators": 0})
    with ExitStack() as stack:
        all_rows = stack.enter_context(JsonLines(folder / ALL_ROWS))
        by_annotator: dict[str, JsonLines] = {}
        for attempt, state in submitted_attempts(source, tally):
            name = source.name(attempt.head.user)
            row = result_row(attempt, state, source.campaign.protocol, model_name(attempt, name))
            path = f"by-annotator/{encoded_stem(name)}.jsonl"
            if path not in by_annotator:
                by_annotator[path] = stack.enter_context(JsonLines(folder / path))
                tally.count("annotators")
            for lines in (all_rows, by_annotator[path]):
                lines.write(row)
            tally.count("rows")
            tally.note_indexes(attempt.events)
            tally.leave_out("search", "refused", n=sum(map(_refused, attempt.events)))
            tally.leave_out("search", "looked_back", n=sum(map(looks_back, attempt.events)))
        tally.rows[ALL_ROWS] = all_rows.rows
        tally.rows |= {path: lines.rows for path, lines in by_annotator.items()}
    return tally


FORMAT = Format(
    name="madqa",
    summary="results of submitted attempts, as that benchmark's evaluate.py reads them",
    purpose="MADQA's `evaluate.py`: one row per submitted attempt; `by-annotator/` has one file "
    "per person, because the evaluator takes a file for a system",
    applies_to="any",
    write=write,
    options=frozenset({"originals"}),
)


def model_name(attempt: AttemptEvents, name: str) -> str:
    """The row's model name: a system's or pseudonym; an imported run keeps its own."""
    return name if attempt.head.role == "system" else f"human:{name}"


def result_row(
    attempt: AttemptEvents, state: AttemptState, protocol: Protocol, model: str
) -> dict[str, Any]:
    """The row of one submitted attempt; ``state`` is the fold of its events."""
    run = imported_run(attempt)
    turns = group_turns(event for event in attempt.events if _is_step(event))
    closing = ev.AgentTurn()
    if turns and not turns[-1].steps:
        closing = turns.pop().details
    numbered = list(enumerate(turns, start=1))
    searches = [
        (n, event)
        for n, turn in numbered
        for event in turn.steps
        if isinstance(event.payload, ev.Searched)
    ]
    answer = submitted_answer(state, protocol)
    citations = [{"file": c.document, "page": c.page} for c in state.citations]
    row = {
        "id": attempt.head.task,
        "question": str(attempt.head.record.get("question", "")),
        "answer": answer,
        "citations": [{"document": c["file"], **c} for c in citations],
        "iterations": max(1, len(searches)),
        "search_history": [_entry(n, event, run is not None) for n, event in searches],
        "trajectory": [
            *(_step(n, turn, run is not None) for n, turn in numbered),
            {
                "iteration": len(turns) + 1,
                "role": "assistant",
                "content": None,
                "tool_calls": [],
                "tool_results": [],
                "parsed_answer": {"answer": answer, "citations": citations},
                "outcome": state.outcome,
                **_turn_fields(closing),
            },
        ],
        "model": model,
    }
    confidence = stated_confidence(attempt.events)
    if confidence is not None:
        row["confidence"] = confidence
    return row if run is None else row | _run_fields(attempt, run)


def imported_run(attempt: AttemptEvents) -> ev.RunImported | None:
    """The import event of an attempt; None if it was made in Pagetrail."""
    first = attempt.events[0].payload
    return first if isinstance(first, ev.RunImported) else None


def _run_fields(attempt: AttemptEvents, run: ev.RunImported) -> dict[str, Any]:
    """Fields of an imported run's file, which replace those derived from events."""
    submission = next(e for e in reversed(attempt.events) if isinstance(e.payload, ev.Submitted))
    totals = {total.model: total.usage.model_dump() for total in run.totals}
    model_usage = {name: usage for name, usage in totals.items() if name is not None}
    fields = {
        "iterations": run.iterations,
        "started_at": attempt.events[0].client_ts,
        "finished_at": submission.client_ts,
        "agent": run.agent,
        "agent_version": run.agent_version,
        "system_prompt": run.system_prompt or None,
        "without_documents": run.without_documents or None,
        "prompt": run.prompt or None,
        "parameters": run.parameters or None,
        "tools": list(run.tools) or None,
        "ids": run.ids or None,
        "usage": totals.get(None),
        "model_usage": model_usage or None,
        "error": run.error or None,
        "details": run.details or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


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
    return (
        entry | {"num_results": None, "results": None} if _has_unknown_results(payload) else entry
    )


def _step(iteration: int, turn: TurnEvents, imported: bool) -> dict[str, Any]:
    step: dict[str, Any] = {
        "iteration": iteration,
        "role": "assistant",
        "content": turn_text(turn.steps) or None,
        "tool_calls": [],
        "tool_results": [],
    }
    if imported and turn.start.client_ts is not None:
        step["timestamp"] = turn.start.client_ts
    for position, event in enumerate(turn.steps, start=1):
        payload = event.payload
        if isinstance(payload, ev.Searched):
            _add_search(step, payload)
        elif isinstance(payload, ev.AgentStep) and payload.tool is not None:
            _add_tool(step, payload, f"call-{iteration}-{position}")
    return step | _turn_fields(turn.details)


def _add_search(step: dict[str, Any], search: ev.Searched) -> None:
    tool, arguments = search.tool or TOOL, {"query": search.query}
    call = {"id": search.search_id, "name": tool, "arguments": search.arguments or arguments}
    step["tool_calls"].append(call)
    result = {
        "tool_call_id": search.search_id,
        "name": tool,
        "query": search.query,
        **({} if _has_unknown_results(search) else {"results": _pages(search)}),
        **({} if search.reply is None else {"content": search.reply}),
        **({"error": search.error} if search.error else {}),
    }
    if not _has_unknown_results(search) or search.reply is not None or search.error:
        step["tool_results"].append(result)


def _add_tool(step: dict[str, Any], tool: ev.AgentStep, free_id: str) -> None:
    has_result = tool.result is not None or bool(tool.error)
    id_ = tool.call_id or (free_id if has_result else None)
    id_field = {} if id_ is None else {"id": id_}
    step["tool_calls"].append({**id_field, "name": tool.tool, "arguments": tool.arguments})
    if has_result:
        error = {"error": tool.error} if tool.error else {}
        result = {"tool_call_id": id_, "name": tool.tool, "content": tool.result, **error}
        step["tool_results"].append(result)


def _turn_fields(turn: ev.AgentTurn) -> dict[str, Any]:
    """Usage and reasoning of the model in a turn."""
    fields = {
        "usage": None if turn.usage is None else turn.usage.model_dump(),
        "reasoning": turn.reasoning or None,
        "model": turn.model,
        "message_id": turn.message_id,
        "llm_calls": turn.calls,
        "stop_reason": turn.stop_reason,
        "error": turn.error or None,
        "details": turn.details or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _is_step(event: ev.Event) -> bool:
    steps = isinstance(event.payload, ev.Searched | ev.AgentStep | ev.AgentTurn)
    return steps and not looks_back(event)


def _has_unknown_results(payload: ev.Searched) -> bool:
    """Whether the results of an imported run's search are unknown."""
    return not payload.results and payload.total_hits != 0


def _searched(event: ev.Event) -> ev.Searched:
    assert isinstance(event.payload, ev.Searched)
    return event.payload


def _pages(payload: ev.Searched) -> list[dict[str, Any]]:
    return [{"file": hit.file, "page": hit.page} for hit in payload.results]


def _refused(event: ev.Event) -> bool:
    return isinstance(event.payload, ev.SearchRefused)
