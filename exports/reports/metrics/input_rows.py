"""The rows from which a campaign's measures are computed, and what they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pagetrail.annotation.comparison.transcription_pairs import TranscriptionScores
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row, judged_row
from pagetrail.annotation.metrics.correctness import UNDECIDED, Rule
from pagetrail.annotation.metrics.judging.accuracy_by_verdict import RuleVerdict
from pagetrail.annotation.metrics.without_documents import GuessClass, guess_class
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.annotation.tasks.blind_judging import names_of_answers
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.exports.gold.adjudicated_gold import GOLD_DROPPED, NOT_DECIDED, decided_records
from pagetrail.exports.gold.gold_checks import (
    GoldChoice,
    read_checked_gold,
    records_by_gold,
)
from pagetrail.exports.reading.attempts import (
    LATER_SUBMISSION,
    RUN_WITHDRAWN,
    leave_out_never_opened,
)
from pagetrail.exports.reading.source import LeftOut, Source, WrittenFiles
from pagetrail.exports.reports.metrics.judging.judge import Judge, answer_rule_judge, rule_verdict
from pagetrail.exports.reports.metrics.judging.judge_verdicts import (
    ImportedVerdicts,
    Verdict,
    Verdicts,
    read_imported_verdicts,
    read_verdicts,
)
from pagetrail.exports.reports.per_task.reading import measured_attempts
from pagetrail.storage.campaigns.samples import StoredSample
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

Gold = Literal["task", "adjudicated", "corrected"]
"""Which gold counts: the tasks' own, the last version decided in review, or the checked gold.

