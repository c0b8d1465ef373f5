"""What to do next where a campaign has nothing to show yet."""

from __future__ import annotations

from pagetrail.storage.progress.campaign_state import CampaignState


def what_to_do(state: CampaignState, *, agreement: bool) -> str | None:
    """A sentence or two instead of figures; None where there is something to show."""
    if agreement:
        return _agreement(state)
    if state.submitted or state.systems:
        return None
    if not state.attempts:
        return (
            "Nobody has begun this campaign. Assign its batches with `pagetrail assign`, or read "
            "an agent's results in with `pagetrail import-run`."
        )
    return (
        "Nothing has been handed in yet: figures appear with the first task that is. An agent's "
        "results are read in with `pagetrail import-run`."
    )


def _agreement(state: CampaignState) -> str | None:
    if not state.submitted:
        return (
            "No person has handed anything in yet. Agreement needs tasks that two people have "
            "handed in."
        )
    if state.people < 2:
        return (
            "Only one person has handed in work. Agreement needs two: add people with "
            "`pagetrail users`, assign batches with `pagetrail assign`, and import tasks with "
            "`--overlap 2` so that each reaches two people."
        )
    if not state.shared:
        return (
            "No task has been handed in by two people yet, so that nothing can be compared. "
            "Progress shows who is how far; tasks reach two people when they are imported with "
            "`--overlap 2`."
        )
    return None
