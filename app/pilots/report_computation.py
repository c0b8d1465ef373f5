"""Results of pilots, computed in a worker process: imports nothing of Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from pagetrail.annotation.comparison.pairwise_agreement import Likeness
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
    Agreeing,
    ThenAndNow,
    agreement_now,
    then_and_now,
)

OVERVIEW = f"{__name__}:overview_of"
TASK = f"{__name__}:task_of"
PERSON = f"{__name__}:person_of"
THEN = f"{__name__}:then_of"
AGREEMENT = f"{__name__}:agreement_of"


@dataclass(frozen=True)
class PilotShown:
    """A pilot with its report: people and tasks."""

    overview: PilotOverview
    ready: PreparedReport


@dataclass(frozen=True)
class TaskShown:
    """Everybody's work on one task."""

    works: list[TaskWork]
    table: PreparedTable


@dataclass(frozen=True)
class ThenShown:
    """Baselines beside production.

    Attributes:
        campaigns: the production campaigns.
    """

    campaigns: tuple[str, ...]
    people: list[ThenAndNow]
    ready: PreparedReport


@dataclass(frozen=True)
class AgreementShown:
    """One person's agreement with the gold then, and with others now."""

    now: Agreeing
    chart: Chart | None
    table: PreparedTable


def overview_of(workspace: Workspace, campaign: str) -> PilotShown:
    """People and tasks.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    overview = pilot_overview(workspace.engine, campaign)
    return PilotShown(overview, PreparedReport.prepare(pilot_report(overview)))


def task_of(workspace: Workspace, campaign: str, task_id: int) -> TaskShown:
    """Everybody's work on a task."""
    works = task_works(workspace.engine, campaign, task_id)
    return TaskShown(works, prepare_table(work_table(works)))


def person_of(workspace: Workspace, campaign: str, user_id: int) -> list[PersonTask]:
    """A person's tasks beside the gold."""
    return person_tasks(workspace.engine, campaign, user_id)


def then_of(workspace: Workspace, campaign: str) -> ThenShown:
    """Baselines beside production since."""
    campaigns, people = then_and_now(workspace.engine, campaign)
    overview = pilot_overview(workspace.engine, campaign)
    return ThenShown(campaigns, people, PreparedReport.prepare(pilot_report(overview, people)))


def agreement_of(
    workspace: Workspace, campaign: str, user_id: int, then: Likeness
) -> AgreementShown:
    """A person's agreement.

    Args:
        then: with the gold, as stored.
    """
    now = agreement_now(workspace.engine, campaign, user_id)
    rows = agreement_rows(then, now.likeness)
    with unchecked():
        chart = agreement_chart(rows)
    return AgreementShown(now, chart, prepare_table(agreement_table(rows)))
