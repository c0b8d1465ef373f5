"""Reasons with counts are data in a table's frame, and text where it is written."""

from __future__ import annotations

import copy
import pickle

from pagetrail.exports.reports.model import Cell, Column, Table
from pagetrail.exports.reports.render.csv_text import csv_text


def test_reasons_with_counts_are_never_parsed() -> None:
    """A reason may have the signs that divide the text; copies and pickles keep the counts."""
    excluded = {"left: by hand; twice": 2, "undecided": 1}
    table = Table.from_rows(
        "t",
        "T",
        "T?",
        [Column("share", "Share", "share")],
        [{"share": Cell(0.5, excluded=excluded)}],
    )
    for same in (table, copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert same.rows[0].cells["share"].excluded == excluded
    assert "left: by hand; twice: 2; undecided: 1" in csv_text(table)
