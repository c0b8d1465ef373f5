"""The workspace screen of one task, given in the address: ?attempt=…&document=…&page=…"""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.components.workspace import workspace
from pagetrail.app.services.addresses import BASE, HOME
from pagetrail.app.services.composition import services
from pagetrail.app.services.practice import practising_person
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.workspace.annotator_actions import attempt_to_open
from pagetrail.app.workspace.fallback_transport import answer_outbox, last_reply
from pagetrail.app.workspace.guidelines_first import show_guidelines_first
from pagetrail.app.workspace.payload import attempt_payload
from pagetrail.app.workspace.tour import is_tour_due
from pagetrail.storage.attempts.queries import attempt
from pagetrail.storage.batches.open_close import require_not_withdrawn
from pagetrail.storage.people.preferences import preferences_of

KEY = "workspace"
_FULL_SCREEN = """<style>
  .stMainBlockContainer { padding: 0 !important; max-width: none !important; }
</style>"""

person = signed_in()
app = services()
attempt_id = st.query_params.get("attempt", "")
practising = st.query_params.get("practice") == "1"
document = st.query_params.get("document", "")
number = st.query_params.get("page", "")

try:
    if practising:
        app, person = app.practice.open(), practising_person(person)
    row = attempt_to_open(app, person, attempt_id)
    if row.assignment_id is not None:
        require_not_withdrawn(app.workspace.engine, row.assignment_id)
except PagetrailError as error:
    st.title(gettext("This task cannot be opened"))
    st.error(literal(error.message))
    if error.code == "taken":
        task = attempt(app.workspace.engine, attempt_id).task_id
        st.page_link(
            "views/reviewing.py",
            label=gettext("Go to the task under review"),
            icon=":material/rule:",
            query_params={"task": str(task)},
        )
    else:
        st.page_link(
            "views/batches.py", label=gettext("Go to My batches"), icon=":material/inventory_2:"
        )
    st.stop()

if show_guidelines_first(app, person, row):
    st.stop()

if document:
    document = app.corpus.stored_name(document)
link = (document, int(number)) if document and number.isdecimal() else None
info = app.corpus.document(document) if link else None
if info is None or not 1 <= int(number) <= info.n_pages:
    link = None

keys = preferences_of(services().workspace, person.id).keys
data = attempt_payload(app, person, row, link)
st.html(_FULL_SCREEN)  # after everything that may fail: the header would cover an error
workspace(
    data,
    home=HOME,
    base=f"/{BASE}" if BASE else "",
    tour=is_tour_due(services(), person, attempt_id),
    reply=last_reply(),
    keys=keys,
    on_outbox=lambda: answer_outbox(KEY, practising=practising),
    key=KEY,
)
