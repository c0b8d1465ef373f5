"""Reads the exported event log back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from pagetrail.annotation import events as ev


def read_trajectories(folder: Path) -> dict[str, list[ev.Event]]:
    """The events of an export by attempt, in order; ``events.jsonl``, else ``events.parquet``."""
    events_by_attempt: dict[str, list[ev.Event]] = {}
    for row in _rows(folder):
        fields = {name: row[name] for name in ev.Event.model_fields if name != "payload"}
        event = ev.Event(payload=ev.parse_payload(row["type"], row["payload"]), **fields)
        events_by_attempt.setdefault(event.attempt_id, []).append(event)
    return events_by_attempt


def _rows(folder: Path) -> list[dict[str, Any]]:
    lines = folder / "events.jsonl"
    if lines.is_file():
        return [json.loads(line) for line in lines.read_text(encoding="utf-8").split("\n") if line]
    rows = pq.read_table(folder / "events.parquet").to_pylist()
    return [{**row, "payload": json.loads(row["payload"])} for row in rows]
