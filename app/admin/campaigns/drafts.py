"""Models' drafts of a campaign's gold: importing them, and what reviewers made of them."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.campaigns.draft_computation import COMPUTE, DraftsRequest
from pagetrail.app.admin.campaigns.file_imports import show_import
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.storage.campaigns.gold_drafts import last_draft
from pagetrail.storage.campaigns.lookup import CampaignSummary
from pagetrail.storage.progress.campaign_state import campaign_state


def show_drafts(app: Services, campaign: CampaignSummary) -> None:
    """The upload, and the report once there are drafts."""
    show_import(app, campaign, "import-drafts")
    _show_report(app, campaign.name)


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
