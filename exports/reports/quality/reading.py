"""The input of the quality report: people's tasks and their hidden checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison import against_gold, differences
from pagetrail.annotation.comparison.shown_values import ShownCounts, shown_counts
from pagetrail.annotation.events import TimeCorrected
from pagetrail.annotation.geometry.box import MAX_COORDINATE
from pagetrail.annotation.progress.quality import PersonWork, Scored
from pagetrail.annotation.protocols.conditions import condition_of, under_condition
from pagetrail.annotation.tasks.task import language_of
from pagetrail.annotation.timing.durations import active_ms
from pagetrail.exports.reading.attempts import CountedAttempt, ReadAttempt, opened_works
from pagetrail.exports.reading.source import LeftOut, Source, WrittenFiles
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

FINISHED_STATUSES = ("submitted", "skipped")
TOO_SOON = "repeat_too_soon"
NO_FIRST = "first_time_not_submitted"


@dataclass(frozen=True)
class FinishedTask:
    """An attempt at a task of the campaign, as of the submission that counts.

    Attributes:
        at: when it was finished, ISO-8601 UTC; None if it is not.
        seconds: active time; None if it was not submitted.
        agreement: mean similarity with others who submitted the task, 0–1; None without others.
        shown_values: outcome of a model's values.
        time_corrected: whether the server's clock was set meanwhile (docs/metrics.md, Time).
    """

    at: str | None
    seconds: float | None = None
    agreement: float | None = None
    shown_values: list[ShownCounts] = field(default_factory=list)
    time_corrected: bool = False


@dataclass(frozen=True)
class GoldCheck:
    """A hidden gold task that somebody finished."""

    person: str
    task: str
    at: str
    feedback: Feedback


@dataclass(frozen=True)
class RepeatCheck:
    """A task that somebody finished a second time.

    Attributes:
        n_between: tasks that the person finished in between.
        similarities: whether both agree in every part by the campaign's review rule.
        parts: part → (label, whether it agrees, difference in [0, 1]).
    """

    person: str
    task: str
    at: str
    n_between: int
    is_consistent: bool
    parts: dict[str, tuple[str, bool, float]]


@dataclass(frozen=True)
class ShownValues:
    """Outcome of a model's values for one field of a task in one attempt."""

    person: str
    task: str
    counts: ShownCounts


@dataclass(frozen=True)
class QualityInput:
    """The input of the report.

    Attributes:
        people: name in the report → work, in alphabetical order.
        conditions: name → condition of the study, where the campaign has any.
    """

    people: dict[str, PersonWork]
    gold: Sequence[GoldCheck]
    repeats: Sequence[RepeatCheck]
    shown_values: Sequence[ShownValues]
    left_out: Sequence[LeftOut] = field(default_factory=tuple)
    conditions: Mapping[str, str] = field(default_factory=dict)

    def of_person(self, person: str) -> QualityInput:
        """One person's."""
        return QualityInput(
            {name: person_work for name, person_work in self.people.items() if name == person},
            [check for check in self.gold if check.person == person],
            [repeat for repeat in self.repeats if repeat.person == person],
            [values for values in self.shown_values if values.person == person],
            self.left_out,
            self.conditions,
        )


def read_quality(source: Source) -> QualityInput:
    """Read the campaign's work by people, and the checks that were hidden in it."""
    tally = WrittenFiles()
    source.leave_out_excluded(tally)
    works_of_people: dict[str, PersonWork] = {}
    shown_values: list[ShownValues] = []
    conditions: dict[str, str] = {}
    for heads, results in task_results(source, _finished_tasks(source)):
        for head, result in zip(heads, results, strict=True):
            if head.role == SYSTEM or result.at is None:
                continue
            person_work = works_of_people.setdefault(source.name(head.user), PersonWork())
            person_work.finished.append(result.at)
            if result.seconds is not None:
                person_work.seconds.append(Scored(result.at, result.seconds))
            if result.time_corrected:
                person_work.time_corrected.append(result.at)
            name = source.name(head.user)
            condition = condition_of(source.campaign.protocol.name, head.setting)
            if condition is not None:
                conditions[name] = condition
            shown_values += [ShownValues(name, head.task, counts) for counts in result.shown_values]
            if result.agreement is not None:
                person_work.agreement.append(Scored(result.at, result.agreement))
    checks = source.database.checks(source.campaign.id)
    gold = list(_gold(source.for_campaign(checks["gold"]), tally)) if "gold" in checks else []
    for check in gold:
        person_work = works_of_people.setdefault(check.person, PersonWork())
        person_work.finished.append(check.at)
        if check.feedback.is_undecided:
            person_work.undecided.append(check.at)
        else:
            person_work.gold.append(Scored(check.at, float(check.feedback.right)))
    repeats = []
    if "repeat" in checks:
        repeats = list(
            _repeats(source, source.for_campaign(checks["repeat"]), works_of_people, tally)
        )
    for repeat in repeats:
        works_of_people[repeat.person].consistency.append(
            Scored(repeat.at, float(repeat.is_consistent))
        )
    people = {
        name: works_of_people[name]
        for name in sorted(works_of_people, key=lambda name: (name.casefold(), name))
    }
    return QualityInput(people, gold, repeats, shown_values, tally.left_out, conditions)


_FINISHED = TypeAdapter(list[FinishedTask])


