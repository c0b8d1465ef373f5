"""Pre-annotations in the plain form: one JSON object an element.

``{"document": "report.pdf", "page": 3, "rect": [x0, y0, x1, y1], "label": "Table"}`` is enough.
A box is ``rect`` (two corners) or ``bbox`` (x, y, width, height), in PDF points on the displayed
page unless ``unit`` says ``fraction`` (0–1 of the page) or ``pixels`` (of its image at ``dpi``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagetrail.storage.importers.files.json_positions import EACH, places
from pagetrail.storage.importers.files.rows import TaskFile
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    RawBox,
    RawElement,
    shown,
)

NAME = "JSON Lines of elements"
NAME_OF_LIST = "JSON list of elements"

_UNITS = ("points", "fraction", "pixels")


def looks_plain(row: Any) -> bool:
    """Whether a row can be an element: it has a box under one of the two names."""
    return isinstance(row, dict) and ("rect" in row or "bbox" in row)


def read_rows(path: str, file: TaskFile) -> PreannotationFile:
    """The elements of a file's rows, broken rows among them."""
    elements = [plain_element(row.data, row.line) for row in file.rows]
    elements += [RawElement(error.line, problem=error.reason) for error in file.errors]
    return PreannotationFile(path, NAME, sorted(elements, key=lambda element: element.line))


def read_list(path: str, text: str, data: Any) -> PreannotationFile:
    """The elements of a JSON list, or the one element that a JSON object is."""
    found = PreannotationFile(path, NAME_OF_LIST)
    lines = places(text, (EACH,)) if isinstance(data, list) else {}
    for index, item in enumerate(data if isinstance(data, list) else [data]):
        line, place = lines.get((index,), 1), f"[{index}]" if lines else ""
        if isinstance(item, dict):
            found.elements.append(plain_element(item, line, place))
        else:
            found.elements.append(RawElement(line, place, problem="is not a JSON object"))
    return found


def plain_element(data: Mapping[str, Any], line: int, place: str = "") -> RawElement:
    """The element in one object; unknown fields are passed over."""
    box, problem = _box(data)
    image = first(data, "image", "file_name")
    return RawElement(
        line,
        place,
        id=data.get("id"),
        document=first(data, "document", "file", "pdf"),
        page=first(data, "page", "page_number"),
        named_after=(image,) if isinstance(image, str) else (),
        box=box,
        label=first(data, "label", "class", "canonical_class"),
        content=first(data, "content", "text"),
        order=first(data, "order", "ro_index"),
        attributes=data.get("attributes"),
        score=first(data, "score", "confidence"),
        problem=problem,
    )


def first(data: Mapping[str, Any], *names: str) -> Any:
    """The value of the first of those fields that is there and not null."""
    return next((data[name] for name in names if data.get(name) is not None), None)


def _box(data: Mapping[str, Any]) -> tuple[RawBox | None, str | None]:
    rect, bbox = data.get("rect"), data.get("bbox")
    if rect is not None and bbox is not None:
        return None, "has both a rect and a bbox; one of them is enough"
    if rect is None and bbox is None:
        return None, "has neither a rect [x0, y0, x1, y1] nor a bbox [x, y, width, height]"
    unit = data.get("unit") or "points"
    if unit not in _UNITS:
        return None, f"unit: must be one of {', '.join(_UNITS)}, not {shown(unit)}"
    if unit == "pixels" and data.get("dpi") is None:
        return None, "dpi: is missing; pixels need the resolution of the page's image"
    box = RawBox(rect if bbox is None else bbox, bbox is not None, unit, data.get("dpi"))
    return box, None
