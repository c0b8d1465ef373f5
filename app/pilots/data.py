"""Results of pilots, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from pagetrail.app.pilots.report_computation import (
    PERSON_TASKS,
    PILOT_RESULTS,
    TASK_RESULTS,
    PilotResults,
    TaskResults,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.storage.pilots.overview import pilot_version
from pagetrail.storage.pilots.person_tasks import PersonTask


def pilot_results(app: Services, campaign: str) -> PilotResults:
    """Current results of people and tasks of a pilot.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    results: PilotResults = shared_result(
        app, _pilot_version(app, campaign), PILOT_RESULTS, campaign
    )
    return results


def task_results(app: Services, campaign: str, task_id: int) -> TaskResults:
    """All attempts at one task."""
    key = (_pilot_version(app, campaign), task_id)
    results: TaskResults = shared_result(app, key, TASK_RESULTS, campaign, task_id)
    return results


def tasks_of_person(app: Services, campaign: str, user_id: int) -> list[PersonTask]:
    """A person's tasks with their gold."""
    key = (_pilot_version(app, campaign), user_id)
    tasks: list[PersonTask] = shared_result(app, key, PERSON_TASKS, campaign, user_id)
    return tasks


def _pilot_version(app: Services, campaign: str) -> tuple[object, ...]:
    return app.workspace.root, campaign, pilot_version(app.workspace.engine, campaign)
