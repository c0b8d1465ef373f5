"""Advice for a campaign that has no results yet."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext
from pagetrail.storage.progress.campaign_state import CampaignState


def next_step(state: CampaignState, *, agreement: bool) -> str | None:
    """Advice on the next step; None if there are results."""
    if agreement:
        return _agreement(state)
    if state.submitted or state.systems:
        return None
    if not state.attempts:
        return gettext(
            "This campaign has not started. Assign its batches under "
            "Administration, or have an agent's results imported."
        )
    return gettext(
        "Nothing has been submitted yet. Results appear with the first "
        "submitted task, and with an agent's imported results."
    )


def _agreement(state: CampaignState) -> str | None:
    if not state.submitted:
        return gettext(
            "No person has submitted anything yet. Agreement needs tasks that two "
            "people have submitted."
        )
    if state.people < 2:
        return gettext(
            "Only one person has submitted work. Agreement needs two: under "
            "Administration, add people, set two annotators per task in the "
            "campaign's review rule, and assign batches."
        )
    if not state.shared:
        return gettext(
            "No task has been submitted by two people yet, so there is nothing to "
            "compare. See Progress for who has done what; with two annotators per "
            "task, in the campaign's review rule, each task goes to two people."
        )
    return None
