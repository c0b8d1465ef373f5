"""The work of jobs, in a process of its own: it says how far it is, and how it ended."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.jobs.imports import import_agent_run, import_element_files, import_verdict_file
from pagetrail.app.jobs.manager import CANCEL, CANCELLED, PAUSE, Step
from pagetrail.exports.run import ADJUDICATED, export
from pagetrail.exports.writing.stored_exports import store
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.report import Progress
from pagetrail.storage.operations.stored_files import StoredFiles
from pagetrail.storage.search.status import check_index
from pagetrail.storage.search.store import current_index, ensure_index, page_count
from pagetrail.storage.workers.serve import hear, tell

_EVERY_S = 0.2
Outcome = tuple[str, str, dict[str, Any]]
"""State, sentence, result."""


class Teller:
    """Says how far the job is, a few times a second at most, and holds a paused job still.

    A job waits here, between two steps, and never inside a write to the database: a process
    stopped by a signal would keep its locks, and everybody else would wait with it.
    """

    def __init__(self) -> None:
        self._phase = ""
        self._next = 0.0

    def tell(self, phase: str, done: int, total: int) -> None:
        """Wait while paused; then say it, unless the same phase was spoken of just now.

        Raises:
            KeyboardInterrupt: the job was cancelled.
        """
        message = hear()
        while message is not None:
            if message == CANCEL:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing interrupts the tidying up
                raise KeyboardInterrupt
            message = hear(wait=message == PAUSE)
        now = time.monotonic()
        if phase == self._phase and now < self._next and done != total:
            return
        self._phase, self._next = phase, now + _EVERY_S
        step: Step = (phase, done, total)
        tell(step)


def export_formats(workspace: Workspace, order: Mapping[str, Any], teller: Teller) -> Outcome:
    """Write a campaign in each of the formats asked for; one that fails does not stop others."""
    written: list[str] = []
    failed: list[str] = []
    for format_, folder in order["formats"]:
        teller.tell(format_, 0, 0)
        try:
            export(
                workspace,
                order["campaign"],
                format_,
                workspace.exports_dir / folder,
                identify=order["identify"],
                gold=ADJUDICATED if format_ in order.get("by_gold", ()) else None,
                submission=order.get("submission", "first"),
                undecided=format_ in order.get("undecided", ()),
                originals=format_ in order.get("originals", ()),
                overwrite=True,
                dpi=order["dpi"],
                progress=partial(teller.tell, format_),
            )
        except PagetrailError as error:
            failed.append(f"{format_}: {error.message}")
            continue
        try:
            store(workspace, folder)
            written.append(format_)
        except PagetrailError as error:
            failed.append(f"{format_} is on this server only: {error.message}")
    result = {"written": written, "failed": failed}
    done = f"Written: {', '.join(written)}." if written else ""
    if failed:
        return "failed", " ".join([*failed, done]).strip(), result
    return "done", done, result


def build_index(workspace: Workspace, order: Mapping[str, Any], teller: Teller) -> Outcome:
    """Build the search index of the collection as it is now."""
    pages = page_count(workspace)
    teller.tell("Indexing pages", 0, pages)
    stored = ensure_index(
        workspace,
        lambda done: teller.tell("Indexing pages", done, pages),
        force=bool(order.get("force")),
    )
    message = f"The index has {stored.pages:,} pages."
    return "done", message, {"identity": stored.identity, "pages": stored.pages}


def check(workspace: Workspace, _order: Mapping[str, Any], teller: Teller) -> Outcome:
    """Read the index whole and compare it with the collection."""
    pages = page_count(workspace)
    teller.tell("Checking the index", 0, pages)
    sound, sentence = check_index(
        workspace, lambda done: teller.tell("Checking the index", done, pages)
    )
    return "done" if sound else "failed", sentence, {"sound": sound}


def read_documents(workspace: Workspace, order: Mapping[str, Any], teller: Teller) -> Outcome:
    """Take PDF files in, then index them; files that are dealt with are removed."""

    def tell(now: Progress) -> None:
        teller.tell(_reading(now), now.files, now.files_total)

    paths = [Path(path) for path in order["paths"]]
    stored = StoredFiles(workspace, "upload")
    known = stored.all()
    for path in paths:
        if path.parent.name in known and not path.exists():  # uploaded to another server
            teller.tell("Fetching uploads", 0, 0)
            stored.fetch(path.parent.name, path)
    report = ingest(
        workspace, paths, ocr=order["ocr"], ocr_lang=order.get("ocr_lang", "eng"), progress=tell
    )
    result = report.as_json()
    pending = set(report.pending)
    for path in paths:
        if str(path) not in pending:
            path.unlink(missing_ok=True)
            stored.remove(path.parent.name)
    counts = (
        f"{len(report.ingested)} ingested, {len(report.duplicates)} already exist, "
        f"{len(report.failed)} refused"
    )
    if report.interrupted:
        return "cancelled", f"Interrupted: {counts}, {len(report.pending)} waiting.", result
    if report.ingested or current_index(workspace) is None:
        build_index(workspace, {}, teller)
    state = "failed" if report.failed and not report.ingested and not report.duplicates else "done"
    return state, f"{counts[0].upper()}{counts[1:]}.", result


def _reading(now: Progress) -> str:
    if now.ocr_total:
        return f"Reading documents ({now.ocr_pages} of {now.ocr_total} pages recognised)"
    return "Reading documents"


WORK: dict[str, Callable[[Workspace, Mapping[str, Any], Teller], Outcome]] = {
    "export": export_formats,
    "index": build_index,
    "check": check,
    "ingest": read_documents,
    "import_run": lambda workspace, order, teller: import_agent_run(workspace, order, teller.tell),
    "import_verdicts": lambda workspace, order, teller: import_verdict_file(
        workspace, order, teller.tell
    ),
    "import_elements": lambda workspace, order, teller: import_element_files(
        workspace, order, teller.tell
    ),
}


def do_job(order: Mapping[str, Any]) -> Outcome:
    """Do what the order asks for; an interrupt ends it tidily."""
    try:
        workspace = Workspace.open(Path(order["workspace"]))
        return WORK[order["do"]](workspace, order, Teller())
    except PagetrailError as error:
        return "failed", error.message, {}
    except OSError as error:
        return "failed", f"The disk did not take or give it: {error.strerror}.", {}
    except KeyboardInterrupt:
        return *CANCELLED, {}
