"""How similar two transcriptions of a table are: by its records, and by position.

Records ignore the order of rows and columns and depend on the headers; position does the opposite.
All three measures are symmetric and in [0, 1], and None where both tables are empty. Cells are
compared in Unicode's normalisation form C with single spaces; case, punctuation and number formats
count.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

Record = Mapping[str, str]
"""A row of a table: the value of each cell by the header of its column."""

TextGrid = Sequence[Sequence[str]]
"""Texts by row and column, all rows of one length; a merged cell's at each position it covers."""

_Scores = npt.NDArray[np.float64]


def table_record_match(left: Sequence[Record], right: Sequence[Record]) -> float | None:
    """TableRecordMatch: the mean similarity of matched records, by the larger number of records.

    Two records are as similar as the share of their headers, of either, under which both have the
    same value. Source: Zhang et al. 2026, equations 1 and 2.
    """
    if not left or not right:
        return 0.0 if left or right else None
    equal = _shared_items(left, right, with_values=True)
    shared_headers = _shared_items(left, right, with_values=False)
    either = (
        np.array([len(record) for record in left])[:, np.newaxis]
        + np.array([len(record) for record in right])
        - shared_headers
    )
    similarity = equal / np.maximum(either, 1)
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum() / max(len(left), len(right)))


def cell_f1(left: Sequence[Record], right: Sequence[Record]) -> float | None:
    """F1 of cells: those with the same header and value in matched records, by all cells.

    Records are matched so that as many cells as possible are equal.
    """
    n_cells = sum(map(len, left)) + sum(map(len, right))
    if not n_cells:
        return None
    if not left or not right:
        return 0.0
    equal = _shared_items(left, right, with_values=True)
    rows, columns = linear_sum_assignment(equal, maximize=True)
    return float(2 * equal[rows, columns].sum() / n_cells)


def grits_content(left: TextGrid, right: TextGrid) -> float | None:
    """GriTS of cell content: the similarity of the most similar rows and columns of both tables.

    Two cells are as similar as twice their longest common subsequence by the sum of their lengths,
    or 1 where both are blank. As in the published approximation (factored 2D-MSS), rows and columns
    are aligned separately, each in its order. Of equally good alignments two are tried, one that
    drops rows and columns of either table first, and the better result counts, so that the order of
    the tables makes no difference. Source: Smock, Pesala and Abraham 2022.
    """
    n_left, n_right = (sum(map(len, grid)) for grid in (left, right))
    if not n_left or not n_right:
        return 0.0 if n_left or n_right else None
    rewards = _CellRewards(left, right)
    row_rewards = _alignment_scores(rewards, by_row=True)
    column_rewards = _alignment_scores(rewards, by_row=False)
    best = 0.0
    for prefer_left in (True, False):
        rows = _aligned_indices(row_rewards, prefer_left=prefer_left)
        columns = _aligned_indices(column_rewards, prefer_left=prefer_left)
        best = max(best, rewards.total(rows, columns))
    return 2 * best / (n_left + n_right)


