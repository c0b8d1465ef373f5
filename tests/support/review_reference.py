"""How far people differ, computed a second time from the plain values of ``random_reviews``.

Written from the docstrings of ``annotation.review``: own loops over pairs, sets and fractions;
ANLS* by the anls-star package, areas by counting squares of a grid. Nothing of the program's own
comparing is called.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from anls_star import anls_score

from tests.support.random_reviews import (
    CELLS,
    DOCUMENT,
    ELEMENTS,
    FIELDS,
    PAGES,
    TEXTS,
    PlainAttempt,
    Rect,
    Setup,
    outcome_of,
)

STEPS = {"level": ("low", "mid", "high"), "relevance": ("0", "1", "2")}
_SLACK = 1e-9


@dataclass(frozen=True)
class Gap:
    """One pair in one part."""

    score: float
    agrees: bool
    pages: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Part:
    """All pairs in one part."""

    score: float
    agrees: bool
    pages: frozenset[int]


@dataclass(frozen=True)
class TaskComparison:
    """All attempts at a task compared: each part, and all parts together."""

    parts: dict[str, Part]
    score: float
    agreed: bool


@dataclass(frozen=True)
class Box:
    """A box that counts; ``element`` is its place among the model's, 0 for one's own."""

    page: int
    rect: Rect
    label: str
    element: int = 0
    text: int = 0
    order: int | None = None
    readable: str | None = None


def compare(setup: Setup, attempts: list[PlainAttempt]) -> TaskComparison:
    """Compare the submitted attempts of several people."""
    pairs = [(a, b) for n, a in enumerate(attempts) for b in attempts[n + 1 :]]
    parts: dict[str, Part] = {}
    for name, measure in _measures(setup):
        gaps = [gap for a, b in pairs if (gap := measure(a, b)) is not None]
        if gaps:
            parts[name] = Part(
                score=sum(gap.score for gap in gaps) / len(gaps),
                agrees=all(gap.agrees for gap in gaps),
                pages=frozenset(page for gap in gaps for page in gap.pages),
            )
    score = sum(part.score for part in parts.values()) / len(parts) if parts else 0.0
    agreed = len(attempts) >= 2 and all(part.agrees for part in parts.values())
    return TaskComparison(parts, score, agreed)


Measure = Callable[[PlainAttempt, PlainAttempt], Gap | None]


def _measures(setup: Setup) -> Iterable[tuple[str, Measure]]:
    fields = asked_fields(setup)
    yield "outcome", lambda a, b: _plain(outcome_of(setup, a), outcome_of(setup, b))
    if setup.answer != "off":
        yield "answer", lambda a, b: _answers(setup, a, b)
    if setup.evidence:
        yield "evidence", lambda a, b: _pages(setup, a, b)
    for name in FIELDS:
        if name in fields and name != "remark":
            yield name, lambda a, b, name=name: _field(setup, name, a, b)  # type: ignore[misc]
    if setup.boxes == "drawn":
        yield "boxes", lambda a, b: _zones(setup, a, b)
    if setup.verified:
        yield "boxes", lambda a, b: _elements(setup, a, b)
        yield "content", lambda a, b: _contents(setup, a, b)
        yield "order", lambda a, b: _order(setup, a, b)


def asked_fields(setup: Setup) -> set[str]:
    """The fields of the protocol."""
    fields = set(setup.fields)
    if "why" in fields:
        fields.add("kind")
    if "modality" in fields:
        fields.add("relevance")
    if setup.boxes == "off":
        fields.discard("readable")
    return fields


def _ended(setup: Setup, attempt: PlainAttempt) -> bool:
    return "quality" in setup.fields and attempt.poor


def _plain(left: object, right: object) -> Gap:
    return Gap(float(left != right), left == right)


def _answer(setup: Setup, attempt: PlainAttempt) -> list[str]:
    answered = outcome_of(setup, attempt) == "answered"
    return [line.lower() for line in attempt.answer] if answered else []


def _answers(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    left, right = _answer(setup, a), _answer(setup, b)
    if not left and not right:
        return None
    if not left or not right:
        return Gap(1.0, setup.rule["answer"] <= _SLACK)
    nearness = (anls_score(left, right) + anls_score(right, left)) / 2
    needed = setup.rule["answer"]
    numbers = [sorted(re.findall(r"\d+", " ".join(lines))) for lines in (left, right)]
    same_numbers = needed <= 0 or numbers[0] == numbers[1]
    return Gap(1 - nearness, nearness >= needed - _SLACK and same_numbers)


def cited(setup: Setup, attempt: PlainAttempt) -> frozenset[int]:
    """The pages of the evidence that count."""
    return frozenset() if _ended(setup, attempt) or not setup.evidence else attempt.cited


def _pages(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    left, right = cited(setup, a), cited(setup, b)
    if not left | right:
        return None
    shared = Fraction(len(left & right), len(left | right))
    return Gap(float(1 - shared), shared >= setup.rule["pages"] - _SLACK, left ^ right)


def _field(setup: Setup, name: str, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    if name == "table":
        return _tables(setup, a, b)
    pairs: list[tuple[int | None, Any, Any]]
    if name in ("relevance", "modality"):
        pairs = [(p, _on_page(setup, a, p, name), _on_page(setup, b, p, name)) for p in PAGES]
    elif name == "readable":
        left, right = (
            {box.element: box for box in boxes(setup, attempt) if box.element} for attempt in (a, b)
        )
        pairs = [
            (1, left[number].readable, right[number].readable) for number in left.keys() & right
        ]
    else:
        pairs = [(None, _value(setup, a, name), _value(setup, b, name))]
    pairs = [(page, x, y) for page, x, y in pairs if x is not None or y is not None]
    if not pairs:
        return None
    gaps = [(page, *_difference(setup, name, x, y)) for page, x, y in pairs]
    return Gap(
        sum(score for _, score, _ in gaps) / len(gaps),
        all(agrees for _, _, agrees in gaps),
        frozenset(page for page, score, _ in gaps if score and page is not None),
    )


def _value(setup: Setup, attempt: PlainAttempt, name: str) -> Any:
    """The value of a task's field that counts; texts by what they say."""
    if name == "quality":
        return "poor" if attempt.poor else None
    if _ended(setup, attempt):
        return None
    value = attempt.values[name]
    if name == "why" and attempt.values["kind"] != "a":
        return None
    if name == "title":
        return TEXTS[value]
    return None if value == () else value


