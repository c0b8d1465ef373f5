"""Verdicts of a judging campaign, by task and name of the respondent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.annotation.normalised_text import plain_text
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.statistics.tfidf import words
from pagetrail.annotation.tasks.blind_judging import question_of
from pagetrail.exports.formats.judgements import is_own_answer, prediction_of, verdict_field
from pagetrail.exports.reading.attempts import CountedAttempt, ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet, require_verdict_set
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

CATEGORY, STEPS, MARK = "category", "steps", "mark"
"""Names in the preset ``trajectory``: a field, a table and its column."""

Key = tuple[str, str]
"""(question, who answered)."""

Words = tuple[str, ...]
"""Sorted."""


@dataclass(slots=True)
class Verdict:
    """The judges' verdicts on one prediction.

    Attributes:
        task: its task in the judging campaign.
        answer: the words of the prediction, to tell an answer that was changed since; None where
            the verdict is on whatever was submitted.
        judgements: 1, 0.5 or 0 of each judge.
        failures: the kind of failure that each judge named, where the protocol asks for it.
        marks: of the steps to the answer, by all judges: mark → how often.
    """

    task: str
    answer: Words | None
    judgements: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    marks: Counter[str] = field(default_factory=Counter)
    used: bool = False

    @property
    def judgement(self) -> float:
        """The median verdict; the lower of the middle two if they differ."""
        return sorted(self.judgements)[(len(self.judgements) - 1) // 2]

    @property
    def failure(self) -> str | None:
        """The most frequent kind of failure; None without one or with a tie."""
        most_common = Counter(self.failures).most_common(2)
        tie = len(most_common) == 2 and most_common[0][1] == most_common[1][1]
        return most_common[0][0] if most_common and not tie else None


class Verdicts:
    """All verdicts of a judging campaign, looked up by attempts of another campaign."""

    def __init__(
        self, verdicts: dict[Key, Verdict], campaign: str, judges: int, own_answers: int = 0
    ) -> None:
        self._verdicts = verdicts
        self.campaign = campaign
        self.judges = judges
        self.own_answers = own_answers
        self.other_answer: list[str] = []

    def find(self, task: str, names: Sequence[str], answer: Sequence[str]) -> Verdict | None:
        """The verdict on an answer; None if nobody judged it.

        Args:
            task: key of the question's task.
            names: all that the predictions of whoever answered may go under.
            answer: as submitted. Verdicts on another answer of theirs, such as one that was
                changed since, are not used.
        """
        for name in names:
            verdict = self._verdicts.get((task, name))
            if verdict is None:
                continue
            verdict.used = True
            if verdict.answer in (None, words_of(answer)):
                return verdict
            self.other_answer.append(verdict.task)
        return None

    def judgement(self, task: str, name: str) -> float | None:
        """The judgement of somebody's answer to a task; None if nobody judged it."""
        verdict = self._verdicts.get((task, name))
        return None if verdict is None else verdict.judgement

    def leave_out_unused(self, tally: WrittenFiles) -> None:
        """Record the verdicts that no attempt used."""
        for verdict in self._verdicts.values():
            if not verdict.used:
                tally.leave_out("prediction", "no_attempt_matches", verdict.task)
        for task in self.other_answer:
            tally.leave_out("prediction", "another_answer_was_judged", task)

    def count(self, tally: WrittenFiles) -> None:
        """Count the judged predictions."""
        differ = sum(len(set(verdict.judgements)) > 1 for verdict in self._verdicts.values())
        tally.count(lazy_gettext("Predictions judged"), len(self._verdicts))
        tally.count(lazy_gettext("Predictions on which judges differ"), differ)
        if self.own_answers:
            tally.count(lazy_gettext("Judgements of one’s own answer"), self.own_answers)


