"""Page grades of several annotators as one relevance judgement a page, by the retention rule.

The rule is review's (``annotation.review.retention``): a page that it leaves open has no judgement
until a reviewer decided it. A campaign grades pages where its protocol has an ordinal field of
pages: ``relevance``, or the first one. Codes from 1 mean relevant. An attempt that the protocol's
``ends`` has ended (a poor query) grades nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.fields import FieldSpec, Kind, Option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.retention import retained_grade, retention_of
from pagetrail.exports.gold.adjudicated_gold import counted, last_version
from pagetrail.exports.reading.attempts import Work
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.page_images import Place, place_id

POOR_RULE = "at least half of its annotators found it poor"
SCORE_RULE = (
    "0 where no annotator graded the page from 1 on; where at least {keep} did, the grade that "
    "more than half of them gave, or the lowest of grades that review.steps takes for the same; "
    "other pages are open: they have the grade of the gold decided in review, and are left out "
    "where there is none"
)
"""As a manifest states it; ``keep`` is the campaign's setting ``review.keep``."""
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
        option: the chosen one of the scale.
        modalities: labels of the chosen kinds of content, in the protocol's order.
        boxes: those that are there in the end.
    """

    name: str
    option: Option
    modalities: tuple[str, ...]
    boxes: tuple[PageBox, ...]

    @property
    def grade(self) -> int:
        """Whole part of the option's code."""
        return int(self.option.code or 0)


@dataclass
class Query:
    """A task with the work of all its annotators.

    Attributes:
        annotators: those who graded its pages.
        poor: those who found the query poor.
        answers: text of each answer, in the order of the annotators who have one.
        unanswerable: number of annotators who said that the pages do not hold the answer.
        ratings: by page, in the order in which the task gives its pages.
        scores: one judgement a page, likewise; pages that are open have none.
    """

    key: str
    record: Mapping[str, Any]
    annotators: list[str] = field(default_factory=list)
    poor: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    unanswerable: int = 0
    ratings: dict[Place, list[Rating]] = field(default_factory=dict)
    scores: dict[Place, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The query."""
        return str(self.record.get("question", ""))

    @property
    def left_out(self) -> bool:
        """Whether the query is too poor to be used, see ``POOR_RULE``."""
        return 2 * len(self.poor) >= len(self.poor) + len(self.annotators)


def rules(source: Source) -> dict[str, str]:
    """The rules that scores follow here, as a manifest states them."""
    if source.adjudicated:
        return dict(GOLD_RULES)
    keep = source.campaign.protocol.review.keep
    return {"query_left_out": POOR_RULE, "score": SCORE_RULE.format(keep=keep)}


def score_by_rule(
    options: Iterable[Option], spec: FieldSpec, rule: ReviewPart, reviewer: Option | None = None
) -> int | None:
    """The score of a page by its annotators' grades, see ``SCORE_RULE``; None where it is open.

    Args:
        reviewer: the grade in the gold decided in review, for a page that the rule leaves open.
    """
    marks = [option for option in options if (option.code or 0) >= 1]
    status = retention_of(len(marks), rule.keep)
    if status == "dropped":
        return 0
    grade = retained_grade(marks, spec, rule) if status == "retained" else None
    grade = grade or reviewer
    return None if grade is None else int(grade.code or 0)


def deciding(ratings: Sequence[Rating], score: int) -> list[Rating]:
    """The ratings that a page's score comes from: those that agree with it on relevance."""
    return [rating for rating in ratings if (rating.grade >= 1) == (score >= 1)]


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

    Where the gold decided in review counts, it is the only annotator of each, and nothing is open.
    """
    spec = page_field(source.campaign.protocol, "relevance", "ordinal")
    found: dict[str, Query] = {}
    for work in counted(source, written):
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
    judged = [query for query in found.values() if not query.left_out]
    if spec is not None:
        _add_scores(source, written, judged, spec)
    return judged


def _add_scores(source: Source, written: Written, judged: list[Query], spec: FieldSpec) -> None:
    rule = source.campaign.protocol.review
    decided = {} if source.adjudicated else _decided_grades(source, spec)
    for query in judged:
        for place, ratings in query.ratings.items():
            options = [rating.option for rating in ratings]
            score: int | None = ratings[0].grade
            if not source.adjudicated:
                score = score_by_rule(options, spec, rule, decided.get((query.key, place)))
            if score is None:
                written.leave_out("judgement", "open_page", f"{query.key}: {place_id(place)}")
            else:
                query.scores[place] = score


def _decided_grades(source: Source, spec: FieldSpec) -> dict[tuple[str, Place], Option]:
    """(Task, page) → its grade in the gold decided in review."""
    found = {}
    for stream in replace(source, progress=None).gold_streams():
        last = last_version(source, stream)
        for target in last.form.targets(spec) if last is not None else ():
            option = spec.option(last.form.value(spec, target)) if last is not None else None
            if option is not None and target.document is not None and target.page is not None:
                found[stream.head.task, (target.document, target.page)] = option
    return found


def _add_grades(query: Query, work: Work, spec: FieldSpec) -> None:
    query.annotators.append(work.name)
    query.unanswerable += work.state.outcome == "unanswerable"
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
            option=option,
            modalities=tuple(o.label for o in kinds.options if o.value in chosen)
            if kinds and isinstance(chosen, tuple)
            else (),
            boxes=tuple(work.state.boxes.on(*place)),
        )
        query.ratings.setdefault(place, []).append(rating)
