"""Decides what may be recorded in a state: status of the attempt, pages, kind of event, gold.

After submission only reopening, closing the batch, feedback, comments and returning are accepted.

The checks of boxes, fields and rows, texts and tables are in the other modules of this package.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation import events as ev
from pagetrail.annotation.arithmetic import ExpressionError, evaluate, format_result
from pagetrail.annotation.attempts.completeness import (
    gold_missing,
    missing,
    missing_fields,
    wrong_outcome,
)
from pagetrail.annotation.attempts.context import AttemptContext, accepts_unfinished
from pagetrail.annotation.attempts.contradictions import check_confirmation
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.history import check_undoing
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.validation.boxes import check_box
from pagetrail.annotation.attempts.validation.fields import (
    check_answer,
    check_field,
    check_row,
    check_rows,
)
from pagetrail.annotation.attempts.validation.tables import check_table_work
from pagetrail.annotation.attempts.validation.transcripts import (
    check_given_patches,
    check_round,
    check_transcript_edit,
)
from pagetrail.annotation.errors import ALREADY_SUBMITTED, NOT_SUBMITTED, Refusal
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import DocumentSource
from pagetrail.annotation.sentences import sentence


def check_event(
    documents: DocumentSource,
    context: AttemptContext,
    state: AttemptState,
    payload: ev.Payload,
    elapsed_ms: int = 0,
) -> None:
    """Raise a ``Refusal`` unless the payload is allowed now.

    Args:
        elapsed_ms: when it happened, on the attempt's time line; once the time is up, a task can
            be submitted unfinished.
    """
    if isinstance(payload, ev.Commented):
        _check_comment(state, payload)
        return
    if isinstance(payload, ev.Returned):
        _check_return(context, state, payload)
        return
    if isinstance(payload, ev.RoundStarted):
        check_round(context, state, payload)
        return
    if isinstance(payload, ev.GoldDisputed):
        check_not_blank(payload.reason, "dispute")
        if state.feedback is None:
            raise Refusal(gettext("The gold of this task has not been shown."), code="no_feedback")
        return
    if isinstance(payload, ev.GoldEvent):
        check_gold(context, state, payload)
        return
    if context.review and state.review is not None and state.review.decided:
        raise Refusal(
            sentence("gold_decided", version=state.review.version),
            code="gold_decided",
        )
    if state.closed:
        raise Refusal(sentence("batch_closed"), code="batch_closed")
    finished = state.status in ("submitted", "skipped")
    if finished and not isinstance(payload, ev.Reopened | ev.BatchClosed | ev.FeedbackGiven):
        raise Refusal(sentence("finished", status=gettext(state.status)), code=ALREADY_SUBMITTED)
    if context.imported:
        return
    form = context.form(state)
    if isinstance(payload, ev.BoxEdit):
        _check_unlocked(form)
        check_box(form, payload, _checked_page_size(documents, context, state, payload))
        return
    check_undoing(state, payload)
    match payload:
        case ev.PageViewed():
            _check_unlocked(form)
            _check_page(documents, context, payload.document, payload.page)
        case ev.TextCopied() | ev.PageTextRead() | ev.DocumentSearched() | ev.PageBeside():
            _check_unlocked(form)
            _check_text(documents, context, payload)
        case ev.FieldSet():
            _check_target(documents, context, form, payload)
            check_field(form, payload)
        case ev.RowSet() | ev.RowDeleted() | ev.RowMoved():
            _check_target(documents, context, form, payload)
            check_row(form, payload)
        case ev.RowsSet():
            _check_target(documents, context, form, payload)
            check_rows(form, payload)
        case ev.TranscriptEdit():
            check_transcript_edit(context, state, payload)
        case ev.TableWork():
            check_table_work(context, state, payload)
        case ev.PatchesGiven():
            check_given_patches(state, payload)
        case ev.ContradictionConfirmed():
            check_confirmation(form, payload)
        case ev.QuestionEdited() if context.protocol.question.kind != "editable":
            raise Refusal(
                gettext("The question is given."), code="given_question", field="question"
            )
        case ev.AnswerEdited() if context.protocol.answer.kind == "off":
            raise Refusal(gettext("This task takes no answer."), code="no_answer", field="answer")
        case ev.AnswerEdited() | ev.QuestionEdited() if form.ended:
            raise Refusal(
                gettext("The task has ended with what was said of the question."),
                code="ended",
                field="answer" if isinstance(payload, ev.AnswerEdited) else "question",
            )
        case ev.AnswerEdited():
            check_answer(form, payload)
        case ev.Reopened() if state.feedback is not None:
            raise Refusal(
                gettext(
                    "The right answer of this pilot task has been shown. It stays as submitted."
                ),
                code="gold_shown",
            )
        case ev.FeedbackGiven() if not (finished and context.protocol.pilot.enabled):
            raise Refusal(gettext("There is no feedback on this task yet."), code="no_feedback")
        case ev.PageBookmarked() | ev.BookmarkRemoved() | ev.ScratchpadEdited():
            _check_aid(documents, context, form, payload)
        case ev.Calculated():
            _check_calculation(context, payload)
        case ev.CitationAdded():
            _check_citation(documents, context, form, payload)
        case ev.CitationRemoved() if not state.cites(payload.document, payload.page):
            raise Refusal(
                gettext(
                    "Page {page} of {document} is not cited.",
                    page=payload.page,
                    document=payload.document,
                ),
                code="not_cited",
                field="evidence",
            )
        case ev.Searched() | ev.SearchRefused() if not context.protocol.search.enabled:
            raise Refusal(gettext("This task has no search."), code="no_search", field="search")
        case ev.Paused() if not context.protocol.clock.pause:
            raise Refusal(gettext("This campaign's clock cannot be paused."), code="no_pause")
        case ev.Paused() if state.paused:
            raise Refusal(gettext("The clock is paused already."), code="already_paused")
        case ev.Resumed() if not state.paused:
            raise Refusal(gettext("The clock is not paused."), code="not_paused")
        case ev.Reopened() if not (context.protocol.study.go_back or context.review):
            raise Refusal(
                sentence("no_going_back", status=gettext(state.status)), code="no_going_back"
            )
        case ev.Reopened() if not finished:
            raise Refusal(gettext("The task is open already."), code=NOT_SUBMITTED)
        case ev.BatchClosed() if not finished:
            raise Refusal(gettext("The task is still open."), code=NOT_SUBMITTED)
        case ev.Submitted():
            _check_submission(
                form, payload, unfinished=accepts_unfinished(context, state, elapsed_ms)
            )
        case ev.Skipped() if not payload.reason.strip():
            raise Refusal(sentence("no_skip_reason"), code="no_reason", field="skip")
        case _:
            pass


def _check_comment(state: AttemptState, payload: ev.Commented) -> None:
    check_not_blank(payload.text, "comment")
    if len(state.comments) >= ev.MAX_COMMENTS:
        raise Refusal(
            gettext(
                "A task takes at most {max_comments} comments, and this one has them.",
                max_comments=ev.MAX_COMMENTS,
            ),
            code="too_many_comments",
            field="comment",
        )


def _check_return(context: AttemptContext, state: AttemptState, payload: ev.Returned) -> None:
    """Only submitted work can be sent back, and no task whose gold has been shown."""
    check_not_blank(payload.comment, "comment")
    if context.review or context.imported:
        raise Refusal(gettext("Only people's work can be sent back."), code="not_returnable")
    if state.status not in ("submitted", "skipped"):
        raise Refusal(
            gettext("The task is with its annotator already.")
            if state.returned
            else gettext("The task has not been submitted, or was reopened meanwhile."),
            code=NOT_SUBMITTED,
        )
    if state.feedback is not None:
        raise Refusal(
            gettext("The right answer of this pilot task has been shown. It stays as submitted."),
            code="gold_shown",
        )


def _check_page(
    documents: DocumentSource, context: AttemptContext, document: str, page: int
) -> None:
    info = documents.document(document)
    if info is None:
        names = documents.document_names()
        raise Refusal(
            f"{names.problem(document)}."
            if names.is_unclear(document)
            else gettext("There is no document {document} in this collection.", document=document),
            code="unknown_document",
        )
    if page > info.n_pages:
        raise Refusal(
            gettext(
                "Page {page} of {document} does not exist: the document has {n_pages} pages.",
                page=page,
                document=document,
                n_pages=info.n_pages,
            ),
            code="unknown_page",
        )
    if context.pages is not None and (document, page) not in context.pages:
        raise Refusal(
            gettext(
                "Page {page} of {document} does not belong to this task.",
                page=page,
                document=document,
            ),
            code="page_not_given",
        )


def _check_text(
    documents: DocumentSource,
    context: AttemptContext,
    payload: ev.TextCopied | ev.PageTextRead | ev.DocumentSearched | ev.PageBeside,
) -> None:
    """Words can be copied where the campaign allows it; with boxes, but not into the answer."""
    protocol = context.protocol
    if isinstance(payload, ev.DocumentSearched):
        if not protocol.text.find:
            raise Refusal(gettext("This campaign's pages are images only."), code="no_text")
        return
    if isinstance(payload, ev.PageTextRead) and not protocol.text.spoken:
        raise Refusal(gettext("This campaign gives no text of pages."), code="no_text")
    if isinstance(payload, ev.TextCopied):
        if payload.to == "answer" and protocol.answer.kind == "off":
            raise Refusal(gettext("This task takes no answer."), code="no_answer", field="answer")
        if payload.to == "calculator" and not protocol.aids.calculator:
            raise Refusal(gettext("This task has no calculator."), code="no_calculator")
        needs_text = payload.to not in {"clipboard", "row"} or not protocol.boxes.enabled
        if not protocol.text.select and needs_text:
            raise Refusal(gettext("This campaign's pages are images only."), code="no_text")
    if payload.document is not None and payload.page is not None:
        _check_page(documents, context, payload.document, payload.page)


def _check_target(
    documents: DocumentSource, context: AttemptContext, form: Form, payload: ev.Targeted
) -> None:
    """The page of a page's field must exist and be open, like that of a box."""
    if payload.page is not None or payload.box is not None:
        _check_unlocked(form)
    if payload.document is not None and payload.page is not None:
        _check_page(documents, context, payload.document, payload.page)


