"""F1 and Jaccard of sets and multisets, by hand."""

from __future__ import annotations

from pagetrail.annotation.statistics.set_overlap import Overlap, overlap


def test_sets() -> None:
    """Two of four in common."""
    set_overlap = overlap(set("abc"), set("bcd"))
    assert set_overlap == Overlap(2, 3, 3)
    assert (set_overlap.f1, set_overlap.jaccard) == (2 / 3, 0.5)


def test_multisets_count_members_as_often_as_they_come() -> None:
    """aab and abb share a and b once each: 2 of 3, and 2 of 4."""
    set_overlap = overlap("aab", "abb")
    assert (set_overlap.f1, set_overlap.jaccard) == (2 / 3, 0.5)


def test_nothing_in_common_and_nothing_at_all() -> None:
    """0 where one is empty; undefined where both are."""
    assert (overlap("", "a").f1, overlap(set(), {1}).jaccard) == (0, 0)
    assert (overlap("", "").f1, overlap(set(), set()).jaccard) == (None, None)
