"""The dialog that checks task files and imports them into a new or existing campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.app.admin.actions import DONE_KEY, DialogState, answer_button, close_dialog
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.draft import end_draft
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.question_sources import TYPED_NAME
from pagetrail.app.admin.campaigns.sent_files import count_rows, on_disk, show_reports
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count
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
        st.warning(
            format_count(
                "{number} row cannot be imported.", "{number} rows cannot be imported.", bad
            )
        )
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
    answer_button(
        _button(task_import.request),
        "import-go",
        app,
        person,
        state,
        lambda: _run(app, person, final),
        keep_open=True,
        disabled=not good or bool(bad and not skip_bad),
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
    tasks = format_count(
        "{number} task from {sources}",
        "{number} tasks from {sources}",
        good,
        sources=_sources(task_import.files),
    )
    if request.protocol is None:
        st.markdown(
            literal(
                ngettext(
                    "{tasks} becomes a new batch of “{campaign}”.",
                    "{tasks} become new batches of “{campaign}”.",
                    good,
                    tasks=tasks,
                    campaign=request.campaign,
                )
            )
        )
        return
    is_pilot = request.protocol.pilot.enabled
    size = request.protocol.batch_size
    # Each file, and what was typed, begins a batch of its own.
    batches = format_count(
        "{number} batch of up to {size}",
        "{number} batches of up to {size}",
        sum(ceil(count / size) for count in tasks_of_files),
        size=size,
    )
    names = {
        "campaign": request.campaign, "protocol": request.protocol.name, "tasks": tasks,
        "batches": batches,
    }  # fmt: skip
    st.markdown(
        literal(
            gettext(
                "The pilot “{campaign}” is created with the protocol {protocol}: {tasks}, in about "
                "{batches}, taken by every annotator.",
                **names,
            )
            if is_pilot
            else ngettext(
                "The campaign “{campaign}” is created with the protocol {protocol}: {tasks}, in "
                "about {batches}, each for {number} person.",
                "The campaign “{campaign}” is created with the protocol {protocol}: {tasks}, in "
                "about {batches}, each for {number} people.",
                request.protocol.overlap,
                **names,
            )
        )
    )
    if task_import.choice is not None:
        lines = campaign_lines(task_import.choice, request.guidelines or "")
        st.markdown("\n".join(f"* {literal(line)}" for line in lines))
    st.caption(later_changes(pilot=is_pilot))


def _button(request: CampaignImport) -> str:
    if request.protocol is None:
        return gettext("Add the tasks")
    return (
        gettext("Create the pilot")
        if request.protocol.pilot.enabled
        else gettext("Create the campaign")
    )


def _sources(files: Sequence[Any]) -> str:
    sent = sum(file.name != TYPED_NAME for file in files)
    if not sent:
        return gettext("what was typed")
    if sent == len(files):
        return ngettext("{number} file", "{number} files", sent)
    return ngettext("{number} file and what was typed", "{number} files and what was typed", sent)


def _show_outcome(state: DialogState, task_import: TaskImport) -> None:
    reports: list[FileReport] = state.result
    good, bad = count_rows(reports)
    if not good:
        st.error(gettext("Nothing was imported because of the rows below."))
    else:
        batches = sum(len(file.report.batches) for file in reports)
        assignments = sum(
            len(file.report.assigned.created) for file in reports if file.report.assigned
        )
        contents = format_count(
            "{tasks} in {number} batch",
            "{tasks} in {number} batches",
            batches,
            tasks=format_count("{number} task", "{number} tasks", good),
        )
        sentence = (
            N_("“{campaign}” is created, with {contents}; {outcome}")
            if task_import.request.new
            else N_("“{campaign}” has received {contents}; {outcome}")
        )
        outcome = (
            format_count("{number} assignment made.", "{number} assignments made.", assignments)
            if assignments
            else gettext("they are not assigned yet.")
        )
        st.success(
            literal(
                gettext(
                    sentence,
                    campaign=task_import.request.campaign,
                    contents=contents,
                    outcome=outcome,
                )
            )
        )
    if (
        good
        and task_import.request.protocol is not None
        and task_import.request.protocol.pilot.enabled
    ):
        st.caption(
            literal(
                gettext(
                    "To close a campaign to those who have not passed, choose “{campaign}” "
                    "as its “Pilot to pass first” when you create it. The results are "
                    "under Pilots.",
                    campaign=task_import.request.campaign,
                )
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
