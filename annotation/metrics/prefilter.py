"""What a pre-filter of pages finds and misses, by the grades of the pages that it let through.

A model scores the pages of each task. Those from a cut on are graded, and a random sample of the
others, drawn with a known probability. As in ViDoRe V3 (Macé et al. 2026, section 3.3), where a
model filters pages before people grade them, and as in sampling for legal review, where recall is
estimated from a sample of what was not retrieved (Webber 2013, *ACM Transactions on Information
Systems* 31(1)).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagetrail.annotation.statistics.wilson import wilson

BINS_ABOVE, BINS_BELOW = 5, 3
"""Most bins of scores above and below the cut."""


@dataclass(frozen=True)
class GradedPage:
    """A scored page of a task.

    Attributes:
        is_above: whether the pre-filter let it through.
        is_given: whether it was given to be graded.
        inclusion_probability: with which it was given to be graded; 1 above the cut.
        grade: code of its grade; None if it is not graded.
    """

    task: str
    score: float
    is_above: bool
    is_given: bool
    inclusion_probability: float
    grade: float | None

    @property
    def is_relevant(self) -> bool:
        """Whether its grade is 1 or more."""
        return self.grade is not None and self.grade >= 1


@dataclass(frozen=True)
class ScoreBin:
    """Pages with scores from ``low`` to ``high``.

    Attributes:
        pages: scored ones, graded or not.
        graded: of these.
        relevant: share of the graded pages with a grade of 1 or more, with its interval.
        mean_grade: of the graded pages.
    """

    low: float
    high: float
    is_above: bool
    pages: int
    graded: int
    relevant: float | None
    interval: tuple[float, float] | None
    mean_grade: float | None


@dataclass(frozen=True)
class PrefilterRecall:
    """Estimated recall of the pre-filter over tasks that are graded completely.

    Attributes:
        tasks: of these.
        n_above: pages from the cut on; all are graded.
        relevant_above: of these.
        n_below: pages below the cut.
        sampled: of these, drawn and graded.
        relevant_sampled: of these.
        missed: estimated relevant pages below the cut.
        missed_interval: its 95 % interval.
        recall: share of the relevant pages from the cut on; None without any relevant page, or
            without a sample of pages below the cut.
        interval: its 95 % interval.
    """

    tasks: int
    n_above: int
    relevant_above: int
    n_below: int
    sampled: int
    relevant_sampled: int
    missed: float | None
    missed_interval: tuple[float, float] | None
    recall: float | None
    interval: tuple[float, float] | None

    @property
    def precision(self) -> float | None:
        """Share of relevant pages among those from the cut on."""
        return self.relevant_above / self.n_above if self.n_above else None


def relevance_by_score(pages: Iterable[GradedPage]) -> list[ScoreBin]:
    """Bins of scores, highest first; none holds pages above and below the cut.

    Bins hold about equally many graded pages; equal scores are in one bin.
    """
    bins: list[ScoreBin] = []
    all_pages = list(pages)
    for is_above, max_bins in ((True, BINS_ABOVE), (False, BINS_BELOW)):
        side_pages = [page for page in all_pages if page.is_above == is_above]
        graded = sorted((page.score for page in side_pages if page.grade is not None), reverse=True)
        lower_edges = _lower_edges(graded, max_bins)
        for index, edge in enumerate(lower_edges):
            upper = lower_edges[index - 1] if index else None
            is_last = index == len(lower_edges) - 1
            members = [
                page
                for page in side_pages
                if (upper is None or page.score < upper) and (is_last or page.score >= edge)
            ]
            bins.append(_score_bin(members, is_above))
    return bins


def prefilter_recall(pages: Iterable[GradedPage]) -> PrefilterRecall:
    """Recall of the pre-filter, and how many relevant pages it missed.

    The relevant pages below the cut are estimated as their number times the share of relevant ones
    in the sample, weighted by inverse inclusion probabilities (Horvitz & Thompson 1952, *Journal of
    the American Statistical Association* 47, in Hájek's form 1971). The interval of that share is
    Wilson's with the effective sample size of these weights (Kish 1965, section 11.7); recall is
    A / (A + missed), with A relevant pages from the cut on, so its interval is that of the missed
    pages, transformed. Tasks of which a given page is not graded yet are left out.
    """
    by_task: dict[str, list[GradedPage]] = {}
    for page in pages:
        by_task.setdefault(page.task, []).append(page)
    complete = [members for members in by_task.values() if _is_complete(members)]
    counted_pages = [page for members in complete for page in members]
    pages_above = [page for page in counted_pages if page.is_above]
    pages_below = [page for page in counted_pages if not page.is_above]
    sampled = [page for page in pages_below if page.is_given]
    relevant_above = sum(page.is_relevant for page in pages_above)
    missed, missed_interval = _missed(pages_below, sampled)
    recall = interval = None
    if missed is not None and missed_interval is not None:
        recall = _recall(relevant_above, missed)
        low, high = (_recall(relevant_above, end) for end in reversed(missed_interval))
        if recall is not None and low is not None:
            interval = (low, 1.0 if high is None else high)
    return PrefilterRecall(
        tasks=len(complete),
        n_above=len(pages_above),
        relevant_above=relevant_above,
        n_below=len(pages_below),
        sampled=len(sampled),
        relevant_sampled=sum(page.is_relevant for page in sampled),
        missed=missed,
        missed_interval=missed_interval,
        recall=recall,
        interval=interval,
    )


def _is_complete(pages: Sequence[GradedPage]) -> bool:
    return all(page.grade is not None for page in pages if page.is_given)


def _missed(
    pages_below: Sequence[GradedPage], sampled: Sequence[GradedPage]
) -> tuple[float | None, tuple[float, float] | None]:
    """Relevant pages below the cut, with their interval; (0, (0, 0)) where there are no pages."""
    if not pages_below:
        return 0.0, (0.0, 0.0)
    share, n = _weighted_share(sampled)
    if share is None:
        return None, None
    bounds = wilson(share * n, n)
    if bounds is None:
        return None, None
    n_relevant = sum(page.is_relevant for page in sampled)
    # At least what was seen, at most all but what was seen not to be relevant.
    low = max(bounds[0] * len(pages_below), float(n_relevant))
    high = min(bounds[1] * len(pages_below), float(len(pages_below) - len(sampled) + n_relevant))
    return share * len(pages_below), (min(low, high), max(low, high))


def _weighted_share(pages: Sequence[GradedPage]) -> tuple[float | None, float]:
    """Share of relevant pages by inverse probabilities, and the effective number of pages."""
    weights = [1 / page.inclusion_probability for page in pages]
    total = sum(weights)
    if not total:
        return None, 0.0
    relevant = sum(w for w, page in zip(weights, pages, strict=True) if page.is_relevant)
    n = min(total**2 / sum(w**2 for w in weights), float(len(pages)))
    return min(1.0, relevant / total), n


def _recall(relevant_above: float, missed: float) -> float | None:
    total = relevant_above + missed
    return relevant_above / total if total else None


def _score_bin(members: Sequence[GradedPage], is_above: bool) -> ScoreBin:
    graded = [page for page in members if page.grade is not None]
    share, n = _weighted_share(graded)
    grades = [page.grade for page in graded if page.grade is not None]
    scores = [page.score for page in members]
    return ScoreBin(
        low=min(scores),
        high=max(scores),
        is_above=is_above,
        pages=len(members),
        graded=len(graded),
        relevant=share,
        interval=None if share is None else wilson(share * n, n),
        mean_grade=sum(grades) / len(grades) if grades else None,
    )


def _lower_edges(scores: Sequence[float], max_bins: int) -> list[float]:
    """Lowest score of each bin, highest bin first."""
    distinct = sorted(set(scores), reverse=True)
    if len(distinct) <= max_bins:
        return distinct
    edges = [scores[round((index + 1) * len(scores) / max_bins) - 1] for index in range(max_bins)]
    return sorted(set(edges), reverse=True)
