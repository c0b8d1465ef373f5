"""Runs jobs in a worker process and reports their progress and outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.jobs.imports import import_files, uploaded_files
from pagetrail.app.jobs.progress import CANCELLED, JobOutcome, JobProgress
from pagetrail.app.jobs.requests import (
    ExportRequest,
    IndexRequest,
    IngestRequest,
    JobRequest,
    SampleDrawRequest,
    job_request,
)
from pagetrail.exports.run import ADJUDICATED, export
from pagetrail.exports.sampling import SampleRequest, draw_sample
from pagetrail.exports.writing.stored_exports import store_export
from pagetrail.storage.corpus.thumbnails import draw_thumbnails
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest, replace_documents
from pagetrail.storage.ingest.ocr_languages import OcrMode
from pagetrail.storage.ingest.replacement import Replacing
from pagetrail.storage.ingest.report import Progress
from pagetrail.storage.maintenance.stored_files import StoredFiles
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.search.status import check_index
from pagetrail.storage.search.store import current_index, ensure_index, page_count


def export_formats(
    workspace: Workspace, request: ExportRequest, progress: JobProgress
) -> JobOutcome:
    """Write a campaign in each requested format; one that fails does not stop the others."""
    exported: list[str] = []
    failed: list[str] = []
    for format_, folder in request.formats:
        progress.update(format_, 0, 0)
        try:
            export(
                workspace,
                request.campaign,
                format_,
                workspace.exports_dir / folder,
                identify=request.identify,
                gold=ADJUDICATED if format_ in request.by_gold else None,
                submission=request.submission,
                undecided=format_ in request.undecided,
                originals=format_ in request.originals,
                overwrite=True,
                dpi=request.dpi,
                progress=partial(progress.update, format_),
            )
        except PagetrailError as error:
            failed.append(f"{format_}: {error.message}")
            continue
        try:
            store_export(workspace, folder)
            exported.append(format_)
        except PagetrailError as error:
            failed.append(f"{format_} is on this server only: {error.message}")
    details = {"written": exported, "failed": failed}
    message = f"Written: {', '.join(exported)}." if exported else ""
    if failed:
        return JobOutcome("failed", " ".join([*failed, message]).strip(), details)
    return JobOutcome("done", message, details)


def build_index(workspace: Workspace, request: IndexRequest, progress: JobProgress) -> JobOutcome:
    """Build the search index of the current collection."""
    pages = page_count(workspace)
    progress.update(N_("Indexing pages"), 0, pages)
    stored = ensure_index(
        workspace,
        lambda done: progress.update(N_("Indexing pages"), done, pages),
        force=request.force,
    )
    message = f"The index has {stored.pages:,} pages."
    return JobOutcome("done", message, {"identity": stored.identity, "pages": stored.pages})


def check_search_index(
    workspace: Workspace, _request: JobRequest, progress: JobProgress
) -> JobOutcome:
    """Read the whole index and compare it with the collection."""
    pages = page_count(workspace)
    progress.update(N_("Checking the index"), 0, pages)
    is_sound, message = check_index(
        workspace, lambda done: progress.update(N_("Checking the index"), done, pages)
    )
    return JobOutcome("done" if is_sound else "failed", message, {"sound": is_sound})


class _ReadingOptions(TypedDict):
    ocr: OcrMode
    ocr_lang: str
    progress: Callable[[Progress], None]


def ingest_uploads(
    workspace: Workspace, request: IngestRequest, progress: JobProgress
) -> JobOutcome:
    """Ingest uploaded PDFs, index them, and delete the uploads that are done."""

    def report_progress(state: Progress) -> None:
        progress.update(ingest_phase(state), state.files, state.files_total)

    paths = [Path(path) for path in request.paths]
    stored_uploads = StoredFiles(workspace, "upload")
    stored_names = stored_uploads.all()
    for path in paths:
        if path.parent.name in stored_names and not path.exists():  # uploaded to another server
            progress.update(N_("Fetching uploads"), 0, 0)
            stored_uploads.fetch(path.parent.name, path)
    options: _ReadingOptions = {
        "ocr": request.ocr,
        "ocr_lang": request.ocr_lang,
        "progress": report_progress,
    }
    if request.replaces:
        by = find_person(workspace, request.by)
        replacing = Replacing(None, by, request.accepts_missing_pages)
        report = replace_documents(workspace, paths, replacing, **options)
    else:
        report = ingest(workspace, paths, normalise_text=request.normalise_text, **options)
    details = report.as_json()
    pending = set(report.pending)
    if request.replaces:  # to be confirmed, or discarded
        pending |= {failed.file for failed in report.failed}
    for path in paths:
        if str(path) not in pending:
            path.unlink(missing_ok=True)
            stored_uploads.remove(path.parent.name)
    counts = (
        f"{len(report.ingested)} ingested, {len(report.duplicates)} already exist, "
        f"{len(report.failed)} refused"
    )
    if report.interrupted:
        message = f"Interrupted: {counts}, {len(report.pending)} waiting."
        return JobOutcome("cancelled", message, details)
    if report.ingested or report.joined_words or current_index(workspace) is None:
        build_index(workspace, IndexRequest(), progress)
    thumbnails = draw_thumbnails(
        workspace, report.documents, partial(progress.update, N_("Drawing thumbnails"))
    )
    state = "failed" if report.failed and not report.ingested and not report.duplicates else "done"
    message = f"{counts[0].upper()}{counts[1:]}."
    if thumbnails.missing:
        message += f" {thumbnails.sentence()}"
    return JobOutcome(state, message, details)


def ingest_phase(state: Progress) -> str:
    """Name of the ingest's phase."""
    if state.ocr_total:
        return f"Reading documents ({state.ocr_pages} of {state.ocr_total} pages recognised)"
    return N_("Reading documents")


