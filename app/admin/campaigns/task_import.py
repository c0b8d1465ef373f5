"""The dialog that checks task files and imports them into a new or existing campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import DONE_KEY, DialogState, answer_dialog, close_dialog
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.draft import end_draft
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.question_sources import TYPED_NAME
from pagetrail.app.admin.campaigns.sent_files import count_rows, on_disk, show_reports
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.importers.tasks.campaign_import import (
    CampaignImport,
    FileReport,
    check_files,
    import_files,
)
from pagetrail.storage.people.accounts import Person

_CHECKED = "import-checked"


@dataclass(frozen=True)
class TaskImport:
    """A requested import.

    Attributes:
        files: task files as Streamlit holds them.
        predictions: systems' results, one file per system, named after it.
        choice: protocol of a new campaign, with its differences from the preset.
    """

    request: CampaignImport
    files: Sequence[Any]
    predictions: Sequence[Any] = ()
    choice: ProtocolChoice | None = None

    @property
    def sign(self) -> str:
        """Changes whenever a new check is needed."""
        ids = [file.file_id for file in (*self.files, *self.predictions)]
        return repr((self.request, ids))


def import_dialog(
    app: Services, person: Person, state: DialogState, task_import: TaskImport
) -> None:
    """The body of the dialog."""
    if state.result is not None:
        _show_outcome(state, task_import)
        return
    reports, problem = _check(app, task_import)
    if problem:
        st.error(literal(problem))
        return
    good, bad = count_rows(reports)
    _show_consequences(task_import, [file.report.imported for file in reports])
    skip_bad = False
    if bad:
        rows = "1 row" if bad == 1 else f"{format_number(bad)} rows"
        st.warning(gettext("{rows} cannot be imported.", rows=rows))
        show_reports(reports, "check")
        skip_bad = st.toggle(
            gettext("Leave these rows out and import the others"),
            key="import-skip",
            disabled=not good,
        )
    else:
        show_reports(reports, "check")
    assign = st.toggle(
        gettext("Assign the batches to the active annotators"), value=True, key="import-assign",
        help=gettext("Otherwise assign them under Batches, or let annotators take them."),
    )  # fmt: skip
    final = replace(
        task_import, request=replace(task_import.request, skip_bad=skip_bad, assign=assign)
    )
    st.button(
        _button(task_import.request),
        type="primary",
        key="import-go",
        disabled=not good or bool(bad and not skip_bad),
        on_click=answer_dialog,
        args=(app, person, state, lambda: _run(app, person, final)),
        kwargs={"keep_open": True},
    )


def _check(app: Services, task_import: TaskImport) -> tuple[list[FileReport], str]:
    """Reports on the files, or the problem; cached until something changes."""
    cached = st.session_state.get(_CHECKED)
    if cached is not None and cached[0] == task_import.sign:
        return list(cached[1]), str(cached[2])
    reports: list[FileReport] = []
    problem = ""
    with st.spinner(gettext("Reading the files")):
        try:
            with on_disk(task_import.files, task_import.predictions) as (files, predictions):
                request = replace(
                    task_import.request, predictions={path.stem: path for path in predictions}
                )
                reports = check_files(app.workspace, files, request)
        except PagetrailError as error:
            problem = error.message
    st.session_state[_CHECKED] = (task_import.sign, reports, problem)
    return reports, problem


def _run(app: Services, person: Person, task_import: TaskImport) -> list[FileReport]:
    st.session_state.pop(_CHECKED, None)
    with on_disk(task_import.files, task_import.predictions) as (files, predictions):
        request = replace(
            task_import.request, predictions={path.stem: path for path in predictions}
        )
        return import_files(app.workspace, person, files, request)


def _show_consequences(task_import: TaskImport, tasks_of_files: Sequence[int]) -> None:
    request = task_import.request
    good = sum(tasks_of_files)
    tasks = "1 task" if good == 1 else f"{format_number(good)} tasks"
    sources = _sources(task_import.files)
    if request.protocol is None:
        st.markdown(literal(f"{tasks} from {sources} become new batches of “{request.campaign}”."))
        return
    size = request.protocol.batch_size
    # Each file, and what was typed, begins a batch of its own.
    batches = sum(ceil(count / size) for count in tasks_of_files)
    batches_phrase = (
        f"{format_number(batches)} {'batch' if batches == 1 else 'batches'} of up to {size}"
    )
    kind = "pilot" if request.protocol.pilot.enabled else "campaign"
    people = request.protocol.overlap
    recipients = f"each for {people} {'person' if people == 1 else 'people'}"
    if kind == "pilot":
        recipients = "taken by every annotator"
    st.markdown(
        literal(
            f"The {kind} “{request.campaign}” is created with the protocol "
            f"{request.protocol.name}: {tasks} from {sources}, in about {batches_phrase}, "
            f"{recipients}."
        )
    )
    if task_import.choice is not None:
        lines = campaign_lines(task_import.choice, request.guidelines or "")
        st.markdown("\n".join(f"* {literal(line)}" for line in lines))
    st.caption(later_changes(pilot=kind == "pilot"))


def _button(request: CampaignImport) -> str:
    if request.protocol is None:
        return "Add the tasks"
    return "Create the pilot" if request.protocol.pilot.enabled else "Create the campaign"


def _sources(files: Sequence[Any]) -> str:
    sent = sum(file.name != TYPED_NAME for file in files)
    files_phrase = "1 file" if sent == 1 else f"{sent} files"
    typed = "what was typed" if sent < len(files) else ""
    return " and ".join(filter(None, [files_phrase if sent else "", typed]))


def _show_outcome(state: DialogState, task_import: TaskImport) -> None:
    reports: list[FileReport] = state.result
    good, bad = count_rows(reports)
    if not good:
        st.error(gettext("Nothing was imported because of the rows below."))
    else:
        tasks = "1 task" if good == 1 else f"{format_number(good)} tasks"
        batches = sum(len(file.report.batches) for file in reports)
        assignments = sum(
            len(file.report.assigned.created) for file in reports if file.report.assigned
        )
        batches_phrase = f"{format_number(batches)} {'batch' if batches == 1 else 'batches'}"
        name = task_import.request.campaign
        start = (
            f"“{name}” is created, with" if task_import.request.new else f"“{name}” has received"
        )
        people = "1 assignment" if assignments == 1 else f"{format_number(assignments)} assignments"
        end = f"{people} made." if assignments else "they are not assigned yet."
        st.success(literal(f"{start} {tasks} in {batches_phrase}; {end}"))
    if (
        good
        and task_import.request.protocol is not None
        and task_import.request.protocol.pilot.enabled
    ):
        st.caption(
            literal(
                "To close a campaign to those who have not passed, choose "
                f"“{task_import.request.campaign}”"
                " as its “Pilot to pass first” when you create it. The results are under Pilots."
            )
        )
    if bad:
        st.caption(gettext("Left out:"))
    show_reports(reports, "done")
    st.button(
        gettext("Done"), type="primary", key=DONE_KEY, on_click=_close, args=(state, bool(good))
    )


def _close(state: DialogState, is_imported: bool) -> None:
    """Callback: return to the campaigns and select the one with the new tasks."""
    close_dialog()
    if is_imported:
        end_draft()
        st.session_state["campaign-next"] = state.subject
