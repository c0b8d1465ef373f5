"""Systems side by side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.system_comparison import Pair, compare_two
from pagetrail.annotation.statistics.student_t import two_sided_t
from tests.annotation.metrics.made_rows import make_row


def two(both_right: int, only_a: int, only_b: int, neither: int) -> list[Row]:
    """Rows of systems A and B over as many shared tasks."""
    right = [(True, True)] * both_right + [(True, False)] * only_a
    right += [(False, True)] * only_b + [(False, False)] * neither
    return [
        make_row(f"q{n:02}", correct, system=system)
        for n, pair in enumerate(right)
        for system, correct in zip("AB", pair, strict=True)
    ]


def single_rows(rows: list[Row]) -> Pair:
    """Systems A and B compared."""
    a, b = ([row for row in rows if row.system == name] for name in "AB")
    return compare_two("A", a, "B", b)


def test_kappa_by_hand() -> None:
    """5 both, 2 and 1 alone, 4 neither of 12: observed 9/12, expected (7·6 + 5·6)/144 = 1/2, so
    kappa = 0.25 / 0.5.
    """
    pair = single_rows(two(5, 2, 1, 4))
    assert (pair.a, pair.b) == ("A", "B")
    assert pair.kappa.value == pytest.approx(0.5, abs=1e-12)
    assert (pair.kappa.observed, pair.kappa.expected) == (pytest.approx(0.75), pytest.approx(0.5))
    assert pair.kappa.counts == {"shared": 12}
    assert vars(pair.solved) == {"both": 5, "only_a": 2, "only_b": 1, "neither": 4}
    assert pair.kappa.interval is not None and pair.kappa.interval[0] < 0.5


def test_who_solved_what() -> None:
    """Each task is in the cell that it belongs to."""
    pair = single_rows(two(1, 1, 1, 2))
    assert vars(pair.solved) == {"both": 1, "only_a": 1, "only_b": 1, "neither": 2}
    assert pair.tasks == ("q00", "q01", "q02", "q03", "q04")


def test_where_each_failed_when_they_differ() -> None:
    """A missed the document of q2 that B solved; B read q1 wrongly; q3 both solved is not there."""
    pair = single_rows(
        [
            make_row("q1", True, system="A"),
            make_row("q1", False, system="B"),
            make_row("q2", False, system="A", page=0.0, doc=0.0),
            make_row("q2", True, system="B"),
            make_row("q3", True, system="A"),
            make_row("q3", True, system="B"),
        ]
    )
    a, b = pair.stages_a, pair.stages_b
    assert sum(stage.attempts for stage in a.values()) == 2
    assert (a["retrieval"].weight, a["correct"].weight) == (1, 1)
    assert (b["comprehension"].weight, b["correct"].weight) == (1, 1)


def test_tasks_that_cannot_be_compared_are_counted() -> None:
    """One that only A attempted, two that only B did, one that nobody could decide for B."""
    pair = single_rows(
        [
            *two(1, 0, 0, 1),
            make_row("x1", system="A"),
            make_row("x2", system="B"),
            make_row("x3", system="B"),
            make_row("x4", system="A"),
            make_row("x4", None, system="B"),
        ]
    )
    assert pair.kappa.counts["shared"] == 2
    assert pair.left_out == {"only_a_attempted": 1, "only_b_attempted": 2, "undecided": 1}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([make_row("q1", system="A"), make_row("q2", system="B")], "no_shared_task"),
        (two(3, 0, 0, 0), "no_variation"),
        (two(0, 0, 0, 3), "no_variation"),
    ],
)
def test_kappa_may_be_undefined(rows: list[Row], reason: str) -> None:
    """Nothing shared, or nothing on which the two could differ by chance."""
    kappa = single_rows(rows).kappa
    assert (kappa.value, kappa.se, kappa.interval) == (None, None, None)
    assert kappa.reason == reason


def test_several_people_at_a_task_by_hand() -> None:
    """Two people at q1, one of them right, and the system is right; at q2 both are right and the
    system is not; at q3 one person is right, and the system too. Shares of people 1/2, 1, 1 and of
    the system 1, 0, 1.

    Both right: 1/2 + 0 + 1; only people: 1; only the system: 1/2; neither: 0. Observed 1.5/3;
    expected with margins 5/6 and 2/3: 10/18 + 1/18 = 11/18; kappa (9/18 − 11/18) / (7/18) = −2/7.
    """
    people = [
        make_row("q1", True, system="Ada"),
        make_row("q1", False, system="Bo"),
        make_row("q2", True, system="Ada"),
        make_row("q2", True, system="Bo"),
        make_row("q3", True, system="Ada"),
    ]
    system = [make_row(f"q{n}", n != 2, system="gpt", person=False) for n in (1, 2, 3)]
    pair = compare_two("people", people, "gpt", system)
    solved = pair.solved
    assert (solved.both, solved.only_a, solved.only_b, solved.neither) == (1.5, 1, 0.5, 0)
    assert pair.kappa.observed == pytest.approx(1 / 2)
    assert pair.kappa.expected == pytest.approx(11 / 18)
    assert pair.kappa.value == pytest.approx(-2 / 7)
    # Who was first changes nothing.
    assert compare_two("people", people[::-1], "gpt", system).kappa == pair.kappa


def test_stages_on_disagreements_have_the_weights_of_pairs() -> None:
    """The system is right at q1; of two people one is right and one misses the document: half a
    task differs, all of it in retrieval. At q2 the system is wrong and both people are right.
    """
    people = [
        make_row("q1", True, system="Ada"),
        make_row("q1", False, system="Bo", page=0.0, doc=0.0),
        make_row("q2", True, system="Ada"),
        make_row("q2", True, system="Bo"),
    ]
    system = [
        make_row("q1", True, system="gpt", person=False),
        make_row("q2", False, system="gpt", person=False),
    ]
    pair = compare_two("people", people, "gpt", system)
    a, b = pair.stages_a, pair.stages_b
    assert (a["retrieval"].weight, a["correct"].weight) == (0.5, 1)
    assert (a["retrieval"].attempts, a["correct"].attempts) == (1, 2)
    assert (b["comprehension"].weight, b["correct"].weight) == (1, 0.5)
    assert a["retrieval"].share == pytest.approx(1 / 3)


CELLS = st.integers(0, 12)


@given(CELLS, CELLS, CELLS, CELLS)
def test_kappa_of_a_2_by_2(both_right: int, only_a: int, only_b: int, neither: int) -> None:
    """2(ad − bc) / ((a + b)(b + d) + (a + c)(c + d)), and the same with the two changed over."""
    rows = two(both_right, only_a, only_b, neither)
    if not rows:
        return
    denominator = (both_right + only_a) * (only_a + neither) + (both_right + only_b) * (
        only_b + neither
    )
    kappa, turned = (
        single_rows(rows).kappa.value,
        single_rows(two(both_right, only_b, only_a, neither)).kappa.value,
    )
    if denominator == 0:
        assert kappa is None
        return
    assert kappa == pytest.approx(
        2 * (both_right * neither - only_a * only_b) / denominator, abs=1e-12
    )
    assert turned == pytest.approx(kappa, abs=1e-12)
    # Standard error and interval are those of Fleiss, Cohen & Everitt 1969.
    ratings = [
        [bool(by["A"]), bool(by["B"])]
        for by in (
            {row.system: row.correct for row in rows if row.task == task}
            for task in sorted({row.task for row in rows})
        )
    ]
    if len(ratings) > 1:
        usual = coefficients(ratings, categories=[False, True])["cohen_kappa"]
        assert single_rows(rows).kappa.se == pytest.approx(usual.se, abs=1e-9)
        assert usual.value is not None and usual.se is not None
        reach = two_sided_t(0.95, len(ratings) - 1) * usual.se
        ends = (usual.value - reach, min(1, usual.value + reach))
        assert single_rows(rows).kappa.interval == pytest.approx(ends, abs=1e-9)
