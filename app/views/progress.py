"""Progress of a campaign: completion, pace, time, agreement, and tasks waiting for review.
The address selects the view: ?campaign=…&batch=…&annotator=…. Supervisors only."""

from dataclasses import replace

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.progress.data import (
    campaign_summary,
    campaign_view,
    prefetch_agreement,
    quality_report,
)
from pagetrail.app.progress.flagged_and_skipped import show_flagged_and_skipped
from pagetrail.app.progress.sections import show_tabs
from pagetrail.app.progress.summary import (
    show_alerts,
    show_excluded,
    show_review_links,
    show_summary,
)
from pagetrail.app.reviewing.campaign_overview import link_to_all_campaigns
from pagetrail.app.reviewing.queue_address import PILOT
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import drop_unavailable_choice, show_no_campaign, use_full_width
from pagetrail.app.ui.review_refresh import compare_within_click, continue_comparing
from pagetrail.storage.campaigns.excluded_tasks import count_excluded
from pagetrail.storage.review.facets import reviewed_campaigns

person = signed_in()
require_supervisor_screen(person, "progress")
app = services()

use_full_width()
title, campaign_place, batch_place, annotator_place = st.columns(
    [4, 4, 3, 3], vertical_alignment="bottom"
)
title.title(gettext("Progress"))
names = list(reviewed_campaigns(app.workspace.engine, pilots=True))
if not names:
    show_no_campaign()
drop_unavailable_choice("campaign", names)
campaign = campaign_place.selectbox(gettext("Campaign"), names, key="campaign", bind="query-params")

try:
    selection = campaign_view(app, campaign)
    remaining = selection.moment.to_do
    if any(remaining):
        remaining = compare_within_click(app, [selection.campaign.id])
        selection = campaign_view(app, campaign)
    whole_campaign = campaign_summary(app, selection)
    batch = batch_place.selectbox(
        gettext("Batch"),
        whole_campaign.batches,
        index=None,
        placeholder=gettext("All batches"),
        key="batch",
        bind="query-params",
    )
    annotator = annotator_place.selectbox(
        gettext("Annotator"),
        whole_campaign.people,
        index=None,
        placeholder=gettext("All annotators"),
        key="annotator",
        bind="query-params",
    )
    selection = replace(selection, batch=batch, person=annotator)
    summary = campaign_summary(app, selection)
    continue_comparing(app, [selection.campaign.id], remaining)
    if not whole_campaign.people:
        st.info(
            gettext("No batch is assigned yet. Assign batches under Administration."),
            icon=":material/inbox:",
        )
    show_summary(summary)
    show_excluded(count_excluded(app.workspace, campaign))
    is_pilot = selection.campaign.protocol.pilot.enabled
    with show_review_links(summary, campaign, {PILOT: campaign} if is_pilot else None):
        link_to_all_campaigns(app, reviewed_campaigns(app.workspace.engine))
    if selection.campaign.protocol.quality.rate:
        show_alerts(quality_report(app, selection).alerts)
    show_tabs(app, selection, summary)
    show_flagged_and_skipped(app, selection, person)
    prefetch_agreement(app, selection)
except PagetrailError as error:
    st.error(literal(error.message))
