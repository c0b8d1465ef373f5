"""Imports of uploaded files as jobs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.jobs.progress import CANCELLED, JobOutcome, JobProgress
from pagetrail.app.jobs.requests import ImportRequest
from pagetrail.app.operations.operation import Context
from pagetrail.storage.database.storable_text import named_in_messages
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person

MAX_ROWS = 1_000
"""Maximum number of rows in a job's result; its message has the number of all rows."""


def import_files(workspace: Workspace, request: ImportRequest, progress: JobProgress) -> JobOutcome:
    """Import uploaded files, and delete them."""
    file_import = request.file_import
    n_stored = 0

    def report_progress(count: int) -> None:
        nonlocal n_stored
        n_stored = count
        progress.update(file_import.phase, count, 0)

    progress.update(file_import.phase, 0, 0)
    with uploaded_files(request.folder) as folder:
        files = tuple(sorted(folder.iterdir()))
        by = find_person(workspace, request.by)
        context = Context(workspace, files, by, report_progress)
        try:
            result = file_import.run(context)
        except KeyboardInterrupt:
            noun = file_import.counts
            if noun is None:
                return CANCELLED
            stored = count_noun(n_stored, f"{noun} was", f"{noun}s were")
            message = f"Cancelled: {stored} stored. Import again for the others."
            return JobOutcome("cancelled", message, {"campaign": file_import.campaign, "rows": []})
    rows = [
        [Path(file).name if file.startswith(request.folder) else file, line, id_, what, reason]
        for file, line, id_, what, reason in result.rows[:MAX_ROWS]
    ]
    return JobOutcome(
        "done" if result.is_done else "failed",
        result.message,
        {"campaign": file_import.campaign, "rows": rows},
    )


@contextmanager
def uploaded_files(folder_path: str) -> Iterator[Path]:
    """The folder with the uploaded files, which is deleted; errors do not name it."""
    folder = Path(folder_path)
    try:
        with named_in_messages(folder, "The files"):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
