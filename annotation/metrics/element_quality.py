"""Quality of a model's elements, by people's verdicts on them.

A person who verified a page left each element accepted, corrected, deleted, or unjudged, and added
what the model had missed. Counts are of boxes over all attempts. Rates are quotients of such counts
in which a box has the weight of its attempt: 1 / (attempts at its task), so that a page that
several people verified counts no more than another (docs/metrics.md, Weights).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.geometry.overlap import iou, localises
from pagetrail.annotation.statistics.attempt_weights import weights

Part = Literal["rect", "label", "content", "order", "attributes"]
PARTS: tuple[Part, ...] = ("rect", "label", "content", "order", "attributes")

DELETED, ADDED, NO_CLASS = "(deleted)", "(added)", "(no class)"
"""Classes in a confusion matrix: false positives, elements missed by the model, and no class."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Share(_Frozen):
    """A weighted quotient of counts, or a weighted mean.

    Attributes:
        value: None where it is undefined, and then ``reason`` says why.
        of: the counts it rests on: parts and whole, or sum and number of a mean. The value is their
            quotient only where each task has one attempt.
    """

    value: float | None
    of: tuple[int | float, int]
    reason: str | None = None


class Quality(_Frozen):
    """Counts and rates of one class, or of all.

    Attributes:
        given: elements that the model gave and somebody judged.
        unjudged: elements left as they came; they count nowhere else.
        corrected_parts: corrected elements by what was changed; an element may count in several.
        deleted: false positives.
        added: misses.
        precision: elements that stayed, of those given. For a class: stayed with that class.
        recall: elements that stayed, of what is there in the end. For a class: with that class.
        acceptance: elements found right as they were, of those given.
        iou_corrected: mean exact IoU of the model's box and the human one, over elements whose box
            was moved or resized.
        localised: true elements that some element of the model localises (docs/metrics.md, Boxes).
        localised_with_class: those that one of the same class localises.
    """

    given: int
    accepted: int
    corrected: int
    deleted: int
    added: int
    unjudged: int
    corrected_parts: dict[Part, int]
    precision: Share
    recall: Share
    acceptance: Share
    iou_corrected: Share
    localised: Share
    localised_with_class: Share


class Report(_Frozen):
    """The quality of a model's elements.

    Attributes:
        classes: by class, sorted; a given element counts for the model's class, an added one and
            the recall for the human class.
        confusion: model class → human class → number of judged elements; added ones are under
            ``(added)``, deleted ones in the column ``(deleted)``.
        attempts, pages: what was verified; a page counts once an attempt.
    """

    attempts: int
    pages: int
    overall: Quality
    classes: dict[str, Quality] = Field(default_factory=dict)
    confusion: dict[str, dict[str, int]] = Field(default_factory=dict)


def model_quality(
    verified: Iterable[Sequence[PageBox]],
    pages: int = 0,
    tasks: Sequence[Hashable] | None = None,
) -> Report:
    """The report over verified attempts.

    Args:
        verified: the boxes of each attempt, deleted ones included.
        pages: number of verified pages, for the report's head.
        tasks: the task of each attempt; unless given, each is at a task of its own.
    """
    all_attempts = list(verified)
    row_weights = weights(range(len(all_attempts)) if tasks is None else tasks)
    attempts = [
        _Attempt(boxes, weight) for boxes, weight in zip(all_attempts, row_weights, strict=True)
    ]
    boxes = [box for attempt in attempts for box in attempt.judged]
    given_classes = {_model_class(b) for a in attempts for b in (*a.judged, *a.unjudged) if b.model}
    classes = sorted(given_classes | {_class(b) for a in attempts for b in a.there})
    confusion: Counter[tuple[str, str]] = Counter((_model_class(b), _outcome(b)) for b in boxes)
    matrix: dict[str, dict[str, int]] = {}
    for (model, human), n in sorted(confusion.items()):
        matrix.setdefault(model, {})[human] = n
    return Report(
        attempts=len(attempts),
        pages=pages,
        overall=_quality(attempts, None),
        classes={name: _quality(attempts, name) for name in classes},
        confusion=matrix,
    )


