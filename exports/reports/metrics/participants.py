"""The participants of a metrics report: people together, people one by one, systems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.exports.reports.metrics.input_rows import Measured

HUMANS = "Humans"

SideKind = Literal["humans", "condition", "annotator", "system"]


@dataclass(frozen=True)
class Side:
    """One line of the tables.

    Attributes:
        name: unique in the report.
        rows: of answerable tasks, in the order of the campaign.
        unanswerable: rows of the others.
    """

    name: str
    kind: SideKind
    rows: Sequence[Row]
    unanswerable: Sequence[Row]

    @property
    def decided(self) -> list[Row]:
        """The rows of which it is known whether the answer is right."""
        return [row for row in self.rows if row.correct is not None]


def names(sides: Sequence[Side]) -> list[str]:
    """The participants' names in order, so that each has the same style in all charts."""
    return [side.name for side in sides]


def sides_of(found: Measured, *, by_annotator: bool, by_condition: bool = False) -> list[Side]:
    """People, then those under each condition and each annotator, where asked for, then systems.

    People are there too where nobody has worked, unless a system has.
    """
    people = found.people
    sides: list[Side] = []
    if people or not found.systems:
        sides.append(_side(HUMANS, "humans", people))
    if by_condition:
        for condition in sorted(set(found.conditions.values())):
            own = [row for row in people if found.conditions.get(row.attempt) == condition]
            sides.append(_side(f"{HUMANS}, {condition}", "condition", own))
    if by_annotator:
        for name in sorted({row.system for row in people}, key=_natural):
            sides.append(_side(name, "annotator", [row for row in people if row.system == name]))
    taken = {side.name for side in sides}
    for name in sorted(found.systems, key=_natural):
        label = f"{name} (system)" if name in taken else name
        sides.append(_side(label, "system", found.of_system(name)))
    return sides


def _side(name: str, kind: SideKind, rows: Iterable[Row]) -> Side:
    listed = list(rows)
    return Side(
        name=name,
        kind=kind,
        rows=[row for row in listed if not row.unanswerable],
        unanswerable=[row for row in listed if row.unanswerable],
    )


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """annotator-2 before annotator-10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts], name
