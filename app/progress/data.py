"""Numbers of the dashboard, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Timer

from cachetools import LRUCache, cached

from pagetrail.annotation.progress.agreement import PartAgreement, agreement_so_far
from pagetrail.annotation.progress.summary import Work
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.report_tables import Prepared, prepared
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.model import Chart, Table
from pagetrail.exports.reports.progress.report import (
    Part,
    Progress,
    agreement_section,
    progress_section,
)
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.dashboard import DashboardCampaign, Moment
from pagetrail.storage.progress.flagged_attempts import Notable, notable


@dataclass(frozen=True)
class Section:
    """One part of the screen, ready to be drawn: making it takes longer than drawing it."""

    charts: tuple[Chart, ...]
    tables: tuple[Prepared, ...]


def _section(parts: Sequence[Table | Chart]) -> Section:
    return Section(
        tuple(part for part in parts if isinstance(part, Chart)),
        tuple(prepared(part, marked=False) for part in parts if isinstance(part, Table)),
    )


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
def section_of(app: Services, wanted: Shown, part: Part) -> Section:
    """Charts and tables of one part."""
    with unchecked():
        return _section(progress_section(progress_of(app, wanted), part))


@cached(LRUCache(32), key=lambda _app, wanted: wanted.compared, condition=Condition())
def agreement_of(app: Services, wanted: Shown) -> Section:
    """Chart and table of agreement so far; of a person, on the tasks that the person has done."""
    with unchecked():
        return _section(agreement_section(_agreements_of(app, wanted)))


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
