"""Pre-annotations in Label Studio's JSON: rectangles, in percent of the image.

The image is taken to show the whole page. Of a task with predictions the first one is read, else
its first annotation, one marked as ground truth before others. A rectangle's class and text may
be in results of their own with the same id, as templates for OCR have it.
Source: labelstud.io, "Label Studio Task Format" and the tags RectangleLabels and TextArea.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError

from pagetrail.annotation.readable_errors import shown
from pagetrail.storage.importers.files.field_types import (
    EMPTY_UNLESS_OBJECT,
    MaybeObject,
    MaybeText,
    WithoutNulls,
    first_of,
)
from pagetrail.storage.importers.files.json_positions import EACH, Pattern, places
from pagetrail.storage.importers.files.kept_fields import Kept
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.annotators import choose
from pagetrail.storage.importers.preannotations.image_names import looks_like_image
from pagetrail.storage.importers.preannotations.raw_elements import PreannotationFile, RawElement

NAME = "Label Studio JSON"

_NO_TASK = "is not a task of Label Studio: it has no data, or no list of results"
_SETS = ("predictions", "annotations", "completions")
_ANNOTATOR = "annotator"
_BOXES = ("rectanglelabels", "rectangle")
_OF_REGIONS = ("labels", "textarea")


_VALUE: Kept = dict.fromkeys(
    ("x", "y", "width", "height", "rotation", "rectanglelabels", "labels", "text")
)
_RESULTS: Kept = {
    **dict.fromkeys(("ground_truth", "was_cancelled", "annotator")),
    "result": {
        **dict.fromkeys(("id", "type", "from_name", "to_name", "rotation", "image_rotation")),
        **dict.fromkeys(("item_index", "score", "original_width", "original_height")),
        "value": _VALUE,
        "meta": dict.fromkeys(("text", "order", "attributes")),
    },
}
_TASK: Kept = {
    **dict.fromkeys(_SETS),
    "data": dict.fromkeys(
        (
            *("document", "file", "pdf", "original_filename", "page", "page_number", "page_no"),
            *("image", "img", "ocr"),
        )
    ),
}


def _unturned(turned: Any) -> Any:
    if turned not in (None, 0):
        raise ValueError(f"boxes and images must not be turned, and this is {shown(turned)}")
    return turned


_Unturned = Annotated[Any, AfterValidator(_unturned)]


class _Set(WithoutNulls):
    """The results of one model or person."""

    result: list[Any]
    ground_truth: Any = False
    was_cancelled: Any = False


class _Result(BaseModel):
    """What all results have: a type, a value, and the region that they belong to."""

    region: Annotated[MaybeText, Field(validation_alias="id")] = None
    type: Any = None
    value: MaybeObject = {}


class _Value(BaseModel):
    """Where a rectangle is, and its class."""

    x: Any = None
    y: Any = None
    width: Any = None
    height: Any = None
    rotation: Annotated[_Unturned, BeforeValidator(lambda turned: turned or None)] = None
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
    rotation: _Unturned = None
    image_rotation: _Unturned = None
    item_index: Any = None
    score: Any = None


class _Data(WithoutNulls):
    """What a task shows: a document, and the page or its image."""

    document: Any = first_of("document", "file", "pdf", "original_filename")
    page: Any = first_of("page", "page_number", "page_no")
    image: Any = first_of("image", "img", "ocr")


LineOf = Callable[..., int]
"""The line of a result, by the indices of its task, set, list of results and its own."""


def is_task(item: Any) -> bool:
    """Whether a JSON value is a task of Label Studio."""
    return (
        isinstance(item, dict)
        and isinstance(item.get("data"), dict)
        and any(isinstance(item.get(name), list) for name in _SETS)
    )


def is_export(data: Any) -> bool:
    """Whether a JSON value is a list of tasks."""
    return isinstance(data, list) and any(is_task(item) for item in data)


def read_export(path: str, text: str, data: Any, annotator: str | None = None) -> PreannotationFile:
    """The rectangles of a list of tasks, or of one task.

    Args:
        annotator: whose annotations, where they say whose they are, as those of our exports do.

    Raises:
        InputFileError: nothing is of that person, or nobody is named and there are several.
    """
    found = PreannotationFile(path, NAME)
    tasks = data if isinstance(data, list) else [data]
    people = (_annotator(item) for task in tasks if is_task(task) for item in _annotations(task))
    chosen, note = choose((name for name in people if name is not None), annotator, path)
    found.notes += [note] if note else []
    if isinstance(data, dict):
        _read_task(found, data, _line_finder(text, ()), chosen=chosen)
        return found
    line_of, starts = _line_finder(text, (EACH,)), places(text, (EACH,))
    for index, task in enumerate(data):
        if is_task(task):
            _read_task(found, task, partial(line_of, index), f"[{index}].", chosen)
        else:
            line = starts.get((index,), 1)
            found.elements.append(RawElement(line, f"[{index}]", problem=_NO_TASK))
    return found


def read_row(found: PreannotationFile, row: RawRow) -> None:
    """Add the rectangles of a row of JSON Lines, which is a task."""
    if is_task(row.data):
        _read_task(found, row.data, lambda *_: row.line)
    else:
        found.elements.append(RawElement(row.line, problem=_NO_TASK))


def _line_finder(text: str, before: Pattern) -> LineOf:
    by_set = {name: places(text, (*before, name, EACH, "result", EACH)) for name in _SETS}
    return lambda *way: by_set[_SETS[way[-3]]].get((*way[:-3], *way[-2:]), 1)


def _annotations(task: Mapping[str, Any]) -> list[Any]:
    items = task.get("annotations")
    return items if isinstance(items, list) else []


def _annotator(item: Any) -> str | None:
    """Who made an annotation: in the result that our exports have for it, else stated beside."""
    if not isinstance(item, dict):
        return None
    results = item.get("result")
    for result in results if isinstance(results, list) else []:
        if isinstance(result, dict) and result.get("from_name") == _ANNOTATOR:
            value = result.get("value")
            texts = value.get("text") if isinstance(value, dict) else None
            if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], str):
                return texts[0]
    name = item.get(_ANNOTATOR)
    return name if isinstance(name, str) else None


def _read_task(
    found: PreannotationFile,
    task: Mapping[str, Any],
    line_of: LineOf,
    prefix: str = "",
    chosen: str | None = None,
) -> None:
    sets = list(_result_sets(task))
    if chosen is not None:
        of_people = _SETS.index("annotations")
        hers = [n for n, item in enumerate(_annotations(task)) if _annotator(item) == chosen]
        sets = [each for each in sets if each[0] == of_people and each[1] in hers]
    elif len(sets) > 1:
        found.left_out["further predictions or annotations of a task"] += len(sets) - 1
    if not sets:
        return
    kind, number, items = sets[0]
    found.not_kept.add_unkept(task, _TASK)
    # Results of other types are left out as a whole, and counted as that.
    used = [i for i in items if isinstance(i, dict) and i.get("type") in (*_BOXES, *_OF_REGIONS)]
    given = {**task[_SETS[kind]][number], "result": used}
    found.not_kept.add_unkept(given, _RESULTS, f"{_SETS[kind]}[]")
    results = [_Result.model_validate(item if isinstance(item, dict) else {}) for item in items]
    texts, labels = _by_region(results, "textarea"), _by_region(results, "labels")
    boxed = {result.region for result in results if result.type in _BOXES} - {None}
    for index, (item, result) in enumerate(zip(items, results, strict=True)):
        if isinstance(item, dict) and item.get("from_name") == _ANNOTATOR:
            continue
        if isinstance(item, dict) and result.type not in _BOXES:
            if result.region not in boxed or result.type not in _OF_REGIONS:
                what = "without type" if result.type is None else f"of type {result.type}"
                found.left_out[f"results {shown(what).strip(chr(39))}"] += 1
            continue
        label = labels.get(result.region, {}).get("labels")
        text = texts.get(result.region, {}).get("text")
        read = partial(_fields, label=label, text=text, data=task["data"])
        place = f"{prefix}{_SETS[kind]}[{number}].result[{index}]"
        found.add(read, item, line_of(kind, number, index), place)


def _result_sets(task: Mapping[str, Any]) -> Iterator[tuple[int, int, list[Any]]]:
    """(which of the sets, index, results) of what can be read, the one to read first."""
    for kind, name in enumerate(_SETS):
        usable = []
        for index, item in enumerate(task[name] if isinstance(task.get(name), list) else []):
            try:
                given = _Set.model_validate(item)
            except ValidationError:
                continue
            if not given.was_cancelled:
                usable.append((not given.ground_truth, index, given.result))
        for _, index, results in sorted(usable, key=lambda item: item[:2]):
            yield kind, index, results


def _by_region(results: Sequence[_Result], kind: str) -> dict[str | None, dict[str, Any]]:
    """The values of the results of one type, the first of each region."""
    return {
        result.region: result.value
        for result in reversed(results)
        if result.region is not None and result.type == kind
    }


def _fields(item: dict[str, Any], label: Any, text: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an element; ``label`` and ``text`` are those of its region's results."""
    box, given = _Rectangle.model_validate(item), _Data.model_validate(data)
    value, meta = box.value, box.meta
    label = value.rectanglelabels or label
    if isinstance(label, list):
        if len(label) > 1:
            raise ValueError(f"rectanglelabels: has {len(label)} classes; an element has one")
        label = label[0] if label else None
    text = text or meta.text
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "\n".join(text)
    image, page = _image_and_page(given, data, box.item_index)
    return {
        "id": box.id,
        "document": given.document,
        "page": page,
        "image": image or None,
        "bbox": [value.x, value.y, value.width, value.height],
        "unit": "percent",
        "label": label,
        "content": text,
        "order": meta.order,
        "attributes": meta.attributes,
        "score": box.score,
    }


def _image_and_page(given: _Data, data: Mapping[str, Any], item: Any) -> tuple[str | None, Any]:
    """The image's name, and the page's number where the task states it."""
    page = given.page
    if isinstance(item, int) and not isinstance(item, bool) and item >= 0:
        for images in data.values():
            if isinstance(images, list) and item < len(images) and isinstance(images[item], str):
                return images[item], None
        page = item + 1 if page is None else page
    if isinstance(given.image, str):
        return given.image, page
    texts = (value for value in data.values() if isinstance(value, str))
    return next((text for text in texts if looks_like_image(text)), None), page
