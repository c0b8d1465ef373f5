"""Results of a campaign: agreement, accuracy and effort. Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.results.empty_results import next_step
from pagetrail.app.results.recheck_card import show_recheck
from pagetrail.app.results.report_computation import COMPUTE
from pagetrail.app.results.report_options import AGREEMENT, METRICS, VIEWS, choose_report
from pagetrail.app.results.report_view import show_report
from pagetrail.app.services.composition import services
from pagetrail.app.ui.computing import shared_result
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import drop_unavailable_choice, show_no_campaign, use_full_width
from pagetrail.exports.reports.agreement.annotator_answers import is_about_answers
from pagetrail.storage.campaigns.lookup import list_campaigns, protocol_of_campaign
from pagetrail.storage.progress.campaign_state import campaign_state

person = signed_in()
require_supervisor_screen(person, "results")
app = services()

use_full_width()
title, campaign_place, view_place = st.columns([3, 5, 4], vertical_alignment="bottom")
title.title(gettext("Results"))
campaigns = list_campaigns(app.workspace)
if not campaigns:
    show_no_campaign()
names = [row.name for row in campaigns]
with_results = [row.name for row in campaigns if row.submitted]
drop_unavailable_choice("campaign", names)
campaign = campaign_place.selectbox(
    gettext("Campaign"),
    names,
    index=names.index(with_results[0]) if with_results else 0,
    key="campaign",
    bind="query-params",
)
about_answers = is_about_answers(protocol_of_campaign(app.workspace, campaign))
view = view_place.segmented_control(
    gettext("View"),
    VIEWS,
    format_func=gettext,
    default=METRICS if about_answers else AGREEMENT,
    required=True,
    key="view",
    bind="query-params",
)
try:
    state = campaign_state(app.workspace, campaign)
    advice = next_step(state, agreement=view == AGREEMENT)
    if advice:
        st.info(advice, icon=":material/inbox:")
        st.stop()
    request, intervals = choose_report(app.workspace, campaign, state, agreement=view == AGREEMENT)
except PagetrailError as error:
    st.error(literal(error.message))
    st.stop()
report_title = (
    gettext("agreement in {campaign}", campaign=campaign)
    if view == AGREEMENT
    else gettext("accuracy and effort in {campaign}", campaign=campaign)
)
show_report(shared_result(app, request, COMPUTE, request, title=report_title), intervals=intervals)
show_recheck(app, campaign, state.version, request.identify)
