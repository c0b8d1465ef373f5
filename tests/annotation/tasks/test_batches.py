"""Batches, orders and assignments are repeatable and even; nobody gets a task twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.tasks.batches import (
    CODE_NAMES,
    code_name,
    distribute,
    free_code_names,
    order_for,
    order_seed,
    split_into_batches,
)
from tests.support.function_process import output_of, print_line
from tests.support.randomness import examples

KEYS = st.lists(st.text(max_size=8), unique=True, max_size=40)
BATCHES = st.integers(0, 12).map(lambda n: [f"b{i}" for i in range(n)])
PEOPLE = st.integers(0, 7).map(lambda n: [f"p{i}" for i in range(n)])


def _loads(pairs: list[tuple[str, str]], people: list[str]) -> list[int]:
    counts = Counter(person for _, person in pairs)
    return [counts[person] for person in people]


def test_there_are_88_constellations_in_the_stated_order() -> None:
    """The table of code names is complete, without repetition, and starts as published."""
    assert len(CODE_NAMES) == len(set(CODE_NAMES)) == 88
    assert CODE_NAMES[:3] == ("Aquarius", "Orion", "Phoenix")


def test_names_go_on_after_the_last_constellation() -> None:
    """Batch 89 has a name of its own, and no two of the first 300 are alike."""
    assert code_name(87) == CODE_NAMES[-1]
    assert code_name(88) == "Aquarius 2"
    assert code_name(2 * 88 + 1) == "Orion 3"
    assert len({code_name(n) for n in range(300)}) == 300


def test_taken_names_are_passed_over() -> None:
    """New batches of a campaign never reuse a name, wherever the gap is."""
    assert list(islice(free_code_names(["Aquarius", "Phoenix"]), 2)) == ["Orion", "Lyra"]


@given(KEYS, st.integers(1, 50))
def test_batches_cover_all_tasks_in_order(keys: list[str], size: int) -> None:
    """Splitting loses, repeats and reorders nothing; only the last batch is smaller."""
    batches = split_into_batches(keys, size)
    assert [key for batch in batches for key in batch] == keys
    assert all(len(batch) == size for batch in batches[:-1])
    assert all(batches)


def test_a_batch_without_room_is_an_error() -> None:
    """Size 0 does not loop or give empty batches."""
    with pytest.raises(ValueError, match="at least one"):
        split_into_batches(["a"], 0)


@given(KEYS, st.integers(0, 2**31), st.randoms())
def test_the_order_is_a_permutation_that_depends_on_the_seed_only(
    keys: list[str], seed: int, random: object
) -> None:
    """No task is lost, and the order in which keys come from the database does not matter."""
    shuffled = list(keys)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert sorted(order_for(keys, seed)) == sorted(keys)
    assert order_for(shuffled, seed) == order_for(keys, seed)


def test_people_get_different_orders() -> None:
    """Twenty people with one batch of 25 do not share an order, nor the file's."""
    keys = [f"q{i}" for i in range(25)]
    orders = {
        tuple(order_for(keys, order_seed(7, "Aquarius", f"annotator {i}"))) for i in range(20)
    }
    assert len(orders) == 20
    assert tuple(keys) not in orders


def test_every_place_is_equally_likely() -> None:
    """Over 4,000 seeds, the first of five tasks lands on each place about 800 times."""
    keys = ["a", "b", "c", "d", "e"]
    position_counts = Counter(order_for(keys, seed).index("a") for seed in range(4_000))
    assert all(abs(position_counts[position] - 800) < 120 for position in range(5))


def print_orders() -> None:
    """An order and an assignment."""
    print_line(
        order_for(["a", "b", "c", "d"], order_seed(7, "Orion", "Ada")),
        distribute(["x", "y", "z"], ["p", "q", "r"], 2, [("x", "q")], seed=3).pairs,
    )


