"""Answers, attribution, effort, errors, search dynamics and comparison (docs/metrics.md)."""

from pagetrail.annotation.metrics.attempt_rows import EffortKind, Row, attempt_row
from pagetrail.annotation.metrics.attribution import F1, doc_f1, page_f1
from pagetrail.annotation.metrics.budget import accuracy_by_budget, accuracy_by_time, time_spread
from pagetrail.annotation.metrics.cascade import STAGES, Cascade, error_cascade, stage
from pagetrail.annotation.metrics.correctness import Correctness, anls_star, decide, exact_match
from pagetrail.annotation.metrics.effort import Kuiper, WastedEffort, kuiper, wasted_effort
from pagetrail.annotation.metrics.judge_bias import RoganGladen, judge_quality, rogan_gladen
from pagetrail.annotation.metrics.judge_calibration import (
    CalibrationRow,
    CalibrationSample,
    CorrectedAccuracy,
    JudgeRates,
    Stratum,
    corrected_accuracy,
    judge_rates,
    plan_judgements,
)
from pagetrail.annotation.metrics.query_sequences import Drift, queries_per_question, query_drift
from pagetrail.annotation.metrics.result import Result, Spread
from pagetrail.annotation.metrics.retrieval import first_query_hit, found_by_query, recovery_rate
from pagetrail.annotation.metrics.search_steps import SearchStep
from pagetrail.annotation.metrics.system_comparison import Kappa, Pair, compare_two
from pagetrail.annotation.statistics.task_bootstrap import TaskInterval, mean_interval
from pagetrail.annotation.statistics.tfidf import TfIdf, Vectoriser

__all__ = [
    "F1",
    "STAGES",
    "CalibrationRow",
    "CalibrationSample",
    "Cascade",
    "CorrectedAccuracy",
    "Correctness",
    "Drift",
    "EffortKind",
    "JudgeRates",
    "Kappa",
    "Kuiper",
    "Pair",
    "Result",
    "RoganGladen",
    "Row",
    "SearchStep",
    "Spread",
    "Stratum",
    "TaskInterval",
    "TfIdf",
    "Vectoriser",
    "WastedEffort",
    "accuracy_by_budget",
    "accuracy_by_time",
    "anls_star",
    "attempt_row",
    "compare_two",
    "corrected_accuracy",
    "decide",
    "doc_f1",
    "error_cascade",
    "exact_match",
    "first_query_hit",
    "found_by_query",
    "judge_quality",
    "judge_rates",
    "kuiper",
    "mean_interval",
    "page_f1",
    "plan_judgements",
    "queries_per_question",
    "query_drift",
    "recovery_rate",
    "rogan_gladen",
    "stage",
    "time_spread",
    "wasted_effort",
]
