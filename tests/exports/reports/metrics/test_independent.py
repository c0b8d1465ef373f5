"""The report against plain code of its own over the files that the MADQA export writes."""

from __future__ import annotations

import random
from collections import defaultdict
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
SIDES = {"Humans": "human:", "gpt": "gpt", "llama": "llama"}
SILENT = "silent"
"""A system whose file tells of no search, only of iterations."""

_MODELS = SIDES | {SILENT: SILENT}

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module", params=[3, 11])
def both(
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
            answer=chance.choice(["42", "42", "42", "zebra", None]),
            searches=[
                chance.sample(PAGES, chance.randint(0, 2)) for _ in range(chance.randint(1, 4))
            ],
            cites=chance.sample(PAGES, chance.randint(1, 3)),
        )

    scene.person("Ada", {key: attempt() for key in keys})
    scene.person("Grace", {key: attempt() for key in keys[:9]})
    counted = {key: chance.randint(1, 9) for key in keys}
    scene.system("gpt", {key: attempt() for key in keys}, iterations=counted)
    scene.system(
        SILENT,
        {key: Try(chance.choice(["42", "zebra"])) for key in keys},
        iterations=counted | {keys[0]: 0},
    )
    scene.system("llama", {key: attempt() for key in keys[4:]})
    export(scene.stage.workspace, CAMPAIGN, "madqa", folder / "madqa")
    export(scene.stage.workspace, CAMPAIGN, "gold", folder / "gold")
    gold = {each["id"]: each for each in rows(folder / "gold" / "gold.jsonl")}
    sides = defaultdict(list)
    for row in rows(folder / "madqa" / "results.jsonl"):
        side = next(name for name, model in _MODELS.items() if row["model"].startswith(model))
        sides[side].append(row | judged(row, gold[row["id"]]))
    return scene.report(), sides


def judged(row: dict[str, Any], gold: dict[str, Any]) -> dict[str, Any]:
    """What became of a row: right or not, F1 of pages and documents, and when gold was shown."""
    wanted = {(ref["document"], ref["page"]) for ref in gold["evidence"]}
    cited = {(ref["file"], ref["page"]) for ref in row["citations"]}
    shown = [
        wanted & {(hit["file"], hit["page"]) for hit in entry["results"]}
        for entry in row["search_history"]
    ]
    return {
        "right": row["answer"] in gold["answer_variants"],
        "steps": len(row["search_history"]) or row["iterations"],
        "page_f1": f1(cited, wanted),
        "doc_f1": f1({name for name, _ in cited}, {name for name, _ in wanted}),
        "found_at": next((n for n, hits in enumerate(shown, start=1) if hits), None),
        "gold_pages": len(wanted),
        "gold_documents": len({name for name, _ in wanted}),
    }


def f1(cited: set[Any], wanted: set[Any]) -> float:
    """From precision and recall."""
    common = len(cited & wanted)
    if not common:
        return 0.0
    precision, recall = common / len(cited), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def over_tasks(found: Rows, name: str) -> float:
    """The mean of means."""
    by_task = defaultdict(list)
    for row in found:
        by_task[row["id"]].append(float(row[name]))
    return fmean(fmean(each) for each in by_task.values())


def curve(found: Rows) -> list[tuple[int, float]]:
    """(effort, D) after each row, in order of effort, else that of the file; rows without effort
    are no part of it.
    """
    found = [row for row in found if row["steps"] > 0]
    mean = fmean(float(row["right"]) for row in found)
    total, points = 0.0, []
    for row in sorted(found, key=lambda row: row["steps"]):
        total += row["right"] - mean
        points.append((row["steps"], total))
    return points


