"""Which fields of a file an importer does not keep, by name and count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pagetrail.storage.database.storable_text import clean_text, printable

Kept = Mapping[str, "Kept | None"]
"""Fields that are kept: None for all that one holds, a mapping for an object or a list of them."""

MAX_NAMES = 200
"""Different names that are counted; the names come from the file, which may have any number."""

OTHER_NAMES = "fields of other names"
_MAX_NAME = 120
_MAX_DEPTH = 30


class FieldCounts:
    """Fields that are not kept: name → how often they occur."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts: dict[str, int] = dict(counts or {})

    def add(self, name: str, count: int = 1) -> None:
        """Count a field; beyond ``MAX_NAMES`` under ``OTHER_NAMES``."""
        name = printable(clean_text(name[:_MAX_NAME])[0])
        if name not in self._counts and len(self._counts) >= MAX_NAMES:
            name = OTHER_NAMES
        self._counts[name] = self._counts.get(name, 0) + count

    def add_all(self, counts: Mapping[str, int]) -> None:
        """Add counts that were made elsewhere."""
        for name, count in counts.items():
            self.add(name, count)

    def add_unkept(self, value: Any, kept: Kept, where: str = "") -> None:
        """Count what an object has beside the fields that are kept.

        Empty values (null, "", [], {}) say nothing and are not counted.

        Args:
            value: an object, or a list of objects, as JSON has them.
            where: its name, such as ``steps[]``.
        """
        self._walk(value, kept, where, 0)

    def _walk(self, value: Any, kept: Kept, where: str, depth: int) -> None:
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    self._walk(item, kept, f"{where}[]", depth + 1)
            return
        if not isinstance(value, dict) or depth > _MAX_DEPTH:
            return
        for name, inner in value.items():
            if _is_empty(inner):
                continue
            path = f"{where}.{name}" if where else str(name)
            if name not in kept:
                self.add(path)
            elif (fields := kept[name]) is not None:
                self._walk(inner, fields, path, depth + 1)

    def counts(self) -> dict[str, int]:
        """The counts, in the order in which the names came up."""
        return dict(self._counts)


def unkept_columns(rows: Iterable[Mapping[str, Any]], kept: Kept) -> dict[str, int]:
    """Fields of rows that are not kept: name → how often they occur."""
    counts = FieldCounts()
    for row in rows:
        counts.add_unkept(row, kept)
    return counts.counts()


def unkept_sentence(counts: Mapping[str, int]) -> str:
    """The counts as one line: ``logprobs (12), usage.details (3)``."""
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
