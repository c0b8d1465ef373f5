"""Trajectories: the event log itself, as JSONL and as Parquet, and the times derived from it.

``events`` has one event per row and ``attempts`` one attempt per row, each in both formats with
the same content; in Parquet the payload is a JSON text. Folding the rows of an attempt in order
gives its exact state. Only names are changed: people appear under pseudonyms.

``events`` has all events, whichever submission counts; ``attempts`` is of the events up to it.
A card lets ``datasets.load_dataset`` read both, and ``events.schema.json`` describes every event.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import submitted_answer
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.runs.usage import USAGE_FIELDS, attempt_usage
from pagetrail.annotation.timing.durations import timing
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.tool_calls import looks_back
from pagetrail.exports.reading.attempts import cut_to_submission, is_guess, leave_out_never_opened
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.dataset_card import save_card
from pagetrail.exports.writing.file_formats import JsonLines, ParquetRows, json_text
from pagetrail.storage.snapshot.rows import AttemptEvents

EVENTS = "events"
ATTEMPTS = "attempts"
EVENT_SCHEMA_FILE = Path(ev.__file__).with_name("events.schema.json")
"""JSON Schema of a row of ``events.jsonl``, written by ``scripts/event_schema.py``."""

_CARD_TEXT = (
    "The steps of people and systems on the tasks of a campaign: `events` has one row per event, "
    "`attempts` one row per attempt. `events.schema.json` describes the payload of every event "
    "type; in `events.parquet` the payload is JSON text."
)

EVENT_SCHEMA = pa.schema(
    [
        pa.field("attempt_id", pa.string(), nullable=False),
        pa.field("task_id", pa.string(), nullable=False),
        pa.field("annotator", pa.string(), nullable=False),
        pa.field("actor", pa.string(), nullable=False),
        pa.field("seq", pa.int64(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("version", pa.int64(), nullable=False),
        pa.field("server_ts", pa.string(), nullable=False),
        pa.field("client_ts", pa.string()),
        pa.field("elapsed_ms", pa.int64(), nullable=False),
        pa.field("client_event_id", pa.string(), nullable=False),
        pa.field("payload", pa.string(), nullable=False),
        pa.field("document_version", pa.int64()),
    ]
)
_CITATION = pa.struct([pa.field("document", pa.string()), pa.field("page", pa.int64())])
_VERSION = pa.struct([pa.field("document", pa.string()), pa.field("version", pa.int64())])
_TIMES = (
    "wall_ms",
    "active_ms_60",
    "active_ms_100",
    "active_ms_120",
    "work_ms",
    "paused_ms",
    "hidden_ms",
    "handed_in_ms",
    "submit_elapsed_ms",
    "first_search_ms",
    "first_page_ms",
    "first_citation_ms",
)
ATTEMPT_SCHEMA = pa.schema(
    [
        *(
            pa.field(name, pa.string(), nullable=False)
            for name in ("attempt_id", "task_id", "batch", "annotator", "setting", "status")
        ),
        pa.field("outcome", pa.string()),
        pa.field("closed", pa.bool_(), nullable=False),
        pa.field("flagged", pa.bool_(), nullable=False),
        pa.field("answer", pa.list_(pa.string()), nullable=False),
        pa.field("citations", pa.list_(_CITATION), nullable=False),
        *(
            pa.field(name, pa.int64(), nullable=False)
            for name in ("n_events", "n_searches", "n_refused_searches", "n_page_views")
        ),
        pa.field("started_at", pa.string(), nullable=False),
        pa.field("updated_at", pa.string(), nullable=False),
        *(pa.field(name, pa.int64()) for name in _TIMES),
        *(
            pa.field(name, pa.float64() if name == "cost_usd" else pa.int64())
            for name in USAGE_FIELDS
        ),
        pa.field("without_documents", pa.bool_(), nullable=False),
        pa.field("document_versions", pa.list_(_VERSION), nullable=False),
    ]
)


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write all attempts that have events, whatever their status, at excluded tasks too."""
    tally = WrittenFiles(counts={"events": 0, "attempts": 0})
    leave_out_never_opened(source, tally)
    with ExitStack() as stack:
        event_lines = stack.enter_context(JsonLines(folder / f"{EVENTS}.jsonl"))
        event_table = stack.enter_context(ParquetRows(folder / f"{EVENTS}.parquet", EVENT_SCHEMA))
        lines = stack.enter_context(JsonLines(folder / f"{ATTEMPTS}.jsonl"))
        table = stack.enter_context(ParquetRows(folder / f"{ATTEMPTS}.parquet", ATTEMPT_SCHEMA))
        excluded = source.database.attempts_at_excluded(source.campaign.id)
        for attempt in chain(source.attempts(), excluded):
            name = source.name(attempt.head.user)
            for event in attempt.events:
                row = event_row(attempt, event, name, source.name(event.actor))
                event_lines.write(row)
                event_table.write({**row, "payload": json_text(row["payload"])})
            counts = cut_to_submission(source, attempt, tally)
            row = attempt_row(counts, fold(counts.events), source.campaign.protocol, name)
            lines.write(row)
            table.write(row)
            tally.count("events", len(attempt.events))
            tally.count("attempts")
            if look_backs := len(attempt_look_backs(counts.events)):
                tally.count("look_backs", look_backs)
            tally.note_indexes(attempt.events)
    for stem, count in ((EVENTS, "events"), (ATTEMPTS, "attempts")):
        for suffix in ("jsonl", "parquet"):
            tally.rows[f"{stem}.{suffix}"] = tally.counts[count]
    shutil.copyfile(EVENT_SCHEMA_FILE, folder / EVENT_SCHEMA_FILE.name)
    tally.rows[EVENT_SCHEMA_FILE.name] = 1
    files = {ATTEMPTS: f"{ATTEMPTS}.parquet", EVENTS: f"{EVENTS}.parquet"}
    save_card(folder, tally, files, "test", _CARD_TEXT)
    return tally


