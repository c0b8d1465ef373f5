"""Computes the dashboard's numbers in a worker process, without Streamlit."""

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
from pagetrail.exports.reports.progress.questions import questions_report
from pagetrail.exports.reports.progress.report import Part, Progress, progress_report
from pagetrail.exports.reports.quality.report import quality
from pagetrail.exports.reports.quality.tables import ALERTS
from pagetrail.exports.reports.rounds.report import rounds
from pagetrail.storage.authoring.question_counts import requested_questions
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.dashboard import DashboardCampaign, DataVersion

SUMMARY = f"{__name__}:compute_summary"
PART = f"{__name__}:compute_part"
QUALITY = f"{__name__}:compute_quality"
ROUNDS = f"{__name__}:compute_rounds"
QUESTIONS = f"{__name__}:compute_questions"
AGREEMENT = f"{__name__}:compute_agreement"


@dataclass(frozen=True)
class DashboardView:
    """A view of the dashboard; equal views have the same numbers.

    Attributes:
        moment: the state of the work that the numbers describe.
        period: number of ten-minute periods since 1970.
        batch, person: None for all.
    """

    root: Path
    campaign: DashboardCampaign
    moment: DataVersion
    period: int
    batch: str | None = None
    person: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Cache key; ``moment`` changes with the protocol, too."""
        return (self.root, self.campaign.id, self.moment, self.period, self.batch, self.person)

    @property
    def compared(self) -> tuple[object, ...]:
        """Cache key of agreement."""
        return (self.root, self.campaign.id, self.moment.compared, self.batch, self.person)


@dataclass(frozen=True)
class CampaignSummary:
    """The numbers above the tabs.

    Attributes:
        batches, people: names in the whole campaign.
        whole: the numbers of the view.
        review_counts: review status → tasks of the view.
        now_s: time for which pace and finish date hold, in seconds since 1970.
    """

    batches: tuple[str, ...]
    people: tuple[str, ...]
    whole: Line
    review_counts: dict[str, int]
    now_s: float


def compute_summary(workspace: Workspace, view: DashboardView, now_s: float) -> CampaignSummary:
    """The summary of a view."""
    whole_campaign = _work_of(workspace, view)
    progress = _progress_of(workspace, view, now_s)
    return CampaignSummary(
        whole_campaign.batches,
        whole_campaign.people,
        progress.total,
        progress.review_counts,
        progress.now_s,
    )


def compute_part(
    workspace: Workspace,
    view: DashboardView,
    now_s: float,
    part: Part,
    agreement: Sequence[PartAgreement],
) -> PreparedReport:
    """One part of a view as a report.

    Args:
        agreement: from ``compute_agreement``, for that part.
    """
    selection = {"batch": view.batch, "annotator": view.person}
    with unchecked():
        report = progress_report(
            view.campaign.name,
            view.campaign.protocol.name,
            _progress_of(workspace, view, now_s),
            agreement,
            parts=[part],
            choices={name: value for name, value in selection.items() if value is not None},
        )
        return PreparedReport.prepare(report)


@dataclass(frozen=True)
class QualityReport:
    """The quality report with people's names, and its alerts as (annotator, alert)."""

    report: PreparedReport
    alerts: tuple[tuple[str, str], ...]


def compute_quality(workspace: Workspace, view: DashboardView) -> QualityReport:
    """Quality of a campaign's work or of one person's, who is still compared with others.

    Batches are ignored.
    """
    with unchecked(), open_source(workspace, view.campaign.name, identify=True) as source:
        report = quality(source, person=view.person)
        alerts = next(table for table in report.tables if table.key == ALERTS)
        names_and_alerts = [
            (row.cells["annotator"].value, row.cells["alert"].value) for row in alerts.rows
        ]
        return QualityReport(
            PreparedReport.prepare(report),
            tuple((str(name), str(alert)) for name, alert in names_and_alerts),
        )


def compute_rounds(workspace: Workspace, view: DashboardView) -> PreparedReport:
    """Rounds of a campaign's texts or tables; batches and people are ignored."""
    with unchecked(), open_source(workspace, view.campaign.name, identify=True) as source:
        return PreparedReport.prepare(rounds(source))


def compute_questions(workspace: Workspace, view: DashboardView) -> PreparedReport:
    """Questions by what was drawn for them; batches and people are ignored."""
    campaign = view.campaign
    questions = requested_questions(workspace.engine, campaign.id, campaign.protocol)
    with unchecked():
        return PreparedReport.prepare(questions_report(campaign.name, campaign.protocol, questions))


def compute_agreement(workspace: Workspace, view: DashboardView) -> list[PartAgreement]:
    """Agreement so far; a person's covers the tasks they have done."""
    campaign = view.campaign
    scope = (workspace.engine, campaign.id, view.batch, view.person)
    compared = [(task.task, task.parts) for task in agreement_inputs.parts_of(*scope)]
    return agreement_so_far(campaign.protocol, compared, agreement_inputs.reads_of(*scope))


@cached(
    LRUCache(4),
    key=lambda _workspace, view: (view.root, view.campaign.id, view.moment),
)
def _work_of(workspace: Workspace, view: DashboardView) -> CampaignWork:
    """The campaign's unfiltered work, shared by all views."""
    return dashboard.work_of(workspace.engine, view.campaign.id)


@cached(LRUCache(16), key=lambda _workspace, view, now_s: (view.key, now_s))
def _progress_of(workspace: Workspace, view: DashboardView, now_s: float) -> Progress:
    return Progress(_work_of(workspace, view).restricted_to(view.batch, view.person), now_s)
