"""Replay: one attempt on a timeline, or two on a common clock, given in the address:
?attempt=…&with=…; without one there is a list to choose from. Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.components.replay import replay
from pagetrail.app.components.screen_keys import screen_keys
from pagetrail.app.replay.attempt_choice import (
    back_to_list,
    choose_attempt,
    choose_part,
    choose_second,
)
from pagetrail.app.replay.attempt_data import (
    question_of,
    replay_json,
    replay_side,
    signature,
    with_distinct_names,
)
from pagetrail.app.replay.attempt_details import show_answers, show_event_table, show_measures
from pagetrail.app.services.composition import services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.current_user import require_supervisor_screen, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.preferences import preferences_of

# The replay uses all the width and height available.
WIDE = "<style>.stMainBlockContainer { max-width: 110rem; padding-top: 4.5rem; }</style>"

person = signed_in()
require_supervisor_screen(person, "trajectory")
app = services()

st.html(WIDE)
attempt_id = st.query_params.get("attempt", "")
if not attempt_id:
    st.title(gettext("Replay"))
    choose_attempt(app)
    st.stop()

bar = st.container(horizontal=True, vertical_alignment="bottom", gap="large")
bar.title(gettext("Replay"), width="content")
bar.button(gettext("All attempts"), icon=":material/list:", on_click=back_to_list)
second_place = bar.container()
second = st.query_params.get("with") or None
try:
    part = choose_part(app, attempt_id)
    replays = [replay_side(app, attempt_id, part)]
    with second_place:
        selected = choose_second(app, attempt_id, second)
    if selected != second:
        if selected is None:
            st.query_params.pop("with", None)
        else:
            st.query_params["with"] = selected
    if selected is not None:
        replays.append(replay_side(app, selected, part))
except PagetrailError as error:
    st.error(literal(error.message))
    st.stop()

if not replays[0].replayed.script.moments:
    st.info(
        gettext("This task has not been started: there is nothing to replay."),
        icon=":material/inbox:",
    )
    st.stop()
replays = with_distinct_names(replays)
keys = preferences_of(app.workspace, person.id).keys
replay(
    [replay_json(replay_side) for replay_side in replays],
    question=question_of(replays),
    token=oversight_token(app, person),
    signature=signature(replays),
    keys=keys,
)
st.caption(
    gettext(
        "Blue pages were cited in the end. Grey periods are not working time: paused, tab "
        "hidden, idle, submitted. Three dots on the axis mark a gap that is played in 5 s. "
        "Keys: {keys}.",
        keys="; ".join(
            f"{' '.join(key['shown'])}: {key['label']}"
            for key in screen_keys("Replay", keys)
            if key["label"]
        ),
    )
)

st.subheader(gettext("Effort"))
show_measures(replays)
st.subheader(gettext("Submission and gold"))
show_answers(replays)
st.subheader(gettext("Events"))
show_event_table(replays)
