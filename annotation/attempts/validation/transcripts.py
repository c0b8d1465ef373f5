"""Decides whether a text can be edited, a patch be decided, and a round begin."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.transcript_state import (
    Transcript,
    changes_transcript,
    decided_patches,
    is_decidable,
)
from pagetrail.annotation.errors import NOT_SUBMITTED, Refusal
from pagetrail.annotation.messages import gettext

TEXT_DIFFERS = "text_differs"


def check_transcript_edit(
    context: AttemptContext, state: AttemptState, payload: ev.TranscriptEdit
) -> None:
    """Refuse a change of a text that it does not fit."""
    transcript = state.transcript
    if not context.protocol.transcript.enabled or transcript is None:
        raise Refusal(
            gettext("This task has no text to correct."), code="no_transcript", field="transcript"
        )
    if (payload.document, payload.page) != (transcript.document, transcript.page):
        raise Refusal(
            gettext(
                "The text is of page {page} of {document}.",
                page=transcript.page,
                document=transcript.document,
            ),
            code="page_not_given",
            field="transcript",
        )
    match payload:
        case ev.TextEdited():
            if not changes_transcript(transcript, payload):
                raise _different_text()
            growth = payload.added_chars - payload.removed_chars
        case ev.PatchDecided() | ev.PatchesDecided():
            growth = _growth_of_decision(transcript, payload)
        case _:
            return
    if growth > 0 and len(transcript.text) + growth > ev.MAX_TRANSCRIPT:
        raise Refusal(
            gettext(
                "The text of a page has at most {max_chars:,} characters.",
                max_chars=ev.MAX_TRANSCRIPT,
            ),
            code="text_too_long",
            field="transcript",
        )


def check_given_patches(state: AttemptState, payload: ev.PatchesGiven) -> None:
    """Refuse patches that are for another text."""
    transcript = state.transcript
    if transcript is None or transcript.text_sha256 != payload.text_sha256:
        raise _different_text()
    text = transcript.text
    for patch in payload.patches:
        if patch.at > len(text) or text[patch.at : patch.end] != patch.removed:
            raise _different_text()


def check_round(context: AttemptContext, state: AttemptState, payload: ev.RoundStarted) -> None:
    """Only submitted work of a person goes into another round."""
    if context.review or context.imported:
        raise Refusal(gettext("Only people's work goes into another round."), code="no_round")
    if state.status != "submitted":
        raise Refusal(
            gettext("The task has not been submitted, or was reopened meanwhile."),
            code=NOT_SUBMITTED,
        )
    current_round = state.transcript.round if state.transcript else state.tables.round
    if payload.number != current_round + 1:
        raise Refusal(
            gettext(
                "The task is in round {round}; the next one is {next_round}, not {given_round}.",
                round=current_round,
                next_round=current_round + 1,
                given_round=payload.number,
            ),
            code="wrong_round",
        )


def _growth_of_decision(
    transcript: Transcript, payload: ev.PatchDecided | ev.PatchesDecided
) -> int:
    """By how much the text can grow at most.

    Raises:
        Refusal: a patch cannot get the decision.
    """
    growth = 0
    states = set()
    patches = transcript.patches_by_id()
    for patch_id in decided_patches(payload):
        patch = patches.get(patch_id)
        if patch is None:
            raise Refusal(
                gettext("There is no patch {patch} in this round.", patch=patch_id),
                code="unknown_patch",
                field="transcript",
            )
        if isinstance(payload, ev.PatchesDecided) and patch.state == "stale":
            if payload.undoes is None:
                raise _different_text()
            continue
        if not is_decidable(transcript, patch, payload.decision):
            raise _undecidable(patch_id, is_same=patch.state == payload.decision)
        states.add(patch.state)
        if patch.text_after(payload.decision) != patch.present:
            growth += len(patch.text_after(payload.decision)) - len(patch.present)
    if len(states) > 1:
        raise Refusal(
            gettext("These patches do not have the same decision."),
            code="mixed_decisions",
            field="transcript",
        )
    return growth


def _undecidable(patch: str, *, is_same: bool) -> Refusal:
    if is_same:
        return Refusal(
            gettext("Patch {patch} has this decision already.", patch=patch),
            code="same_decision",
            field="transcript",
        )
    return _different_text()


def _different_text() -> Refusal:
    return Refusal(
        gettext(
            "The text was changed meanwhile, and this no longer fits it. Reload the page to go on "
            "with the current text."
        ),
        code=TEXT_DIFFERS,
        field="transcript",
    )
