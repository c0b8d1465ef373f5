"""Chooses what to replay: filters in the address, a paged list, and a second attempt."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.replay.attempt_data import STATES
from pagetrail.app.replay.part_computation import count_parts, event_range
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_count, format_number, time_column
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.attempts import replay_lists as replays
from pagetrail.storage.attempts.replay_lists import AttemptFilter, ListedAttempt

PAGE = 25
_LONGEST_LABEL = 90
_STATES = ("open", "answered", "not_found", "unanswerable", "completed", "skipped")


def choose_attempt(app: Services) -> None:
    """The list; choosing a row puts the attempt into the address."""
    filters = _filters(app)
    caption_container = st.container()
    attempts = replays.find(app.workspace.engine, filters, limit=PAGE, offset=_offset(filters))
    if not attempts.rows and _page() > 1:
        st.session_state["replay-page"] = 1
        attempts = replays.find(app.workspace.engine, filters, limit=PAGE)
    if not attempts.rows:
        is_unfiltered = filters == AttemptFilter()
        st.info(
            gettext("No task has been started yet. Assign a batch, or import an agent's run.")
            if is_unfiltered
            else gettext("No attempts match. Remove a filter."),
            icon=":material/inbox:",
        )
        return
    with caption_container:
        st.caption(
            format_count(
                "{number} attempt. Choose a row to replay it.",
                "{number} attempts, the latest first. Choose a row to replay it.",
                attempts.total,
            )
        )
    event = show_table(
        pd.DataFrame([_choice_row(item) for item in attempts.rows]),
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
    selected_rows = event.selection.rows
    if selected_rows and selected_rows[0] < len(attempts.rows):
        open_attempt(attempts.rows[selected_rows[0]].attempt_id)
    pages = -(-attempts.total // PAGE)
    if pages > 1:
        st.number_input(
            gettext("Page (1 to {pages})", pages=format_number(pages)),
            1,
            pages,
            key="replay-page",
            width=160,
        )


def open_attempt(attempt_id: str) -> None:
    """Callback: open that attempt's replay."""
    st.query_params["attempt"] = attempt_id
    st.rerun()


def back_to_list() -> None:
    """Callback: return to the list."""
    for name in ("attempt", "with"):
        st.query_params.pop(name, None)


def choose_part(app: Services, attempt_id: str) -> int:
    """Choose a part of a long attempt, from 0; short attempts have a single part."""
    events = replays.last_seq(app.workspace.engine, attempt_id)
    parts = count_parts(events)
    if parts == 1:
        return 0

    def label(part: int) -> str:
        first, last = event_range(part, events)
        return f"{format_number(first)} to {format_number(last)}"

    part: int = st.selectbox(
        gettext("Events of {events}", events=format_number(events)),
        range(parts),
        format_func=label,
        key=f"part-{attempt_id}",
        width=260,
        help=gettext("Long attempts are replayed in parts. “Effort” covers the whole attempt."),
    )
    return part


def choose_second(app: Services, attempt_id: str, second: str | None) -> str | None:
    """Choose an attempt to compare with; others at the same task are offered first."""
    candidates = {
        item.attempt_id: _label(item)
        for item in replays.related_attempts(app.workspace.engine, attempt_id)
    }
    if second is not None and second not in candidates and second != attempt_id:
        candidates = {second: gettext("The attempt in the address"), **candidates}
    if not candidates:
        st.caption(gettext("There is no other attempt to compare with."))
        return None
    ids = list(candidates)
    selected: str | None = st.selectbox(
        gettext("Compare with"),
        ids,
        index=ids.index(second) if second in candidates else None,
        format_func=lambda id_: candidates.get(id_, id_),
        placeholder=gettext("Choose another attempt"),
        # One key per address, so that the address decides.
        key=f"with-{attempt_id}-{second}",
    )
    return selected


def _filters(app: Services) -> AttemptFilter:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        all_choices = replays.choices(app.workspace.engine)
        campaign = _optional_choice(gettext("Campaign"), all_choices.campaigns, "campaign", 260)
        campaign_choices = (
            replays.choices(app.workspace.engine, campaign) if campaign else all_choices
        )
        batch = _optional_choice(gettext("Batch"), campaign_choices.batches, "batch", 140)
        user = _optional_choice(gettext("Annotator or system"), campaign_choices.users, "who", 180)
        state = st.selectbox(
            gettext("State"),
            _STATES,
            index=None,
            format_func=lambda state: gettext(STATES[state]),
            placeholder=gettext("Any"),
            key="state",
            bind="query-params",
            width=170,
        )
        text = st.text_input(
            gettext("Question contains"),
            key="text",
            bind="query-params",
            placeholder=gettext("Any words"),
            width=200,
        )
        flagged = st.toggle(gettext("Flagged only"), key="flagged", bind="query-params")
        wrong = st.toggle(
            gettext("Wrong only"),
            key="wrong",
            bind="query-params",
            disabled=campaign is None,
            help=gettext(
                "Answers that do not match the task’s gold answers. Choose a campaign first."
            ),
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


def _optional_choice(label: str, options: list[str], key: str, width: int) -> str | None:
    selected: str | None = st.selectbox(
        label,
        options,
        index=None,
        placeholder=gettext("Any"),
        key=key,
        bind="query-params",
        width=width,
    )
    return selected


def _page() -> int:
    return int(st.session_state.get("replay-page", 1))


def _offset(filters: AttemptFilter) -> int:
    """Offset of the page; a changed filter starts at the first page."""
    if st.session_state.get("replay-filters") != filters:
        st.session_state["replay-filters"] = filters
        st.session_state["replay-page"] = 1
    return (_page() - 1) * PAGE


def _choice_row(item: ListedAttempt) -> dict[str, object]:
    return {
        N_("Question"): item.question or gettext("No question"),
        N_("Who"): _name(item),
        N_("State"): gettext("{state}, flagged", state=_state(item))
        if item.flagged
        else _state(item),
        N_("Searches"): item.n_searches,
        N_("Citations"): item.n_citations,
        N_("Campaign"): item.campaign,
        N_("Batch"): item.code_name,
        N_("Last work"): pd.Timestamp(item.updated_at) if item.updated_at else None,
    }


def _label(item: ListedAttempt) -> str:
    name, state = _name(item), _state(item)
    if item.same_task:
        return gettext("{name} · same task · {state}", name=name, state=state)
    return f"{name} · {state} · {item.question}"[:_LONGEST_LABEL]


def _name(item: ListedAttempt) -> str:
    return gettext("{name} (system)", name=item.user_name) if item.system else item.user_name


def _state(item: ListedAttempt) -> str:
    return gettext(STATES.get(item.state, item.state))
