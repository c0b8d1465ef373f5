"""What the options of reports have in common: each report has one model of its options.

Commands, the results screen, its jobs and notebooks read these models; a field's sentence is the
help of its command line option.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.options import option
from pagetrail.annotation.statistics.task_bootstrap import REPLICATES, SEED
from pagetrail.exports.gold.gold_checks import Gold
from pagetrail.exports.reports.resampling import RESAMPLED_UNITS, ResampledUnits
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors

RULES: tuple[Rule, ...] = get_args(Rule)
GOLDS: tuple[Gold, ...] = get_args(Gold)


class ReportOptions(BaseModel):
    """The options of a report, checked when they are made."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def check_rule(rule: str) -> str:
    """The rule.

    Raises:
        PagetrailError: there is no such rule (code ``invalid_rule``).
    """
    return _one_of(RULES, rule, "rule", "invalid_rule")


def check_gold(gold: str) -> str:
    """The choice of gold.

    Raises:
        PagetrailError: there is no such gold (code ``invalid_gold``).
    """
    return _one_of(GOLDS, gold, "gold", "invalid_gold")


def _check_intervals(units: str) -> str:
    if units not in RESAMPLED_UNITS:
        raise PagetrailError(
            f"There are no intervals over {units!r}. Choose from {', '.join(RESAMPLED_UNITS)}.",
            code="invalid_intervals",
        )
    return units


def _one_of(known: Sequence[str], name: str, kind: str, code: str) -> str:
    if name not in known:
        raise PagetrailError(
            f"There is no {kind} {name!r}. Choose from {', '.join(known)}.", code=code
        )
    return name


def as_tuple(value: Any) -> Any:
    """A list as a tuple, so that options can be compared; anything else as it is."""
    return tuple(value) if isinstance(value, list) else value


Names = Annotated[tuple[str, ...], BeforeValidator(as_tuple)]
Fields = Annotated[str | tuple[str, ...] | None, BeforeValidator(as_tuple)]
"""One field of a breakdown or two, as of ``exports.reports.breakdown``."""


class ResampledOptions(ReportOptions):
    """Options of a report with intervals by resampling."""

    replicates: int = option(
        REPLICATES, "Resampled tables behind each interval.", metavar="N", min=2
    )
    seed: int = option(SEED, "Seed of the resampling.", metavar="N", min=0)


class JudgedOptions(ResampledOptions):
    """Options of a report on right and wrong answers."""

    rule: Annotated[Rule, BeforeValidator(check_rule)] = option(
        "first", f"What decides whether an answer is right: {', '.join(RULES)}.", metavar="RULE"
    )
    judgements: str | None = option(
        None,
        "A judging campaign in this workspace whose verdicts decide which answers are right. "
        "With --verdicts, those decide, and people's judgements calibrate them.",
        metavar="CAMPAIGN",
    )
    verdicts: str | None = option(
        None,
        "Imported verdicts (import-verdicts) that decide which answers are right. One set.",
        metavar="NAME",
    )


class ScoredOptions(JudgedOptions):
    """Options of a report with scores against gold."""

    gold: Annotated[Gold, BeforeValidator(check_gold)] = option(
        "task",
        f"Which gold to use: {', '.join(GOLDS)}. task is what the tasks came with; "
        "adjudicated is the last version decided in review; tasks without it are left out of "
        "results that need gold. corrected is the gold after checks of suspect gold, without "
        "dropped tasks.",
        metavar="GOLD",
    )
    vectors: Path | None = option(
        None,
        "Vectors of texts and pages that a model made elsewhere, for the drift of queries and "
        "semantic distances, instead of TF-IDF, and for near duplicates of questions.",
        metavar="FILE.parquet",
    )
    intervals: Annotated[ResampledUnits, BeforeValidator(_check_intervals)] = option(
        "tasks",
        f"What is resampled for intervals: {', '.join(RESAMPLED_UNITS)}. With annotators "
        "intervals also tell how other annotators would do; this takes five annotators.",
        metavar="UNITS",
    )

    @property
    def vector_file(self) -> VectorFile | None:
        """The file of vectors, read once while it does not change.

        Raises:
            PagetrailError: it cannot be read.
        """
        if self.vectors is None:
            return None
        state = self.vectors.stat() if self.vectors.is_file() else None
        return _read_vectors(self.vectors, state and (state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=1)
def _read_vectors(path: Path, version: tuple[int, int] | None) -> VectorFile:
    return read_vectors(path)
