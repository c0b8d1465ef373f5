"""Samples that rows of a file bring with them."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.tasks.drawn_tasks import take_samples

SAMPLE = {
    "campaign": "Otters",
    "fields": ["verdict"],
    "seed": 7,
    "population": "0",
    "strata": [[["correct"], 9], [["undecided"], 2]],
    "stratum": ["correct"],
}


def test_the_sample_is_taken_out_of_the_rows() -> None:
    """Rows without one are tasks like others; the rest of a row stays."""
    file = TaskFile(
        [RawRow(1, {"id": "a", "pagetrail_sample": SAMPLE}), RawRow(2, {"id": "b", "sample": 3})]
    )
    taken, drawn = take_samples(file)
    assert [row.data for row in taken.rows] == [{"id": "a"}, {"id": "b", "sample": 3}]
    assert {line: task.stratum for line, task in drawn.items()} == {1: ("correct",)}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"stratum": ["wrong"]}, "stratum is not one of strata"),
        ({"fields": ["verdict", "system"]}, "strata need a value for each of fields"),
        ({"strata": [[["correct"], 0]]}, "pagetrail_sample: strata"),
        ({"seed": 8}, "is another sample than that of the rows before"),
        ({"weight": 2}, "pagetrail_sample: weight"),
    ],
)
def test_a_sample_that_cannot_be_used_is_named(change: dict[str, Any], reason: str) -> None:
    """Nothing of it is guessed: its row is an error with what is wrong."""
    rows = [
        {"id": "a", "pagetrail_sample": SAMPLE},
        {"id": "b", "pagetrail_sample": SAMPLE | change},
    ]
    taken, _ = take_samples(TaskFile([RawRow(n, row) for n, row in enumerate(rows, 1)]))
    (error,) = taken.errors
    assert error.line == 2 and reason in error.reason
