"""Machine-readable reasons and flags in words, the one place where they are worded.

A reason that has no words yet is shown with its underscores as spaces: never hidden.
"""

from __future__ import annotations

from pagetrail.exports.reading.source import LeftOut

REASONS = {
    # Agreement
    "no_pairable_unit": "nothing was rated by two people",
    "one_category_declared": "there is a single category to choose from",
    "no_variation": "everybody chose the same, so that chance cannot be told from agreement",
    "rater_without_ratings": "a rater rated nothing that another rated too",
    "rater_identity_unknown": "it is not known whose ratings these are",
    "not_two_raters": "it is defined for exactly two raters",
    "no_level": "the categories have no order or scale",
    "one_unit": "a single unit has no spread",
    "one_cluster": "a single task has no spread",
    "no_defined_replicate": "it is undefined in every resampled table",
    "no_defined_group": "no group has a defined value",
    "no_ratings": "nothing was rated",
    "no_declared_categories": "numbers have no declared categories",
    "no_comparable_pair": "no two people's values can be compared",
    # Regions
    "both_empty": "nobody marked anything",
    "no_defined_pair": "no pair of annotators marked anything on the same page",
    # Answers and effort
    "no_rows": "there are no attempts to measure",
    "no_gold_answer": "the tasks have no gold answer",
    "no_gold_evidence": "the tasks have no gold pages",
    "no_answer_asked": "the protocol asks for no answer",
    "no_citations_asked": "the protocol asks for no citations",
    "answer_too_long": "the answers are too long for ANLS*",
    "not_judged": "nobody judged the answers",
    "undefined_for_every_row": "it is undefined for every attempt",
    "undecided": "whether the answer is right is not decided",
    "none_correct": "no attempt was right",
    "none_incorrect": "no attempt was wrong",
    "infinite_effort": "an effort is infinite",
    "effort_not_positive": "no effort was spent",
    "effort_missing": "the effort is not known",
    "empty_bucket": "no attempt took that long",
    "no_shared_task": "they have no task in common",
    # Runs of systems
    "no_times": "the run has no times",
    "results_not_logged": "the run does not say which results its searches gave",
    # Search
    "no_search": "nobody searched",
    "no_searches": "nobody searched",
    "no_second_query": "nobody searched twice",
    "no_first_miss": "every first query found it",
    # Judges
    "no_correct_in_calibration": "no answer that was judged by people is right",
    "no_incorrect_in_calibration": "no answer that was judged by people is wrong",
    "judge_no_better_than_chance": "the judge is no better than chance",
}
"""Why a value is undefined, as a clause."""

FLAGS = {
    "few_clusters": "fewer than 50 tasks: the interval may be too short",
    "one_cluster": "no interval: everything is of a single task",
    "one_unit": "no interval: a single unit has no spread",
    "no_variation": "no interval: it does not vary from task to task",
    "one_side_constant": "one participant solved all tasks or none, so that kappa can only be 0",
    "no_defined_replicate": "no interval: it is undefined in every resampled table",
}
"""What to beware of, as a clause."""

LEFT_OUT = {
    "status_open": "not submitted",
    "status_skipped": "skipped",
    "never_opened": "never opened",
    "system_not_compared": "of a system that is not compared",
    "broken_task_record": "of a task whose record cannot be read",
    "neither_1_nor_half_nor_0": "neither correct, partly correct nor incorrect",
    "of_a_system": "of a system, not of a person",
    "no_attempt_matches": "belongs to no attempt that is measured",
    "another_answer_was_judged": "another answer than the submitted one was judged",
    "not_found": "not found in this campaign",
    "no_answer": "without an answer",
    "gave_up": "given up",
    "system": "done by a system",
    "no_gold": "without gold",
    "no_adjudicated_gold": "without gold decided in review, so in no result that needs gold",
    "adjudicated_without_answer": "decided in review without an answer to compare with",
    "unanswerable": "without an answer in the collection",
    "second_of_the_same_person": "a second one by the same person",
    "unknown_page": "not in the collection",
    "category_not_declared": "of a category that the protocol does not declare",
}
"""Why something is left out, as a phrase about it."""

_PLURALS = {"query": "queries", "box": "boxes", "person": "people", "category": "categories"}


def reason_words(reason: str) -> str:
    """Why a value is undefined."""
    return REASONS.get(reason) or _spaced(reason)


def flag_words(flag: str) -> str:
    """What to beware of."""
    return FLAGS.get(flag) or _spaced(flag)


def left_out_words(entry: LeftOut) -> str:
    """One line, as ``3 attempts: skipped``."""
    why = LEFT_OUT.get(entry.reason) or REASONS.get(entry.reason) or _spaced(entry.reason)
    what = entry.what if entry.count == 1 else _PLURALS.get(entry.what, f"{entry.what}s")
    return f"{entry.count:,} {_spaced(what)}: {why}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")
