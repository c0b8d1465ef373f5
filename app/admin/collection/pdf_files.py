"""Uploading and ingesting PDF files, and the report of the last ingest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.exporting.export_list import size_words
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.components.upload import upload
from pagetrail.app.jobs.requests import IngestRequest
from pagetrail.app.services import pending_uploads as uploads
from pagetrail.app.services.composition import Services
from pagetrail.app.services.pending_uploads import PendingUpload
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_number, format_time
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.corpus.changes import NORMALISED_KEY
from pagetrail.storage.database.tables import Job
from pagetrail.storage.ingest.document_uses import document_uses
from pagetrail.storage.ingest.ocr_languages import ocr_languages
from pagetrail.storage.ingest.report import last_report
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit

KIND = "ingest"
_UPLOADS_KEY = "upload-seen"
_NORMALISE_KEY = "normalise-text"
_MISSING_PAGES_KEY = "replace-missing-pages"
_MAX_NAMES = 5
_OCR = {
    "auto": N_("On pages without text"),
    "never": N_("Never"),
    "always": N_("On all pages"),
}


def show_files(app: Services, person: Person) -> None:
    """Show the upload, the waiting files and the last report."""
    st.header(gettext("Add documents"), anchor=False)
    busy = job_view(app, KIND)
    upload(
        token=oversight_token(app, person),
        max_mb=uploads.MAX_FILE // 1024**2,
        uploads=st.session_state.get(_UPLOADS_KEY, 0),
        on_uploaded=_rerun,
        key="upload",
    )
    files = uploads.pending_uploads(app.workspace)
    if files:
        is_normalised = app.workspace.meta(NORMALISED_KEY) is not None
        _waiting_files(files, busy=busy, is_normalised=is_normalised)
        _replacements(app, files, busy=busy)
    _report(last_report(app.workspace.root))
    _discard_dialog(files)


def _rerun() -> None:
    """Callback: rerun the screen, which then lists the uploaded files."""
    st.session_state[_UPLOADS_KEY] = st.session_state.get(_UPLOADS_KEY, 0) + 1


_LANGUAGES = {
    "ara": N_("Arabic"),
    "ces": N_("Czech"),
    "chi_sim": N_("Chinese (simplified)"),
    "chi_tra": N_("Chinese (traditional)"),
    "deu": N_("German"),
    "eng": N_("English"),
    "fra": N_("French"),
    "ita": N_("Italian"),
    "jpn": N_("Japanese"),
    "kor": N_("Korean"),
    "nld": N_("Dutch"),
    "pol": N_("Polish"),
    "por": N_("Portuguese"),
    "rus": N_("Russian"),
    "spa": N_("Spanish"),
    "swe": N_("Swedish"),
    "tur": N_("Turkish"),
    "ukr": N_("Ukrainian"),
}
"""Tesseract's codes of common languages; others are shown as codes."""


def _waiting_files(files: list[PendingUpload], *, busy: bool, is_normalised: bool) -> None:
    count = format_count("{number} file waiting", "{number} files waiting", len(files))
    names = _first([file.name for file in files])
    size = size_words(sum(file.bytes for file in files))
    st.markdown(f"**{count}** ({size}): {literal(names)}")
    st.checkbox(
        gettext("Join divided words in the texts of all pages"),
        value=is_normalised,
        key=_NORMALISE_KEY,
        disabled=is_normalised or busy,
        help=gettext(
            "Letters for ligatures, no soft hyphens, and words joined across line ends, in "
            "documents ingested before and later too. Searches of people and agents then find "
            "these words, and rank pages differently from earlier runs. Cannot be undone."
        ),
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            gettext("Recognise text (OCR)"),
            list(_OCR),
            format_func=lambda mode: gettext(_OCR[mode]),
            key="ocr",
            width=240,
        )
        if ocr_languages():
            language_choice("ocr-languages", disabled=st.session_state.get("ocr") == "never")
        st.button(
            gettext("Ingest"),
            key="ingest",
            type="primary",
            icon=":material/library_add:",
            disabled=busy,
            on_click=_start,
        )
        dialog_button(
            gettext("Discard…"), "discard", "discard", icon=":material/delete:", disabled=busy
        )


def _first(names: list[str]) -> str:
    return ", ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")


def language_choice(key: str, *, disabled: bool = False) -> None:
    """Choice among the installed OCR languages."""
    languages = ocr_languages() or ()
    st.multiselect(
        gettext("OCR languages"),
        languages,
        default=["eng"] if "eng" in languages else languages[:1],
        format_func=lambda code: gettext(_LANGUAGES.get(str(code), str(code))),
        key=key,
        disabled=disabled,
        width=280,
        help=gettext("The languages of these documents. Others must be installed on the server."),
    )


def _start() -> None:
    normalise_text = bool(st.session_state.get(_NORMALISE_KEY))

    def request_of(_app: Services, _person: Person, files: list[PendingUpload]) -> IngestRequest:
        return IngestRequest(
            paths=tuple(str(file.path) for file in files),
            ocr=st.session_state.get("ocr", "auto"),
            ocr_lang=_chosen_languages(),
            normalise_text=normalise_text,
        )

    _start_job("Ingesting", "ingest_started", request_of)


def _chosen_languages() -> str:
    return "+".join(st.session_state.get("ocr-languages") or ["eng"])


