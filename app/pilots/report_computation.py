"""Computes results of pilots in a worker process, without Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from pagetrail.app.ui.table_frames import PreparedReport, PreparedTable, prepare_table
from pagetrail.exports.reports.pilots.report import pilot_report
from pagetrail.exports.reports.pilots.tables import work_table
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.pilots.overview import PilotOverview, pilot_overview
from pagetrail.storage.pilots.person_tasks import PersonTask, TaskWork, person_tasks, task_works

PILOT_RESULTS = f"{__name__}:compute_pilot"
TASK_RESULTS = f"{__name__}:compute_task"
PERSON_TASKS = f"{__name__}:compute_person"


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
