"""How far two submissions agree, part by part: what review, pilots, agreement with gold and reports
of agreement are all worked out from. Each sets its own threshold.

Either submission may be gold; where it leaves a part open there is nothing to compare. The order of
the two makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.answers.anls import TOO_LONG
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.metrics.correctness import anls_star
from pagetrail.annotation.normalised_text import normalised_tokens, plain_text
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.statistics.set_overlap import Overlap, overlap

PageSizeOf = Callable[[str, int], tuple[float, float]]
"""Width and height in points of a page as displayed."""


def answer_anls(a: Submission, b: Submission) -> float | None:
    """ANLS*, the mean of both directions, of the best pair of accepted answers.

    0 where one of the two has no answer; None where neither did, or where they are too long for it.
    """
    if not (a.states("answer") and b.states("answer")) or not (a.accepted or b.accepted):
        return None
    if not (a.accepted and b.accepted):
        return 0.0
    similarities = [_anls(answer, other) for answer, other in product(a.accepted, b.accepted)]
    return max((anls for anls in similarities if anls is not None), default=None)


@lru_cache(512)
def _anls(answer: tuple[str, ...], other: tuple[str, ...]) -> float | None:
    """Of plain texts; kept, as comparing, merging and accepting a task ask for the same pairs."""
    texts, other_texts = [*map(plain_text, answer)], [*map(plain_text, other)]
    forward, backward = anls_star(texts, [other_texts]), anls_star(other_texts, [texts])
    if TOO_LONG in (forward.reason, backward.reason):
        return None
    return ((forward.value or 0.0) + (backward.value or 0.0)) / 2


def page_overlap(a: Submission, b: Submission) -> Overlap | None:
    """The cited pages that both have."""
    if not (a.states("evidence") and b.states("evidence")):
        return None
    return overlap(frozenset(a.pages), frozenset(b.pages))


class ValuePair(NamedTuple):
    """Two values of one field of one target, at least one of which is there.

    Attributes:
        distance: see ``value_distance``.
    """

    target: Target
    mine: Value
    theirs: Value
    distance: float


def value_pairs(spec: FieldSpec, a: Submission, b: Submission) -> Iterator[ValuePair]:
    """The values of a field, target by target, but of a table of records.

    Of boxes only those that a model gave and that both have: what one person drew has a value from
    nobody else, and boxes that two people drew may have the same id.
    """
    shared = elements(a).keys() & elements(b).keys() if spec.scope == "box" else ()
    for target in dict.fromkeys((*a.targets(spec), *b.targets(spec))):
        if target.box is not None and target.box not in shared:
            continue
        value, other = a.value(spec, target), b.value(spec, target)
        if value is not None or other is not None:
            yield ValuePair(target, value, other, value_distance(spec, value, other))


def value_distance(spec: FieldSpec, value: Value, other: Value) -> float:
    """How far two values are apart, in [0, 1]: 0 for the same value.

    By the field's kind; 0 for two values that are both missing, 1 where one is.
    """
    if value is None or other is None:
        return 0.0 if value is other else 1.0
    return spec.rules.distance(spec, value, other)


def row_overlap(
    spec: FieldSpec, a: Submission, b: Submission, columns: Sequence[str] | None = None
) -> Overlap:
    """The rows of a table of records that both have, compared by what their cells say.

    Args:
        columns: those that count; None for all.
    """
    names = [column.name for column in spec.columns] if columns is None else columns
    rows, other_rows = (
        [
            (target, *(normalised_tokens(row.values.get(name, "")) for name in names))
            for target, row in submission.rows(spec)
        ]
        for submission in (a, b)
    )
    return overlap(rows, other_rows)


def zone_overlaps(a: Submission, b: Submission, size_of: PageSizeOf) -> list[tuple[Page, float]]:
    """IoU of the zones of each page on which either has boxes, by page (docs/metrics.md, Boxes)."""
    if not (a.states("boxes") and b.states("boxes")):
        return []
    pages = sorted({(box.document, box.page) for box in (*a.boxes, *b.boxes)})
    overlaps = []
    for page in pages:
        rects, other_rects = (
            [box.rect for box in submission.boxes_on(page)] for submission in (a, b)
        )
        overlaps.append((page, zone_agreement(rects, other_rects, size_of(*page)).iou or 0.0))
    return overlaps


def box_overlap(boxes: Sequence[PageBox], other_boxes: Sequence[PageBox], least: float) -> Overlap:
    """Pairs of boxes of the same page and label with an IoU of ``least`` or more.

    Greedy: the pair that overlaps most is taken first, and each box is in one pair at most. Among
    equal overlaps the order of the boxes decides.
    """
    candidates: dict[tuple[str, int, str | None], list[tuple[int, PageBox]]] = {}
    for j, other in enumerate(other_boxes):
        candidates.setdefault((other.document, other.page, other.label), []).append((j, other))
    pairs = sorted(
        (-shared, i, j)
        for i, box in enumerate(boxes)
        for j, other in candidates.get((box.document, box.page, box.label), ())
        if (shared := iou(box.rect, other.rect)) >= least
    )
    used_mine: set[int] = set()
    used_theirs: set[int] = set()
    for _, i, j in pairs:
        if i not in used_mine and j not in used_theirs:
            used_mine.add(i)
            used_theirs.add(j)
    return Overlap(len(used_mine), len(boxes), len(other_boxes))


def elements(submission: Submission) -> dict[str, PageBox]:
    """The model's elements among the boxes that count, by their ids."""
    return {box.id: box for box in submission.boxes if box.model is not None}
