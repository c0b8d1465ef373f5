"""One campaign: its protocol, open work, closing, reopening, archiving, adding tasks."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.hot_keys import replaced_keys
from pagetrail.annotation.protocols.text import overview
from pagetrail.app.admin.actions import (
    DialogState,
    action_button,
    answer_button,
    current_dialog,
    dialog_button,
    show_dialog,
)
from pagetrail.app.admin.campaigns.question_sources import question_sources
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES
from pagetrail.app.admin.campaigns.task_import import TaskImport, import_dialog
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
from pagetrail.storage.database.statuses import ARCHIVED, OPEN
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, needs_predictions
from pagetrail.storage.people.accounts import Person


def show_overview(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """The campaign's protocol and the actions on it."""
    unfinished = open_work(app.workspace, campaign.name)
    with st.container(horizontal=True, vertical_alignment="center"):
        if campaign.status == OPEN:
            dialog_button(
                gettext("Close"), "campaign-close", "close", campaign.name, icon=":material/lock:"
            )
        else:
            action_button(
                gettext("Reopen"),
                "campaign-reopen",
                app,
                person,
                lambda: reopen_campaign(app.workspace, person, campaign.name),
                gettext("{campaign} is open.", campaign=campaign.name),
                icon=":material/lock_open:",
            )
        if campaign.status != ARCHIVED:
            dialog_button(
                gettext("Archive"),
                "campaign-archive",
                "archive",
                campaign.name,
                icon=":material/archive:",
            )
        st.caption(
            literal(
                gettext("Open: {work}.", work=unfinished.sentence())
                if unfinished.batches
                else gettext("No work is open.")
            )
        )
    protocol = protocol_of_campaign(app.workspace, campaign.name)
    replaced = replaced_keys(protocol)
    if replaced:
        st.warning(literal(" ".join(replaced)), icon=":material/keyboard:")
    st.code(overview(protocol) + f"seed        {campaign.seed}\n", language=None, wrap_lines=True)
    _dialogs(app, person, campaign, unfinished)


def _dialogs(
    app: Services, person: Person, campaign: CampaignSummary, unfinished: OpenWork
) -> None:
    opened = current_dialog("close", "archive")
    if opened is None or opened.subject != campaign.name:
        return
    if opened.kind == "close":
        title, form = gettext("Close “{campaign}”?", campaign=campaign.name), _close_form
    else:
        title, form = gettext("Archive “{campaign}”?", campaign=campaign.name), _archive_form
    show_dialog(title, opened, lambda state: form(app, person, state, unfinished))


def _close_form(app: Services, person: Person, state: DialogState, unfinished: OpenWork) -> None:
    st.markdown(gettext("No more batches can be assigned and no more tasks added."))
    st.caption(
        literal(
            gettext(
                "Open work can be finished: {work}. Reopening undoes it.",
                work=unfinished.sentence(),
            )
            if unfinished.batches
            else gettext("No work is open. Reopening undoes it.")
        )
    )
    answer_button(
        gettext("Close the campaign"),
        "close-go",
        app,
        person,
        state,
        lambda: close_campaign(app.workspace, person, state.subject),
        success_message=gettext("{subject} is closed.", subject=state.subject),
    )


def _archive_form(app: Services, person: Person, state: DialogState, unfinished: OpenWork) -> None:
    st.markdown(
        gettext(
            "It disappears from all lists and from My batches and becomes read-only: nobody "
            "can answer, decide or change anything. It can still be exported and reported on. "
            "Reopening undoes it."
        )
    )
    confirmed = True
    if unfinished.batches:
        st.warning(
            literal(gettext("This work would stay unfinished: {work}.", work=unfinished.sentence()))
        )
        confirmed = st.checkbox(gettext("Archive it with unfinished work"), key="archive-sure")
    answer_button(
        gettext("Archive the campaign"),
        "archive-go",
        app,
        person,
        state,
        lambda: archive_campaign(
            app.workspace, person, state.subject, unfinished=bool(unfinished.batches)
        ),
        success_message=gettext("{subject} is archived.", subject=state.subject),
        disabled=not confirmed,
    )


def show_more_tasks(app: Services, person: Person, campaign: CampaignSummary) -> None:
    """Add task files to an existing campaign as new batches."""
    opened = current_dialog("more")
    if campaign.status != OPEN:
        st.info(
            gettext(
                "Tasks cannot be added to a campaign that is {status}. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
        return
    protocol = protocol_of_campaign(app.workspace, campaign.name)
    st.caption(gettext("The tasks become new batches. Existing batches do not change."))
    files = question_sources(app, protocol, f"more-{campaign.name}")
    predictions = []
    if needs_predictions(protocol):
        predictions = st.file_uploader(
            gettext("Results of systems, one file each"),
            type=TABLE_TYPES,
            accept_multiple_files=True,
            key=f"more-predictions-{campaign.name}",
            help=gettext(
                "Rows with id and answer. The file name without its ending names the system."
            ),
        )
    dialog_button(
        gettext("Check and add…"),
        "more-check",
        "more",
        campaign.name,
        disabled=not files,
        is_primary=True,
    )
    if opened is None or opened.subject != campaign.name or not (files or opened.result):
        return
    task_import = TaskImport(CampaignImport(campaign=campaign.name), files, predictions)
    show_dialog(
        gettext("Add tasks to “{campaign}”?", campaign=campaign.name),
        opened,
        lambda state: import_dialog(app, person, state, task_import),
        width="large",
    )
