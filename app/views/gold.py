"""Suspect gold of a campaign: confirm it, correct it, or drop its task. The address selects the
task: ?campaign=…&task=…. Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.reviewing.suspect_computation import COMPUTE
from pagetrail.app.reviewing.suspect_gold import choose_verdicts, show_check_queue
from pagetrail.app.services.composition import services
from pagetrail.app.ui.computing import shared_result
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import drop_unavailable_choice, show_no_campaign, use_full_width
from pagetrail.storage.campaigns.lookup import list_campaigns

person = signed_in()
require_supervisor_screen(person, "gold")
app = services()

use_full_width()
title, campaign_place, judge_place, people_place = st.columns(
    [3, 4, 2, 2], vertical_alignment="bottom"
)
title.title(gettext("Suspect gold"))
names = [row.name for row in list_campaigns(app.workspace)]
if not names:
    show_no_campaign()
drop_unavailable_choice("campaign", names)
campaign = campaign_place.selectbox(gettext("Campaign"), names, key="campaign", bind="query-params")
try:
    request = choose_verdicts(judge_place, people_place, app.workspace, campaign)
    queue = shared_result(
        app, request, COMPUTE, request, title=gettext("suspect gold of {name}", name=campaign)
    )
    show_check_queue(app, campaign, queue)
except PagetrailError as error:
    st.error(literal(error.message))