@pytest.mark.parametrize("side", _MODELS)
def test_results(both: tuple[Report, dict[str, Rows]], side: str) -> None:
    """Accuracy, attribution, Kuiper in both forms and wasted effort."""
    report, sides = both
    found, expected = line(report, "results", side=side), sides[side]
    assert found["attempts"].value == len(expected)
    for name in ("page_f1", "doc_f1"):
        assert found[name].value == pytest.approx(over_tasks(expected, name))
    assert found["accuracy"].value == pytest.approx(over_tasks(expected, "right"))
    hops = {
        "accuracy_single": [row for row in expected if row["gold_pages"] == 1],
        "accuracy_cross_page": [
            row for row in expected if row["gold_pages"] > 1 and row["gold_documents"] == 1
        ],
        "accuracy_cross_doc": [row for row in expected if row["gold_documents"] > 1],
    }
    for name, part in hops.items():
        assert part and found[name].value == pytest.approx(over_tasks(part, "right"))
    points = curve(expected)
    ends = dict(points)  # the last D of each effort
    for name, values in (
        ("kuiper", [0.0, *ends.values()]),
        ("kuiper_file_order", [0.0, *(d for _, d in points)]),
    ):
        assert found[name].value == pytest.approx(max(values) - min(values))
    efforts = {
        right: [row["steps"] for row in expected if row["right"] == right and row["steps"] > 0]
        for right in (True, False)
    }
    assert found["wasted_effort"].value == pytest.approx(
        fmean(efforts[False]) / fmean(efforts[True])
    )


@pytest.mark.parametrize("side", SIDES)
def test_cascade(both: tuple[Report, dict[str, Rows]], side: str) -> None:
    """The stages, from the exported citations and answers."""
    report, sides = both
    expected = [0] * 5
    for row in sides[side]:
        if not row["answer"]:
            stage = 0
        elif row["doc_f1"] == 0:
            stage = 1
        elif row["page_f1"] == 0:
            stage = 2
        else:
            stage = 4 if row["right"] else 3
        expected[stage] += 1
    found = [row.cells["attempts"].value for row in lines(report, "cascade", side=side)]
    assert found == expected


@pytest.mark.parametrize("side", SIDES)
def test_search(both: tuple[Report, dict[str, Rows]], side: str) -> None:
    """First hits, recovery, queries, and the share found by each query."""
    report, sides = both
    expected = sides[side]
    firsts = [row["found_at"] for row in expected]
    found = line(report, "search", side=side)
    assert found["first_page"].value == pytest.approx(firsts.count(1) / len(firsts))
    missed = [first for first in firsts if first != 1]
    assert found["recovery_page"].value == pytest.approx(
        sum(first is not None for first in missed) / len(missed)
    )
    queries = [len(row["search_history"]) for row in expected]
    assert found["queries_mean"].value == pytest.approx(fmean(queries))
    assert found["queries_median"].value == median(queries)
    for row in lines(report, "found-by-query", side=side):
        n = row.cells["query"].value
        assert row.cells["page"].value == pytest.approx(
            sum(first is not None and first <= n for first in firsts) / len(firsts)
        )


def test_comparison(both: tuple[Report, dict[str, Rows]]) -> None:
    """Cohen's kappa from the 2×2 of the two systems."""
    report, sides = both
    right = {name: {row["id"]: row["right"] for row in sides[name]} for name in ("gpt", "llama")}
    shared = right["gpt"].keys() & right["llama"].keys()
    pairs = [(right["gpt"][key], right["llama"][key]) for key in shared]
    observed = fmean(x == y for x, y in pairs)
    a, b = fmean(x for x, _ in pairs), fmean(y for _, y in pairs)
    expected = a * b + (1 - a) * (1 - b)
    found = line(report, "comparison", a="gpt", b="llama")
    assert found["kappa"].value == pytest.approx((observed - expected) / (1 - expected))
    assert found["difference"].value == pytest.approx(a - b)
    assert [found[name].value for name in ("both", "only_a", "only_b", "neither")] == [
        pairs.count(each) for each in ((True, True), (True, False), (False, True), (False, False))
    ]
