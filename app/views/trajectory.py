"""Replay: any attempt on a time line, or two on one clock. The address says which:
?attempt=…&with=…; without an attempt there is a list to choose from. Supervisors only."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.replay.builder import STEP_MS
from pagetrail.app.components.replay import replay
from pagetrail.app.replay.attempt_choice import choose_attempt, choose_second, leave
from pagetrail.app.replay.attempt_data import question_of, side, side_json, signature, told_apart
from pagetrail.app.replay.attempt_details import answers, event_table, figures
from pagetrail.app.services.composition import services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.current_user import signed_in, supervisors_only
from pagetrail.app.ui.markdown_escape import literal

# The replay has use for all the width and height that there are.
WIDE = "<style>.stMainBlockContainer { max-width: 110rem; padding-top: 4.5rem; }</style>"

person = signed_in()
supervisors_only(person, "trajectory")
app = services()

st.html(WIDE)
attempt_id = st.query_params.get("attempt", "")
if not attempt_id:
    st.title("Replay")
    choose_attempt(app)
    st.stop()

title, back, second_place = st.columns([2, 2, 7], vertical_alignment="bottom")
title.title("Replay")
back.button("All attempts", icon=":material/list:", on_click=leave)
second = st.query_params.get("with") or None
try:
    sides = [side(app, attempt_id)]
    with second_place:
        chosen = choose_second(app, attempt_id, second)
    if chosen != second:
        if chosen is None:
            st.query_params.pop("with", None)
        else:
            st.query_params["with"] = chosen
    if chosen is not None:
        sides.append(side(app, chosen))
except PagetrailError as error:
    st.error(literal(error.message))
    st.stop()

if not sides[0].replayed.script.moments:
    st.info(
        "This task has not been begun yet: there is nothing to replay.", icon=":material/inbox:"
    )
    st.stop()
sides = told_apart(sides)
replay(
    [side_json(shown) for shown in sides],
    question=question_of(sides),
    token=oversight_token(app, person),
    step_ms=STEP_MS,
    signature=signature(sides),
)
st.caption(
    "Pages in blue were cited in the end; grey stretches are no work: paused, tab hidden, idle, "
    "handed in. Three dots on the axis: a gap that is played as 5 s. Keys: space plays, ← and → go "
    "from event to event, + and − change the speed, Home and End."
)

st.subheader("What did it take?" if len(sides) == 1 else "What did it take each of them?")
figures(sides)
st.subheader("What was handed in, and what is the gold?")
answers(sides)
st.subheader("What happened, and when?")
event_table(sides)
