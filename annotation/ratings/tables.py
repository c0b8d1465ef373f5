"""From people's work on one campaign to rating tables: who put which unit into which category.

What counts as a rating is what was submitted (``annotation.attempts.submission``). Where a field is
not asked there is no rating, never a category of its own. Categories, weights and the level of
measurement come from the protocol alone (docs/metrics.md, Agreement); ``ratings.schemes`` declares
them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.ratings.schemes import Category, Scheme, readers

Read = tuple[str, str | None, int | None, str | None, Any]
"""A rating: scheme, document, page, item, category or number."""


class Unit(NamedTuple):
    """What was rated: a task, a page of it, or a box or row in it."""

    task: str
    document: str | None = None
    page: int | None = None
    item: str | None = None

    @property
    def order(self) -> tuple[str, str, int, int, str]:
        """Sorts units; e9 comes before e10."""
        item = self.item or ""
        return self.task, self.document or "", self.page or 0, len(item), item


@dataclass(frozen=True)
class FieldRatings:
    """One rating table.

    Attributes:
        units: those with a rating, in an order that depends on their names alone.
        raters: those who rated one of them, sorted.
        unit, rater: places in ``units`` and ``raters`` of each rating, shape (ratings,).
        given: place in the scheme's categories of each rating, or the number itself.
    """

    scheme: Scheme
    units: tuple[Unit, ...]
    raters: tuple[str, ...]
    unit: NDArray[np.intp]
    rater: NDArray[np.intp]
    given: NDArray[np.float64]

    @property
    def clusters(self) -> list[str]:
        """The task of each unit: the pages of one task are not independent."""
        return [unit.task for unit in self.units]

    @cached_property
    def per_unit(self) -> NDArray[np.intp]:
        """Ratings of each unit, shape (units,)."""
        return np.bincount(self.unit, minlength=len(self.units))

    @property
    def rating_matrix(self) -> NDArray[np.float64]:
        """Units × raters: the place of the category, or the number; NaN where there is no rating.

        Places stand for the categories wherever only equality and order count: identity and
        ordinal weights, nominal and ordinal alpha.
        """
        table = np.full((len(self.units), len(self.raters)), np.nan)
        table[self.unit, self.rater] = self.given
        return table

    @property
    def table(self) -> list[list[Category | None]]:
        """Units × raters: the category, or the number; None where there is no rating."""
        rows: list[list[Category | None]] = [[None] * len(self.raters) for _ in self.units]
        categories = self.scheme.categories
        triples = zip(self.unit.tolist(), self.rater.tolist(), self.given.tolist(), strict=True)
        for unit, rater, rating in triples:
            rows[unit][rater] = categories[int(rating)] if categories else rating
        return rows

    @property
    def counts(self) -> list[int]:
        """How often each declared category was chosen; empty for numbers."""
        size = len(self.scheme.categories)
        return np.bincount(self.given.astype(np.intp), minlength=size).tolist() if size else []

    def groups(self, group_of: Callable[[Unit], str]) -> list[str]:
        """The group of each unit."""
        return [group_of(unit) for unit in self.units]


class _Column:
    """The ratings of one table while they come in, 18 bytes each."""

    def __init__(self) -> None:
        self.unit = array("q")
        self.rater = array("h")
        self.given = array("d")


class Ratings:
    """Takes in the work of one person on one task after the other; keeps ratings alone.

    Attributes:
        undeclared: ratings left out since their category is not among the declared ones, by key.
    """

    def __init__(self, protocol: Protocol) -> None:
        self._readers = readers(protocol)
        self._schemes = {s.key: s for reader in self._readers for s in reader.schemes}
        self._index = {
            key: {category: index for index, category in enumerate(scheme.categories)}
            for key, scheme in self._schemes.items()
        }
        self._columns = {key: _Column() for key in self._schemes}
        self._units: dict[Unit, int] = {}
        self._raters: dict[str, int] = {}
        self.undeclared: dict[str, int] = {}

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """What tables are made of, in the protocol's order."""
        return tuple(self._schemes.values())

    def read(self, submission: Submission) -> list[Read]:
        """The ratings in a submission; as JSON they can be kept for ``add_read``."""
        return [
            (key, *position, value)
            for reader in self._readers
            for key, position, value in reader.read(submission)
        ]

    def add(self, task: str, rater: str, submission: Submission) -> None:
        """Add a submission; the same person must not submit a task twice."""
        self.add_read(task, rater, self.read(submission))

    def add_read(self, task: str, rater: str, ratings: Iterable[Sequence[Any]]) -> None:
        """Take in the ratings that ``read`` found, perhaps under an earlier protocol."""
        rater_index = self._raters.setdefault(rater, len(self._raters))
        for key, document, page, item, value in ratings:
            index = self._index.get(key)
            category_index = None if index is None else index.get(value) if index else float(value)
            if category_index is None:
                self.undeclared[key] = self.undeclared.get(key, 0) + 1
                continue
            unit = Unit(task, document, page, item)
            column = self._columns[key]
            column.unit.append(self._units.setdefault(unit, len(self._units)))
            column.rater.append(rater_index)
            column.given.append(category_index)

    def tables(self) -> list[FieldRatings]:
        """The tables of all schemes, those without any rating included."""
        units = sorted(self._units, key=lambda unit: unit.order)
        unit_rank = _ranks([self._units[unit] for unit in units])
        raters = sorted(self._raters)
        rater_rank = _ranks([self._raters[rater] for rater in raters])
        return [
            _rating_table(scheme, self._columns[key], units, unit_rank, raters, rater_rank)
            for key, scheme in self._schemes.items()
        ]


def _ranks(order: Sequence[int]) -> NDArray[np.intp]:
    """The rank of each number, given all of them in order."""
    ranks = np.empty(len(order), dtype=np.intp)
    ranks[np.asarray(order, dtype=np.intp)] = np.arange(len(order))
    return ranks


def _rating_table(
    scheme: Scheme,
    column: _Column,
    units: Sequence[Unit],
    unit_rank: NDArray[np.intp],
    raters: Sequence[str],
    rater_rank: NDArray[np.intp],
) -> FieldRatings:
    unit_there, unit = np.unique(unit_rank[np.array(column.unit, np.intp)], return_inverse=True)
    rater_there, rater = np.unique(rater_rank[np.array(column.rater, np.intp)], return_inverse=True)
    order = np.lexsort((rater, unit))
    return FieldRatings(
        scheme=scheme,
        units=tuple(units[index] for index in unit_there.tolist()),
        raters=tuple(raters[index] for index in rater_there.tolist()),
        unit=unit[order],
        rater=rater[order],
        given=np.array(column.given, np.float64)[order],
    )