def _check_citation(
    documents: DocumentSource, context: AttemptContext, form: Form, payload: ev.CitationAdded
) -> None:
    evidence, state = context.protocol.evidence, form.state
    if not evidence.enabled:
        raise Refusal(
            gettext("This task takes no citations."), code="no_evidence", field="evidence"
        )
    _check_unlocked(form)
    _check_page(documents, context, payload.document, payload.page)
    if state.cites(payload.document, payload.page):
        raise Refusal(
            gettext(
                "Page {page} of {document} is cited already.",
                page=payload.page,
                document=payload.document,
            ),
            code="already_cited",
            field="evidence",
        )
    if len(state.citations) >= evidence.max_pages:
        raise Refusal(
            gettext(
                "A task takes at most {max_pages} citations. Remove one first.",
                max_pages=evidence.max_pages,
            ),
            code="too_many_citations",
            field="evidence",
        )


def _check_aid(
    documents: DocumentSource,
    context: AttemptContext,
    form: Form,
    payload: ev.PageBookmarked | ev.BookmarkRemoved | ev.ScratchpadEdited,
) -> None:
    """Where the campaign allows them; gold belongs to no batch."""
    aids, state = context.protocol.aids, form.state
    if isinstance(payload, ev.ScratchpadEdited):
        if not aids.scratchpad or context.review:
            raise Refusal(gettext("This task has no scratchpad."), code="no_scratchpad")
        return
    if not aids.bookmarks or context.review:
        raise Refusal(gettext("This task has no bookmarks."), code="no_bookmarks")
    if isinstance(payload, ev.BookmarkRemoved):
        return
    _check_unlocked(form)
    _check_page(documents, context, payload.document, payload.page)
    if len(state.bookmarks) >= ev.MAX_BOOKMARKS:
        raise Refusal(
            gettext(
                "A batch takes at most {max_bookmarks} bookmarks. Remove one first.",
                max_bookmarks=ev.MAX_BOOKMARKS,
            ),
            code="too_many_bookmarks",
        )


