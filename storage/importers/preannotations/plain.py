"""Pre-annotations in the plain form: one JSON object an element.

``{"document": "report.pdf", "page": 3, "rect": [x0, y0, x1, y1], "label": "Table"}`` is enough.
A box is ``rect`` (two corners) or ``bbox`` (x, y, width, height), in PDF points on the displayed
page unless ``unit`` says ``fraction`` (0–1 of the page) or ``pixels`` (of its image at ``dpi``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from pagetrail.storage.importers.files.field_types import MaybeText, first_of
from pagetrail.storage.importers.files.json_positions import EACH, places
from pagetrail.storage.importers.files.kept_fields import Kept
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.raw_elements import (
    GIVEN,
    GivenFields,
    PreannotationFile,
)

NAME = "JSON Lines of elements"
NAME_OF_LIST = "JSON list of elements"


_KEPT: Kept = {
    **GIVEN,
    **dict.fromkeys(("document", "file", "pdf", "page", "page_number", "image", "file_name")),
    **dict.fromkeys(("label", "class", "canonical_class", "confidence", "rect", "bbox", "unit")),
    "dpi": None,
}


class _Element(GivenFields):
    """An element, whatever names a tool gives to its fields."""

    document: Any = first_of("document", "file", "pdf")
    page: Any = first_of("page", "page_number")
    image: MaybeText = first_of("image", "file_name")
    label: Any = first_of("label", "class", "canonical_class")
    score: Any = first_of("score", "confidence")
    rect: Any = None
    bbox: Any = None
    unit: Annotated[
        Literal["points", "fraction", "pixels"], BeforeValidator(lambda unit: unit or "points")
    ] = "points"
    dpi: Any = None

    @model_validator(mode="after")
    def _has_one_box(self) -> _Element:
        if self.rect is not None and self.bbox is not None:
            raise ValueError("has both a rect and a bbox; one of them is enough")
        if self.rect is None and self.bbox is None:
            raise ValueError("has neither a rect [x0, y0, x1, y1] nor a bbox [x, y, width, height]")
        if self.unit == "pixels" and self.dpi is None:
            raise ValueError("dpi: is missing; pixels need the resolution of the page's image")
        return self


def looks_plain(row: Any) -> bool:
    """Whether a row can be an element: it has a box under one of the two names."""
    return isinstance(row, dict) and ("rect" in row or "bbox" in row)


def read_row(found: PreannotationFile, row: RawRow) -> None:
    """Add the element in a row of JSON Lines."""
    found.not_kept.add_unkept(row.data, _KEPT)
    found.add(plain_fields, row.data, row.line, "")


def read_list(path: str, text: str, data: Any) -> PreannotationFile:
    """The elements of a JSON list, or the one element that a JSON object is."""
    found = PreannotationFile(path, NAME_OF_LIST)
    found.not_kept.add_unkept(data, _KEPT)
    if isinstance(data, dict):
        found.add(plain_fields, data, 1, "")
        return found
    lines = places(text, (EACH,))
    for index, item in enumerate(data):
        found.add(plain_fields, item, lines.get((index,), 1), f"[{index}]")
    return found


def plain_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``RawElement`` in an object; unknown ones are passed over.

    Raises:
        ValidationError: it has no box, or two, or a unit that is none.
    """
    return dict(_Element.model_validate(data))
