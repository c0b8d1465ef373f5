"""Administration of campaigns: the list, one campaign, and creating one."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import show_messages
from pagetrail.app.admin.campaigns.campaign_view import show_more_tasks, show_overview
from pagetrail.app.admin.campaigns.changeable_settings import show_hidden_checks, show_review_rule
from pagetrail.app.admin.campaigns.draft import is_drafting
from pagetrail.app.admin.campaigns.drafts import show_drafts
from pagetrail.app.admin.campaigns.file_imports import show_import, show_verdict_sets
from pagetrail.app.admin.campaigns.guidelines_editor import show_guidelines
from pagetrail.app.admin.campaigns.new_campaign import open_new_campaign, show_new
from pagetrail.app.admin.campaigns.price_table import show_prices
from pagetrail.app.admin.campaigns.sampling import show_sample
from pagetrail.app.admin.campaigns.task_list import show_tasks
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.batches.quality_preview import safe_sources
from pagetrail.storage.campaigns.lookup import CampaignSummary, list_campaigns
from pagetrail.storage.database.statuses import ARCHIVED, OPEN
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.overview import pilots

_CAMPAIGN_KEY = "campaign-which"
_VIEWS = (
    N_("Overview"),
    N_("Tasks"),
    N_("Guidelines"),
    N_("Review rule"),
    N_("Hidden checks"),
    N_("Add tasks"),
    N_("Runs and verdicts"),
    N_("Drafts"),
    N_("Sample"),
)


def show(app: Services, person: Person) -> None:
    """Show this section of the screen."""
    show_messages()
    campaigns = list_campaigns(app.workspace, archived=True)
    if is_drafting():
        show_new(
            app,
            person,
            [campaign.name for campaign in campaigns],
            pilots(app.workspace.engine),
            safe_sources(app.workspace),
        )
        return
    visible = _bar(campaigns)
    if not visible:
        st.info(
            gettext("There is no campaign yet. Create one with “New campaign”.")
            if not campaigns
            else gettext("All campaigns are archived. “Show archived” lists them."),
            icon=":material/inbox:",
        )
        return
    _campaign_table(visible)
    campaign = _campaign_choice(visible)
    if campaign is None:
        return
    view = st.segmented_control(
        gettext("View"),
        _VIEWS,
        format_func=gettext,
        default=_VIEWS[0],
        required=True,
        key="campaign-view",
        label_visibility="collapsed",
    )
    if view == "Overview":
        show_overview(app, person, campaign)
    elif view == "Tasks":
        show_tasks(app, campaign)
    elif view == "Guidelines":
        show_guidelines(app, person, campaign.name, archived=campaign.status == ARCHIVED)
    elif view == "Review rule":
        show_review_rule(app, person, campaign)
    elif view == "Hidden checks":
        show_hidden_checks(app, person, campaign)
    elif view == "Runs and verdicts":
        show_import(app, campaign, "import-run")
        show_import(app, campaign, "import-boxes")
        show_import(app, campaign, "import-verdicts", show_verdict_sets)
        show_prices(app)
    elif view == "Drafts":
        show_drafts(app, campaign)
    elif view == "Sample":
        show_sample(app, campaign)
    else:
        show_more_tasks(app, person, campaign)
        if campaign.status == OPEN:
            show_import(app, campaign, "import-elements")
        show_import(app, campaign, "import-patches")
        show_import(app, campaign, "import-tables")


def _bar(campaigns: list[CampaignSummary]) -> list[CampaignSummary]:
    archived = sum(campaign.status == ARCHIVED for campaign in campaigns)
    bar = st.container(horizontal=True, vertical_alignment="center")
    show_archived = bar.toggle(
        gettext("Show archived ({archived})", archived=archived),
        key="campaign-archived",
        disabled=not archived,
    )
    bar.space("stretch")
    bar.button(
        gettext("New campaign"), type="primary", icon=":material/add:", key="campaign-add",
        on_click=open_new_campaign,
    )  # fmt: skip
    return [campaign for campaign in campaigns if show_archived or campaign.status != ARCHIVED]


def _campaign_table(campaigns: list[CampaignSummary]) -> None:
    show_table(
        pd.DataFrame(
            {
                N_("Campaign"): [campaign.name for campaign in campaigns],
                N_("Preset"): [campaign.protocol for campaign in campaigns],
                N_("Status"): [gettext(campaign.status) for campaign in campaigns],
                N_("Tasks"): [campaign.tasks for campaign in campaigns],
                N_("Batches"): [campaign.batches for campaign in campaigns],
                N_("Assigned"): [campaign.assignments for campaign in campaigns],
                N_("Free slots"): [campaign.open_places for campaign in campaigns],
                N_("Submitted"): [campaign.submitted for campaign in campaigns],
                N_("Skipped"): [campaign.skipped for campaign in campaigns],
                N_("Of"): [campaign.expected for campaign in campaigns],
                N_("Progress"): [
                    100 * (campaign.submitted + campaign.skipped) / campaign.expected
                    if campaign.expected
                    else None
                    for campaign in campaigns
                ],
            }
        ),
        max_height=400,
        placeholder="–",
        on_select=partial(
            store_clicked,
            "campaigns-table",
            _CAMPAIGN_KEY,
            [campaign.name for campaign in campaigns],
        ),
        selection_mode="single-row",
        key="campaigns-table",
        column_config={
            "Campaign": st.column_config.TextColumn(width=230),
            "Assigned": st.column_config.NumberColumn(
                help=gettext("Batches that annotators have.")
            ),
            "Free slots": st.column_config.NumberColumn(
                help=gettext("Assignments that the campaign's overlap still asks for.")
            ),
            "Submitted": st.column_config.NumberColumn(
                help=gettext("Tasks submitted, counted once per annotator.")
            ),
            "Skipped": st.column_config.NumberColumn(
                help=gettext("Tasks skipped, counted once per annotator.")
            ),
            "Of": st.column_config.NumberColumn(
                help=gettext("Submissions expected from what is assigned.")
            ),
            "Progress": st.column_config.ProgressColumn(
                format="%.0f %%", min_value=0, max_value=100, help=gettext("Submitted or skipped.")
            ),
        },
    )


def _campaign_choice(campaigns: list[CampaignSummary]) -> CampaignSummary | None:
    names = [campaign.name for campaign in campaigns]
    if "campaign-next" in st.session_state:
        st.session_state[_CAMPAIGN_KEY] = st.session_state.pop("campaign-next")
    if st.session_state.get(_CAMPAIGN_KEY) not in names:
        st.session_state[_CAMPAIGN_KEY] = names[0] if len(names) == 1 else None
    name = st.selectbox(
        gettext("Campaign"),
        names,
        index=None,
        key=_CAMPAIGN_KEY,
        placeholder=gettext("Choose, or click a row"),
    )
    selected = next((campaign for campaign in campaigns if campaign.name == name), None)
    if selected is not None and selected.status != OPEN:
        st.caption(
            literal(
                gettext(
                    "{selected} is {status}.",
                    selected=selected.name,
                    status=gettext(selected.status),
                )
            )
        )
    return selected
