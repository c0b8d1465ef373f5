"""One attempt on its time line: what was searched, read, cited and answered. Supervisors only."""

import pandas as pd
import streamlit as st

from annotation.errors import PagetrailError
from annotation.timeline import timeline
from annotation.timing import timing
from app.identity import signed_in, supervisors_only
from app.wiring import services
from storage import overview, queries

person = signed_in()
supervisors_only(person, "trajectory")
app = services()

st.title("Trajectory")
choices = overview.begun_attempts(app.workspace.engine)
if not choices:
    st.info("Nobody has begun a task yet.", icon=":material/inbox:")
    st.stop()
labels = {
    item.attempt_id: f"{item.campaign} · {item.code_name} · {item.user_name} · {item.question}"
    for item in choices
}
attempt_id = st.selectbox(
    "Attempt",
    list(labels),
    format_func=lambda id_: labels[id_],
    key="attempt",
    bind="query-params",
)
try:
    row = queries.attempt(app.workspace.engine, attempt_id)
except PagetrailError as error:
    st.error(error.message)
    st.stop()

events = list(app.log.events(attempt_id))
response = app.log.response(attempt_id)
times = timing(events)
st.text(str(row.record.get("question", "")))
with st.container(horizontal=True):
    st.metric("State", response.outcome or response.status, border=True)
    st.metric("Searches", len(response.searches), border=True)
    st.metric("Page views", response.n_page_views, border=True)
    st.metric("Citations", len(response.citations), border=True)
    st.metric("Active time", f"{times.active_ms[60] / 1000:.0f} s", border=True)
    st.metric("Wall time", f"{times.wall_ms / 1000:.0f} s", border=True)

left, right = st.columns([3, 2], gap="large")
with left:
    st.subheader("What happened, and when?")
    st.dataframe(
        pd.DataFrame(
            [
                {"Time (s)": entry.elapsed_ms / 1000, "What": entry.text, "Seq": entry.seq}
                for entry in timeline(events)
            ]
        ),
        hide_index=True,
        width="stretch",
        height=520,
        column_config={"Time (s)": st.column_config.NumberColumn(format="%.1f", width="small")},
    )
with right:
    st.subheader("What was handed in?")
    st.caption("Answer")
    st.text("\n".join(response.answer) or "none")
    st.caption("Evidence")
    st.text(
        "\n".join(f"{c.document}, page {c.page}" for c in response.citations) or "no page cited"
    )
    if response.note:
        st.caption("Note")
        st.text(response.note)