``corrected``: with the corrections of suspect gold, and without the tasks that were dropped
(``exports.gold.gold_checks``).
"""

TASKS_DECIDED = lazy_gettext("Tasks with gold decided in review")
"""The fact that counts them, of those measured."""

TASKS_CORRECTED = lazy_gettext("Tasks with corrected gold")
"""The fact that counts them, of those measured."""

TASKS_DROPPED = lazy_gettext("Tasks dropped for their gold")
"""The fact that counts them, of the whole campaign; none of them is measured."""

UNDECIDED_ATTEMPTS = lazy_gettext("Attempts undecided, counted as incorrect")
"""The fact that counts them."""


@dataclass(frozen=True)
class Measured:
    """The submitted attempts of a campaign.

    Attributes:
        rows: of people and of the systems that are compared, in the order of the campaign: batch,
            task, then pseudonym.
        submission_times: attempt → when it was submitted, ISO-8601 UTC.
        batches: task → code name of its batch.
        conditions: attempt → the condition of the study that it was made under, where there is one.
        systems: the systems that are compared, sorted; also one that has nothing submitted.
        facts: counts by label.
        left_out: what is in no row, and why.
        questions: task → what it asks.
        verdicts: attempt → people's verdict in the judging campaign.
        judges: the imported sets of verdicts.
        judgement_of: attempt → people's judgement, which judges are compared with.
        calibrated_by: name of the judging campaign.
        own_answers: how many of its judgements are of the judge's own answer.
        decided_by: name of the imported set that decides.
        drawn_sample: the sample of answers that people judge, if it was drawn.
        stratum_of: attempt that people judged → values of its stratum in that sample.
        users: attempt of a person → the account's name.
        guesses: answerable attempts of models that were given the questions alone; in no other
            rows.
        guess_classes: task of such an attempt → class of its question.
        against_gold: attempt → its text, tables and charts, where they are asked for.
    """

    rows: Sequence[Row]
    submission_times: Mapping[str, str]
    batches: Mapping[str, str]
    conditions: Mapping[str, str]
    systems: Sequence[str]
    facts: Mapping[str, int]
    left_out: Sequence[LeftOut]
    questions: Mapping[str, str] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    users: Mapping[str, str] = field(default_factory=dict)
    judges: Sequence[Judge] = ()
    judgement_of: Mapping[str, float] = field(default_factory=dict)
    calibrated_by: str | None = None
    own_answers: int = 0
    decided_by: str | None = None
    drawn_sample: StoredSample | None = None
    stratum_of: Mapping[str, StratumValues] = field(default_factory=dict)
    guesses: Sequence[Row] = ()
    guess_classes: Mapping[str, GuessClass] = field(default_factory=dict)
    against_gold: Mapping[str, TranscriptionScores] = field(default_factory=dict)

    @property
    def people(self) -> list[Row]:
        """The rows of people."""
        return [row for row in self.rows if row.person]

    @property
    def systems_without_answers(self) -> list[str]:
        """Systems of which there are boxes alone; they are no participants."""
        rows_of = {name: self.of_system(name) for name in self.systems}
        return [
            name
            for name, rows in rows_of.items()
            if rows and all(row.only_drew_boxes for row in rows)
        ]

    def of_system(self, name: str) -> list[Row]:
        """The rows of a system."""
        return [row for row in self.rows if not row.person and row.system == name]


def measure_attempts(
    source: Source,
    *,
    compare: Sequence[str] | None = None,
    rule: Rule = "first",
    judgements: str | None = None,
    gold: GoldChoice = "task",
) -> Measured:
    """The rows of a campaign; only changed tasks are computed again.

    Args:
        compare: names of the systems to read; None for all of the campaign's.
        rule: what decides whether an answer is right, see ``annotation.metrics.decide``.
        judgements: campaign of the same workspace whose verdicts judge the answers. If the source
            names imported verdicts, those decide, and the campaign's only calibrate judges.
        gold: which gold counts. By the adjudicated one, attempts at a task that has none have no
            gold at all: the task is counted as left out of every result that needs gold. By the
            corrected one, judgements of answers to corrected tasks rest on the gold that was
            wrong, and do not count. By either, attempts at dropped tasks are in no row at all.
            ``unchecked`` is the gold before any check.

    Raises:
        NotFoundError: no such campaign of judges, or a system without work in this campaign.
        PagetrailError: the campaign of judges gives no verdicts, or nothing is decided in review
            yet (code ``no_adjudicated_gold``).
    """
    tally = WrittenFiles()
    by_people = None if judgements is None else read_verdicts(source, judgements, tally)
    imported = read_imported_verdicts(source, source.verdicts)
    deciding = _deciding(by_people, imported, source.verdicts)
    verdicts_of: list[dict[str, float]] = [{} for _ in imported]
    gold_record_of = records_by_gold(source, gold)
    checked = read_checked_gold(source) if gold in ("adjudicated", "corrected") else None
    dropped = set() if checked is None else checked.dropped
    corrected = checked.corrected if checked is not None and gold == "corrected" else set()
    rows: list[Row] = []
    tasks: dict[str, None] = {}
    submission_times: dict[str, str] = {}
    batches: dict[str, str] = {}
    conditions: dict[str, str] = {}
    verdict_of: dict[str, Verdict] = {}
    judgement_of: dict[str, float] = {}
    drawn_sample = None if judgements is None else _drawn_sample(source, judgements)
    is_drawn_by_rule = drawn_sample is not None and not drawn_sample.design.verdicts
    rule_verdicts: dict[str, RuleVerdict] = {}
    stratum_of: dict[str, StratumValues] = {}
    questions: dict[str, str] = {}
    users: dict[str, str] = {}
    systems: set[str] = set()
    guessing_systems: set[str] = set()
    guesses: list[Row] = []
    guess_classes: dict[str, GuessClass] = {}
    against_gold: dict[str, TranscriptionScores] = {}
    statuses = Counter[str]()
    leave_out_never_opened(source, tally)
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    pay_rates = source.database.pay_rates(source.campaign.id)

    def record_of(head: AttemptHead) -> dict[str, Any]:
        return gold_record_of(head.task, head.record)

    for head, result in measured_attempts(source, rule, gold, record_of):
        if result.later is not None and head.task not in dropped:
            tally.leave_out(LATER_SUBMISSION, result.later, head.id)
        if head.role == SYSTEM:
            if head.user in withdrawn:
                tally.leave_out("attempt", RUN_WITHDRAWN, head.id)
                continue
            is_guess = result.row is not None and result.row.without_documents
            (guessing_systems if is_guess else systems).add(head.user)
            if not is_guess and compare is not None and head.user not in compare:
                tally.leave_out("attempt", "system_not_compared", head.id)
                continue
        if head.task in dropped:
            tally.leave_out("attempt", GOLD_DROPPED, head.id)
            continue
        statuses[result.status] += 1
        if result.status != "submitted":
            tally.leave_out("attempt", f"status_{result.status}", head.id)
            continue
        judgement = None
        imported_verdicts: list[Verdict | None] = [None] * len(imported)
        if head.task not in corrected:
            if by_people is not None:
                judgement = verdict_on(head, result.answer, by_people)
            imported_verdicts = [
                verdict_on(head, result.answer, judge.verdicts) for judge in imported
            ]
        if result.row is None:
            tally.leave_out("attempt", "broken_task_record", head.id)
            continue
        pay_rate = None if head.role == SYSTEM else pay_rates.get(head.user, pay_rates.get(None))
        row = replace(result.row, system=source.name(head.user), pay_rate=pay_rate)
        decided = judgement
        for judge, given_verdict in zip(imported, imported_verdicts, strict=True):
            if judge.verdicts is deciding:
                decided = given_verdict
        if row.without_documents:
            tally.leave_out("attempt", "without_documents", head.id)
            if not row.unanswerable:
                if decided is not None:
                    row = judged_row(row, record_of(head), result.answer, decided.judgement, rule)
                guesses.append(row)
                guess_classes[row.task] = guess_class(record_of(head))
            continue
        for values, given_verdict in zip(verdicts_of, imported_verdicts, strict=True):
            if given_verdict is not None:
                values[row.attempt] = given_verdict.judgement
        if judgement is not None:
            judgement_of[row.attempt] = judgement.judgement
            verdict_of[row.attempt] = judgement
        stratum = None
        if judgement is not None and drawn_sample is not None:
            stratum = drawn_sample.tasks.get(judgement.task)
        if stratum is not None:
            stratum_of[row.attempt] = stratum
        if is_drawn_by_rule and (given := rule_verdict(row)) is not None:
            rule_verdicts[row.attempt] = given
        if decided is not None:
            row = judged_row(row, record_of(head), result.answer, decided.judgement, rule)
        rows.append(row)
        if result.against_gold is not None:
            against_gold[row.attempt] = result.against_gold
        tasks[head.task] = None
        submission_times[row.attempt] = result.submitted_at or ""
        batches[row.task] = head.batch
        condition = condition_of(source.campaign.protocol.name, head.setting)
        if condition is not None:
            conditions[row.attempt] = condition
        if row.person:
            users[row.attempt] = head.user
        questions[row.task] = str(head.record.get("question", ""))
    _check_known(source, compare, systems | guessing_systems)
    for verdicts in (by_people, None if deciding is by_people else deciding):
        if verdicts is not None:
            verdicts.leave_out_unused(tally)
    counted = deciding if by_people is None else by_people
    if counted is not None:
        counted.count(tally)
    by_gold = _by_gold(source, tasks, tally) if gold == "adjudicated" else {}
    by_gold |= {TASKS_CORRECTED: len(corrected.intersection(tasks))} if gold == "corrected" else {}
    if gold == "corrected" or dropped:
        by_gold[TASKS_DROPPED] = len(dropped)
    for task in sorted(dropped):
        tally.leave_out("task", GOLD_DROPPED, task)
    return Measured(
        rows=rows,
        submission_times=submission_times,
        batches=batches,
        conditions=conditions,
        systems=sorted(systems if compare is None else systems.intersection(compare)),
        facts=_facts(source, rows, statuses)
        | by_gold
        | _judgement_counts(deciding, rows)
        | tally.counts,
        left_out=tally.left_out,
        questions=questions,
        verdicts=verdict_of,
        users=users,
        judges=[
            Judge(
                judge.stored.name,
                judge.stored.info,
                values,
                judge.stored.verdicts,
                len(judge.verdicts.other_answer),
                judge.stored.name == source.verdicts,
            )
            for judge, values in zip(imported, verdicts_of, strict=True)
        ]
        + ([answer_rule_judge(rule_verdicts)] if rule_verdicts else []),
        judgement_of=judgement_of,
        calibrated_by=judgements,
        own_answers=0 if by_people is None else by_people.own_answers,
        decided_by=source.verdicts,
        drawn_sample=drawn_sample,
        stratum_of=stratum_of,
        guesses=guesses,
        guess_classes=guess_classes,
        against_gold=against_gold,
    )


def _drawn_sample(source: Source, judgements: str) -> StoredSample | None:
    """The sample of this campaign's answers in which a judging campaign was drawn."""
    stored = source.database.sample(source.database.campaign(judgements).id)
    if stored is None or stored.design.kind != "predictions":
        return None
    return stored if stored.design.source == source.campaign.name else None


