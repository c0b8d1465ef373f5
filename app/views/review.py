"""The review queue: tasks that need a reviewer, the largest differences first. The address selects
the view: ?campaign=…&among=…&pilots=…&status=…&part=…&who=…&inbatch=…&domain=…&flagged=…&
contradicts=…&text=…&page=….
Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.status import NEEDS_REVIEWER
from pagetrail.app.reviewing.bulk_acceptance import bulk_button
from pagetrail.app.reviewing.campaign_overview import campaign_overview
from pagetrail.app.reviewing.empty_queue import show_empty_queue
from pagetrail.app.reviewing.queue_address import PILOTS, next_task_filter
from pagetrail.app.reviewing.queue_filters import (
    available_campaigns,
    choose_campaigns,
    choose_filters,
    choose_status,
)
from pagetrail.app.reviewing.queue_table import open_task, show_queue
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import show_no_campaign, use_full_width
from pagetrail.app.ui.review_refresh import compare_within_click, continue_comparing
from pagetrail.storage.review.facets import facets, reviewed_campaigns, status_counts
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import first_free

person = signed_in()
require_supervisor_screen(person, "review")
app = services()
engine = app.workspace.engine

use_full_width()
title, campaign_place, pilots_place, suspect_place, bulk_place, button_place = st.columns(
    [2, 4, 2, 2.4, 2.8, 2.8], vertical_alignment="bottom"
)
title.title(gettext("Review"))
if not reviewed_campaigns(engine, pilots=True):
    show_no_campaign()
campaigns = available_campaigns(pilots_place, app.workspace)
if not campaigns:
    st.info(
        gettext("All campaigns are pilots. Their gold is known, so nothing has to be decided."),
        icon=":material/inbox:",
    )
    st.stop()
ids = choose_campaigns(campaign_place, campaigns)
selected_campaigns = {id_: name for name, id_ in campaigns.items() if id_ in ids}
if len(campaigns) > 1:
    campaign_overview(app, pilots=bool(st.session_state.get(PILOTS)))

try:
    remaining = compare_within_click(app, ids)
    counts = status_counts(engine, ids)
    continue_comparing(app, ids, remaining)
    statuses = choose_status(counts)
    filters = choose_filters(statuses, facets(engine, ids, statuses))
    next_one = first_free(engine, ids, next_task_filter(filters), app.clock.now(), person.name)
    if (
        button_place.button(
            gettext("Review the next one"),
            icon=":material/rule:",
            type="primary",
            width="stretch",
            disabled=next_one is None,
            help=gettext("The first task below that no other reviewer has taken."),
        )
        and next_one is not None
    ):
        open_task(next_one)
    with bulk_place:
        bulk_button(app, person, ids, filters)
    with suspect_place:
        st.page_link(
            "views/gold.py",
            label=gettext("Suspect gold"),
            icon=":material/troubleshoot:",
            query_params=[("campaign", name) for name in [*selected_campaigns.values()][:1]],
        )
    total = show_queue(app, selected_campaigns, filters, person.name)
    if not total:
        narrowed = filters != Filters(statuses=statuses)
        show_empty_queue(counts, is_queue=statuses == NEEDS_REVIEWER, is_filtered=narrowed)
except PagetrailError as error:
    st.error(literal(error.message))
