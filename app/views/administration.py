"""Administration: people, campaigns, batches, the collection, exports. Supervisors only."""

import streamlit as st

from app.admin import batches, campaigns, collection, exporting, people
from app.identity import signed_in, supervisors_only
from app.wiring import services

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
    "Part", names, default=names[0], required=True, key="part", bind="query-params"
)
PARTS[part](services(), person)
