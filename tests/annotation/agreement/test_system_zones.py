"""A system's boxes on a page against each annotator's."""

from __future__ import annotations

import pytest

from pagetrail.annotation.agreement import SystemZone, best_annotator, system_zone

PAGE = (100, 100)
LEFT, RIGHT, BOTH = [(0, 0, 50, 100)], [(50, 0, 100, 100)], [(0, 0, 100, 100)]


def test_each_annotator_by_itself_and_the_best_match() -> None:
    """The left half is exactly Ada's, half of Bob's, and nothing of Cyd's, who drew none."""
    zone = system_zone(LEFT, {"ada": LEFT, "bob": BOTH, "cyd": []}, PAGE)
    assert zone.dice == pytest.approx((1, 2 / 3, 0))
    assert zone.iou == pytest.approx((1, 1 / 2, 0))
    assert (zone.best_dice, zone.best_iou) == (1, 1)
    assert zone.mean_dice == pytest.approx(5 / 9)
    assert zone.marked == "both"
    assert zone.people_dice == pytest.approx((2 / 3 + 0 + 0) / 3)


@pytest.mark.parametrize(
    ("system", "people", "marked", "best"),
    [
        (LEFT, {"ada": []}, "system_only", 0),
        ([], {"ada": LEFT, "bob": []}, "people_only", 0),
        ([], {"ada": [], "bob": []}, "neither", None),
        (LEFT, {"ada": RIGHT}, "both", 0),
    ],
)
def test_who_marked_the_page(
    system: list[tuple[int, ...]],
    people: dict[str, list[tuple[int, ...]]],
    marked: str,
    best: float | None,
) -> None:
    """People did if any of them did; where nobody drew anything there is no F1."""
    zone = system_zone(system, people, PAGE)
    assert (zone.marked, zone.best_dice) == (marked, best)


def test_one_annotator_for_all_pages() -> None:
    """Ada matches on one page, Bob a little on both."""

    def zone(*dice: float | None) -> SystemZone:
        return SystemZone("both", dice, dice, None)

    assert best_annotator([zone(1.0, 0.7), zone(0.0, 0.6)]) == pytest.approx(0.65)
    assert best_annotator([zone(None, 0.2), zone(0.8, 0.2)]) == pytest.approx(0.8)
    assert best_annotator([zone(None, None)]) is None
    assert best_annotator([]) is None


def test_pixels() -> None:
    """Areas are those of the resolution, as for people."""
    zone = system_zone([(0, 0, 10.4, 10)], {"ada": [(0, 0, 20.5, 10)]}, PAGE, dpi=72)
    assert zone.best_iou == 10 / 21
