"""The section on boxes: overlap of two people's zones, against a brute-force mask."""

from __future__ import annotations

import random
from itertools import combinations
from statistics import fmean

import numpy as np
import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import BoxError
from pagetrail.annotation.protocols.protocol import parse, preset
from pagetrail.annotation.statistics.task_bootstrap import mean_interval
from tests.annotation.events.elements import element
from tests.exports.reports.agreement.people import (
    DOC,
    GOOD,
    POOR,
    SIZE,
    People,
    cell_values,
    drew,
    graded,
    lines,
    on,
    table,
)

RELEVANCE = preset("relevance")
COUNTS = ("pages", "tasks", "both", "one_empty", "both_empty")
MEANS = ("iou", "dice", "iou_both", "dice_both")
Rects = list[tuple[int, int, int, int]]


def mask(rects: Rects) -> np.ndarray:
    """The covered points of a page, one a square point."""
    covered = np.zeros((int(SIZE.height), int(SIZE.width)), dtype=bool)
    for x0, y0, x1, y1 in rects:
        covered[y0:y1, x0:x1] = True
    return covered


def overlap(a: Rects, b: Rects) -> tuple[float, float] | None:
    """(IoU, Dice) of two masks; None where both are empty."""
    first, second = mask(a), mask(b)
    intersection, union = int((first & second).sum()), int((first | second).sum())
    return (
        (intersection / union, 2 * intersection / int(first.sum() + second.sum()))
        if union
        else None
    )


def mark_pages(zones: dict[str, dict[int, Rects]], people: People, key: str, domain: str) -> None:
    """People mark pages 1 to 3 of a task; a page without boxes is graded 0."""
    people.task(key, pages=(1, 2, 3), domain=domain)
    for person, pages in zones.items():
        events: list[ev.Payload] = [GOOD]
        for page in (1, 2, 3):
            rects = pages.get(page, [])
            events.append(graded(page, 2 if rects else 0))
            events += [drew(page, *rect, box=f"b-{page}-{n}") for n, rect in enumerate(rects)]
        people.did(key, person, *events, outcome="answered")


def test_a_page_that_one_found_relevant_counts_zero() -> None:
    """Page 1: IoU 1/3, F1 1/2; page 2: one drew, 0; page 3: nobody, left out. Means 1/6, 1/4."""
    people = People(RELEVANCE)
    ada = {1: [(0, 0, 20, 10)], 2: [(0, 0, 50, 50)]}
    bob = {1: [(10, 0, 30, 10)]}
    mark_pages({"ada": ada, "bob": bob}, people, "q1", "Energy")
    cells = lines(people.report(), "boxes")["Pooled"]
    assert cell_values(cells, *COUNTS) == [3, 1, 1, 1, 1]
    assert cell_values(cells, *MEANS) == pytest.approx([1 / 6, 1 / 4, 1 / 3, 1 / 2])


def test_random_zones_against_masks() -> None:
    """Three people, overlapping boxes of whole points: all means equal those of boolean masks."""
    draw = random.Random(3)

    def rects() -> Rects:
        boxes = []
        for _ in range(draw.choice([0, 1, 1, 2, 4])):
            x, y = draw.randrange(0, 400), draw.randrange(0, 600)
            boxes.append((x, y, x + draw.randrange(5, 200), y + draw.randrange(5, 200)))
        return boxes

    people = People(RELEVANCE)
    units: dict[str, list[list[tuple[float, float]]]] = {"Energy": [], "Water": []}
    scored = []
    for n in range(6):
        domain = "Energy" if n < 4 else "Water"
        zones = {name: {page: rects() for page in (1, 2, 3)} for name in ("ada", "bob", "cyd")}
        mark_pages(zones, people, f"q{n}", domain)
        for page in (1, 2, 3):
            pairs = [overlap(zones[a][page], zones[b][page]) for a, b in combinations(zones, 2)]
            defined = [pair for pair in pairs if pair is not None]
            if defined:
                units[domain].append(defined)
                scored.append((f"q{n}", fmean(iou for iou, _ in defined)))
    report = people.report(replicates=200, seed=5)
    rows = lines(report, "boxes")

    def means(unit_scores: list[list[tuple[float, float]]]) -> list[float]:
        return [fmean(fmean(pair[k] for pair in unit) for unit in unit_scores) for k in (0, 1)]

    expected = {name: means(unit_scores) for name, unit_scores in units.items()}
    expected["Pooled"] = means(units["Energy"] + units["Water"])
    expected["Macro"] = [fmean(expected[n][k] for n in units) for k in (0, 1)]
    for name, values in expected.items():
        assert cell_values(rows[name], "iou", "dice") == pytest.approx(values, abs=1e-12)
    interval = mean_interval(scored, per_task=False, replicates=200, seed=5)
    cell = rows["Pooled"]["iou"]
    assert (cell.low, cell.high, cell.flag) == (interval.low, interval.high, "few_clusters")
    (chart,) = [chart for chart in report.charts if chart.key == "overlap-iou"]
    pages = len(units["Energy"]) + len(units["Water"])
    mean = rows["Pooled"]["iou"].value
    assert chart.caption == (
        f"IoU of {pages} pages; the broken line is the mean over pages, {mean:.3f}."
    )
    assert sum(rows["Pooled"][kind].value for kind in ("both", "one_empty")) == pages
    kinds = cell_values(rows["Pooled"], "both", "one_empty", "both_empty")
    assert sum(kinds) == rows["Pooled"]["pages"].value == 18


