"""Progress of a campaign: completion, pace, time, agreement, and tasks waiting for review.
The address selects the view: ?campaign=…&batch=…&annotator=…. Supervisors only."""

from dataclasses import replace

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.progress.data import head_of, quality_of, shown, work_ahead
from pagetrail.app.progress.flagged_and_skipped import show_notable
from pagetrail.app.progress.sections import show_tabs
from pagetrail.app.progress.summary import show_alerts, show_head, show_ways
from pagetrail.app.reviewing.campaign_overview import link_to_all
from pagetrail.app.reviewing.queue_address import PILOT
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import signed_in, supervisors_only
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.no_campaign import no_campaign
from pagetrail.app.ui.page_width import wide
from pagetrail.app.ui.review_refresh import settle_first, settle_on
from pagetrail.app.ui.widget_state import forget_stranger
from pagetrail.storage.review.facets import reviewed_campaigns

person = signed_in()
supervisors_only(person, "progress")
app = services()

wide()
title, campaign_place, batch_place, annotator_place = st.columns(
    [3, 4, 3, 3], vertical_alignment="bottom"
)
title.title("Progress")
names = list(reviewed_campaigns(app.workspace.engine, pilots=True))
if not names:
    no_campaign()
forget_stranger("campaign", names)
campaign = campaign_place.selectbox("Campaign", names, key="campaign", bind="query-params")

try:
    wanted = shown(app, campaign)
    left = wanted.moment.to_do
    if any(left):
        left = settle_first(app, [wanted.campaign.id])
        wanted = shown(app, campaign)
    everything = head_of(app, wanted)
    batch = batch_place.selectbox(
        "Batch", everything.batches, index=None, placeholder="All batches", key="batch",
        bind="query-params",
    )  # fmt: skip
    annotator = annotator_place.selectbox(
        "Annotator", everything.people, index=None, placeholder="All annotators",
        key="annotator", bind="query-params",
    )  # fmt: skip
    wanted = replace(wanted, batch=batch, person=annotator)
    found = head_of(app, wanted)
    settle_on(app, [wanted.campaign.id], left)
    if not everything.people:
        st.info(
            "No batch is assigned yet. Assign batches under Administration.",
            icon=":material/inbox:",
        )
    show_head(found)
    is_pilot = wanted.campaign.protocol.pilot.enabled
    with show_ways(found, campaign, {PILOT: campaign} if is_pilot else None):
        link_to_all(app, reviewed_campaigns(app.workspace.engine))
    if wanted.campaign.protocol.quality.rate:
        show_alerts(quality_of(app, wanted).alerts)
    show_tabs(app, wanted, found)
    show_notable(app, wanted, person)
    work_ahead(app, wanted)
except PagetrailError as error:
    st.error(literal(error.message))
