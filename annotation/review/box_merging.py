"""Boxes of the gold from the boxes of several people.

Ids: a model's element keeps its own, so that the model's values stay with it; a drawn box gets
the number of its submission before its id, since two people may use the same one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.differences import compare
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.ties import break_tie, nearest

SAME_BOX = 0.5
"""IoU from which two people's boxes of one label are one box to union and intersection."""

_NumberedBox = tuple[int, PageBox]


def merged_boxes(
    submissions: Sequence[Submission],
    pick: Pick,
    rule: ReviewPart,
    size_of: PageSizeOf,
    drafts: Sequence[GoldSubmission] = (),
) -> tuple[tuple[ev.GoldElement, ...], list[ev.GoldValue], list[Page]]:
    """The boxes, the values of their fields, and the pages left empty because of a tie.

    Union: every box of everybody, but of boxes of several people that are the same thing only one,
    chosen by its content; intersection: of these the ones that everybody has; medoid: on each page
    those of the submission that agrees most with the others, of people who could draw there.

    Args:
        drafts: whose boxes can be taken; they have no say in the other ways.

    Raises:
        Refusal: a picked box that is not there.
    """
    versions = [*submissions, *drafts]
    boxes_by_version = [
        [(index, box) for box in version.boxes] for index, version in enumerate(versions)
    ]
    boxes_by_submission = boxes_by_version[: len(submissions)]
    merged: list[_NumberedBox] = []
    tied: list[Page] = []
    match pick.how:
        case "side":
            merged = next(
                boxes
                for version, boxes in zip(versions, boxes_by_version, strict=True)
                if version.attempt == pick.side
            )
        case "union":
            merged = _one_of_each(submissions, boxes_by_submission)
        case "intersection":
            common = [
                [
                    box
                    for box in own_boxes
                    if all(
                        _is_in(box, boxes)
                        for boxes in boxes_by_submission
                        if boxes is not own_boxes
                    )
                ]
                for own_boxes in boxes_by_submission
            ]
            merged = _one_of_each(submissions, common)
        case "medoid":
            for page in sorted(
                {_page_of_box(box) for boxes in boxes_by_submission for _, box in boxes}
            ):
                nearest_to_all = _medoid(submissions, page, rule, size_of)
                if nearest_to_all is None:
                    tied.append(page)
                else:
                    merged += [
                        box
                        for box in boxes_by_submission[nearest_to_all]
                        if _page_of_box(box[1]) == page
                    ]
        case "pick":
            merged = [
                _picked_box(versions, boxes_by_version, *choice)
                for choice in dict.fromkeys(pick.boxes)
            ]
        case _:
            pass
    for page, attempt in (pick.at or {}).items():
        index = next(n for n, version in enumerate(versions) if version.attempt == attempt)
        merged = [box for box in merged if _page_of_box(box[1]) != page]
        merged += [box for box in boxes_by_version[index] if _page_of_box(box[1]) == page]
        tied = [other for other in tied if other != page]
    merged = _without_repeated_elements(merged)
    elements = tuple(
        gold_element(numbered[1], _gold_id(numbered), versions[numbered[0]].attempt)
        for numbered in merged
    )
    return elements, [value for box in merged for value in _gold_values(versions, box)], tied


def _one_of_each(
    submissions: Sequence[Submission], boxes_by_submission: Sequence[Sequence[_NumberedBox]]
) -> list[_NumberedBox]:
    """The boxes without those that are the same as a box of somebody else which is taken."""

    def content(box: _NumberedBox) -> str:
        return _content(submissions, box)

    distinct: list[tuple[_NumberedBox, set[int]]] = []
    all_boxes = sorted((box for boxes in boxes_by_submission for box in boxes), key=content)
    for _, group in groupby(all_boxes, key=content):
        first, *duplicates = group
        people = {index for index, _ in (first, *duplicates)}
        if not any(
            _is_in(first, [other]) and len(people | other_people) > 1
            for other, other_people in distinct
        ):
            distinct.append((first, people))
    return [box for box, _ in distinct]


