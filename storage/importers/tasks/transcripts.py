"""Checks the texts to correct, and a model's patches for them, in the rows of a task file."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.attempts.proposed_patches import clean_transcript, parse_patches
from pagetrail.annotation.events.transcripts import MAX_MODEL, MAX_TRANSCRIPT
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.importers.files.rows import ParsedTask


def with_transcripts(
    rows: list[ParsedTask], protocol: Protocol
) -> tuple[list[ParsedTask], list[tuple[int, str]]]:
    """The tasks with the patches that apply, and (line, note) for each of the others.

    Patches that do not apply are kept as ``patches_left_out``.
    """
    if not protocol.transcript.enabled:
        return rows, []
    checked_rows: list[ParsedTask] = []
    notes: list[tuple[int, str]] = []
    for raw, task in rows:
        changed, reasons = _with_transcript(task)
        checked_rows.append((raw, changed))
        notes += [(raw.line, f"Line {raw.line:,} ({task.id}): {reason}") for reason in reasons]
    return checked_rows, notes


def transcript_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    """Why the task has no text that could be corrected, or None."""
    if not protocol.transcript.enabled:
        return None
    text = _extra(task).get("transcript")
    if text is None:
        return "transcript: is missing; it is empty where the page has no text"
    if not isinstance(text, str):
        return "transcript: must be text"
    if len(text) > MAX_TRANSCRIPT:
        return f"transcript: has {len(text):,} characters; {MAX_TRANSCRIPT:,} are allowed"
    n_pages = len({ref.key for ref in task.candidates or ()})
    if n_pages != 1:
        return f"candidates: a task of this protocol has one page, not {n_pages:,}"
    if not isinstance(_extra(task).get("patches") or [], list):
        return "patches: must be a list of objects with old and new"
    model = _extra(task).get("model")
    if model is not None and (not isinstance(model, str) or len(model) > MAX_MODEL):
        return f"model: must be a name of at most {MAX_MODEL} characters"
    return None


def _extra(task: TaskRecord) -> dict[str, Any]:
    return task.model_extra or {}


def _with_transcript(task: TaskRecord) -> tuple[TaskRecord, list[str]]:
    text, rows = (_extra(task).get(name) for name in ("transcript", "patches"))
    if not isinstance(text, str) or not isinstance(rows or [], list):
        return task, []  # refused by ``transcript_problem``
    stored_text = clean_transcript(text)
    changes: dict[str, Any] = {"transcript": stored_text}
    reasons = []
    if stored_text.replace("\n", "") != text.replace("\r", "").replace("\n", ""):
        reasons.append("control characters in transcript, which were removed.")
    if rows:
        parsed = parse_patches(text, rows)
        changes["patches"] = [patch.model_dump(mode="json") for patch in parsed.patches]
        for row, patch_id, reason in parsed.problems:
            name = f"patches[{row}]" + (f" ({patch_id})" if patch_id else "")
            reasons.append(f"{name} is left out: {reason}.")
        if parsed.problems:
            changes["patches_left_out"] = [rows[problem.row] for problem in parsed.problems]
    return task.model_copy(update=changes), reasons
