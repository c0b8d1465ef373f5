"""Words for what exports and reports leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pagetrail.annotation.messages import (
    N_,
    join_messages,
    lazy_gettext,
    lazy_ngettext,
)
from pagetrail.annotation.sentences import count_noun
from pagetrail.exports.reading.attempts import LATER_SUBMISSION
from pagetrail.exports.reading.source import LeftOut, LeftOutOf

LEFT_OUT = {
    "never_opened": N_("never opened"),
    "of_a_system": N_("made by a system, not by a person"),
    "status_open": N_("not submitted"),
    "status_skipped": N_("skipped"),
    "no_tables": N_("without tables to verify"),
    "no_transcript": N_("without a text to correct"),
    "nothing_transcribed": N_("without a text, a table, a chart or an element"),
    "transcribed_again_later": N_("submitted before somebody else’s work on the same task"),
    "page_of_another_task": N_("of a page that another task has, too"),
    "no_gold": N_("without gold"),
    "task_excluded": N_("excluded by a supervisor"),
    "gold_dropped": N_("dropped when their gold was checked"),
    "no_adjudicated_gold": N_("without gold decided in review"),
    "poor_gold": N_("found poor by the gold decided in review"),
    "refused": N_("refused, no page was shown"),
    "looked_back": N_("only looked back at an earlier search"),
    "no_search_asked": N_("of a protocol without a search"),
    "results_unknown": N_("of a run that does not say what its searches returned"),
    "poor": N_("found poor by at least half of their annotators"),
    "no_page_grades": N_("of a protocol that grades no pages"),
    "no_boxes_asked": N_("in which no boxes were asked for"),
    "nothing_to_verify": N_("of a protocol in which nothing is verified"),
    "no_elements_given": N_("of a protocol without a model's elements"),
    "verified_again_later": N_("verified again later; see by-annotator"),
    "no_fields": N_("of a protocol without fields"),
    "nothing_judged": N_("without a judged prediction"),
    "nothing_to_judge": N_("without a step or a page to judge"),
    "no_question_written": N_("without a written question"),
    "unknown_page": N_("not in the collection"),
    "cannot_be_drawn": N_("their files cannot be drawn"),
    "page_without_image": N_("on pages without an image"),
    "open_page": N_("on pages that are open until a reviewer decides"),
    "page_scored_0": N_("on pages with score 0; they are in the ratings"),
    "without_class": N_("without a class of this campaign"),
    "deleted": N_("deleted"),
    "not_approved": N_("not approved"),
    "not_stored": N_("of a run imported before originals were stored, or deleted with it"),
    "no_page_given": N_("of tasks that give no page"),
    "system_not_compared": N_("of a system that is not compared"),
    "broken_task_record": N_("of a task whose record cannot be read"),
    "neither_1_nor_half_nor_0": N_("neither correct, partly correct nor incorrect"),
    "no_attempt_matches": N_("belongs to no attempt that is measured"),
    "another_answer_was_judged": N_("another answer than the submitted one was judged"),
    "not_found": N_("not found in this campaign"),
    "no_answer": N_("without an answer"),
    "gave_up": N_("given up"),
    "system": N_("done by a system"),
    "run_withdrawn": N_("of a run that was withdrawn"),
    "without_documents": N_("of a model without documents, which is in a table of its own"),
    "repeat_too_soon": N_("repeated too soon"),
    "first_time_not_submitted": N_("not submitted the first time"),
    "adjudicated_without_answer": N_("decided in review without an answer to compare with"),
    "unanswerable": N_("without an answer in the collection"),
    "second_of_the_same_person": N_("a second one by the same person"),
    "sent_back": N_("after the task was sent back"),
    "next_round": N_("after a model answered and the next round began"),
    "after_feedback": N_("after the feedback of a pilot"),
    "reopened_by_a_supervisor": N_("after a supervisor reopened the task"),
    "after_a_comment": N_("after a supervisor's comment"),
    "reopened_by_the_annotator": N_("after the annotator reopened the task unasked"),
    "category_not_declared": N_("of a category that the protocol does not declare"),
    "other_length": N_("of another length than the others"),
    "not_finite": N_("zeros, or a number that is not finite"),
    "no_vector": N_("empty"),
    "no_text_or_page": N_("without a text, or a document and a page"),
    "other_model": N_("of another model than the others"),
    "second_vector": N_("a second one of the same text or page"),
}
"""Reason → phrase that describes the items left out.

