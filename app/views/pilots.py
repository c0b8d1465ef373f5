"""Pilots: who passes, which tasks cause errors, and who is admitted. Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.pilots.data import pilot_results
from pagetrail.app.pilots.decisions import NOTICE, PROBLEM
from pagetrail.app.pilots.overview import show_people, show_tasks
from pagetrail.app.pilots.person_view import show_person
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import use_full_width
from pagetrail.storage.pilots.overview import pilots

PEOPLE, TASKS, PERSON = N_("People"), N_("Tasks"), N_("One person")

person = signed_in()
require_supervisor_screen(person, "pilots")
app = services()
engine = app.workspace.engine

use_full_width()
title, campaign_place, view_place = st.columns([2, 5, 5], vertical_alignment="bottom")
title.title(gettext("Pilots"))
names = pilots(engine)
if not names:
    st.info(
        gettext(
            "There is no pilot yet. A pilot is a campaign whose tasks have gold and whose "
            "results decide who may work. Create one under Administration → Campaigns, of the "
            "kind *Pilot*, then create the production campaign with it as *Pilot to pass first*."
        ),
        icon=":material/inbox:",
    )
    st.stop()
campaign = campaign_place.selectbox(gettext("Pilot"), names, key="pilot", bind="query-params")
view = view_place.segmented_control(
    gettext("View"),
    (PEOPLE, TASKS, PERSON),
    format_func=gettext,
    default=PEOPLE,
    required=True,
    key="view",
    bind="query-params",
)
if PROBLEM in st.session_state:
    st.error(literal(st.session_state.pop(PROBLEM)))
if NOTICE in st.session_state:
    st.success(literal(st.session_state.pop(NOTICE)))
try:
    pilot = pilot_results(app, campaign)
    if not pilot.overview.people:
        st.info(
            gettext("Nobody has a batch of this pilot yet. Assign them under Administration."),
            icon=":material/inbox:",
        )
    elif view == PEOPLE:
        show_people(app, person, pilot)
    elif view == TASKS:
        show_tasks(app, person, pilot)
    else:
        show_person(app, person, pilot.overview)
except PagetrailError as error:
    st.error(literal(error.message))
