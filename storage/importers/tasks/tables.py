"""Checks the tables to verify in the rows of a task file."""

from __future__ import annotations

from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.parsing import REPAIRS
from pagetrail.annotation.tables.sources import read_table_sources
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.importers.files.rows import ParsedTask


def tables_problem(protocol: Protocol, task: TaskRecord) -> str | None:
    """Why the task has no tables that could be verified, or None."""
    if not protocol.tables.enabled:
        return None
    extra = task.model_extra or {}
    if extra.get("tables") is None:
        return "tables: is missing; it is an empty list where the model found none"
    model = extra.get("model")
    if model is not None and (not isinstance(model, str) or len(model) > MAX_MODEL):
        return f"model: must be a name of at most {MAX_MODEL} characters"
    try:
        read_table_sources(extra["tables"], [ref.key for ref in task.candidates or ()])
    except ValueError as error:
        return str(error)
    return None


def table_repairs(rows: list[ParsedTask], protocol: Protocol) -> list[tuple[int, str]]:
    """(line, note) for each table that was not well-formed, and is read in its nearest meaning."""
    notes = []
    for raw, task in rows if protocol.tables.enabled else ():
        try:
            pages = [ref.key for ref in task.candidates or ()]
            sources = read_table_sources((task.model_extra or {}).get("tables") or [], pages)
        except ValueError:
            continue
        for source in sources:
            if source.repairs:
                repairs = "; ".join(gettext(REPAIRS[repair]) for repair in source.repairs)
                note = f"Line {raw.line:,} ({task.id}): table {source.id}: {repairs}."
                notes.append((raw.line, note))
    return notes
