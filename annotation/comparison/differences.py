"""How far the people of one task differ, part by part.

Every part is compared pair by pair, without regard to who is right. A pair's difference is a share
in [0, 1]; a part's is the mean over the pairs; the task's is the mean over the parts that anybody
gave anything for. A part agrees when every pair meets the campaign's rule (``ReviewPart``).

* outcome: 0 or 1.
* answer: 1 − ANLS*, mean of both directions; one without an answer differs by 1.
* evidence: 1 − |A∩B| / |A∪B| of the cited pages.
* a field of the task or of a page: 0 or 1; of a scale, steps apart by steps there are; of several
  options, 1 − Jaccard; of a table, 1 − F1 of its rows. A page's field is averaged over the pages
  for which either gave a value, and a value beside none differs by 1. Text that is not required is
  a remark and not compared.
* boxes: 1 − IoU of the zones (docs/metrics.md, Boxes), averaged over the pages on which either
  drew. Where a model's elements are verified, 1 − F1 of the boxes matched by label and IoU instead,
  and the content and the reading order of the elements that both kept: the share that is not the
  same.
* question: 0 or 1, where questions are written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pagetrail.annotation.agreement.zones import zone_agreement
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.comparison.answer_pairs import Handed, answer_pair
from pagetrail.annotation.comparison.box_matching import Placed, matched
from pagetrail.annotation.comparison.values import difference, steps_apart
from pagetrail.annotation.metrics.answer_matching import normalised, same
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.statistics.set_overlap import overlap

Page = tuple[str, int]
PageSizeOf = Callable[[str, int], tuple[float, float]]

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Side:
    """What one person handed in for the task.

    Attributes:
        attempt: id of the attempt.
        name: who made it.
        form: the protocol's questions over the attempt's state.
    """

    attempt: str
    name: str
    form: Form


@dataclass(frozen=True)
class PartDifference:
    """How far the sides differ in one part.

    Attributes:
        part: ``outcome``, ``answer``, ``evidence``, ``boxes``, ``content``, ``order``,
            ``question``, or a field's name.
        label: the part as shown.
        score: mean difference over the pairs, in [0, 1].
        agreed: whether every pair meets the rule.
        places: pages on which any pair differs; empty for parts that have no page.
    """

    part: str
    label: str
    score: float
    agreed: bool
    places: tuple[Page, ...] = ()


@dataclass(frozen=True)
class TaskDifference:
    """How far the sides of a task differ.

    Attributes:
        score: mean over the parts; 0 where there is nothing to compare.
        agreed: whether every part agrees; False with fewer than two sides.
        parts: those that anybody gave anything for, in the screen's order.
    """

    score: float
    agreed: bool
    parts: tuple[PartDifference, ...]


@dataclass(frozen=True)
class _Gap:
    """What one pair makes of a part: difference in [0, 1], whether the rule is met, and where."""

    value: float
    meets: bool
    places: tuple[Page, ...] = ()


def compare(sides: Sequence[Side], rule: ReviewPart, size_of: PageSizeOf) -> TaskDifference:
    """The parts in which the sides differ; the same whatever the order of the sides.

    Args:
        size_of: width and height in points of a page as displayed.
    """
    pairs = list(combinations(sides, 2))
    parts = []
    for part, label, gap in _measures(sides, rule, size_of):
        gaps = [found for a, b in pairs if (found := gap(a, b)) is not None]
        if gaps:
            parts.append(
                PartDifference(
                    part=part,
                    label=label,
                    score=math.fsum(g.value for g in gaps) / len(gaps),
                    agreed=all(g.meets for g in gaps),
                    places=tuple(sorted({place for g in gaps for place in g.places})),
                )
            )
    score = math.fsum(part.score for part in parts) / len(parts) if parts else 0.0
    agreed = len(sides) > 1 and all(part.agreed for part in parts)
    return TaskDifference(score, agreed, tuple(parts))


_Measure = Callable[[Side, Side], _Gap | None]


def _measures(
    sides: Sequence[Side], rule: ReviewPart, size_of: PageSizeOf
) -> Iterator[tuple[str, str, _Measure]]:
    if not sides:
        return
    protocol = sides[0].form.protocol
    if protocol.question.kind == "editable":
        yield "question", "Question", _question
    yield "outcome", "Outcome", _outcome
    if protocol.answer.kind != "off":
        yield "answer", "Answer", lambda a, b: _answer(a, b, rule)
    if protocol.evidence.enabled:
        yield "evidence", "Evidence pages", lambda a, b: _evidence(a, b, rule)
    for spec in protocol.fields:
        if not is_remark(spec):
            yield spec.name, spec.label, _field_measure(spec, rule)
    if not protocol.boxes.enabled:
        return
    if not is_verifying(sides):
        yield "boxes", "Boxes", lambda a, b: _zones(a, b, rule, size_of)
        return
    yield "boxes", "Elements", lambda a, b: _elements(a, b, rule)
    if protocol.boxes.content:
        yield "content", "Text of elements", lambda a, b: _kept(a, b, lambda box: box.content or "")
    if protocol.boxes.order:
        yield "order", "Reading order", lambda a, b: _kept(a, b, lambda box: box.order)


def is_remark(spec: FieldSpec) -> bool:
    """Whether a field holds free remarks, which differ without anybody disagreeing."""
    return spec.kind == "text" and not spec.required


def is_verifying(sides: Iterable[Side]) -> bool:
    """Whether a model's elements are verified, so that boxes have identities."""
    return any(box.model is not None for side in sides for box in side.form.state.boxes.boxes)


