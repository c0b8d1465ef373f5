"""Computes results of pilots in a worker process, without Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from pagetrail.annotation.comparison.pairwise_agreement import Similarity
from pagetrail.app.ui.table_frames import PreparedReport, PreparedTable, prepare_table
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.model import Chart
from pagetrail.exports.reports.pilots.charts import agreement_chart
from pagetrail.exports.reports.pilots.report import pilot_report
from pagetrail.exports.reports.pilots.tables import agreement_rows, agreement_table, work_table
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.pilots.overview import PilotOverview, pilot_overview
from pagetrail.storage.pilots.person_tasks import PersonTask, TaskWork, person_tasks, task_works
from pagetrail.storage.pilots.production_comparison import (
    PilotComparison,
    ProductionAgreement,
    agreement_now,
    compare_with_production,
)

PILOT_RESULTS = f"{__name__}:compute_pilot"
TASK_RESULTS = f"{__name__}:compute_task"
PERSON_TASKS = f"{__name__}:compute_person"
PRODUCTION_COMPARISON = f"{__name__}:compute_comparison"
AGREEMENT_COMPARISON = f"{__name__}:compute_agreement"


@dataclass(frozen=True)
class PilotResults:
    """A pilot and its report on people and tasks."""

    overview: PilotOverview
    report: PreparedReport


@dataclass(frozen=True)
class TaskResults:
    """All attempts at one task."""

    attempts: list[TaskWork]
    table: PreparedTable


@dataclass(frozen=True)
class ProductionComparison:
    """Stored results compared with production work.

    Attributes:
        campaigns: the production campaigns.
    """

    campaigns: tuple[str, ...]
    people: list[PilotComparison]
    report: PreparedReport


@dataclass(frozen=True)
class AgreementComparison:
    """One person's agreement with the gold in the pilot, and with others in production."""

    current: ProductionAgreement
    chart: Chart | None
    table: PreparedTable


def compute_pilot(workspace: Workspace, campaign: str) -> PilotResults:
    """Results of people and tasks.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    overview = pilot_overview(workspace.engine, campaign)
    return PilotResults(overview, PreparedReport.prepare(pilot_report(overview)))


def compute_task(workspace: Workspace, campaign: str, task_id: int) -> TaskResults:
    """All attempts at a task."""
    attempts = task_works(workspace.engine, campaign, task_id)
    return TaskResults(attempts, prepare_table(work_table(attempts)))


def compute_person(workspace: Workspace, campaign: str, user_id: int) -> list[PersonTask]:
    """A person's tasks with their gold."""
    return person_tasks(workspace.engine, campaign, user_id)


def compute_comparison(workspace: Workspace, campaign: str) -> ProductionComparison:
    """Stored results compared with production since then."""
    campaigns, people = compare_with_production(workspace.engine, campaign)
    overview = pilot_overview(workspace.engine, campaign)
    return ProductionComparison(
        campaigns, people, PreparedReport.prepare(pilot_report(overview, people))
    )


def compute_agreement(
    workspace: Workspace, campaign: str, user_id: int, baseline: Similarity
) -> AgreementComparison:
    """A person's agreement.

    Args:
        baseline: with the gold, as stored.
    """
    current = agreement_now(workspace.engine, campaign, user_id)
    rows = agreement_rows(baseline, current.likeness)
    with unchecked():
        chart = agreement_chart(rows)
    return AgreementComparison(current, chart, prepare_table(agreement_table(rows)))
