"""Administration: people, campaigns, batches, the collection, exports. Supervisors only."""

import streamlit as st

from pagetrail.app.admin.batches import screen as batches
from pagetrail.app.admin.campaigns import screen as campaigns
from pagetrail.app.admin.collection import screen as collection
from pagetrail.app.admin.exporting import screen as exporting
from pagetrail.app.admin.people import screen as people
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import signed_in, supervisors_only

PARTS = {
    "People": people.show,
    "Campaigns": campaigns.show,
    "Batches": batches.show,
    "Collection": collection.show,
    "Exports": exporting.show,
}

person = signed_in()
supervisors_only(person, "administration")

title, part_place = st.columns([3, 8], vertical_alignment="bottom")
title.title("Administration")
names = list(PARTS)
part = part_place.segmented_control(
    "Section", names, default=names[0], required=True, key="part", bind="query-params"
)
PARTS[part](services(), person)