def _deciding(
    by_people: Verdicts | None, imported: Sequence[ImportedVerdicts], name: str | None
) -> Verdicts | None:
    return next((judge.verdicts for judge in imported if judge.stored.name == name), by_people)


def _by_gold(source: Source, tasks: Collection[str], tally: WrittenFiles) -> dict[str, int]:
    """Number of tasks with gold; records those without gold or without an answer."""
    decided = decided_records(source)
    asks_answers = source.campaign.protocol.answer.kind != "off"
    for task in tasks:
        record = decided.get(task)
        if record is None:
            tally.leave_out("task", NOT_DECIDED, task)
        elif asks_answers and not record["answer_variants"] and not record["unanswerable"]:
            tally.leave_out("task", "adjudicated_without_answer", task)
    return {TASKS_DECIDED: sum(task in decided for task in tasks)}


def verdict_on(head: AttemptHead, answer: Sequence[str], verdicts: Verdicts) -> Verdict | None:
    """The verdict on an attempt's answer; None without one."""
    is_person = head.role != SYSTEM
    names = names_of_answers(head.user, head.pseudonym) if is_person else (head.user,)
    return verdicts.find(head.task, names, answer)


def _check_known(source: Source, compare: Sequence[str] | None, systems: Collection[str]) -> None:
    for name in compare or ():
        if name not in systems:
            known_systems = (
                f"Systems: {', '.join(sorted(systems))}." if systems else "It has none yet."
            )
            raise NotFoundError(
                f"Campaign {source.campaign.name} holds no work of a system {name!r}. "
                f"{known_systems}"
            )


