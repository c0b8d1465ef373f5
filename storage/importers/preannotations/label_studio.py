"""Pre-annotations in Label Studio's JSON: rectangles, in percent of the image.

The image is taken to show the whole page. Of a task with predictions the first one is read, else
its first annotation, one marked as ground truth before others. A rectangle's class and text may
stand in results of their own with the same id, as templates for OCR have it.
Source: labelstud.io, "Label Studio Task Format" and the tags RectangleLabels and TextArea.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pagetrail.storage.importers.files.json_positions import EACH, Pattern, places
from pagetrail.storage.importers.files.rows import TaskFile
from pagetrail.storage.importers.preannotations.image_names import looks_like_image
from pagetrail.storage.importers.preannotations.plain import first
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    RawBox,
    RawElement,
    shown,
)

NAME = "Label Studio JSON"

_NO_TASK = "is not a task of Label Studio: it has no data, or no list of results"
_SETS = ("predictions", "annotations", "completions")


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


class _Lines(NamedTuple):
    """Where results start: by set and indices in JSON, all on one line in JSON Lines."""

    by_set: Mapping[str, Mapping[tuple[int, ...], int]]
    default: int = 1

    def of(self, name: str, *indices: int) -> int:
        return self.by_set.get(name, {}).get(indices, self.default)


def read_export(path: str, text: str, data: Any) -> PreannotationFile:
    """The rectangles of a list of tasks, or of one task."""
    found = PreannotationFile(path, NAME)
    if isinstance(data, dict):
        _read_task(data, "", (), _lines(text, ()), found)
        return found
    lines = _lines(text, (EACH,))
    starts = _Lines({"": places(text, (EACH,))})
    for index, task in enumerate(data):
        if is_task(task):
            _read_task(task, f"[{index}].", (index,), lines, found)
        else:
            line = starts.of("", index)
            found.elements.append(RawElement(line, f"[{index}]", problem=_NO_TASK))
    return found


def read_rows(path: str, file: TaskFile) -> PreannotationFile:
    """The rectangles of JSON Lines with one task a line."""
    found = PreannotationFile(path, NAME)
    for row in file.rows:
        if is_task(row.data):
            _read_task(row.data, "", (), _Lines({}, row.line), found)
        else:
            found.elements.append(RawElement(row.line, problem=_NO_TASK))
    found.elements += [RawElement(error.line, problem=error.reason) for error in file.errors]
    found.elements.sort(key=lambda element: element.line)
    return found


def _lines(text: str, before: Pattern) -> _Lines:
    return _Lines({name: places(text, (*before, name, EACH, "result", EACH)) for name in _SETS})


def _read_task(
    task: Mapping[str, Any],
    prefix: str,
    indices: tuple[int, ...],
    lines: _Lines,
    found: PreannotationFile,
) -> None:
    sets = list(_result_sets(task))
    if len(sets) > 1:
        found.left_out["further predictions or annotations of a task"] += len(sets) - 1
    if not sets:
        return
    name, number, results = sets[0]
    texts = _by_id(results, "textarea")
    labels = _by_id(results, "labels")
    boxed = {_id(result) for result in results if _is_box(result)} - {None}
    for index, result in enumerate(results):
        place = f"{prefix}{name}[{number}].result[{index}]"
        line = lines.of(name, *indices, number, index)
        if not isinstance(result, dict):
            found.elements.append(RawElement(line, place, problem="is not a JSON object"))
        elif _is_box(result):
            key = _id(result)
            others = (labels.get(key, {}), texts.get(key, {})) if key else ({}, {})
            found.elements.append(_element(result, *others, _data(task), line, place))
        elif _id(result) not in boxed or result.get("type") not in ("labels", "textarea"):
            kind = "without type" if result.get("type") is None else f"of type {result['type']}"
            found.left_out[f"results {shown(kind).strip(chr(39))}"] += 1


def _result_sets(task: Mapping[str, Any]) -> Iterator[tuple[str, int, Sequence[Any]]]:
    """(field, index, results) of what can be read, the one to read first."""
    for name in _SETS:
        sets = task.get(name)
        usable = [
            (bool(item.get("ground_truth")), index, item["result"])
            for index, item in enumerate(sets if isinstance(sets, list) else [])
            if isinstance(item, dict)
            and isinstance(item.get("result"), list)
            and not item.get("was_cancelled")
        ]
        for _, index, results in sorted(usable, key=lambda item: (not item[0], item[1])):
            yield name, index, results


def _is_box(result: Any) -> bool:
    return isinstance(result, dict) and result.get("type") in ("rectanglelabels", "rectangle")


def _id(result: Any) -> str | None:
    key = result.get("id") if isinstance(result, dict) else None
    return key if isinstance(key, str) else None


def _by_id(results: Sequence[Any], kind: str) -> dict[str, Mapping[str, Any]]:
    """The results of one type with an id."""
    found: dict[str, Mapping[str, Any]] = {}
    for result in results:
        key = _id(result)
        if key is not None and result.get("type") == kind:
            found.setdefault(key, result)
    return found


def _element(
    result: Mapping[str, Any],
    labels: Mapping[str, Any],
    texts: Mapping[str, Any],
    data: Mapping[str, Any],
    line: int,
    place: str,
) -> RawElement:
    value = _object(result.get("value"))
    label, problem = _label(
        value.get("rectanglelabels") or _object(labels.get("value")).get("labels")
    )
    for name, turned in (
        ("rotation", first(value, "rotation") or result.get("rotation")),
        ("image_rotation", result.get("image_rotation")),
    ):
        if turned not in (None, 0) and problem is None:
            problem = f"{name}: boxes and images must not be turned, and this is {shown(turned)}"
    sides = [value.get(name) for name in ("x", "y", "width", "height")]
    meta = _object(result.get("meta"))
    text = first(_object(texts.get("value")), "text") or meta.get("text")
    if isinstance(text, list) and all(isinstance(item, str) for item in text):
        text = "\n".join(text)
    image, page = _image(data, result.get("item_index"))
    return RawElement(
        line,
        place,
        id=result.get("id"),
        document=first(data, "document", "file", "pdf", "original_filename"),
        page=page,
        named_after=(image,) if image else (),
        box=RawBox(sides, sized=True, unit="percent"),
        label=label,
        content=text,
        order=meta.get("order"),
        attributes=meta.get("attributes"),
        score=result.get("score"),
        problem=problem,
    )


def _label(labels: Any) -> tuple[Any, str | None]:
    if isinstance(labels, list) and len(labels) > 1:
        return None, f"rectanglelabels: has {len(labels)} classes; an element has one"
    return (labels[0] if labels else None) if isinstance(labels, list) else labels, None


def _image(data: Mapping[str, Any], item: Any) -> tuple[str | None, Any]:
    """The image's name, and the page's number where the task states it."""
    page = first(data, "page", "page_number", "page_no")
    if isinstance(item, int) and not isinstance(item, bool) and item >= 0:
        for images in data.values():
            if isinstance(images, list) and item < len(images) and isinstance(images[item], str):
                return images[item], None
        page = item + 1 if page is None else page
    named = first(data, "image", "img", "ocr")
    if not isinstance(named, str):
        texts = (value for value in data.values() if isinstance(value, str))
        named = next((text for text in texts if looks_like_image(text)), None)
    return named, page


def _data(task: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(task.get("data"))


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
