"""Why a task's gold is checked, in words."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.review.suspect_gold import AssessedTask, Reason

REASON_TITLES: Mapping[Reason, str] = {
    "nobody_solved": lazy_gettext("Nobody solved it"),
    "annotators_agree": lazy_gettext("Annotators agree with each other against it"),
    "judge_differs": lazy_gettext("The judge and people differ on an answer"),
    "low_posterior": lazy_gettext("The model gives the gold a low probability"),
}
MODEL_OR_CHANCE = lazy_gettext("Low probability in the model, or drawn at random")
"""Shown to reviewers for both, so that they cannot tell the control sample apart."""


def shown_reasons(task: AssessedTask) -> list[str]:
    """The reasons that everybody may read; one for the control sample and low probabilities."""
    plain = [REASON_TITLES[reason] for reason in task.reasons if reason != "low_posterior"]
    return plain or [MODEL_OR_CHANCE]
