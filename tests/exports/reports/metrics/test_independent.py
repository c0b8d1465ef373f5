"""The report against plain code of its own over the files that the MADQA export writes."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from statistics import fmean, median
from typing import Any

import pytest

from pagetrail.exports.reports.model import Report
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import rows
from tests.exports.reports.metrics.answered import (
    B1,
    P1,
    P2,
    P3,
    Try,
    line,
    lines,
    make_scene,
    task,
)

PAGES = (P1, P2, P3, B1)
PARTICIPANTS = {"Humans": "human:", "gpt": "gpt", "llama": "llama"}
SILENT = "silent"
"""A system whose file tells of no search, only of iterations."""

_MODELS = PARTICIPANTS | {SILENT: SILENT}

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module", params=[3, 11])
def report_and_rows(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Report, dict[str, Rows]]:
    """A report of random work, and the exported rows of each participant with their outcome."""
    chance = random.Random(request.param)
    keys = [f"q{n:02}" for n in range(24)]
    tasks = [task(key, *chance.sample(PAGES, chance.choice([1, 1, 2, 3]))) for key in keys]
    folder = tmp_path_factory.mktemp("independent")
    scene = make_scene(folder, tasks)

    def attempt() -> Try:
        return Try(
            answer=chance.choice(["42", "42", "42", "7", None]),
            searches=[
                chance.sample(PAGES, chance.randint(0, 2)) for _ in range(chance.randint(1, 4))
            ],
            cites=chance.sample(PAGES, chance.randint(1, 3)),
        )

    scene.person("Ada", {key: attempt() for key in keys})
    scene.person("Grace", {key: attempt() for key in keys[:9]})
    iterations = {key: chance.randint(1, 9) for key in keys}
    scene.system("gpt", {key: attempt() for key in keys}, iterations=iterations)
    scene.system(
        SILENT,
        {key: Try(chance.choice(["42", "7"])) for key in keys},
        iterations=iterations | {keys[0]: 0},
    )
    scene.system("llama", {key: attempt() for key in keys[4:]})
    export(scene.stage.workspace, CAMPAIGN, "madqa", folder / "madqa")
    export(scene.stage.workspace, CAMPAIGN, "gold", folder / "gold")
    gold = {row["id"]: row for row in rows(folder / "gold" / "gold.jsonl")}
    rows_by_participant = defaultdict(list)
    for row in rows(folder / "madqa" / "results.jsonl"):
        participant = next(
            name for name, model in _MODELS.items() if row["model"].startswith(model)
        )
        rows_by_participant[participant].append(row | row_outcome(row, gold[row["id"]]))
    return scene.report(), rows_by_participant


def row_outcome(row: dict[str, Any], gold: dict[str, Any]) -> dict[str, Any]:
    """What became of a row: right or not, F1 of pages and documents, and when gold was shown."""
    gold_pages = {(ref["document"], ref["page"]) for ref in gold["evidence"]}
    cited = {(ref["file"], ref["page"]) for ref in row["citations"]}
    gold_hits = [
        gold_pages & {(hit["file"], hit["page"]) for hit in entry["results"]}
        for entry in row["search_history"]
    ]
    return {
        "right": row["answer"] in gold["answer_variants"],
        "steps": len(row["search_history"]) or row["iterations"],
        "page_f1": f1(cited, gold_pages),
        "doc_f1": f1({name for name, _ in cited}, {name for name, _ in gold_pages}),
        "found_at": next((n for n, hits in enumerate(gold_hits, start=1) if hits), None),
        "gold_pages": len(gold_pages),
        "gold_documents": len({name for name, _ in gold_pages}),
    }


def f1(cited: set[Any], gold: set[Any]) -> float:
    """From precision and recall."""
    common = len(cited & gold)
    if not common:
        return 0.0
    precision, recall = common / len(cited), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def over_tasks(attempts: Rows, name: str) -> float:
    """The mean of means."""
    by_task = defaultdict(list)
    for row in attempts:
        by_task[row["id"]].append(float(row[name]))
    return fmean(fmean(values) for values in by_task.values())


def weighted(attempts: Rows) -> list[tuple[float, dict[str, Any]]]:
    """Each row with its weight: one divided by the rows of its task."""
    sizes = Counter(row["id"] for row in attempts)
    return [(1 / sizes[row["id"]], row) for row in attempts]


def mean(weighted_values: list[tuple[float, float]]) -> float:
    """Of (weight, value) pairs."""
    return sum(weight * value for weight, value in weighted_values) / sum(
        weight for weight, _ in weighted_values
    )


def curve(attempts: Rows, *, by_task: bool) -> list[tuple[int, float]]:
    """(effort, D) after each row, in order of effort, else that of the file; rows without effort
    are no part of it.

    Args:
        by_task: whether rows of a task share a weight of 1; otherwise each weighs 1.
    """
    tried = [row for row in attempts if row["steps"] > 0]
    rows = weighted(tried) if by_task else [(1.0, row) for row in tried]
    success = mean([(weight, row["right"]) for weight, row in rows])
    total, points = 0.0, []
    for weight, row in sorted(rows, key=lambda weighted_row: weighted_row[1]["steps"]):
        total += weight * (row["right"] - success)
        points.append((row["steps"], total))
    return points


@pytest.mark.parametrize("participant", _MODELS)
def test_results(report_and_rows: tuple[Report, dict[str, Rows]], participant: str) -> None:
    """Accuracy, attribution, Kuiper in both forms and wasted effort."""
    report, rows_by_participant = report_and_rows
    cells, expected = line(report, "results", side=participant), rows_by_participant[participant]
    assert cells["attempts"].value == len(expected)
    for name in ("page_f1", "doc_f1"):
        assert cells[name].value == pytest.approx(over_tasks(expected, name))
    assert cells["accuracy"].value == pytest.approx(over_tasks(expected, "right"))
    hops = {
        "accuracy_single": [row for row in expected if row["gold_pages"] == 1],
        "accuracy_cross_page": [
            row for row in expected if row["gold_pages"] > 1 and row["gold_documents"] == 1
        ],
        "accuracy_cross_doc": [row for row in expected if row["gold_documents"] > 1],
    }
    for name, part in hops.items():
        assert part and cells[name].value == pytest.approx(over_tasks(part, "right"))
    ends = dict(curve(expected, by_task=True))  # the last D of each effort
    for name, values in (
        ("kuiper", [0.0, *ends.values()]),
        ("kuiper_file_order", [0.0, *(d for _, d in curve(expected, by_task=False))]),
    ):
        assert cells[name].value == pytest.approx(max(values) - min(values))
    tried = weighted([row for row in expected if row["steps"] > 0])
    efforts = {
        right: mean([(weight, row["steps"]) for weight, row in tried if row["right"] == right])
        for right in (True, False)
    }
    assert cells["wasted_effort"].value == pytest.approx(efforts[False] / efforts[True])


@pytest.mark.parametrize("participant", PARTICIPANTS)
def test_cascade(report_and_rows: tuple[Report, dict[str, Rows]], participant: str) -> None:
    """The stages, from the exported citations and answers."""
    report, rows_by_participant = report_and_rows
    counts, shares = [0] * 5, [0.0] * 5
    for weight, row in weighted(rows_by_participant[participant]):
        if row["right"]:
            stage = 4
        elif not row["answer"]:
            stage = 0
        elif row["doc_f1"] == 0:
            stage = 1
        else:
            stage = 2 if row["page_f1"] == 0 else 3
        counts[stage] += 1
        shares[stage] += weight
    stages = [row.cells for row in lines(report, "cascade", side=participant)]
    assert [cells["attempts"].value for cells in stages] == counts
    tasks = len({row["id"] for row in rows_by_participant[participant]})
    assert [cells["share"].value for cells in stages] == pytest.approx([n / tasks for n in shares])


@pytest.mark.parametrize("participant", PARTICIPANTS)
def test_search(report_and_rows: tuple[Report, dict[str, Rows]], participant: str) -> None:
    """First hits, recovery, queries, and the share found by each query."""
    report, rows_by_participant = report_and_rows
    expected = weighted(rows_by_participant[participant])
    firsts = [(weight, row["found_at"]) for weight, row in expected]
    cells = line(report, "search", side=participant)
    assert cells["first_page"].value == pytest.approx(
        mean([(weight, first == 1) for weight, first in firsts])
    )
    missed = [(weight, first is not None) for weight, first in firsts if first != 1]
    assert cells["recovery_page"].value == pytest.approx(mean(missed))
    queries = [(weight, len(row["search_history"])) for weight, row in expected]
    assert cells["queries_mean"].value == pytest.approx(mean(queries))
    # As many of each as its weight has halves: Ada and Grace share nine tasks.
    halves = [n for weight, n in queries for _ in range(round(2 * weight))]
    assert cells["queries_median"].value == median(halves)
    for row in lines(report, "found-by-query", side=participant):
        n = row.cells["query"].value
        assert row.cells["page"].value == pytest.approx(
            mean([(weight, first is not None and first <= n) for weight, first in firsts])
        )


def test_comparison(report_and_rows: tuple[Report, dict[str, Rows]]) -> None:
    """Cohen's kappa from the 2×2 of the two systems."""
    report, rows_by_participant = report_and_rows
    right = {
        name: {row["id"]: row["right"] for row in rows_by_participant[name]}
        for name in ("gpt", "llama")
    }
    shared = right["gpt"].keys() & right["llama"].keys()
    pairs = [(right["gpt"][key], right["llama"][key]) for key in shared]
    observed = fmean(x == y for x, y in pairs)
    a, b = fmean(x for x, _ in pairs), fmean(y for _, y in pairs)
    expected = a * b + (1 - a) * (1 - b)
    cells = line(report, "comparison", a="gpt", b="llama")
    assert cells["kappa"].value == pytest.approx((observed - expected) / (1 - expected))
    assert cells["difference"].value == pytest.approx(a - b)
    assert [cells[name].value for name in ("both", "only_a", "only_b", "neither")] == [
        pairs.count(outcomes)
        for outcomes in ((True, True), (True, False), (False, True), (False, False))
    ]
