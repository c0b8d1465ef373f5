"""Why a value is undefined, and what to beware of, in words; the one place where they are.

A reason that has no words yet is shown with its underscores as spaces: never hidden.
"""

from __future__ import annotations

REASONS = {
    # Agreement
    "no_pairable_unit": "nothing was rated by two people",
    "one_category_declared": "there is a single category to choose from",
    "no_variation": "all ratings are the same, so chance agreement cannot be estimated",
    "rater_without_ratings": "one rater shares no rated unit with another",
    "rater_identity_unknown": "the raters are unknown",
    "not_two_raters": "it is defined for exactly two raters",
    "no_level": "the categories have no order or scale",
    "one_unit": "a single unit has no spread",
    "one_cluster": "a single task has no spread",
    "no_defined_replicate": "it is undefined in every bootstrap sample",
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
    "not_judged": "the answers were not judged",
    "undefined_for_every_row": "it is undefined for every attempt",
    "undecided": "the answer is undecided",
    "none_correct": "no attempt was correct",
    "none_incorrect": "no attempt was incorrect",
    "infinite_effort": "an effort is infinite",
    "effort_not_positive": "no effort was spent",
    "effort_missing": "the effort is unknown",
    "empty_bucket": "no attempt took that long",
    "no_shared_task": "they have no task in common",
    "everybody_saw_it": "nobody worked without the model's values",
    # Runs of systems
    "no_times": "the run has no times",
    "no_tokens": "the run does not say how many tokens it used",
    "results_not_logged": "the run did not log its search results",
    "import_not_compared": "an earlier version imported the run and did not compare it",
    # Tables of papers
    "pages_given": "the pages were given, not searched for",
    "no_spread": "the values do not vary, or there are fewer than three",
    "too_few_respondents": "fewer than three respondents attempted it",
    # Search
    "no_search": "nobody searched",
    "no_searches": "nobody searched",
    "no_second_query": "nobody searched twice",
    "no_first_miss": "every first query found the evidence",
    # Judges
    "no_correct_in_calibration": "no judged answer is correct",
    "no_incorrect_in_calibration": "no judged answer is incorrect",
    "judge_no_better_than_chance": "the judge is no better than chance",
}
"""Why a value is undefined, as a clause."""

FLAGS = {
    "few_clusters": "fewer than 50 tasks: the interval may be too narrow",
    "few_annotators": "fewer than 5 annotators: no interval over annotators",
    "one_cluster": "no interval: there is only one task",
    "one_unit": "no interval: a single unit has no spread",
    "no_variation": "no interval: all tasks have the same value",
    "few_respondents": "fewer than ten respondents: the value is imprecise",
    "one_side_constant": "one participant solved all tasks or none, so kappa is 0",
    "no_defined_replicate": "no interval: undefined in every bootstrap sample",
    "repaired_on_import": "rows were repaired on import: the file itself may score differently",
}
"""What to beware of, as a clause."""


def reason_words(reason: str) -> str:
    """Why a value is undefined."""
    return REASONS.get(reason) or _spaced(reason)


def flag_words(flag: str) -> str:
    """What to beware of."""
    return FLAGS.get(flag) or _spaced(flag)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
