"""Guards of a decision, checked in its transaction before anything is stored.

Each takes a guard and returns one that checks its own condition after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import ConflictError, Refusal
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import open_page_sentences, tied_parts
from pagetrail.storage.review.gold_streams import Guard, require_complete
from pagetrail.storage.review.submissions import ReviewedTask

CHANGED_SINCE_SHOWN = N_(
    "What would become gold, or what the dataset says of it, has changed since it was shown. "
    "Nothing was decided; look at it again."
)


def require_shown_gold(merged: ev.GoldMerged, shown: ev.GoldMerged, guard: Guard) -> Guard:
    """Refuse gold other than the draft that the reviewer was shown."""

    def check(state: AttemptState) -> None:
        guard(state)
        if merged != shown:
            raise ConflictError(gettext(CHANGED_SINCE_SHOWN), code="outdated")

    return check


def require_submissions(merged: ev.GoldMerged, guard: Guard) -> Guard:
    """Refuse gold made of no submissions, before it replaces a draft."""

    def check(state: AttemptState) -> None:
        guard(state)
        if not merged.sources:
            raise Refusal(
                gettext("Nobody has submitted work on this task: there is nothing to decide on."),
                code="no_draft",
            )

    return check


def require_no_ties(choices: Iterable[ev.Choice], protocol: Protocol, guard: Guard) -> Guard:
    """Refuse gold with a part that a tie left open."""

    def check(state: AttemptState) -> None:
        guard(state)
        undecided = undecided_sentence(choices, protocol)
        if undecided:
            raise Refusal(undecided, code="tied")

    return check


def undecided_sentence(choices: Iterable[ev.Choice], protocol: Protocol) -> str:
    """The open pages and ties that a merge leaves to a reviewer; empty if there are none."""
    choices = list(choices)
    open_pages = open_page_sentences(choices, protocol)
    tied = tied_parts([choice for choice in choices if choice.part not in open_pages], protocol)
    sentences = list(open_pages.values())
    if tied:
        sentences.append(
            gettext(
                "A tie, for you to decide: {parts}. Take one person’s version, or choose another "
                "way.",
                parts=", ".join(tied),
            )
        )
    return " ".join(sentences)


def require_requested_remarks(
    rule: ReviewPart, errors: Sequence[str], confidence: str | None, guard: Guard
) -> Guard:
    """Refuse kinds of error, or a confidence, that the campaign does not ask for."""

    def check(state: AttemptState) -> None:
        guard(state)
        unknown = [error for error in errors if error not in rule.errors]
        if unknown or (confidence is not None and not rule.confidence):
            raise Refusal(
                gettext(
                    "In this campaign there is no kind of error {error!r}. Load the task again.",
                    error=unknown[0],
                )
                if unknown
                else gettext(
                    "In this campaign there is no confidence to give. Load the task again."
                ),
                code="not_asked",
            )

    return check


def require_complete_gold(task: ReviewedTask, merged: ev.GoldMerged | None, guard: Guard) -> Guard:
    """Refuse gold without a value for a field that annotators must fill in.

    Args:
        merged: the draft to become gold; None for the stored one.
    """

    def check(state: AttemptState) -> None:
        guard(state)
        if merged is not None:
            require_complete(task.form(draft_state(merged)))
        elif state.outcome is not None:  # there is no draft without an outcome
            require_complete(task.form(state))

    return check
