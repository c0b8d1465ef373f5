"""An annotator's own result in a pilot."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext
from pagetrail.storage.qualification.gate import PilotResult, percent


def pilot_status(result: PilotResult) -> str:
    """One line about the result, shown to the annotator.

    Only tasks with a final verdict count as right, not those that can still be changed.
    """
    numbers = {
        "done": result.done,
        "total": result.total,
        "right": result.right,
        "mark": percent(result.pass_mark),
    }
    if result.decision == "admit":
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {mark} needed. Your supervisor has "
            "admitted you.",
            **numbers,
        )
    if result.set_aside or (result.decision == "retrain" and result.passed is None):
        return gettext(
            "Pilot: {done} of {total} done, {right} right. Your supervisor asks you to take the "
            "pilot again.",
            **numbers,
        )
    if result.is_kept and not result.passed:
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {mark} needed. Some answers were graded "
            "again. You can go on working; your supervisor looks at it.",
            **numbers,
        )
    if result.is_waiting:
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {undecided} waiting for review, {mark} "
            "needed. Your supervisor looks at the answers that no rule can decide.",
            **numbers,
            undecided=result.undecided,
        )
    if result.passed:
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {mark} needed. Passed.", **numbers
        )
    if result.passed is False:
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {mark} needed. Not passed. Ask your "
            "supervisor to take it again.",
            **numbers,
        )
    if result.done == result.total:
        return gettext(
            "Pilot: {done} of {total} done, {right} right, {mark} needed. Close the batch so that "
            "all tasks count.",
            **numbers,
        )
    return gettext("Pilot: {done} of {total} done, {right} right, {mark} needed", **numbers)
