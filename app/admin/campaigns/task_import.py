"""The dialog that checks task files and imports them into a new or existing campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.admin.actions import DONE, Asked, answer, dismiss
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.draft import end_draft
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.question_sources import TYPED_NAME
from pagetrail.app.admin.campaigns.sent_files import on_disk, show_reports, totals
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
class Import:
    """An import that has been asked for.

    Attributes:
        files: task files as Streamlit holds them.
        predictions: systems' results, one file per system, named after it.
        choice: of a new campaign's protocol, with what it differs in from its preset.
    """

    wanted: CampaignImport
    files: Sequence[Any]
    predictions: Sequence[Any] = ()
    choice: ProtocolChoice | None = None

    @property
    def sign(self) -> str:
        """Changes with everything that a check depends on."""
        ids = [file.file_id for file in (*self.files, *self.predictions)]
        return repr((self.wanted, ids))


def import_dialog(app: Services, person: Person, asked: Asked, wish: Import) -> None:
    """The body of the dialog."""
    if asked.result is not None:
        _imported(asked, wish)
        return
    reports, problem = _checked(app, wish)
    if problem:
        st.error(literal(problem))
        return
    good, bad = totals(reports)
    _what_happens(wish, [each.report.imported for each in reports])
    skip_bad = False
    if bad:
        rows = "1 row" if bad == 1 else f"{format_number(bad)} rows"
        st.warning(f"{rows} cannot be imported.")
        show_reports(reports, "check")
        skip_bad = st.toggle(
            "Leave these rows out and import the others", key="import-skip", disabled=not good
        )
    else:
        show_reports(reports, "check")
    assign = st.toggle(
        "Assign the batches to the active annotators", value=True, key="import-assign",
        help="Otherwise assign them under Batches, or let annotators take them.",
    )  # fmt: skip
    final = replace(wish, wanted=replace(wish.wanted, skip_bad=skip_bad, assign=assign))
    st.button(
        _button(wish.wanted),
        type="primary",
        key="import-go",
        disabled=not good or bool(bad and not skip_bad),
        on_click=answer,
        args=(app, person, asked, lambda: _run(app, person, final)),
        kwargs={"stay": True},
    )


def _checked(app: Services, wish: Import) -> tuple[list[FileReport], str]:
    """Reports on the files, or why they cannot be used; checked once."""
    kept = st.session_state.get(_CHECKED)
    if kept is not None and kept[0] == wish.sign:
        return list(kept[1]), str(kept[2])
    reports: list[FileReport] = []
    problem = ""
    with st.spinner("Reading the files"):
        try:
            with on_disk(wish.files, wish.predictions) as (files, predictions):
                wanted = replace(wish.wanted, predictions={path.stem: path for path in predictions})
                reports = check_files(app.workspace, files, wanted)
        except PagetrailError as error:
            problem = error.message
    st.session_state[_CHECKED] = (wish.sign, reports, problem)
    return reports, problem


def _run(app: Services, person: Person, wish: Import) -> list[FileReport]:
    st.session_state.pop(_CHECKED, None)
    with on_disk(wish.files, wish.predictions) as (files, predictions):
        wanted = replace(wish.wanted, predictions={path.stem: path for path in predictions})
        return import_files(app.workspace, person, files, wanted)


def _what_happens(wish: Import, tasks_of_files: Sequence[int]) -> None:
    wanted = wish.wanted
    good = sum(tasks_of_files)
    tasks = "1 task" if good == 1 else f"{format_number(good)} tasks"
    many = _sources(wish.files)
    if wanted.protocol is None:
        st.markdown(literal(f"{tasks} from {many} become new batches of “{wanted.campaign}”."))
        return
    size = wanted.protocol.batch_size
    # Each file, and what was typed, begins a batch of its own.
    batches = sum(ceil(count / size) for count in tasks_of_files)
    cut = f"{format_number(batches)} {'batch' if batches == 1 else 'batches'} of up to {size}"
    kind = "pilot" if wanted.protocol.pilot.enabled else "campaign"
    people = wanted.protocol.overlap
    who = f"each for {people} {'person' if people == 1 else 'people'}"
    if kind == "pilot":
        who = "taken by every annotator"
    st.markdown(
        literal(
            f"The {kind} “{wanted.campaign}” is created with the protocol "
            f"{wanted.protocol.name}: {tasks} from {many}, in about {cut}, {who}."
        )
    )
    if wish.choice is not None:
        lines = campaign_lines(wish.choice, wanted.guidelines or "")
        st.markdown("\n".join(f"* {literal(line)}" for line in lines))
    st.caption(later_changes(pilot=kind == "pilot"))


def _button(wanted: CampaignImport) -> str:
    if wanted.protocol is None:
        return "Add the tasks"
    return "Create the pilot" if wanted.protocol.pilot.enabled else "Create the campaign"


def _sources(files: Sequence[Any]) -> str:
    sent = sum(file.name != TYPED_NAME for file in files)
    named = "1 file" if sent == 1 else f"{sent} files"
    typed = "what was typed" if sent < len(files) else ""
    return " and ".join(filter(None, [named if sent else "", typed]))


def _imported(asked: Asked, wish: Import) -> None:
    reports: list[FileReport] = asked.result
    good, bad = totals(reports)
    if not good:
        st.error("Nothing was imported because of the rows below.")
    else:
        tasks = "1 task" if good == 1 else f"{format_number(good)} tasks"
        batches = sum(len(each.report.batches) for each in reports)
        given = sum(len(each.report.assigned.created) for each in reports if each.report.assigned)
        many = f"{format_number(batches)} {'batch' if batches == 1 else 'batches'}"
        name = wish.wanted.campaign
        begin = f"“{name}” is created, with" if wish.wanted.new else f"“{name}” has received"
        people = "1 assignment" if given == 1 else f"{format_number(given)} assignments"
        end = f"{people} made." if given else "they are not assigned yet."
        st.success(literal(f"{begin} {tasks} in {many}; {end}"))
    if good and wish.wanted.protocol is not None and wish.wanted.protocol.pilot.enabled:
        st.caption(
            literal(
                f"To close a campaign to those who have not passed, choose “{wish.wanted.campaign}”"
                " as its “Pilot to pass first” when you create it. The results are under Pilots."
            )
        )
    if bad:
        st.caption("Left out:")
    show_reports(reports, "done")
    st.button("Done", type="primary", key=DONE, on_click=_done, args=(asked, bool(good)))


def _done(asked: Asked, made: bool) -> None:
    """Callback: back to the campaigns, showing the one with the tasks."""
    dismiss()
    if made:
        end_draft()
        st.session_state["campaign-next"] = asked.about
