"""What imported runs were read from, as files beside an export: ``originals/NAME/TASK.json``."""

from __future__ import annotations

from pathlib import Path

from pagetrail.exports.reading.attempts import not_withdrawn
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import short_name
from pagetrail.storage.people.system_roles import SYSTEM

FOLDER = "originals"


def write_originals(source: Source, folder: Path, written: Written) -> None:
    """Write the row or sample of each imported run that is not withdrawn, and its log's header.

    The header of a log is ``NAME/TASK.header.json``. Runs that were imported before originals were
    kept have none, and are counted.

    Raises:
        StorageError: an original is damaged.
    """
    written.count("originals", 0)
    for attempt in not_withdrawn(source, Written()):
        if attempt.head.role != SYSTEM or attempt.events[0].type != "run_imported":
            continue
        name, task = _file_safe(source.name(attempt.head.user)), short_name(attempt.head.task)
        originals = source.database.originals(attempt.head.id)
        if not originals:
            written.leave_out("original", "not_stored", attempt.head.id)
        for original in originals:
            ending = ".json" if original.part == "row" else f".{original.part}.json"
            path = f"{FOLDER}/{name}/{task}{ending}"
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(original.data)
            written.rows[path] = 1
            written.count("originals")


def _file_safe(name: str) -> str:
    """A name as a folder's, which a name such as ``..`` must not lead out of the export."""
    return short_name(name) if name.strip(".") else name.replace(".", "%2E")
