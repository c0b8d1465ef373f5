"""Results of a campaign: do people agree, how right are they, at what cost? Supervisors only."""

import streamlit as st

from annotation.errors import PagetrailError
from app.choices import forget_stranger
from app.identity import signed_in, supervisors_only
from app.literal import literal
from app.page_width import wide
from app.results_choices import AGREEMENT, VIEWS, choose
from app.results_compute import report_of
from app.results_empty import what_to_do
from app.results_report import show_report
from app.wiring import services
from storage.campaign_state import campaign_state
from storage.campaigns import list_campaigns

person = signed_in()
supervisors_only(person, "results")
app = services()

wide()
title, campaign_place, view_place = st.columns([2, 5, 4], vertical_alignment="bottom")
title.title("Results")
campaigns = list_campaigns(app.workspace)
if not campaigns:
    st.info(
        "There is no campaign yet. Make one with `pagetrail import-tasks`.",
        icon=":material/inbox:",
    )
    st.stop()
names = [row.name for row in campaigns]
begun = [row.name for row in campaigns if row.submitted]
forget_stranger("campaign", names)
campaign = campaign_place.selectbox(
    "Campaign",
    names,
    index=names.index(begun[0]) if begun else 0,
    key="campaign",
    bind="query-params",
)
view = view_place.segmented_control(
    "What to see", VIEWS, default=AGREEMENT, required=True, key="view", bind="query-params"
)
try:
    state = campaign_state(app.workspace, campaign)
    advice = what_to_do(state, agreement=view == AGREEMENT)
    if advice:
        st.info(advice, icon=":material/inbox:")
        st.stop()
    wanted, intervals = choose(app.workspace, campaign, state, agreement=view == AGREEMENT)
    report = report_of(app.workspace, wanted)
except PagetrailError as error:
    st.error(literal(error.message))
    st.stop()
show_report(report, intervals=intervals)
