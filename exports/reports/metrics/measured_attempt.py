"""A submitted attempt as reports measure it: its own row, and what its campaign adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pagetrail.annotation.comparison.transcription_pairs import TranscriptionScores
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.judging.accuracy_by_verdict import RuleVerdict
from pagetrail.annotation.metrics.without_documents import GuessClass
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Verdict


@dataclass(frozen=True, kw_only=True)
class MeasuredAttempt(Row):
    """A submitted attempt with what its campaign adds to its own events.

    Attributes:
        campaign: name of the campaign.
        question: what its task asks.
        batch: code name of the batch.
        condition: of the study, that it was made under; None without one.
        user: name of the person's account; None of a system.
        submitted_at: ISO-8601 UTC.
        verdict: people's verdict on the answer in the judging campaign.
        stratum: values of the stratum of the drawn sample that the judged answer is in.
        rule_verdict: what the answer rule says of the answer.
        imported_verdicts: set of verdicts → its verdict on the answer: 1, 0.5 or 0.
        guess_class: class of the question, of a model that was given the question alone.
        against_gold: its text, tables and charts against gold, where they are asked for.
    """

    campaign: str = ""
    question: str = ""
    batch: str = ""
    condition: str | None = None
    user: str | None = None
    submitted_at: str | None = None
    verdict: Verdict | None = None
    stratum: StratumValues | None = None
    rule_verdict: RuleVerdict | None = None
    imported_verdicts: Mapping[str, float] = field(default_factory=dict)
    guess_class: GuessClass | None = None
    against_gold: TranscriptionScores | None = None

    @classmethod
    def from_row(cls, row: Row, **context: Any) -> MeasuredAttempt:
        """The attempt of a row; ``context``: what its campaign adds or states instead."""
        return cls(**{part.name: getattr(row, part.name) for part in fields(Row)} | context)

    @property
    def judgement(self) -> float | None:
        """People's judgement of the answer: 1, 0.5 or 0; None without one."""
        return None if self.verdict is None else self.verdict.judgement
