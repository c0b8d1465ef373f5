"""Write the table of coefficients of agreement in docs/metrics.md, from their classes.

Run as ``python -m scripts.coefficient_table``; a test fails if the page is out of date.
"""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation.agreement import COEFFICIENTS
from scripts.generated_text import with_generated_text

PAGE = Path(__file__).parents[1] / "docs" / "metrics.md"


def with_coefficient_table(page: str) -> str:
    """The page with its table of coefficients up to date."""
    lines = ["| key | coefficient | chance agreement `p_e` | source |", "|---|---|---|---|"]
    for key, coefficient in COEFFICIENTS.items():
        columns = (f"`{key}`", coefficient.name, coefficient.chance_formula, coefficient.source)
        lines.append(f"| {' | '.join(columns)} |")
    return with_generated_text(page, "coefficients", "\n".join(lines))


if __name__ == "__main__":
    PAGE.write_text(with_coefficient_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
