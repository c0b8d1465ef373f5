"""Progress of every campaign: batches, people, and what waits for a look. Supervisors only."""

import pandas as pd
import streamlit as st

from app.identity import signed_in, supervisors_only
from app.wiring import services
from storage import desks, overview

person = signed_in()
supervisors_only(person, "progress")
engine = services().workspace.engine

st.title("Progress")
rows = desks.assignments(engine)
if not rows:
    st.info(
        "No batch is assigned yet. Import tasks with `pagetrail import-tasks`, add people with "
        "`pagetrail users`, and assign with `pagetrail assign`.",
        icon=":material/inbox:",
    )
    st.stop()

campaigns = list(dict.fromkeys(row.campaign for row in rows))
campaign = st.selectbox("Campaign", campaigns, key="campaign", bind="query-params")
own = [row for row in rows if row.campaign == campaign]
tasks = sum(row.tasks for row in own)
handled = sum(row.handled for row in own)
with st.container(horizontal=True):
    st.metric("Tasks handed in", f"{handled} of {tasks}", border=True)
    st.metric("Submitted", sum(row.submitted for row in own), border=True)
    st.metric("Skipped", sum(row.skipped for row in own), border=True)
    st.metric("Flagged", sum(row.flagged for row in own), border=True)

st.subheader("Batches: who is how far?")
st.dataframe(
    pd.DataFrame(
        {
            "Batch": [row.code_name for row in own],
            "Annotator": [row.user_name for row in own],
            "Progress": [row.handled / row.tasks if row.tasks else 0.0 for row in own],
            "Submitted": [row.submitted for row in own],
            "Skipped": [row.skipped for row in own],
            "Begun": [row.opened for row in own],
            "Flagged": [row.flagged for row in own],
            "State": [row.status for row in own],
            "Last work": [
                pd.Timestamp(row.updated_at) if row.updated_at else pd.NaT for row in own
            ],
        }
    ),
    hide_index=True,
    width="stretch",
    placeholder="–",
    column_config={
        "Progress": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1),
        "Last work": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm"),
    },
)

st.subheader("Flagged and skipped: what needs a look?")
notable = overview.notable_attempts(engine, campaign)
if not notable:
    st.caption("Nothing is flagged or skipped.")
for item in notable:
    with st.container(border=True):
        st.markdown(f"**{item.code_name} · {item.user_name}** · {item.status}")
        st.text(item.question)
        st.text(item.remark)
        st.page_link(
            "views/trajectory.py",
            label="See the trajectory",
            icon=":material/timeline:",
            query_params={"attempt": item.attempt_id},
        )
