"""Numbers of the dashboard, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from pathlib import Path
from threading import Condition

from cachetools import LRUCache, cached

from pagetrail.app.progress.report_computation import (
    AGREEMENTS,
    HEAD,
    PART,
    QUALITY,
    Head,
    Shown,
    ShownQuality,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import prefetch_result, shared_result
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.progress.report import Part
from pagetrail.storage.attempts.wrong_answers import wrong_attempts
from pagetrail.storage.progress import dashboard
from pagetrail.storage.progress.flagged_attempts import HandledFilter, Notable, notable

_NOW_EVERY_S = 600
"""Seconds after which pace and end, which change with time, are computed again."""
_COUNTS: dict[tuple[Path, int], dashboard.EventCount] = {}
"""Workspace and campaign → its events as they were counted last."""


def shown(app: Services, name: str) -> Shown:
    """All of a campaign as it is now.

    Raises:
        NotFoundError: no such campaign.
    """
    engine, root = app.workspace.engine, app.workspace.root
    campaign = dashboard.campaign_of(engine, name)
    # Events are counted first: what comes in between only makes the rest newer.
    key = (root, campaign.id)
    counted = _COUNTS[key] = dashboard.count_events(engine, campaign.id, _COUNTS.get(key))
    now = dashboard.data_version(engine, campaign.id, counted)
    period = int(app.clock.now().timestamp()) // _NOW_EVERY_S
    return Shown(root, campaign, now, period)


def head_of(app: Services, wanted: Shown) -> Head:
    """The head of a view."""
    head: Head = shared_result(app, wanted.key, HEAD, wanted, app.clock.now().timestamp())
    return head


def report_of(app: Services, wanted: Shown, part: Part, head: Head) -> PreparedReport:
    """One part; agreement of a person is on the tasks that the person has done."""
    agreement, compared = [], None
    if part == "agreement":
        compared = wanted.compared
        agreement = shared_result(app, compared, AGREEMENTS, wanted)
    key = (wanted.key, head.now_s, part, compared)
    report: PreparedReport = shared_result(app, key, PART, wanted, head.now_s, part, agreement)
    return report


def quality_of(app: Services, wanted: Shown) -> ShownQuality:
    """Quality of the campaign's work, or of one person's."""
    # Hidden checks are no work of the campaign, so its moment does not tell of them.
    key = (QUALITY, wanted.key, dashboard.last_event(app.workspace.engine))
    found: ShownQuality = shared_result(app, key, QUALITY, wanted)
    return found


def work_ahead(app: Services, wanted: Shown) -> None:
    """Have agreement worked out beside what is shown, so that it is there when it is asked for."""
    prefetch_result(app, wanted.compared, AGREEMENTS, wanted)


def notable_of(
    app: Services, wanted: Shown, handled: HandledFilter, wrong: bool, limit: int, page: int
) -> tuple[list[Notable], int]:
    """A page of the flagged and skipped attempts as of now, and how many there are.

    Args:
        wrong: only those whose answer is wrong.
    """
    last = dashboard.last_event(app.workspace.engine)
    return _notable_of(app, wanted, handled, wrong, limit, page, last)


@cached(
    LRUCache(128),
    key=lambda _app, wanted, *choice: (*wanted.key, *choice),
    condition=Condition(),
)
def _notable_of(
    app: Services,
    wanted: Shown,
    handled: HandledFilter,
    wrong: bool,
    limit: int,
    page: int,
    _last_event: int,
) -> tuple[list[Notable], int]:
    return notable(
        app.workspace.engine,
        wanted.campaign.id,
        wanted.batch,
        wanted.person,
        handled=handled,
        wrong=wrong_attempts(app.workspace.engine, wanted.campaign.name) if wrong else None,
        limit=limit,
        offset=limit * (page - 1),
    )