def test_orders_do_not_depend_on_hash_randomisation() -> None:
    """Another process with another PYTHONHASHSEED gives the same order, seed and assignment."""
    outputs = {
        output_of(print_orders, environment={"PYTHONHASHSEED": seed}) for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith("['")


def test_order_is_pinned() -> None:
    """A change of the algorithm would reorder running campaigns: this is the order of today."""
    assert order_seed(7, "Aquarius", "Ada") == 1_037_011_771
    assert order_for(["q1", "q2", "q3", "q4"], 1) == ["q3", "q2", "q1", "q4"]


@given(BATCHES, PEOPLE, st.integers(1, 9), st.integers(0, 1_000))
def test_without_history_overlap_is_met_and_loads_differ_by_one(
    batches: list[str], people: list[str], overlap: int, seed: int
) -> None:
    """Each batch gets ``overlap`` different people, or everybody and a stated shortfall."""
    result = distribute(batches, people, overlap, seed=seed)
    assert len(set(result.pairs)) == len(result.pairs)
    batch_counts = Counter(batch for batch, _ in result.pairs)
    for batch in batches:
        assert batch_counts[batch] == min(overlap, len(people))
        assert result.shortfall.get(batch, 0) == max(0, overlap - len(people))
    loads = _loads(result.pairs, people)
    assert not loads or max(loads) - min(loads) <= 1


@st.composite
def _histories(
    draw: st.DrawFn,
) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    batches, people = draw(BATCHES), draw(PEOPLE)
    all_people = [*people, "left"]
    pairs = [(batch, person) for batch in batches for person in all_people]
    existing = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return batches, people, existing


@given(_histories(), st.integers(1, 5), st.integers(0, 100))
@examples(200)
def test_history_counts_and_nobody_gets_a_batch_twice(
    history: tuple[list[str], list[str], list[tuple[str, str]]], overlap: int, seed: int
) -> None:
    """Existing pairs stay, count towards overlap, and are never made again."""
    batches, people, existing = history
    result = distribute(batches, people, overlap, existing, seed=seed)
    assert not set(result.pairs) & set(existing)
    assert {person for _, person in result.pairs} <= set(people)
    before = Counter(batch for batch, _ in existing)
    after = before + Counter(batch for batch, _ in result.pairs)
    for batch in batches:
        free = len([p for p in people if (batch, p) not in existing])
        assert after[batch] == before[batch] + min(max(0, overlap - before[batch]), free)
        assert result.shortfall.get(batch, 0) == max(0, overlap - after[batch])


@given(_histories(), st.integers(1, 4))
@examples(200)
def test_no_exchange_could_make_the_loads_more_even(
    history: tuple[list[str], list[str], list[tuple[str, str]]], overlap: int
) -> None:
    """No new batch could move to a person with at least two batches fewer."""
    batches, people, existing = history
    result = distribute(batches, people, overlap, existing, seed=1)
    all_pairs = set(existing) | set(result.pairs)
    loads = Counter(person for _, person in all_pairs)
    for batch, person in result.pairs:
        for other in people:
            if (batch, other) not in all_pairs:
                assert loads[person] - loads[other] <= 1


@given(_histories(), st.integers(1, 4), st.data())
def test_barred_pairs_never_come_about_and_count_for_nothing(
    history: tuple[list[str], list[str], list[tuple[str, str]]], overlap: int, data: st.DataObject
) -> None:
    """Whoever had a batch withdrawn gets it from nobody; its place is for everybody else."""
    batches, people, existing = history
    free = [(b, p) for b in batches for p in people if (b, p) not in existing]
    barred = data.draw(st.lists(st.sampled_from(free), unique=True)) if free else []
    result = distribute(batches, people, overlap, existing, barred=barred, seed=3)
    assert not set(result.pairs) & {*barred, *existing}
    batch_counts = Counter(batch for batch, _ in [*existing, *result.pairs])
    before = Counter(batch for batch, _ in existing)
    for batch in batches:
        able = [p for p in people if (batch, p) not in {*barred, *existing}]
        assert batch_counts[batch] == before[batch] + min(
            max(0, overlap - before[batch]), len(able)
        )
        assert result.shortfall.get(batch, 0) == max(0, overlap - batch_counts[batch])


def _least_sum_of_squares(
    batches: list[str], people: list[str], overlap: int, existing: list[tuple[str, str]]
) -> int:
    """By trying every way to fill the batches."""
    free = [[p for p in people if (batch, p) not in existing] for batch in batches]
    batch_counts = Counter(batch for batch, _ in existing)
    ways = [
        combinations(choice, min(len(choice), max(0, overlap - batch_counts[batch])))
        for batch, choice in zip(batches, free, strict=True)
    ]
    base = Counter(person for _, person in existing)
    return min(
        sum((base[p] + sum(p in group for group in groups)) ** 2 for p in people)
        for groups in product(*map(list, ways))
    )


@given(
    _histories().filter(lambda history: len(history[0]) <= 4 and len(history[1]) <= 4),
    st.integers(1, 3),
)
def test_loads_are_as_even_as_any_assignment_could_make_them(
    history: tuple[list[str], list[str], list[tuple[str, str]]], overlap: int
) -> None:
    """The sum of squared loads equals the least one found by trying everything."""
    batches, people, existing = history
    result = distribute(batches, people, overlap, existing, seed=2)
    loads = _loads([*existing, *result.pairs], people)
    assert sum(load**2 for load in loads) == _least_sum_of_squares(
        batches, people, overlap, existing
    )


def test_nobody_gets_more_tasks_than_they_have_room_for() -> None:
    """Batches of three tasks, room for 7, 3 and none: two, one and none; the rest is missing."""
    batches, room = ["b1", "b2", "b3", "b4"], {"p": 7, "q": 3, "r": 0}
    sizes = dict.fromkeys(batches, 3)
    result = distribute(batches, list(room), 1, sizes=sizes, capacity=room)
    assert sorted(person for _, person in result.pairs) == ["p", "p", "q"]
    assert sum(result.shortfall.values()) == 1


def test_running_again_changes_nothing() -> None:
    """With the result as history there is nothing left to give out."""
    batches, people = [f"b{i}" for i in range(9)], ["p", "q", "r", "s"]
    first = distribute(batches, people, 3, seed=5)
    assert distribute(batches, people, 3, first.pairs, seed=5).pairs == []


def test_the_seed_decides_who_works_with_whom() -> None:
    """Different seeds pair people differently; the same seed pairs them the same way."""
    batches, people = [f"b{i}" for i in range(12)], [f"p{i}" for i in range(6)]
    results = [tuple(distribute(batches, people, 2, seed=seed).pairs) for seed in range(5)]
    assert len(set(results)) == 5
    assert results[3] == tuple(distribute(batches, people, 2, seed=3).pairs)
