"""Page grades of several annotators as one relevance judgement a page (ViDoRe V3, retention rule).

A campaign grades pages where its protocol has an ordinal field of pages: ``relevance``, or the
first one. Codes from 1 mean relevant. An attempt that the protocol's ``ends`` has ended (a poor
query) grades nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.fields import FieldSpec, Kind
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.gold.adjudicated_gold import counted
from pagetrail.exports.reading.attempts import Work
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.page_images import Place

RULES = {
    "query_left_out": "at least half of its annotators found it poor",
    "score": "lower median of the grades from 1 on, where at least two annotators gave such a "
    "grade, or the only annotator of the page did; else 0",
}
"""As a manifest states them."""
GOLD_RULES = {
    "query_left_out": "the gold decided in review holds it for poor",
    "score": "the grade of the gold decided in review",
}
"""The same where that gold counts."""


@dataclass(frozen=True)
class Rating:
    """What one annotator said of one page.

    Attributes:
        name: what the annotator goes under in the export.
        grade: whole part of the chosen option's code.
        modalities: labels of the chosen kinds of content, in the protocol's order.
        boxes: those that are there in the end.
    """

    name: str
    grade: int
    modalities: tuple[str, ...]
    boxes: tuple[PageBox, ...]


@dataclass
class Query:
    """A task with the work of all its annotators.

    Attributes:
        annotators: those who graded its pages.
        poor: those who found the query poor.
        answers: text of each answer, in the order of the annotators who have one.
        unanswerable: number of annotators who said that the pages do not hold the answer.
        ratings: by page, in the order in which the task gives its pages.
    """

    key: str
    record: Mapping[str, Any]
    annotators: list[str] = field(default_factory=list)
    poor: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    unanswerable: int = 0
    ratings: dict[Place, list[Rating]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The query."""
        return str(self.record.get("question", ""))

    @property
    def left_out(self) -> bool:
        """Whether the query is too poor to be used, see ``RULES``."""
        return 2 * len(self.poor) >= len(self.poor) + len(self.annotators)


def rules(source: Source) -> dict[str, str]:
    """The rules that scores follow here, as a manifest states them."""
    return dict(GOLD_RULES if source.adjudicated else RULES)


def score(grades: Iterable[int]) -> int:
    """One score of a page's grades, see ``RULES``."""
    grades = list(grades)
    relevant = sorted(grade for grade in grades if grade >= 1)
    if len(relevant) >= 2 or (relevant and len(grades) == 1):
        return relevant[(len(relevant) - 1) // 2]
    return 0


def deciding(ratings: Sequence[Rating]) -> list[Rating]:
    """The ratings that a page's score comes from: those that agree with it on relevance."""
    relevant = score(rating.grade for rating in ratings) >= 1
    return [rating for rating in ratings if (rating.grade >= 1) == relevant]


def modalities_of(protocol: Protocol, ratings: Iterable[Rating]) -> list[str]:
    """The kinds of content that any of these ratings names, in the protocol's order."""
    named = {name for rating in ratings for name in rating.modalities}
    spec = page_field(protocol, "modalities", "multi")
    return [option.label for option in spec.options if option.label in named] if spec else []


def page_field(protocol: Protocol, name: str, kind: Kind) -> FieldSpec | None:
    """The field of pages of that name, or else the first of that kind."""
    specs = [spec for spec in protocol.scoped("page") if spec.kind == kind]
    return next((spec for spec in specs if spec.name == name), specs[0] if specs else None)


def queries(source: Source, written: Written) -> list[Query]:
    """The queries with submitted attempts, in the order of the tasks, poor ones left out.

    Where the gold decided in review counts, it is the only annotator of each.
    """
    found: dict[str, Query] = {}
    for work in counted(source, written):
        spec = page_field(source.campaign.protocol, "relevance", "ordinal")
        if spec is None:
            written.leave_out(*work.named("no_page_grades"))
            continue
        query = found.setdefault(work.head.task, Query(work.head.task, work.head.record))
        if work.form.ended:
            query.poor.append(work.name)
        else:
            _add_grades(query, work, spec)
    for query in found.values():
        if query.left_out:
            written.leave_out("query", "poor_gold" if source.adjudicated else "poor", query.key)
    return [query for query in found.values() if not query.left_out]


def _add_grades(query: Query, work: Work, spec: FieldSpec) -> None:
    query.annotators.append(work.name)
    query.unanswerable += work.response.outcome == "unanswerable"
    query.answers += ["\n".join(answer) for answer in Submission(work.form).accepted]
    kinds = page_field(work.form.protocol, "modalities", "multi")
    for place in work.form.pages():
        target = Target(*place)
        option = spec.option(work.form.value(spec, target))
        if option is None or option.code is None:
            continue
        chosen = work.form.value(kinds, target) if kinds else None
        rating = Rating(
            name=work.name,
            grade=int(option.code),
            modalities=tuple(o.label for o in kinds.options if o.value in chosen)
            if kinds and isinstance(chosen, tuple)
            else (),
            boxes=tuple(work.response.boxes.on(*place)),
        )
        query.ratings.setdefault(place, []).append(rating)
