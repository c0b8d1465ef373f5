"""Values of fields as exports write them."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.protocols.fields import Value

Set = bool | int | float | str | tuple[str, ...]
"""A value that is not None."""


def as_text(value: bool | int | float | str) -> str:
    """A single value as text; a number with all its digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def plain(value: Value) -> Any:
    """A value as JSON has it."""
    return list(value) if isinstance(value, tuple) else value