class _Attempt:
    """The boxes of one attempt: those judged, what is there in the end, and what the model gave."""

    def __init__(self, boxes: Sequence[PageBox], weight: float) -> None:
        self.weight = weight
        # Boxes that the annotator drew and deleted say nothing about the model.
        relevant_boxes = [b for b in boxes if b.model is not None or not b.deleted]
        self.judged = [b for b in relevant_boxes if b.verdict != "open"]
        self.unjudged = [b for b in relevant_boxes if b.verdict == "open"]
        self.there = [b for b in self.judged if not b.deleted]
        self._given: dict[tuple[str, int], list[Element]] = {}
        for box in relevant_boxes:
            if box.model is not None:
                self._given.setdefault((box.document, box.page), []).append(box.model)

    def localised(self, box: PageBox, *, same_class: bool) -> bool:
        """Whether an element that the model gave for the page localises the box."""
        return any(
            localises(element.rect, box.rect) and (not same_class or element.label == box.label)
            for element in self._given.get((box.document, box.page), ())
        )


def _quality(attempts: Sequence[_Attempt], name: str | None) -> Quality:
    """Of one class, or of all where ``name`` is None."""
    judged_given = [
        (attempt, box)
        for attempt in attempts
        for box in attempt.judged
        if box.model is not None and name in (None, _model_class(box))
    ]
    stayed = [(a, b) for a, b in judged_given if not b.deleted and name in (None, _class(b))]
    present_boxes = [(a, b) for a in attempts for b in a.there if name in (None, _class(b))]
    accepted = [(a, b) for a, b in judged_given if b.verdict == "accepted"]
    verdicts = Counter(b.verdict for _, b in judged_given)
    moved = [
        (a.weight, iou(b.model.rect, b.rect))
        for a, b in judged_given
        if b.model is not None and not b.deleted and "rect" in b.differences
    ]
    unjudged = sum(name in (None, _model_class(b)) for a in attempts for b in a.unjudged)

    def localised_share(*, same_class: bool) -> Share:
        is_localised = [(a.weight, a.localised(b, same_class=same_class)) for a, b in present_boxes]
        return _weighted_share(is_localised, "nothing_there")

    return Quality(
        given=len(judged_given),
        accepted=verdicts["accepted"],
        corrected=verdicts["corrected"],
        deleted=verdicts["deleted"],
        added=sum(b.model is None for _, b in present_boxes),
        unjudged=unjudged,
        corrected_parts={
            part: sum(b.verdict == "corrected" and part in b.differences for _, b in judged_given)
            for part in PARTS
        },
        precision=_quotient(stayed, judged_given, "nothing_given"),
        recall=_quotient(stayed, present_boxes, "nothing_there"),
        acceptance=_quotient(accepted, judged_given, "nothing_given"),
        iou_corrected=_weighted_share(moved, "no_box_corrected"),
        localised=localised_share(same_class=False),
        localised_with_class=localised_share(same_class=True),
    )


_Boxes = Sequence[tuple[_Attempt, PageBox]]


def _quotient(part: _Boxes, total: _Boxes, reason: str) -> Share:
    if not total:
        return Share(value=None, of=(len(part), 0), reason=reason)
    part_weight, whole_weight = (math.fsum(a.weight for a, _ in boxes) for boxes in (part, total))
    return Share(value=part_weight / whole_weight, of=(len(part), len(total)))


def _weighted_share(weighted: Sequence[tuple[float, float]], reason: str) -> Share:
    """Of (weight, value) pairs: the weighted mean, with the sum of the values and their number."""
    total = sum(value for _, value in weighted)
    if not weighted:
        return Share(value=None, of=(total, 0), reason=reason)
    total_weight = math.fsum(weight for weight, _ in weighted)
    value = math.fsum(weight * value for weight, value in weighted) / total_weight
    return Share(value=value, of=(total, len(weighted)))


def _model_class(box: PageBox) -> str:
    if box.model is None:
        return ADDED
    return box.model.label or NO_CLASS


def _class(box: PageBox) -> str:
    return box.label or NO_CLASS


def _outcome(box: PageBox) -> str:
    return DELETED if box.deleted else _class(box)