def _on_page(setup: Setup, attempt: PlainAttempt, page: int, name: str) -> Any:
    if _ended(setup, attempt):
        return None
    if setup.pages == "search" and page not in cited(setup, attempt):
        return None
    values = attempt.pages[page]
    if name == "modality" and values["relevance"] not in ("1", "2"):
        return None
    return values[name]


def _difference(setup: Setup, name: str, left: Any, right: Any) -> tuple[float, bool]:
    """(difference, whether the rule takes it)."""
    if left is None or right is None:
        wide = len(STEPS[name]) - 1 if name in STEPS else None
        return 1.0, wide is not None and wide <= setup.rule["steps"]
    if name in STEPS:
        steps = abs(STEPS[name].index(left) - STEPS[name].index(right))
        return steps / (len(STEPS[name]) - 1), steps <= setup.rule["steps"]
    if isinstance(left, tuple):
        common, either = set(left) & set(right), set(left) | set(right)
        return float(1 - Fraction(len(common), len(either))), common == either
    return float(left != right), left == right


def _tables(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    tables = [Counter() if _ended(setup, attempt) else _rows(attempt) for attempt in (a, b)]  # type: list[Counter[tuple[int, int]]]
    total = sum(tables[0].values()) + sum(tables[1].values())
    if not total:
        return None
    common = sum(min(n, tables[1][row]) for row, n in tables[0].items())
    score = Fraction(2 * common, total)
    return Gap(float(1 - score), score == 1)


def _rows(attempt: PlainAttempt) -> Counter[tuple[int, int]]:
    return Counter(
        (CELLS[first], CELLS[second]) for first, second, deleted in attempt.rows if not deleted
    )


def boxes(setup: Setup, attempt: PlainAttempt) -> list[Box]:
    """The boxes that count, a model's first."""
    if setup.boxes == "off" or _ended(setup, attempt):
        return []
    counted_boxes = []
    if setup.verified:
        for number, (element, now) in enumerate(
            zip(ELEMENTS, attempt.checked, strict=True), start=1
        ):
            if now.deleted:
                continue
            content = element["content"] if now.content is None else now.content
            counted_boxes.append(
                Box(
                    page=1,
                    rect=now.rect or element["rect"],  # type: ignore[arg-type]
                    label=now.label or str(element["label"]),
                    element=number,
                    text=CELLS[str(content)],
                    order=now.order or element["order"],  # type: ignore[arg-type]
                    readable=now.readable,
                )
            )
    return counted_boxes + [
        Box(b.page, b.rect, b.label) for b in attempt.drawn_boxes if not b.deleted
    ]


def squares(rects: Iterable[Rect]) -> set[tuple[int, int]]:
    """The squares of the grid that the rectangles cover together."""
    return {
        (x, y)
        for x0, y0, x1, y1 in rects
        for x in range(min(x0, x1), max(x0, x1))
        for y in range(min(y0, y1), max(y0, y1))
    }


def overlap(left: Iterable[Rect], right: Iterable[Rect]) -> Fraction:
    """IoU of two regions; 0 where one is empty."""
    a, b = squares(left), squares(right)
    return Fraction(len(a & b), len(a | b)) if a | b else Fraction(0)


def _zones(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    left, right = boxes(setup, a), boxes(setup, b)
    pages = sorted({box.page for box in left + right})
    if not pages:
        return None
    overlaps = {
        page: overlap(
            [box.rect for box in left if box.page == page],
            [box.rect for box in right if box.page == page],
        )
        for page in pages
    }
    labels = {
        page: [
            {box.label for box in marked_boxes if box.page == page}
            for marked_boxes in (left, right)
        ]
        for page in pages
    }
    low = frozenset(
        page
        for page in pages
        if overlaps[page] < setup.rule["boxes"] - _SLACK or labels[page][0] != labels[page][1]
    )
    return Gap(float(1 - sum(overlaps.values()) / len(pages)), not low, low)


def _elements(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    left, right = boxes(setup, a), boxes(setup, b)
    if not left and not right:
        return None
    pairs = _matched(left, right, setup.rule["boxes"])
    lonely = [box for n, box in enumerate(left) if n not in {i for i, _ in pairs}]
    lonely += [box for n, box in enumerate(right) if n not in {j for _, j in pairs}]
    score = Fraction(2 * len(pairs), len(left) + len(right))
    return Gap(float(1 - score), not lonely, frozenset(box.page for box in lonely))


def _matched(left: list[Box], right: list[Box], least: float) -> list[tuple[int, int]]:
    """The pair that overlaps most is taken first; among equals the order of the boxes decides."""
    free = [
        (overlap([x.rect], [y.rect]), i, j)
        for i, x in enumerate(left)
        for j, y in enumerate(right)
        if (x.page, x.label) == (y.page, y.label)
    ]
    free = [entry for entry in free if float(entry[0]) >= least]
    matches: list[tuple[int, int]] = []
    while free:
        largest_overlap = max(share for share, _, _ in free)
        i, j = min((i, j) for share, i, j in free if share == largest_overlap)
        matches.append((i, j))
        free = [entry for entry in free if entry[1] != i and entry[2] != j]
    return matches


def _contents(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    left, right = (
        {box.element: box for box in boxes(setup, attempt) if box.element} for attempt in (a, b)
    )
    shared = left.keys() & right
    if not shared:
        return None
    differ = [number for number in shared if left[number].text != right[number].text]
    pages = frozenset({1} if differ else ())
    return Gap(len(differ) / len(shared), not differ, pages)


def _order(setup: Setup, a: PlainAttempt, b: PlainAttempt) -> Gap | None:
    """An element differs where its number does and it passes another one that both kept."""
    left, right = (
        {box.element: box for box in boxes(setup, attempt) if box.element} for attempt in (a, b)
    )
    shared = left.keys() & right

    def before(elements: dict[int, Box], number: int, other: int) -> bool:
        first, second = (
            (elements[n].order or 0, elements[n].rect[1], elements[n].rect[0], n)
            for n in (number, other)
        )
        return first < second

    if not shared:
        return None
    placed = [n for n in shared if left[n].order and right[n].order]
    differ = [
        number
        for number in shared
        if left[number].order != right[number].order
        and (
            number not in placed
            or any(before(left, number, other) != before(right, number, other) for other in placed)
        )
    ]
    return Gap(len(differ) / len(shared), not differ, frozenset({1} if differ else ()))


def status(
    setup: Setup, attempts: list[PlainAttempt], *, closed: bool = False, gold: bool = False
) -> str:
    """The status of a task that nobody has decided.

    Args:
        closed: the campaign is, so that nobody waits for more people.
        gold: what agrees has become gold; ``accepted`` says so, whether drawn or not.
    """
    submitted = [attempt for attempt in attempts if not attempt.skipped]
    if not attempts or (len(attempts) < setup.overlap and not closed):
        return "waiting"
    rule = setup.rule
    flagged = any(attempt.flagged for attempt in attempts)
    if len(submitted) < 2 and rule["people"] > 1:
        needs_nobody_else = (
            setup.overlap == len(attempts) == len(submitted) == 1 and rule["accept"] != "off"
        )
        return "alone" if needs_nobody_else and not flagged else "single"
    group = agreeing(setup, attempts)
    if rule["accept"] == "off" or not group or flagged:
        return "conflict"
    if len(submitted) < rule["people"]:
        return "single"
    if len(group) < rule["people"]:
        return "conflict"
    if gold and _has_open_pages(setup, group):
        return "conflict"
    return "accepted" if gold else "agreed"


def _has_open_pages(setup: Setup, attempts: list[PlainAttempt]) -> bool:
    """Whether fewer than ``keep`` of them, but somebody, marked some page."""
    counts = _marks(setup, attempts).values()
    return any(n < setup.rule["keep"] for n in counts)


def _marks(setup: Setup, attempts: list[PlainAttempt]) -> Counter[int]:
    if setup.evidence or "relevance" not in asked_fields(setup):
        return Counter(page for attempt in attempts for page in cited(setup, attempt))
    return Counter(
        page
        for attempt in attempts
        for page in PAGES
        if _on_page(setup, attempt, page, "relevance") in ("1", "2")
    )


def agreeing(setup: Setup, attempts: list[PlainAttempt]) -> list[PlainAttempt]:
    """The attempts that become gold: all, or the only agreeing group of more than half."""
    submitted = [attempt for attempt in attempts if not attempt.skipped]
    if len(submitted) == 1 and len(attempts) == 1 and setup.rule["people"] == 1:
        return submitted
    least = len(attempts) // 2 + 1 if setup.rule["accept"] == "majority" else len(attempts)
    groups = [
        set(group)
        for size in range(max(2, least), len(submitted) + 1)
        for group in combinations(range(len(submitted)), size)
        if compare(setup, [submitted[n] for n in group]).agreed
    ]
    members = sorted(set().union(*groups))
    return [submitted[n] for n in members] if set(members) in groups else []


def is_sampled_for_check(seed: int, key: str, share: float) -> bool:
    """Whether the hash of the key, as a fraction of all 64-bit numbers, is below the share."""
    digits = hashlib.sha256(f"check:{seed}:{key}".encode()).hexdigest()[:16]
    return Fraction(int(digits, 16), 2**64) < Fraction(share)


def retained(setup: Setup, attempts: list[PlainAttempt]) -> set[int]:
    """The pages that stay without a reviewer: marked by as many as the rule asks for."""
    least = setup.rule["keep"]
    return {page for page, n in _marks(setup, attempts).items() if n >= least}


__all__ = [
    "DOCUMENT",
    "TaskComparison",
    "agreeing",
    "compare",
    "is_sampled_for_check",
    "retained",
    "status",
]
