"""The rows from which a campaign's measures are computed, and what they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import judged_row
from pagetrail.annotation.metrics.correctness import UNDECIDED, Rule
from pagetrail.annotation.metrics.without_documents import guess_class
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.annotation.tasks.blind_judging import names_of_answers
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
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.per_task.reading import measured_attempts
from pagetrail.storage.campaigns.samples import StoredSample
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead

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
    """The submitted attempts of a campaign, or of several side by side.

    Attributes:
        name: of the campaign; of several, joined.
        rows: of people and of the systems that are compared, in the order of the campaign: batch,
            task, then pseudonym.
        guesses: answerable attempts of models that were given the questions alone; not in
            ``rows``.
        systems: the systems that are compared, sorted; also one that has nothing submitted.
        facts: counts by label.
        left_out: what is in no row, and why.
        judges: the imported sets of verdicts, and the answer rule if a sample was drawn by it.
        calibrated_by: name of the judging campaign.
        own_answers: how many of its judgements are of the judge's own answer.
        decided_by: name of the imported set that decides.
        drawn_sample: the sample of answers that people judge, if it was drawn.
    """

    name: str
    rows: Sequence[MeasuredAttempt]
    guesses: Sequence[MeasuredAttempt]
    systems: Sequence[str]
    facts: Mapping[str, int]
    left_out: Sequence[LeftOut]
    judges: Sequence[Judge] = ()
    calibrated_by: str | None = None
    own_answers: int = 0
    decided_by: str | None = None
    drawn_sample: StoredSample | None = None

    @property
    def people(self) -> list[MeasuredAttempt]:
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

    @property
    def questions(self) -> dict[str, str]:
        """Task → what it asks."""
        return {row.task: row.question for row in self.rows}

    def of_system(self, name: str) -> list[MeasuredAttempt]:
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
    source.leave_out_excluded(tally)
    by_people = None if judgements is None else read_verdicts(source, judgements, tally)
    imported = read_imported_verdicts(source, source.verdicts)
    deciding = _deciding(by_people, imported, source.verdicts)
    gold_record_of = records_by_gold(source, gold)
    checked = read_checked_gold(source) if gold in ("adjudicated", "corrected") else None
    dropped = set() if checked is None else checked.dropped
    corrected = checked.corrected if checked is not None and gold == "corrected" else set()
    drawn_sample = None if judgements is None else _drawn_sample(source, judgements)
    rows: list[MeasuredAttempt] = []
    guesses: list[MeasuredAttempt] = []
    systems: set[str] = set()
    guessing_systems: set[str] = set()
    statuses = Counter[str]()
    leave_out_never_opened(source, tally)
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    pay_rates = source.database.pay_rates(source.campaign.id)

    def record_of(head: AttemptHead) -> dict[str, Any]:
        return gold_record_of(head.task, head.record)

    for head, result in measured_attempts(source, rule, gold, record_of):
        is_person = head.role != SYSTEM
        if result.later is not None and head.task not in dropped:
            tally.leave_out(LATER_SUBMISSION, result.later, head.id)
        if not is_person:
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
        verdict = None
        imported_verdicts: dict[str, float] = {}
        if head.task not in corrected:
            if by_people is not None:
                verdict = verdict_on(head, result.answer, by_people)
            for judge in imported:
                imported_verdict = verdict_on(head, result.answer, judge.verdicts)
                if imported_verdict is not None:
                    imported_verdicts[judge.stored.name] = imported_verdict.judgement
        if result.row is None:
            tally.leave_out("attempt", "broken_task_record", head.id)
            continue
        record = record_of(head)
        is_guess = result.row.without_documents
        stratum = None
        if verdict is not None and drawn_sample is not None:
            stratum = drawn_sample.tasks.get(verdict.task)
        row = MeasuredAttempt.from_row(
            result.row,
            system=source.name(head.user),
            pay_rate=pay_rates.get(head.user, pay_rates.get(None)) if is_person else None,
            campaign=source.campaign.name,
            question=str(head.record.get("question", "")),
            batch=head.batch,
            condition=condition_of(source.campaign.protocol.name, head.setting),
            user=head.user if is_person else None,
            submitted_at=result.submitted_at or "",
            verdict=verdict,
            stratum=stratum,
            rule_verdict=rule_verdict(result.row),
            imported_verdicts=imported_verdicts,
            guess_class=guess_class(record) if is_guess else None,
            against_gold=result.against_gold,
        )
        decided = (
            row.judgement if source.verdicts is None else row.imported_verdicts.get(source.verdicts)
        )
        if decided is not None:
            row = judged_row(row, record, result.answer, decided, rule)
        if not is_guess:
            rows.append(row)
            continue
        tally.leave_out("attempt", "without_documents", head.id)
        if not row.unanswerable:
            guesses.append(row)
    _check_known(source, compare, systems | guessing_systems)
    for verdicts in (by_people, None if deciding is by_people else deciding):
        if verdicts is not None:
            verdicts.leave_out_unused(tally)
    counted = deciding if by_people is None else by_people
    if counted is not None:
        counted.count(tally)
    tasks = dict.fromkeys(row.task for row in rows)
    by_gold = _by_gold(source, tasks, tally) if gold == "adjudicated" else {}
    by_gold |= {TASKS_CORRECTED: len(corrected.intersection(tasks))} if gold == "corrected" else {}
    if gold == "corrected" or dropped:
        by_gold[TASKS_DROPPED] = len(dropped)
    for task in sorted(dropped):
        tally.leave_out("task", GOLD_DROPPED, task)
    return Measured(
        name=source.campaign.name,
        rows=rows,
        guesses=guesses,
        systems=sorted(systems if compare is None else systems.intersection(compare)),
        facts=_facts(source, rows, statuses)
        | by_gold
        | _judgement_counts(deciding, rows)
        | tally.counts,
        left_out=tally.left_out,
        judges=_judges(source, imported, rows, drawn_sample),
        calibrated_by=judgements,
        own_answers=0 if by_people is None else by_people.own_answers,
        decided_by=source.verdicts,
        drawn_sample=drawn_sample,
    )


def _judges(
    source: Source,
    imported: Sequence[ImportedVerdicts],
    rows: Sequence[MeasuredAttempt],
    drawn_sample: StoredSample | None,
) -> list[Judge]:
    """Who judged the answers, the answer rule too if the sample was drawn by its verdicts."""
    judges = []
    for judge in imported:
        name = judge.stored.name
        on_rows = {
            row.attempt: row.imported_verdicts[name]
            for row in rows
            if name in row.imported_verdicts
        }
        n_other = len(judge.verdicts.other_answer)
        decides = name == source.verdicts
        judges.append(
            Judge(name, judge.stored.info, on_rows, judge.stored.verdicts, n_other, decides)
        )
    if drawn_sample is not None and not drawn_sample.design.verdicts:
        by_rule = {row.attempt: row.rule_verdict for row in rows if row.rule_verdict is not None}
        if by_rule:
            judges.append(answer_rule_judge(by_rule))
    return judges


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


def _facts(
    source: Source, rows: Sequence[MeasuredAttempt], statuses: Mapping[str, int]
) -> dict[str, int]:
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


def _judgement_counts(verdicts: Verdicts | None, rows: Sequence[MeasuredAttempt]) -> dict[str, int]:
    if verdicts is None:
        return {}
    n_judged = sum(row.correctness.judgement is not None for row in rows)
    return {
        lazy_gettext("Judges"): verdicts.judges,
        lazy_gettext("Attempts judged"): n_judged,
        lazy_gettext("Attempts not judged"): len(rows) - n_judged,
    }
