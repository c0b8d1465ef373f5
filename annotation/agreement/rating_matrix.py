"""A table of ratings, coded: which rater put which unit into which declared category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagetrail.annotation.agreement.weights import Matrix, Scale
from pagetrail.annotation.errors import RatingError

Index = NDArray[np.intp]
RatingTable = Sequence[Sequence[Any]] | NDArray[Any]
"""Units × raters; None or NaN is a missing rating."""

_MISSING = np.array(None, dtype=object)


@dataclass(frozen=True)
class CodedRatings:
    """Ratings as three parallel arrays, one entry for each rating there is.

    Attributes:
        scale: the declared categories.
        n_raters: number of columns of the table, raters without any rating included.
        rows: the row in the given table of each unit that has a rating.
        unit: place in ``rows`` of the rated unit.
        rater: column of the rater.
        category: place of the rating in ``scale``.
    """

    scale: Scale
    n_raters: int
    rows: Index
    unit: Index
    rater: Index
    category: Index

    @property
    def n_units(self) -> int:
        """Units with at least one rating."""
        return len(self.rows)

    @cached_property
    def counts(self) -> Matrix:
        """r_ik: raters who put unit i into category k, shape (n_units, q)."""
        return tally(self.unit * self.scale.size + self.category, (self.n_units, self.scale.size))

    @cached_property
    def per_unit(self) -> Matrix:
        """r_i: ratings of each unit, shape (n_units,)."""
        total: Matrix = self.counts.sum(axis=1)
        return total

    @cached_property
    def shares(self) -> Matrix:
        """r_ik / r_i, shape (n_units, q)."""
        shares: Matrix = self.counts / self.per_unit[:, None]
        return shares

    @cached_property
    def per_rater(self) -> Matrix:
        """n_g: units each rater rated, shape (n_raters,)."""
        return tally(self.rater, (self.n_raters,))

    @cached_property
    def by_rater(self) -> Matrix:
        """How often each rater used each category, shape (n_raters, q)."""
        return tally(self.rater * self.scale.size + self.category, (self.n_raters, self.scale.size))

    @cached_property
    def pairable(self) -> NDArray[np.bool_]:
        """Which units have two ratings or more, shape (n_units,)."""
        return self.per_unit >= 2

    @cached_property
    def crossed(self) -> tuple[Index, Index, Index]:
        """For a table of two raters: (units both rated, first's category, second's category)."""
        categories = np.full((self.n_units, self.n_raters), -1, dtype=np.intp)
        categories[self.unit, self.rater] = self.category
        rated_by_both = np.flatnonzero((categories >= 0).all(axis=1))
        return rated_by_both, categories[rated_by_both, 0], categories[rated_by_both, 1]


def tally(position: Index, shape: tuple[int, ...]) -> Matrix:
    """How often each place of a flattened array of that shape occurs."""
    counts: Matrix = np.bincount(position, minlength=int(np.prod(shape))).astype(np.float64)
    return counts.reshape(shape)


def code_ratings(ratings: RatingTable, scale: Scale) -> CodedRatings:
    """Read a table of ratings.

    Args:
        ratings: shape (units, raters), rectangular; None or NaN where a rater gave no rating.

    Raises:
        RatingError: the table is not rectangular, or a rating is outside the declared categories;
            the message names the value with its unit and rater, both counted from 1.
    """
    table = _rectangular(ratings)
    n_raters = table.shape[1]
    if table.dtype.kind in "iufb" and scale.numeric:
        position, category = _numbers(table, scale)
    else:
        position, category = _labels(table, scale)
    unit, rater = np.divmod(position, max(n_raters, 1))
    rated = np.zeros(len(table), dtype=np.bool_)
    rated[unit] = True
    rank = np.cumsum(rated) - 1
    return CodedRatings(scale, n_raters, np.flatnonzero(rated), rank[unit], rater, category)


def without_idle_raters(ratings: RatingTable) -> NDArray[Any]:
    """The table without the columns of raters who rated none of its units.

    Raises:
        RatingError: the table is not rectangular.
    """
    table = _rectangular(ratings)
    is_rated = table == table
    if table.dtype == object:
        is_rated &= table != _MISSING
    used_columns: NDArray[Any] = table[:, is_rated.any(axis=0)]
    return used_columns


def _rectangular(ratings: RatingTable) -> NDArray[Any]:
    if isinstance(ratings, np.ndarray):
        table = ratings
    else:
        rows = list(ratings)
        _check_rows(rows)
        width = len(rows[0]) if rows else 0
        cells = np.fromiter(chain.from_iterable(rows), dtype=object, count=len(rows) * width)
        table = cells.reshape(len(rows), width)
    if table.ndim != 2:
        raise RatingError(
            f"Ratings must be a table of units by raters, but came with {table.ndim} dimension(s)."
        )
    return table


def _check_rows(rows: list[Any]) -> None:
    # The types and lengths that occur are few, so a table of millions is checked in one pass.
    for kind in set(map(type, rows)):
        if issubclass(kind, (str, bytes)) or not issubclass(kind, (Sequence, np.ndarray)):
            number, row = next((n, r) for n, r in enumerate(rows, start=1) if type(r) is kind)
            raise RatingError(f"Unit {number} is {row!r}, not a row of ratings.")
    if len(set(map(len, rows))) > 1:
        number, row = next((n, r) for n, r in enumerate(rows, 1) if len(r) != len(rows[0]))
        raise RatingError(
            f"Unit {number} has {len(row)} ratings, unit 1 has {len(rows[0])}. "
            "Every rater needs a column; write None where there is no rating."
        )


def _numbers(table: NDArray[Any], scale: Scale) -> tuple[Index, Index]:
    flat = table.ravel()
    position = np.flatnonzero(flat == flat)
    values = flat[position].astype(np.float64)
    category = np.minimum(np.searchsorted(scale.scores, values), scale.size - 1)
    outside = np.flatnonzero(scale.scores[category] != values)
    if len(outside):
        raise _outside(flat[position[outside[0]]], position[outside[0]], table, scale)
    return position, category


def _labels(table: NDArray[Any], scale: Scale) -> tuple[Index, Index]:
    flat = table.ravel()
    position = np.flatnonzero(flat != _MISSING) if flat.dtype == object else np.arange(len(flat))
    values = flat[position].tolist()
    index = scale.index
    try:
        indices = [index.get(value, -1) for value in values]
    except TypeError:
        strange = next(at for at, value in enumerate(values) if not _hashable(value))
        raise _outside(values[strange], position[strange], table, scale) from None
    category = np.array(indices, dtype=np.intp)
    unknown = np.flatnonzero(category < 0)
    for at in unknown:
        value = values[at]
        if not (isinstance(value, float) and value != value):
            raise _outside(value, position[at], table, scale)
    is_known = category >= 0
    return position[is_known], category[is_known]


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _outside(value: object, position: np.intp, table: NDArray[Any], scale: Scale) -> RatingError:
    unit, rater = divmod(int(position), table.shape[1])
    plain_value = value.item() if isinstance(value, np.generic) else value
    allowed = ", ".join(repr(label) for label in scale.labels[:12])
    more = "" if scale.size <= 12 else f" and {scale.size - 12} more"
    return RatingError(
        f"Unit {unit + 1}, rater {rater + 1}: {plain_value!r} is not among the declared categories "
        f"({allowed}{more}). Declare it, or leave the rating out."
    )
