"""Words for why a value is undefined, and for warnings.

A reason without words is shown with spaces instead of underscores, never hidden.
"""

from __future__ import annotations

from pagetrail.annotation.messages import lazy_gettext

REASONS = {
    # Agreement
    "no_pairable_unit": lazy_gettext("nothing was rated by two people"),
    "one_category_declared": lazy_gettext("there is a single category to choose from"),
    "no_variation": lazy_gettext(
        "all ratings are the same, so chance agreement cannot be estimated"
    ),
    "rater_without_ratings": lazy_gettext("one rater shares no rated unit with another"),
    "rater_identity_unknown": lazy_gettext("the raters are unknown"),
    "not_two_raters": lazy_gettext("it is defined for exactly two raters"),
    "no_level": lazy_gettext("the categories have no order or scale"),
    "one_unit": lazy_gettext("a single unit has no spread"),
    "one_cluster": lazy_gettext("a single task has no spread"),
    "no_defined_replicate": lazy_gettext("it is undefined in every bootstrap sample"),
    "no_defined_group": lazy_gettext("no group has a defined value"),
    "no_ratings": lazy_gettext("nothing was rated"),
    "no_declared_categories": lazy_gettext("numbers have no declared categories"),
    "no_comparable_pair": lazy_gettext("no two people's values can be compared"),
    # Regions
    "both_empty": lazy_gettext("nobody marked anything"),
    "no_defined_pair": lazy_gettext("no pair of annotators marked anything on the same page"),
    # Answers and effort
    "no_rows": lazy_gettext("there are no attempts to measure"),
    "no_sampled_pages": lazy_gettext("no page below the cut is graded"),
    "no_relevant_pages": lazy_gettext("no page is relevant"),
    "no_gold_answer": lazy_gettext("the tasks have no gold answer"),
    "no_gold_evidence": lazy_gettext("the tasks have no gold pages"),
    "no_gold_transcription": lazy_gettext("there is no gold, or nothing to compare with it"),
    "no_answer_asked": lazy_gettext("the protocol asks for no answer"),
    "no_citations_asked": lazy_gettext("the protocol asks for no citations"),
    "answer_too_long": lazy_gettext("the answers are too long for ANLS*"),
    "not_judged": lazy_gettext("the answers were not judged"),
    "undefined_for_every_row": lazy_gettext("it is undefined for every attempt"),
    "undecided": lazy_gettext("the answer is undecided"),
    "undecided_answers": lazy_gettext("answers are undecided until they are judged"),
    "none_correct": lazy_gettext("no attempt was correct"),
    "none_incorrect": lazy_gettext("no attempt was incorrect"),
    "infinite_effort": lazy_gettext("an effort is infinite"),
    "effort_not_positive": lazy_gettext("no effort was spent"),
    "effort_missing": lazy_gettext("the effort is unknown"),
    "empty_bucket": lazy_gettext("no attempt took that long"),
    "not_checked": lazy_gettext("nothing of it is checked"),
    "no_control_checked": lazy_gettext("nothing of the control sample is checked"),
    "no_shared_task": lazy_gettext("they have no task in common"),
    "everybody_saw_it": lazy_gettext("nobody worked without the model's values"),
    # Runs of systems
    "no_times": lazy_gettext("the run has no times"),
    "no_tokens": lazy_gettext("the run does not say how many tokens it used"),
    "results_not_logged": lazy_gettext("the run did not log its search results"),
    "import_not_compared": lazy_gettext(
        "an earlier version imported the run and did not compare it"
    ),
    # Cost
    "no_usage": lazy_gettext("the run states neither dollars nor tokens"),
    "tokens_incomplete": lazy_gettext("not all calls or kinds of tokens are stated"),
    "tokens_contradict": lazy_gettext("more cached tokens than input tokens are stated"),
    "no_price_table": lazy_gettext("there is no price table"),
    "no_price": lazy_gettext("the price table does not have the model"),
    "no_model_name": lazy_gettext("the run does not name its model"),
    "no_pay_rate": lazy_gettext("the campaign has no rate of pay"),
    "no_cost": lazy_gettext("the system cost nothing"),
    "several_currencies": lazy_gettext("the costs are in several currencies"),
    # Tables of papers
    "pages_given": lazy_gettext("the pages were given, not searched for"),
    "no_spread": lazy_gettext("the values do not vary, or there are fewer than three"),
    "too_few_respondents": lazy_gettext("fewer than three respondents attempted it"),
    # Search
    "no_search": lazy_gettext("nobody searched"),
    "no_searches": lazy_gettext("nobody searched"),
    "no_second_query": lazy_gettext("nobody searched twice"),
    "no_first_miss": lazy_gettext("every first query found the evidence"),
    # Time horizon
    "no_solved_task": lazy_gettext("people solved none of the shared tasks"),
    "not_by_confidence": lazy_gettext("tasks are not checked by confidence"),
    "no_time_spread": lazy_gettext("people solved fewer than two tasks of different times"),
    "system_solved_all": lazy_gettext("the system solved every task"),
    "system_solved_none": lazy_gettext("the system solved no task"),
    "separated": lazy_gettext(
        "success and failure do not overlap in time, so the likelihood has no maximum"
    ),
    "slope_not_negative": lazy_gettext("success does not decline with people's time"),
    # Judges
    "not_stated": lazy_gettext("not stated"),
    "rule_without_judge": lazy_gettext("it is a rule"),
    "not_calibrated": lazy_gettext("people judged none of these answers"),
    "no_answer_in_two_runs": lazy_gettext("no answer was judged in two runs"),
    "no_answer_in_all_runs": lazy_gettext("no answer was judged in all runs"),
    "no_correct_in_calibration": lazy_gettext("no judged answer is correct"),
    "no_incorrect_in_calibration": lazy_gettext("no judged answer is incorrect"),
    "stratum_unjudged": lazy_gettext("no answer with one of the verdicts is judged"),
    "judge_no_better_than_chance": lazy_gettext("the judge is no better than chance"),
}
"""Why a value is undefined, as a clause."""