def _field_measure(spec: FieldSpec, rule: ReviewPart) -> _Measure:
    return lambda a, b: _field(spec, a, b, rule)


def _question(a: Side, b: Side) -> _Gap | None:
    texts = [side.form.state.question_text or "" for side in (a, b)]
    if not any(text.strip() for text in texts):
        return None
    differ = texts[0] != texts[1] and not same(*texts)
    return _Gap(float(differ), not differ)


def _outcome(a: Side, b: Side) -> _Gap:
    differ = a.form.state.outcome != b.form.state.outcome
    return _Gap(float(differ), not differ)


def handed(side: Side) -> Handed:
    """Answer and cited pages as they count: nothing where the task has ended before them."""
    state = side.form.state
    counts = not side.form.ended
    return Handed(
        outcome=state.outcome or "",
        answer=state.answer if counts and state.outcome == "answered" else [],
        pages=frozenset((c.document, c.page) for c in state.citations) if counts else frozenset(),
    )


def _answer(a: Side, b: Side, rule: ReviewPart) -> _Gap | None:
    anls = answer_pair(handed(a), handed(b)).anls
    return None if anls is None else _Gap(1 - anls, anls >= rule.answer - _ROUNDING)


def _evidence(a: Side, b: Side, rule: ReviewPart) -> _Gap | None:
    pages = [handed(side).pages for side in (a, b)]
    shared = overlap(*pages).jaccard
    if shared is None:
        return None
    return _Gap(1 - shared, shared >= rule.pages - _ROUNDING, tuple(sorted(pages[0] ^ pages[1])))


def _field(spec: FieldSpec, a: Side, b: Side, rule: ReviewPart) -> _Gap | None:
    if spec.kind == "records":
        return _records(spec, a, b)
    targets = list(dict.fromkeys(t for side in (a, b) for t in _shared_targets(spec, side, a, b)))
    gaps: list[tuple[Target, float, bool]] = []
    for target in targets:
        mine, theirs = (_value(spec, side, target) for side in (a, b))
        if mine is None and theirs is None:
            continue
        apart = difference(spec, mine, theirs)
        meets = apart == 0 or (
            spec.kind == "ordinal" and steps_apart(spec, mine, theirs) <= rule.steps
        )
        gaps.append((target, apart, meets))
    if not gaps:
        return None
    places = {
        (t.document, t.page) for t, apart, _ in gaps if apart and t.document and t.page is not None
    }
    return _Gap(
        math.fsum(apart for _, apart, _ in gaps) / len(gaps),
        all(meets for _, _, meets in gaps),
        tuple(sorted(places)),
    )


