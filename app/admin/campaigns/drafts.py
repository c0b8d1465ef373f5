"""Models' drafts of a campaign's gold: importing them, and what reviewers made of them."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.campaigns.draft_computation import COMPUTE, DraftsRequest
from pagetrail.app.admin.campaigns.file_imports import DRAFTS, show_skipped_rows, start_import
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.storage.campaigns.gold_drafts import last_draft
from pagetrail.storage.campaigns.lookup import CampaignSummary
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.progress.campaign_state import campaign_state


def show_drafts(app: Services, campaign: CampaignSummary) -> None:
    """The upload, and the report once there are drafts."""
    st.caption(
        gettext(
            "A model’s proposals for gold: one row per task with an answer, pages, grades or "
            "boxes, and its reasons. Reviewers see them in a column of their own and take, edit "
            "or reject them; annotators never see them. The export answers-to-merge writes what a "
            "model needs to merge annotators’ answers."
        )
    )
    busy = job_view(app, DRAFTS)
    show_skipped_rows(app, DRAFTS, campaign.name)
    if campaign.status == ARCHIVED:
        st.info(
            gettext(
                "A campaign that is {status} can only be read. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
    else:
        _show_upload(campaign, busy=busy)
    _show_report(app, campaign.name)


def _show_upload(campaign: CampaignSummary, *, busy: bool) -> None:
    with st.container(horizontal=True, gap="small"):
        model = st.text_input(
            gettext("Model"),
            key=f"drafts-model-{campaign.name}",
            max_chars=MAX_CAMPAIGN_NAME,
            placeholder="qwen3-vl-32b",
            help=gettext("For rows that do not state theirs."),
        )
        version = st.text_input(
            gettext("Version"),
            key=f"drafts-version-{campaign.name}",
            max_chars=MAX_CAMPAIGN_NAME,
            help=gettext("Of the model or its prompt, likewise."),
        )
    file = st.file_uploader(gettext("Drafts"), type=TABLE_TYPES, key=f"drafts-file-{campaign.name}")
    st.button(
        gettext("Import the drafts"),
        type="primary",
        key="drafts-import",
        disabled=busy or file is None,
        on_click=start_import,
        args=(
            DRAFTS,
            campaign.name,
            f"Importing drafts into {campaign.name}",
            [] if file is None else [file],
            {"model": (model or "").strip(), "version": (version or "").strip()},
        ),
    )


def _show_report(app: Services, campaign: str) -> None:
    with app.workspace.engine.connect() as connection:
        last = last_draft(connection, campaign)
    if not last:
        return
    version = campaign_state(app.workspace, campaign).version
    request = DraftsRequest(app.workspace.root, campaign, version, last)
    prepared: PreparedReport = shared_result(
        app, request, COMPUTE, request, title=gettext("the use of drafts")
    )
    for table in prepared.tables:
        if table.table.rows:
            show_titled_table(prepared.report, table)
