"""Results of MADQA's own evaluator, reached through log, rows and report.

The results in ``CASES`` are output of ``eval/metrics.py`` of OxRML/MADQA with anls-star 1.0.1;
``tie_invariant`` is the Kuiper value of docs/metrics.md, Effort.
"""

from __future__ import annotations

import pytest

from pagetrail.exports.reports.model import Cell, Report
from tests.exports.reports.metrics.answered import Page, Try, line, make_scene, task

OrderedRuns = list[tuple[int, bool]]

CASES: dict[str, tuple[OrderedRuns, dict[str, float]]] = {
    "no_ties_perfectly_ordered": (
        [(n, n <= 5) for n in range(1, 11)],
        {"file": 2.5, "k": 2.5, "normalised": 1.5811388300841895, "waste": 2.6666666666666665},
    ),
    "all_tied_correct_first": (
        [(3, n < 5) for n in range(10)],
        {"file": 2.5, "k": 0.0, "normalised": 0.0, "waste": 1.0},
    ),
    "all_tied_alternating": (
        [(3, n % 2 == 0) for n in range(10)],
        {"file": 0.5, "k": 0.0, "normalised": 0.0, "waste": 1.0},
    ),
    "ties_two_levels_order_a": (
        [(1, True), (1, False), (1, True), (2, False), (2, True), (2, False)],
        {"file": 0.5, "k": 0.5, "normalised": 0.4082482904638631, "waste": 1.25},
    ),
    "zero_effort_dropped": (
        [(0, True), (0, True), (1, True), (2, False), (3, True)],
        {"file": 2 / 3, "k": 2 / 3, "normalised": 0.816496580927726, "waste": 1.0},
    ),
}
"""(iterations, right) of each run in the order of the file, and what is expected."""

PAGES: dict[str, tuple[list[Page], float, float]] = {
    "exact": ([("a.pdf", 1), ("b.pdf", 2)], 1.0, 1.0),
    "empty_citations": ([], 0.0, 0.0),
    "case_sensitive_doc": ([("A.pdf", 1)], 0.0, 0.0),
    "multi_doc_partial": ([("a.pdf", 1), ("c.pdf", 5)], 0.4, 0.5),
    "extra_pages_precision": (
        [("a.pdf", n) for n in range(1, 11)],
        0.18181818181818182,
        1.0,
    ),
}
"""Citations, Page F1 and Doc F1; the gold of each is in ``GOLD``."""

GOLD: dict[str, list[Page]] = {
    "exact": [("a.pdf", 1), ("b.pdf", 2)],
    "empty_citations": [("a.pdf", 1)],
    "case_sensitive_doc": [("a.pdf", 1)],
    "multi_doc_partial": [("a.pdf", 1), ("a.pdf", 2), ("b.pdf", 3)],
    "extra_pages_precision": [("a.pdf", 3)],
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Each case of effort is a system of one campaign, each case of citations a task."""
    tasks = [task(f"q{n}", ("a.pdf", 1)) for n in range(10)]
    tasks += [task(f"f1-{name}", *pages, domain=name) for name, pages in GOLD.items()]
    scene = make_scene(tmp_path_factory.mktemp("reference"), tasks, ("Ada",))
    for name, (runs, _) in CASES.items():
        scene.system(
            name,
            {f"q{n}": Try("42" if right else "7") for n, (_, right) in enumerate(runs)},
            iterations={f"q{n}": steps for n, (steps, _) in enumerate(runs)},
        )
    scene.system(
        "cites",
        {f"f1-{name}": Try(cites=pages) for name, (pages, *_) in PAGES.items()},
        iterations={f"f1-{name}": 1 for name in PAGES},
    )
    return scene.report()


@pytest.mark.parametrize("name", CASES)
def test_kuiper_and_wasted_effort(report: Report, name: str) -> None:
    """In the order of the file as MADQA has it, and with ties together."""
    _, expected = CASES[name]
    cells = line(report, "results", side=name)
    assert cells["kuiper_file_order"].value == pytest.approx(expected["file"], abs=1e-12)
    assert cells["kuiper"].value == pytest.approx(expected["k"], abs=1e-12)
    assert cells["kuiper_normalised"].value == pytest.approx(expected["normalised"], abs=1e-12)
    assert cells["wasted_effort"].value == pytest.approx(expected["waste"], abs=1e-12)


@pytest.mark.parametrize("name", PAGES)
def test_page_and_document_f1(report: Report, name: str) -> None:
    """A task of its own for each, in a group of its own."""
    _, page, document = PAGES[name]
    cells = line(report, "by-domain", group=name, side="cites")
    assert cells["page_f1"].value == pytest.approx(page, abs=1e-12)
    assert cells["doc_f1"].value == pytest.approx(document, abs=1e-12)


def test_an_effort_of_nothing_is_counted(report: Report) -> None:
    """Two of five rows of that case have no iteration."""
    cells = line(report, "effort", side="zero_effort_dropped", effort="Iterations")
    assert (cells["attempts"].value, cells["not_positive"].value) == (3, 2)


def test_all_right_has_no_curve(report: Report) -> None:
    """MADQA's evaluator says NaN."""
    assert line(report, "results", side="cites")["kuiper"] == Cell(reason="none_incorrect")
