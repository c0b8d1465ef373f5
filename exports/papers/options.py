"""The options of a paper, the same for all papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator

from pagetrail.annotation.options import option
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.metrics.interval_notes import intervals_choice
from pagetrail.exports.reports.model import Value
from pagetrail.exports.reports.options import ScoredOptions, as_tuple
from pagetrail.exports.reports.resampling import Resampling


class PaperOptions(ScoredOptions):
    """The options of a paper; imported verdicts decide in the campaigns that have them."""

    test_items: int | None = option(
        None,
        "Size of the test split that item analysis chooses. Default: the paper's share.",
        metavar="N",
        min=1,
    )

    results: Annotated[tuple[Path, ...], BeforeValidator(as_tuple)] = option(
        (),
        "Of madqa: results to score as MADQA's evaluate.py does, as they are, in place of the "
        "campaigns' attempts; may be repeated.",
        metavar="FILE",
    )

    def options(self, source: Source) -> Options:
        """Options of metrics reports; intervals are cached with those of this campaign."""
        vectors = self.vector_file
        return Options(
            rule=self.rule,
            idle_cap_s=DEFAULT_IDLE_CAP_S,
            resampling=Resampling.for_report(source, self.replicates, self.seed, self.intervals),
            submission=source.submission,
            prices=source.prices,
            vectors=None if vectors is None else vectors.vectors,
            gold=self.gold,
        )

    def choices(self, source: Source) -> dict[str, Value | Sequence[Value]]:
        """Choices by label, for the manifest."""
        return {
            "Rule": self.rule,
            "Judgements": self.judgements,
            **({"Verdicts": self.verdicts} if self.verdicts is not None else {}),
            **({"Gold": self.gold} if self.gold != "task" else {}),
            "Submission": source.submission,
            "Idle cap, s": DEFAULT_IDLE_CAP_S,
            "Intervals": intervals_choice(self.intervals),
            "Replicates": self.replicates,
            "Seed": self.seed,
        }