def _check_calculation(context: AttemptContext, payload: ev.Calculated) -> None:
    if not context.protocol.aids.calculator or context.review:
        raise Refusal(gettext("This task has no calculator."), code="no_calculator")
    try:
        result = format_result(evaluate(payload.expression))
    except ExpressionError as error:
        raise Refusal(str(error), code="no_calculation") from error
    if result != payload.result:
        raise Refusal(
            gettext(
                "{expression} is {result}, not {claimed}.",
                expression=payload.expression,
                result=result,
                claimed=payload.result,
            ),
            code="wrong_result",
        )


def _checked_page_size(
    documents: DocumentSource, context: AttemptContext, state: AttemptState, payload: ev.Payload
) -> PageSize | None:
    """Size of the page that a box event's rectangle is on, after checking that page."""
    if isinstance(payload, ev.BoxDrawn):
        _check_page(documents, context, payload.document, payload.page)
        page = (payload.document, payload.page)
        if context.given is not None and page not in context.given:
            raise Refusal(
                sentence("not_given", page=payload.page, document=payload.document),
                code="page_not_given",
                field="boxes",
            )
    elif isinstance(payload, ev.BoxMoved | ev.BoxResized):
        box = state.boxes.get(payload.box)
        if box is None:
            return None
        page = (box.document, box.page)
    else:
        return None
    info = documents.document(page[0])
    # A box may be on a page that the current version of its document no longer has.
    return None if info is None or page[1] > info.n_pages else info.pages[page[1] - 1]


