"""Write the tables of docs/metrics.md that follow from classes: coefficients and cases of the rule.

Run as ``python -m scripts.metric_tables``; a test fails if the page is out of date.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pagetrail.annotation.agreement import COEFFICIENTS
from pagetrail.annotation.answers.cases import CASES
from scripts.generated_text import with_generated_text

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"


def with_metric_tables(page: str) -> str:
    """The page with its tables up to date."""
    coefficients = [
        (f"`{key}`", coefficient.name, coefficient.chance_formula, coefficient.source)
        for key, coefficient in COEFFICIENTS.items()
    ]
    head = ("key", "coefficient", "chance agreement `p_e`", "source")
    page = with_generated_text(page, "coefficients", _table(head, coefficients))
    cases = [(f"`{case.name}`", case.applies, case.correct, case.incorrect) for case in CASES]
    head = ("`decided_by`", "compares", "correct", "incorrect")
    return with_generated_text(page, "cases", _table(head, cases))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(
        f"|{'|'.join(line)}|" if line[0] == "---" else f"| {' | '.join(line)} |" for line in lines
    )


if __name__ == "__main__":
    PAGE.write_text(with_metric_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
