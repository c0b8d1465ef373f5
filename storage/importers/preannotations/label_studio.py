"""Pre-annotations in Label Studio's JSON: rectangles in percent of the image.

The image has to show the whole page. Of each task the first prediction is read, or without
predictions the first annotation, preferring ground truth. A rectangle's class and text may be in
separate results with the same id, as in OCR templates.
Source: labelstud.io, "Label Studio Task Format" and the tags RectangleLabels and TextArea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.importers.files.field_types import (
    EMPTY_UNLESS_OBJECT,
    LenientModel,
    MaybeObject,
    MaybeText,
    first_alias,
    list_or_empty,
    object_or_empty,
    objects_of,
)
from pagetrail.storage.importers.files.json_positions import EVERY_ITEM, PathPattern, value_lines
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.image_names import looks_like_image
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    PreannotationFormat,
    is_full_turn,
)

_NOT_A_TASK = "is not a task of Label Studio: it has no data, or no list of results"
_RESULT_LISTS = ("predictions", "annotations", "completions")
_ANNOTATOR = "annotator"
_BOX_TYPES = ("rectanglelabels", "rectangle")
_REGION_TYPES = ("labels", "textarea")


_VALUE_FIELDS: KeptFields = dict.fromkeys(
    ("x", "y", "width", "height", "rotation", "rectanglelabels", "labels", "text")
)
_RESULT_FIELDS: KeptFields = {
    **dict.fromkeys(("ground_truth", "was_cancelled", "annotator")),
    "result": {
        **dict.fromkeys(("id", "type", "from_name", "to_name", "rotation", "image_rotation")),
        **dict.fromkeys(("item_index", "score", "original_width", "original_height")),
        "value": _VALUE_FIELDS,
        "meta": dict.fromkeys(("text", "order", "attributes")),
    },
}
_TASK_FIELDS: KeptFields = {
    **dict.fromkeys(_RESULT_LISTS),
    "data": dict.fromkeys(
        (
            *("document", "file", "pdf", "original_filename", "page", "page_number", "page_no"),
            *("image", "img", "ocr"),
        )
    ),
}


def _require_upright(rotation: Any) -> Any:
    if not is_full_turn(rotation):
        raise ValueError(
            f"boxes and images must not be rotated, but this is {short_value(rotation)}"
        )
    return rotation


_Upright = Annotated[Any, AfterValidator(_require_upright)]


class _ResultList(LenientModel):
    """The results of one model or person."""

    result: list[Any]
    ground_truth: Any = False
    was_cancelled: Any = False


class _Result(BaseModel):
    """Common to all results: type, value, and the region to which they belong."""

    region: Annotated[MaybeText, Field(validation_alias="id")] = None
    type: Any = None
    value: MaybeObject = {}


class _Value(BaseModel):
    """Position and class of a rectangle."""

    x: Any = None
    y: Any = None
    width: Any = None
    height: Any = None
    rotation: Annotated[_Upright, BeforeValidator(lambda rotation: rotation or None)] = None
    rectanglelabels: Any = None


class _Meta(BaseModel):
    text: Any = None
    order: Any = None
    attributes: Any = None


class _Rectangle(BaseModel):
    """A result that is a rectangle."""

    id: Any = None
    value: Annotated[_Value, EMPTY_UNLESS_OBJECT] = _Value()
    meta: Annotated[_Meta, EMPTY_UNLESS_OBJECT] = _Meta()
    rotation: _Upright = None
    image_rotation: _Upright = None
    item_index: Any = None
    original_width: Any = None
    original_height: Any = None
    score: Any = None


class _TaskData(LenientModel):
    """The document that a task shows, and its page or the page's image."""

    document: Any = first_alias("document", "file", "pdf", "original_filename")
    page: Any = first_alias("page", "page_number", "page_no")
    image: Any = first_alias("image", "img", "ocr")


LineLookup = Callable[..., int]
"""Line of a result, by the indices of its task, kind of list, list and result."""


def _is_task(item: Any) -> bool:
    return (
        isinstance(item, dict)
        and isinstance(item.get("data"), dict)
        and any(isinstance(item.get(name), list) for name in _RESULT_LISTS)
    )


def _matches(data: Any) -> bool:
    return _is_task(data) or (isinstance(data, list) and any(map(_is_task, data)))


def _read(file: PreannotationFile, text: str, data: Any, annotator: str | None) -> None:
    """Add the rectangles of one task or a list of tasks."""
    tasks = data if isinstance(data, list) else [data]
    annotators = (
        _annotator(item) for task in tasks if _is_task(task) for item in _annotations(task)
    )
    selected = file.select_annotator(filter(None, annotators), annotator)
    if isinstance(data, dict):
        _read_task(file, data, _line_lookup(text, ()), selected=selected)
        return
    line_of, lines = _line_lookup(text, (EVERY_ITEM,)), value_lines(text, (EVERY_ITEM,))
    for index, task in enumerate(data):
        if _is_task(task):
            _read_task(file, task, partial(line_of, index), f"[{index}].", selected)
        else:
            file.add_problem(_NOT_A_TASK, lines.get((index,), 1), f"[{index}]")


def _read_row(file: PreannotationFile, row: RawRow) -> None:
    if _is_task(row.data):
        _read_task(file, row.data, lambda *_: row.line)
    else:
        file.add_problem(_NOT_A_TASK, row.line)


def _line_lookup(text: str, prefix: PathPattern) -> LineLookup:
    lines_by_list = [
        value_lines(text, (*prefix, name, EVERY_ITEM, "result", EVERY_ITEM))
        for name in _RESULT_LISTS
    ]

    def line_of(*indices: int) -> int:
        *task_index, list_kind, list_index, result_index = indices
        return lines_by_list[list_kind].get((*task_index, list_index, result_index), 1)

    return line_of


