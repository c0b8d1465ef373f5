"""Boxes as Label Studio tasks, one per page: an annotation per person, the model's as prediction.

``tasks.json`` holds the boxes of submitted attempts, ``config.xml`` the labelling interface they
fit, and ``images/`` the pages. ``x``, ``y``, ``width`` and ``height`` are percent of the image,
which the page fills, to a millionth. Image paths are those of Label Studio's local files storage
with this folder as document root. A box's text is in a ``textarea`` result of the same id. The
annotator is in a separate result and in ``meta`` of each box: Label Studio keeps results as they
are, but drops other information about people who have no account there.
Source: labelstud.io, "Label Studio Task Format" and the tags RectangleLabels and TextArea.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.geometry.element import Element, elements_of
from pagetrail.exports.formats.coco import asked_pages, kept_boxes
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.gold.adjudicated_gold import counted_works
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import save_json
from pagetrail.exports.writing.page_images import PageImage, PageKey, save_page_images

FILE, CONFIG = "tasks.json", "config.xml"
DECIMALS = 6
MODEL = "given elements"
ANNOTATOR = "annotator"
"""Name of the control that holds the annotator, and id of its result."""


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the boxes of all submitted attempts, and the model's elements as predictions."""
    tally = WrittenFiles(counts={"tasks": 0, "annotations": 0, "predictions": 0, "boxes": 0})
    protocol = source.campaign.protocol
    attempts_by_page: dict[tuple[str, PageKey], list[tuple[ReadAttempt, list[PageBox]]]] = {}
    for attempt in counted_works(source, tally):
        page_refs = asked_pages(attempt)
        if not page_refs:
            tally.leave_out(*attempt.left_out_for("no_boxes_asked"))
        attempt_boxes = kept_boxes(attempt, tally)
        for page_ref in sorted(page_refs):
            boxes = [box for box in attempt_boxes if (box.document, box.page) == page_ref]
            attempts_by_page.setdefault((attempt.head.task, page_ref), []).append(
                (attempt.without_events(), boxes)
            )
    pictures = save_page_images(
        source, tally, (page_ref for _, page_ref in attempts_by_page), folder
    )
    tasks: list[dict[str, Any]] = []
    for (key, page_ref), entries in attempts_by_page.items():
        picture = pictures.get(page_ref)
        if picture is None:
            for attempt, boxes in entries:
                for box in boxes:
                    tally.leave_out("box", "page_without_image", f"{attempt.head.id} {box.id}")
            continue
        task = _task(
            len(tasks) + 1,
            key,
            picture,
            entries,
            seeded=protocol.boxes.seed,
            first_id=tally.counts["annotations"] + 1,
        )
        tasks.append(task)
        tally.count("annotations", len(task["annotations"]))
        tally.count("predictions", len(task["predictions"]))
        tally.count("boxes", sum(len(boxes) for _, boxes in entries))
    tally.counts["tasks"] = tally.rows[FILE] = len(tasks)
    save_json(folder / FILE, tasks)
    config = _config([label.name for label in protocol.boxes.labels])
    (folder / CONFIG).write_text(config, encoding="utf-8", newline="\n")
    tally.rows[CONFIG] = 1
    return tally


FORMAT = Format(
    name="labelstudio",
    summary="boxes as Label Studio tasks, the model's as predictions, with page images",
    purpose="boxes for Label Studio, with page images; `import-elements` reads them again",
    applies_to="boxes",
    write=write,
    gold=BOXES_FROM_GOLD,
)


def _task(
    number: int,
    key: str,
    picture: PageImage,
    entries: Sequence[tuple[ReadAttempt, list[PageBox]]],
    *,
    seeded: bool,
    first_id: int,
) -> dict[str, Any]:
    record = entries[0][0].head.record
    elements = [
        element
        for element in (elements_of(record) if seeded else ())
        if (element.document, element.page) == (picture.document, picture.page)
    ]
    annotations = [
        {
            "id": first_id + position,
            "annotator": attempt.name,
            "attempt": attempt.head.id,
            "was_cancelled": False,
            "ground_truth": attempt.is_gold,
            "result": [
                _annotator_result(attempt.name),
                *(
                    item
                    for box in boxes
                    for item in results(picture, box, order.get(box.id), attempt.name)
                ),
            ],
        }
        for position, (attempt, boxes) in enumerate(entries)
        for order in [reading_order(attempt.form)]
    ]
    predictions = [
        {
            "model_version": MODEL,
            "result": [
                item for element in elements for item in results(picture, element, element.order)
            ],
        }
    ]
    return {
        "id": number,
        "data": {
            "image": f"/data/local-files/?d={quote(picture.file)}",
            "document": picture.document,
            "page": picture.page,
            "task": key,
        },
        "annotations": annotations,
        "predictions": predictions if elements else [],
    }


def _annotator_result(name: str) -> dict[str, Any]:
    """The annotator as a result, since Label Studio keeps no users but its own."""
    return {
        "id": ANNOTATOR,
        "from_name": ANNOTATOR,
        "to_name": "image",
        "type": "textarea",
        "value": {"text": [name]},
    }


def results(
    picture: PageImage,
    box: PageBox | Element,
    order: int | None = None,
    annotator: str | None = None,
) -> list[dict[str, Any]]:
    """The rectangle, and its text if any; ``order`` is its position in the reading order."""
    x0, y0, x1, y1 = picture.pixels(box.rect)
    across, down = 100 / picture.width, 100 / picture.height
    value = {
        "x": round(x0 * across, DECIMALS),
        "y": round(y0 * down, DECIMALS),
        "width": round((x1 - x0) * across, DECIMALS),
        "height": round((y1 - y0) * down, DECIMALS),
        "rotation": 0,
    }
    common = {
        "id": box.id,
        "to_name": "image",
        "original_width": picture.width,
        "original_height": picture.height,
        "image_rotation": 0,
    }
    labels = [] if box.label is None else [box.label]
    rectangle = {
        **common,
        "from_name": "label",
        "type": "rectanglelabels",
        "value": {**value, "rectanglelabels": labels},
    }
    optional_fields = {"order": order, "attributes": box.attributes or None}
    meta: dict[str, Any] = {
        name: part for name, part in optional_fields.items() if part is not None
    }
    if isinstance(box, PageBox):
        meta |= {"verdict": box.verdict, "annotator": annotator}
    elif box.score is not None:
        rectangle["score"] = box.score
    if meta:
        rectangle["meta"] = meta
    if not box.content:
        return [rectangle]
    text = {"from_name": "text", "type": "textarea", "value": {**value, "text": [box.content]}}
    return [rectangle, {**common, **text}]


def _config(labels: Sequence[str]) -> str:
    names = "".join(f"    <Label value={quoteattr(label)}/>\n" for label in labels)
    return (
        '<View>\n  <Image name="image" value="$image" zoom="true"/>\n'
        f'  <RectangleLabels name="label" toName="image" canRotate="false">\n{names}'
        '  </RectangleLabels>\n  <TextArea name="text" toName="image" perRegion="true" '
        'editable="true"/>\n'
        f'  <Header value="Annotator"/>\n  <TextArea name="{ANNOTATOR}" toName="image" '
        'maxSubmissions="1" editable="false"/>\n</View>\n'
    )
