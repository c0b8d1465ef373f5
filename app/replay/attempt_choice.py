"""Choosing what to replay: filters in the address, a paged list, and a second attempt."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.app.replay.attempt_data import STATES
from pagetrail.app.replay.part_computation import events_of_part, parts_of
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number, time_column
from pagetrail.storage.attempts import replay_lists as replays
from pagetrail.storage.attempts.replay_lists import AttemptFilter, ListedAttempt

PAGE = 25
_LONGEST_LABEL = 90
_STATES = ("open", "answered", "not_found", "unanswerable", "completed", "skipped")


def choose_attempt(app: Services) -> None:
    """The list; choosing a row puts the attempt into the address."""
    wanted = _filters(app)
    place = st.container()
    found = replays.find(app.workspace.engine, wanted, limit=PAGE, offset=_offset(wanted))
    if not found.rows and _page() > 1:
        st.session_state["replay-page"] = 1
        found = replays.find(app.workspace.engine, wanted, limit=PAGE)
    if not found.rows:
        nothing = wanted == AttemptFilter()
        st.info(
            "No task has been started yet. Assign a batch, or import an agent's run."
            if nothing
            else "No attempts match. Remove a filter.",
            icon=":material/inbox:",
        )
        return
    with place:
        noun = "attempt" if found.total == 1 else "attempts"
        st.caption(
            f"{format_number(found.total)} {noun}, the latest first. Choose a row to replay it."
        )
    event = st.dataframe(
        pd.DataFrame([_choice_row(item) for item in found.rows]),
        hide_index=True,
        width="stretch",
        key="replay-list",
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Question": st.column_config.TextColumn(width="large"),
            "Last work": time_column(),
            "Searches": st.column_config.NumberColumn(width="small"),
            "Citations": st.column_config.NumberColumn(width="small"),
        },
    )
    chosen = event.selection.rows
    if chosen and chosen[0] < len(found.rows):
        open_attempt(found.rows[chosen[0]].attempt_id)
    pages = -(-found.total // PAGE)
    if pages > 1:
        st.number_input(
            f"Page (1 to {format_number(pages)})", 1, pages, key="replay-page", width=160
        )


def open_attempt(attempt_id: str) -> None:
    """Callback: open that attempt's replay."""
    st.query_params["attempt"] = attempt_id
    st.rerun()


def leave() -> None:
    """Callback: back to the list."""
    for name in ("attempt", "with"):
        st.query_params.pop(name, None)


def choose_part(app: Services, attempt_id: str) -> int:
    """Choose a part of a long attempt, from 0; an attempt that is not long has one."""
    events = replays.last_seq(app.workspace.engine, attempt_id)
    parts = parts_of(events)
    if parts == 1:
        return 0

    def label(part: int) -> str:
        first, last = events_of_part(part, events)
        return f"{format_number(first)} to {format_number(last)}"

    part: int = st.selectbox(
        f"Events of {format_number(events)}",
        range(parts),
        format_func=label,
        key=f"part-{attempt_id}",
        width=260,
        help="A long attempt is replayed in parts. “Effort” is of the whole attempt.",
    )
    return part


def choose_second(app: Services, attempt_id: str, second: str | None) -> str | None:
    """Choose an attempt to compare with; others at the same task are offered first."""
    offered = {
        item.attempt_id: _label(item)
        for item in replays.related_attempts(app.workspace.engine, attempt_id)
    }
    if second is not None and second not in offered and second != attempt_id:
        offered = {second: "The attempt in the address", **offered}
    ids = list(offered)
    chosen: str | None = st.selectbox(
        "Compare with",
        ids,
        index=ids.index(second) if second in offered else None,
        format_func=lambda id_: offered.get(id_, id_),
        placeholder="Choose another attempt" if ids else "There is no other attempt",
        disabled=not ids,
        # One key per address, which decides even if another attempt was on screen.
        key=f"with-{attempt_id}-{second}",
    )
    return chosen


def _filters(app: Services) -> AttemptFilter:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        every = replays.choices(app.workspace.engine)
        campaign = _one_of("Campaign", every.campaigns, "campaign", 260)
        here = replays.choices(app.workspace.engine, campaign) if campaign else every
        batch = _one_of("Batch", here.batches, "batch", 140)
        user = _one_of("Annotator or system", here.users, "who", 180)
        state = st.selectbox(
            "State",
            _STATES,
            index=None,
            format_func=STATES.__getitem__,
            placeholder="Any",
            key="state",
            bind="query-params",
            width=170,
        )
        text = st.text_input(
            "Question contains", key="text", bind="query-params", placeholder="Any words", width=200
        )
        flagged = st.toggle("Flagged only", key="flagged", bind="query-params")
        wrong = st.toggle(
            "Wrong only",
            key="wrong",
            bind="query-params",
            disabled=campaign is None,
            help="Answers that do not match the task’s gold answers. Choose a campaign first.",
        )
    return AttemptFilter(
        campaign=campaign,
        batch=batch,
        user=user,
        state=state,
        flagged=flagged,
        wrong=wrong,
        text=(text or "").strip()[:200],
    )


def _one_of(label: str, options: list[str], key: str, width: int) -> str | None:
    chosen: str | None = st.selectbox(
        label, options, index=None, placeholder="Any", key=key, bind="query-params", width=width
    )
    return chosen


def _page() -> int:
    return int(st.session_state.get("replay-page", 1))


def _offset(wanted: AttemptFilter) -> int:
    """Offset of the page; a changed filter starts at the first page."""
    if st.session_state.get("replay-wanted") != wanted:
        st.session_state["replay-wanted"] = wanted
        st.session_state["replay-page"] = 1
    return (_page() - 1) * PAGE


def _choice_row(item: ListedAttempt) -> dict[str, object]:
    return {
        "Question": item.question or "No question",
        "Who": f"{item.user_name} (system)" if item.system else item.user_name,
        "State": STATES.get(item.state, item.state) + (", flagged" if item.flagged else ""),
        "Searches": item.n_searches,
        "Citations": item.n_citations,
        "Campaign": item.campaign,
        "Batch": item.code_name,
        "Last work": pd.Timestamp(item.updated_at) if item.updated_at else None,
    }


def _label(item: ListedAttempt) -> str:
    who = f"{item.user_name} (system)" if item.system else item.user_name
    state = STATES.get(item.state, item.state).lower()
    if item.same_task:
        return f"{who} · same task · {state}"
    return f"{who} · {state} · {item.question}"[:_LONGEST_LABEL]
