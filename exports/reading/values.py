"""Field values as written in exports."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.protocols.fields import Value

PresentValue = bool | int | float | str | tuple[str, ...]
"""A value that is not None."""


def as_text(value: bool | int | float | str) -> str:
    """A single value as text; numbers with all digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def json_value(value: Value) -> Any:
    """A value as it appears in JSON."""
    return list(value) if isinstance(value, tuple) else value