def _finished_tasks(source: Source) -> TaskComputation[list[FinishedTask]]:
    rule = source.campaign.protocol.review

    def compute(attempts: Sequence[CountedAttempt]) -> list[FinishedTask]:
        submissions = [attempt.submission for attempt in attempts]
        people = [
            attempt_work
            for attempt_work in submissions
            if attempt_work.head.role != SYSTEM and attempt_work.state.status == "submitted"
        ]
        finished_tasks = []
        for attempt_work in submissions:
            if attempt_work.state.status not in FINISHED_STATUSES:
                finished_tasks.append(FinishedTask(None))
            elif attempt_work.state.status == "skipped":
                finished_tasks.append(FinishedTask(_finished_at(attempt_work)))
            else:
                other_submissions = [
                    submission
                    for submission in people
                    if submission.head.user != attempt_work.head.user
                ]
                similarities = [
                    1
                    - differences.compare(
                        [attempt_work.submission, other.submission],
                        rule,
                        _any_size,
                        language=language_of(attempt_work.head.record),
                    ).score
                    for other in other_submissions
                ]
                seconds = active_ms(attempt_work.attempt.events) / 1000
                finished_tasks.append(
                    FinishedTask(
                        _finished_at(attempt_work),
                        seconds,
                        fmean(similarities) if similarities else None,
                        _shown_values(attempt_work),
                        time_corrected=any(
                            isinstance(event.payload, TimeCorrected)
                            for event in attempt_work.attempt.events
                        ),
                    )
                )
        return finished_tasks

    return TaskComputation("quality", _FINISHED, compute)


def _shown_values(attempt_work: ReadAttempt) -> list[ShownCounts]:
    seen_protocol = under_condition(attempt_work.form.protocol, attempt_work.head.setting)
    if not attempt_work.form.protocol.boxes.enabled and not attempt_work.state.rows:
        return []
    return shown_counts(attempt_work.form, attempt_work.head.record, seen_protocol.boxes.seed)


def _gold(source: Source, tally: WrittenFiles) -> Iterator[GoldCheck]:
    """Compared with the current gold of the campaign that it was taken from."""
    records = source.database.copied_records(source.campaign.id)
    exposed = source.database.exposed_checks()
    for attempt_work in opened_works(source, tally):
        if attempt_work.head.id in exposed:
            tally.leave_out("hidden gold task", "met_elsewhere", attempt_work.head.id)
            continue
        record = records.get(attempt_work.head.task, attempt_work.head.record)
        if attempt_work.state.status not in FINISHED_STATUSES:
            tally.leave_out(
                "hidden gold task", f"status_{attempt_work.state.status}", attempt_work.head.id
            )
            continue
        feedback = against_gold.compare(attempt_work.form, record)
        if feedback is None:
            tally.leave_out("hidden gold task", "no_gold", attempt_work.head.id)
            continue
        yield GoldCheck(
            attempt_work.name, attempt_work.head.task, _finished_at(attempt_work), feedback
        )


def _repeats(
    source: Source, repeat: Source, people: dict[str, PersonWork], tally: WrittenFiles
) -> Iterator[RepeatCheck]:
    second = {
        (attempt_work.head.task, attempt_work.head.user): attempt_work
        for attempt_work in opened_works(repeat, tally)
    }
    finished = {
        key: attempt_work
        for key, attempt_work in second.items()
        if attempt_work.state.status in FINISHED_STATUSES
    }
    for attempt_work in second.values():
        if attempt_work.state.status not in FINISHED_STATUSES:
            tally.leave_out(
                "repeated task", f"status_{attempt_work.state.status}", attempt_work.head.id
            )
        else:
            people.setdefault(attempt_work.name, PersonWork()).finished.append(
                _finished_at(attempt_work)
            )
    first = _first_times(source, set(finished))
    gap = source.campaign.protocol.quality.repeat_gap
    for key, attempt_work in finished.items():
        before = first.get(key)
        if before is None or before.state.status != "submitted":
            tally.leave_out("repeated task", NO_FIRST, attempt_work.head.id)
            continue
        at, start = _finished_at(attempt_work), _finished_at(before)
        n_between = sum(
            start < finished_at < at for finished_at in people[attempt_work.name].finished
        )
        if n_between < gap:
            tally.leave_out("repeated task", TOO_SOON, attempt_work.head.id)
            continue
        yield _repeat(source, before, attempt_work, at, n_between)


def _repeat(
    source: Source, before: ReadAttempt, attempt_work: ReadAttempt, at: str, n_between: int
) -> RepeatCheck:
    rule = source.campaign.protocol.review
    pair = [Submission(before.form, "first"), Submission(attempt_work.form, "second")]
    language = language_of(attempt_work.head.record)
    comparison = differences.compare(pair, rule, _any_size, language=language)
    parts = {part.part: (part.label, part.agreed, part.score) for part in comparison.parts}
    skipped = attempt_work.state.status == "skipped"
    return RepeatCheck(
        attempt_work.name,
        attempt_work.head.task,
        at,
        n_between,
        comparison.agreed and not skipped,
        parts,
    )


def _first_times(source: Source, keys: set[tuple[str, str]]) -> dict[tuple[str, str], ReadAttempt]:
    if not keys:
        return {}
    heads: list[AttemptHead] = [
        head
        for task in source.database.task_attempts(source.campaign.id)
        for head in task.heads
        if (head.task, head.user) in keys
    ]
    attempts = source.database.with_events(heads)
    return {
        (attempt.head.task, attempt.head.user): CountedAttempt(source, attempt).submission
        for attempt in attempts
    }


def _finished_at(attempt_work: ReadAttempt) -> str:
    return max(
        event.server_ts for event in attempt_work.attempt.events if event.type in FINISHED_STATUSES
    )


def _any_size(_document: str, _page: int) -> tuple[float, float]:
    return MAX_COORDINATE, MAX_COORDINATE
