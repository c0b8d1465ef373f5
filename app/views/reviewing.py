"""One task under review, given in the address: ?task=…  Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.components.reviewing import reviewing
from pagetrail.app.services.addresses import BASE, HOME
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.preferences import preferences_of

MAX_DIGITS = 18
_FULL_SCREEN = """<style>
  .stMainBlockContainer { padding: 0 !important; max-width: none !important; }
</style>"""

person = signed_in()
require_supervisor_screen(person, "reviewing")
app = services()
task_param = st.query_params.get("task", "")


def _link_to_queue() -> None:
    st.page_link("views/review.py", label=gettext("Go to the review queue"), icon=":material/rule:")


if not task_param:
    st.title(gettext("Under review"))
    st.info(gettext("Choose a task in the review queue."), icon=":material/rule:")
    _link_to_queue()
    st.stop()

task_id = int(task_param) if task_param.isdecimal() and len(task_param) <= MAX_DIGITS else 0
try:
    app.reviews.streams.task_work(task_id)
except PagetrailError as error:
    st.title(gettext("This task cannot be opened"))
    st.error(literal(error.message))
    _link_to_queue()
    st.stop()

st.html(_FULL_SCREEN)  # after everything that may fail: the header would cover an error
keys = preferences_of(app.workspace, person.id).keys
reviewing(task_id, reviewer=person.id, home=HOME, base=f"/{BASE}" if BASE else "", keys=keys)
