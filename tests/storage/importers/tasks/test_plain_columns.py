"""Rows as people write them in a spreadsheet: ids from the content, pages in columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.tasks.plain_columns import collect_references
from tests.storage.search.generated_corpus import pages, register


@pytest.mark.parametrize(
    ("page", "numbers"),
    [("3", [3]), (3.0, [3]), ("3; 5", [3, 5]), ("1-3,7", [1, 2, 3, 7]), (" 2 – 2 ", [2])],
)
def test_pages_in_a_column(page: Any, numbers: list[int]) -> None:
    """Single ones, several, and ranges."""
    row = collect_references({"evidence_document": "a.pdf", "evidence_page": page})
    assert row == {"evidence": [{"document": "a.pdf", "page": number} for number in numbers]}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"evidence_page": "3"}, "evidence_document: is empty"),
        ({"candidate_document": "a.pdf"}, "candidate_page: is empty"),
        ({"evidence_document": "a.pdf", "evidence_page": "iii"}, "must be pages such as 3"),
        ({"evidence_document": "a.pdf", "evidence_page": "7-3"}, "7-3 is not a range of pages"),
        ({"evidence_document": "a.pdf", "evidence_page": "1-99999999"}, "is not a range of pages"),
        ({"evidence_document": "a", "evidence_page": "1", "evidence": [1]}, "is given twice"),
    ],
)
def test_columns_that_name_no_page(row: dict[str, Any], message: str) -> None:
    """What is wrong is said with the column."""
    with pytest.raises(ValueError, match=message):
        collect_references(row)


def test_rows_without_ids_get_the_same_ones_every_time(
    workspace: Workspace, tmp_path: Path
) -> None:
    """So that a file sent twice, or a row that it holds twice, is noticed."""
    register(workspace, pages(3))
    name = pages(3)[0][0]
    file = tmp_path / "questions.csv"
    row = f"Who?,Ada,{name},1\n"
    file.write_text(f"question,answer,evidence_document,evidence_page\n{row}When?,,,\n{row}")
    report = import_tasks(workspace, file, campaign="c", skip_bad=True)
    assert report.imported == 2
    assert [(bad.line, bad.reason) for bad in report.bad] == [(4, "this row is the same as line 2")]
    second_report = import_tasks(workspace, file, campaign="c", skip_bad=True)
    assert (
        second_report.imported == 0
        and second_report.bad[0].reason == "campaign c has this row already"
    )
