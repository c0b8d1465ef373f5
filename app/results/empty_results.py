"""Advice for a campaign that has no results yet."""

from __future__ import annotations

from pagetrail.storage.progress.campaign_state import CampaignState


def what_to_do(state: CampaignState, *, agreement: bool) -> str | None:
    """What to do next; None if there are results to show."""
    if agreement:
        return _agreement(state)
    if state.submitted or state.systems:
        return None
    if not state.attempts:
        return (
            "This campaign has not started. Assign its batches with `pagetrail assign`, or import "
            "an agent's results with `pagetrail import-run`."
        )
    return (
        "Nothing has been submitted yet. Results appear with the first submitted task. Import an "
        "agent's results with `pagetrail import-run`."
    )


def _agreement(state: CampaignState) -> str | None:
    if not state.submitted:
        return (
            "No person has submitted anything yet. Agreement needs tasks that two people have "
            "submitted."
        )
    if state.people < 2:
        return (
            "Only one person has submitted work. Agreement needs two: add people with "
            "`pagetrail users`, assign batches with `pagetrail assign`, and import tasks with "
            "`--overlap 2` so that each is assigned to two people."
        )
    if not state.shared:
        return (
            "No task has been submitted by two people yet, so there is nothing to compare. See "
            "Progress for who has done what; `--overlap 2` at import assigns each task to two "
            "people."
        )
    return None
