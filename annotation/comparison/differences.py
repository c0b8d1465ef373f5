"""How far the people of one task differ, part by part.

Every part is compared pair by pair, without regard to who is right. A pair's difference is a share
in [0, 1]; a part's is the mean over the pairs; the task's is the mean over the parts that anybody
filled in. A part agrees when every pair meets the campaign's rule (``ReviewPart``).
docs/metrics.md, Review, has the measure of each part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pagetrail.annotation.agreement.text_error_rates import text_difference
from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.attempts.reading_order import moved_apart
from pagetrail.annotation.attempts.submission import Page, Submission
from pagetrail.annotation.comparison.gold_answers import (
    are_equal_quantities,
    are_same_numbers,
    are_variants,
)
from pagetrail.annotation.comparison.measures import (
    PageSizeOf,
    answer_anls,
    box_overlap,
    elements,
    page_overlap,
    row_overlap,
    value_pairs,
    zone_overlaps,
)
from pagetrail.annotation.normalised_text import is_same_text, normalised_tokens
from pagetrail.annotation.protocols.fields import FieldSpec, steps_between
from pagetrail.annotation.protocols.review_parts import PART_LABELS, is_remark
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.tables.comparison import cell_agreement

_ROUNDING = 1e-9


@dataclass(frozen=True)
class PartDifference:
    """How far the submissions differ in one part.

    Attributes:
        part: ``outcome``, ``answer``, ``evidence``, ``transcript``, ``tables``, ``boxes``,
            ``content``, ``order``, ``question``, or a field's name.
        label: the part as shown.
        score: mean difference over the pairs, in [0, 1].
        agreed: whether every pair meets the rule.
        variants: whether it does not only because answers are variants of one, all of which gold
            could accept (``gold_answers.are_variants``).
        places: pages on which any pair differs; empty for parts that have no page.
        apart: pairs of attempts that do not meet the rule, where it asks for a majority only.
    """

    part: str
    label: str
    score: float
    agreed: bool
    places: tuple[Page, ...] = ()
    variants: bool = False
    apart: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TaskDifference:
    """How far the submissions of a task differ.

    Attributes:
        score: mean over the parts; 0 where there is nothing to compare.
        agreed: whether every part agrees; False with fewer than two submissions.
        parts: those that anybody filled in, in the screen's order.
    """

    score: float
    agreed: bool
    parts: tuple[PartDifference, ...]


@dataclass(frozen=True)
class _Gap:
    """What one pair makes of a part: difference in [0, 1], whether the rule is met, and where.

    ``variants``: the rule is not met, but the answers are variants of one. ``numbers_differ``: the
    answers are near enough by their letters, and their numbers are not the same.
    """

    value: float
    meets: bool
    places: tuple[Page, ...] = ()
    variants: bool = False
    numbers_differ: bool = False

    def agrees(self, limit: float | None) -> bool:
        """Whether the rule is met, or the campaign's own largest difference for the part."""
        if limit is None:
            return self.meets
        return self.value <= limit + _ROUNDING and not self.numbers_differ


def compare(
    submissions: Sequence[Submission],
    rule: ReviewPart,
    size_of: PageSizeOf,
    accepted: Sequence[Sequence[str]] = (),
    language: str | None = None,
) -> TaskDifference:
    """The parts in which the submissions differ; the same in whatever order they come.

    Args:
        size_of: width and height in points of a page as displayed.
        accepted: the answers that the task came with; two that say what these say are variants.
        language: of the task, by which ambiguous separators of numbers are read.
    """
    pairs = list(combinations(submissions, 2))
    parts = []
    for part, label, gap in _measures(submissions, rule, size_of, accepted, language):
        gaps_of_pairs = [
            (a, b, difference) for a, b in pairs if (difference := gap(a, b)) is not None
        ]
        gaps = [difference for _, _, difference in gaps_of_pairs]
        limit = rule.parts.get(part)
        differ = [
            (min(a.attempt, b.attempt), max(a.attempt, b.attempt))
            for a, b, difference in gaps_of_pairs
            if not difference.agrees(limit)
        ]
        if gaps:
            parts.append(
                PartDifference(
                    part=part,
                    label=label,
                    score=math.fsum(g.value for g in gaps) / len(gaps),
                    agreed=not differ,
                    places=tuple(sorted({page for g in gaps for page in g.places})),
                    variants=any(g.variants for g in gaps)
                    and all(g.meets or g.variants for g in gaps),
                    apart=tuple(sorted(differ)) if rule.accept == "majority" else (),
                )
            )
    score = math.fsum(part.score for part in parts) / len(parts) if parts else 0.0
    agreed = len(submissions) > 1 and all(part.agreed for part in parts)
    return TaskDifference(score, agreed, tuple(parts))


