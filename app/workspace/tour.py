"""Whether the task screen begins with its tour: once per person, in the first task."""

from __future__ import annotations

from pagetrail.app.services.composition import Services
from pagetrail.storage.batches.my_batches import has_worked_elsewhere
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.preferences import preferences_of


def is_tour_due(services: Services, person: Person, attempt_id: str) -> bool:
    """Whether the screen of this attempt begins with the tour.

    Args:
        services: of the workspace that has the person's account, also for a practice task.
    """
    if not services.offers_tour:
        return False
    tour = preferences_of(services.workspace, person.id).tour
    if tour == "first task":
        return not has_worked_elsewhere(services.workspace.engine, person.id, attempt_id)
    return tour == "next task"
