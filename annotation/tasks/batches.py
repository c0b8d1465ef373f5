"""Who gets which batch, and in which order: pure functions of their arguments and a seed.

Randomness comes from SHA-256 alone, so the same seed gives the same result on every machine and
version of Python, and other programs can repeat it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import TypeVar

# fmt: off
CODE_NAMES = (
    "Aquarius", "Orion", "Phoenix", "Lyra", "Cygnus", "Draco", "Pegasus", "Andromeda",
    "Cassiopeia", "Perseus", "Aquila", "Auriga", "Gemini", "Leo", "Virgo", "Libra",
    "Scorpius", "Sagittarius", "Capricornus", "Pisces", "Aries", "Taurus", "Cancer",
    "Hercules", "Centaurus", "Crux", "Carina", "Vela", "Puppis", "Hydra", "Corvus", "Crater",
    "Boötes", "Corona Borealis", "Delphinus", "Cetus", "Eridanus", "Fornax", "Grus", "Tucana",
    "Pavo", "Ara", "Lupus", "Norma", "Circinus", "Musca", "Volans", "Dorado", "Columba",
    "Lepus", "Canis Major", "Canis Minor", "Monoceros", "Ursa Major", "Ursa Minor", "Cepheus",
    "Lacerta", "Triangulum", "Camelopardalis", "Lynx", "Leo Minor", "Sextans",
    "Coma Berenices", "Canes Venatici", "Serpens", "Ophiuchus", "Scutum", "Vulpecula",
    "Sagitta", "Equuleus", "Piscis Austrinus", "Sculptor", "Microscopium", "Indus", "Octans",
    "Apus", "Chamaeleon", "Mensa", "Hydrus", "Reticulum", "Horologium", "Caelum", "Pictor",
    "Pyxis", "Antlia", "Telescopium", "Corona Australis", "Triangulum Australe",
)
# fmt: on
"""The 88 constellations of the International Astronomical Union."""

T = TypeVar("T")


def code_name(number: int) -> str:
    """The batch name with that 0-based number: after the last constellation, "Aquarius 2" …"""
    lap, index = divmod(number, len(CODE_NAMES))
    return CODE_NAMES[index] if lap == 0 else f"{CODE_NAMES[index]} {lap + 1}"


def free_code_names(used_names: Iterable[str]) -> Iterator[str]:
    """Names in their order, without those taken; endless."""
    used = set(used_names)
    number = 0
    while True:
        name = code_name(number)
        if name not in used:
            yield name
        number += 1


def split_into_batches(keys: Sequence[T], size: int) -> list[list[T]]:
    """Consecutive groups of ``size``; the last one takes the rest.

    Raises:
        ValueError: size below 1.
    """
    if size < 1:
        raise ValueError(f"a batch holds at least one task, not {size}")
    return [list(keys[start : start + size]) for start in range(0, len(keys), size)]


def order_seed(seed: int, batch: str, annotator: str) -> int:
    """The seed of one person's order in one batch: 31 bits, so that any database stores it."""
    return int.from_bytes(_digest(seed, batch, annotator)[:4], "big") >> 1


def order_for(keys: Sequence[str], seed: int) -> list[str]:
    """The keys in a random order: sorted by ``SHA-256(f"{seed}:{key}")``.

    It does not depend on the order in which the keys come in, so the order a database happens to
    return its rows in cannot change what an annotator sees.
    """
    return sorted(keys, key=lambda key: (_digest(seed, key), key))


def dealt_among(keys: Sequence[str], added: Sequence[str], seed: int) -> list[str]:
    """The keys in their order, with each of ``added`` at a place drawn by its hash."""
    shuffled = list(keys)
    for key in added:
        shuffled.insert(
            int.from_bytes(_digest(seed, key, "place")[:4], "big") % (len(shuffled) + 1), key
        )
    return shuffled


@dataclass(frozen=True)
class Distribution:
    """What ``distribute`` decided.

    Attributes:
        pairs: new (batch, annotator) pairs, in the order of the batches.
        shortfall: batch → how many people it still needs, for batches that need any.
    """

    pairs: list[tuple[str, str]] = field(default_factory=list)
    shortfall: dict[str, int] = field(default_factory=dict)


