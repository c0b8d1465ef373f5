"""A model's elements."""

from __future__ import annotations

from pagetrail.annotation.geometry.element import Element

PAGE = {"document": "b.pdf", "page": 2}
RECT = (10.0, 20.5, 110.25, 60.0)


def element(number: int = 1, **changes: object) -> Element:
    """A model's element on page 2 of b.pdf."""
    values = {
        "id": f"m{number}",
        **PAGE,
        "rect": RECT,
        "label": "Text",
        "content": f"paragraph {number}",
        "order": number,
        "attributes": {"bold": "yes"},
        "score": 0.75,
    }
    return Element.model_validate(values | changes)
