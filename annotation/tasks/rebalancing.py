"""Rebalancing of open work between annotators, with as few batches changing hands as possible.

The best distribution is a cheapest flow: a batch's places flow to people, one to each at most, and
every further batch of a person costs more than the one before. Starting from the current
distribution, negative cycles are cancelled until there is none, which proves that nothing better
exists (M. Klein, "A Primal Method for Minimal Cost Flows", Management Science 14(3), 1967).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pair = tuple[str, str]
"""A batch and a person."""

_NEVER = np.int64(1) << 60
_Ints = NDArray[np.int64]
_Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Move:
    """A batch that changes hands."""

    batch: str
    giver: str
    taker: str


@dataclass(frozen=True)
class Rebalancing:
    """What ``rebalance`` decided.

    Attributes:
        moves: sorted by batch, giver and taker.
        before, after: person → batches left to do.
    """

    moves: tuple[Move, ...]
    before: dict[str, int]
    after: dict[str, int]


def rebalance(
    people: Collection[str],
    movable: Iterable[Pair],
    fixed: Iterable[Pair] = (),
    barred: Iterable[Pair] = (),
    *,
    receivers: Collection[str] | None = None,
) -> Rebalancing:
    """Rebalance the number of open batches per person.

    The sum of squared loads is as small as the pairs allow (so the loads are as even as can be),
    and no other way to get there moves fewer batches. It does not depend on the order in which
    anything comes in.

    Args:
        people: who counts.
        movable: pairs that may change hands; their person is one of ``people``.
        fixed: pairs that stay and count as load where they name one of ``people``.
        barred: pairs that must not come about, and do not count as load.
        receivers: who may be given anything; everybody who counts by default.

    Raises:
        ValueError: a movable pair of somebody who does not count, or one that is fixed as well.
    """
    tokens, stays = set(movable), set(fixed)
    for batch, person in sorted(tokens):
        if person not in people or (batch, person) in stays:
            raise ValueError(f"{batch} of {person} cannot be moved")
    names = sorted(people)
    batches = sorted({batch for batch, _ in tokens})
    column = {name: index for index, name in enumerate(names)}
    row = {batch: index for index, batch in enumerate(batches)}
    held_slots = np.zeros((len(batches), len(names)), dtype=np.bool_)
    for batch, person in tokens:
        held_slots[row[batch], column[person]] = True
    may = held_slots.copy()
    for person in names if receivers is None else receivers:
        if person in column:
            may[:, column[person]] = True
    for batch, person in stays | set(barred):
        if batch in row and person in column and not held_slots[row[batch], column[person]]:
            may[row[batch], column[person]] = False
    base = np.zeros(len(names), dtype=np.int64)
    for _, person in stays:
        if person in column:
            base[column[person]] += 1
    target = _Flow(held_slots, may, base).solved() if tokens else held_slots
    return Rebalancing(
        moves=tuple(_moves(batches, names, held_slots, target)),
        before=_loads(names, base, held_slots),
        after=_loads(names, base, target),
    )


def _moves(batches: Sequence[str], names: Sequence[str], old: _Marks, new: _Marks) -> list[Move]:
    moves = []
    for row, batch in enumerate(batches):
        givers = np.flatnonzero(old[row] & ~new[row])
        takers = np.flatnonzero(new[row] & ~old[row])
        moves += [
            Move(batch, names[int(giver)], names[int(taker)])
            for giver, taker in zip(givers, takers, strict=True)
        ]
    return moves


def _loads(names: Sequence[str], base: _Ints, assigned: _Marks) -> dict[str, int]:
    return dict(zip(names, (base + assigned.sum(axis=0)).tolist(), strict=True))


class _Flow:
    """Places of batches (rows) on people (columns), improved along negative cycles.

    A place away from where it was costs 1; a person's n-th batch costs (2n - 1) times more than
    all places together, so that evenness always comes before the number of moves.
    """

    def __init__(self, held_slots: _Marks, may: _Marks, base: _Ints) -> None:
        self._given = held_slots.copy()
        self._may = may
        self._base = base
        self._cost = np.where(held_slots, 0, 1).astype(np.int64)
        self._weight = int(held_slots.sum()) + 1
        self._n_batches, self._n_people = held_slots.shape

    def solved(self) -> _Marks:
        """The best distribution."""
        while cycle := self._negative_cycle():
            for giver, taker in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
                self._push(giver, taker)
        return self._given

    # Nodes: people 0 …, then batches, then the drain into which every person's batches flow.

    def _push(self, start: int, end: int) -> None:
        drain = self._n_people + self._n_batches
        if drain in (start, end):
            return  # a person's load follows from the places
        if start < self._n_people:
            self._given[end - self._n_people, start] = False
        else:
            self._given[start - self._n_people, end] = True

    def _negative_cycle(self) -> list[int]:
        """The nodes of a cycle whose cost is negative, or none when there is none."""
        n_people, drain = self._n_people, self._n_people + self._n_batches
        count = self._given.sum(axis=0)
        load = self._base + count
        into = self._weight * (2 * load + 1)
        out_of = np.where(count > 0, -self._weight * (2 * load - 1), _NEVER)
        give = np.where(self._may & ~self._given, self._cost, _NEVER)
        take = np.where(self._given, -self._cost, _NEVER)
        distances = np.zeros(drain + 1, dtype=np.int64)
        before = np.full(drain + 1, -1, dtype=np.int64)
        for _ in range(drain + 1):
            people, batches = distances[:n_people], distances[n_people:drain]
            reach = np.empty_like(distances)
            came = np.empty_like(before)
            by_batch = give + batches[:, None]
            first = by_batch.argmin(axis=0)
            reach[:n_people] = by_batch[first, np.arange(n_people)]
            came[:n_people] = first + n_people
            by_drain = out_of + distances[drain]
            came[:n_people][by_drain < reach[:n_people]] = drain
            reach[:n_people] = np.minimum(reach[:n_people], by_drain)
            by_person = take + people[None, :]
            came[n_people:drain] = by_person.argmin(axis=1)
            reach[n_people:drain] = by_person.min(axis=1)
            came[drain] = (people + into).argmin()
            reach[drain] = (people + into).min()
            better = reach < distances
            if not better.any():
                return []
            distances = np.where(better, reach, distances)
            before = np.where(better, came, before)
            if cycle := _cycle(before.tolist()):
                return cycle
        raise AssertionError("a negative cycle must have shown by now")


def _cycle(before: Sequence[int]) -> list[int]:
    """A cycle among predecessors, in the direction of the flow; empty where there is none."""
    visited = [0] * len(before)
    for start in range(len(before)):
        node = start
        while node >= 0 and not visited[node]:
            visited[node] = start + 1
            node = before[node]
        if node >= 0 and visited[node] == start + 1:
            cycle = [node]
            while before[cycle[-1]] != node:
                cycle.append(before[cycle[-1]])
            return cycle[::-1]
    return []
