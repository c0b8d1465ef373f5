"""The options of the results screen, in a row above the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.app.results.report_computation import ReportRequest
from pagetrail.app.results.uploaded_vectors import vectors_upload
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.page import drop_unavailable_choice
from pagetrail.app.ui.submission_choice import submission_select
from pagetrail.exports.gold.gold_checks import Gold
from pagetrail.exports.reports.agreement.groups import AGREEMENT_FIELDS
from pagetrail.exports.reports.agreement.report import AgreementOptions
from pagetrail.exports.reports.breakdown import NUMBER_FIELDS, READY_FIELDS, field_with_limits
from pagetrail.exports.reports.metrics.groups import METRICS_FIELDS
from pagetrail.exports.reports.metrics.report import MetricsOptions
from pagetrail.exports.reports.resampling import ResampledUnits
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.record_fields import number_fields, record_fields
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.profiles import all_profiles
from pagetrail.storage.progress.campaign_state import (
    CampaignState,
    WorkspaceVersion,
    campaign_state,
)

AGREEMENT = N_("Agreement")
METRICS = N_("Accuracy and effort")
VIEWS = (AGREEMENT, METRICS)

Option = TypeVar("Option", bound=str)

RESAMPLED: Mapping[ResampledUnits, str] = {
    "tasks": N_("Tasks"),
    "tasks_and_annotators": N_("Tasks and annotators"),
}
GOLDS: Mapping[Gold, str] = {
    "task": N_("From the tasks"),
    "adjudicated": N_("Decided in review"),
    "corrected": N_("Checked and corrected"),
}


def choose_report(
    workspace: Workspace, campaign: str, state: CampaignState, *, agreement: bool
) -> tuple[ReportRequest, bool]:
    """Show the options; returns the requested report, and whether to show intervals."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw = _agreement if agreement else _metrics
        request = draw(workspace, campaign, state)
        intervals = st.toggle(
            gettext("Intervals"), value=True, key="intervals", help=gettext("Show 95 % intervals.")
        )
        return request, intervals


_ALWAYS = ("domain", "category", "query_type", "language", "batch", "condition", "document", "hop")
"""Ready fields that every campaign offers, with values or without."""
_READ_FROM = {"modality": ("modality", "modalities"), "category": ("document_category",)}
_NOT_OFFERED = {"id", "question", "answer_variants", "document_category", "evidence"}
"""Fields of records that are ready fields under another name, or differ from task to task."""


def _breakdown(
    workspace: Workspace, campaign: str, state: CampaignState, ready: Sequence[str], key: str
) -> tuple[str, ...]:
    """The fields of the breakdown: none for the report's default, one, or two for cross tables."""
    fields = _offered_fields(workspace, campaign, state, ready)
    drop_unavailable_choice(key, fields)
    first = st.selectbox(
        gettext("Break down by"),
        fields,
        format_func=_field_label,
        key=key,
        bind="query-params",
        width=190,
    )
    numbers = {*NUMBER_FIELDS, *_number_fields(workspace, campaign, state.version)}
    first_field = _with_limits(first, key) if first in numbers else first
    others = [name for name in fields if name != first]
    drop_unavailable_choice(f"{key}-2", others)
    second = st.selectbox(
        gettext("And by"),
        others,
        index=None,
        format_func=_field_label,
        placeholder=gettext("One field"),
        key=f"{key}-2",
        bind="query-params",
        width=190,
        help=gettext("A second field gives cross tables: rows by the first, columns by it."),
    )
    if second is not None:
        return first_field, _with_limits(second, key) if second in numbers else second
    return () if first == fields[0] else (first_field,)


def _with_limits(name: str, key: str) -> str:
    """The field of a breakdown with the limits of its groups, as the command line takes it.

    Wrong limits are an error next to the input, and the groups are those without any.
    """
    limits = st.text_input(
        gettext("Limits"),
        # Each field has its own, which the address keeps.
        key=f"{key}-limits-{name}",
        bind="query-params",
        width=130,
        max_chars=200,
        placeholder=gettext("Chosen by rule"),
        help=gettext(
            "Numbers at which a new group begins: “10, 20” gives below 10, 10 to 19, and from 20. "
            "Empty, few different numbers are a group each, and many are split at the quartiles."
        ),
    )
    try:
        return field_with_limits(name, limits or "")
    except PagetrailError as error:
        st.error(literal(error.message), width=400)
        return name


def _field_label(name: str) -> str:
    return gettext(READY_FIELDS[name]) if name in READY_FIELDS else name


def _offered_fields(
    workspace: Workspace, campaign: str, state: CampaignState, ready: Sequence[str]
) -> list[str]:
    """Ready fields that this campaign has, then all others of its task records."""
    stated = _stated_fields(workspace, campaign, state.version)
    profiles = all_profiles(workspace).values()
    has = {
        "difficulty": "difficulty" in stated or ("annotator" in ready and len(state.systems) > 1),
        "annotator": True,
        "gold_pages": "evidence" in stated,
        "gold_documents": "evidence" in stated,
        "question_words": True,
        "annotator.group": any(profile.group for profile in profiles),
        "annotator.languages": any(profile.languages for profile in profiles),
        "annotator.skills": any(profile.skills for profile in profiles),
    }
    offered = [
        name
        for name in ready
        if name in _ALWAYS or has.get(name, any(n in stated for n in _READ_FROM.get(name, (name,))))
    ]
    read_fields = {other for name in offered for other in _READ_FROM.get(name, (name,))}
    return offered + [name for name in stated if name not in read_fields | _NOT_OFFERED]


@lru_cache(maxsize=64)
def _number_fields(
    workspace: Workspace, campaign: str, version: WorkspaceVersion
) -> tuple[str, ...]:
    """The fields whose values are numbers; read again for another ``version``."""
    return tuple(number_fields(workspace, campaign))


@lru_cache(maxsize=64)
def _stated_fields(
    workspace: Workspace, campaign: str, version: WorkspaceVersion
) -> tuple[str, ...]:
    """The fields of the task records; read again for another ``version`` of the campaign."""
    return tuple(record_fields(workspace, campaign))


def _agreement(workspace: Workspace, campaign: str, state: CampaignState) -> ReportRequest:
    by = _breakdown(workspace, campaign, state, AGREEMENT_FIELDS, "groups")
    submission = submission_select(st, bind="query-params", width=110)
    return ReportRequest(
        root=workspace.root,
        campaign=campaign,
        versions=(state.version,),
        options=AgreementOptions(by=by),
        identify=_identify(),
        submission=submission,
    )


def _metrics(workspace: Workspace, campaign: str, state: CampaignState) -> ReportRequest:
    by = _breakdown(workspace, campaign, state, METRICS_FIELDS, "by")
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
                "need gold. Checked and corrected: the gold after checks of suspect gold, without "
                "dropped tasks."
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
    vectors = vectors_upload(workspace)
    by_annotator = st.toggle(gettext("By annotator"), key="people", bind="query-params")
    versions = [other.version for other in states]
    if judgements is not None:
        versions.append(campaign_state(workspace, judgements).version)
    return ReportRequest(
        root=workspace.root,
        campaign=campaign,
        versions=tuple(versions),
        options=MetricsOptions(
            by=by,
            beside=tuple(more_campaigns),
            compare=tuple(compare),
            idle_cap_s=idle_cap_s,
            judgements=judgements,
            verdicts=verdicts,
            gold=gold,
            by_annotator=by_annotator,
            intervals=resampled,
            vectors=vectors,
        ),
        identify=_identify(),
        submission=submission,
        verdict_sets=tuple(verdict_set for other in states for verdict_set in other.verdicts),
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