def _medoid(
    submissions: Sequence[Submission], page: Page, rule: ReviewPart, size_of: PageSizeOf
) -> int | None:
    """The place of the submission whose boxes on a page overlap most with the others' (Dice).

    None where several do that differ by more than the campaign's rule allows.
    """
    size = size_of(*page)

    def likeness(a: int, b: int) -> float:
        rects, other_rects = (
            [box.rect for box in submissions[index].boxes_on(page)] for index in (a, b)
        )
        dice = zone_agreement(rects, other_rects, size).dice
        return 1.0 if dice is None else dice

    def agree(a: int, b: int) -> bool:
        return page not in _disputed_pages(submissions[a], submissions[b], rule, size_of)

    def content(index: int) -> object:
        boxes = [(index, box) for box in submissions[index].boxes_on(page)]
        return sorted(_content(submissions, box) for box in boxes)

    able = [n for n, submission in enumerate(submissions) if submission.form.may_have_boxes(*page)]
    return break_tie(nearest(able, likeness), agree, content)


def _disputed_pages(
    a: Submission, b: Submission, rule: ReviewPart, size_of: PageSizeOf
) -> set[Page]:
    """The pages on which what two people say of boxes does not meet the campaign's rule."""
    fields = {spec.name for spec in a.form.protocol.scoped("box")}
    return {
        page
        for part in compare([a, b], rule, size_of).parts
        if not part.agreed and part.part in {"boxes", "content", "order", *fields}
        for page in part.places
    }


def _content(submissions: Sequence[Submission], numbered_box: _NumberedBox) -> str:
    """A sort key of a box that does not depend on who drew it."""
    box = numbered_box[1]
    values = [value.value for value in _gold_values(submissions, numbered_box)]
    element_id = box.id if box.model is not None else ""
    content = (
        element_id,
        box.rect,
        box.label,
        box.content,
        box.order,
        sorted(box.attributes.items()),
    )
    return repr((_page_of_box(box), content, values))


def _page_of_box(box: PageBox) -> Page:
    return box.document, box.page


def _is_in(numbered_box: _NumberedBox, boxes: Iterable[_NumberedBox]) -> bool:
    """Whether one of the boxes is the same thing: the same element, or the same label and place."""
    box = numbered_box[1]
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


def _picked_box(
    submissions: Sequence[Submission],
    boxes_by_submission: Sequence[Sequence[_NumberedBox]],
    attempt: str,
    box: str,
) -> _NumberedBox:
    for submission, boxes in zip(submissions, boxes_by_submission, strict=True):
        if submission.attempt == attempt:
            for numbered in boxes:
                if numbered[1].id == box:
                    return numbered
    raise Refusal(gettext("A chosen box no longer exists."), code="unknown_box", field="boxes")


def _without_repeated_elements(boxes: Sequence[_NumberedBox]) -> list[_NumberedBox]:
    """A model's element is in the gold once: the last pick wins."""
    boxes_by_key: dict[object, _NumberedBox] = {}
    for index, box in boxes:
        key = box.id if box.model is not None else (index, box.id)
        boxes_by_key[key] = (index, box)
    return list(boxes_by_key.values())


def _gold_id(numbered_box: _NumberedBox) -> str:
    index, box = numbered_box
    return box.id if box.model is not None else f"g{index}-{box.id}"[:100]


def gold_element(box: PageBox, id_: str, source: str | None = None) -> ev.GoldElement:
    """A box as gold.

    Args:
        source: the attempt that it is taken from.
    """
    return ev.GoldElement(
        id=id_,
        document=box.document,
        page=box.page,
        rect=box.rect,
        label=box.label,
        content=box.content,
        order=box.order,
        attributes=box.attributes,
        source=source,
    )


def _gold_values(
    submissions: Sequence[Submission], numbered_box: _NumberedBox
) -> Iterable[ev.GoldValue]:
    index, box = numbered_box
    form = submissions[index].form
    for spec in form.protocol.scoped("box"):
        value = form.value(spec, Target(box.document, box.page, box.id))
        if value is not None and spec.kind != "records":
            yield ev.GoldValue(field=spec.name, box=_gold_id(numbered_box), value=value)
