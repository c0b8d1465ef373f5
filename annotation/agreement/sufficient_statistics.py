"""The sums that every coefficient is a function of.

A sum over units is also the sum of its clusters' sums, so the same functions give the coefficient
of a table (one group) and of 2,000 resampled tables (2,000 rows of weighted sums).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from pagetrail.annotation.agreement.rating_matrix import CodedRatings, Index, tally
from pagetrail.annotation.agreement.weights import Matrix


@dataclass(frozen=True, slots=True)
class UnitSums:
    """Sums over units, each with the same leading shape ``(...)``.

    Attributes:
        by_rater: how often each rater used each category, shape (..., raters, q).
        crossed: units that both of two raters rated, by their categories, shape (..., q, q); zero
            where the table has not two raters.
        rated: units with a rating, shape (...).
        pairable: units with two ratings or more, shape (...).
        agreement: Σ a_i over pairable units, shape (...).
        shares: Σ r_ik / r_i over rated units, shape (..., q).
        coincidences: Krippendorff's o_kl, shape (..., q, q).
    """

    by_rater: Matrix
    crossed: Matrix
    rated: Matrix
    pairable: Matrix
    agreement: Matrix
    shares: Matrix
    coincidences: Matrix

    def weighted(self, weights: Matrix) -> UnitSums:
        """Sums of resampled tables: weights (B, G) over G groups give leading shape (B,)."""
        parts = self._parts()
        ends = np.cumsum([part[0].size for part in parts])[:-1]
        flat_sums = np.split(weights @ self._flat(), ends, axis=1)
        return UnitSums(
            *(
                sums.reshape(len(weights), *part.shape[1:])
                for sums, part in zip(flat_sums, parts, strict=True)
            )
        )

    def in_order(self) -> UnitSums:
        """Groups and raters sorted by their sums: input order and names make no difference."""
        by_rater = np.round(self.by_rater, 9)
        rater_keys = [rows[np.lexsort(rows.T)].tobytes() for rows in np.moveaxis(by_rater, 1, 0)]
        raters = sorted(range(len(rater_keys)), key=rater_keys.__getitem__)
        swapped = raters == [1, 0]
        return replace(
            self,
            by_rater=self.by_rater[:, raters],
            crossed=self.crossed.swapaxes(-1, -2) if swapped else self.crossed,
        )._in_order()

    def _in_order(self) -> UnitSums:
        # Rounded: the order of a group's units changes the last bit of its sums. lexsort sorts by
        # the last column first, so the columns of single raters only break ties.
        order = np.lexsort(np.round(self._flat(), 9).T)
        return UnitSums(*(part[order] for part in self._parts()))

    def total(self) -> UnitSums:
        """Sums over all groups, without leading dimensions."""
        return UnitSums(*(part.sum(axis=0) for part in self._parts()))

    def _parts(self) -> list[Matrix]:
        return [getattr(self, part.name) for part in fields(self)]

    def _flat(self) -> Matrix:
        return np.hstack([part.reshape(len(part), -1) for part in self._parts()])


def unit_agreement(coded: CodedRatings, weights: Matrix) -> Matrix:
    """a_i = Σ_k r_ik (r*_ik − 1) / (r_i (r_i − 1)), shape (n_units,); 0 for a unit rated once.

    Gwet 2014, eq. 2.10 in its weighted form; docs/metrics.md, Agreement.
    """
    counts, total = coded.counts, coded.per_unit
    agreeing = (counts * (times(counts, weights) - 1)).sum(axis=1)
    pairs = np.where(coded.pairable, total * (total - 1), 1.0)
    agreement: Matrix = np.where(coded.pairable, agreeing / pairs, 0.0)
    return agreement


def ratio(numerator: Matrix, denominator: Matrix) -> Matrix:
    """numerator / denominator; NaN, without a warning, where the denominator is 0."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    undefined = np.full(shape, np.nan)
    is_defined = np.broadcast_to(np.not_equal(denominator, 0), shape)
    quotient: Matrix = np.divide(numerator, denominator, out=undefined, where=is_defined)
    return quotient


def times(tall: Matrix, small: Matrix) -> Matrix:
    """tall @ small for many rows and few columns, without BLAS.

    On a busy machine, waiting for BLAS threads takes many times as long as the product.
    """
    product: Matrix = np.einsum("ik,k...->i...", tall, small)
    return product


def unit_sums(coded: CodedRatings, agreement: Matrix, group: Index, n_groups: int) -> UnitSums:
    """The sums of each group of units, leading shape (n_groups,).

    Args:
        agreement: a_i of each unit, see ``unit_agreement``.
        group: group of each unit, shape (n_units,), from 0.
    """
    q, raters = coded.scale.size, coded.n_raters
    columns = [
        np.ones(coded.n_units),
        coded.pairable.astype(np.float64),
        agreement,
        *coded.shares.T,
    ]
    sums = _summed(columns, group, n_groups)
    rater_cell = (group[coded.unit] * raters + coded.rater) * q + coded.category
    return UnitSums(
        by_rater=tally(rater_cell, (n_groups, raters, q)),
        crossed=_crossed(coded, group, n_groups),
        rated=sums[:, 0],
        pairable=sums[:, 1],
        agreement=sums[:, 2],
        shares=sums[:, 3:],
        coincidences=_coincidences(coded, group, n_groups),
    )


def _crossed(coded: CodedRatings, group: Index, n_groups: int) -> Matrix:
    q = coded.scale.size
    if coded.n_raters != 2:
        return np.zeros((n_groups, q, q))
    rated_by_both, first, second = coded.crossed
    return tally((group[rated_by_both] * q + first) * q + second, (n_groups, q, q))


def _coincidences(coded: CodedRatings, group: Index, n_groups: int) -> Matrix:
    """o_kl = Σ_i r_ik (r_il − [k = l]) / (r_i − 1) over pairable units (Krippendorff 2011)."""
    q = coded.scale.size
    pairable = coded.pairable
    counts = coded.counts[pairable]
    scaled = counts / (coded.per_unit[pairable, None] - 1)
    upper = [(k, m) for k in range(q) for m in range(k, q)]
    columns = [scaled[:, k] * (counts[:, m] - (k == m)) for k, m in upper]
    sums = _summed(columns, group[pairable], n_groups)
    coincidences = np.zeros((n_groups, q, q))
    for column, (k, m) in enumerate(upper):
        coincidences[:, k, m] = coincidences[:, m, k] = sums[:, column]
    return coincidences


def _summed(columns: list[Matrix], group: Index, n_groups: int) -> Matrix:
    if n_groups == 1:
        return np.array([[column.sum() for column in columns]])
    return np.column_stack(
        [np.bincount(group, weights=column, minlength=n_groups) for column in columns]
    )
