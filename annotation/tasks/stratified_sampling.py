"""Draws a seeded, stratified sample that can be continued later."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.statistics.allocation import allocate
from pagetrail.annotation.tasks.batches import order_for

StratumValues = tuple[str, ...]
"""Values of the fields that a sample is stratified by."""

Allocation = Literal["proportional", "equal"]

MISSING = "none"
"""Value of a stratum whose units do not have the field."""


@dataclass(frozen=True)
class DrawnStratum:
    """A stratum of a sample.

    Attributes:
        size: units in it.
        before: units drawn earlier.
        keys: units drawn now.
    """

    values: StratumValues
    size: int
    before: int
    keys: Sequence[str]

    @property
    def n_drawn(self) -> int:
        """Units drawn so far."""
        return self.before + len(self.keys)

    @property
    def inclusion_probability(self) -> float:
        """Probability with which each unit of it has been drawn so far."""
        return self.n_drawn / self.size


def draw_units(
    strata: Mapping[str, StratumValues],
    n: int,
    seed: int,
    allocation: Allocation | Mapping[StratumValues, int] = "proportional",
    drawn: Collection[str] = (),
) -> list[DrawnStratum]:
    """Draw ``n`` units without replacement; strata are sorted by their values.

    Within a stratum, units are taken in the order of ``SHA-256(f"{seed}:{key}")``. With an
    allocation by name, a sample drawn in several parts is therefore the one that would have been
    drawn at once.

    Args:
        strata: key of every unit → values of its stratum.
        allocation: by size, equally many of each stratum, or a number for each; then ``n`` is
            only their intended sum.
        drawn: keys of the units drawn before.

    Raises:
        PagetrailError: there is nothing to draw from (code ``nothing_to_draw``), or there are more
            strata than units to draw (code ``too_many_strata``).
    """
    members: dict[StratumValues, list[str]] = {}
    for key, values in strata.items():
        members.setdefault(values, []).append(key)
    names = sorted(members)
    before = [sum(key in drawn for key in members[name]) for name in names]
    sizes = [len(members[name]) for name in names]
    if n < 1:
        raise PagetrailError(gettext("Draw at least one."), code="nothing_to_draw")
    if sum(sizes) == sum(before):
        raise PagetrailError(
            gettext("Nothing is left to draw: all {drawn:,} are drawn.", drawn=sum(before))
            if sum(before)
            else gettext("There is nothing to draw from."),
            code="nothing_to_draw",
        )
    if isinstance(allocation, str):
        weights = sizes if allocation == "proportional" else [1] * len(sizes)
        added = allocate(weights, sizes, before, n)
    else:
        left = [size - count for size, count in zip(sizes, before, strict=True)]
        added = [min(allocation.get(name, 0), most) for name, most in zip(names, left, strict=True)]
    empty = [name for name, *counts in zip(names, before, added, strict=True) if not any(counts)]
    if empty:
        raise PagetrailError(
            gettext(
                "There are {strata:,} strata, and {n:,} to draw leave some without any. Stratify "
                "by fewer fields, or draw at least {strata:,}.",
                strata=len(names),
                n=n,
            ),
            code="too_many_strata",
        )
    return [
        DrawnStratum(name, size, count, _next(members[name], seed, drawn, more))
        for name, size, count, more in zip(names, sizes, before, added, strict=True)
    ]


def frame_digest(strata: Mapping[str, StratumValues]) -> str:
    """SHA-256 of all units with their strata, by which a changed population is noticed."""
    digest = sha256()
    for key, values in sorted(strata.items()):
        digest.update(f"{key}\t{values}\n".encode())
    return digest.hexdigest()


def _next(keys: Sequence[str], seed: int, drawn: Collection[str], n: int) -> list[str]:
    return [key for key in order_for(keys, seed) if key not in drawn][:n]
