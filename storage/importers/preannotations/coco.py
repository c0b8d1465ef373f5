"""Pre-annotations in COCO's object detection format.

``bbox`` is x, y, width and height in pixels of its image, which is taken to show the whole page.
The page comes from the image's ``original_filename`` and ``page_no`` (from 1), or its
``file_name``. Source: cocodataset.org, "Data format"; the page fields are those of DocLayNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagetrail.storage.importers.files.json_positions import EACH, places
from pagetrail.storage.importers.preannotations.plain import first
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    RawBox,
    RawElement,
    shown,
)

NAME = "COCO JSON"


def is_coco(data: Any) -> bool:
    """Whether a JSON value has the two lists that COCO files have."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("images"), list)
        and isinstance(data.get("annotations"), list)
    )


def read_coco(path: str, text: str, data: Mapping[str, Any]) -> PreannotationFile:
    """The annotations; outlines of regions are passed over, their boxes count."""
    found = PreannotationFile(path, NAME)
    lines = places(text, ("annotations", EACH))
    images, doubled = _by_id(data["images"])
    categories, _ = _by_id(data.get("categories"))
    outlines = 0
    for index, annotation in enumerate(data["annotations"]):
        line, place = lines.get((index,), 1), f"annotations[{index}]"
        if not isinstance(annotation, dict):
            found.elements.append(RawElement(line, place, problem="is not a JSON object"))
            continue
        outlines += bool(annotation.get("segmentation")) and annotation.get("bbox") is not None
        found.elements.append(_element(annotation, line, place, images, doubled, categories))
    if outlines:
        found.notes.append(
            f"Annotations whose outline was passed over for their box: {outlines:,}."
        )
    return found


def _element(
    annotation: Mapping[str, Any],
    line: int,
    place: str,
    images: Mapping[Any, Mapping[str, Any]],
    doubled: set[Any],
    categories: Mapping[Any, Mapping[str, Any]],
) -> RawElement:
    identifier = annotation.get("id")

    def bad(problem: str) -> RawElement:
        return RawElement(line, place, id=identifier, problem=problem)

    image_id = _key(annotation.get("image_id"))
    image = images.get(image_id)
    if image is None:
        return bad(f"image_id: there is no image {shown(annotation.get('image_id'))} in the file")
    if image_id in doubled:
        return bad(f"image_id: the file has more than one image {shown(image_id)}")
    label: Any = None
    if annotation.get("category_id") is not None:
        category = categories.get(_key(annotation["category_id"]))
        if category is None:
            number = shown(annotation["category_id"])
            return bad(f"category_id: there is no category {number} in the file")
        label = category.get("name")
    elif isinstance(annotation.get("category"), str):
        label = annotation["category"]
    if annotation.get("bbox") is None:
        return bad("bbox: is missing")
    name = image.get("file_name")
    return RawElement(
        line,
        place,
        id=identifier,
        document=image.get("original_filename"),
        page=image.get("page_no"),
        named_after=(name,) if isinstance(name, str) else (),
        box=RawBox(
            annotation["bbox"],
            sized=True,
            unit="image",
            image=(image.get("width"), image.get("height")),
        ),
        label=label,
        content=first(annotation, "content", "text"),
        order=first(annotation, "order", "ro_index"),
        attributes=annotation.get("attributes"),
        score=annotation.get("score"),
    )


def _by_id(items: Any) -> tuple[dict[Any, Mapping[str, Any]], set[Any]]:
    """Objects by their id, and the ids that several have."""
    found: dict[Any, Mapping[str, Any]] = {}
    doubled = set()
    for item in items if isinstance(items, list) else []:
        key = _key(item.get("id")) if isinstance(item, dict) else None
        if key is None:
            continue
        if key in found:
            doubled.add(key)
        found[key] = item
    return found, doubled


def _key(value: Any) -> Any:
    """An id that can be looked up; None for what cannot be one."""
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
