"""Figures of the dashboard, worked out once for a state of the work and shared by all sessions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from annotation.agreement_so_far import PartAgreement, agreement_so_far
from annotation.progress import Work
from app.results_cache import Cache
from app.results_tables import Prepared, prepared
from app.wiring import Services
from exports.reports.chart_style import unchecked
from exports.reports.model import Chart, Table
from exports.reports.progress import Part, Progress, agreement_section, progress_section
from storage import dashboard
from storage.dashboard import DashboardCampaign, Moment
from storage.dashboard_notable import Notable, notable


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
"""Pace and end change by themselves; so often they are looked at anew."""

_AHEAD_S = 1.0

_events: Cache[tuple[int, int]] = Cache(32)
_works: Cache[Work] = Cache(4)
_progress: Cache[Progress] = Cache(64)
_sections: Cache[Section] = Cache(128)
_notable: Cache[tuple[list[Notable], int]] = Cache(128)
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


def shown(app: Services, name: str) -> Shown:
    """All of a campaign as it is now.

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
    return Shown(root, campaign, now, period)


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


def section_of(app: Services, wanted: Shown, part: Part) -> Section:
    """Charts and tables of one part."""

    def made() -> Section:
        with unchecked():
            return _section(progress_section(progress_of(app, wanted), part))

    return _sections.get((*wanted.key, part), made)


def agreement_of(app: Services, wanted: Shown) -> Section:
    """Chart and table of agreement so far; of a person, on the tasks that the person has done."""

    def made() -> Section:
        with unchecked():
            found = _agreements.get(wanted.compared, _agreement(app, wanted))
            return _section(agreement_section(found))

    return _sections.get((*wanted.compared, "agreement"), made)


def notable_of(app: Services, wanted: Shown, limit: int, page: int) -> tuple[list[Notable], int]:
    """A page of the flagged and skipped attempts, and how many there are."""

    def made() -> tuple[list[Notable], int]:
        return notable(
            app.workspace.engine,
            wanted.campaign.id,
            wanted.batch,
            wanted.person,
            limit=limit,
            offset=limit * (page - 1),
        )

    return _notable.get((*wanted.key, limit, page), made)


def work_ahead(app: Services, wanted: Shown) -> None:
    """Have agreement worked out beside what is shown, so that it is there when it is asked for."""
    key = wanted.compared
    if _agreements.holds(key):
        return
    compute = _agreement(app, wanted)
    # Not at once: the browser draws the screen first.
    timer = Timer(_AHEAD_S, lambda: _agreements.get(key, compute))
    timer.daemon = True
    timer.start()


def _agreement(app: Services, wanted: Shown) -> Callable[[], list[PartAgreement]]:
    engine, campaign = app.workspace.engine, wanted.campaign
    chosen = (engine, campaign.id, wanted.batch, wanted.person)

    def compute() -> list[PartAgreement]:
        compared = [(task.task, task.parts) for task in dashboard.parts_of(*chosen)]
        return agreement_so_far(campaign.protocol, compared, dashboard.reads_of(*chosen))

    return compute
