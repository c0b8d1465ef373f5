"""Boxes of the gold from the boxes of several people.

Ids: a model's element keeps its own, so that the model's values stay with it; a drawn box gets
the number of its submission before its id, since two people may use the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.review.medoid import zone_medoid
from pagetrail.annotation.review.selections import Pick

SAME_BOX = 0.5
"""IoU from which two people's boxes of one label are one box to union and intersection."""

_NumberedBox = tuple[int, PageBox]


def merged_boxes(
    submissions: Sequence[Submission], pick: Pick, size_of: PageSizeOf
) -> tuple[tuple[ev.GoldElement, ...], list[ev.GoldValue]]:
    """The boxes and the values of their fields.

    Union: every box of the first submission, then those of the next that overlap none of its label;
    intersection: the boxes of the first submission that all others have too; medoid: on each page
    those of the submission that agrees most with the others.

    Raises:
        Refusal: a picked box that is not there.
    """
    drawn = [
        [(place, box) for box in submission.boxes] for place, submission in enumerate(submissions)
    ]
    chosen: list[_NumberedBox]
    match pick.how:
        case "side":
            chosen = next(
                boxes
                for submission, boxes in zip(submissions, drawn, strict=True)
                if submission.attempt == pick.side
            )
        case "union":
            chosen = []
            for boxes in drawn:
                chosen += [mine for mine in boxes if not _is_in(mine, chosen)]
        case "intersection":
            first, *others = drawn or [[]]
            chosen = [mine for mine in first if all(_is_in(mine, boxes) for boxes in others)]
        case "medoid":
            chosen = []
            for page in sorted({_page_of_box(box) for boxes in drawn for _, box in boxes}):
                place = submissions.index(zone_medoid(submissions, page, size_of))
                chosen += [mine for mine in drawn[place] if _page_of_box(mine[1]) == page]
        case "pick":
            chosen = [_picked(submissions, drawn, *wanted) for wanted in dict.fromkeys(pick.boxes)]
        case _:
            chosen = []
    chosen = _without_repeated_elements(chosen)
    elements = tuple(_gold_element(submissions, mine) for mine in chosen)
    return elements, [value for mine in chosen for value in _gold_values(submissions, mine)]


def _page_of_box(box: PageBox) -> Page:
    return box.document, box.page


def _is_in(mine: _NumberedBox, boxes: Iterable[_NumberedBox]) -> bool:
    """Whether one of the boxes is the same thing: the same element, or the same label and place."""
    box = mine[1]
    for _, other in boxes:
        if box.model is not None and other.model is not None:
            if box.id == other.id:
                return True
        elif (
            _page_of_box(box) == _page_of_box(other)
            and box.label == other.label
            and iou(box.rect, other.rect) >= SAME_BOX
        ):
            return True
    return False


def _picked(
    submissions: Sequence[Submission],
    drawn: Sequence[Sequence[_NumberedBox]],
    attempt: str,
    box: str,
) -> _NumberedBox:
    for submission, boxes in zip(submissions, drawn, strict=True):
        if submission.attempt == attempt:
            for mine in boxes:
                if mine[1].id == box:
                    return mine
    raise Refusal("A chosen box no longer exists.", code="unknown_box", field="boxes")


def _without_repeated_elements(chosen: Sequence[_NumberedBox]) -> list[_NumberedBox]:
    """A model's element is in the gold once, whoever it is taken from: the last pick wins."""
    found: dict[object, _NumberedBox] = {}
    for place, box in chosen:
        key = box.id if box.model is not None else (place, box.id)
        found[key] = (place, box)
    return list(found.values())


def _gold_id(mine: _NumberedBox) -> str:
    place, box = mine
    return box.id if box.model is not None else f"g{place}-{box.id}"[:100]


def _gold_element(submissions: Sequence[Submission], mine: _NumberedBox) -> ev.GoldElement:
    place, box = mine
    return ev.GoldElement(
        id=_gold_id(mine),
        document=box.document,
        page=box.page,
        rect=box.rect,
        label=box.label,
        content=box.content,
        order=box.order,
        attributes=box.attributes,
        source=submissions[place].attempt,
    )


def _gold_values(submissions: Sequence[Submission], mine: _NumberedBox) -> Iterable[ev.GoldValue]:
    place, box = mine
    form = submissions[place].form
    for spec in form.protocol.scoped("box"):
        value = form.value(spec, Target(box.document, box.page, box.id))
        if value is not None and spec.kind != "records":
            yield ev.GoldValue(field=spec.name, box=_gold_id(mine), value=value)
