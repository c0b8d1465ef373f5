"""One attempt on its time line: what was searched, read, cited and answered. Supervisors only."""

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from annotation.errors import PagetrailError
from annotation.runs import without_times
from annotation.timeline import timeline
from annotation.timing import timing
from app.identity import signed_in, supervisors_only
from app.wiring import services
from storage import overview, queries

STATES = {
    "new": "Not begun",
    "open": "In work",
    "skipped": "Skipped",
    "answered": "Answered",
    "not_found": "No answer found",
    "unanswerable": "Unanswerable",
    "completed": "Done",
}


def _pages(places: Iterable[tuple[str, int]]) -> str:
    return "\n".join(f"{document}, page {page}" for document, page in places) or "No page"


def _seconds(ms: int, timed: bool) -> str:
    return f"{ms / 1000:.0f} s" if timed else "Unknown"


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
# Bound to the address by hand: a bound widget would put the label there, not the id.
wanted = st.query_params.get("attempt", "")
ids = list(labels)
attempt_id = st.selectbox(
    "Attempt",
    ids,
    index=ids.index(wanted) if wanted in labels else 0,
    format_func=lambda id_: labels[id_],
    key=f"attempt-{wanted}",
)
st.query_params["attempt"] = attempt_id
try:
    row = queries.attempt(app.workspace.engine, attempt_id)
except PagetrailError as error:
    st.error(error.message)
    st.stop()

events = list(app.log.events(attempt_id))
response = app.log.response(attempt_id)
times = timing(events)
timed = not without_times(events)
st.text(str(row.record.get("question", "")))
with st.container(horizontal=True):
    st.metric("State", STATES[response.outcome or response.status], border=True)
    st.metric("Searches", len(response.searches), border=True)
    st.metric("Page views", response.n_page_views, border=True)
    st.metric("Citations", len(response.citations), border=True)
    st.metric("Active time", _seconds(times.active_ms[60], timed), border=True)
    st.metric("Wall time", _seconds(times.wall_ms, timed), border=True)

st.subheader("What was handed in, and what is the gold?")
handed_in, gold = st.columns(2, gap="large")
with handed_in, st.container(border=True):
    st.caption("Handed in" if response.status == "submitted" else "So far")
    st.text("\n".join(response.answer) or "No answer")
    st.text(_pages((c.document, c.page) for c in response.citations))
    if response.note:
        st.caption("Note")
        st.text(response.note)
with gold, st.container(border=True):
    variants = row.record.get("answer_variants") or []
    st.caption("Gold")
    st.text("\nor\n".join("\n".join(variant) for variant in variants) or "No answer")
    st.text(_pages((p["document"], p["page"]) for p in row.record.get("evidence") or []))

st.subheader("What happened, and when?")
st.dataframe(
    pd.DataFrame(
        [
            {
                "Time (s)": entry.elapsed_ms / 1000 if timed else None,
                "What": entry.text,
                "Dwell (s)": None if entry.dwell_ms is None else entry.dwell_ms / 1000,
                "Idle (s)": entry.idle_ms / 1000 if entry.idle_ms else None,
            }
            for entry in timeline(events)
        ]
    ),
    hide_index=True,
    width="stretch",
    placeholder="",
    column_config={
        "Time (s)": st.column_config.NumberColumn(format="%.1f", width="small"),
        "What": st.column_config.TextColumn(width="large"),
        "Dwell (s)": st.column_config.NumberColumn(
            format="%.1f", width="small", help="How long the page was looked at."
        ),
        "Idle (s)": st.column_config.NumberColumn(
            format="%.1f", width="small", help="The part of a gap that is not working time."
        ),
    },
)