def distribute(
    batches: Sequence[str],
    annotators: Sequence[str],
    overlap: int,
    existing: Iterable[tuple[str, str]] = (),
    *,
    barred: Iterable[tuple[str, str]] = (),
    kept_apart: Mapping[str, Collection[str]] = MappingProxyType({}),
    sizes: Mapping[str, int] | None = None,
    capacity: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Distribution:
    """Give each batch to ``overlap`` different people, as evenly as the existing pairs allow.

    Existing pairs stay as they are and count towards overlap and load, also where they name
    people who are not in ``annotators``. Where fewer than ``overlap`` people can take a batch,
    all of them get it and the rest is reported. The sum of squared loads is minimal; without
    existing or barred pairs this means that loads differ by one batch at most.

    Args:
        barred: pairs that must not come about, without counting towards overlap or load.
        kept_apart: batch → batches that nobody who gets it should have as well; holds in both
            directions. Loads may then differ by more.
        sizes: batch → its tasks; needed with ``capacity``.
        capacity: annotator → tasks that they may still get. With it, each batch goes to those with
            the fewest batches who have room for it, and loads may differ by more.
    """
    holders: dict[str, set[str]] = {batch: set() for batch in batches}
    load = dict.fromkeys(annotators, 0)
    for batch, annotator in set(existing):
        if batch in holders:
            holders[batch].add(annotator)
        if annotator in load:
            load[annotator] += 1
    closed = {batch: set(people) for batch, people in holders.items()}
    for batch, annotator in barred:
        if batch in closed:
            closed[batch].add(annotator)
    assigned: dict[str, set[str]] = {batch: set() for batch in batches}

    def has_kept_apart(person: str, batch: str) -> bool:
        return any(
            person in holders.get(other, ()) or person in assigned.get(other, ())
            for other in kept_apart.get(batch, ())
        )

    room = None if capacity is None else dict(capacity)
    shortfall = {}
    for batch in holders:
        n_missing = max(0, overlap - len(holders[batch]))
        size = (sizes or {}).get(batch, 0)
        free = [
            person
            for person in load
            if person not in closed[batch]
            and (room is None or size <= room[person])
            and not has_kept_apart(person, batch)
        ]
        free.sort(key=lambda person: (load[person], _digest(seed, batch, person)))
        for person in free[:n_missing]:
            assigned[batch].add(person)
            load[person] += 1
            if room is not None:
                room[person] -= size
        if n_missing > len(free):
            shortfall[batch] = n_missing - len(free)
    if room is None:
        _level(closed, assigned, load, has_kept_apart)
    pairs = [
        (batch, person)
        for batch in holders
        for person in sorted(assigned[batch], key=lambda name: _digest(seed, batch, name))
    ]
    return Distribution(pairs, shortfall)


def _level(
    closed: dict[str, set[str]],
    assigned: dict[str, set[str]],
    load: dict[str, int],
    has_kept_apart: Callable[[str, str], bool],
) -> None:
    """Pass new batches on along chains of people until no chain balances the loads further."""
    while True:
        for start in sorted(load, key=lambda person: (-load[person], person)):
            chain = _chain(start, closed, assigned, load, has_kept_apart)
            if chain:
                break
        else:
            return
        for batch, giver, taker in chain:
            assigned[batch].remove(giver)
            assigned[batch].add(taker)
        load[start] -= 1
        load[chain[-1][2]] += 1


def _chain(
    start: str,
    closed: dict[str, set[str]],
    assigned: dict[str, set[str]],
    load: dict[str, int],
    has_kept_apart: Callable[[str, str], bool],
) -> list[tuple[str, str, str]]:
    """Shortest chain of (batch, giver, taker) to a person with at least two batches fewer."""
    came: dict[str, tuple[str, str]] = {}
    queue = deque([start])
    reached = {start}
    while queue:
        giver = queue.popleft()
        for batch, people in assigned.items():
            if giver not in people:
                continue
            for taker in sorted(load.keys() - people - closed[batch] - reached):
                if has_kept_apart(taker, batch):
                    continue
                came[taker] = (batch, giver)
                if load[taker] <= load[start] - 2:
                    return _trace(came, start, taker)
                reached.add(taker)
                queue.append(taker)
    return []


def _trace(came: dict[str, tuple[str, str]], start: str, end: str) -> list[tuple[str, str, str]]:
    steps = []
    while end != start:
        batch, giver = came[end]
        steps.append((batch, giver, end))
        end = giver
    return steps[::-1]


def _digest(*parts: object) -> bytes:
    return sha256(":".join(str(part) for part in parts).encode()).digest()
