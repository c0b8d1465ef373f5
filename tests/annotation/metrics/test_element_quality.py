"""The quality of a model's elements, with every result worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.metrics.element_quality import ADDED, DELETED, NO_CLASS, model_quality

SQUARE = (0.0, 0.0, 10.0, 10.0)


def _model_box(name: str, label: str | None = "Text", rect: Box = SQUARE, **now: Any) -> PageBox:
    """An element of a model, and what became of it."""
    model = Element(id=name, document="a.pdf", page=1, rect=rect, label=label, content="x")
    values = {"rect": rect, "label": label, "content": "x", **now}
    return PageBox(id=name, document="a.pdf", page=1, model=model, seq=2, **values)


def _added(name: str, label: str = "Text", rect: Box = (50, 50, 60, 60), **now: Any) -> PageBox:
    return PageBox(id=name, document="a.pdf", page=1, rect=rect, label=label, seq=3, **now)


BOXES = [
    _model_box("e1", accepted=True),
    _model_box("e2", rect=(0, 20, 10, 30)),  # left as it came
    _model_box("e3", label="Table", rect=(20, 0, 30, 10)).model_copy(
        update={"rect": (20.0, 0.0, 30.0, 5.0), "label": "Text"}
    ),
    _model_box("e4", label="Table", rect=(40, 0, 50, 10), content="y"),
    _model_box("e5", rect=(60, 0, 70, 10), deleted=True),
    _model_box("e6", label=None, rect=(80, 0, 90, 10)).model_copy(update={"label": "Text"}),
    _added("b1"),
    _added("b2", label="Table", rect=(20, 0, 30, 10)),
    _added("b3", deleted=True),
]


def test_counts() -> None:
    """Each verdict is counted once, what was changed separately; a box drawn and deleted is not."""
    overall = model_quality([BOXES], pages=1).overall
    assert (overall.given, overall.unjudged) == (5, 1)
    assert (overall.accepted, overall.corrected, overall.deleted, overall.added) == (1, 3, 1, 2)
    assert overall.corrected_parts == {
        "rect": 1,
        "label": 2,
        "content": 1,
        "order": 0,
        "attributes": 0,
    }


def test_rates() -> None:
    """Four of five elements stayed, six are there in the end, and one was right as it was."""
    overall = model_quality([BOXES]).overall
    assert (overall.precision.value, overall.precision.of) == (4 / 5, (4, 5))
    assert (overall.recall.value, overall.recall.of) == (4 / 6, (4, 6))
    assert overall.acceptance.value == 1 / 5
    assert overall.iou_corrected.value == 0.5
    assert overall.iou_corrected.of == (0.5, 1)


def test_localisation() -> None:
    """e1, e3, e4, e6 and b2 are covered by something the model gave; b1 is not; classes count."""
    overall = model_quality([BOXES]).overall
    assert overall.localised.of == (5, 6)
    # e3 became Text where the model had a Table, e6 had no class; b2 is the Table of e3's place.
    assert overall.localised_with_class.of == (3, 6)


def test_classes() -> None:
    """Given elements count for the model's class, misses and recall for the human one."""
    classes = model_quality([BOXES]).classes
    assert sorted(classes) == [NO_CLASS, "Table", "Text"]
    text, tables = classes["Text"], classes["Table"]
    assert (text.given, text.deleted, text.added, text.unjudged) == (2, 1, 1, 1)
    assert (text.precision.of, text.recall.of) == ((1, 2), (1, 4))
    assert (tables.given, tables.corrected, tables.added) == (2, 2, 1)
    assert (tables.precision.of, tables.recall.of) == ((1, 2), (1, 2))
    assert classes[NO_CLASS].precision.of == (0, 1)


def test_confusion() -> None:
    """Rows are what the model said, columns what it is; sums are the judged and added boxes."""
    assert model_quality([BOXES]).confusion == {
        ADDED: {"Table": 1, "Text": 1},
        NO_CLASS: {"Text": 1},
        "Table": {"Table": 1, "Text": 1},
        "Text": {DELETED: 1, "Text": 1},
    }


def test_nothing_to_judge() -> None:
    """Without boxes every rate is undefined and says why; none is printed as 0 or 1."""
    overall = model_quality([[]]).overall
    assert overall.given == overall.added == 0
    reasons = {"precision": "nothing_given", "recall": "nothing_there"}
    reasons |= {"acceptance": "nothing_given", "iou_corrected": "no_box_corrected"}
    for name, reason in {**reasons, "localised": "nothing_there"}.items():
        share = getattr(overall, name)
        assert (share.value, share.reason) == (None, reason)


@pytest.mark.parametrize("page", [1, 2])
def test_pages_and_attempts_are_kept_apart(page: int) -> None:
    """A model's box on another page, or in another attempt, localises nothing."""
    lone = _added("b1", rect=SQUARE).model_copy(update={"page": page})
    in_one_attempt = model_quality([[_model_box("e1", accepted=True), lone]]).overall
    assert in_one_attempt.localised.of == (2 if page == 1 else 1, 2)
    in_two_attempts = model_quality([[_model_box("e1", accepted=True)], [lone]])
    assert in_two_attempts.attempts == 2
    assert in_two_attempts.overall.localised.of == (1, 2)


def test_people_of_a_task_share_its_weight() -> None:
    """Two people deleted the one element of a page, one kept that of another: precision 1/2."""
    deleted_boxes, kept_boxes = [_model_box("e1", deleted=True)], [_model_box("e2", accepted=True)]
    overall = model_quality(
        [deleted_boxes, deleted_boxes, kept_boxes], tasks=["q1", "q1", "q2"]
    ).overall
    assert (overall.precision.value, overall.precision.of) == (1 / 2, (1, 3))
    assert overall.acceptance.value == 1 / 2
    assert (
        model_quality([deleted_boxes, deleted_boxes, kept_boxes]).overall.precision.value == 1 / 3
    )
