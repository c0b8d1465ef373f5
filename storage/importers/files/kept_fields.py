"""Counts the fields of a file that an importer does not keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pagetrail.storage.database.storable_text import clean_text, printable

KeptFields = Mapping[str, "KeptFields | None"]
"""Kept fields: None keeps the whole value, a mapping lists the kept fields inside it."""

MAX_NAMES = 200
"""Maximum number of distinct names; names come from the file, which may have any number."""

OTHER_NAMES = "fields of other names"
_MAX_NAME = 120
_MAX_DEPTH = 30


class FieldCounts:
    """Counts fields that are not kept, by name."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts: dict[str, int] = dict(counts or {})

    def add(self, name: str, count: int = 1) -> None:
        """Count a field; beyond ``MAX_NAMES`` under ``OTHER_NAMES``."""
        name = printable(clean_text(name[:_MAX_NAME])[0])
        if name not in self._counts and len(self._counts) >= MAX_NAMES:
            name = OTHER_NAMES
        self._counts[name] = self._counts.get(name, 0) + count

    def add_all(self, counts: Mapping[str, int]) -> None:
        """Add all counts of a mapping."""
        for name, count in counts.items():
            self.add(name, count)

    def add_unkept(self, value: Any, kept_fields: KeptFields, prefix: str = "") -> None:
        """Count the fields of an object that are not among the kept ones.

        Empty values (null, "", [], {}) are not counted.

        Args:
            value: a JSON object or a list of objects.
            prefix: name of the value, such as ``steps[]``.
        """
        self._walk(value, kept_fields, prefix, 0)

    def _walk(self, value: Any, kept_fields: KeptFields, prefix: str, depth: int) -> None:
        if isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    self._walk(item, kept_fields, f"{prefix}[]", depth + 1)
            return
        if not isinstance(value, dict) or depth > _MAX_DEPTH:
            return
        for name, field_value in value.items():
            if _is_empty(field_value):
                continue
            name_path = f"{prefix}.{name}" if prefix else str(name)
            if name not in kept_fields:
                self.add(name_path)
            elif (inner_fields := kept_fields[name]) is not None:
                self._walk(field_value, inner_fields, name_path, depth + 1)

    def counts(self) -> dict[str, int]:
        """Name → count, in order of first occurrence."""
        return dict(self._counts)


def count_unkept_columns(
    rows: Iterable[Mapping[str, Any]], kept_fields: KeptFields
) -> dict[str, int]:
    """Count the fields of rows that are not kept, by name."""
    counts = FieldCounts()
    for row in rows:
        counts.add_unkept(row, kept_fields)
    return counts.counts()


def format_counts(counts: Mapping[str, int]) -> str:
    """The counts as text: ``logprobs (12), usage.details (3)``."""
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
