"""Pre-annotations as plain JSON objects, one per element.

``{"document": "report.pdf", "page": 3, "rect": [x0, y0, x1, y1], "label": "Table"}`` is enough.
A box is ``rect`` (two corners) or ``bbox`` (x, y, width, height), in PDF points on the displayed
page unless ``unit`` is ``fraction`` (0–1 of the page) or ``pixels`` (of its image at ``dpi``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.importers.files.field_types import MaybeText, first_alias, objects_of
from pagetrail.storage.importers.files.json_positions import EVERY_ITEM, value_lines
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.raw_elements import (
    COMMON_FIELDS,
    CommonFields,
    PreannotationFile,
    PreannotationFormat,
)

ROWS_NAME = "JSON Lines of elements"


_KEPT_FIELDS: KeptFields = {
    **COMMON_FIELDS,
    **dict.fromkeys(("document", "file", "pdf", "page", "page_number", "image", "file_name")),
    **dict.fromkeys(("label", "class", "canonical_class", "confidence", "rect", "bbox", "unit")),
    "dpi": None,
}


class _Element(CommonFields):
    """An element; fields may have the names that various tools use."""

    document: Any = first_alias("document", "file", "pdf")
    page: Any = first_alias("page", "page_number")
    image: MaybeText = first_alias("image", "file_name")
    label: Any = first_alias("label", "class", "canonical_class")
    score: Any = first_alias("score", "confidence")
    rect: Any = None
    bbox: Any = None
    unit: Annotated[
        Literal["points", "fraction", "pixels"], BeforeValidator(lambda unit: unit or "points")
    ] = "points"
    dpi: Any = None
    task: Any = None

    @model_validator(mode="after")
    def _has_one_box(self) -> _Element:
        if self.rect is not None and self.bbox is not None:
            raise ValueError("has both a rect and a bbox; one of them is enough")
        if self.rect is None and self.bbox is None:
            raise ValueError("has neither a rect [x0, y0, x1, y1] nor a bbox [x, y, width, height]")
        if self.unit == "pixels" and self.dpi is None:
            raise ValueError("dpi: is missing; pixels need the resolution of the page's image")
        return self


def element_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of ``RawElement`` in an object; unknown fields are ignored.

    Raises:
        ValidationError: no box, two boxes, or an unknown unit.
    """
    return dict(_Element.model_validate(data))


def _has_box(item: Any) -> bool:
    return isinstance(item, dict) and ("rect" in item or "bbox" in item)


def _matches(data: Any) -> bool:
    return _has_box(data) or (isinstance(data, list) and any(map(_has_box, data)))


def _read(file: PreannotationFile, text: str, data: Any, annotator: str | None) -> None:
    """Add the elements of a JSON list, or the element of a JSON object."""
    file.not_kept.add_unkept(data, _KEPT_FIELDS)
    if isinstance(data, dict):
        file.add(element_fields, data, 1)
        return
    if all("image_id" in item for item in objects_of(data)):
        raise InputFileError(
            gettext(
                "{path} is a list of COCO results, which does not say what its images "
                "show. Give COCO JSON with images, annotations and categories.",
                path=file.path,
            )
        )
    lines = value_lines(text, (EVERY_ITEM,))
    for index, item in enumerate(data):
        file.add(element_fields, item, lines.get((index,), 1), f"[{index}]")


def _read_row(file: PreannotationFile, row: RawRow) -> None:
    file.not_kept.add_unkept(row.data, _KEPT_FIELDS)
    file.add(element_fields, row.data, row.line)


FORMAT = PreannotationFormat(
    "JSON list of elements", _matches, _read, ROWS_NAME, _has_box, _read_row
)
