"""A judge's verdicts on the attempts of a report, next to people's judgements."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.messages import N_
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.metrics.judging.accuracy_by_verdict import (
    RULE_VERDICTS,
    JudgedVerdict,
    Outcome,
    RightShare,
    RuleVerdict,
    right_share,
)
from pagetrail.annotation.metrics.judging.calibration import (
    CalibrationRow,
    CalibrationSample,
    Stratum,
)
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.storage.campaigns.samples import SampleDesign, StoredSample
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo

ANLS_JUDGE = "ANLS* ≥ 0.5"
ANSWER_RULE = N_("Answer rule")
"""Name of the answer rule as a judge, where a sample was drawn by its verdicts."""

VERDICT = "verdict"
"""Name of the field with the judge's verdict, by which a sample may be stratified."""


def rule_verdict(row: Attempt) -> RuleVerdict | None:
    """What the answer rule says of an answer; None without an answer, or gold to compare."""
    if not row.answered:
        return None
    if row.is_undecided:
        return "undecided"
    return None if row.correct is None else "correct" if row.correct else "incorrect"


def verdict_in_stratum(design: SampleDesign, values: StratumValues) -> str | None:
    """The verdict on each answer of a stratum; None if the sample is not stratified by it."""
    return dict(zip(design.fields, values, strict=True)).get(VERDICT)


@dataclass(frozen=True)
class Judge:
    """A judge's verdicts.

    Attributes:
        name: of the set of verdicts, or of the rule.
        info: who judged; None for a rule.
        verdict_of: attempt → 1, 0.5 or 0.
        imported: number of verdicts in the set.
        other_answer: those of them on another answer than the submitted one.
        decides: whether results go by its verdicts.
        undecided: attempts that the answer rule leaves undecided; None of another judge.
        suffix: names the campaign in a report of several.
    """

    name: str
    info: JudgeInfo | None
    verdict_of: Mapping[str, float]
    imported: int = 0
    other_answer: int = 0
    decides: bool = False
    undecided: frozenset[str] | None = None
    suffix: str = ""

    @property
    def label(self) -> str:
        """Its name, with the campaign in a report of several; unique in a report."""
        return self.name + self.suffix

    @property
    def judged_by(self) -> str:
        """Who judged, with the campaign in a report of several; the label where that is unknown."""
        known_name = None if self.info is None else self.info.judge
        return (known_name or self.name) + self.suffix

    @property
    def configuration(self) -> tuple[object, ...]:
        """What repeated runs of a judge in a campaign have in common."""
        same = (self.name,) if self.info is None else self.info.configuration
        return (*same, self.suffix)

    def verdict(self, row: Attempt) -> float | None:
        """The verdict on an answer that reaches the judge."""
        return self.verdict_of.get(row.attempt) if reaches_judges(row) else None


def reaches_judges(row: Attempt) -> bool:
    """Whether judges decide on such an answer: no exact match does (MADQA, appendix F.1)."""
    return row.correctness.exact is not True


def anls_judge(rows: Iterable[Attempt]) -> Judge:
    """The rule that an answer is correct from ANLS* 0.5 on, as a judge."""
    scores = {row.attempt: row.correctness.anls for row in rows if row.answered}
    verdict_of = {
        attempt: float(anls >= ANLS_THRESHOLD)
        for attempt, anls in scores.items()
        if anls is not None
    }
    return Judge(ANLS_JUDGE, None, verdict_of, len(verdict_of))


def answer_rule_judge(verdicts: Mapping[str, RuleVerdict]) -> Judge:
    """The answer rule as a judge, by whose verdicts a sample was drawn."""
    verdict_of = {
        attempt: float(verdict == "correct")
        for attempt, verdict in verdicts.items()
        if verdict != "undecided"
    }
    return Judge(
        ANSWER_RULE,
        None,
        verdict_of,
        len(verdict_of),
        undecided=frozenset(verdicts.keys() - verdict_of.keys()),
    )


