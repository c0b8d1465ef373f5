"""Sentences that the server and the browser both say, by name, and parts of sentences.

``{}`` marks what varies. The browser gets the table, translated, with its screen and keeps no
copy: ``shared/sentences.ts`` fills it in.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.messages import N_, gettext

SENTENCES = {
    # What is missing before a task can be submitted.
    "question_empty": N_("The question is empty. Write it."),
    "answer_empty": N_("The answer is empty. Write it."),
    "answer_or_not_found": N_("The answer is empty. Write it, or submit “No answer found”."),
    "no_evidence": N_("No page is cited. Cite the pages that your answer rests on."),
    "unset": N_("“{label}” is not set."),
    "unset_at": N_("“{label}” is not set for {places}."),
    "no_row": N_("“{label}” has no row."),
    "empty_cells": N_("“{label}”: {rows} without {names}."),
    "contradiction": N_(
        "“{label}” and the boxes differ on {places}. Change one of them, or confirm "
        "that both are right."
    ),
    "not_checked": N_("Not checked yet: {places}. Accept, correct or delete each."),
    "no_box": N_("No box is drawn on {places}."),
    "unconfirmed_fixes": N_(
        "Not confirmed yet: {changes} by the model. Confirm, correct or flag each."
    ),
    "undecided_patches": N_("Not decided yet: {patches}. Accept or reject each."),
    "no_text": N_("No text chosen. Decide every difference, or take one person’s text."),
    "no_tables": N_("No tables chosen. Decide every difference, or take one person’s tables."),
    "no_outcome": N_("No outcome chosen. Pick an annotator’s."),
    "takes_no_answer": N_("No answer needed. Submit the task."),
    "needs_answer": N_("This task needs an answer."),
    "no_unanswerable": N_(
        "This campaign has no unanswerable questions. Choose “No answer found”, or skip."
    ),
    "no_not_found": N_("“No answer found” is not an outcome of this campaign."),
    "unanswerable_with_pages": N_(
        "Pages are cited for an unanswerable question: {places}. Remove the "
        "citations, or give an answer."
    ),
    "stale_checks": N_("The checks are out of date. Run them again."),
    # What a reviewer has to decide before a task becomes gold.
    "open_page": N_("“{label}”: {places} is open. Mark the page or reject it."),
    "open_pages": N_("“{label}”: open on {places}. Mark or reject each."),
    # Why a task cannot be changed.
    "attempt_full": N_(
        "This task has stored {events} changes or {megabytes} MB, which is the limit. "
        "What is not stored yet is kept in this browser. Copy what you need, then submit "
        "or skip the "
        "task, or ask your supervisor."
    ),
    "batch_closed": N_("This batch is closed. It can be read but not changed."),
    "withdrawn": N_(
        "A supervisor withdrew this batch. Your work in it is kept; what was not sent by "
        "then is kept apart, for your supervisor to see."
    ),
    "excluded": N_(
        "A supervisor excluded this task: it counts in no results, and need not be finished. "
        "Your work on it is kept."
    ),
    "archived": N_(
        "This campaign is archived. It can be read but not changed. Your work in it is kept; what "
        "was not sent by then is kept apart, for your supervisor to see."
    ),
    "campaign_closed": N_(
        "This campaign was closed: you can finish this batch, and no more batches are assigned."
    ),
    "guidelines_changed": N_("The guidelines of this campaign have changed."),
    "finished": N_("This task is {status}. Reopen it to go on working."),
    "not_in_turn": N_(
        "The tasks of this batch are done in turn. Finish the one before this first."
    ),
    "no_going_back": N_(
        "This task is {status}, and this campaign does not go back to finished tasks."
    ),
    "time_over": N_("The time for this task is over. Submit what you have, or skip it."),
    "unfinished": N_(
        "The time is over: the task is accepted as it is, and what is missing is recorded."
    ),
    "no_skip_reason": N_("Say why the task is skipped."),
    "blank": N_("This is blank. Write something."),
    "gold_decided": N_("This is gold, version {version}. Reopen it to change it."),
    "gold_disputed": N_("Your supervisor sees this with the task."),
    # Why a box cannot be drawn.
    "no_boxes": N_("This task takes no boxes."),
    "no_new_boxes": N_("Boxes cannot be added in this task."),
    "not_given": N_("Page {page} of {document} is not among this task's pages."),
    "page_takes_no_boxes": N_("Page {page} of {document} takes no boxes{because}."),
    "because_ended": N_(": the task has ended with what was said of the question"),
    "because_value": N_(" unless “{label}” is {values}"),
    "page_full": N_(
        "Page {page} of {document} has {most} boxes, which is all it may have. Delete one first."
    ),
    "task_full": N_("This task has had {most} boxes, which is all it may have."),
    "too_small": N_("A box must be at least {least} points wide and high."),
    # Why a field or a cell does not take a value.
    "pages_opened": N_(
        "“{label}” is judged before the pages are opened, and they have been opened."
    ),
    "has_boxes": N_(
        "Page {page} of {document} has {boxes}. Delete {them} before giving this value."
    ),
    "no_contradiction": N_("Here the field and the boxes do not differ like this any more."),
    "differs_here": N_(
        "Chosen: {chosen}. Boxes: {drawn}. Change one, or confirm that both are right."
    ),
    "changed_row": N_("This row differs from what the model read, so it is “{verdict}”."),
    "not_a_number": N_("{value} is not a number."),
    "not_whole": N_("{value} is not a whole number."),
    "below": N_("{value} is below {limit}."),
    "above": N_("{value} is above {limit}."),
    # What has happened to a task under review meanwhile.
    "has_submitted": N_("{name} has submitted this task"),
    "has_reopened": N_("{name} has reopened this task"),
    "has_resubmitted": N_("{name} has resubmitted this task"),
}


def sentence(name: str, /, **values: object) -> str:
    """The sentence of that name with its values filled in."""
    return gettext(SENTENCES[name], **values)


def plural_form(count: int, singular: str, plural: str = "") -> str:
    """The word for that many; the plural ends in "s" unless it is given."""
    return singular if count == 1 else plural or f"{singular}s"


def count_noun(count: int, singular: str, plural: str = "") -> str:
    """``1 row``, ``2 rows``, ``1,200 people``."""
    return f"{count:,} {plural_form(count, singular, plural)}"


def shortened(text: str, length: int) -> str:
    """The text, cut to ``length`` characters with an ellipsis if it is longer."""
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def join_first(names: Sequence[str], limit: int, separator: str = ", ") -> str:
    """The first names, and how many more there are: ``a, b and 3 more``."""
    text = separator.join(names[:limit])
    if len(names) <= limit:
        return text
    conjunction = separator.replace(",", "")
    return f"{text}{conjunction}" + gettext("and {number:,} more", number=len(names) - limit)