A reason without a phrase is shown with spaces in place of underscores.
"""

_Counted = Callable[[int], str]

_COUNTED: Mapping[str, _Counted] = {
    "attempt": lambda n: lazy_ngettext("{number:,} attempt", "{number:,} attempts", n),
    "box": lambda n: lazy_ngettext("{number:,} box", "{number:,} boxes", n),
    "hidden gold task": lambda n: lazy_ngettext(
        "{number:,} hidden gold task", "{number:,} hidden gold tasks", n
    ),
    "judgement": lambda n: lazy_ngettext("{number:,} judgement", "{number:,} judgements", n),
    LATER_SUBMISSION: lambda n: lazy_ngettext(
        "{number:,} later submission", "{number:,} later submissions", n
    ),
    "original": lambda n: lazy_ngettext("{number:,} original", "{number:,} originals", n),
    "pair": lambda n: lazy_ngettext("{number:,} pair", "{number:,} pairs", n),
    "page": lambda n: lazy_ngettext("{number:,} page", "{number:,} pages", n),
    "prediction": lambda n: lazy_ngettext("{number:,} prediction", "{number:,} predictions", n),
    "query": lambda n: lazy_ngettext("{number:,} query", "{number:,} queries", n),
    "rating": lambda n: lazy_ngettext("{number:,} rating", "{number:,} ratings", n),
    "repeated task": lambda n: lazy_ngettext(
        "{number:,} repeated task", "{number:,} repeated tasks", n
    ),
    "row": lambda n: lazy_ngettext("{number:,} row", "{number:,} rows", n),
    "search": lambda n: lazy_ngettext("{number:,} search", "{number:,} searches", n),
    "task": lambda n: lazy_ngettext("{number:,} task", "{number:,} tasks", n),
    "vector": lambda n: lazy_ngettext("{number:,} vector", "{number:,} vectors", n),
    "verdict": lambda n: lazy_ngettext("{number:,} verdict", "{number:,} verdicts", n),
}
"""What exports and reports count → the words for a number of them."""


def counted_words(noun: str, count: int) -> str:
    """``1 attempt``, ``2 queries``; English for nouns that only an older manifest names."""
    words = _COUNTED.get(noun)
    return words(count) if words else count_noun(count, noun)


def left_out_words(entry: LeftOut) -> str:
    """One line such as ``3 attempts: skipped``, in English until it is translated."""
    reason = LEFT_OUT.get(entry.reason)
    words = {
        "items": counted_words(entry.what, entry.count),
        "reason": lazy_gettext(reason) if reason else entry.reason.replace("_", " "),
    }
    if isinstance(entry, LeftOutOf):
        return lazy_gettext("{items}: {reason} ({campaign})", **words, campaign=entry.campaign)
    return lazy_gettext("{items}: {reason}", **words)


def later_notes(left_out: Iterable[LeftOut]) -> list[str]:
    """A sentence on later submissions that differ from the first, which counts; none otherwise."""
    later_entries = [entry for entry in left_out if entry.what == LATER_SUBMISSION]
    if not later_entries:
        return []
    n = sum(entry.count for entry in later_entries)
    reasons = join_messages(
        [
            lazy_gettext(
                "{number:,} {reason}",
                number=entry.count,
                reason=lazy_gettext(LEFT_OUT[entry.reason]),
            )
            for entry in later_entries
        ],
        ", ",
    )
    return [
        lazy_ngettext(
            "First submissions count. {number:,} attempt was changed later: {reasons}.",
            "First submissions count. {number:,} attempts were changed later: {reasons}.",
            n,
            reasons=reasons,
        )
    ]
