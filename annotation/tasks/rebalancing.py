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

_NO_ARC = np.int64(1) << 60
"""A cost that no path outweighs: there is no arc."""

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
    is_allowed = held_slots.copy()
    for person in names if receivers is None else receivers:
        if person in column:
            is_allowed[:, column[person]] = True
    for batch, person in stays | set(barred):
        if batch in row and person in column and not held_slots[row[batch], column[person]]:
            is_allowed[row[batch], column[person]] = False
    fixed_loads = np.zeros(len(names), dtype=np.int64)
    for _, person in stays:
        if person in column:
            fixed_loads[column[person]] += 1
    target = _Flow(held_slots, is_allowed, fixed_loads).solved() if tokens else held_slots
    return Rebalancing(
        moves=tuple(_moves(batches, names, held_slots, target)),
        before=_loads(names, fixed_loads, held_slots),
        after=_loads(names, fixed_loads, target),
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


def _loads(names: Sequence[str], fixed_loads: _Ints, assigned: _Marks) -> dict[str, int]:
    return dict(zip(names, (fixed_loads + assigned.sum(axis=0)).tolist(), strict=True))


class _Flow:
    """Places of batches (rows) with people (columns), improved along negative cycles.

    The cost of a distribution is  Σ moved places 1  +  W Σ_people load²,  with W = places + 1.
    Moves cost fewer than W together, so evenness always comes before the number of moves. Going
    from load l to l + 1 costs W ((l+1)² − l²) = W (2l + 1), more with every batch: convex costs,
    for which a flow without a negative cycle is a cheapest one.

    Nodes are numbered: people from 0, then batches, then the drain into which every person's
    batches flow.
    """

    def __init__(self, held_slots: _Marks, is_allowed: _Marks, fixed_loads: _Ints) -> None:
        """Start from the current distribution; all shapes are (batches, people) or (people,)."""
        self._assigned = held_slots.copy()
        self._is_allowed = is_allowed
        self._fixed_loads = fixed_loads
        self._move_cost = np.where(held_slots, 0, 1).astype(np.int64)
        self._weight = int(held_slots.sum()) + 1
        self._n_batches, self._n_people = held_slots.shape

    def solved(self) -> _Marks:
        """The best distribution."""
        while cycle := self._negative_cycle():
            for start, end in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
                self._push(start, end)
        return self._assigned

    def _push(self, start: int, end: int) -> None:
        """Send one batch along an arc."""
        drain = self._n_people + self._n_batches
        if drain in (start, end):
            return  # a person's load follows from the places
        if start < self._n_people:
            self._assigned[end - self._n_people, start] = False
        else:
            self._assigned[start - self._n_people, end] = True

    def _negative_cycle(self) -> list[int]:
        """The nodes of a cycle whose cost is negative, or none when there is none.

        Bellman and Ford's algorithm on the residual graph, from all nodes at once: every distance
        starts at 0. The arcs are

            batch → person    0, or 1 if the place is new   where allowed and not assigned
            person → batch    the same, negative            where assigned
            person → drain    W (2l + 1)                    one batch more
            drain → person    −W (2l − 1)                   one batch less, of those that can move

        A cycle among predecessors is negative (Cormen et al., *Introduction to Algorithms*, on
        Bellman–Ford): at each of its arcs u → v, distance(v) ≥ distance(u) + cost, and more than
        that after the node that was improved last.
        """
        n_people, drain = self._n_people, self._n_people + self._n_batches
        n_assigned = self._assigned.sum(axis=0)
        loads = self._fixed_loads + n_assigned
        # Costs by batch and person, (batches, people), or by person, (people,).
        batch_to_person = np.where(self._is_allowed & ~self._assigned, self._move_cost, _NO_ARC)
        person_to_batch = np.where(self._assigned, -self._move_cost, _NO_ARC)
        person_to_drain = self._weight * (2 * loads + 1)
        drain_to_person = np.where(n_assigned > 0, -self._weight * (2 * loads - 1), _NO_ARC)
        distances = np.zeros(drain + 1, dtype=np.int64)
        predecessors = np.full(drain + 1, -1, dtype=np.int64)
        for _ in range(drain + 1):
            people, batches = distances[:n_people], distances[n_people:drain]
            # Shortest distance of each node over one more arc, and the node before it.
            shortest = np.empty_like(distances)
            nearest = np.empty_like(predecessors)
            by_batch = batch_to_person + batches[:, None]
            best_batch = by_batch.argmin(axis=0)
            shortest[:n_people] = by_batch[best_batch, np.arange(n_people)]
            nearest[:n_people] = best_batch + n_people
            by_drain = drain_to_person + distances[drain]
            nearest[:n_people][by_drain < shortest[:n_people]] = drain
            shortest[:n_people] = np.minimum(shortest[:n_people], by_drain)
            by_person = person_to_batch + people[None, :]
            nearest[n_people:drain] = by_person.argmin(axis=1)
            shortest[n_people:drain] = by_person.min(axis=1)
            nearest[drain] = (people + person_to_drain).argmin()
            shortest[drain] = (people + person_to_drain).min()
            is_shorter = shortest < distances
            if not is_shorter.any():
                return []
            distances = np.where(is_shorter, shortest, distances)
            predecessors = np.where(is_shorter, nearest, predecessors)
            if cycle := _cycle(predecessors.tolist()):
                return cycle
        raise AssertionError("distances still fall after as many rounds as nodes, without a cycle")


def _cycle(predecessors: Sequence[int]) -> list[int]:
    """A cycle among predecessors, in the direction of the flow; empty where there is none."""
    visited_from = [0] * len(predecessors)  # number of the walk that first came here, from 1
    for start in range(len(predecessors)):
        node = start
        while node >= 0 and not visited_from[node]:
            visited_from[node] = start + 1
            node = predecessors[node]
        if node >= 0 and visited_from[node] == start + 1:
            cycle = [node]
            while predecessors[cycle[-1]] != node:
                cycle.append(predecessors[cycle[-1]])
            return cycle[::-1]
    return []
