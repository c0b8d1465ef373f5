"""Administration: setup, people, campaigns, batches, the collection, exports. Supervisors only."""

import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.batches import screen as batches
from pagetrail.app.admin.campaigns import screen as campaigns
from pagetrail.app.admin.collection import screen as collection
from pagetrail.app.admin.exporting import screen as exporting
from pagetrail.app.admin.people import screen as people
from pagetrail.app.admin.setup import screen as setup
from pagetrail.app.admin.setup.steps import is_set_up, setup_steps
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.page import drop_unavailable_choice, follow_english_link
from pagetrail.storage.progress.setup_state import setup_state

PARTS = {
    N_("Setup"): setup.show,
    N_("People"): people.show,
    N_("Campaigns"): campaigns.show,
    N_("Batches"): batches.show,
    N_("Collection"): collection.show,
    N_("Exports"): exporting.show,
}
_FIRST = "administration-first"

person = signed_in()
require_supervisor_screen(person, "administration")
app = services()

# Stacked in a narrow window.
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    st.title(gettext("Administration"), width="content")
    part_column = st.container(width="content")
names = list(PARTS)
if _FIRST not in st.session_state:  # once, so that it does not change during work
    ready = is_set_up(setup_steps(setup_state(app.workspace)))
    st.session_state[_FIRST] = "People" if ready else "Setup"
drop_unavailable_choice("part", names)  # Progress uses this key, too
follow_english_link("part", names)
selected = part_column.segmented_control(
    gettext("Section"),
    names,
    format_func=gettext,
    # Streamlit warns of a default beside a value that a button has set.
    default=None if "part" in st.session_state else st.session_state[_FIRST],
    required=True,
    key="part",
    bind="query-params",
)
part = selected or st.session_state[_FIRST]
if part != "Setup":
    setup.show_next(app, part)
PARTS[part](app, person)
