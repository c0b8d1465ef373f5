"""Numbers of the dashboard, computed in a worker process: imports nothing of Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cachetools import LRUCache, cached

from pagetrail.annotation.progress.agreement import PartAgreement, agreement_so_far
from pagetrail.annotation.progress.summary import CampaignWork, Line
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.progress.report import Part, Progress, progress_report
from pagetrail.exports.reports.quality.report import quality
from pagetrail.exports.reports.quality.tables import ALERTS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.dashboard import DashboardCampaign, DataVersion

HEAD = f"{__name__}:head_of"
PART = f"{__name__}:part_of"
QUALITY = f"{__name__}:quality_of"
AGREEMENTS = f"{__name__}:agreements_of"


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
    moment: DataVersion
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


@dataclass(frozen=True)
class Head:
    """What is above the tabs.

    Attributes:
        batches, people: names in the whole campaign.
        whole: the numbers of the view.
        review_counts: review status → tasks of the view.
        now_s: the moment of pace and end, seconds since 1970.
    """

    batches: tuple[str, ...]
    people: tuple[str, ...]
    whole: Line
    review_counts: dict[str, int]
    now_s: float


def head_of(workspace: Workspace, wanted: Shown, now_s: float) -> Head:
    """The head of a view."""
    everything = _work_of(workspace, wanted)
    found = _progress_of(workspace, wanted, now_s)
    return Head(
        everything.batches, everything.people, found.total, found.review_counts, found.now_s
    )


def part_of(
    workspace: Workspace,
    wanted: Shown,
    now_s: float,
    part: Part,
    agreement: Sequence[PartAgreement],
) -> PreparedReport:
    """One part of a view as a report.

    Args:
        agreement: of ``agreements_of``, for that part.
    """
    narrowed = {"batch": wanted.batch, "annotator": wanted.person}
    with unchecked():
        report = progress_report(
            wanted.campaign.name,
            wanted.campaign.protocol.name,
            _progress_of(workspace, wanted, now_s),
            agreement,
            parts=[part],
            choices={name: chosen for name, chosen in narrowed.items() if chosen is not None},
        )
        return PreparedReport.prepare(report)


@dataclass(frozen=True)
class ShownQuality:
    """The report of quality with people's names, and its alerts as (annotator, alert)."""

    report: PreparedReport
    alerts: tuple[tuple[str, str], ...]


def quality_of(workspace: Workspace, wanted: Shown) -> ShownQuality:
    """Quality of a campaign's work, or of one person's; other people are compared with all the
    same. A batch does not narrow it."""
    with unchecked(), open_source(workspace, wanted.campaign.name, identify=True) as source:
        report = quality(source, person=wanted.person)
        raised = next(table for table in report.tables if table.key == ALERTS)
        named = [(row.cells["annotator"].value, row.cells["alert"].value) for row in raised.rows]
        return ShownQuality(
            PreparedReport.prepare(report), tuple((str(name), str(alert)) for name, alert in named)
        )


def agreements_of(workspace: Workspace, wanted: Shown) -> list[PartAgreement]:
    """Agreement so far; of a person on the tasks that the person has done."""
    campaign = wanted.campaign
    chosen = (workspace.engine, campaign.id, wanted.batch, wanted.person)
    compared = [(task.task, task.parts) for task in agreement_inputs.parts_of(*chosen)]
    return agreement_so_far(campaign.protocol, compared, agreement_inputs.reads_of(*chosen))


@cached(
    LRUCache(4),
    key=lambda _workspace, wanted: (wanted.root, wanted.campaign.id, wanted.moment),
)
def _work_of(workspace: Workspace, wanted: Shown) -> CampaignWork:
    """The campaign's work, unfiltered; parts and filters share it."""
    return dashboard.work_of(workspace.engine, wanted.campaign.id)


@cached(LRUCache(16), key=lambda _workspace, wanted, now_s: (wanted.key, now_s))
def _progress_of(workspace: Workspace, wanted: Shown, now_s: float) -> Progress:
    return Progress(_work_of(workspace, wanted).restricted_to(wanted.batch, wanted.person), now_s)
