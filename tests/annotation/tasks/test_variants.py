"""Variants of one question are planned into batches of different people, or into one batch."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.tasks.batches import distribute
from pagetrail.annotation.tasks.variants import (
    batches_apart,
    batches_together,
    family_of,
    side_by_side,
)

TASKS = st.lists(st.integers(0, 12), min_size=1, max_size=60).map(
    lambda families: [(family, number) for number, family in enumerate(families)]
)


def family(task: tuple[int, int]) -> str:
    """The family of a generated task."""
    return str(task[0])


@given(TASKS, st.integers(1, 10))
def test_no_batch_has_two_of_a_family(tasks: list[tuple[int, int]], size: int) -> None:
    """Every task is in one batch, none is too large, and no two variants meet."""
    batches = batches_apart(tasks, size, family)
    assert sorted(task for batch in batches for task in batch) == sorted(tasks)
    for batch in batches:
        assert 0 < len(batch) <= size
        assert max(Counter(map(family, batch)).values()) == 1


@given(TASKS, st.integers(1, 10))
def test_together_they_follow_each_other(tasks: list[tuple[int, int]], size: int) -> None:
    """A family that fits into a batch is in one, without others in between."""
    batches = batches_together(tasks, size, family)
    assert sorted(task for batch in batches for task in batch) == sorted(tasks)
    assert all(0 < len(batch) <= size for batch in batches)
    sizes = Counter(map(family, tasks))
    for batch in batches:
        order = [family(task) for task in batch]
        assert order == side_by_side(order, str)
        assert all(order.count(name) == sizes[name] or sizes[name] > size for name in order)


def test_kinds_rotate_and_batches_clash_with_few_others() -> None:
    """Four questions in three languages, two tasks per batch: each batch has several languages."""
    tasks = [f"q{number}-{language}" for number in range(4) for language in ("en", "fr", "de")]
    batches = batches_apart(tasks, 2, lambda task: task[:2])
    assert batches == [
        ["q0-en", "q1-de"],
        ["q0-fr", "q1-en"],
        ["q0-de", "q1-fr"],
        ["q2-en", "q3-de"],
        ["q2-fr", "q3-en"],
        ["q2-de", "q3-fr"],
    ]
    names = list("abcdef")
    apart = {
        name: frozenset(
            other
            for other, tasks_there in zip(names, batches, strict=True)
            if other != name and {t[:2] for t in tasks_there} & {t[:2] for t in batch}
        )
        for name, batch in zip(names, batches, strict=True)
    }
    result = distribute(names, ["Ada", "Bo", "Cy"], 1, kept_apart=apart)
    assert not result.shortfall
    held = [{batch for batch, person in result.pairs if person == name} for name in ("Ada", "Bo")]
    assert all(len(batches_held) == 2 for batches_held in held)
    assert distribute(names, ["Ada", "Bo"], 1, kept_apart=apart).shortfall, "two people are too few"


@given(
    st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=2, max_size=4), max_size=5),
    st.integers(1, 3),
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("WXYZ")), max_size=4),
    st.integers(0, 9),
)
def test_nobody_gets_batches_that_are_kept_apart(
    groups: list[set[str]], overlap: int, existing: list[tuple[str, str]], seed: int
) -> None:
    """Also where loads are balanced by passing batches on, and where people have some already."""
    batches = list("abcdefgh")
    apart = {
        batch: frozenset().union(*(group - {batch} for group in groups if batch in group))
        for batch in batches
    }
    result = distribute(batches, list("WXYZ"), overlap, existing, kept_apart=apart, seed=seed)
    for batch, person in result.pairs:
        others = {b for b, name in [*existing, *result.pairs] if name == person and b != batch}
        assert not others & apart[batch]


def test_an_original_is_its_own_family() -> None:
    """Records without an original, or with something else in its place."""
    assert family_of("q1", {}) == "q1"
    assert family_of("q1-fr", {"variant_of": "q1"}) == "q1"
    assert family_of("q1", {"variant_of": None}) == "q1"
    with pytest.raises(ValueError, match="at least one task"):
        batches_apart(["a"], 0, str)
    with pytest.raises(ValueError, match="at least one task"):
        batches_together(["a"], 0, str)
