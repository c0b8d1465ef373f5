"""CSV files that people open in a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.exports.writing.spreadsheet_csv import count_formulas, spreadsheet_csv


def test_excel_reads_every_letter_and_runs_no_text() -> None:
    """Excel takes a file without a byte order mark for one of the machine's own code page."""
    content = spreadsheet_csv(("name", "pay"), [("Zoë", -1.5), ("=1+1", None), (" @A1", "a,b")])
    assert content == "\ufeffname,pay\nZoë,-1.5\n'=1+1,\n' @A1,\"a,b\"\n".encode()


@pytest.mark.parametrize(
    ("cells", "count"),
    [
        ("system,score\nm/1,-0.5\n", 0),
        ("+1.5,-2,.5,-1e-05\n", 0),
        ("=HYPERLINK(A1),@a,-cos(1)\n plain, +x\n", 4),
        (f'"{"x" * 200_000}","\n=1"\n', 1),
    ],
)
def test_cells_that_a_spreadsheet_would_compute(cells: str, count: int, tmp_path: Path) -> None:
    """Numbers are none, however long other cells are."""
    (tmp_path / "data.csv").write_text(cells, encoding="utf-8")
    assert count_formulas(tmp_path / "data.csv") == count
