"""The queue of review: which tasks need a person, those that differ most first. The address says
what is seen: ?campaign=…&status=…&part=…&who=…&inbatch=…&domain=…&flagged=…&text=…&page=….
Supervisors only."""

import streamlit as st

from annotation.errors import PagetrailError
from annotation.review.standing import NEEDS_A_PERSON
from app.choices import forget_stranger
from app.identity import signed_in, supervisors_only
from app.literal import literal
from app.page_width import wide
from app.review_address import ahead
from app.review_empty import nothing_here
from app.review_filters import choose, choose_status
from app.review_table import open_task, show_queue
from app.review_work import AT_ONCE_S, compare_on
from app.wiring import services
from storage.review_facets import facets, reviewed_campaigns, status_counts
from storage.review_filters import Filters
from storage.review_queue import first_free

person = signed_in()
supervisors_only(person, "review")
app = services()
engine = app.workspace.engine

wide()
title, campaign_place, button_place = st.columns([2, 5, 3], vertical_alignment="bottom")
title.title("Review")
campaigns = reviewed_campaigns(engine)
if not campaigns:
    st.info(
        "There is no campaign yet. Make one under Administration, or with "
        "`pagetrail import-tasks`.",
        icon=":material/inbox:",
    )
    st.stop()
forget_stranger("campaign", campaigns)
campaign = campaign_place.selectbox(
    "Campaign", list(campaigns), key="campaign", bind="query-params"
)
campaign_id = campaigns[campaign]

try:
    app.reviews.settle(campaign_id, budget_s=AT_ONCE_S)
    counts = status_counts(engine, campaign_id)
    compare_on(app, campaign_id)
    statuses = choose_status(counts)
    filters = choose(statuses, facets(engine, campaign_id, statuses))
    next_one = first_free(engine, campaign_id, ahead(filters), app.clock.now(), person.name)
    if (
        button_place.button(
            "Review the next one",
            icon=":material/rule:",
            type="primary",
            width="stretch",
            disabled=next_one is None,
            help="The first task below that nobody else has taken.",
        )
        and next_one is not None
    ):
        open_task(next_one)
    total = show_queue(app, campaign_id, filters, person.name)
    if not total:
        narrowed = filters != Filters(statuses=statuses)
        nothing_here(counts, queue=statuses == NEEDS_A_PERSON, narrowed=narrowed)
except PagetrailError as error:
    st.error(literal(error.message))
