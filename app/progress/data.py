"""Numbers of the dashboard, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from pathlib import Path
from threading import Condition

from cachetools import LRUCache, cached

from pagetrail.app.progress.report_computation import (
    AGREEMENT,
    PART,
    QUALITY,
    QUESTIONS,
    ROUNDS,
    SUMMARY,
    CampaignSummary,
    DashboardView,
    QualityReport,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import prefetch_result, shared_result
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.progress.report import Part
from pagetrail.storage.attempts.wrong_answers import wrong_attempts
from pagetrail.storage.progress import dashboard
from pagetrail.storage.progress.flagged_attempts import (
    FlaggedAttempt,
    HandledFilter,
    flagged_attempts,
)

_PERIOD_S = 600
"""Pace and finish date change with time and are recomputed after this period."""
_COUNTS: dict[tuple[Path, int], dashboard.EventCount] = {}
"""Last event count by workspace and campaign."""


def campaign_view(app: Services, name: str) -> DashboardView:
    """The current view of a whole campaign.

    Raises:
        NotFoundError: no such campaign.
    """
    engine, root = app.workspace.engine, app.workspace.root
    campaign = dashboard.campaign_of(engine, name)
    # Events are counted first: events stored in between only make the rest newer.
    key = (root, campaign.id)
    event_count = _COUNTS[key] = dashboard.count_events(engine, campaign.id, _COUNTS.get(key))
    state = dashboard.data_version(engine, campaign.id, event_count)
    period = int(app.clock.now().timestamp()) // _PERIOD_S
    return DashboardView(root, campaign, state, period)


def campaign_summary(app: Services, view: DashboardView) -> CampaignSummary:
    """The summary above the tabs."""
    head: CampaignSummary = shared_result(app, view.key, SUMMARY, view, app.clock.now().timestamp())
    return head


def part_report(
    app: Services, view: DashboardView, part: Part, head: CampaignSummary
) -> PreparedReport:
    """The report of one tab; a person's agreement covers the tasks they have done."""
    agreement, compared = [], None
    if part == "agreement":
        compared = view.compared
        agreement = shared_result(app, compared, AGREEMENT, view)
    key = (view.key, head.now_s, part, compared)
    report: PreparedReport = shared_result(app, key, PART, view, head.now_s, part, agreement)
    return report


def quality_report(app: Services, view: DashboardView) -> QualityReport:
    """Quality of the campaign's work, or of one person's."""
    # The campaign's state does not cover hidden checks.
    key = (QUALITY, view.key, dashboard.last_event(app.workspace.engine))
    quality: QualityReport = shared_result(app, key, QUALITY, view)
    return quality


def rounds_report(app: Services, view: DashboardView) -> PreparedReport:
    """Rounds of the campaign's texts or tables."""
    report: PreparedReport = shared_result(app, (ROUNDS, view.key), ROUNDS, view)
    return report


def questions_by_type(app: Services, view: DashboardView) -> PreparedReport:
    """Questions asked for and written, by what was drawn for them."""
    report: PreparedReport = shared_result(app, (QUESTIONS, view.key), QUESTIONS, view)
    return report


def prefetch_agreement(app: Services, view: DashboardView) -> None:
    """Start computing agreement, which is likely to be needed next."""
    prefetch_result(app, view.compared, AGREEMENT, view)


def flagged_and_skipped(
    app: Services, view: DashboardView, handled: HandledFilter, wrong: bool, limit: int, page: int
) -> tuple[list[FlaggedAttempt], int]:
    """A page of the flagged and skipped attempts, and their total number.

    Args:
        wrong: only attempts with a wrong answer.
    """
    last = dashboard.last_event(app.workspace.engine)
    return _notable_of(app, view, handled, wrong, limit, page, last)


@cached(
    LRUCache(128),
    key=lambda _app, view, *choice: (*view.key, *choice),
    condition=Condition(),
)
def _notable_of(
    app: Services,
    view: DashboardView,
    handled: HandledFilter,
    wrong: bool,
    limit: int,
    page: int,
    _last_event: int,
) -> tuple[list[FlaggedAttempt], int]:
    return flagged_attempts(
        app.workspace.engine,
        view.campaign.id,
        view.batch,
        view.person,
        handled=handled,
        wrong=wrong_attempts(app.workspace.engine, view.campaign.name) if wrong else None,
        limit=limit,
        offset=limit * (page - 1),
    )
