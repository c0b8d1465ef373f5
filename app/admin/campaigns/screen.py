"""Administration of campaigns: the list, one campaign, and creating one."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.app.admin.actions import show_said
from pagetrail.app.admin.campaigns.campaign_view import show_more_tasks, show_overview
from pagetrail.app.admin.campaigns.draft import is_drafting
from pagetrail.app.admin.campaigns.file_imports import show_elements, show_runs, show_verdicts
from pagetrail.app.admin.campaigns.guidelines_editor import show_guidelines
from pagetrail.app.admin.campaigns.hidden_checks import show_hidden_checks
from pagetrail.app.admin.campaigns.new_campaign import open_new_campaign, show_new
from pagetrail.app.admin.campaigns.review_rule import show_review_rule
from pagetrail.app.admin.campaigns.task_list import show_tasks
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.batches.quality_preview import safe_sources
from pagetrail.storage.campaigns.lookup import CampaignSummary, list_campaigns
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.overview import pilots

_WHICH = "campaign-which"
_VIEWS = (
    "Overview",
    "Tasks",
    "Guidelines",
    "Review rule",
    "Hidden checks",
    "Add tasks",
    "Runs and verdicts",
)


def show(app: Services, person: Person) -> None:
    """Draw this part of the screen."""
    show_said()
    every = list_campaigns(app.workspace, archived=True)
    if is_drafting():
        show_new(
            app,
            person,
            [each.name for each in every],
            pilots(app.workspace.engine),
            safe_sources(app.workspace),
        )
        return
    shown = _bar(every)
    if not shown:
        st.info(
            "There is no campaign yet. Create one with “New campaign”."
            if not every
            else "All campaigns are archived. “Show archived” lists them.",
            icon=":material/inbox:",
        )
        return
    _campaign_table(shown)
    one = _chosen(shown)
    if one is None:
        return
    view = st.segmented_control(
        "View", _VIEWS, default=_VIEWS[0], required=True, key="campaign-view",
        label_visibility="collapsed",
    )  # fmt: skip
    if view == "Overview":
        show_overview(app, person, one)
    elif view == "Tasks":
        show_tasks(app, one)
    elif view == "Guidelines":
        show_guidelines(app, person, one.name, archived=one.status == ARCHIVED)
    elif view == "Review rule":
        show_review_rule(app, person, one)
    elif view == "Hidden checks":
        show_hidden_checks(app, person, one)
    elif view == "Runs and verdicts":
        show_runs(app, one)
        show_verdicts(app, one)
    else:
        show_more_tasks(app, person, one)
        if one.status == "open":
            show_elements(app, one)


def _bar(every: list[CampaignSummary]) -> list[CampaignSummary]:
    archived = sum(each.status == ARCHIVED for each in every)
    bar = st.container(horizontal=True, vertical_alignment="center")
    all_of_them = bar.toggle(
        f"Show archived ({archived})", key="campaign-archived", disabled=not archived
    )
    bar.space("stretch")
    bar.button(
        "New campaign", type="primary", icon=":material/add:", key="campaign-add",
        on_click=open_new_campaign,
    )  # fmt: skip
    return [each for each in every if all_of_them or each.status != ARCHIVED]


def _campaign_table(shown: list[CampaignSummary]) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "Campaign": [each.name for each in shown],
                "Preset": [each.protocol for each in shown],
                "Status": [each.status for each in shown],
                "Tasks": [each.tasks for each in shown],
                "Batches": [each.batches for each in shown],
                "Assigned": [each.assignments for each in shown],
                "Free slots": [each.open_places for each in shown],
                "Submitted": [each.submitted for each in shown],
                "Skipped": [each.skipped for each in shown],
                "Of": [each.expected for each in shown],
                "Progress": [
                    100 * (each.submitted + each.skipped) / each.expected if each.expected else None
                    for each in shown
                ],
            }
        ),
        hide_index=True,
        height=min(400, 36 + 35 * len(shown) + 2),
        placeholder="–",
        on_select=partial(_take_row, [each.name for each in shown]),
        selection_mode="single-row",
        key="campaigns-table",
        column_config={
            "Campaign": st.column_config.TextColumn(width=230),
            "Assigned": st.column_config.NumberColumn(help="Batches that annotators have."),
            "Free slots": st.column_config.NumberColumn(
                help="Assignments that the campaign's overlap still asks for."
            ),
            "Submitted": st.column_config.NumberColumn(
                help="Tasks submitted, counted once per annotator."
            ),
            "Skipped": st.column_config.NumberColumn(
                help="Tasks skipped, counted once per annotator."
            ),
            "Of": st.column_config.NumberColumn(help="Submissions expected from what is assigned."),
            "Progress": st.column_config.ProgressColumn(
                format="%.0f %%", min_value=0, max_value=100, help="Submitted or skipped."
            ),
        },
    )


def _take_row(names: list[str]) -> None:
    """Callback: show the campaign of the clicked row below the table."""
    for place in st.session_state["campaigns-table"]["selection"]["rows"]:
        if place < len(names):
            st.session_state[_WHICH] = names[place]


def _chosen(shown: list[CampaignSummary]) -> CampaignSummary | None:
    names = [each.name for each in shown]
    if "campaign-next" in st.session_state:
        st.session_state[_WHICH] = st.session_state.pop("campaign-next")
    if st.session_state.get(_WHICH) not in names:
        st.session_state[_WHICH] = names[0] if len(names) == 1 else None
    name = st.selectbox(
        "Campaign", names, index=None, key=_WHICH, placeholder="Choose, or click a row"
    )
    one = next((each for each in shown if each.name == name), None)
    if one is not None and one.status != "open":
        st.caption(literal(f"{one.name} is {one.status}."))
    return one
