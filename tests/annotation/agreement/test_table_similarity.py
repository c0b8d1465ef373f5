"""Similarity of tables, against loops over every matching and every alignment."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.agreement.table_similarity import (
    cell_f1,
    grits_content,
    table_record_match,
)

CELLS = st.sampled_from(["", "1", "12", "21", "abc"])
RECORDS = st.lists(st.dictionaries(st.sampled_from("xyz"), CELLS, max_size=3), max_size=4)
SHAPES = st.tuples(st.integers(1, 3), st.integers(1, 3))
GRIDS = SHAPES.flatmap(
    lambda shape: st.lists(
        st.lists(CELLS, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)

Record = dict[str, str]


def record_similarity(left: Record, right: Record) -> float:
    either = left.keys() | right.keys()
    return equal_cells(left, right) / len(either) if either else 0.0


def equal_cells(left: Record, right: Record) -> int:
    return sum(left[header] == right[header] for header in left.keys() & right.keys())


def best_matching(left: list[Record], right: list[Record], similarity: object) -> float:
    """The best sum over all ways to pair the shorter list's records with the longer one's."""
    assert callable(similarity)
    short, long = sorted((left, right), key=len)
    return max(
        sum(similarity(record, other) for record, other in zip(short, order, strict=True))
        for order in permutations(long, len(short))
    )


@given(RECORDS, RECORDS)
def test_records_against_every_matching(left: list[Record], right: list[Record]) -> None:
    match, f1 = table_record_match(left, right), cell_f1(left, right)
    if not left and not right:
        assert match is None and f1 is None
        return
    expected = best_matching(left, right, record_similarity) / max(len(left), len(right))
    assert match == pytest.approx(expected)
    n_cells = sum(map(len, left)) + sum(map(len, right))
    equal = best_matching(left, right, equal_cells)
    assert f1 == (pytest.approx(2 * equal / n_cells) if n_cells else None)
    assert table_record_match(right, left) == pytest.approx(match)
    assert cell_f1(right, left) == f1


def common_length(left: str, right: str) -> int:
    """Length of the longest common subsequence."""
    if not left or not right:
        return 0
    if left[0] == right[0]:
        return 1 + common_length(left[1:], right[1:])
    return max(common_length(left[1:], right), common_length(left, right[1:]))


@cache
def cell_similarity(left: str, right: str) -> float:
    length = len(left) + len(right)
    return 2 * common_length(left, right) / length if length else 1.0


def subsequences(length: int) -> list[tuple[int, ...]]:
    return [
        tuple(i for i, kept in enumerate(flags) if kept)
        for flags in product((False, True), repeat=length)
    ]


def most_similar_substructures(left: list[list[str]], right: list[list[str]]) -> float:
    """Over all choices of rows and columns: what the published measure approximates."""
    best = 0.0
    for rows, other_rows in product(subsequences(len(left)), subsequences(len(right))):
        if len(rows) != len(other_rows):
            continue
        for columns, other_columns in product(
            subsequences(len(left[0])), subsequences(len(right[0]))
        ):
            if len(columns) == len(other_columns):
                best = max(
                    best,
                    sum(
                        cell_similarity(left[i][k], right[j][m])
                        for i, j in zip(rows, other_rows, strict=True)
                        for k, m in zip(columns, other_columns, strict=True)
                    ),
                )
    cells = len(left) * len(left[0]) + len(right) * len(right[0])
    return 2 * best / cells


@given(GRIDS, GRIDS)
def test_grits_is_a_symmetric_lower_bound(left: list[list[str]], right: list[list[str]]) -> None:
    grits = grits_content(left, right)
    assert grits is not None
    assert grits == pytest.approx(grits_content(right, left))
    assert grits <= most_similar_substructures(left, right) + 1e-6


@given(GRIDS)
def test_a_table_is_like_itself(grid: list[list[str]]) -> None:
    assert grits_content(grid, grid) == pytest.approx(1)


HEADER = ["Country", "2003", "2004"]
ROWS = [["Sweden", "10", "12"], ["Spain", "20", "24"]]


def records(header: list[str], rows: list[list[str]]) -> list[Record]:
    return [dict(zip(header, row, strict=True)) for row in rows]


def test_order_of_rows_and_columns_matters_by_position_only() -> None:
    """Zhang et al. 2026, figure 9b: the same records in another order."""
    reversed_header = HEADER[::-1]
    reversed_rows = [row[::-1] for row in ROWS[::-1]]
    left, right = records(HEADER, ROWS), records(reversed_header, reversed_rows)
    assert table_record_match(left, right) == cell_f1(left, right) == 1
    by_position = grits_content([HEADER, *ROWS], [reversed_header, *reversed_rows])
    assert by_position is not None and by_position < 0.75


def test_swapped_headers_matter_to_records() -> None:
    """Figure 9a: the same cells below the wrong headers."""
    swapped = ["Country", "2004", "2003"]
    left, right = records(HEADER, ROWS), records(swapped, ROWS)
    assert table_record_match(left, right) == pytest.approx(1 / 3)
    assert cell_f1(left, right) == pytest.approx(1 / 3)
    by_position = grits_content([HEADER, *ROWS], [swapped, *ROWS])
    assert by_position is not None and by_position > 0.9


def test_a_missing_row_and_an_empty_table() -> None:
    left = records(HEADER, ROWS)
    assert table_record_match(left, left[:1]) == 0.5
    assert cell_f1(left, left[:1]) == pytest.approx(2 * 3 / 9)
    assert grits_content(ROWS, ROWS[:1]) == pytest.approx(2 * 3 / 9)
    assert table_record_match(left, []) == cell_f1(left, []) == grits_content(ROWS, []) == 0
    assert table_record_match([], []) is cell_f1([], []) is grits_content([], []) is None


def test_space_and_composition_make_no_difference() -> None:
    left, right = [{"Caf\u00e9  price": "10\n%"}], [{"Cafe\u0301 price": " 10 %"}]
    assert table_record_match(left, right) == cell_f1(left, right) == 1
    assert cell_f1([{"x": "1,000"}], [{"x": "1000"}]) == 0


def test_headers_that_differ_in_space_alone_stay_two() -> None:
    left = [{"x": "1", "x ": "2"}]
    assert table_record_match(left, left) == cell_f1(left, left) == 1
    assert cell_f1(left, [{"x": "1"}]) == pytest.approx(2 / 3)
