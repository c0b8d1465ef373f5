"""Exported boxes against exported images, pixel by pixel, on rotated and cropped pages.

A page is made with a mark at a known place of the PDF's own space. Where the mark is displayed is
worked out here by hand, a box is recorded there, and what is exported must be around the mark in
the exported image: nothing of it outside, and nothing but it inside, to a pixel at 200 dpi.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pymupdf
import pytest
from PIL import Image

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.formats.vidore import CORPUS_FILE, QRELS_FILE
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.pdf_bytes import Corners, Sheet, pdf_bytes
from tests.exports.worked_campaigns import ANSWERED, OPENED, box_drawn, page_field, task_field
from tests.storage.pdfs import CORPORA, needs_corpora

ODD = "odd page.pdf"
MEDIA = (420.0, 300.0)
ROTATED = CORPORA / "hostile" / "nics-background-checks-2015-11-rotated.pdf"


def displayed(mark: Corners, crop: Corners, rotation: int) -> tuple[float, float, float, float]:
    """Where a mark of the PDF's own space is on the page as displayed, in points.

    Args:
        crop: the crop box, or the media box where there is none.
    """
    x0, y0, x1, y1 = mark
    left, bottom, right, top = crop
    match rotation:
        case 0:
            return x0 - left, top - y1, x1 - left, top - y0
        case 90:
            return y0 - bottom, x0 - left, y1 - bottom, x1 - left
        case 180:
            return right - x1, y0 - bottom, right - x0, y1 - bottom
        case _:
            return top - y1, right - x1, top - y0, right - x0


def relevance_stage(root: Path, pdf: bytes, rect: tuple[float, ...]) -> Stage:
    """A query whose only page was graded, with one box on it."""
    task = {"id": "q", "question": "Where?", "candidates": [{"document": ODD, "page": 1}]}
    protocol = with_overrides(preset("relevance"), {"review.keep": 1})
    stage = make_stage(root, protocol, [task], ("Ada",), {ODD: pdf})
    x0, y0, x1, y1 = (round(edge, 2) for edge in rect)
    stage.did(
        "q",
        "Ada",
        OPENED,
        task_field("query_quality", "good"),
        page_field("relevance", 1, "2", ODD),
        page_field("modalities", 1, ("image",), ODD),
        box_drawn("b-1", 1, (x0, y0, x1, y1), "Image", ODD),
        ev.AnswerEdited(text="Here"),
        ANSWERED,
    )
    return stage


def coco_box(stage: Stage, out: Path, dpi: int) -> tuple[Image.Image, tuple[float, ...]]:
    """The image and the box of a COCO export."""
    export(stage.workspace, CAMPAIGN, "coco", out, dpi=dpi)
    data = json.loads((out / "annotations/instances_merged.json").read_text(encoding="utf-8"))
    ((image,), (annotation,)) = data["images"], data["annotations"]
    picture = Image.open(out / "images" / image["file_name"])
    assert picture.size == (image["width"], image["height"])
    x, y, width, height = annotation["bbox"]
    return picture, (x, y, x + width, y + height)


def vidore_box(stage: Stage, out: Path, dpi: int) -> tuple[Image.Image, tuple[float, ...]]:
    """The image and the box of a ViDoRe export."""
    export(stage.workspace, CAMPAIGN, "vidore", out, dpi=dpi)
    (row,) = pq.read_table(out / CORPUS_FILE).to_pylist()
    (qrel,) = pq.read_table(out / QRELS_FILE).to_pylist()
    (box,) = qrel["bounding_boxes"]
    picture = Image.open(io.BytesIO(row["image"]["bytes"]))
    return picture, (box["x1"], box["y1"], box["x2"], box["y2"])


def ink(picture: Image.Image) -> np.ndarray:
    """Where the image is dark."""
    return np.asarray(picture.convert("L")) < 128


def check(picture: Image.Image, box: tuple[float, ...], dpi: int) -> None:
    """The dark part of the image is the box, to a pixel at 200 dpi."""
    rows, columns = np.nonzero(ink(picture))
    assert rows.size, "the image has no mark"
    extent = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    for mark, edge in zip(extent, box, strict=True):
        assert abs(mark - edge) * 200 / dpi <= 1.0, (extent, box)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (60.5, 41.3, 391.2, 262.8)])
@pytest.mark.parametrize("origin", [(0.0, 0.0), (-33.0, 57.0)])
def test_the_box_lies_around_the_mark(
    tmp_path: Path,
    rotation: int,
    crop: Corners | None,
    origin: tuple[float, float],
) -> None:
    """Turned by any right angle, cropped off centre, with a media box away from the origin."""
    x, y = origin
    mark = (150.25 + x, 90.5 + y, 260.75 + x, 131.0 + y)
    moved = None if crop is None else (crop[0] + x, crop[1] + y, crop[2] + x, crop[3] + y)
    sheet = Sheet(MEDIA, marks=(mark,), crop=moved, rotate=rotation, origin=origin)
    media = (x, y, x + MEDIA[0], y + MEDIA[1])
    rect = displayed(mark, moved or media, rotation)
    stage = relevance_stage(tmp_path / "ws", pdf_bytes(sheet), rect)
    for read, dpi in ((coco_box, 200), (vidore_box, 150)):
        picture, box = read(stage, tmp_path / read.__name__, dpi)
        check(picture, box, dpi)


def test_a_box_elsewhere_would_be_noticed(tmp_path: Path) -> None:
    """The comparison above does fail: a box two pixels off at 200 dpi is told from the mark."""
    mark = (150.0, 90.0, 260.0, 130.0)
    stage = relevance_stage(
        tmp_path / "ws",
        pdf_bytes(Sheet(MEDIA, marks=(mark,))),
        (150 + 0.72, 300 - 130, 260 + 0.72, 300 - 90),
    )
    picture, box = coco_box(stage, tmp_path / "out", 200)
    with pytest.raises(AssertionError):
        check(picture, box, 200)


def test_a_page_too_large_for_its_dpi(tmp_path: Path) -> None:
    """A page that is drawn smaller than asked for keeps box and image together."""
    sheet = Sheet((4000, 3000), marks=((400, 600, 1400, 900),))
    stage = relevance_stage(tmp_path / "ws", pdf_bytes(sheet), (400, 2100, 1400, 2400))
    picture, box = coco_box(stage, tmp_path / "out", 200)
    assert picture.width < 4000 * 200 / 72
    check(picture, box, 200)


@needs_corpora
@pytest.mark.corpus
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("cropped", [False, True])
def test_a_real_rotated_page(tmp_path: Path, turned: int, cropped: bool) -> None:
    """A page of the collection that is rotated in its file, as it is and turned and cropped
    further: what a mark changes in the exported image is what the exported box says.
    """
    page = pymupdf.open(ROTATED)[0]
    assert page.rotation in (90, 270)
    rotation = (page.rotation + turned) % 360
    media = tuple(page.mediabox)
    left, bottom, right, top = crop = (
        (media[0] + 51.5, media[1] + 33.3, media[2] - 70, media[3] - 90) if cropped else media
    )
    mark = (left + 120.25, bottom + 200.5, left + 290.75, bottom + 310)
    plain, marked_pdf = (_real(rotation, crop, m) for m in (None, mark))
    rect = displayed(mark, (left, bottom, right, top), rotation)
    before, box = coco_box(relevance_stage(tmp_path / "1", plain, rect), tmp_path / "out1", 200)
    after, expected = coco_box(
        relevance_stage(tmp_path / "2", marked_pdf, rect), tmp_path / "out2", 200
    )
    assert box == expected
    changed = np.abs(np.asarray(after.convert("L"), int) - np.asarray(before.convert("L"), int))
    # JPEG carries a little of the mark's edge into the eight pixels around it.
    check(Image.fromarray((255 * (changed < 90)).astype(np.uint8)), box, 200)


def _real(rotation: int, crop: Corners, mark: Corners | None) -> bytes:
    """The first page of the rotated document, turned and cropped, with a mark or without."""
    document = pymupdf.open(ROTATED)
    document.select([0])
    page = document[0]
    page.set_rotation(0)
    if mark is not None:
        left, top = page.mediabox.x0, page.mediabox.y1
        x0, y0, x1, y1 = mark
        rect = pymupdf.Rect(x0 - left, top - y1, x1 - left, top - y0)
        page.draw_rect(rect, color=None, fill=(0, 0, 0), overlay=True)
    document.xref_set_key(page.xref, "CropBox", "[{} {} {} {}]".format(*crop))
    document.xref_set_key(page.xref, "Rotate", str(rotation))
    return bytes(document.tobytes(no_new_id=True))