def comparable_cell(text: str) -> str:
    """A cell's text, or a header's, as it is compared."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _shared_items(
    left: Sequence[Record], right: Sequence[Record], *, with_values: bool
) -> npt.NDArray[np.int64]:
    """How many headers, or cells, each pair of records has in common, shape (left, right).

    The product of two matrices that say which record has which item. Of several columns with one
    header, the first is compared with the first, and so on.
    """
    numbers: dict[tuple[str, int, str], int] = {}

    def indicators(records: Sequence[Record]) -> tuple[list[int], list[int]]:
        rows, columns = [], []
        for row, record in enumerate(records):
            occurrences = Counter[str]()
            for header, value in record.items():
                name = comparable_cell(header)
                occurrences[name] += 1
                item = (name, occurrences[name], comparable_cell(value) if with_values else "")
                rows.append(row)
                columns.append(numbers.setdefault(item, len(numbers)))
        return rows, columns

    left_indices, right_indices = indicators(left), indicators(right)
    matrices = [
        csr_array(
            (np.ones(len(rows), dtype=np.int64), (rows, columns)),
            shape=(len(records), len(numbers)),
        )
        for records, (rows, columns) in ((left, left_indices), (right, right_indices))
    ]
    shared: npt.NDArray[np.int64] = (matrices[0] @ matrices[1].T).toarray()
    return shared


class _CellRewards:
    """Similarity of each cell of one table with each of the other, by their positions.

    Texts are numbered, so that each pair of different texts is compared once.

    Attributes:
        left, right: number of the text of each cell, shape (rows, columns).
    """

    def __init__(self, left: TextGrid, right: TextGrid) -> None:
        self.left, left_texts = _numbered_texts(left)
        self.right, right_texts = _numbered_texts(right)
        common = cdist(left_texts, right_texts, scorer=LCSseq.similarity, dtype=np.int32)
        lengths = np.array([len(text) for text in left_texts])[:, np.newaxis] + np.array(
            [len(text) for text in right_texts]
        )
        self._similarity = np.where(lengths, 2 * common / np.maximum(lengths, 1), 1).astype(
            np.float32
        )

    def of_columns(self, left: int, right: int) -> _Scores:
        """Row by row: a column's cells against those of the other table's column."""
        return self._similarity[np.ix_(self.left[:, left], self.right[:, right])].astype(float)

    def of_rows(self, left: int, right: int) -> _Scores:
        """Column by column, likewise."""
        return self._similarity[np.ix_(self.left[left], self.right[right])].astype(float)

    def total(
        self, rows: tuple[list[int], list[int]], columns: tuple[list[int], list[int]]
    ) -> float:
        """The sum over the cells where aligned rows and columns meet."""
        left = self.left[np.ix_(rows[0], columns[0])]
        right = self.right[np.ix_(rows[1], columns[1])]
        return float(self._similarity[left, right].sum(dtype=float))


def _numbered_texts(grid: TextGrid) -> tuple[npt.NDArray[np.intp], list[str]]:
    numbers: dict[str, int] = {}
    cells = [
        [numbers.setdefault(comparable_cell(text), len(numbers)) for text in row] for row in grid
    ]
    return np.array(cells, dtype=np.intp), list(numbers)


def _alignment_scores(rewards: _CellRewards, *, by_row: bool) -> _Scores:
    """For each pair of rows (or columns): the best alignment of their cells, in order.

    With the reward r of two cells, the longest common subsequence by dynamic programming, of all
    pairs of rows at once:

        S(i, j) = max(S(i−1, j−1) + r(i, j), S(i−1, j), S(i, j−1))

    Returns:
        Shape (rows of the left table, rows of the right one), or of columns.
    """
    left, right = rewards.left, rewards.right
    axis = 1 if by_row else 0
    shape = (left.shape[1 - axis], right.shape[1 - axis])
    rewards_at = rewards.of_columns if by_row else rewards.of_rows
    previous = [np.zeros(shape) for _ in range(right.shape[axis] + 1)]
    for i in range(left.shape[axis]):
        scores = [np.zeros(shape)]
        for j in range(right.shape[axis]):
            best = np.maximum(previous[j] + rewards_at(i, j), previous[j + 1])
            scores.append(np.maximum(best, scores[j]))
        previous = scores
    return previous[-1]


def _aligned_indices(rewards: _Scores, *, prefer_left: bool) -> tuple[list[int], list[int]]:
    """The best alignment of two sequences in order, given the reward of each pair.

    Args:
        rewards: shape (left, right).
        prefer_left: which sequence drops an item first where both ways are equally good.

    Returns:
        The aligned indices of both sequences, each ascending.
    """
    n_left, n_right = rewards.shape
    scores = np.zeros((n_left + 1, n_right + 1))
    for i, j in np.ndindex(n_left, n_right):
        scores[i + 1, j + 1] = max(scores[i, j] + rewards[i, j], scores[i, j + 1], scores[i + 1, j])
    pairs = []
    i, j = n_left, n_right
    while i and j:
        if scores[i, j] == scores[i - 1, j - 1] + rewards[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif scores[i, j] == (scores[i - 1, j] if prefer_left else scores[i, j - 1]):
            i, j = (i - 1, j) if prefer_left else (i, j - 1)
        else:
            i, j = (i, j - 1) if prefer_left else (i - 1, j)
    pairs.reverse()
    return [i for i, _ in pairs], [j for _, j in pairs]
