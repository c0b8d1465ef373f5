"""Numbers of the dashboard, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Timer

from cachetools import LRUCache, cached

from pagetrail.annotation.progress.agreement import PartAgreement, agreement_so_far
from pagetrail.annotation.progress.summary import Work
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.report_tables import Prepared, prepared
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.progress.report import (
    Part,
    Progress,
    progress_report,
)
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.dashboard import DashboardCampaign, Moment
from pagetrail.storage.progress.flagged_attempts import Notable, notable


@dataclass(frozen=True)
class PreparedReport:
    """One part of the screen as a report, its tables ready: making them takes longest."""

    report: Report
    tables: tuple[Prepared, ...]


_NOW_EVERY_S = 600
"""Seconds after which pace and end, which change with time, are computed again."""

_AHEAD_S = 1.0


@dataclass(frozen=True)
class Shown:
    """A view of the dashboard; equal views have the same numbers.

    Attributes:
        moment: the state of the work that the numbers are based on.
        period: of ten minutes since 1970.
        batch, person: None for all of them.
    """

    root: Path
    campaign: DashboardCampaign
    moment: Moment
    period: int
    batch: str | None = None
    person: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """For caches; a protocol is told by the moment."""
        return (self.root, self.campaign.id, self.moment, self.period, self.batch, self.person)

    @property
    def compared(self) -> tuple[object, ...]:
        """For caches of agreement."""
        return (self.root, self.campaign.id, self.moment.compared, self.batch, self.person)


def shown(app: Services, name: str) -> Shown:
    """All of a campaign as it is now.

    Raises:
        NotFoundError: no such campaign.
    """
    engine, root = app.workspace.engine, app.workspace.root
    campaign = dashboard.campaign_of(engine, name)
    # The last event of all is asked for first: what comes in between only makes the count newer.
    events = _events_of(app, campaign.id, dashboard.last_event(engine))
    now = dashboard.moment(engine, campaign.id, events)
    period = int(app.clock.now().timestamp()) // _NOW_EVERY_S
    return Shown(root, campaign, now, period)


@cached(
    LRUCache(32),
    key=lambda app, campaign_id, last_event: (app.workspace.root, campaign_id, last_event),
    condition=Condition(),
)
def _events_of(app: Services, campaign_id: int, _last_event: int) -> tuple[int, int]:
    return dashboard.events_of(app.workspace.engine, campaign_id)


@cached(
    LRUCache(4),
    key=lambda _app, wanted: (wanted.root, wanted.campaign.id, wanted.moment),
    condition=Condition(),
)
def work_of(app: Services, wanted: Shown) -> Work:
    """The campaign's work, unfiltered."""
    return dashboard.work_of(app.workspace.engine, wanted.campaign.id)


@cached(LRUCache(64), key=lambda _app, wanted: wanted.key, condition=Condition())
def progress_of(app: Services, wanted: Shown) -> Progress:
    """The numbers of a view."""
    work = work_of(app, wanted).only(wanted.batch, wanted.person)
    return Progress(work, app.clock.now().timestamp())


@cached(LRUCache(128), key=lambda _app, wanted, part: (*wanted.key, part), condition=Condition())
def report_of(app: Services, wanted: Shown, part: Part) -> PreparedReport:
    """One part; agreement of a person is on the tasks that the person has done."""
    narrowed = {"batch": wanted.batch, "annotator": wanted.person}
    agreement = _agreements_of(app, wanted) if part == "agreement" else []
    with unchecked():
        report = progress_report(
            wanted.campaign.name,
            wanted.campaign.protocol.name,
            progress_of(app, wanted),
            agreement,
            parts=[part],
            choices={name: chosen for name, chosen in narrowed.items() if chosen is not None},
        )
        return PreparedReport(report, tuple(prepared(t, marked=False) for t in report.tables))


@cached(
    LRUCache(128),
    key=lambda _app, wanted, limit, page: (*wanted.key, limit, page),
    condition=Condition(),
)
def notable_of(app: Services, wanted: Shown, limit: int, page: int) -> tuple[list[Notable], int]:
    """A page of the flagged and skipped attempts, and how many there are."""
    return notable(
        app.workspace.engine,
        wanted.campaign.id,
        wanted.batch,
        wanted.person,
        limit=limit,
        offset=limit * (page - 1),
    )


def work_ahead(app: Services, wanted: Shown) -> None:
    """Have agreement worked out beside what is shown, so that it is there when it is asked for."""
    if wanted.compared in _agreements_of.cache:
        return
    # Not at once: the browser draws the screen first.
    timer = Timer(_AHEAD_S, _agreements_of, (app, wanted))
    timer.daemon = True
    timer.start()


@cached(LRUCache(32), key=lambda _app, wanted: wanted.compared, condition=Condition())
def _agreements_of(app: Services, wanted: Shown) -> list[PartAgreement]:
    engine, campaign = app.workspace.engine, wanted.campaign
    chosen = (engine, campaign.id, wanted.batch, wanted.person)
    compared = [(task.task, task.parts) for task in agreement_inputs.parts_of(*chosen)]
    return agreement_so_far(campaign.protocol, compared, agreement_inputs.reads_of(*chosen))
