"""Items and test splits, worked out by hand."""

from __future__ import annotations

import pytest
from pytest import approx

from pagetrail.annotation.metrics.item_analysis import difficulty_split, items
from pagetrail.annotation.statistics.rank_correlation import pearson, spearman


def responses(**scores: str) -> dict[str, dict[str, float]]:
    """Respondent → a digit per item; a space where it was not attempted."""
    return {
        person: {f"i{n}": float(score) for n, score in enumerate(answers) if score != " "}
        for person, answers in scores.items()
    }


def test_difficulty_and_discrimination() -> None:
    """The score on the item itself is not in the score that it is correlated with.

    i1: scores 1, 1, 0 against 2/2, 1/2 and 0/2 on the others: r = 3 / (2·√3) = √3/2.
    """
    i0, i1, i2 = items(responses(a="111", b="110", c="000"))
    assert (i0.difficulty, i1.difficulty, i2.difficulty) == approx((2 / 3, 2 / 3, 1 / 3))
    assert i1.discrimination.value == approx(3**0.5 / 2)
    assert i1.variance == approx(2 / 9)
    assert i1.anomalous is False


def test_undefined() -> None:
    """An item that all solve tells nothing, and two respondents are too few."""
    solved, *_ = items(responses(a="11", b="10", c="10"))
    assert solved.discrimination.reason == "no_variation"
    item, *_ = items(responses(a="11", b="00", c=" 1"))
    assert (item.n, item.discrimination.reason) == (2, "too_few_respondents")


def test_anomalous() -> None:
    """The weaker half solves what the stronger half does not."""
    analysed_items = items(responses(a="0111", b="0111", c="1000", d="1000"))
    assert [item.anomalous for item in analysed_items] == [True, False, False, False]


def test_split() -> None:
    """A fifth for the hardest, then the best of each bin of difficulty in turn."""
    scores = responses(
        a="0000011111", b="0000011111", c="0000001111", d="0000100011", e="0000100001"
    )
    split = difficulty_split(items(scores), 5, scores)
    # i0–i3 nobody solves: one sentinel. Then the bins of 0.4, 0.6, 0.8 and 1 from the lowest on.
    assert split.parts == {
        "i0": "sentinel",
        "i5": "discriminating",
        "i6": "discriminating",
        "i8": "discriminating",
        "i9": "discriminating",
    }
    assert split.correlation.counts == {"respondents": 5, "items": 5}
    assert split.correlation.value == approx(spearman([4, 4, 3, 2, 1], [5, 5, 4, 3, 2]))


@pytest.mark.parametrize(
    ("xs", "ys", "r", "rho"),
    [
        ([1, 2, 3, 4], [1, 4, 9, 16], 0.984374, 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0, -1.0),
        ([1, 1, 2], [1, 2, 2], 0.5, 0.5),
        ([1, 1, 1], [1, 2, 3], None, None),
        ([1, 2], [1, 2], None, None),
    ],
)
def test_correlations(xs: list[float], ys: list[float], r: float | None, rho: float | None) -> None:
    """Product-moment and of ranks, ties at their mean rank; undefined without spread."""
    assert pearson(xs, ys) == (None if r is None else approx(r, abs=1e-6))
    assert spearman(xs, ys) == (None if rho is None else approx(rho))


def test_a_pair_twice_is_a_pair_of_double_weight() -> None:
    """Weighted correlations of values and of ranks, against plain ones of repeated pairs."""
    xs, ys = [1.0, 2.0, 4.0, 4.0], [3.0, 1.0, 2.0, 9.0]
    for correlation in (pearson, spearman):
        weighted = correlation(xs, ys, [1, 2, 1, 1])
        assert weighted == pytest.approx(correlation([*xs, 2.0], [*ys, 1.0]))