_Measure = Callable[[Submission, Submission], _Gap | None]


def _measures(
    submissions: Sequence[Submission],
    rule: ReviewPart,
    size_of: PageSizeOf,
    accepted: Sequence[Sequence[str]],
    language: str | None,
) -> Iterator[tuple[str, str, _Measure]]:
    if not submissions:
        return
    protocol = submissions[0].form.protocol
    if protocol.question.kind == "editable":
        yield "question", PART_LABELS["question"], _question
    yield "outcome", PART_LABELS["outcome"], _outcome
    if protocol.answer.kind != "off":
        yield "answer", PART_LABELS["answer"], lambda a, b: _answer(a, b, rule, accepted, language)
    if protocol.evidence.enabled:
        yield "evidence", PART_LABELS["evidence"], lambda a, b: _evidence(a, b, rule)
    if protocol.transcript.enabled:
        yield "transcript", PART_LABELS["transcript"], _transcript
    if protocol.tables.enabled:
        yield "tables", PART_LABELS["tables"], _tables
    for spec in protocol.fields:
        if not is_remark(spec):
            yield spec.name, spec.label, _field_measure(spec, rule)
    if not protocol.boxes.enabled:
        return
    if not is_verifying(submissions):
        yield "boxes", PART_LABELS["boxes"], lambda a, b: _zones(a, b, rule, size_of)
        return
    yield "boxes", "Elements", lambda a, b: _elements(a, b, rule)
    if protocol.boxes.content:
        yield "content", PART_LABELS["content"], _content_gap
    if protocol.boxes.order:
        yield "order", PART_LABELS["order"], _order_gap


def is_verifying(submissions: Iterable[Submission]) -> bool:
    """Whether a model's elements are verified, so that boxes have identities."""
    return any(
        box.model is not None
        for submission in submissions
        for box in submission.form.state.boxes.boxes
    )


def _question(a: Submission, b: Submission) -> _Gap | None:
    texts = [submission.form.state.question_text or "" for submission in (a, b)]
    if not any(text.strip() for text in texts):
        return None
    differ = texts[0] != texts[1] and not is_same_text(*texts)
    return _Gap(float(differ), not differ)


def _transcript(a: Submission, b: Submission) -> _Gap | None:
    """The character error rate."""
    if a.transcript is None or b.transcript is None:
        return None
    rate = text_difference(a.transcript, b.transcript).characters.rate
    if rate is None:
        return None
    transcript = a.form.state.transcript
    page = ((transcript.document, transcript.page),) if rate and transcript else ()
    return _Gap(rate, rate == 0, page)


def _tables(a: Submission, b: Submission) -> _Gap | None:
    """Mean over the tables that either has of the share of cells that differ."""
    tables = {
        table.id: table for submission in (b, a) for table in submission.form.state.tables.tables
    }
    if not tables:
        return None
    gaps = table_differences(a, b)
    differing = [tables[table_id] for table_id, gap in gaps.items() if gap]
    places = {(table.document, table.page) for table in differing}
    return _Gap(math.fsum(gaps.values()) / len(gaps), not differing, tuple(sorted(places)))


def table_differences(a: Submission, b: Submission) -> dict[str, float]:
    """Id of each table that either has → the share of cells that differ; 1 where one is missing."""
    return {
        table_id: 1 - cell_agreement(a.tables[table_id], b.tables[table_id])
        if table_id in a.tables and table_id in b.tables
        else 1.0
        for table_id in dict.fromkeys((*b.tables, *a.tables))
    }


def _outcome(a: Submission, b: Submission) -> _Gap:
    differ = a.outcome != b.outcome
    return _Gap(float(differ), not differ)


