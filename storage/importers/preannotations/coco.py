"""Pre-annotations in COCO's object detection format.

``bbox`` is x, y, width and height in pixels of its image, which is taken to show the whole page.
The page comes from the image's ``original_filename`` and ``page_no`` (from 1), or its
``file_name``. Rotated boxes are refused: those with an angle among their fields or, as CVAT and
Datumaro write it, among their attributes. Source: cocodataset.org, "Data format"; the page fields
are those of DocLayNet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import StrictInt, StrictStr, ValidationError

from pagetrail.annotation.readable_errors import shown
from pagetrail.storage.importers.files.field_types import MaybeText, WithoutNulls
from pagetrail.storage.importers.files.json_positions import EACH, places
from pagetrail.storage.importers.files.kept_fields import Kept
from pagetrail.storage.importers.preannotations.annotators import choose
from pagetrail.storage.importers.preannotations.raw_elements import (
    GIVEN,
    GivenFields,
    PreannotationFile,
    require_upright,
)

NAME = "COCO JSON"

_KEPT: Kept = {
    "images": dict.fromkeys(("id", "file_name", "original_filename", "page_no", "width", "height")),
    "categories": dict.fromkeys(("id", "name")),
    "annotations": {
        **GIVEN,
        **dict.fromkeys(("image_id", "category_id", "category", "bbox", "annotator", "verdict")),
        # The area follows from the box, and outlines are counted in a note.
        **dict.fromkeys(("area", "segmentation")),
    },
}

_Key = StrictInt | StrictStr


class _Keyed(WithoutNulls):
    id: _Key


class _Image(_Keyed):
    """An image of a page."""

    file_name: MaybeText = None
    original_filename: Any = None
    page_no: Any = None
    width: Any = None
    height: Any = None


class _Category(_Keyed):
    name: Any = None


class _Annotation(GivenFields):
    image_id: Any = None
    category_id: Any = None
    category: MaybeText = None
    bbox: Any
    segmentation: Any = None


_AnyKeyed = TypeVar("_AnyKeyed", bound=_Keyed)


def is_coco(data: Any) -> bool:
    """Whether a JSON value has the two lists that COCO files have."""
    return (
        isinstance(data, dict)
        and isinstance(data.get("images"), list)
        and isinstance(data.get("annotations"), list)
    )


def read_coco(
    path: str, text: str, data: Mapping[str, Any], annotator: str | None = None
) -> PreannotationFile:
    """The annotations; outlines of regions are passed over, their boxes count.

    Args:
        annotator: whose annotations, where they say whose they are, as those of our exports do.

    Raises:
        InputFileError: nothing is of that person, or nobody is named and there are several.
    """
    found = PreannotationFile(path, NAME)
    found.not_kept.add_unkept(data, _KEPT)
    people = {_annotator(item) for item in data["annotations"]} - {None}
    chosen, note = choose(map(str, people), annotator, path)
    found.notes += [note] if note else []
    images, categories = _by_id(data["images"], _Image), _by_id(data.get("categories"), _Category)
    outlines = 0

    def read(item: dict[str, Any]) -> dict[str, Any]:
        nonlocal outlines
        annotation = _Annotation.model_validate(item)
        # In our own exports, which have no rotated boxes, attributes are those of the element.
        if _annotator(item) is None and isinstance(annotation.attributes, dict):
            require_upright(annotation.attributes)
        outlines += bool(annotation.segmentation)
        fields = _fields(annotation, images, categories)
        return fields | {"attributes": _own_attributes(item, fields["attributes"])}

    lines = places(text, ("annotations", EACH))
    for index, item in enumerate(data["annotations"]):
        if chosen is not None and _annotator(item) != chosen:
            continue
        found.add(read, item, lines.get((index,), 1), f"annotations[{index}]")
    if outlines:
        found.notes.append(
            f"Annotations whose outline was passed over for their box: {outlines:,}."
        )
    return found


def _fields(
    annotation: _Annotation,
    images: Mapping[Any, list[_Image]],
    categories: Mapping[Any, list[_Category]],
) -> dict[str, Any]:
    """The fields of an element.

    Raises:
        ValueError: its image or category is not in the file.
    """
    shows = images.get(_key(annotation.image_id), [])
    if not shows:
        raise ValueError(f"image_id: there is no image {shown(annotation.image_id)} in the file")
    if len(shows) > 1:
        raise ValueError(f"image_id: the file has more than one image {shown(shows[0].id)}")
    image, label = shows[0], annotation.category
    if annotation.category_id is not None:
        named = categories.get(_key(annotation.category_id))
        if named is None:
            number = shown(annotation.category_id)
            raise ValueError(f"category_id: there is no category {number} in the file")
        label = named[-1].name
    return {
        **{name: getattr(annotation, name) for name in GivenFields.model_fields},
        "document": image.original_filename,
        "page": image.page_no,
        "image": image.file_name,
        "bbox": annotation.bbox,
        "unit": "image",
        "image_size": (image.width, image.height),
        "label": label,
    }


def _annotator(item: Any) -> str | None:
    name = item.get("annotator") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def _own_attributes(item: dict[str, Any], attributes: Any) -> Any:
    """Without annotator and verdict, which our exports have beside and among the attributes."""
    if _annotator(item) is None or not isinstance(attributes, dict):
        return attributes
    told = {name: item.get(name) for name in ("annotator", "verdict")}
    return {name: value for name, value in attributes.items() if told.get(name, ...) != value}


def _by_id(items: Any, model: type[_AnyKeyed]) -> dict[Any, list[_AnyKeyed]]:
    """Objects by their id; what has none is passed over."""
    found: dict[Any, list[_AnyKeyed]] = {}
    for item in items if isinstance(items, list) else []:
        try:
            read = model.model_validate(item)
        except ValidationError:
            continue
        found.setdefault(read.id, []).append(read)
    return found


def _key(value: Any) -> int | str | None:
    """An id that can be looked up; None for what cannot be one."""
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None
