"""Settings of a paper's numbers, the same for all papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.statistics.task_bootstrap import REPLICATES, SEED
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.metrics.interval_notes import intervals_choice
from pagetrail.exports.reports.model import Value
from pagetrail.exports.reports.resampling import ResampledUnits, Resampling
from pagetrail.storage.importers.files.vectors import VectorFile


@dataclass(frozen=True)
class Settings:
    """Choices that a paper's numbers depend on.

    Attributes:
        rule: what decides whether an answer is right, see ``annotation.metrics.decide``.
        judgements: campaign of judges whose verdicts decide, or calibrate ``verdicts``.
        verdicts: imported set of verdicts that decides in the campaigns that have it.
        gold: which gold answers and pages are scored against, as of ``measured``.
        submission: which submission of each attempt counts.
        test_items: size of the test split that is chosen; None for the paper's share.
        vectors: of texts and pages, from elsewhere; None for TF-IDF.
        intervals: what is resampled for intervals of means over attempts.
        replicates, seed: of the bootstrap.
    """

    rule: Rule = "first"
    judgements: str | None = None
    verdicts: str | None = None
    gold: Gold = "task"
    submission: SubmissionVersion = "first"
    test_items: int | None = None
    vectors: VectorFile | None = None
    intervals: ResampledUnits = "tasks"
    replicates: int = REPLICATES
    seed: int = SEED

    def options(self, source: Source) -> Options:
        """Options of metrics reports; intervals are cached with those of this campaign."""
        return Options(
            rule=self.rule,
            idle_cap_s=DEFAULT_IDLE_CAP_S,
            resampling=Resampling.for_report(source, self.replicates, self.seed, self.intervals),
            submission=self.submission,
            prices=source.prices,
            vectors=None if self.vectors is None else self.vectors.vectors,
            gold=self.gold,
        )

    def choices(self) -> dict[str, Value | Sequence[Value]]:
        """Choices by label, for the manifest."""
        return {
            "Rule": self.rule,
            "Judgements": self.judgements,
            **({"Verdicts": self.verdicts} if self.verdicts is not None else {}),
            **({"Gold": self.gold} if self.gold != "task" else {}),
            "Submission": self.submission,
            "Idle cap, s": DEFAULT_IDLE_CAP_S,
            "Intervals": intervals_choice(self.intervals),
            "Replicates": self.replicates,
            "Seed": self.seed,
        }