def read_verdicts(source: Source, campaign: str, tally: WrittenFiles) -> Verdicts:
    """The verdicts submitted in a judging campaign.

    Raises:
        NotFoundError: no such campaign in the workspace.
        PagetrailError: it has no verdicts (code ``no_verdicts``).
    """
    judging_source = replace(source, campaign=source.database.campaign(campaign), progress=None)
    verdict = verdict_field(judging_source.campaign.protocol)
    if verdict is None:
        raise PagetrailError(
            f"Campaign {campaign} gives no verdicts: its protocol has no field “verdict” and no "
            "other ordinal field. Name a campaign of the judge preset.",
            code="no_verdicts",
        )
    verdicts: dict[Key, Verdict] = {}
    judges: set[str] = set()
    own_answers = 0
    # Attempts of the judging campaign are not part of the report: only verdicts are counted.
    for head, judged_by in _submitted_verdicts(judging_source, verdict):
        if not judged_by.submitted:
            continue
        if head.role == SYSTEM:
            # ANLS* is compared with people's verdicts, not with those of another model.
            tally.leave_out("verdict", "of_a_system", head.id)
            continue
        if judged_by.code is None or judged_by.code not in JUDGEMENTS:
            tally.leave_out("verdict", "neither_1_nor_half_nor_0", head.id)
            continue
        key, answer = _prediction(head)
        entry = verdicts.setdefault(key, Verdict(head.task, answer))
        entry.judgements.append(judged_by.code)
        entry.marks.update(judged_by.marks)
        if judged_by.failure is not None:
            entry.failures.append(judged_by.failure)
        judges.add(judging_source.name(head.user))
        own_answers += is_own_answer(head)
    return Verdicts(verdicts, campaign, len(judges), own_answers)


def read_outside_verdicts(source: Source, name: str) -> Verdicts:
    """The verdicts of an imported set.

    Raises:
        NotFoundError: the campaign has no such set.
    """
    verdicts = {
        (row.task, row.system): Verdict(
            row.task, None if row.answer is None else words_of(row.answer), [row.value]
        )
        for row in source.database.verdicts(source.campaign.id, name)
    }
    return Verdicts(verdicts, name, 1)


class ImportedVerdicts(NamedTuple):
    """An imported set of verdicts, looked up by attempts."""

    stored: StoredVerdictSet
    verdicts: Verdicts


def read_imported_verdicts(source: Source, name: str | None) -> list[ImportedVerdicts]:
    """All imported sets of the campaign.

    Args:
        name: of a set that has to exist.

    Raises:
        NotFoundError: the campaign has no such set.
    """
    stored_sets = source.database.verdict_sets(source.campaign.id)
    if name is not None:
        require_verdict_set(stored_sets, name)
    return [
        ImportedVerdicts(stored, read_outside_verdicts(source, stored.name))
        for stored in stored_sets
    ]


@dataclass(frozen=True)
class _SubmittedVerdict:
    """The verdict of one judge.

    Attributes:
        code: of the verdict, as the protocol has it; None without one.
        failure: the option of the field ``category``, as shown.
        marks: of the table ``steps``, as the preset ``trajectory`` has them.
    """

    submitted: bool
    code: float | None
    failure: str | None = None
    marks: dict[str, int] = field(default_factory=dict)


_VERDICTS = TypeAdapter(list[_SubmittedVerdict])


def _submitted_verdicts(
    source: Source, verdict: FieldSpec
) -> Iterator[tuple[AttemptHead, _SubmittedVerdict]]:
    """The attempts of a campaign of judges, computed once for each state of their task."""

    def compute(attempts: Sequence[CountedAttempt]) -> list[_SubmittedVerdict]:
        return [_given_by(verdict, attempt.submission) for attempt in attempts]

    for heads, results in task_results(source, TaskComputation("verdicts", _VERDICTS, compute)):
        yield from zip(heads, results, strict=True)


def _given_by(verdict: FieldSpec, submission: ReadAttempt) -> _SubmittedVerdict:
    option = verdict.option(submission.form.value(verdict))
    protocol = submission.form.protocol
    category, steps = protocol.field(CATEGORY), protocol.field(STEPS)
    failure = None
    if category is not None:
        category_option = category.option(submission.form.value(category))
        failure = None if category_option is None else category_option.label
    rows = submission.form.rows(steps) if steps is not None and steps.kind == "records" else []
    marks = Counter(row.values[MARK] for row in rows if row.values.get(MARK) and not row.deleted)
    code = None if option is None else option.code
    return _SubmittedVerdict(submission.state.status == "submitted", code, failure, dict(marks))


def _prediction(head: AttemptHead) -> tuple[Key, Words]:
    prediction = prediction_of(head.record)
    key = question_of(head.task), str(prediction.get("system"))
    return key, words_of(prediction.get("answer"))


def words_of(answer: Any) -> Words:
    """The words of an answer as plain text, in any order, be it a text or a list."""
    texts = answer if isinstance(answer, list | tuple) else [answer]
    return _sorted_words(tuple(str(text) for text in texts if text is not None))


@lru_cache(65_536)
def _sorted_words(texts: tuple[str, ...]) -> Words:
    """Read once, since each judge and each of their runs has a verdict on the same answer."""
    return tuple(sorted(word for text in texts for word in words(plain_text(text))))