def _facts(source: Source, rows: Sequence[Row], statuses: Mapping[str, int]) -> dict[str, int]:
    people = [row for row in rows if row.person]
    return {
        lazy_gettext("Tasks of the campaign"): source.campaign.tasks,
        lazy_gettext("Tasks measured"): len({row.task for row in rows}),
        lazy_gettext("Attempts measured"): len(rows),
        lazy_gettext("Attempts of people"): len(people),
        lazy_gettext("Attempts of systems"): len(rows) - len(people),
        lazy_gettext("Annotators"): len({row.system for row in people}),
        lazy_gettext("Systems"): len({row.system for row in rows if not row.person}),
        lazy_gettext("Attempts at unanswerable tasks"): sum(row.unanswerable for row in rows),
        UNDECIDED_ATTEMPTS: sum(row.correctness.decided_by == UNDECIDED for row in rows),
        lazy_gettext("Attempts skipped"): statuses.get("skipped", 0),
        lazy_gettext("Attempts without times"): sum(not row.times_known for row in rows),
        lazy_gettext("Attempts without result lists"): sum(not row.results_known for row in rows),
    }


def _judgement_counts(verdicts: Verdicts | None, rows: Sequence[Row]) -> dict[str, int]:
    if verdicts is None:
        return {}
    n_judged = sum(row.correctness.judgement is not None for row in rows)
    return {
        lazy_gettext("Judges"): verdicts.judges,
        lazy_gettext("Attempts judged"): n_judged,
        lazy_gettext("Attempts not judged"): len(rows) - n_judged,
    }
