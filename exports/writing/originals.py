"""Writes the originals of imported runs into an export, as ``originals/NAME/TASK.json``."""

from __future__ import annotations

from pathlib import Path

from pagetrail.exports.reading.attempts import attempts_not_withdrawn
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import FileNames
from pagetrail.storage.people.system_roles import SYSTEM

FOLDER = "originals"


def write_originals(source: Source, folder: Path, tally: WrittenFiles) -> None:
    """Write the original row or sample of each imported run, unless withdrawn, and its log header.

    The header of a log is ``NAME/TASK.header.json``. Runs without stored originals are counted as
    left out.

    Raises:
        StorageError: an original is damaged.
    """
    tally.count("originals", 0)
    names = FileNames()
    for attempt in attempts_not_withdrawn(source, WrittenFiles()):
        if attempt.head.role != SYSTEM or attempt.events[0].type != "run_imported":
            continue
        name, task = names[source.name(attempt.head.user)], names[attempt.head.task]
        originals = source.database.originals(attempt.head.id)
        if not originals:
            tally.leave_out("original", "not_stored", attempt.head.id)
        for original in originals:
            ending = ".json" if original.part == "row" else f".{original.part}.json"
            path = f"{FOLDER}/{name}/{task}{ending}"
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(original.data)
            tally.rows[path] = 1
            tally.count("originals")
