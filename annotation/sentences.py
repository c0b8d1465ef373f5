"""Sentences that the server and the browser both say, by name, and parts of sentences.

``{}`` marks what varies. The browser gets the table with its screen and keeps no copy:
``shared/sentences.ts`` fills it in.
"""

from __future__ import annotations

from collections.abc import Sequence

SENTENCES = {
    # What is missing before a task can be submitted.
    "question_empty": "The question is empty. Write it.",
    "answer_empty": "The answer is empty. Write it.",
    "answer_or_not_found": "The answer is empty. Write it, or submit “No answer found”.",
    "no_evidence": "No page is cited. Cite the pages that your answer rests on.",
    "unset": "“{label}” is not set.",
    "unset_at": "“{label}” is not set for {places}.",
    "no_row": "“{label}” has no row.",
    "empty_cells": "“{label}”: {rows} without {names}.",
    "contradiction": "“{label}” and the boxes differ on {places}. Change one of them, or confirm "
    "that both are right.",
    "not_checked": "Not checked yet: {places}. Accept, correct or delete each.",
    "no_box": "No box is drawn on {places}.",
    "no_outcome": "The outcome is open. Take one person’s.",
    "takes_no_answer": "This task takes no answer now; submit it as done.",
    "needs_answer": "This task needs an answer.",
    "no_unanswerable": "This campaign has no unanswerable questions. Choose “No answer found”, or "
    "skip.",
    "no_not_found": "“No answer found” is not an outcome of this campaign.",
    "unanswerable_with_pages": "Pages are cited for an unanswerable question: {places}. Remove the "
    "citations, or give an answer.",
    "stale_checks": "The checks have not seen the last changes. Run them.",
    # What a reviewer has to decide before a task becomes gold.
    "open_page": "“{label}”: {places} is open. Mark the page or reject it.",
    "open_pages": "“{label}”: open on {places}. Mark or reject each.",
    # Why a task cannot be changed.
    "attempt_full": "This task has stored {events} changes or {megabytes} MB, which is the limit. "
    "What is not stored yet is kept in this browser. Copy what you need, then submit or skip the "
    "task, or ask your supervisor.",
    "batch_closed": "This batch is closed. It can be read but not changed.",
    "withdrawn": "A supervisor withdrew this batch. Your work in it is kept; what was not sent by "
    "then is kept apart, for your supervisor to see.",
    "archived": "This campaign is archived. It can be read but not changed.",
    "campaign_closed": "This campaign was closed: you can finish this batch, and no more batches "
    "are assigned.",
    "guidelines_changed": "The guidelines of this campaign have changed.",
    "finished": "This task is {status}. Reopen it to go on working.",
    "not_in_turn": "The tasks of this batch are done in turn. Finish the one before this first.",
    "no_going_back": "This task is {status}, and this campaign does not go back to finished tasks.",
    "time_over": "The time for this task is over. Submit what you have, or skip it.",
    "unfinished": "The time is over: the task is accepted as it is, and what is missing is "
    "recorded.",
    "no_skip_reason": "Say why the task is skipped.",
    "blank": "This is blank. Write something.",
    "gold_decided": "This is gold, version {version}. Reopen it to change it.",
    "gold_disputed": "Your supervisor sees this with the task.",
    # Why a box cannot be drawn.
    "no_boxes": "This task takes no boxes.",
    "no_new_boxes": "Boxes cannot be added in this task.",
    "not_given": "Page {page} of {document} is not among this task's pages.",
    "page_takes_no_boxes": "Page {page} of {document} takes no boxes{because}.",
    "because_ended": ": the task has ended with what was said of the question",
    "because_value": " unless “{label}” is {values}",
    "page_full": "Page {page} of {document} has {most} boxes, which is all it may have. "
    "Delete one first.",
    "task_full": "This task has had {most} boxes, which is all it may have.",
    "too_small": "A box must be at least {least} points wide and high.",
    # Why a field or a cell does not take a value.
    "pages_opened": "“{label}” is judged before the pages are opened, and they have been opened.",
    "has_boxes": "Page {page} of {document} has {boxes}. Delete {them} before giving this value.",
    "no_contradiction": "Here the field and the boxes do not differ like this any more.",
    "differs_here": "Chosen: {chosen}. Boxes: {drawn}. Change one, or confirm that both are right.",
    "changed_row": "This row differs from what the model read, so it is “{verdict}”.",
    "not_a_number": "{value} is not a number.",
    "not_whole": "{value} is not a whole number.",
    "below": "{value} is below {limit}.",
    "above": "{value} is above {limit}.",
    # What has happened to a task under review meanwhile.
    "has_submitted": "{name} has submitted this task",
    "has_reopened": "{name} has reopened this task",
    "has_resubmitted": "{name} has resubmitted this task",
}


def sentence(name: str, /, **values: object) -> str:
    """The sentence of that name with its values filled in."""
    return SENTENCES[name].format(**values)


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
    return f"{text}{separator.replace(',', '')}and {len(names) - limit:,} more"