def _answer(
    a: Submission,
    b: Submission,
    rule: ReviewPart,
    accepted: Sequence[Sequence[str]],
    language: str | None,
) -> _Gap | None:
    anls = answer_anls(a, b)
    if anls is None:
        # Answers that are too long to compare are a reviewer's to decide, never accepted.
        return _Gap(1.0, meets=False) if a.accepted and b.accepted else None
    if are_equal_quantities(a.answer, b.answer, language):
        return _Gap(0.0, meets=True)
    meets = anls >= rule.answer - _ROUNDING
    limit = rule.parts.get("answer", 1 - rule.answer)
    if meets or 1 - anls <= limit + _ROUNDING:
        # 0.61 is near 0.83 by its letters; only a rule that leaves answers out lets it pass.
        differs = limit < 1 and not are_same_numbers(a.answer, b.answer, language)
        return _Gap(1 - anls, meets=meets and not differs, numbers_differ=differs)
    if a.answer and b.answer and are_variants(a.answer, b.answer, accepted, language):
        # Near enough to be right against each other, and yet not the same: a reviewer's to decide.
        return _Gap(1 - max(anls, ANLS_THRESHOLD), meets=False, variants=True)
    return _Gap(1 - anls, meets=False)


def _evidence(a: Submission, b: Submission, rule: ReviewPart) -> _Gap | None:
    page_pairs = page_overlap(a, b)
    shared = None if page_pairs is None else page_pairs.jaccard
    if shared is None:
        return None
    differ = tuple(sorted({*a.pages} ^ {*b.pages}))
    return _Gap(1 - shared, shared >= rule.pages - _ROUNDING, differ)


def _field_measure(spec: FieldSpec, rule: ReviewPart) -> _Measure:
    return lambda a, b: _field(spec, a, b, rule)


def _field(spec: FieldSpec, a: Submission, b: Submission, rule: ReviewPart) -> _Gap | None:
    if spec.kind == "records":
        score = row_overlap(spec, a, b).f1
        return None if score is None else _Gap(1 - score, score >= 1 - _ROUNDING)
    pairs = list(value_pairs(spec, a, b))
    if not pairs:
        return None
    meets = all(
        pair.distance == 0
        or (spec.kind == "ordinal" and steps_between(spec, pair.mine, pair.theirs) <= rule.steps)
        for pair in pairs
    )
    differing_pages = {
        (pair.target.document, pair.target.page)
        for pair in pairs
        if pair.distance and pair.target.document and pair.target.page is not None
    }
    return _Gap(
        math.fsum(pair.distance for pair in pairs) / len(pairs),
        meets,
        tuple(sorted(differing_pages)),
    )


def _zones(a: Submission, b: Submission, rule: ReviewPart, size_of: PageSizeOf) -> _Gap | None:
    overlaps = zone_overlaps(a, b, size_of)
    if not overlaps:
        return None
    low = tuple(
        page
        for page, iou in overlaps
        if iou < rule.boxes - _ROUNDING or _labels_on(a, page) != _labels_on(b, page)
    )
    return _Gap(1 - math.fsum(iou for _, iou in overlaps) / len(overlaps), not low, low)


def _labels_on(submission: Submission, page: Page) -> set[str | None]:
    return {box.label for box in submission.boxes_on(page)}


def _elements(a: Submission, b: Submission, rule: ReviewPart) -> _Gap | None:
    score = box_overlap(a.boxes, b.boxes, rule.boxes).f1
    if score is None:
        return None
    pages = sorted({(box.document, box.page) for box in (*a.boxes, *b.boxes)})
    low = tuple(
        page
        for page in pages
        if box_overlap(a.boxes_on(page), b.boxes_on(page), rule.boxes).f1 != 1
    )
    return _Gap(1 - score, not low, low)


def _content_gap(a: Submission, b: Submission) -> _Gap | None:
    """The share of a model's elements that both kept and read differently."""
    elements_of_a, elements_of_b = elements(a), elements(b)
    differ = {
        name
        for name in elements_of_a.keys() & elements_of_b.keys()
        if normalised_tokens(elements_of_a[name].content or "")
        != normalised_tokens(elements_of_b[name].content or "")
    }
    return _element_gap(a, b, differ)


def _order_gap(a: Submission, b: Submission) -> _Gap | None:
    """The share of a model's elements that both kept and put in another order."""
    return _element_gap(a, b, moved_apart(a.form.state.boxes.boxes, b.form.state.boxes.boxes))


def _element_gap(a: Submission, b: Submission, differ: set[str]) -> _Gap | None:
    """Of the model's elements that both kept: those that differ, and on which pages."""
    elements_of_a = elements(a)
    shared = elements_of_a.keys() & elements(b).keys()
    if not shared:
        return None
    pages = {(elements_of_a[name].document, elements_of_a[name].page) for name in differ & shared}
    return _Gap(len(differ & shared) / len(shared), not differ & shared, tuple(sorted(pages)))
