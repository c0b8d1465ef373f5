"""The section on boxes of systems, by domain, next to people's own agreement."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.reports.model import Cell, Report
from tests.exports.reports.agreement.people import (
    GOOD,
    POOR,
    People,
    cell_values,
    drew,
    graded,
    table,
)

RELEVANCE = preset("relevance")
SHARES = ("both", "neither", "system_only", "people_only")


def _row(report: Report, key: str, system: str, group: str) -> Mapping[str, Cell]:
    (row,) = [
        row.cells
        for row in table(report, key).rows
        if (row.cells["side"].value, row.cells["group"].value) == (system, group)
    ]
    return row


def _people() -> People:
    """Two people and a system at two tasks of different domains, with three pages each.

    Page 1: Ada and the system mark the same, Bob twice as much. Page 2: Ada alone. Page 3: the
    system alone in the first task, nobody in the second.
    """
    people = People(RELEVANCE)
    for key, domain in (("q1", "Energy"), ("q2", "Water")):
        people.task(key, pages=(1, 2, 3), domain=domain)
        people.did(
            key,
            "ada",
            GOOD,
            graded(1, 2),
            graded(2, 1),
            graded(3, 0),
            drew(1, 0, 0, 50, 100),
            drew(2, 0, 0, 10, 10, box="b-2"),
            outcome="answered",
        )
        people.did(
            key,
            "bob",
            GOOD,
            graded(1, 2),
            graded(2, 0),
            graded(3, 0),
            drew(1, 0, 0, 100, 100),
            outcome="answered",
        )
    only = [drew(3, 5, 5, 60, 60, box="b-3")]
    people.did("q1", "vlm", drew(1, 0, 0, 50, 100), *only, role="system")
    people.did("q2", "vlm", drew(1, 0, 0, 50, 100), role="system")
    return people


@pytest.fixture(scope="module")
def report() -> Report:
    """Its report."""
    return _people().report()


def test_the_best_match_counts(report: Report) -> None:
    """F1 is 1 on page 1 and 0 on pages that one of the two did not mark."""
    energy = _row(report, "system-boxes", "vlm", "Energy")
    water = _row(report, "system-boxes", "vlm", "Water")
    pooled = _row(report, "system-boxes", "vlm", "Pooled")
    assert cell_values(energy, "pages", "marked", "dice") == [3, 3, pytest.approx(1 / 3)]
    assert cell_values(water, "pages", "marked", "dice") == [3, 2, pytest.approx(1 / 2)]
    assert pooled["dice"].value == pytest.approx(2 / 5)
    assert _row(report, "system-boxes", "vlm", "Macro")["dice"].value == pytest.approx(5 / 12)
    # Page 1 against Bob: 2/3; page 2 only Ada, page 3 both annotators 0.
    assert energy["dice_mean"].value == pytest.approx((5 / 6 + 0 + 0) / 3)
    assert water["dice_annotator"].value == pytest.approx(2 / 3)


def test_people_are_beside_it(report: Report) -> None:
    """Their own F1 on the same pages: 2/3 on page 1, 0 on page 2."""
    pooled = _row(report, "system-boxes", "vlm", "Pooled")
    (boxes,) = [
        row.cells for row in table(report, "boxes").rows if row.cells["group"].value == "Pooled"
    ]
    assert pooled["people_dice"].value == pytest.approx(1 / 3)
    assert pooled["people_dice"].value == boxes["dice"].value


def test_pages_by_who_marked_them(report: Report) -> None:
    """Table 4: of six pages two by both, two by people, one by the system, one by nobody."""
    pooled = _row(report, "system-box-pages", "vlm", "Pooled")
    assert cell_values(pooled, *SHARES) == pytest.approx([2 / 6, 1 / 6, 1 / 6, 2 / 6])
    assert cell_values(pooled, *(f"{name}_pages" for name in SHARES)) == [2, 1, 1, 2]


def test_one_annotator_is_enough() -> None:
    """People's own agreement is then undefined; who ended a task has no zones."""
    people = People(RELEVANCE)
    people.task("q1", pages=(1,))
    people.did("q1", "ada", GOOD, graded(1, 2), drew(1, 0, 0, 50, 100), outcome="answered")
    people.did("q1", "bob", POOR)
    people.did("q1", "vlm", drew(1, 0, 0, 50, 100), role="system")
    pooled = _row(people.report(), "system-boxes", "vlm", "Pooled")
    assert pooled["dice"].value == 1
    assert pooled["people_dice"] == Cell(reason="no_defined_pair")


def test_no_section_without_boxes_of_a_system() -> None:
    """Nor of a withdrawn run, a task that nobody else submitted, or a deleted box."""
    people = _people()
    people.withdrawn.add("vlm")
    people.did("q1", "blind", role="system")
    people.task("q3", pages=(1,))
    people.did("q3", "alone", drew(1, 0, 0, 50, 100), role="system")
    deleted = ev.BoxDeleted(box="b-1")
    people.did("q2", "shy", drew(1, 0, 0, 50, 100), deleted, role="system")
    titles = [section.title for section in people.report().sections]
    assert titles and "Boxes of systems" not in titles
