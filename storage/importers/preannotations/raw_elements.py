"""What the readers of pre-annotations have in common: elements as they stand in a file."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


class Problem(ValueError):
    """Why an element is not imported."""


@dataclass(frozen=True)
class RawBox:
    """A box as a file gives it; nothing in it is checked.

    Attributes:
        values: four numbers: two corners, or a corner with width and height.
        sized: whether the last two are width and height.
        dpi: resolution, for ``pixels``.
        image: width and height of the page's image, for ``image``.
    """

    values: Any
    sized: bool
    unit: Any = "points"
    dpi: Any = None
    image: tuple[Any, Any] | None = None


@dataclass(frozen=True)
class RawElement:
    """An element as a file gives it, in the names of ``annotation.geometry.element.Element``.

    Attributes:
        line: 1-based line on which it starts.
        place: where in the file, e.g. ``test_rules[12]``; empty where the line says it all.
        document, page: as the file states them; None where it does not.
        named_after: names from which document and page are derived where they are not stated:
            of the page's image, or of the file of pre-annotations itself.
        otherwise: document and page to take where ``named_after`` leads to no document.
        problem: why it cannot be read; nothing else of it is looked at then.
    """

    line: int
    place: str = ""
    id: Any = None
    document: Any = None
    page: Any = None
    named_after: tuple[str, ...] = ()
    otherwise: tuple[Any, Any] | None = None
    box: RawBox | None = None
    label: Any = None
    content: Any = None
    order: Any = None
    attributes: Any = None
    score: Any = None
    problem: str | None = None


@dataclass(frozen=True)
class BadElement:
    """An element, or a whole file, that is not imported.

    Attributes:
        file: path as given.
        line: 1-based; None for a whole file.
        place: see ``RawElement``.
        id: the element's id, where it could be read.
    """

    file: str
    line: int | None
    place: str
    id: str | None
    reason: str


@dataclass
class PreannotationFile:
    """What one file holds.

    Attributes:
        path: as given.
        format: which of the formats it is, as a person calls it.
        elements: in the order of the file.
        left_out: what else the file holds, by kind, counted; no errors.
        notes: sentences about how the file was read.
    """

    path: str
    format: str
    elements: list[RawElement] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def shown(value: Any, limit: int = 60) -> str:
    """A value of a file as a sentence shows it: short, and printable."""
    if isinstance(value, list | tuple):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, int) and value.bit_length() > 600:
        # Python refuses to write an integer of thousands of digits as text.
        return "a huge number"
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    text = repr(value[: limit + 1]) if isinstance(value, str) else str(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= limit else text[:limit] + "…"


def whole(text: str, field: str) -> str:
    """The text, if it is one that can be stored.

    Raises:
        Problem: it holds half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Problem(
            f"{field}: holds half of a surrogate pair (such as \\ud800), which is not a character"
        ) from error
    return text
