"""Rebalancing against brute force: as even as can be, and no batch moved without need."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.tasks.rebalancing import Move, Pair, Rebalancing, rebalance

PEOPLE = ("ada", "bob", "cy", "dee")
BATCHES = ("Orion", "Lyra", "Vela", "Crux")
Case = tuple[list[Pair], list[Pair], list[Pair], list[str]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Pairs of a small campaign: each movable, fixed, barred or nothing; and who may receive."""
    kinds = st.sampled_from(("", "", "movable", "movable", "fixed", "barred"))
    pairs_by_kind: dict[str, list[Pair]] = {"": [], "movable": [], "fixed": [], "barred": []}
    for pair in product(BATCHES[: draw(st.integers(1, 4))], PEOPLE[: draw(st.integers(1, 4))]):
        pairs_by_kind[draw(kinds)].append(pair)
    receivers = draw(st.lists(st.sampled_from(PEOPLE), unique=True))
    return pairs_by_kind["movable"], pairs_by_kind["fixed"], pairs_by_kind["barred"], receivers


def brute_force(case: Case) -> tuple[int, int]:
    """The least sum of squared loads, and the fewest moves that reach it."""
    movable, fixed, barred, receivers = case
    closed = {*fixed, *barred}
    batches = sorted({batch for batch, _ in movable})
    choices = []
    for batch in batches:
        holders = {person for other, person in movable if other == batch}
        able = {
            person
            for person in PEOPLE
            if person in holders or (person in receivers and (batch, person) not in closed)
        }
        choices.append(
            [(holders, set(takers)) for takers in combinations(sorted(able), len(holders))]
        )
    results = []
    for assignment in product(*choices):
        load = {person: sum(p == person for _, p in fixed) for person in PEOPLE}
        for _, takers in assignment:
            for person in takers:
                load[person] += 1
        moves = sum(len(takers - holders) for holders, takers in assignment)
        results.append((sum(n * n for n in load.values()), moves))
    return min(results)


def carried_out(case: Case, result: Rebalancing) -> list[Pair]:
    """The movable pairs afterwards; a move of what is not there, or onto a holder, fails."""
    pairs = set(case[0])
    for move in result.moves:
        pairs.remove((move.batch, move.giver))
    for move in result.moves:
        assert (move.batch, move.taker) not in pairs
        pairs.add((move.batch, move.taker))
    return sorted(pairs)


@given(cases())
def test_it_is_as_even_as_can_be_with_as_few_moves_as_possible(case: Case) -> None:
    """Evenness first, then the number of moves: both equal those of trying everything."""
    movable, fixed, barred, receivers = case
    result = rebalance(PEOPLE, movable, fixed, barred, receivers=receivers)
    assert (sum(n * n for n in result.after.values()), len(result.moves)) == brute_force(case)


@given(cases())
def test_the_rules_hold(case: Case) -> None:
    """Nobody gets a batch twice or one they are barred from; each keeps its number of people."""
    movable, fixed, barred, receivers = case
    result = rebalance(PEOPLE, movable, fixed, barred, receivers=receivers)
    pairs = carried_out(case, result)
    assert not set(pairs) & {*fixed, *barred}
    assert sorted(batch for batch, _ in pairs) == sorted(batch for batch, _ in movable)
    assert all(move.taker in receivers for move in result.moves)
    all_pairs = [*pairs, *fixed]
    assert result.after == {p: sum(person == p for _, person in all_pairs) for p in PEOPLE}


@given(cases(), st.randoms())
def test_the_order_of_what_comes_in_does_not_matter(case: Case, random: Random) -> None:
    """A database may return its rows in any order."""
    movable, fixed, barred, receivers = case
    plan = rebalance(PEOPLE, movable, fixed, barred, receivers=receivers)
    mixed = [sorted(pairs, key=lambda _: random.random()) for pairs in (movable, fixed, barred)]
    reordered_plan = rebalance(PEOPLE[::-1], *mixed, receivers=receivers[::-1])
    assert plan == reordered_plan


@given(cases())
def test_what_is_balanced_stays(case: Case) -> None:
    """Rebalancing again moves nothing."""
    movable, fixed, barred, receivers = case
    pairs = carried_out(case, rebalance(PEOPLE, movable, fixed, barred, receivers=receivers))
    assert rebalance(PEOPLE, pairs, fixed, barred, receivers=receivers).moves == ()


def test_a_newcomer_takes_half() -> None:
    """Four batches of one person: two move, the first two by name."""
    result = rebalance(("ada", "bob"), [(batch, "ada") for batch in BATCHES])
    assert result.moves == (Move("Crux", "ada", "bob"), Move("Lyra", "ada", "bob"))
    assert (result.before, result.after) == ({"ada": 4, "bob": 0}, {"ada": 2, "bob": 2})


def test_a_batch_goes_by_way_of_a_third_person() -> None:
    """Ada's only batch is barred to Cy, so Bob takes it and gives one of his to Cy."""
    result = rebalance(
        ("ada", "bob", "cy"),
        [("Orion", "ada"), ("Lyra", "bob")],
        fixed=[("Vela", "ada")],
        barred=[("Orion", "cy")],
    )
    assert result.after == {"ada": 1, "bob": 1, "cy": 1}
    assert result.moves == (Move("Lyra", "bob", "cy"), Move("Orion", "ada", "bob"))


def test_it_holds_for_a_large_campaign() -> None:
    """A hundred people, of whom half have everything: all end with the same load."""
    people = [f"p{n:03}" for n in range(100)]
    movable = [(f"b{n:03}", people[(n + shift) % 50]) for n in range(400) for shift in range(2)]
    result = rebalance(people, movable)
    assert set(result.after.values()) == {8}
    assert len(result.moves) == 400


def test_strangers_and_fixed_pairs_cannot_be_moved() -> None:
    """What contradicts itself is refused with the pair."""
    with pytest.raises(ValueError, match="Orion of zoe cannot be moved"):
        rebalance(PEOPLE, [("Orion", "zoe")])
    with pytest.raises(ValueError, match="Orion of ada cannot be moved"):
        rebalance(PEOPLE, [("Orion", "ada")], fixed=[("Orion", "ada")])