FORMAT = Format(
    name="trajectories",
    summary="every event, and one row per attempt with derived times (JSONL, Parquet)",
    purpose="every event (JSONL and Parquet), and one row per attempt with its times; folding the"
    " rows gives the stored state exactly",
    applies_to="any",
    write=write,
    options=frozenset({"originals"}),
)


def attempt_look_backs(events: Iterable[ev.Event]) -> list[ev.Event]:
    """The searches that only looked back at an earlier one; they are in no ``n_searches``."""
    return list(filter(looks_back, events))


def event_row(
    attempt: AttemptEvents, event: ev.Event, annotator: str, actor: str
) -> dict[str, Any]:
    """One event as a row; ``payload`` is without its tag, which is in ``type``."""
    return {
        "attempt_id": event.attempt_id,
        "task_id": attempt.head.task,
        "annotator": annotator,
        "actor": actor,
        "seq": event.seq,
        "type": event.type,
        "version": event.payload.VERSION,
        "server_ts": event.server_ts,
        "client_ts": event.client_ts,
        "elapsed_ms": event.elapsed_ms,
        "client_event_id": event.client_event_id,
        "payload": event.fields(),
        "document_version": event.document_version,
    }


def attempt_row(
    attempt: AttemptEvents, state: AttemptState, protocol: Protocol, annotator: str
) -> dict[str, Any]:
    """One attempt as a row: status and times (``annotation.timing.durations.Timing``)."""
    times, usage = timing(attempt.events), attempt_usage(attempt.events)
    return {
        "attempt_id": attempt.head.id,
        "task_id": attempt.head.task,
        "batch": attempt.head.batch,
        "annotator": annotator,
        "setting": attempt.head.setting,
        "status": state.status,
        "outcome": state.outcome,
        "closed": state.closed,
        "flagged": state.flag is not None,
        "answer": submitted_answer(state, protocol),
        "citations": [{"document": c.document, "page": c.page} for c in state.citations],
        "n_events": len(attempt.events),
        "n_searches": sum(s.refusal is None for s in own_searches(state.searches)),
        "n_refused_searches": sum(search.refusal is not None for search in state.searches),
        "n_page_views": state.n_page_views,
        "started_at": state.started_at,
        "updated_at": state.updated_at,
        "wall_ms": times.wall_ms,
        **{f"active_ms_{cap}": ms for cap, ms in times.active_ms.items()},
        "work_ms": times.work_ms,
        "paused_ms": times.paused_ms,
        "hidden_ms": times.hidden_ms,
        "handed_in_ms": times.handed_in_ms,
        "submit_elapsed_ms": times.submit_elapsed_ms,
        "first_search_ms": times.first_search_ms,
        "first_page_ms": times.first_page_ms,
        "first_citation_ms": times.first_citation_ms,
        **{name: getattr(usage, name) for name in USAGE_FIELDS},
        "without_documents": is_guess(attempt),
        "document_versions": seen_versions(attempt.events),
    }


def seen_versions(events: Iterable[ev.Event]) -> list[dict[str, Any]]:
    """Documents that were seen in a version after their first, with each such version."""
    versions = {
        (str(getattr(event.payload, "document", "")), event.document_version)
        for event in events
        if event.document_version is not None
    }
    return [{"document": name, "version": version} for name, version in sorted(versions) if name]
