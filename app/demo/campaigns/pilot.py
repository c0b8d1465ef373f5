"""A pilot with gold and feedback, and the campaign that it opens."""

from __future__ import annotations

from pagetrail.app.demo.corpus import Demo, Record
from pagetrail.app.demo.simulated_work import SimulatedTab, work_through
from pagetrail.app.workspace.pilot_feedback import give_feedback

PILOT = "Pilot: search and answer"
PRODUCTION = "After the pilot: search and answer"
_PILOT = ("water-01", "water-06", "form-02")
_PRODUCTION = ("water-02", "water-07", "form-04", "scan-01")


def pilot_tasks(demo: Demo) -> list[Record]:
    """Three easy questions whose gold is shown after submission."""
    return [row for row in demo.questions if row["id"] in _PILOT]


def production_tasks(demo: Demo) -> list[Record]:
    """What opens after the pilot."""
    return [row for row in demo.questions if row["id"] in _PRODUCTION]


def take_pilot(tab: SimulatedTab, record: Record, submit: bool) -> None:
    """Answer with care; look at the gold afterwards."""
    work_through(tab, record, accuracy=1.0, submit=submit)
    if submit:
        give_feedback(tab.services, tab.person, tab.attempt_id)
