"""Recall of a pre-filter and relevance by score, worked out by hand and against simulation."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.metrics.prefilter import (
    GradedPage,
    prefilter_recall,
    relevance_by_score,
)
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.tasks.page_scores import ScoredPage, Selection, select_pages


def page_above(grade: float | None, score: float = 0.9, task: str = "a") -> GradedPage:
    """A page from the cut on."""
    return GradedPage(task, score, True, True, 1.0, grade)


def sampled_page(grade: float | None, probability: float, score: float = 0.1) -> GradedPage:
    """A page below the cut that was drawn to be graded."""
    return GradedPage("a", score, False, True, probability, grade)


def page_below(probability: float, score: float = 0.1) -> GradedPage:
    """A page below the cut that was not drawn."""
    return GradedPage("a", score, False, False, probability, None)


def test_recall_by_hand() -> None:
    """8 of 10 relevant above; 1 of 10 drawn of 100 below: 10 missed, recall 8 / 18."""
    pages = [
        *[page_above(2)] * 8,
        *[page_above(0)] * 2,
        sampled_page(1, 0.1),
        *[sampled_page(0, 0.1)] * 9,
        *[page_below(0.1)] * 90,
    ]
    recall = prefilter_recall(pages)
    assert (recall.tasks, recall.n_above, recall.relevant_above) == (1, 10, 8)
    assert (recall.n_below, recall.sampled, recall.relevant_sampled) == (100, 10, 1)
    assert recall.precision == 0.8
    assert recall.missed == pytest.approx(10)
    assert recall.recall == pytest.approx(8 / 18)
    bounds = wilson(1, 10)
    assert bounds is not None and recall.interval is not None
    low, high = bounds
    assert recall.missed_interval == pytest.approx((100 * low, 100 * high))
    assert recall.interval == pytest.approx((8 / (8 + 100 * high), 8 / (8 + 100 * low)))


def test_a_census_is_certain_and_nothing_below_is_full_recall() -> None:
    """All pages below graded: no interval is left. No page below: recall 1."""
    census = prefilter_recall(
        [page_above(1), page_above(0), *[sampled_page(1, 1.0)] * 2, *[sampled_page(0, 1.0)] * 3]
    )
    assert (census.recall, census.interval) == (1 / 3, (1 / 3, 1 / 3))
    everything = prefilter_recall([page_above(1), page_above(0)])
    assert (everything.recall, everything.interval, everything.missed) == (1.0, (1.0, 1.0), 0.0)


def test_undefined_without_a_sample_or_without_relevant_pages() -> None:
    """And tasks that are not graded completely do not count."""
    no_sample = prefilter_recall([page_above(1), page_below(0.0)])
    assert (no_sample.recall, no_sample.missed) == (None, None)
    nothing = prefilter_recall([page_above(0)])
    assert (nothing.recall, nothing.interval) == (None, None)
    none_found = prefilter_recall(
        [page_above(2), *[sampled_page(0, 0.5)] * 5, *[page_below(0.5)] * 5]
    )
    assert none_found.recall == 1.0
    assert none_found.interval is not None and none_found.interval[0] < 0.5
    assert none_found.interval[1] == 1.0
    for open_page in (page_above(None), sampled_page(None, 0.5)):
        open_task = prefilter_recall([page_above(1), open_page])
        assert (open_task.tasks, open_task.recall) == (0, None)


def test_intervals_cover_the_recall() -> None:
    """300 campaigns of 20 tasks: the interval holds the true recall in about 95 % of them."""
    rng = random.Random(3)
    covered = 0
    truths, estimates = [], []
    for trial in range(300):
        pages = {
            f"t{task}": [
                ScoredPage(f"d{page}.pdf", 1, score, "above" if score >= 0.5 else "below")
                for page in range(40)
                for score in [rng.random() ** 2]
            ]
            for task in range(20)
        }
        relevant = {
            (task, page) for task, own in pages.items() for page in own
            if rng.random() < (0.6 if page.score >= 0.5 else 0.05)
        }  # fmt: skip
        selected = select_pages(pages, 0.15, trial)
        graded = [
            GradedPage(
                task,
                page.score,
                page.selection == "above",
                page.is_graded,
                1.0 if page.selection == "above" else entry.inclusion_probability,
                None
                if not page.is_graded
                else float((task, page._replace(selection=_side(page))) in relevant),
            )
            for task, entry in selected.items()
            for page in entry.pages
        ]
        estimate = prefilter_recall(graded)
        n_above = sum(page.selection == "above" for _, page in relevant)
        truth = n_above / len(relevant)
        assert estimate.interval is not None and estimate.recall is not None
        covered += estimate.interval[0] <= truth <= estimate.interval[1]
        truths.append(truth)
        estimates.append(estimate.recall)
    assert covered >= 0.92 * 300
    assert sum(estimates) / 300 == pytest.approx(sum(truths) / 300, abs=0.02)


def _side(page: ScoredPage) -> Selection:
    return "above" if page.score >= 0.5 else "below"


PAGES = st.lists(
    st.builds(
        lambda score, graded, grade: (
            (page_above(grade, score) if score >= 5 else sampled_page(grade, 0.5, score))
            if graded
            else (page_above(None, score) if score >= 5 else page_below(0.5, score))
        ),
        st.integers(0, 10).map(float),
        st.booleans(),
        st.integers(0, 2).map(float),
    ),
    max_size=60,
)


@given(PAGES)
def test_bins_hold_every_graded_page_once(pages: list[GradedPage]) -> None:
    """Highest first, never with pages above and below the cut, at most eight; shares in bounds."""
    bins = relevance_by_score(pages)
    assert sum(entry.graded for entry in bins) == sum(page.grade is not None for page in pages)
    assert len(bins) <= 8
    for earlier, later in itertools.pairwise(bins):
        assert earlier.low > later.high
    for entry in bins:
        assert entry.relevant is not None and entry.interval is not None
        assert entry.interval[0] <= entry.relevant <= entry.interval[1]


def test_the_draw_can_be_repeated_and_tells_its_probability() -> None:
    """5 % of 100 pages below the cut, whatever the order; at least one; none at a rate of 0."""
    pages = [ScoredPage("d.pdf", number, 0.1, "below") for number in range(1, 101)]
    tasks = {"a": [*pages, ScoredPage("d.pdf", 200, 0.9, "above")]}
    selected = select_pages(tasks, 0.05, 7)["a"]
    assert selected.inclusion_probability == 0.05
    assert sum(page.selection == "sampled" for page in selected.pages) == 5
    assert selected == select_pages({"a": tasks["a"][::-1]}, 0.05, 7)["a"]
    assert selected != select_pages(tasks, 0.05, 8)["a"]
    assert select_pages(tasks, 0.0001, 7)["a"].inclusion_probability == 0.01
    assert select_pages(tasks, 0, 7)["a"].inclusion_probability == 0
    assert select_pages({"a": tasks["a"][-1:]}, 0.5, 7)["a"].inclusion_probability == 0
