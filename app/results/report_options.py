"""The options of the results screen, in a row above the report."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pagetrail.annotation.attempts.submission import SUBMISSION_VERSIONS, SubmissionVersion
from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.app.results.report_computation import Wanted
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.submission_choice import SUBMISSION_HELP, SUBMISSIONS
from pagetrail.exports.reports.agreement.groups import GROUPINGS
from pagetrail.exports.reports.metrics.groups import GROUPS
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.resampling import ResampledUnits
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import CampaignState, campaign_state

AGREEMENT = "Agreement"
METRICS = "Accuracy and effort"
VIEWS = (AGREEMENT, METRICS)

IDLE_CAPS_S = (60, 100, 120)
RESAMPLED: Mapping[ResampledUnits, str] = {
    "tasks": "Tasks",
    "tasks_and_annotators": "Tasks and annotators",
}
GOLDS: Mapping[Gold, str] = {"task": "From the tasks", "adjudicated": "Decided in review"}


def choose(
    workspace: Workspace, campaign: str, state: CampaignState, *, agreement: bool
) -> tuple[Wanted, bool]:
    """Draw the options; returns the requested report, and whether to show intervals."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw = _agreement if agreement else _metrics
        wanted = draw(workspace, campaign, state)
        intervals = st.toggle("Intervals", value=True, key="intervals", help="Show 95 % intervals.")
        return wanted, intervals


def _by(groups: Mapping[str, str], key: str) -> str | None:
    """The grouping; the first is the report's default, which handles tasks without a value."""
    chosen = st.selectbox(
        "Break down by",
        list(groups),
        format_func=groups.__getitem__,
        key=key,
        bind="query-params",
        width=170,
    )
    return None if chosen == next(iter(groups)) else chosen


def _agreement(workspace: Workspace, campaign: str, state: CampaignState) -> Wanted:
    by = _by(GROUPINGS, "groups")
    submission = _submission()
    return Wanted(
        root=workspace.root,
        campaign=campaign,
        moment=(state.moment,),
        agreement=True,
        identify=_identify(),
        by=by,
        submission=submission,
    )


def _metrics(workspace: Workspace, campaign: str, state: CampaignState) -> Wanted:
    by = _by(GROUPS, "by")
    others = [row.name for row in list_campaigns(workspace) if row.name != campaign]
    beside: list[str] = []
    if others:
        beside = st.multiselect(
            "Beside",
            others,
            key=f"beside-{campaign}",
            placeholder="No other campaign",
            width=305,
            help="Other campaigns in the same tables, such as an oracle: each participant of each "
            "campaign is a line of its own.",
        )
    states = [state, *(campaign_state(workspace, name) for name in beside)]
    systems = sorted({name for each in states for name in each.systems})
    compare: list[str] = []
    if systems:
        compare = st.multiselect(
            "Compare with systems",
            systems,
            default=systems,
            # Other campaigns may bring other systems: a choice of its own.
            key=f"compare-{campaign}-{'-'.join(beside)}" if beside else f"compare-{campaign}",
            width=305,
        )
    gold: Gold = "task"
    if all(each.decided for each in states):
        gold = st.selectbox(
            "Gold",
            list(GOLDS),
            format_func=GOLDS.__getitem__,
            key="gold",
            bind="query-params",
            width=170,
            help="Score answers and pages against the gold that tasks came with, or against the "
            "last version decided in review. Tasks without it are left out of results that need "
            "gold.",
        )
    submission = _submission()
    idle_cap_s = st.selectbox(
        "Idle cap",
        IDLE_CAPS_S,
        format_func=lambda seconds: f"{seconds} s",
        key="idle",
        bind="query-params",
        width=100,
        help="Active time is the sum of gaps between events, each counted up to this long.",
    )
    resampled: ResampledUnits = "tasks"
    if max(each.people for each in states) >= FEWEST_ANNOTATORS:
        resampled = st.selectbox(
            "Resample",
            list(RESAMPLED),
            format_func=RESAMPLED.__getitem__,
            key="resample",
            bind="query-params",
            width=190,
            help="What intervals are drawn from. With annotators they also tell how other "
            "annotators would do.",
        )
    judgements, verdicts = _verdicts(workspace, campaign, state, beside=bool(beside))
    by_annotator = st.toggle("By annotator", key="people", bind="query-params")
    moment = [each.moment for each in states]
    if judgements is not None:
        moment.append(campaign_state(workspace, judgements).moment)
    return Wanted(
        root=workspace.root,
        campaign=campaign,
        moment=tuple(moment),
        agreement=False,
        identify=_identify(),
        by=by,
        compare=tuple(compare),
        idle_cap_s=idle_cap_s,
        judgements=judgements,
        verdicts=verdicts,
        gold=gold,
        by_annotator=by_annotator,
        submission=submission,
        beside=tuple(beside),
        resampled=resampled,
    )


def _verdicts(
    workspace: Workspace, campaign: str, state: CampaignState, *, beside: bool
) -> tuple[str | None, tuple[str, int] | None]:
    """The judging campaign, or the set of verdicts from elsewhere, that decides what is right."""
    judging = [row.name for row in list_campaigns(workspace) if row.protocol == "judge"]
    options: list[tuple[str, int | None]] = [(name, None) for name in judging]
    if not beside:  # a set is of one campaign's answers
        options += state.verdicts
    if not options or state.protocol == "judge":
        return None, None
    chosen = st.selectbox(
        "Verdicts of",
        options,
        index=None,
        format_func=lambda one: (
            one[0] if one[1] is None else f"{one[0]} ({format_number(one[1])} imported)"
        ),
        placeholder="Compare with the gold",
        key=f"judgements-{campaign}{'-beside' if beside else ''}",
        width=200,
        help="Whose verdicts decide which answers are right: a judging campaign’s, or a set that "
        "was imported under Administration, Campaigns, Runs and verdicts.",
    )
    if chosen is None:
        return None, None
    name, number = chosen
    return (name, None) if number is None else (None, (name, number))


def _submission() -> SubmissionVersion:
    return st.selectbox(
        "Submission",
        SUBMISSION_VERSIONS,
        format_func=SUBMISSIONS.__getitem__,
        key="submission",
        bind="query-params",
        width=110,
        help=SUBMISSION_HELP,
    )


def _identify() -> bool:
    return st.toggle(
        "Show names",
        key="names",
        help="Otherwise people appear under pseudonyms, also in downloads.",
    )
