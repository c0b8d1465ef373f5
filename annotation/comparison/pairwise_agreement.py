"""How far one person's work agrees with what else is there for the same tasks: gold, or others.

The measures are those of docs/metrics.md: percent agreement and Gwet's AC1 (2008) of what is chosen
from a closed list, ANLS* of answers, F1 of cited pages, IoU of drawn zones. Each is left undefined
where there is too little to compare, with the count that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from pagetrail.annotation.agreement import Key, bootstrap, zone_agreement
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.comparison.against_gold import gold_form
from pagetrail.annotation.comparison.answer_pairs import Handed, answer_pair
from pagetrail.annotation.geometry.box import MAX_COORDINATE, Box
from pagetrail.annotation.metrics import anls_star, page_f1
from pagetrail.annotation.metrics.result import mean_over_tasks
from pagetrail.annotation.ratings.schemes import OUTCOME, Category, Place, Scheme, readers
from pagetrail.annotation.statistics.task_bootstrap import mean_interval
from pagetrail.annotation.tasks.gold import Gold, gold_of

LEAST = 5
"""Tasks, or ratings of one field, below which agreement would be an anecdote."""

TOO_FEW = "too_few"

_ANY_PAGE = (MAX_COORDINATE, MAX_COORDINATE)


class Figure(BaseModel):
    """A figure with its 95 % interval, or why there is none.

    Attributes:
        value: None where ``reason`` says why; ``too_few``, or a reason of docs/metrics.md.
        n: tasks it rests on; of a field, ratings.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str | None = None


class FieldLikeness(BaseModel):
    """Agreement on one closed list: a field, an option of it, or the outcome."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    key: str
    label: str
    percent: Figure
    ac1: Figure


class Likeness(BaseModel):
    """Agreement over a number of tasks.

    Attributes:
        tasks: those with something to compare.
        anls, page_f1, iou: means over tasks.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    tasks: int = 0
    fields: tuple[FieldLikeness, ...] = ()
    anls: Figure = Figure(reason=TOO_FEW)
    page_f1: Figure = Figure(reason=TOO_FEW)
    iou: Figure = Figure(reason=TOO_FEW)


Zones = dict[tuple[str, int], list[Box]]


class Compared:
    """Takes in pairs of works on the same task, and gives the agreement over all of them."""

    def __init__(self) -> None:
        self._tasks: set[str] = set()
        self._schemes: dict[tuple[str, tuple[Category, ...]], Scheme] = {}
        self._rated: dict[
            tuple[str, tuple[Category, ...]], list[tuple[str, Category, Category]]
        ] = {}
        self._answers: list[tuple[str, float]] = []
        self._pages: list[tuple[str, float]] = []
        self._zones: list[tuple[str, float]] = []

    def with_gold(self, task: str, form: Form, record: dict[str, Any]) -> None:
        """One task against its gold; of gold that the record lacks, nothing is compared.

        Raises:
            ValueError: the gold is not of its form.
        """
        gold = gold_of(record)
        right = gold_form(form.protocol, record)
        wanted = {
            (scheme, place): value
            for scheme, place, value in _ratings(right)
            if _has_gold(scheme, place, gold)
        }
        self._rate(task, form, wanted)
        variants = record.get("answer_variants") or []
        asked = form.protocol.answer.kind != "off" and not right.ended
        if asked and variants and not record.get("unanswerable"):
            answered = form.state.answer if form.state.outcome == "answered" else []
            self._score(self._answers, task, anls_star(answered, variants).value)
        evidence = record.get("evidence") or []
        if form.protocol.evidence.enabled and evidence and not right.ended:
            cited = [(c.document, c.page) for c in form.state.citations]
            self._score(self._pages, task, page_f1(cited, evidence).value)
        if form.protocol.boxes.enabled and gold.boxes is not None and not right.ended:
            drawn: Zones = {}
            for box in gold.boxes:
                drawn.setdefault(box.key, []).append(box.rect)
            self._overlap(task, _zones(form), drawn)

    def with_other(self, task: str, form: Form, other: Form) -> None:
        """One task against what somebody else handed in for it."""
        self._rate(task, form, {(scheme, place): v for scheme, place, v in _ratings(other)})
        if form.protocol.answer.kind != "off" or form.protocol.evidence.enabled:
            pair = answer_pair(_handed(form), _handed(other))
            if form.protocol.answer.kind != "off":
                self._score(self._answers, task, pair.anls)
            if form.protocol.evidence.enabled:
                self._score(self._pages, task, pair.page_f1)
        if form.protocol.boxes.enabled:
            self._overlap(task, _zones(form), _zones(other))

    def likeness(self) -> Likeness:
        """The agreement over everything that was taken in."""
        return Likeness(
            tasks=len(self._tasks),
            fields=tuple(
                _field(self._schemes[key], rows) for key, rows in self._rated.items() if rows
            ),
            anls=mean_figure(self._answers),
            page_f1=mean_figure(self._pages),
            iou=mean_figure(self._zones),
        )

    def _rate(self, task: str, form: Form, wanted: dict[tuple[Scheme, Place], Category]) -> None:
        for scheme, place, mine in _ratings(form):
            theirs = wanted.get((scheme, place))
            if theirs is None or not {mine, theirs} <= set(scheme.categories):
                continue
            key = (scheme.key, scheme.categories)
            self._schemes.setdefault(key, scheme)
            self._rated.setdefault(key, []).append((task, mine, theirs))
            self._tasks.add(task)

    def _score(self, scores: list[tuple[str, float]], task: str, value: float | None) -> None:
        if value is not None:
            scores.append((task, value))
            self._tasks.add(task)

    def _overlap(self, task: str, mine: Zones, theirs: Zones) -> None:
        for page in sorted(mine.keys() | theirs.keys()):
            found = zone_agreement(mine.get(page, []), theirs.get(page, []), _ANY_PAGE)
            self._score(self._zones, task, found.iou)


