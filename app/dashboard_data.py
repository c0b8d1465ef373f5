"""Figures of the dashboard, worked out once for a state of the work and shared by all sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from annotation.agreement_so_far import PartAgreement, agreement_so_far
from annotation.progress import Work
from app.results_cache import Cache
from app.wiring import Services
from exports.reports.chart_style import unchecked
from exports.reports.model import Chart, Table
from exports.reports.progress import Part, Progress, agreement_section, progress_section
from storage import dashboard
from storage.dashboard import DashboardCampaign, Moment

Parts = list[Table | Chart]

_NOW_EVERY_S = 600
"""Pace and end change by themselves; so often they are looked at anew."""

_events: Cache[tuple[int, int]] = Cache(32)
_works: Cache[Work] = Cache(4)
_progress: Cache[Progress] = Cache(64)
_sections: Cache[Parts] = Cache(128)
_agreements: Cache[list[PartAgreement]] = Cache(32)


@dataclass(frozen=True)
class Shown:
    """What is looked at; two that are equal have the same figures.

    Attributes:
        moment: what the figures rest on.
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


def shown(app: Services, name: str, batch: str | None, person: str | None) -> Shown:
    """What is there now.

    Raises:
        NotFoundError: no such campaign.
    """
    engine, root = app.workspace.engine, app.workspace.root
    campaign = dashboard.campaign_of(engine, name)
    # The last event of all is asked for first: what comes in between only makes the count newer.
    last = dashboard.last_event(engine)
    events = _events.get(
        (root, campaign.id, last), lambda: dashboard.events_of(engine, campaign.id)
    )
    now = dashboard.moment(engine, campaign.id, events)
    period = int(app.clock.now().timestamp()) // _NOW_EVERY_S
    return Shown(root, campaign, now, period, batch, person)


def work_of(app: Services, wanted: Shown) -> Work:
    """The campaign's work, unfiltered."""
    key = (wanted.root, wanted.campaign.id, wanted.moment)
    return _works.get(key, lambda: dashboard.work_of(app.workspace.engine, wanted.campaign.id))


def progress_of(app: Services, wanted: Shown) -> Progress:
    """The figures of what is looked at."""

    def made() -> Progress:
        work = work_of(app, wanted).only(wanted.batch, wanted.person)
        return Progress(work, app.clock.now().timestamp())

    return _progress.get(wanted.key, made)


def section_of(app: Services, wanted: Shown, part: Part) -> Parts:
    """Charts and tables of one part."""

    def made() -> Parts:
        with unchecked():
            return progress_section(progress_of(app, wanted), part)

    return _sections.get((*wanted.key, part), made)


def agreement_of(app: Services, wanted: Shown) -> Parts:
    """Chart and table of agreement so far; of a person, on the tasks that the person has done."""

    def made() -> Parts:
        with unchecked():
            return agreement_section(_agreements.get(wanted.compared, _agreement(app, wanted)))

    return _sections.get((*wanted.compared, "agreement"), made)


def work_ahead(app: Services, wanted: Shown) -> None:
    """Have agreement worked out beside what is shown, so that it is there when it is asked for."""
    key = wanted.compared
    if _agreements.holds(key):
        return
    compute = _agreement(app, wanted)
    Thread(target=lambda: _agreements.get(key, compute), daemon=True).start()


def _agreement(app: Services, wanted: Shown) -> Callable[[], list[PartAgreement]]:
    engine, campaign = app.workspace.engine, wanted.campaign
    chosen = (engine, campaign.id, wanted.batch, wanted.person)

    def compute() -> list[PartAgreement]:
        compared = [(task.task, task.parts) for task in dashboard.parts_of(*chosen)]
        return agreement_so_far(campaign.protocol, compared, dashboard.reads_of(*chosen))

    return compute