class ComparedAnswer(NamedTuple):
    """An answer on which there is a judge's verdict and a judgement of people.

    Attributes:
        weight: 1 / (annotators of the task) of a person's answer, 1 of a system's.
    """

    row: MeasuredAttempt
    verdict: float
    judgement: float
    weight: float


@dataclass(frozen=True)
class Calibration:
    """A judge with all attempts of a report and people's judgements on some of them.

    Attributes:
        rows: attempts at answerable tasks of the campaign.
        drawn_sample: the sample that was drawn for people to judge; None if they judged others.
        campaign: its name.
    """

    judge: Judge
    rows: Sequence[MeasuredAttempt]
    drawn_sample: StoredSample | None = None
    campaign: str = ""

    @cached_property
    def _decided_answers(self) -> list[tuple[MeasuredAttempt, float]]:
        """Answers that the judge decided, with their weights among all attempts."""
        weighted = zip(self.rows, weights([row.unit for row in self.rows]), strict=True)
        return [(row, weight) for row, weight in weighted if self.judge.verdict(row) is not None]

    @cached_property
    def compared(self) -> list[ComparedAnswer]:
        """The answers with both, of a drawn sample only those that are in it."""
        return [
            ComparedAnswer(row, self.judge.verdict_of[row.attempt], row.judgement, weight)
            for row, weight in self._decided_answers
            if row.judgement is not None and (self.drawn_sample is None or row.stratum is not None)
        ]

    def weights_of(self, answers: Sequence[ComparedAnswer]) -> list[float] | None:
        """The weight of each of some compared answers in the population; None if all are equal."""
        if self.sample.is_simple and len({answer.weight for answer in answers}) == 1:
            return None
        by_stratum = self.sample.expansion_weights()
        return [by_stratum[self._stratum_name(answer)] * answer.weight for answer in answers]

    @cached_property
    def sample(self) -> CalibrationSample:
        """The answers with both as a sample of those that the judge decided."""
        rows = [self._calibration_row(answer) for answer in self.compared]
        if self.drawn_sample is None:
            return CalibrationSample.simple(
                rows, math.fsum(weight for _, weight in self._decided_answers)
            )
        drawn_counts = self.drawn_sample.drawn_by_stratum
        # A draw counts answers. A stratum's weight is therefore estimated: Σ w N_h/m_h of its
        # judged answers (Horvitz & Thompson 1952), or like the others' where none is judged.
        by_stratum: dict[Hashable, list[float]] = {}
        for row in rows:
            by_stratum.setdefault(row.stratum, []).append(row.weight)
        all_weights = [row.weight for row in rows] or [1.0]
        strata: dict[Hashable, Stratum] = {}
        for values, size in self.drawn_sample.design.strata.items():
            # Of the rule, the sample of the answers that it decided: in strata that mix these with
            # undecided ones, their share is that among the judged.
            decided = self._decided_share(values)
            if not decided:
                continue
            mean_weight = decided * fmean(by_stratum.get(values, all_weights))
            strata[values] = Stratum(
                size * mean_weight, drawn_counts[values] * mean_weight, self._verdict_of(values)
            )
        return CalibrationSample(rows, strata)

    def _decided_share(self, values: StratumValues) -> float:
        """The share of a stratum's answers that the judge decides: all, unless it is the rule."""
        judged = self.judged_by_stratum.get(values)
        if self.judge.undecided is None:
            return 1.0
        if not judged:
            return float(self._stratum_verdict(values) != "undecided")
        return sum(row.attempt not in self.judge.undecided for row, _ in judged) / len(judged)

    @cached_property
    def judged_by_stratum(self) -> dict[StratumValues, list[tuple[MeasuredAttempt, float]]]:
        """Stratum of the drawn sample → its judged answers with their weights among all attempts.

        Those on which the rule has a verdict, undecided included; empty for another judge.
        """
        by_stratum: dict[StratumValues, list[tuple[MeasuredAttempt, float]]] = {}
        if self.judge.undecided is None:
            return by_stratum
        known_attempts = self.judge.verdict_of.keys() | self.judge.undecided
        for row, weight in zip(self.rows, weights([row.unit for row in self.rows]), strict=True):
            if row.stratum is not None and row.attempt in known_attempts and reaches_judges(row):
                by_stratum.setdefault(row.stratum, []).append((row, weight))
        return by_stratum

    @cached_property
    def right_shares(self) -> dict[RuleVerdict, RightShare]:
        """Verdict of the rule → what people say of the answers with it."""
        answers: dict[RuleVerdict, list[JudgedVerdict]] = {name: [] for name in RULE_VERDICTS}
        for values, judged in self.judged_by_stratum.items():
            assert self.drawn_sample is not None
            size = self.drawn_sample.design.strata[values]
            for row, weight in judged:
                verdict = self._verdict(row)
                assert verdict is not None and row.judgement is not None
                answers[verdict].append(
                    JudgedVerdict(
                        verdict,
                        row.judgement >= JUDGED_CORRECT_FROM,
                        weight * size / len(judged),
                        1 - len(judged) / size,
                    )
                )
        return {verdict: right_share(judged) for verdict, judged in answers.items()}

    def outcome(self, row: Attempt) -> Outcome | None:
        """What the rule says of an answer, or why it need not; None without gold to compare."""
        if not reaches_judges(row):
            return "exact"
        return self._verdict(row) if row.answered else "unanswered"

    def _verdict(self, row: Attempt) -> RuleVerdict | None:
        if row.attempt in (self.judge.undecided or ()):
            return "undecided"
        verdict = self.judge.verdict_of.get(row.attempt)
        return None if verdict is None else "correct" if verdict else "incorrect"

    def sample_of(self, answers: Sequence[ComparedAnswer]) -> CalibrationSample:
        """The sample's part on some answers, which keep their inclusion probabilities."""
        if len(answers) == len(self.compared):
            return self.sample
        rows = [self._calibration_row(answer) for answer in answers]
        judged_weights, weights_of_part = map(_weight_by_stratum, (self.sample.rows, rows))
        strata: dict[Hashable, Stratum] = {}
        for name, weight in weights_of_part.items():
            stratum = self.sample.strata[name]
            share = weight / judged_weights[name]
            strata[name] = Stratum(stratum.size * share, stratum.drawn * share, stratum.verdict)
        return CalibrationSample(rows, strata)

    def _calibration_row(self, answer: ComparedAnswer) -> CalibrationRow:
        return CalibrationRow(
            self._stratum_name(answer),
            answer.verdict >= JUDGED_CORRECT_FROM,
            answer.judgement >= JUDGED_CORRECT_FROM,
            participant_key(answer.row),
            answer.weight,
        )

    def _stratum_name(self, answer: ComparedAnswer) -> Hashable:
        return "" if self.drawn_sample is None else answer.row.stratum

    def _verdict_of(self, values: StratumValues) -> bool | None:
        """The judge's verdict in a stratum, if the sample was stratified by its verdicts."""
        verdict = self._stratum_verdict(values)
        return None if verdict in (None, "undecided") else verdict == "correct"

    def _stratum_verdict(self, values: StratumValues) -> str | None:
        if self.drawn_sample is None:
            return None
        if (self.drawn_sample.design.verdicts or ANSWER_RULE) != self.judge.name:
            return None
        return verdict_in_stratum(self.drawn_sample.design, values)


def _weight_by_stratum(rows: Sequence[CalibrationRow]) -> dict[Hashable, float]:
    by_stratum: dict[Hashable, list[float]] = {}
    for row in rows:
        by_stratum.setdefault(row.stratum, []).append(row.weight)
    return {name: math.fsum(row_weights) for name, row_weights in by_stratum.items()}


def participant_key(row: Attempt) -> str:
    """Who answered, distinct for people and systems of the same name."""
    return f"human:{row.system}" if row.person else row.system