def _start_job(
    verb: str,
    audit_name: str,
    request_of: Callable[[Services, Person, list[PendingUpload]], IngestRequest],
) -> None:
    def act(app: Services, person: Person) -> str | None:
        files = uploads.pending_uploads(app.workspace)
        if not files:
            return gettext("No files are waiting any more.")
        request = request_of(app, person, files)
        n_files = len(request.paths)
        count = "1 file" if n_files == 1 else f"{format_number(n_files)} files"
        title = f"{verb} {count}"

        def record_outcome(job: Job) -> None:
            uploads.remove_leftovers(app.workspace)
            app.security_log.record(job.by, f"ingest_{job.state}", f"{title}: {job.message}")

        app.jobs.start(title, person.name, request, record_outcome)
        names = ", ".join(file.name for file in files if str(file.path) in request.paths)
        options = "" if request.ocr == "never" else f"; OCR in {request.ocr_lang}"
        options += "; divided words joined" if request.normalise_text else ""
        audit(app.workspace, person, audit_name, f"{count}: {names}{options}")
        return None

    run_supervisor_action("ingest", act)


def _replacements(app: Services, files: list[PendingUpload], *, busy: bool) -> None:
    """Offer to replace the documents that have the names of waiting files."""
    names = app.corpus.document_names()
    replaced = [file.name for file in files if names.find(file.name) is not None]
    if not replaced:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            literal(gettext("Documents of these names exist: {names}.", names=_first(replaced)))
        )
        dialog_button(
            gettext("Replace…"),
            "replace",
            "replace",
            icon=":material/published_with_changes:",
            disabled=busy,
            help=gettext("Make the waiting files the new versions of these documents."),
        )
    state = current_dialog("replace")
    if state is not None:
        show_confirmation(
            state,
            gettext("Replace documents?"),
            _replacement_sentences(app, replaced),
            gettext("Replace"),
            "replace",
            _replace,
            body=_ask_for_missing_pages,
        )


def _replacement_sentences(app: Services, replaced: list[str]) -> list[str]:
    sentences = [
        gettext(
            "Earlier versions are kept: work on them says so, and replays show them. Whoever has "
            "such a page on screen can go on; the next search or visit shows the new version."
        )
    ]
    names = app.corpus.document_names()
    for name in replaced[:_MAX_NAMES]:
        uses = document_uses(app.workspace, names.find(name) or name)
        depends = "; ".join(of_campaign.sentence() for of_campaign in uses)
        depends = depends or gettext("no work refers to it")
        sentences.append(f"{name}: {depends}")
    return sentences


def _ask_for_missing_pages() -> None:
    st.checkbox(
        gettext("Also if work refers to pages that a new file does not have"),
        key=_MISSING_PAGES_KEY,
        help=gettext("Otherwise such a file is refused, with these pages."),
    )


def _replace() -> None:
    accepts_missing_pages = bool(st.session_state.get(_MISSING_PAGES_KEY))

    def request_of(app: Services, person: Person, files: list[PendingUpload]) -> IngestRequest:
        names = app.corpus.document_names()
        return IngestRequest(
            paths=tuple(str(file.path) for file in files if names.find(file.name) is not None),
            ocr=st.session_state.get("ocr", "auto"),
            ocr_lang=_chosen_languages(),
            replaces=True,
            accepts_missing_pages=accepts_missing_pages,
            by=person.name,
        )

    _start_job("Replacing", "replacement_started", request_of)


def _discard_dialog(files: list[PendingUpload]) -> None:
    state = current_dialog("discard")
    if state is None or not files:
        return
    show_confirmation(
        state,
        gettext("Discard uploaded files?"),
        [
            format_count(
                "{number} file not yet ingested will be removed. The collection does not change.",
                "{number} files not yet ingested will be removed. The collection does not change.",
                len(files),
            )
        ],
        gettext("Discard"),
        "discard",
        _discard,
    )


def _discard() -> None:
    def act(app: Services, person: Person) -> str:
        last = app.jobs.last(KIND)
        if last is not None and not last.has_ended:
            raise ConflictError(
                gettext("{by} is ingesting them right now. Cancel that first.", by=last.by)
            )
        count = uploads.discard(app.workspace)
        audit(app.workspace, person, "uploads_discarded", f"{count} files")
        return format_count("{number} file discarded.", "{number} files discarded.", count)

    run_supervisor_action("discard uploads", act)


def _report(report: dict[str, Any] | None) -> None:
    if report is None:
        return
    lines = [_file_row(entry, gettext("refused")) for entry in report["failed"]]
    lines += [_file_row(entry, gettext("already exists")) for entry in report["duplicates"]]
    lines += [
        {
            N_("File"): entry["document"],
            N_("Result"): gettext("ingested"),
            N_("Reason"): " ".join(entry["notes"]),
        }
        for entry in report["ingested"]
    ]
    failed = len(report["failed"])
    title = gettext(
        "Last ingest ({time}): {ingested} ingested, {refused} refused",
        time=format_time(report["at"]),
        ingested=format_number(len(report["ingested"])),
        refused=format_number(failed),
    )
    with st.expander(literal(title), expanded=bool(failed or report["notes"])):
        for note in report["notes"]:
            st.caption(literal(note))
        if lines:
            show_table(
                pd.DataFrame(lines),
                width="stretch",
                max_height=220,
                column_config={"Reason": st.column_config.TextColumn(width="large")},
            )


def _file_row(entry: dict[str, Any], result: str) -> dict[str, str]:
    """A row of the report, without the file's folder on the server."""
    name = PurePath(entry["file"]).name
    reason = entry.get("problem", entry["reason"])
    return {N_("File"): name, N_("Result"): result, N_("Reason"): reason}
