"""Results of pilots, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from pagetrail.annotation.comparison.pairwise_agreement import Similarity
from pagetrail.app.pilots.report_computation import (
    AGREEMENT_COMPARISON,
    PERSON_TASKS,
    PILOT_RESULTS,
    PRODUCTION_COMPARISON,
    TASK_RESULTS,
    AgreementComparison,
    PilotResults,
    ProductionComparison,
    TaskResults,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.storage.pilots.overview import pilot_version, production_version
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


def production_comparison(app: Services, campaign: str) -> ProductionComparison:
    """Stored results compared with production work."""
    comparison: ProductionComparison = shared_result(
        app, _comparison_version(app, campaign), PRODUCTION_COMPARISON, campaign
    )
    return comparison


def agreement_comparison(
    app: Services, campaign: str, user_id: int, baseline: Similarity
) -> AgreementComparison:
    """One person's agreement with the gold in the pilot, and with others in production."""
    key = (_comparison_version(app, campaign), user_id)
    comparison: AgreementComparison = shared_result(
        app, key, AGREEMENT_COMPARISON, campaign, user_id, baseline
    )
    return comparison


def _pilot_version(app: Services, campaign: str) -> tuple[object, ...]:
    return app.workspace.root, campaign, pilot_version(app.workspace.engine, campaign)


def _comparison_version(app: Services, campaign: str) -> tuple[object, ...]:
    return *_pilot_version(app, campaign), production_version(app.workspace.engine)