def _annotations(task: Mapping[str, Any]) -> list[Any]:
    return list_or_empty(task.get("annotations"))


def _annotator(item: Any) -> str | None:
    """The annotator, from the result that our exports add or from the annotation's own field."""
    if not isinstance(item, dict):
        return None
    for result in objects_of(item.get("result")):
        if result.get("from_name") == _ANNOTATOR:
            texts = object_or_empty(result.get("value")).get("text")
            if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], str):
                return texts[0]
    name = item.get(_ANNOTATOR)
    return name if isinstance(name, str) else None


def _read_task(
    file: PreannotationFile,
    task: Mapping[str, Any],
    line_of: LineLookup,
    prefix: str = "",
    selected: str | None = None,
) -> None:
    result_lists = list(_usable_result_lists(task))
    if selected is not None:
        kind = _RESULT_LISTS.index("annotations")
        selected_indices = {
            (kind, index)
            for index, item in enumerate(_annotations(task))
            if _annotator(item) == selected
        }
        result_lists = [entry for entry in result_lists if entry[:2] in selected_indices]
    elif len(result_lists) > 1:
        file.left_out["further predictions or annotations of a task"] += len(result_lists) - 1
    if not result_lists:
        return
    list_kind, list_index, items = result_lists[0]
    list_name = _RESULT_LISTS[list_kind]
    file.not_kept.add_unkept(task, _TASK_FIELDS)
    # Results of other types are counted as a whole, below.
    types = (*_BOX_TYPES, *_REGION_TYPES)
    used_results = [item for item in objects_of(items) if item.get("type") in types]
    read_part = {**task[list_name][list_index], "result": used_results}
    file.not_kept.add_unkept(read_part, _RESULT_FIELDS, f"{list_name}[]")
    results = [_Result.model_validate(item if isinstance(item, dict) else {}) for item in items]
    texts, labels = _by_region(results, "textarea"), _by_region(results, "labels")
    boxed = {result.region for result in results if result.type in _BOX_TYPES} - {None}
    for index, (item, result) in enumerate(zip(items, results, strict=True)):
        if isinstance(item, dict) and item.get("from_name") == _ANNOTATOR:
            continue
        if isinstance(item, dict) and result.type not in _BOX_TYPES:
            if result.region not in boxed or result.type not in _REGION_TYPES:
                description = "without type" if result.type is None else f"of type {result.type}"
                file.left_out[f"results {short_value(description).strip(chr(39))}"] += 1
            continue
        label = labels.get(result.region, {}).get("labels")
        text = texts.get(result.region, {}).get("text")
        read_fields = partial(_element_fields, label=label, text=text, data=task["data"])
        location = f"{prefix}{list_name}[{list_index}].result[{index}]"
        file.add(read_fields, item, line_of(list_kind, list_index, index), location)


def _usable_result_lists(task: Mapping[str, Any]) -> Iterator[tuple[int, int, list[Any]]]:
    """(kind of list, index, results) of each list that can be read, in order of preference."""
    for kind, name in enumerate(_RESULT_LISTS):
        usable = []
        for index, item in enumerate(task[name] if isinstance(task.get(name), list) else []):
            try:
                parsed = _ResultList.model_validate(item)
            except ValidationError:
                continue
            if not parsed.was_cancelled:
                usable.append((not parsed.ground_truth, index, parsed.result))
        for _, index, results in sorted(usable, key=lambda item: item[:2]):
            yield kind, index, results


def _by_region(results: Sequence[_Result], kind: str) -> dict[str | None, dict[str, Any]]:
    """Region → value of its first result of this type."""
    return {
        result.region: result.value
        for result in reversed(results)
        if result.region is not None and result.type == kind
    }


def _element_fields(
    item: dict[str, Any], label: Any, text: Any, data: Mapping[str, Any]
) -> dict[str, Any]:
    """Fields of ``RawElement``; ``label`` and ``text`` come from other results of its region."""
    box, task_data = _Rectangle.model_validate(item), _TaskData.model_validate(data)
    value, meta = box.value, box.meta
    label = value.rectanglelabels or label
    if isinstance(label, list):
        if len(label) > 1:
            raise ValueError(f"rectanglelabels: has {len(label)} classes; an element has one")
        label = label[0] if label else None
    text = text or meta.text
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "\n".join(text)
    image, page = _image_and_page(task_data, data, box.item_index)
    return {
        "id": box.id,
        "document": task_data.document,
        "page": page,
        "image": image or None,
        "bbox": [value.x, value.y, value.width, value.height],
        "unit": "percent",
        "image_size": (box.original_width, box.original_height),
        "label": label,
        "content": text,
        "order": meta.order,
        "attributes": meta.attributes,
        "score": box.score,
    }


def _image_and_page(
    task_data: _TaskData, data: Mapping[str, Any], item_index: Any
) -> tuple[str | None, Any]:
    """The image's name, and the page number if the task states it."""
    page = task_data.page
    if isinstance(item_index, int) and not isinstance(item_index, bool) and item_index >= 0:
        for images in data.values():
            if (
                isinstance(images, list)
                and item_index < len(images)
                and isinstance(images[item_index], str)
            ):
                return images[item_index], None
        page = item_index + 1 if page is None else page
    if isinstance(task_data.image, str):
        return task_data.image, page
    texts = (value for value in data.values() if isinstance(value, str))
    return next((text for text in texts if looks_like_image(text)), None), page


FORMAT = PreannotationFormat(
    "Label Studio JSON", _matches, _read, matches_row=_is_task, read_row=_read_row
)
