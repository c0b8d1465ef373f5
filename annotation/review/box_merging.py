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
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.ties import nearest, settled

SAME_BOX = 0.5
"""IoU from which two people's boxes of one label are one box to union and intersection."""

_NumberedBox = tuple[int, PageBox]


def merged_boxes(
    submissions: Sequence[Submission], pick: Pick, rule: ReviewPart, size_of: PageSizeOf
) -> tuple[tuple[ev.GoldElement, ...], list[ev.GoldValue], list[Page]]:
    """The boxes, the values of their fields, and the pages left empty because of a tie.

    Union: every box of everybody, but of boxes of several people that are the same thing only one,
    chosen by its content; intersection: of these the ones that everybody has; medoid: on each page
    those of the submission that agrees most with the others, of people who could draw there.

    Raises:
        Refusal: a picked box that is not there.
    """
    drawn = [
        [(place, box) for box in submission.boxes] for place, submission in enumerate(submissions)
    ]
    chosen: list[_NumberedBox] = []
    tied: list[Page] = []
    match pick.how:
        case "side":
            chosen = next(
                boxes
                for submission, boxes in zip(submissions, drawn, strict=True)
                if submission.attempt == pick.side
            )
        case "union":
            chosen = _one_of_each(submissions, drawn)
        case "intersection":
            common = [
                [
                    mine
                    for mine in own
                    if all(_is_in(mine, boxes) for boxes in drawn if boxes is not own)
                ]
                for own in drawn
            ]
            chosen = _one_of_each(submissions, common)
        case "medoid":
            for page in sorted({_page_of_box(box) for boxes in drawn for _, box in boxes}):
                nearest_to_all = _medoid(submissions, page, rule, size_of)
                if nearest_to_all is None:
                    tied.append(page)
                else:
                    chosen += [
                        mine for mine in drawn[nearest_to_all] if _page_of_box(mine[1]) == page
                    ]
        case "pick":
            chosen = [_picked(submissions, drawn, *wanted) for wanted in dict.fromkeys(pick.boxes)]
        case _:
            pass
    for page, attempt in (pick.at or {}).items():
        place = next(n for n, work in enumerate(submissions) if work.attempt == attempt)
        chosen = [mine for mine in chosen if _page_of_box(mine[1]) != page]
        chosen += [mine for mine in drawn[place] if _page_of_box(mine[1]) == page]
        tied = [other for other in tied if other != page]
    chosen = _without_repeated_elements(chosen)
    elements = tuple(_gold_element(submissions, mine) for mine in chosen)
    return elements, [value for mine in chosen for value in _gold_values(submissions, mine)], tied


def _one_of_each(
    submissions: Sequence[Submission], drawn: Sequence[Sequence[_NumberedBox]]
) -> list[_NumberedBox]:
    """The boxes without those that are the same as a box of somebody else which is taken."""

    def content(mine: _NumberedBox) -> str:
        return _content(submissions, mine)

    chosen: list[tuple[_NumberedBox, set[int]]] = []
    everything = sorted((mine for boxes in drawn for mine in boxes), key=content)
    for _, group in groupby(everything, key=content):
        mine, *others = group
        people = {place for place, _ in (mine, *others)}
        if not any(_is_in(mine, [other]) and len(people | theirs) > 1 for other, theirs in chosen):
            chosen.append((mine, people))
    return [mine for mine, _ in chosen]


def _medoid(
    submissions: Sequence[Submission], page: Page, rule: ReviewPart, size_of: PageSizeOf
) -> int | None:
    """The place of the submission whose boxes on a page overlap most with the others' (Dice).

    None where several do that differ by more than the campaign's rule allows.
    """
    size = size_of(*page)

    def likeness(a: int, b: int) -> float:
        mine, theirs = ([box.rect for box in submissions[place].boxes_on(page)] for place in (a, b))
        dice = zone_agreement(mine, theirs, size).dice
        return 1.0 if dice is None else dice

    def agree(a: int, b: int) -> bool:
        return page not in _disputed_pages(submissions[a], submissions[b], rule, size_of)

    def content(place: int) -> object:
        boxes = [(place, box) for box in submissions[place].boxes_on(page)]
        return sorted(_content(submissions, mine) for mine in boxes)

    able = [n for n, work in enumerate(submissions) if work.form.may_have_boxes(*page)]
    return settled(nearest(able, likeness), agree, content)


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


def _content(submissions: Sequence[Submission], mine: _NumberedBox) -> str:
    """What a box says, whoever drew it, to sort by."""
    box = mine[1]
    values = [value.value for value in _gold_values(submissions, mine)]
    own = box.id if box.model is not None else ""
    said = (own, box.rect, box.label, box.content, box.order, sorted(box.attributes.items()))
    return repr((_page_of_box(box), said, values))


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
