"""Combines page grades of several annotators into one relevance judgement per page.

The retention rule is that of review (``annotation.review.retention``): a page that it leaves open
has no judgement until a reviewer decides. A campaign grades pages if its protocol has an ordinal
page field: ``relevance``, or the first one. Codes of 1 or more mean relevant. An attempt ended by
the protocol's ``ends`` (a poor query) has no grades.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Target
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.fields import FieldSpec, Option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.retention import retained_grade, retention_of
from pagetrail.exports.gold.adjudicated_gold import counted_works, last_version
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.page_images import PageKey, page_label

POOR_RULE = "at least half of its annotators found it poor"
SCORE_RULE = (
    "0 where no annotator graded the page from 1 on; where at least {keep} did, the grade that "
    "more than half of them gave, or the lowest of grades that review.steps takes for the same; "
    "other pages are open: they have the grade of the gold decided in review, and are left out "
    "where there is none"
)
"""Text for the manifest; ``keep`` is the campaign's setting ``review.keep``."""
GOLD_RULES = {
    "query_left_out": "the gold decided in review holds it for poor",
    "score": "the grade of the gold decided in review",
}
"""Texts for the manifest if adjudicated gold counts."""


@dataclass(frozen=True)
class Rating:
    """One annotator's judgement of one page.

    Attributes:
        name: the annotator's name in the export.
        option: the chosen grade.
        modalities: labels of the chosen kinds of content, in the protocol's order.
        boxes: the final boxes.
    """

    name: str
    option: Option
    modalities: tuple[str, ...]
    boxes: tuple[PageBox, ...]

    @property
    def grade(self) -> int:
        """The option's code as an integer."""
        return int(self.option.code or 0)


@dataclass
class Query:
    """A task with the work of all its annotators.

    Attributes:
        annotators: annotators who graded its pages.
        poor: annotators who found the query poor.
        answers: text of each answer, in the order of its annotators.
        unanswerable: number of annotators for whom the pages do not contain the answer.
        ratings: by page, in the task's order of pages.
        scores: one judgement per page, in the same order; open pages have none.
    """

    key: str
    record: Mapping[str, Any]
    annotators: list[str] = field(default_factory=list)
    poor: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    unanswerable: int = 0
    ratings: dict[PageKey, list[Rating]] = field(default_factory=dict)
    scores: dict[PageKey, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Text of the query."""
        return str(self.record.get("question", ""))

    @property
    def left_out(self) -> bool:
        """Whether the query is left out as poor, see ``POOR_RULE``."""
        return 2 * len(self.poor) >= len(self.poor) + len(self.annotators)


def scoring_rules(source: Source) -> dict[str, str]:
    """The scoring rules, as stated in the manifest."""
    if source.adjudicated:
        return dict(GOLD_RULES)
    keep = source.campaign.protocol.review.keep
    return {"query_left_out": POOR_RULE, "score": SCORE_RULE.format(keep=keep)}


def score_by_rule(
    options: Iterable[Option], spec: FieldSpec, rule: ReviewPart, reviewer: Option | None = None
) -> int | None:
    """The score of a page from its grades, see ``SCORE_RULE``; None if the page is open.

    Args:
        reviewer: the grade in the adjudicated gold, used if the rule leaves the page open.
    """
    marks = [option for option in options if (option.code or 0) >= 1]
    status = retention_of(len(marks), rule.keep)
    if status == "dropped":
        return 0
    grade = retained_grade(marks, spec, rule) if status == "retained" else None
    grade = grade or reviewer
    return None if grade is None else int(grade.code or 0)


def deciding_ratings(ratings: Sequence[Rating], score: int) -> list[Rating]:
    """The ratings that agree with a page's score on relevance."""
    return [rating for rating in ratings if (rating.grade >= 1) == (score >= 1)]


def modalities_of(protocol: Protocol, ratings: Iterable[Rating]) -> list[str]:
    """The kinds of content in any of these ratings, in the protocol's order."""
    named_kinds = {name for rating in ratings for name in rating.modalities}
    spec = protocol.page_field("modalities", "multi")
    return [option.label for option in spec.options if option.label in named_kinds] if spec else []


def graded_queries(source: Source, tally: WrittenFiles) -> list[Query]:
    """The queries with submitted attempts, in task order, without poor ones.

    If adjudicated gold counts, it is the only annotator of each query, and no page is open.
    """
    spec = source.campaign.protocol.page_field("relevance", "ordinal")
    queries: dict[str, Query] = {}
    for attempt in counted_works(source, tally):
        if spec is None:
            tally.leave_out(*attempt.left_out_for("no_page_grades"))
            continue
        query = queries.setdefault(attempt.head.task, Query(attempt.head.task, attempt.head.record))
        if attempt.form.ended:
            query.poor.append(attempt.name)
        else:
            _add_grades(query, attempt, spec)
    for query in queries.values():
        if query.left_out:
            tally.leave_out("query", "poor_gold" if source.adjudicated else "poor", query.key)
    kept_queries = [query for query in queries.values() if not query.left_out]
    if spec is not None:
        _add_scores(source, tally, kept_queries, spec)
    return kept_queries


def _add_scores(
    source: Source, tally: WrittenFiles, kept_queries: list[Query], spec: FieldSpec
) -> None:
    rule = source.campaign.protocol.review
    decided_grades = {} if source.adjudicated else _decided_grades(source, spec)
    for query in kept_queries:
        for page, ratings in query.ratings.items():
            options = [rating.option for rating in ratings]
            score: int | None = ratings[0].grade
            if not source.adjudicated:
                score = score_by_rule(options, spec, rule, decided_grades.get((query.key, page)))
            if score is None:
                tally.leave_out("judgement", "open_page", f"{query.key}: {page_label(page)}")
            else:
                query.scores[page] = score


def _decided_grades(source: Source, spec: FieldSpec) -> dict[tuple[str, PageKey], Option]:
    """(Task, page) → its grade in the adjudicated gold."""
    grades = {}
    for stream in replace(source, progress=None).gold_streams():
        version = last_version(source, stream)
        for target in version.form.targets(spec) if version is not None else ():
            option = spec.option(version.form.value(spec, target)) if version is not None else None
            if option is not None and target.document is not None and target.page is not None:
                grades[stream.head.task, (target.document, target.page)] = option
    return grades


def _add_grades(query: Query, attempt: ReadAttempt, spec: FieldSpec) -> None:
    query.annotators.append(attempt.name)
    query.unanswerable += attempt.state.outcome == "unanswerable"
    query.answers += ["\n".join(answer) for answer in Submission(attempt.form).accepted]
    kinds = attempt.form.protocol.page_field("modalities", "multi")
    for page in attempt.form.pages():
        target = Target(*page)
        option = spec.option(attempt.form.value(spec, target))
        if option is None or option.code is None:
            continue
        chosen_kinds = attempt.form.value(kinds, target) if kinds else None
        rating = Rating(
            name=attempt.name,
            option=option,
            modalities=tuple(o.label for o in kinds.options if o.value in chosen_kinds)
            if kinds and isinstance(chosen_kinds, tuple)
            else (),
            boxes=tuple(attempt.state.boxes.on(*page)),
        )
        query.ratings.setdefault(page, []).append(rating)