def _value(spec: FieldSpec, side: Side, target: Target) -> Value:
    """The value that counts: none of a page that is not, or no longer, among the side's pages."""
    if spec.scope == "page" and (target.document, target.page) not in side.form.pages():
        return None
    value = side.form.value(spec, target)
    blank = value == () or (isinstance(value, str) and not value.strip())
    return None if blank else value


def _shared_targets(spec: FieldSpec, side: Side, a: Side, b: Side) -> Iterator[Target]:
    """What the field is asked of; of boxes only those that a model gave and that both have."""
    targets = side.form.targets(spec)
    if spec.scope != "box":
        yield from targets
        return
    # Boxes that two people drew may have the same id.
    both = _given(a).keys() & _given(b).keys()
    yield from (target for target in targets if target.box in both)


def _given(side: Side) -> dict[str, PageBox]:
    """The model's elements among the boxes that count, by their ids."""
    return {box.id: box for box in drawn_boxes(side) if box.model is not None}


def _records(spec: FieldSpec, a: Side, b: Side) -> _Gap | None:
    tables = [_table(spec, side) for side in (a, b)]
    score = overlap(*tables).f1
    if score is None:
        return None
    return _Gap(1 - score, score >= 1 - _ROUNDING)


def _table(spec: FieldSpec, side: Side) -> list[tuple[object, ...]]:
    targets = side.form.targets(spec) if spec.scope != "task" else [TASK]
    names = [column.name for column in spec.columns]
    return [
        (
            target.document,
            target.page,
            target.box,
            *(normalised(row.values.get(name, "")) for name in names),
        )
        for target in targets
        if side.form.asked(spec, target)
        for row in side.form.rows(spec, target)
        if not row.deleted
    ]


def drawn_boxes(side: Side) -> list[PageBox]:
    """The boxes that count: not deleted, and on pages that may have any."""
    form = side.form
    return [
        box
        for box in form.state.boxes.boxes
        if not box.deleted and form.may_have_boxes(box.document, box.page)
    ]


def _zones(a: Side, b: Side, rule: ReviewPart, size_of: PageSizeOf) -> _Gap | None:
    mine, theirs = (drawn_boxes(side) for side in (a, b))
    pages = sorted({(box.document, box.page) for box in (*mine, *theirs)})
    if not pages:
        return None
    overlaps = []
    for page in pages:
        left, right = (
            [box.rect for box in boxes if (box.document, box.page) == page]
            for boxes in (mine, theirs)
        )
        overlaps.append(zone_agreement(left, right, size_of(*page)).iou or 0.0)
    low = tuple(
        page
        for page, overlap in zip(pages, overlaps, strict=True)
        if overlap < rule.boxes - _ROUNDING
    )
    return _Gap(1 - math.fsum(overlaps) / len(overlaps), not low, low)


def _elements(a: Side, b: Side, rule: ReviewPart) -> _Gap | None:
    mine, theirs = ([_placed(box) for box in drawn_boxes(side)] for side in (a, b))
    score = matched(mine, theirs, rule.boxes).f1
    if score is None:
        return None
    low = []
    for page in sorted({box[:2] for box in (*mine, *theirs)}):
        left, right = ([box for box in boxes if box[:2] == page] for boxes in (mine, theirs))
        if matched(left, right, rule.boxes).f1 != 1:
            low.append(page)
    return _Gap(1 - score, not low, tuple(low))


def _placed(box: PageBox) -> Placed:
    return box.document, box.page, box.label, box.rect


def _kept(a: Side, b: Side, read: Callable[[PageBox], object]) -> _Gap | None:
    """The share of a model's elements that both kept and read differently."""
    mine, theirs = _given(a), _given(b)
    shared = sorted(mine.keys() & theirs.keys())
    if not shared:
        return None
    differ = [mine[id_] for id_ in shared if not _reads_same(mine[id_], theirs[id_], read)]
    places = tuple(sorted({(box.document, box.page) for box in differ}))
    return _Gap(len(differ) / len(shared), not differ, places)


def _reads_same(mine: PageBox, theirs: PageBox, read: Callable[[PageBox], object]) -> bool:
    left, right = read(mine), read(theirs)
    if isinstance(left, str) and isinstance(right, str):
        return normalised(left) == normalised(right)
    return left == right
