"""CSV files that people open in a spreadsheet; cells of data files that one would compute."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def spreadsheet_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV that Excel opens with every letter: UTF-8 with a byte order mark. Texts are guarded."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([guarded(column) for column in columns])
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue().encode("utf-8-sig", "backslashreplace")


def guarded(text: str) -> str:
    """The text, after an apostrophe if a spreadsheet would run it as a formula."""
    return f"'{text}" if _is_formula(text) else text


def count_formulas(file: Path) -> int:
    """Cells of a CSV file that a spreadsheet would compute, numbers excepted."""
    csv.field_size_limit(max(csv.field_size_limit(), file.stat().st_size))
    with file.open(encoding="utf-8", newline="") as lines:
        return sum(
            _is_formula(cell) and not _NUMBER.fullmatch(cell)
            for row in csv.reader(lines)
            for cell in row
        )


def _is_formula(text: str) -> bool:
    return text.lstrip(" ").startswith(_FORMULA)