def test_pixels_of_a_stated_resolution() -> None:
    """At 72 dpi edges are rounded half up to whole points, and the report says so."""
    people = People(RELEVANCE)
    ada, bob = drew(1, 0, 0, 10.4, 10), drew(1, 0, 0, 20.5, 10)
    for person, box in (("ada", ada), ("bob", bob)):
        people.did("q1", person, GOOD, graded(1, 1), box, outcome="answered")
    people.task("q1", pages=(1,))
    report = people.report(dpi=72)
    assert lines(report, "boxes")["Pooled"]["iou"].value == 10 / 21
    assert report.choices["dpi"] == 72
    exact = people.report()
    assert lines(exact, "boxes")["Pooled"]["iou"].value == pytest.approx(10.4 / 20.5)
    with pytest.raises(BoxError):
        people.report(dpi=0)


def test_an_ended_task_has_no_zones() -> None:
    """Who found the query poor has no empty zones, not even where they had drawn before."""
    people = People(RELEVANCE)
    mark_pages({"ada": {1: [(0, 0, 20, 10)]}, "bob": {1: [(0, 0, 20, 10)]}}, people, "q1", "Energy")
    people.did("q1", "cyd", GOOD, graded(1, 2), drew(1, 50, 50, 90, 90), POOR)
    cells = lines(people.report(), "boxes")["Pooled"]
    assert cell_values(cells, *COUNTS) == [3, 1, 1, 0, 2]
    people.did("q2", "ada", GOOD, drew(1, 1, 1, 50, 50), outcome="answered")
    people.did("q2", "bob", POOR)
    assert cell_values(lines(people.report(), "boxes")["Pooled"], *COUNTS) == [3, 1, 1, 0, 2]


def test_pages_that_come_from_searching_count_where_somebody_drew() -> None:
    """Without given pages, a page counts once anybody drew on it; who did not has drawn nothing."""
    protocol = parse(
        """
name = "own"
title = "Find and mark"
[boxes]
enabled = true
labels = [{ name = "Text" }]
""",
        source="own",
    )
    people = People(protocol)
    people.did("q1", "ada", drew(4, 0, 0, 50, 50), outcome="answered")
    people.did("q1", "bob", drew(9, 0, 0, 50, 50), outcome="answered")
    people.did("q2", "ada", drew(4, 0, 0, 50, 50), outcome="answered")
    cells = lines(people.report(), "boxes")["Pooled"]
    assert cell_values(cells, *COUNTS) == [2, 1, 0, 2, 0]
    assert cell_values(cells, *MEANS) == [0, 0, None, None]
    assert cells["iou_both"].reason == "no_defined_pair"


def test_a_page_without_a_size_is_left_out_and_counted() -> None:
    """A page that the collection does not have cannot be measured."""
    people = People(RELEVANCE)
    pages = [{"document": name, "page": 1} for name in (DOC, "missing.pdf")]
    people.task("q1", candidates=pages, evidence=[])
    for person in ("ada", "bob"):
        grade_without_page = ev.FieldSet(field="relevance", value="1", **on(1, "missing.pdf"))
        box = drew(1, 0, 0, 9, 9, box="b-2", document="missing.pdf")
        sized_box = drew(1, 0, 0, 50, 50)
        people.did(
            "q1", person, GOOD, graded(1, 1), sized_box, grade_without_page, box, outcome="answered"
        )
    report = people.report()
    assert cell_values(lines(report, "boxes")["Pooled"], "pages", "iou") == [1, 1]
    (left,) = report.left_out
    assert (left.what, left.reason, left.count) == ("page", "unknown_page", 1)


def test_elements_of_a_model_are_told_apart() -> None:
    """Verified elements overlap as they are in the end; the report says why that is much."""
    people = People(preset("verify"))
    people.task("v1", pages=(2,), candidates=[{"document": "b.pdf", "page": 2}])
    seeded = ev.ElementsSeeded(document="b.pdf", page=2, elements=(element(1), element(2)))
    accepted = [ev.BoxAccepted(box="e1"), ev.BoxAccepted(box="e2")]
    smaller = ev.BoxResized(box="e1", rect=(10, 20.5, 60, 60))
    people.did("v1", "ada", seeded, *accepted)
    people.did("v1", "bob", seeded, smaller, ev.BoxDeleted(box="e2"))
    report = people.report()
    # 50 of 100.25 points of the width are left
    assert lines(report, "boxes")["Pooled"]["iou"].value == pytest.approx(50 / 100.25)
    (section,) = [section for section in report.sections if section.title == "Boxes"]
    assert any("model's elements" in note for note in section.notes)
    verdicts = lines(report, "work-element-verdict")["Pooled"]
    assert cell_values(verdicts, "units", "percent_agreement") == [2, 0]
    assert lines(report, "work-element-label")["Pooled"]["units"].value == 1


def test_protocols_without_boxes_have_no_such_section() -> None:
    """Nothing is said of boxes where there are none."""
    report = People(preset("search")).report()
    assert [section.title for section in report.sections] == [
        "Answers and evidence",
        "Annotators",
        "Ratings",
    ]
    assert table(report, "answers").rows
