"""Boxes in COCO's object detection format, with page images.

``annotations/instances_NAME.json`` holds the boxes of one annotator's submitted attempts without
deleted ones, ``annotations/instances_merged.json`` those of all; ``images/`` has the pages that
``file_name`` names. ``bbox`` is x, y, width and height in pixels of its image, rounded to
hundredths; a page fills its image, so dividing by the image's size gives fractions of the page.
Pages on which boxes were asked for and none was drawn are images without annotations.
Images and annotations have the same ids in all files. ``annotator`` and ``verdict`` are also in
``attributes``, where Datumaro and CVAT look for them. With adjudicated gold, the boxes are those of
that gold alone, under the name ``gold``.
Source: cocodataset.org, "Data format"; the page fields are those of DocLayNet, the layout of files
is that of Datumaro's COCO format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.gold.adjudicated_gold import counted_works
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import safe_file_name, save_json
from pagetrail.exports.writing.page_images import PageImage, PageKey, save_page_images

FOLDER = "annotations"
MERGED = f"{FOLDER}/instances_merged.json"
DECIMALS = 2


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the boxes of all submitted attempts, and the pages that they were drawn on."""
    tally = WrittenFiles(counts={"images": 0, "annotations": 0, "categories": 0})
    labels = [label.name for label in source.campaign.protocol.boxes.labels]
    numbered_boxes: list[tuple[ReadAttempt, PageBox, int | None]] = []
    pages_by_annotator: dict[str, set[PageKey]] = {}
    for attempt in counted_works(source, tally):
        page_refs = asked_pages(attempt)
        if not page_refs:
            tally.leave_out(*attempt.left_out_for("no_boxes_asked"))
            continue
        pages_by_annotator.setdefault(attempt.name, set()).update(page_refs)
        light_attempt = attempt.without_events()
        order = reading_order(attempt.form)
        numbered_boxes += [
            (light_attempt, box, order.get(box.id)) for box in kept_boxes(attempt, tally)
        ]
    pictures = save_page_images(source, tally, set().union(*pages_by_annotator.values()), folder)
    numbers = {page_ref: number for number, page_ref in enumerate(pictures, start=1)}
    annotations: list[dict[str, Any]] = []
    for attempt, box, position in numbered_boxes:
        picture = pictures.get((box.document, box.page))
        if picture is None:
            tally.leave_out("box", "page_without_image", f"{attempt.head.id} {box.id}")
            continue
        annotations.append(
            {
                "id": len(annotations) + 1,
                "image_id": numbers[box.document, box.page],
                "category_id": labels.index(str(box.label)) + 1,
                **shape(picture, box),
                "annotator": attempt.name,
                **_extra_fields(attempt, box, position),
            }
        )
    images = {
        page_ref: _image(source, number, pictures[page_ref]) for page_ref, number in numbers.items()
    }
    (folder / FOLDER).mkdir()

    def save(file: str, page_refs: Collection[PageKey], boxes: Sequence[dict[str, Any]]) -> None:
        save_json(
            folder / file,
            {
                "info": {"description": source.campaign.name, "dpi": source.dpi},
                "licenses": [],
                "images": [image for page_ref, image in images.items() if page_ref in page_refs],
                "annotations": boxes,
                "categories": [
                    {"id": number, "name": name, "supercategory": ""}
                    for number, name in enumerate(labels, start=1)
                ],
            },
        )
        tally.rows[file] = len(boxes)

    save(MERGED, images.keys(), annotations)
    for name, annotator_pages in sorted(pages_by_annotator.items()):
        save(
            annotator_file(name),
            annotator_pages,
            [a for a in annotations if a["annotator"] == name],
        )
    tally.counts = {
        "images": len(pictures),
        "annotations": len(annotations),
        "categories": len(labels),
    }
    return tally


FORMAT = Format(
    name="coco",
    summary="boxes in COCO format, with page images",
    purpose="boxes for object detection, with page images; `import-elements` reads them again",
    applies_to="boxes",
    write=write,
    gold=BOXES_FROM_GOLD,
)


def annotator_file(name: str) -> str:
    """The file of one annotator's boxes."""
    stem = f"instances_{safe_file_name(name)}"
    return f"{FOLDER}/{stem}{'_' if f'{FOLDER}/{stem}.json'.casefold() == MERGED else ''}.json"


def asked_pages(attempt: ReadAttempt) -> set[PageKey]:
    """The pages on which boxes were asked for: pages that may have boxes, and pages that do."""
    if not attempt.form.protocol.boxes.enabled:
        return set()
    allowed = {page for page in attempt.form.pages() if attempt.form.may_have_boxes(*page)}
    return allowed | {(b.document, b.page) for b in attempt.state.boxes.boxes if not b.deleted}


def kept_boxes(attempt: ReadAttempt, tally: WrittenFiles) -> list[PageBox]:
    """The boxes that were not deleted and have a class; the others are counted as left out."""
    labels = {label.name for label in attempt.form.protocol.boxes.labels}
    boxes = []
    for box in attempt.state.boxes.boxes:
        if box.deleted:
            tally.leave_out("box", "deleted", f"{attempt.head.id} {box.id}")
        elif box.label not in labels:
            tally.leave_out("box", "without_class", f"{attempt.head.id} {box.id}")
        else:
            boxes.append(box)
    return boxes


def page_hash(source: Source, page_ref: PageKey) -> str:
    """Identifies a page independently of file names: SHA-256 of file SHA-256, ``#`` and number."""
    info = source.pages.document(page_ref[0])
    digest = "" if info is None else info.sha256
    return hashlib.sha256(f"{digest}#{page_ref[1]}".encode()).hexdigest()


def _image(source: Source, number: int, picture: PageImage) -> dict[str, Any]:
    page_ref = (picture.document, picture.page)
    return {
        "id": number,
        "file_name": PurePosixPath(picture.file).name,
        "width": picture.width,
        "height": picture.height,
        "page_no": picture.page,
        "original_filename": picture.document,
        "page_hash": page_hash(source, page_ref),
        "page_width_pt": picture.size.width,
        "page_height_pt": picture.size.height,
    }


def shape(picture: PageImage, box: PageBox) -> dict[str, Any]:
    """The box as a rectangle and as its outline."""
    x0, y0, x1, y1 = (round(edge, DECIMALS) for edge in picture.pixels(box.rect))
    width, height = round(x1 - x0, DECIMALS), round(y1 - y0, DECIMALS)
    return {
        "bbox": [x0, y0, width, height],
        "area": round(width * height, DECIMALS),
        "iscrowd": 0,
        "segmentation": [[x0, y0, x1, y0, x1, y1, x0, y1]],
    }


def _extra_fields(attempt: ReadAttempt, box: PageBox, order: int | None) -> dict[str, Any]:
    """Fields that COCO does not define: origin of the box, and its optional parts."""
    attributes = {"annotator": attempt.name, "verdict": box.verdict} | box.attributes
    optional_fields = {"content": box.content, "order": order, "attributes": attributes}
    return {
        "task": attempt.head.task,
        "attempt": attempt.head.id,
        "box": box.id,
        "verdict": box.verdict,
        **{name: value for name, value in optional_fields.items() if value is not None},
    }