def draw_sample_into_campaign(
    workspace: Workspace, request: SampleDrawRequest, progress: JobProgress
) -> JobOutcome:
    """Draw a sample into a campaign; its strata are the result."""
    progress.update(N_("Reading what is drawn from"), 0, 0)
    drawn_from = SampleRequest(
        into=request.into,
        n=request.n,
        fields=request.fields,
        source=request.source,
        kind=request.what,
        seed=request.seed,
        verdicts=request.verdicts,
        allocation=request.allocation,
    )
    by = find_person(workspace, request.by)
    if request.folder is None:
        report = draw_sample(workspace, drawn_from, by=by)
    else:
        with uploaded_files(request.folder) as folder:
            (path,) = folder.iterdir()
            report = draw_sample(
                workspace, drawn_from.model_copy(update={"page_fields": path}), by=by
            )
    imported = report.imported
    assert imported is not None
    if not imported.imported:
        return JobOutcome("failed", f"Nothing was drawn: {imported.bad[0].reason}.")
    rows = [
        [*stratum.values, stratum.size, stratum.n_drawn, len(stratum.keys),
         stratum.inclusion_probability]
        for stratum in report.strata
    ]  # fmt: skip
    message = (
        f"{count_noun(report.n_drawn, 'task')} drawn from "
        f"{sum(stratum.size for stratum in report.strata):,} into {report.campaign}, in "
        f"{count_noun(len(rows), 'stratum', 'strata')}"
    )
    for reason, number in report.left_out.items():
        message += f", {number:,} not drawn from ({reason.replace('_', ' ')})"
    details = {
        "source": report.source,
        "fields": report.fields,
        "strata": rows,
        "to_judge": None if report.planned is None else report.campaign,
    }
    return JobOutcome("done", f"{message}.", details)


_JOBS: dict[str, Callable[[Workspace, Any, JobProgress], JobOutcome]] = {
    "export": export_formats,
    "index": build_index,
    "check": check_search_index,
    "ingest": ingest_uploads,
    "draw_sample": draw_sample_into_campaign,
    "import": import_files,
}


def run_job(root: Path, fields: Mapping[str, Any]) -> JobOutcome:
    """Run the requested job; an interrupt ends it cleanly.

    Args:
        root: the workspace's folder.
        fields: of a ``JobRequest``.
    """
    try:
        request = job_request(fields)
        return _JOBS[request.do](Workspace.open(root), request, JobProgress())
    except PagetrailError as error:
        return JobOutcome("failed", error.message)
    except OSError as error:
        return JobOutcome("failed", f"The disk did not take or give it: {error.strerror}.")
    except KeyboardInterrupt:
        return CANCELLED
