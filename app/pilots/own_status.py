"""An annotator's own result in a pilot."""

from __future__ import annotations

from pagetrail.storage.qualification.gate import PilotResult, percent


def pilot_status(result: PilotResult) -> str:
    """One line about the result, shown to the annotator.

    Only tasks with a final verdict count as right, not those that can still be changed.
    """
    counts = f"Pilot: {result.done} of {result.total} done, {result.right} right"
    needed = f"{percent(result.pass_mark)} needed"
    if result.decision == "admit":
        return f"{counts}, {needed}. Your supervisor has admitted you."
    if result.set_aside or (result.decision == "retrain" and result.passed is None):
        return f"{counts}. Your supervisor asks you to take the pilot again."
    if result.passed:
        return f"{counts}, {needed}. Passed."
    if result.passed is False:
        return f"{counts}, {needed}. Not passed. Ask your supervisor to take it again."
    if result.done == result.total:
        return f"{counts}, {needed}. Close the batch so that all tasks count."
    return f"{counts}, {needed}"
