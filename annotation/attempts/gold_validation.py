"""What may be recorded in the gold stream of a task."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.sentences import sentence


def check_gold(context: AttemptContext, state: AttemptState, payload: ev.Payload) -> None:
    """Refuse an event of a gold stream that its state forbids."""
    if not context.review:
        raise Refusal("This is an annotator's work, not gold.", code="not_gold")
    review = state.review or Review()
    match payload:
        case ev.ReviewReleased() if review.holder != context.actor:
            raise Refusal("You do not hold this task.", code="not_held")
        case ev.GoldMerged() | ev.ReviewTaken() if review.decided:
            raise Refusal(
                f"{review.decided_by} has decided this task: it is gold, version "
                f"{review.version}. Reopen it to change it.",
                code="gold_decided",
            )
        case ev.Adjudicated():
            confirms = review.decided and review.automatic and payload.checked
            if review.decided and not confirms:
                raise Refusal(
                    f"{review.decided_by} has decided this task meanwhile: it is gold, version "
                    f"{review.version}.",
                    code="gold_decided",
                )
            if payload.version != review.version + 1:
                raise Refusal(
                    f"The gold is at version {review.version}; the next one is "
                    f"{review.version + 1}, not {payload.version}.",
                    code="wrong_version",
                )
            if state.outcome is None:
                raise Refusal("Nothing has been merged yet.", code="no_draft")
            check_nothing_missing(gold_missing(context.form(state)))
        case ev.DecisionUndone():
            if not review.decided or review.decided_seq != payload.decision:
                raise Refusal("This is not the last decision any more.", code="outdated")
            if review.decided_by != context.actor:
                raise Refusal(
                    f"{review.decided_by} decided this task. Reopen it to change it.",
                    code="not_yours",
                )
        case ev.GoldReopened():
            if not review.decided:
                raise Refusal("There is no gold to reopen.", code="not_decided")
            check_not_blank(payload.reason, "reason")
        case _:
            pass


def check_not_blank(text: str, field: str) -> None:
    """Refuse a text of nothing but space."""
    if not text.strip():
        raise Refusal(sentence("blank"), code="blank", field=field)


def check_nothing_missing(incomplete: Mapping[str, str]) -> None:
    """Refuse with all sentences in one, on the first part that is missing."""
    if incomplete:
        raise Refusal(
            " ".join(incomplete.values()), code="incomplete", field=next(iter(incomplete))
        )
