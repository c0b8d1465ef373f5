"""Scans without word boxes: how many there are, and recognising them again as a job."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.actions import act
from pagetrail.app.admin.collection.pdf_files import language_choice
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.local_time import grouped
from pagetrail.storage.corpus.overview import pages_without_boxes
from pagetrail.storage.database.job_states import Job
from pagetrail.storage.ingest.ocr_languages import ocr_languages
from pagetrail.storage.people.accounts import Person, audit

KIND = "word_boxes"
_LANGUAGES = "word-box-languages"


def word_boxes_part(app: Services) -> None:
    """Draw it; nothing where every scan has its word boxes and no job has run."""
    last = app.jobs.last(KIND)
    wanted = pages_without_boxes(app.workspace)
    if not wanted and last is None:
        return
    st.header("Scans without word boxes", anchor=False)
    busy = job_view(app, KIND, pausable=True)
    if busy or not wanted:
        return
    pages = sum(map(len, wanted.values()))
    scans = "1 document" if len(wanted) == 1 else f"{grouped(len(wanted))} documents"
    were = "1 scanned page" if pages == 1 else f"{grouped(pages)} scanned pages"
    were += f" of {scans} {'was' if pages == 1 else 'were'}"
    st.caption(
        f"{were} recognised by an older version, which did not store where the words are. After "
        "another recognition there are highlights, snapping and text selection. The texts stay, "
        "and so do searches."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        installed = bool(ocr_languages())
        if installed:
            language_choice(_LANGUAGES)
        st.button(
            "Recognise again", key="word-boxes", icon=":material/document_scanner:",
            on_click=_start, disabled=not installed,
            help=None if installed else "Tesseract is not installed on the server.",
        )  # fmt: skip


def _start() -> None:
    languages = "+".join(st.session_state.get(_LANGUAGES) or ["eng"])

    def do(app: Services, person: Person) -> str | None:
        title = f"Word boxes of scans ({languages})"

        def ended(job: Job) -> None:
            app.notes.note(job.by, f"word_boxes_{job.state}", f"{title}: {job.message}")

        order: dict[str, object] = {"do": KIND, "ocr_lang": languages}
        app.jobs.start(KIND, title, person.name, order, ended)
        audit(app.workspace, person.name, "word_boxes_started", title)
        return None

    act("word boxes", do)
