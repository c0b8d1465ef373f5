"""Answers, attribution, effort, errors, search dynamics and comparison (docs/metrics.md)."""

from annotation.metrics.answers import Correctness, anls_star, decide, exact_match
from annotation.metrics.attribution import F1, doc_f1, page_f1
from annotation.metrics.budget import accuracy_by_budget, accuracy_by_time, time_spread
from annotation.metrics.cascade import STAGES, Cascade, error_cascade, stage
from annotation.metrics.comparison import Kappa, Pair, compare_two, first_attempts
from annotation.metrics.effort import Kuiper, WastedEffort, kuiper, wasted_effort
from annotation.metrics.interval import TaskInterval, mean_interval
from annotation.metrics.judge_bias import RoganGladen, judge_quality, rogan_gladen
from annotation.metrics.queries import Drift, queries_per_question, query_drift
from annotation.metrics.result import Result, Spread
from annotation.metrics.retrieval import first_query_hit, found_by_query, recovery
from annotation.metrics.rows import EffortKind, Row, SearchStep, attempt_row
from annotation.metrics.tfidf import TfIdf, Vectoriser

__all__ = [
    "F1",
    "STAGES",
    "Cascade",
    "Correctness",
    "Drift",
    "EffortKind",
    "Kappa",
    "Kuiper",
    "Pair",
    "Result",
    "RoganGladen",
    "Row",
    "SearchStep",
    "Spread",
    "TaskInterval",
    "TfIdf",
    "Vectoriser",
    "WastedEffort",
    "accuracy_by_budget",
    "accuracy_by_time",
    "anls_star",
    "attempt_row",
    "compare_two",
    "decide",
    "doc_f1",
    "error_cascade",
    "exact_match",
    "first_attempts",
    "first_query_hit",
    "found_by_query",
    "judge_quality",
    "kuiper",
    "mean_interval",
    "page_f1",
    "queries_per_question",
    "query_drift",
    "recovery",
    "rogan_gladen",
    "stage",
    "time_spread",
    "wasted_effort",
]
