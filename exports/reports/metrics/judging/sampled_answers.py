"""Answers that people judge in a drawn sample: the judge's errors, and what to judge next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.metrics.judging.accuracy_by_verdict import (
    RULE_VERDICTS,
    JudgedVerdict,
    RuleVerdict,
    right_share,
)
from pagetrail.annotation.metrics.judging.calibration import (
    CalibrationRow,
    CalibrationSample,
    CorrectedAccuracy,
    NextJudgements,
    Stratum,
    corrected_accuracy,
    plan_judgements,
)
from pagetrail.annotation.statistics.allocation import allocate
from pagetrail.annotation.tasks.blind_judging import names_of_answers, question_of
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.exports.gold.gold_checks import GoldChoice, dropped_tasks
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.input_rows import verdict_on
from pagetrail.exports.reports.metrics.judging.judge import rule_verdict, verdict_in_stratum
from pagetrail.exports.reports.metrics.judging.judge_verdicts import (
    read_outside_verdicts,
    read_verdicts,
)
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table
from pagetrail.exports.reports.per_task.reading import measured_attempts
from pagetrail.storage.campaigns.samples import StoredSample
from pagetrail.storage.people.system_roles import SYSTEM

MORE = (50, 100, 200, 400)
"""Numbers of further judgements for which the expected width is given."""
PLANNED = 100
"""Further judgements that the table of strata divides."""


@dataclass(frozen=True)
class Answer:
    """An answer on which a judge decides.

    Attributes:
        verdict: of the judge; None if it says nothing on the answer. Only the answer rule leaves
            answers undecided.
    """

    attempt: Attempt
    verdict: RuleVerdict | None

    @property
    def key(self) -> tuple[str, str]:
        """(task, who answered)."""
        return self.attempt.task, self.attempt.system


@dataclass(frozen=True)
class JudgedSample:
    """A calibration sample with the answers that it was drawn from.

    Attributes:
        stored: as it was drawn.
        answers: all answers with a verdict of the judge.
        judged: what people say of the drawn ones.
        missing: number of drawn answers that the campaign no longer has, has changed, or whose
            task was dropped.
    """

    stored: StoredSample
    calibration: CalibrationSample
    answers: Sequence[Answer]
    judged: Sequence[JudgedVerdict]
    missing: int

    def share(self, system: str | None = None) -> tuple[float, int]:
        """Share that the judge calls right, and of how many answers."""
        verdicts = [a.verdict for a in self.answers if system in (None, a.attempt.system)]
        return verdicts.count("correct") / max(1, len(verdicts)), len(verdicts)

    def accuracy(self, system: str | None = None) -> CorrectedAccuracy:
        """Corrected accuracy of a system, or of all."""
        share, n = self.share(system)
        return corrected_accuracy(
            self.calibration, share, n, systems=None if system is None else {system}
        )

    def plan(self, more: int) -> NextJudgements:
        """What to judge next, for the accuracy of all answers together."""
        return plan_judgements(self.calibration, *self.share(), more)

    def next_draw(self, n: int) -> dict[StratumValues, int]:
        """How many of the next ``n`` answers to draw from each stratum (Neyman's allocation).

        Answers that are drawn and not judged yet count as judged.
        """
        strata = self.plan(0).strata
        added = allocate(
            [entry.stratum.size * entry.spread for entry in strata],
            [entry.stratum.size for entry in strata],
            [entry.stratum.drawn for entry in strata],
            n,
        )
        return {_values(entry.name): extra for entry, extra in zip(strata, added, strict=True)}


def judged_answers(source: Source, verdicts: str) -> tuple[list[Answer], Counter[str]]:
    """The submitted answers that a judge decides on, and how many are left out for which reason.

    Answers that equal an accepted one exactly need no judge (MADQA, appendix F.1), nor do tasks
    that cannot be answered. The rule says nothing without an answer.

    Args:
        verdicts: imported set of the judge's verdicts; empty for the answer rule as the judge.

    Raises:
        NotFoundError: there is no such set.
    """
    by_judge = read_outside_verdicts(source, verdicts) if verdicts else None
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    answers, left_out = [], Counter[str]()
    for head, result in measured_attempts(
        replace(source, progress=None), "first", "task", lambda head: head.record
    ):
        row = result.row
        is_withdrawn = head.role == SYSTEM and head.user in withdrawn
        if result.status != "submitted" or row is None or is_withdrawn or row.without_documents:
            continue
        verdict: RuleVerdict | None
        if by_judge is None:
            verdict = rule_verdict(row)
        elif (given := verdict_on(head, result.answer, by_judge)) is None:
            verdict = None
        else:
            verdict = "correct" if given.judgement >= JUDGED_CORRECT_FROM else "incorrect"
        if row.unanswerable:
            left_out["unanswerable"] += 1
        elif row.correctness.exact:
            left_out["exact_match"] += 1
        elif by_judge is None and not row.answered:
            left_out["no_answer"] += 1
        elif row.person and by_judge is not None and verdict is None:
            left_out["of_a_person"] += 1
        else:
            answers.append(Answer(replace(row, system=source.name(head.user)), verdict))
    return answers, left_out


def judged_sample(
    source: Source, judgements: str, verdicts: str | None = None, gold: GoldChoice = "task"
) -> JudgedSample | None:
    """The sample in which a judging campaign was drawn, with people's judgements so far.

    Args:
        judgements: the judging campaign.
        verdicts: set of the judge's verdicts; None for the one that the sample was drawn with.
        gold: which gold counts; answers at tasks that it drops are missing.

    Returns:
        None if the campaign was not drawn from this one.

    Raises:
        NotFoundError: there is no such campaign, or no such set.
        PagetrailError: the campaign gives no verdicts (code ``no_verdicts``).
    """
    judging = source.database.campaign(judgements)
    stored = source.database.sample(judging.id)
    if stored is None or stored.design.kind != "predictions":
        return None
    design = stored.design
    if design.source != source.campaign.name:
        return None
    is_same_judge = verdicts in (None, design.verdicts)
    answers, _ = judged_answers(source, design.verdicts if verdicts is None else verdicts)
    dropped = dropped_tasks(source, gold)
    by_key = {
        answer.key: answer
        for answer in answers
        if answer.verdict is not None and answer.attempt.task not in dropped
    }
    judged = read_verdicts(source, judgements, WrittenFiles())
    names = {
        row.key: str((row.record.get("prediction") or {}).get("system"))
        for row in source.database.tasks(judging.id)
        if row.key in stored.tasks
    }
    author_by_name = {
        name: source.name(user)
        for user, pseudonym in source.pseudonyms.items()
        for name in names_of_answers(user, pseudonym)
    }
    rows: list[CalibrationRow] = []
    verdicts_of_rows: list[RuleVerdict] = []
    missing = 0
    for key, values in stored.tasks.items():
        task, name = question_of(key), names.get(key, "")
        answer = by_key.get((task, author_by_name.get(name, name)))
        if answer is None:
            missing += 1
            continue
        judgement = judged.judgement(task, name)
        if judgement is not None and answer.verdict is not None:
            is_right = judgement >= JUDGED_CORRECT_FROM
            called_right = answer.verdict == "correct"
            rows.append(CalibrationRow(values, called_right, is_right, answer.attempt.system))
            verdicts_of_rows.append(answer.verdict)
    strata: dict[Hashable, Stratum] = {
        values: Stratum(
            size, stored.drawn_by_stratum[values], _called_right(stored, values, is_same_judge)
        )
        for values, size in design.strata.items()
    }
    counts = Counter(row.stratum for row in rows)
    judged_verdicts = [
        JudgedVerdict(
            verdict,
            row.judgement,
            strata[row.stratum].size / counts[row.stratum],
            1 - counts[row.stratum] / strata[row.stratum].size,
        )
        for row, verdict in zip(rows, verdicts_of_rows, strict=True)
    ]
    return JudgedSample(
        stored, CalibrationSample(rows, strata), list(by_key.values()), judged_verdicts, missing
    )


def sample_section(sample: JudgedSample) -> Section:
    """The section on a drawn sample: its strata, and expected widths of the corrected accuracy."""
    design = sample.stored.design
    judge = design.verdicts or lazy_gettext("the answer rule")
    note = lazy_gettext(
        "{drawn:,} answers drawn from {size:,} in {strata:,} strata (by {fields}), seed {seed}; "
        "verdicts: {judge}. Answers that equal an accepted one are not part of it. The corrected "
        "accuracy is in the section on judges.",
        drawn=len(sample.stored.tasks),
        size=sum(design.strata.values()),
        strata=len(design.strata),
        fields=", ".join(design.fields) or lazy_gettext("nothing"),
        seed=design.seed,
        judge=judge,
    )
    return Section(
        "Judged sample",
        [_by_verdict(sample), _strata(sample), _widths(sample)],
        notes=[note, *_missing_note(sample)],
    )


def _missing_note(sample: JudgedSample) -> list[str]:
    if not sample.missing:
        return []
    return [
        lazy_gettext(
            "{missing:,} drawn answers are left out: they have no verdict, were changed or "
            "withdrawn since, or their task was dropped for its gold.",
            missing=sample.missing,
        )
    ]


_VERDICT_WORDS: dict[RuleVerdict, str] = {
    "correct": lazy_gettext("correct"),
    "incorrect": lazy_gettext("incorrect"),
    "undecided": lazy_gettext("undecided"),
}


def _by_verdict(sample: JudgedSample) -> Table:
    counts = Counter(answer.verdict for answer in sample.answers)
    rows: list[RowValues] = []
    for verdict in RULE_VERDICTS:
        if not counts[verdict]:
            continue
        right = right_share([judged for judged in sample.judged if judged.verdict == verdict])
        low, high = right.interval or (None, None)
        rows.append(
            {
                "verdict": _VERDICT_WORDS[verdict],
                "answers": counts[verdict],
                "judged": right.counts["whole"],
                "right": Cell(right.value, reason=right.reason, low=low, high=high),
            }
        )
    return Table.from_rows(
        key="sample-verdicts",
        title="What people say of each verdict",
        question="How often is the judge wrong?",
        columns=(
            Column("verdict", "Verdict", "text", "Of the judge, or of the answer rule."),
            Column("answers", "Answers", "count", "Answers with this verdict."),
            Column("judged", "Judged", "count", "Those that people judged."),
            Column(
                "right",
                "Right",
                "share",
                "Share that people find right, weighted by inverse inclusion probabilities.",
            ),
        ),
        rows=rows,
    )


def _strata(sample: JudgedSample) -> Table:
    plan = sample.plan(PLANNED)
    fields = sample.stored.design.fields
    return Table.from_rows(
        key="sample-strata",
        title="Strata of the sample",
        question="What should people judge next?",
        columns=(
            *(Column(f"field_{index}", name, "text") for index, name in enumerate(fields)),
            Column("size", "Answers", "count"),
            Column("drawn", "Drawn", "count"),
            Column("judged", "Judged", "count"),
            Column(
                "inclusion",
                "Inclusion probability",
                "score",
                "Drawn answers of all in the stratum.",
            ),
            Column("weight", "Weight", "number", "Answers that each judged one stands for."),
            Column(
                "more",
                lazy_gettext("Of {n} more", n=plan.more),
                "count",
                "Neyman's allocation: the strata in which judging reduces the variance of the "
                "accuracy of all answers most.",
            ),
        ),
        rows=[
            {f"field_{index}": value for index, value in enumerate(_values(entry.name))}
            | {
                "size": int(entry.stratum.size),
                "drawn": int(entry.stratum.drawn),
                "judged": int(entry.judged),
                "inclusion": entry.stratum.inclusion_probability,
                "weight": entry.stratum.size / entry.judged if entry.judged else None,
                "more": entry.more,
            }
            for entry in plan.strata
        ],
    )


def _widths(sample: JudgedSample) -> Table:
    left = sum(stratum.size for stratum in sample.calibration.strata.values())
    left -= len(sample.calibration.rows)
    accuracy = sample.accuracy()
    rows: list[dict[str, object]] = [
        {
            "more": 0,
            "neyman": Cell(accuracy.width, accuracy.reason),
            "proportional": Cell(accuracy.width, accuracy.reason),
        }
    ]
    for more in sorted({min(more, int(left)) for more in MORE} - {0}):
        plan = sample.plan(more)
        rows.append(
            {
                "more": more,
                "neyman": Cell(plan.width, accuracy.reason),
                "proportional": Cell(plan.proportional_width, accuracy.reason),
            }
        )
    return Table.from_rows(
        key="sample-width",
        title="Width after more judgements",
        question="How wide will the interval be?",
        columns=(
            Column("more", "More judgements", "count"),
            Column(
                "neyman", "Best strata", "share", "Expected width if strata are chosen as above."
            ),
            Column(
                "proportional", "In proportion", "share", "Expected width if they follow sizes."
            ),
        ),
        rows=rows,
        notes=[
            "Accuracy of all answers together; assumes that the judge's rates stay as they are."
        ],
    )


def _values(name: object) -> tuple[str, ...]:
    return name if isinstance(name, tuple) else (str(name),)


def _called_right(
    stored: StoredSample, values: tuple[str, ...], is_same_judge: bool
) -> bool | None:
    verdict = verdict_in_stratum(stored.design, values) if is_same_judge else None
    return None if verdict in (None, "undecided") else verdict == "correct"
