"""One campaign: its protocol, open work, closing, reopening, archiving, adding tasks."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.protocols.hot_keys import replaced_keys
from pagetrail.annotation.protocols.text import overview
from pagetrail.app.admin.actions import Asked, answer, ask, asked, dialog, do
from pagetrail.app.admin.campaigns.question_sources import question_sources
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES
from pagetrail.app.admin.campaigns.task_import import Import, import_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.campaigns.lifecycle import (
    OpenWork,
    archive_campaign,
    close_campaign,
    open_work,
    reopen_campaign,
)
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, needs_predictions
from pagetrail.storage.people.accounts import Person


def show_overview(app: Services, person: Person, one: CampaignSummary) -> None:
    """The campaign's protocol and the actions on it."""
    work = open_work(app.workspace, one.name)
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.status == "open":
            st.button(
                "Close", icon=":material/lock:", key="campaign-close", on_click=ask,
                args=("close", one.name),
            )  # fmt: skip
        else:
            st.button(
                "Reopen", icon=":material/lock_open:", key="campaign-reopen", on_click=do,
                args=(app, person, lambda: reopen_campaign(app.workspace, person, one.name)),
                kwargs={"done": f"{one.name} is open."},
            )  # fmt: skip
        if one.status != ARCHIVED:
            st.button(
                "Archive", icon=":material/archive:", key="campaign-archive", on_click=ask,
                args=("archive", one.name),
            )  # fmt: skip
        st.caption(literal(f"Open: {work.sentence()}." if work.batches else "No work is open."))
    protocol = protocol_of_campaign(app.workspace, one.name)
    replaced = replaced_keys(protocol)
    if replaced:
        st.warning(literal(" ".join(replaced)), icon=":material/keyboard:")
    st.code(overview(protocol) + f"seed        {one.seed}\n", language=None, wrap_lines=True)
    _dialogs(app, person, one, work)


def _dialogs(app: Services, person: Person, one: CampaignSummary, work: OpenWork) -> None:
    open_ = asked("close", "archive")
    if open_ is None or open_.about != one.name:
        return
    if open_.kind == "close":
        dialog(f"Close “{one.name}”?", open_, lambda a: _close(app, person, a, work))
    else:
        dialog(f"Archive “{one.name}”?", open_, lambda a: _archive(app, person, a, work))


def _close(app: Services, person: Person, asked: Asked, work: OpenWork) -> None:
    st.markdown("No more batches can be assigned and no more tasks added.")
    st.caption(
        literal(
            f"Open work can be finished: {work.sentence()}." if work.batches else "No work is open."
        )
        + " Reopening undoes it."
    )
    st.button(
        "Close the campaign", type="primary", key="close-go", on_click=answer,
        args=(
            app, person, asked, lambda: close_campaign(app.workspace, person, asked.about),
        ),
        kwargs={"done": f"{asked.about} is closed."},
    )  # fmt: skip


def _archive(app: Services, person: Person, asked: Asked, work: OpenWork) -> None:
    st.markdown(
        "It disappears from all lists and from My batches and becomes read-only: nobody can "
        "answer, decide or change anything. It can still be exported and reported on. Reopening "
        "undoes it."
    )
    sure = True
    if work.batches:
        st.warning(literal(f"This work would stay unfinished: {work.sentence()}."))
        sure = st.checkbox("Archive it with unfinished work", key="archive-sure")
    st.button(
        "Archive the campaign", type="primary", key="archive-go", disabled=not sure,
        on_click=answer,
        args=(
            app, person, asked,
            lambda: archive_campaign(
                app.workspace, person, asked.about, unfinished=bool(work.batches)
            ),
        ),
        kwargs={"done": f"{asked.about} is archived."},
    )  # fmt: skip


def show_more_tasks(app: Services, person: Person, one: CampaignSummary) -> None:
    """Add task files to an existing campaign as new batches."""
    open_ = asked("more")
    if one.status != "open":
        st.info(f"Tasks cannot be added to a campaign that is {one.status}. Reopen it first.")
        return
    protocol = protocol_of_campaign(app.workspace, one.name)
    st.caption("The tasks become new batches. Existing batches do not change.")
    files = question_sources(app, protocol, f"more-{one.name}")
    predictions = []
    if needs_predictions(protocol):
        predictions = st.file_uploader(
            "Results of systems, one file each", type=TABLE_TYPES, accept_multiple_files=True,
            key=f"more-predictions-{one.name}",
            help="Rows with id and answer. The file name without its ending names the system.",
        )  # fmt: skip
    st.button(
        "Check and add…", type="primary", key="more-check", disabled=not files, on_click=ask,
        args=("more", one.name),
    )  # fmt: skip
    if open_ is None or open_.about != one.name or not (files or open_.result):
        return
    wish = Import(CampaignImport(campaign=one.name), files, predictions)
    dialog(
        f"Add tasks to “{one.name}”?",
        open_,
        lambda asked: import_dialog(app, person, asked, wish),
        width="large",
    )