FLAGS = {
    "few_clusters": lazy_gettext("fewer than 50 tasks: the interval may be too narrow"),
    "few_annotators": lazy_gettext("fewer than 5 annotators: no interval over annotators"),
    "one_cluster": lazy_gettext("no interval: there is only one task"),
    "one_unit": lazy_gettext("no interval: a single unit has no spread"),
    "no_variation": lazy_gettext("no interval: all tasks have the same value"),
    "unbounded": lazy_gettext("no interval: too many bootstrap samples have no correct answer"),
    "few_respondents": lazy_gettext("fewer than ten respondents: the value is imprecise"),
    "one_side_constant": lazy_gettext("one participant solved all tasks or none, so kappa is 0"),
    "no_defined_replicate": lazy_gettext("no interval: undefined in every bootstrap sample"),
    "extrapolated": lazy_gettext("extrapolated: outside the times of the tasks"),
    "extrapolated_often_undefined": lazy_gettext(
        "extrapolated: outside the times of the tasks; no interval: undefined in more than 5 % of "
        "the bootstrap samples"
    ),
    "often_undefined": lazy_gettext(
        "no interval: undefined in more than 5 % of the bootstrap samples"
    ),
    "clipped": lazy_gettext("the correction was below 0 % or above 100 % and was cut off"),
    "not_calibrated_on": lazy_gettext(
        "people judged none of this participant's answers: the correction is from other answers"
    ),
    "repaired_on_import": lazy_gettext(
        "rows were repaired on import: the file itself may score differently"
    ),
}
"""Warnings, as clauses."""


def reason_words(reason: str) -> str:
    """The words of a reason."""
    return REASONS.get(reason) or _spaced(reason)


def flag_words(flag: str) -> str:
    """The words of a warning."""
    return FLAGS.get(flag) or _spaced(flag)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
