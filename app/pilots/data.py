"""Results of pilots, computed once per state of the work and shared by all sessions."""

from __future__ import annotations

from pagetrail.annotation.comparison.pairwise_agreement import Likeness
from pagetrail.app.pilots.report_computation import (
    AGREEMENT,
    OVERVIEW,
    PERSON,
    TASK,
    THEN,
    AgreementShown,
    PilotShown,
    TaskShown,
    ThenShown,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.storage.pilots.moment import pilot_moment, production_moment
from pagetrail.storage.pilots.person_tasks import PersonTask


def shown(app: Services, campaign: str) -> PilotShown:
    """People and tasks of a pilot as they are now.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    found: PilotShown = shared_result(app, _moment(app, campaign), OVERVIEW, campaign)
    return found


def task_shown(app: Services, campaign: str, task_id: int) -> TaskShown:
    """Everybody's work on one task."""
    key = (_moment(app, campaign), task_id)
    found: TaskShown = shared_result(app, key, TASK, campaign, task_id)
    return found


def tasks_of_person(app: Services, campaign: str, user_id: int) -> list[PersonTask]:
    """A person's tasks beside the gold."""
    key = (_moment(app, campaign), user_id)
    found: list[PersonTask] = shared_result(app, key, PERSON, campaign, user_id)
    return found


def then_shown(app: Services, campaign: str) -> ThenShown:
    """Baselines beside production."""
    found: ThenShown = shared_result(app, _since(app, campaign), THEN, campaign)
    return found


def agreement_shown(app: Services, campaign: str, user_id: int, then: Likeness) -> AgreementShown:
    """One person's agreement with the gold then, and with others now."""
    key = (_since(app, campaign), user_id)
    found: AgreementShown = shared_result(app, key, AGREEMENT, campaign, user_id, then)
    return found


def _moment(app: Services, campaign: str) -> tuple[object, ...]:
    return app.workspace.root, campaign, pilot_moment(app.workspace.engine, campaign)


def _since(app: Services, campaign: str) -> tuple[object, ...]:
    return *_moment(app, campaign), production_moment(app.workspace.engine)
