"""Pre-annotations in COCO's object detection format.

``bbox`` is x, y, width and height in pixels of its image, which has to show the whole page. The
page is the image's ``original_filename`` and ``page_no`` (from 1), or follows from ``file_name``.
An image without annotations is a page without elements.
Rotated boxes are refused, whether the angle is a field or, as in CVAT and Datumaro, an attribute.
Source: cocodataset.org, "Data format"; the page fields are those of DocLayNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import StrictInt, StrictStr, ValidationError

from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.importers.files.field_types import (
    LenientModel,
    MaybeText,
    list_or_empty,
    objects_of,
)
from pagetrail.storage.importers.files.json_positions import EVERY_ITEM, value_lines
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.preannotations.raw_elements import (
    COMMON_FIELDS,
    CommonFields,
    PreannotationFile,
    PreannotationFormat,
    read_element,
    require_upright,
)

_KEPT_FIELDS: KeptFields = {
    "images": dict.fromkeys(("id", "file_name", "original_filename", "page_no", "width", "height")),
    "categories": dict.fromkeys(("id", "name")),
    "annotations": {
        **COMMON_FIELDS,
        **dict.fromkeys(("image_id", "category_id", "category", "bbox", "annotator", "verdict")),
        # The area follows from the box; a note counts the outlines.
        **dict.fromkeys(("area", "segmentation")),
    },
}

_ObjectId = StrictInt | StrictStr


class _IdentifiedObject(LenientModel):
    id: _ObjectId


class _Image(_IdentifiedObject):
    """An image of a page."""

    file_name: MaybeText = None
    original_filename: Any = None
    page_no: Any = None
    width: Any = None
    height: Any = None
    task: Any = None


class _Category(_IdentifiedObject):
    name: Any = None


class _Annotation(CommonFields):
    image_id: Any = None
    category_id: Any = None
    category: MaybeText = None
    bbox: Any
    segmentation: Any = None
    task: Any = None


_AnyIdentified = TypeVar("_AnyIdentified", bound=_IdentifiedObject)


def _is_coco(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and isinstance(data.get("images"), list)
        and isinstance(data.get("annotations"), list)
    )


def _read(file: PreannotationFile, text: str, data: Any, annotator: str | None) -> None:
    """Add the annotations; of outlines only the bounding box is read."""
    file.not_kept.add_unkept(data, _KEPT_FIELDS)
    annotators = {_annotator(item) for item in data["annotations"]} - {None}
    selected = file.select_annotator(map(str, annotators), annotator)
    images, categories = _by_id(data["images"], _Image), _by_id(data.get("categories"), _Category)
    outline_count = 0

    def read_fields(item: dict[str, Any]) -> dict[str, Any]:
        nonlocal outline_count
        annotation = _Annotation.model_validate(item)
        # In our own exports, which have no rotated boxes, attributes belong to the element.
        if _annotator(item) is None and isinstance(annotation.attributes, dict):
            require_upright(annotation.attributes)
        outline_count += bool(annotation.segmentation)
        fields = _element_fields(annotation, images, categories)
        return fields | {"attributes": _without_export_columns(item, fields["attributes"])}

    if selected is None:
        used = {_lookup_key(item.get("image_id")) for item in objects_of(data["annotations"])}
        lines = value_lines(text, ("images", EVERY_ITEM))
        for index, item in enumerate(data["images"]):
            if isinstance(item, dict) and _lookup_key(item.get("id")) not in used:
                file.empty_images.append(
                    read_element(_page_fields, item, lines.get((index,), 1), f"images[{index}]")
                )
    lines = value_lines(text, ("annotations", EVERY_ITEM))
    for index, item in enumerate(data["annotations"]):
        if selected is not None and _annotator(item) != selected:
            continue
        file.add(read_fields, item, lines.get((index,), 1), f"annotations[{index}]")
    if outline_count:
        file.notes.append(
            f"Annotations whose outline was ignored in favour of their box: {outline_count:,}."
        )


def _element_fields(
    annotation: _Annotation,
    images: Mapping[Any, list[_Image]],
    categories: Mapping[Any, list[_Category]],
) -> dict[str, Any]:
    """Fields of ``RawElement``.

    Raises:
        ValueError: the image or category is not in the file.
    """
    images_with_id = images.get(_lookup_key(annotation.image_id), [])
    if not images_with_id:
        raise ValueError(
            f"image_id: there is no image {short_value(annotation.image_id)} in the file"
        )
    if len(images_with_id) > 1:
        raise ValueError(
            f"image_id: the file has more than one image {short_value(images_with_id[0].id)}"
        )
    image, label = images_with_id[0], annotation.category
    if annotation.category_id is not None:
        categories_with_id = categories.get(_lookup_key(annotation.category_id))
        if categories_with_id is None:
            number = short_value(annotation.category_id)
            raise ValueError(f"category_id: there is no category {number} in the file")
        label = categories_with_id[-1].name
    return {
        **{name: getattr(annotation, name) for name in CommonFields.model_fields},
        **_image_fields(image),
        "bbox": annotation.bbox,
        "unit": "image",
        "label": label,
        "task": image.task if annotation.task is None else annotation.task,
    }


def _page_fields(item: dict[str, Any]) -> dict[str, Any]:
    return _image_fields(_Image.model_validate(item))


def _image_fields(image: _Image) -> dict[str, Any]:
    return {
        "document": image.original_filename,
        "page": image.page_no,
        "image": image.file_name,
        "image_size": (image.width, image.height),
    }


def _annotator(item: Any) -> str | None:
    name = item.get("annotator") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def _without_export_columns(item: dict[str, Any], attributes: Any) -> Any:
    """The attributes without annotator and verdict, which our exports also have as fields."""
    if _annotator(item) is None or not isinstance(attributes, dict):
        return attributes
    columns = {name: item.get(name) for name in ("annotator", "verdict")}
    return {name: value for name, value in attributes.items() if columns.get(name, ...) != value}


def _by_id(items: Any, model: type[_AnyIdentified]) -> dict[Any, list[_AnyIdentified]]:
    """Objects by id; items without a valid id are ignored."""
    by_id: dict[Any, list[_AnyIdentified]] = {}
    for item in list_or_empty(items):
        try:
            parsed = model.model_validate(item)
        except ValidationError:
            continue
        by_id.setdefault(parsed.id, []).append(parsed)
    return by_id


def _lookup_key(value: Any) -> int | str | None:
    """The value if it can be an id, else None."""
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None


FORMAT = PreannotationFormat("COCO JSON", _is_coco, _read)
