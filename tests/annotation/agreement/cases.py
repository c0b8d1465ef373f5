"""The carried reference tables, decoded."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagetrail.annotation.agreement import Level, Weights

Table = list[list[Any]]


@dataclass(frozen=True)
class Case:
    """One table under one choice of weights and level, see ``agreement_cases.json``."""

    name: str
    ratings: Table
    categories: list[Any]
    weights: Weights
    level: Level | None
    raters_known: bool
    expected: dict[str, dict[str, Any]]
    se_corrected: dict[str, float]
    published: dict[str, Any]
    undefined: dict[str, str]


def load() -> list[Case]:
    """All carried cases."""
    path = Path(__file__).with_name("agreement_cases.json")
    reference = json.loads(path.read_text(encoding="utf-8"))
    return [
        Case(
            name=case["name"],
            ratings=decoded(reference["tables"][case["table"]], case["categories"]),
            categories=case["categories"],
            weights=case["weights"],
            level=case["level"],
            raters_known=case["raters_known"],
            expected=case["expected"],
            se_corrected=case.get("se_corrected", {}),
            published=case.get("published", {}),
            undefined=case.get("undefined", {}),
        )
        for case in reference["cases"]
    ]


def decoded(units: str, categories: list[Any]) -> Table:
    """Units of one character a rater: the place of the category, or ``.`` for no rating."""
    table: Table = []
    for unit in units.split():
        marks, _, times = unit.partition("*")
        row = [None if mark == "." else categories[int(mark)] for mark in marks]
        table += [list(row) for _ in range(int(times or 1))]
    return table
