"""Boxes in COCO's object detection format, with page images.

``annotations/instances_NAME.json`` holds the boxes of one annotator's submitted attempts, deleted
ones left out, ``annotations/instances_merged.json`` those of all; ``images/`` has the pages
that ``file_name`` names. ``bbox`` is x, y, width and height in pixels of its image, to a hundredth
of a pixel and not rounded to whole ones; a page fills its image, so dividing by the image's size
gives fractions of the page. Pages on which boxes were asked for and none was drawn are images
without annotations.
Images and annotations have the same ids in all files. ``annotator`` and ``verdict`` are among the
``attributes`` too, where Datumaro and CVAT look for them. By the gold decided in review, the boxes
are those of that gold alone, under the name ``gold``.
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
from pagetrail.exports.gold.adjudicated_gold import counted
from pagetrail.exports.reading.attempts import Work
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import save_json, short_name
from pagetrail.exports.writing.page_images import Picture, Place, save_pictures

FOLDER = "annotations"
MERGED = f"{FOLDER}/instances_merged.json"
DECIMALS = 2


def write(source: Source, folder: Path) -> Written:
    """Write the boxes of all submitted attempts, and the pages that they were drawn on."""
    written = Written(counts={"images": 0, "annotations": 0, "categories": 0})
    labels = [label.name for label in source.campaign.protocol.boxes.labels]
    drawn: list[tuple[Work, PageBox, int | None]] = []
    places: dict[str, set[Place]] = {}
    for work in counted(source, written):
        asked = asked_pages(work)
        if not asked:
            written.leave_out(*work.named("no_boxes_asked"))
            continue
        places.setdefault(work.name, set()).update(asked)
        kept = work.without_events()
        order = reading_order(work.form)
        drawn += [(kept, box, order.get(box.id)) for box in kept_boxes(work, written)]
    pictures = save_pictures(source, written, set().union(*places.values()), folder)
    numbers = {place: number for number, place in enumerate(pictures, start=1)}
    annotations: list[dict[str, Any]] = []
    for work, box, place in drawn:
        picture = pictures.get((box.document, box.page))
        if picture is None:
            written.leave_out("box", "page_without_image", f"{work.head.id} {box.id}")
            continue
        annotations.append(
            {
                "id": len(annotations) + 1,
                "image_id": numbers[box.document, box.page],
                "category_id": labels.index(str(box.label)) + 1,
                **shape(picture, box),
                "annotator": work.name,
                **_further(work, box, place),
            }
        )
    images = {at: _image(source, number, pictures[at]) for at, number in numbers.items()}
    (folder / FOLDER).mkdir()

    def save(file: str, shown: Collection[Place], boxes: Sequence[dict[str, Any]]) -> None:
        save_json(
            folder / file,
            {
                "info": {"description": source.campaign.name, "dpi": source.dpi},
                "licenses": [],
                "images": [image for place, image in images.items() if place in shown],
                "annotations": boxes,
                "categories": [
                    {"id": number, "name": name, "supercategory": ""}
                    for number, name in enumerate(labels, start=1)
                ],
            },
        )
        written.rows[file] = len(boxes)

    save(MERGED, images.keys(), annotations)
    for name, shown in sorted(places.items()):
        save(annotator_file(name), shown, [a for a in annotations if a["annotator"] == name])
    written.counts = {
        "images": len(pictures),
        "annotations": len(annotations),
        "categories": len(labels),
    }
    return written


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
    stem = f"instances_{short_name(name)}"
    return f"{FOLDER}/{stem}{'_' if f'{FOLDER}/{stem}.json' == MERGED else ''}.json"


def asked_pages(work: Work) -> set[Place]:
    """The pages on which boxes were asked for: given ones that may have some, and those that do."""
    if not work.form.protocol.boxes.enabled:
        return set()
    allowed = {page for page in work.form.pages() if work.form.may_have_boxes(*page)}
    return allowed | {(b.document, b.page) for b in work.state.boxes.boxes if not b.deleted}


def kept_boxes(work: Work, written: Written) -> list[PageBox]:
    """The boxes that are there in the end and have a class; the others are accounted for."""
    labels = {label.name for label in work.form.protocol.boxes.labels}
    kept = []
    for box in work.state.boxes.boxes:
        if box.deleted:
            written.leave_out("box", "deleted", f"{work.head.id} {box.id}")
        elif box.label not in labels:
            written.leave_out("box", "without_class", f"{work.head.id} {box.id}")
        else:
            kept.append(box)
    return kept


def page_hash(source: Source, place: Place) -> str:
    """Names a page whatever its file is called: SHA-256 of the file's SHA-256, ``#`` and number."""
    info = source.pages.document(place[0])
    digest = "" if info is None else info.sha256
    return hashlib.sha256(f"{digest}#{place[1]}".encode()).hexdigest()


def _image(source: Source, number: int, picture: Picture) -> dict[str, Any]:
    place = (picture.document, picture.page)
    return {
        "id": number,
        "file_name": PurePosixPath(picture.file).name,
        "width": picture.width,
        "height": picture.height,
        "page_no": picture.page,
        "original_filename": picture.document,
        "page_hash": page_hash(source, place),
        "page_width_pt": picture.size.width,
        "page_height_pt": picture.size.height,
    }


def shape(picture: Picture, box: PageBox) -> dict[str, Any]:
    """The box as a rectangle and as its outline."""
    x0, y0, x1, y1 = (round(edge, DECIMALS) for edge in picture.pixels(box.rect))
    width, height = round(x1 - x0, DECIMALS), round(y1 - y0, DECIMALS)
    return {
        "bbox": [x0, y0, width, height],
        "area": round(width * height, DECIMALS),
        "iscrowd": 0,
        "segmentation": [[x0, y0, x1, y0, x1, y1, x0, y1]],
    }


def _further(work: Work, box: PageBox, order: int | None) -> dict[str, Any]:
    """What COCO does not know: where the box comes from, and its parts where it has them."""
    attributes = {"annotator": work.name, "verdict": box.verdict} | box.attributes
    parts = {"content": box.content, "order": order, "attributes": attributes}
    return {
        "task": work.head.task,
        "attempt": work.head.id,
        "box": box.id,
        "verdict": box.verdict,
        **{name: value for name, value in parts.items() if value is not None},
    }