def _check_unlocked(form: Form) -> None:
    """The pages stay closed until the fields of ``pages_after`` are set."""
    for spec in missing_fields(form, form.protocol.pages_after):
        raise Refusal(
            gettext("Judge “{label}” first; the pages can be opened after that.", label=spec.label),
            code="pages_locked",
            field=spec.name,
        )


def _check_submission(form: Form, payload: ev.Submitted, *, unfinished: bool) -> None:
    wrong = wrong_outcome(form, payload.outcome)
    if wrong is not None:
        code, text = wrong
        raise Refusal(text, code=code, field="answer")
    if not unfinished:
        check_nothing_missing(missing(form, payload.outcome))


def check_gold(context: AttemptContext, state: AttemptState, payload: ev.Payload) -> None:
    """Refuse an event of a gold stream that its state forbids."""
    if not context.review:
        raise Refusal(gettext("This is an annotator's work, not gold."), code="not_gold")
    review = state.review or Review()
    match payload:
        case ev.ReviewReleased() if review.holder != context.actor:
            raise Refusal(gettext("You do not hold this task."), code="not_held")
        case ev.GoldMerged() | ev.ReviewTaken() | ev.DraftRejected() if review.decided:
            raise Refusal(
                " ".join((review.decision_sentence, gettext("Reopen it to change it."))),
                code="gold_decided",
            )
        case ev.Adjudicated():
            confirms = review.decided and review.automatic and payload.checked
            if review.decided and not confirms:
                raise Refusal(review.decision_sentence, code="gold_decided")
            if payload.version != review.version + 1:
                raise Refusal(
                    gettext(
                        "The gold is at version {version}; the next one is {next_version}, not "
                        "{given_version}.",
                        version=review.version,
                        next_version=review.version + 1,
                        given_version=payload.version,
                    ),
                    code="wrong_version",
                )
            if state.outcome is None:
                raise Refusal(gettext("Nothing has been merged yet."), code="no_draft")
            check_nothing_missing(gold_missing(context.form(state)))
        case ev.DecisionUndone():
            if not review.decided or review.decided_seq != payload.decision:
                raise Refusal(gettext("This is not the last decision any more."), code="outdated")
            if review.decided_by != context.actor:
                raise Refusal(
                    " ".join((review.decision_sentence, gettext("Reopen it to change it."))),
                    code="not_yours",
                )
        case ev.GoldChecked():
            if payload.decision == "dropped":
                check_not_blank(payload.reason, "reason")
            versions = {review.version} if payload.decision == "corrected" else {0, review.version}
            if payload.version not in versions or (
                payload.decision == "corrected" and not review.decided
            ):
                raise Refusal(
                    gettext("The gold has no version {version}.", version=payload.version),
                    code="wrong_version",
                )
        case ev.GoldReopened():
            if not review.decided:
                raise Refusal(gettext("There is no gold to reopen."), code="not_decided")
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
