"""The filters of the review queue, kept in the address so that the view can be linked to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS, Status
from pagetrail.app.reviewing.queue_address import (
    ACROSS,
    ADDRESS,
    ALL_CAMPAIGNS,
    ALL_STATUSES,
    CONTRADICTS,
    MAX_AMONG,
    MAX_TEXT,
    NEEDED,
    PILOT,
    PILOTS,
    campaigns_of,
    statuses_of,
)
from pagetrail.app.reviewing.wording import STATUS_HELP
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.page import drop_unavailable_choice
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.facets import Facets, reviewed_campaigns
from pagetrail.storage.review.filters import Filters


def available_campaigns(container: DeltaGenerator, workspace: Workspace) -> dict[str, int]:
    """The campaigns to choose from: name → id. Draws a switch for pilots where there are any.

    Pilots are among them only when they are asked for, by the switch or by name in the address.
    """
    all_campaigns = reviewed_campaigns(workspace.engine, pilots=True)
    without_pilots = reviewed_campaigns(workspace.engine)
    if len(all_campaigns) == len(without_pilots):
        return all_campaigns
    pilot = st.query_params.pop(PILOT, None)
    if pilot is None and PILOTS not in st.session_state:
        pilot = st.query_params.get("campaign")
    if pilot in all_campaigns and pilot not in without_pilots:
        st.session_state[PILOTS] = True
        st.session_state["campaign"] = pilot
    include_pilots = container.toggle(
        gettext("Pilots too"),
        key=PILOTS,
        bind="query-params",
        help=gettext(
            "The gold of pilots is known, so their tasks are left out of the queue, its counts "
            "and its filters. On: they are campaigns like the others."
        ),
    )
    return all_campaigns if include_pilots else without_pilots


def choose_campaigns(container: DeltaGenerator, campaigns: Mapping[str, int]) -> tuple[int, ...]:
    """Show the campaign, or the campaigns that make one queue; returns their ids, at least one."""
    names = list(campaigns)
    is_joint = len(names) > 1 and ALL_CAMPAIGNS not in campaigns
    options = [*names, ALL_CAMPAIGNS] if is_joint else names
    if st.query_params.pop(ACROSS, None) and is_joint:
        st.session_state["campaign"] = ALL_CAMPAIGNS
    drop_unavailable_choice("campaign", options)
    selected = container.selectbox(
        gettext("Campaign"),
        options,
        format_func=lambda name: gettext(name) if name == ALL_CAMPAIGNS else name,
        key="campaign",
        bind="query-params",
    )
    selected_names: Sequence[str] = ()
    if selected == ALL_CAMPAIGNS and is_joint:
        selected_names = st.multiselect(
            gettext("Only these campaigns"),
            names,
            key="among",
            bind="query-params",
            max_selections=MAX_AMONG,
            placeholder=gettext("One queue of all campaigns. Choose some to see only those"),
            label_visibility="collapsed",
        )
    return campaigns_of(selected, selected_names, campaigns)


def choose_status(counts: Mapping[Status, int]) -> tuple[Status, ...]:
    """Show the statuses with their task counts; returns the selected ones."""
    requested = st.query_params.get("status", NEEDED)
    numbers: dict[str, int] = {
        NEEDED: sum(counts.get(status, 0) for status in NEEDS_REVIEWER),
        **{status: counts.get(status, 0) for status in STATUS_WORDS},
        ALL_STATUSES: sum(counts.values()),
    }
    words = {NEEDED: gettext("Needs a reviewer"), ALL_STATUSES: gettext("All")} | {
        status: gettext(status_word) for status, status_word in STATUS_WORDS.items()
    }
    options = [
        name for name, n in numbers.items() if n or name in (NEEDED, ALL_STATUSES, requested)
    ]
    if st.session_state.get("review-status") not in options:
        st.session_state["review-status"] = requested if requested in options else NEEDED
    selected = st.pills(
        gettext("Status"),
        options,
        format_func=lambda name: f"{words[name]}  {format_number(numbers[name])}",
        key="review-status",
        required=True,
        on_change=_store_status,
        label_visibility="collapsed",
    )
    statuses = statuses_of(selected or NEEDED)
    if len(statuses) == 1:
        st.caption(gettext(STATUS_HELP[statuses[0]]))
    return statuses


def _store_status() -> None:
    selected = st.session_state["review-status"]
    if selected in (None, NEEDED):
        st.query_params.pop("status", None)
    else:
        st.query_params["status"] = selected


def choose_filters(statuses: tuple[Status, ...], facets: Facets) -> Filters:
    """Show the other filters in one row."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            gettext("Question"),
            key="text",
            bind="query-params",
            width=215,
            icon=":material/search:",
            placeholder=gettext("Words, or a key"),
        )
        part = _filter_choice(
            gettext("Differs in"),
            [gettext(facets.parts[name][0]) for name in facets.parts],
            "part",
            200,
        )
        annotator = (
            _filter_choice(gettext("Annotator"), facets.annotators, "who", 170)
            if facets.annotators
            else None
        )
        batch = _filter_choice(gettext("Batch"), facets.batches, "inbatch", 160)
        domain = (
            _filter_choice(gettext("Domain"), facets.domains, "domain", 170)
            if facets.domains
            else None
        )
        flagged = st.toggle(gettext("Flagged only"), key="flagged", bind="query-params")
        contradicts = st.toggle(
            gettext("Unanimous but differs from the dataset"),
            key=CONTRADICTS,
            bind="query-params",
            help=gettext(
                "All annotators agree by the campaign’s rule, and their answer, or a field, is not "
                "what the dataset’s gold says. Such tasks are never accepted automatically."
            ),
        )
    by_label = {gettext(label): name for name, (label, _) in facets.parts.items()}
    return Filters(
        statuses=statuses,
        part=by_label.get(part or ""),
        annotator=annotator,
        batch=batch,
        flagged=flagged,
        contradicts_dataset=contradicts,
        domain=domain,
        text=(text or "")[:MAX_TEXT] or None,
    )


def _filter_choice(
    label: str, options: list[str] | tuple[str, ...], key: str, width: int
) -> str | None:
    return st.selectbox(
        label,
        list(options),
        index=None,
        key=key,
        bind="query-params",
        placeholder=gettext("Any"),
        width=width,
    )


def filter_params(task_id: int) -> dict[str, str]:
    """Query parameters of a task under review, with the filters in one parameter.

    Under their own names they could not be carried over: here they belong to widgets.
    """
    filters = {name: st.query_params.get_all(name) for name in ADDRESS if name in st.query_params}
    if st.session_state.get("campaign") == ALL_CAMPAIGNS:  # ACROSS leaves it out of the address
        filters["campaign"] = [ALL_CAMPAIGNS]
    return {"task": str(task_id), **({"queue": urlencode(filters, doseq=True)} if filters else {})}