def mean_figure(scored: Sequence[tuple[str, float]], least: int = LEAST) -> Figure:
    """The mean over tasks of (task, score) pairs, with its interval over resampled tasks."""
    tasks = len({task for task, _ in scored})
    if tasks < least:
        return Figure(n=tasks, reason=TOO_FEW)
    spread = mean_interval(scored)
    value = mean_over_tasks(scored, "no_rows").value
    return Figure(value=value, low=spread.low, high=spread.high, n=tasks)


def _field(scheme: Scheme, rows: Sequence[tuple[str, Category, Category]]) -> FieldLikeness:
    if len(rows) < LEAST:
        few = Figure(n=len(rows), reason=TOO_FEW)
        return FieldLikeness(key=scheme.key, label=scheme.label, percent=few, ac1=few)
    keys: tuple[Key, Key] = ("percent_agreement", "gwet_ac")
    found = bootstrap(
        [[mine, theirs] for _, mine, theirs in rows],
        categories=scheme.categories,
        clusters=[task for task, _, _ in rows],
        keys=keys,
        raters_known=False,
    )
    percent, ac1 = (
        Figure(
            value=found[key].value,
            low=ci[0] if (ci := found[key].ci) else None,
            high=ci[1] if ci else None,
            n=len(rows),
            reason=found[key].reason if found[key].value is None else None,
        )
        for key in keys
    )
    return FieldLikeness(key=scheme.key, label=scheme.label, percent=percent, ac1=ac1)


def _ratings(form: Form) -> Iterator[tuple[Scheme, Place, Category]]:
    """What the form says of closed lists; a skipped task says nothing."""
    if form.state.status == "skipped":
        return
    for reader in readers(form.protocol):
        schemes = {scheme.key: scheme for scheme in reader.schemes if scheme.categories}
        for key, place, value in reader.read(form):
            if key in schemes:
                yield schemes[key], place, value


def _has_gold(scheme: Scheme, place: Place, gold: Gold) -> bool:
    """Whether the gold itself says it; what follows from an empty form is nobody's word."""
    if scheme.key == OUTCOME:
        return True
    if place.page is None:
        return scheme.field in gold.fields
    return any(
        page.key == (place.document, place.page) and scheme.field in page.fields
        for page in gold.pages
    )


def _handed(form: Form) -> Handed:
    answered = form.state.outcome == "answered"
    return Handed(
        outcome=form.state.outcome or form.state.status,
        answer=form.state.answer if answered else [],
        pages=frozenset((c.document, c.page) for c in form.state.citations),
    )


def _zones(form: Form) -> Zones:
    found: Zones = {}
    for box in form.state.boxes.boxes:
        if not box.deleted:
            found.setdefault((box.document, box.page), []).append(box.rect)
    return found
