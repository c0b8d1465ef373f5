"""COCO mean average precision of predicted boxes, computed by pycocotools.

Lin et al. 2014, *Microsoft COCO: Common Objects in Context*; the figures are those of the
reference program, which this module feeds and reads. It comes with the extra ``coco``.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotation.errors import BoxError, PagetrailError
from annotation.geometry import Box
from annotation.regions import is_box

try:
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
except ImportError:
    COCO = COCOeval = None

_STATS = {"map_50_95": 0, "ap50": 1, "ap75": 2, "ar_1": 6, "ar_10": 7, "ar_100": 8}
"""Places of the figures in pycocotools' summary."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One box of a page, true or predicted.

    Attributes:
        image: what page it is on.
        rect: x0 < x1, y0 < y1, in one unit for all boxes.
        label: its class.
        score: the model's confidence; of a true box it is not looked at.
    """

    image: Hashable
    rect: Box
    label: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class CocoMap:
    """Average precision and recall over classes.

    Attributes:
        map_50_95: mean over classes and IoU thresholds 0.50, 0.55 … 0.95; None without a true box.
        ap50, ap75: at one threshold.
        ar_1, ar_10, ar_100: recall with so many predictions a page, over the thresholds.
        n_truth, n_predictions, n_images: boxes and pages that took part.
        reason: ``"no_truth"`` where nothing is defined.
    """

    map_50_95: float | None
    ap50: float | None
    ap75: float | None
    ar_1: float | None
    ar_10: float | None
    ar_100: float | None
    n_truth: int
    n_predictions: int
    n_images: int
    reason: Literal["no_truth"] | None


def coco_map(truth: Sequence[Detection], predictions: Sequence[Detection]) -> CocoMap:
    """COCO's figures for a set of pages.

    Classes without a true box take no part, as in COCO.

    Raises:
        BoxError: a box is not four finite numbers in order.
        PagetrailError: pycocotools is not installed (code ``missing_extra``).
    """
    if COCO is None:
        raise PagetrailError(
            "COCO mAP needs pycocotools, which is not installed: pip install 'pagetrail[coco]'.",
            code="missing_extra",
        )
    images = _numbers(found.image for found in (*truth, *predictions))
    counts = {
        "n_truth": len(truth),
        "n_predictions": len(predictions),
        "n_images": len(images),
    }
    labels = _numbers(found.label for found in (*truth, *predictions))
    true, predicted = _records(truth, images, labels), _records(predictions, images, labels)
    if not truth:
        return CocoMap(**dict.fromkeys(_STATS), **counts, reason="no_truth")
    stats = _evaluated(true, predicted, images, labels)
    return CocoMap(
        **{name: float(stats[place]) for name, place in _STATS.items()}, **counts, reason=None
    )


def _numbers(names: Any) -> dict[Hashable, int]:
    """Numbers from 1: pycocotools takes an id of 0 for no match."""
    return {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}


def _records(
    boxes: Sequence[Detection], images: dict[Hashable, int], labels: dict[Hashable, int]
) -> list[dict[str, Any]]:
    found = []
    for number, box in enumerate(boxes, start=1):
        if not is_box(box.rect) or box.rect[0] >= box.rect[2] or box.rect[1] >= box.rect[3]:
            raise BoxError(
                f"Box {number} on {box.image} is {box.rect!r}: "
                "give four finite numbers with x0 < x1 and y0 < y1."
            )
        x0, y0, x1, y1 = box.rect
        found.append(
            {
                "id": number,
                "image_id": images[box.image],
                "category_id": labels[box.label],
                "bbox": [x0, y0, x1 - x0, y1 - y0],
                "area": (x1 - x0) * (y1 - y0),
                "iscrowd": 0,
                "score": box.score,
            }
        )
    return found


def _evaluated(
    truth: list[dict[str, Any]],
    predictions: list[dict[str, Any]],
    images: dict[Hashable, int],
    labels: dict[Hashable, int],
) -> Any:
    # pycocotools tells what it does on standard output, and numpy warns about how it does it.
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        sides = []
        for boxes in (truth, predictions):
            side = COCO()
            side.dataset = {
                "images": [{"id": number} for number in images.values()],
                "categories": [{"id": number} for number in labels.values()],
                "annotations": boxes,
            }
            side.createIndex()
            sides.append(side)
        run = COCOeval(*sides, "bbox")
        run.evaluate()
        run.accumulate()
        run.summarize()
    return run.stats
