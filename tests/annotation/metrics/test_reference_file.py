"""The results carried in these tests are those of the shared reference file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.metrics.attribution import doc_f1, page_f1
from pagetrail.annotation.metrics.correctness import anls_star
from pagetrail.annotation.metrics.effort import kuiper, wasted_effort
from pagetrail.annotation.metrics.judging.bias import rogan_gladen

FILE = Path(__file__).parents[4] / "shared" / "cases" / "madqa_cases.json"

UNDEFINED_HERE = {"empty_gold", "single_sample", "wasted_effort_none_incorrect"}
"""What the evaluator calls 0 or NaN, and docs/metrics.md undefined."""
READ_HERE = {"gold_with_file_key", "citation_as_string", "numeric_pred"}
"""What the evaluator overlooks or stops at; see the tests of each measure."""


def cases(kind: str) -> list[dict[str, Any]]:
    """The file's cases of a kind; skips where the file is not beside the checkout."""
    if not FILE.is_file():
        pytest.skip("the reference file is not beside this checkout")
    kind_cases = [
        case for case in json.loads(FILE.read_text("utf-8"))["cases"] if case["kind"] == kind
    ]
    assert kind_cases
    return kind_cases


@pytest.mark.corpus
def test_citations() -> None:
    """Precision, recall and F1 of every case, of pages and of documents."""
    for case in cases("citation_f1"):
        if case["name"] in UNDEFINED_HERE | READ_HERE:
            continue
        citations = case["predicted_citations"], case["gold_locations"]
        for measure, level in ((page_f1, "page"), (doc_f1, "document")):
            f1, expected = measure(*citations), case["expected"][level]
            assert (f1.precision, f1.recall, f1.value) == pytest.approx(
                (expected["precision"], expected["recall"], expected["f1"]), abs=1e-12
            ), case["name"]
            assert f1.counts["gold"] == expected["support"]


@pytest.mark.corpus
def test_answers() -> None:
    """ANLS* of every case."""
    for case in cases("anls_star"):
        if case["name"] not in UNDEFINED_HERE | READ_HERE:
            similarity = anls_star(case["predicted"], case["answer_variants"]).value
            assert similarity == pytest.approx(case["expected"], abs=1e-12), case["name"]


@pytest.mark.corpus
def test_effort() -> None:
    """Kuiper by definition and by file order, and wasted effort, of every case."""
    for case in cases("kuiper_effort"):
        efforts = [float(result["steps"]) for result in case["results"]]
        right = [bool(result.get("correct")) for result in case["results"]]
        statistic, waste = kuiper(efforts, right), wasted_effort(efforts, right)
        assert statistic.counts["n"] == case["tie_invariant"]["n_samples"]
        assert statistic.success == pytest.approx(case["tie_invariant"]["y_bar"], abs=1e-9)
        if case["name"] in UNDEFINED_HERE:
            assert statistic.value is None and waste.value is None
            continue
        tie_invariant = case["tie_invariant"]
        assert (statistic.value, statistic.normalised) == pytest.approx(
            (tie_invariant["kuiper_stat"], tie_invariant["normalised"]), abs=1e-9
        ), case["name"]
        reference_kuiper = case["expected"]["kuiper"]
        if "_error" not in reference_kuiper:
            assert statistic.file_order == pytest.approx(reference_kuiper["kuiper_stat"], abs=1e-9)
            assert statistic.file_order_range == pytest.approx(
                (reference_kuiper["max_positive"], reference_kuiper["max_negative"]), abs=1e-9
            )
        ratio = case["expected"]["wasted_effort"]["ratio"]
        expected = None if ratio == "Infinity" else pytest.approx(ratio, abs=1e-9)
        assert waste.value == expected, case["name"]


@pytest.mark.corpus
def test_judges() -> None:
    """Estimate, error and interval of every case: Lee's up to q0 + q1 = 1.9, the narrow one above
    it, as the evaluator has it.
    """
    for case in cases("rogan_gladen"):
        params, expected = case["params"], case["expected"]
        estimate = rogan_gladen(case["raw_score"], case["n"], **params)
        narrow = params["q0"] + params["q1"] > 1.9
        assert estimate.value == pytest.approx(expected["adjusted"], abs=1e-12)
        assert estimate.se_test_only == pytest.approx(expected["se"], abs=1e-12)
        interval = estimate.interval_test_only if narrow else estimate.interval
        assert interval == pytest.approx(tuple(expected["ci"]), abs=1e-9)
    for case in cases("rogan_gladen_aggregate"):
        expected = case["expected"]["corrected"]
        scores = case["scores"]
        estimate = rogan_gladen(
            sum(scores) / len(scores), len(scores), expected["q0"], expected["q1"], 48, 152
        )
        assert estimate.value == pytest.approx(expected["adjusted_score"], abs=1e-12)
        assert estimate.interval_test_only == pytest.approx(
            (expected["ci_lower"], expected["ci_upper"]), abs=1e-9
        )
