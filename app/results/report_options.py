"""The options of the results screen, in a row above the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.app.results.report_computation import ReportRequest
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.submission_choice import submission_select
from pagetrail.exports.reports.agreement.groups import GROUPINGS
from pagetrail.exports.reports.metrics.groups import GROUPS
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.resampling import ResampledUnits
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import CampaignState, campaign_state

AGREEMENT = N_("Agreement")
METRICS = N_("Accuracy and effort")
VIEWS = (AGREEMENT, METRICS)

Option = TypeVar("Option", bound=str)

RESAMPLED: Mapping[ResampledUnits, str] = {
    "tasks": N_("Tasks"),
    "tasks_and_annotators": N_("Tasks and annotators"),
}
GOLDS: Mapping[Gold, str] = {"task": N_("From the tasks"), "adjudicated": N_("Decided in review")}


def choose_report(
    workspace: Workspace, campaign: str, state: CampaignState, *, agreement: bool
) -> tuple[ReportRequest, bool]:
    """Draw the options; returns the requested report, and whether to show intervals."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw = _agreement if agreement else _metrics
        request = draw(workspace, campaign, state)
        intervals = st.toggle(
            gettext("Intervals"), value=True, key="intervals", help=gettext("Show 95 % intervals.")
        )
        return request, intervals


def _grouping(groups: Mapping[str, str], key: str) -> str | None:
    """The grouping; the first is the report's default, which handles tasks without a value."""
    selected = st.selectbox(
        gettext("Break down by"),
        list(groups),
        format_func=lambda key: gettext(groups[key]),
        key=key,
        bind="query-params",
        width=170,
    )
    return None if selected == next(iter(groups)) else selected


def _agreement(workspace: Workspace, campaign: str, state: CampaignState) -> ReportRequest:
    by = _grouping(GROUPINGS, "groups")
    submission = submission_select(st, bind="query-params", width=110)
    return ReportRequest(
        root=workspace.root,
        campaign=campaign,
        versions=(state.version,),
        agreement=True,
        identify=_identify(),
        by=by,
        submission=submission,
    )


def _metrics(workspace: Workspace, campaign: str, state: CampaignState) -> ReportRequest:
    by = _grouping(GROUPS, "by")
    other_campaigns = [row.name for row in list_campaigns(workspace) if row.name != campaign]
    more_campaigns: list[str] = []
    if other_campaigns:
        more_campaigns = st.multiselect(
            gettext("Beside"),
            other_campaigns,
            key=f"beside-{campaign}",
            placeholder=gettext("No other campaign"),
            width=305,
            help=gettext(
                "Other campaigns to include in the same tables, such as an oracle. Each "
                "participant of each campaign gets a separate row."
            ),
        )
    states = [state, *(campaign_state(workspace, name) for name in more_campaigns)]
    systems = sorted({name for other in states for name in other.systems})
    compare: list[str] = []
    if systems:
        compare = st.multiselect(
            gettext("Compare with systems"),
            systems,
            default=systems,
            # Other campaigns may have other systems, so the widget gets another key.
            key=f"compare-{campaign}-{'-'.join(more_campaigns)}"
            if more_campaigns
            else f"compare-{campaign}",
            width=305,
        )
    gold: Gold = "task"
    if all(other.decided for other in states):
        gold = _choice(
            gettext("Gold"),
            GOLDS,
            "gold",
            170,
            gettext(
                "Score answers and pages against the gold that tasks came with, or against the "
                "last version decided in review. Tasks without it are left out of results that "
                "need gold."
            ),
        )
    submission = submission_select(st, bind="query-params", width=110)
    idle_cap_s = st.selectbox(
        gettext("Idle cap"),
        IDLE_CAPS_S,
        format_func=lambda seconds: f"{seconds} s",
        key="idle",
        bind="query-params",
        width=100,
        help=gettext(
            "Active time is the sum of gaps between events, each counted up to this long."
        ),
    )
    resampled: ResampledUnits = "tasks"
    if max(other.people for other in states) >= FEWEST_ANNOTATORS:
        resampled = _choice(
            gettext("Resample"),
            RESAMPLED,
            "resample",
            190,
            gettext(
                "Units that intervals are resampled from. With annotators, they also cover the "
                "variation between annotators."
            ),
        )
    judgements, verdicts = _verdicts(workspace, campaign, state, is_joint=bool(more_campaigns))
    by_annotator = st.toggle(gettext("By annotator"), key="people", bind="query-params")
    versions = [other.version for other in states]
    if judgements is not None:
        versions.append(campaign_state(workspace, judgements).version)
    return ReportRequest(
        root=workspace.root,
        campaign=campaign,
        versions=tuple(versions),
        agreement=False,
        identify=_identify(),
        by=by,
        compare=tuple(compare),
        idle_cap_s=idle_cap_s,
        judgements=judgements,
        verdicts=verdicts,
        verdict_sets=tuple(verdict_set for other in states for verdict_set in other.verdicts),
        gold=gold,
        by_annotator=by_annotator,
        submission=submission,
        more_campaigns=tuple(more_campaigns),
        resampled=resampled,
    )


def _verdicts(
    workspace: Workspace, campaign: str, state: CampaignState, *, is_joint: bool
) -> tuple[str | None, str | None]:
    """The judging campaign, and the imported set of verdicts that decides in its place."""
    judging = [row.name for row in list_campaigns(workspace) if row.protocol == "judge"]
    options: list[tuple[str, int | None]] = [(name, None) for name in judging]
    if not is_joint:  # a set covers a single campaign
        options += [(verdict_set.name, verdict_set.verdicts) for verdict_set in state.verdicts]
    if not options or state.protocol == "judge":
        return None, None
    selected = st.selectbox(
        gettext("Verdicts of"),
        options,
        index=None,
        format_func=lambda option: (
            option[0]
            if option[1] is None
            else gettext(
                "{name} ({number} imported)", name=option[0], number=format_number(option[1])
            )
        ),
        placeholder=gettext("Compare with the gold"),
        key=f"judgements-{campaign}{'-beside' if is_joint else ''}",
        width=200,
        help=gettext(
            "Source of the verdicts that decide which answers are right: a judging campaign, "
            "or a set imported under Administration, Campaigns, Runs and verdicts."
        ),
    )
    if selected is None:
        return None, None
    name, number = selected
    if number is None:
        return name, None
    calibration = None
    if judging:
        calibration = st.selectbox(
            gettext("Calibrate with"),
            judging,
            index=None,
            placeholder=gettext("No judging campaign"),
            key=f"calibration-{campaign}",
            width=200,
            help=gettext(
                "The judging campaign whose verdicts the imported ones are compared with and "
                "corrected by. They decide nothing themselves."
            ),
        )
    return calibration, name


def _choice(label: str, options: Mapping[Option, str], key: str, width: int, help_: str) -> Option:
    """A select box of options with their labels, kept in the screen's address."""
    return st.selectbox(
        label,
        list(options),
        format_func=lambda option: gettext(options[option]),
        key=key,
        bind="query-params",
        width=width,
        help=help_,
    )


def _identify() -> bool:
    return st.toggle(
        gettext("Show names"),
        key="names",
        help=gettext("Otherwise people appear under pseudonyms, also in downloads."),
    )
