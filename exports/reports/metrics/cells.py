"""Cells of a metrics report: means over tasks with intervals, and reasons for missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.costs.attempt_cost import AttemptCost
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.metrics.result import Result, weighted_mean_result
from pagetrail.annotation.statistics.attempt_weights import AttemptScores, ScoredAttempt
from pagetrail.annotation.statistics.text_vectors import TextVectors
from pagetrail.exports.gold.gold_checks import GoldChoice
from pagetrail.exports.reports.cells import mean_cell, range_cell, value_cell
from pagetrail.exports.reports.model import Cell, Column
from pagetrail.exports.reports.resampling import Resampling


@dataclass(frozen=True)
class Options:
    """Settings of a metrics report.

    Attributes:
        submission: which submission of an attempt counts.
        prices: prices of models, and rates of currencies.
        vectors: of texts and pages, from elsewhere; None for TF-IDF.
        gold: that counts.
    """

    rule: Rule
    idle_cap_s: int
    resampling: Resampling
    submission: SubmissionVersion = "first"
    prices: PriceTable | None = None
    vectors: TextVectors | None = None
    gold: GoldChoice = "task"
    _costs: dict[str, AttemptCost] = field(default_factory=dict, compare=False, repr=False)

    def cost(self, row: Row) -> AttemptCost:
        """The cost of an attempt, computed once for all tables."""
        cost = self._costs.get(row.attempt)
        if cost is None:
            cost = self._costs[row.attempt] = row.cost(self.prices, self.idle_cap_s)
        return cost


PARTICIPANT = Column("side", "Participant", "text", "People together, one annotator, or a system.")
ATTEMPTS = Column("attempts", "n", "count", "Submitted attempts.")
TASKS = Column("tasks", "Tasks", "count", "Tasks with a submitted attempt.")
UNTIMED = Column("untimed", "Without times", "count", "Attempts of imported runs without times.")


def counted_cell(
    measure: Result, value: float | None, excluded: Mapping[str, int] | None = None
) -> Cell:
    """A measure's value with the number of attempts behind it.

    Args:
        excluded: reason → number of excluded attempts.
    """
    if value is None:
        return Cell(reason=measure.reason or "no_rows")
    left = {reason: n for reason, n in (excluded or {}).items() if n}
    return Cell(value, n=measure.counts["n"], excluded=left or None)


def result_cell(measure: Result) -> Cell:
    """A measure's value, or the reason why it is undefined."""
    cell = value_cell(measure.value, measure.reason)
    if measure.value is None or not measure.undecided:
        return cell
    return range_cell(cell, cell, Cell(measure.upper), measure.undecided)


def share_cell(measure: Result, attempts: Sequence[ScoredAttempt], options: Options) -> Cell:
    """A weighted mean over attempts with its interval; a range if some are undecided.

    Args:
        attempts: its attempts; those without a score only share the weight of their task.
    """
    n = sum(attempt.score is not None for attempt in attempts)
    cell = mean_cell(measure.value, options.resampling.attempts(attempts), measure.reason, n)
    if measure.value is None or not measure.undecided:
        return cell
    best = AttemptScores.from_attempts(attempts).with_undecided_right()
    upper = mean_cell(measure.upper, options.resampling.attempts(best), None, n)
    return range_cell(cell, cell, upper, measure.undecided)


def task_mean_cell(measure: Result, scored: Sequence[tuple[str, float]], options: Options) -> Cell:
    """Mean over tasks of values not made by annotators, with its interval over tasks."""
    interval = options.resampling.mean(scored)
    return mean_cell(measure.value, interval, measure.reason, len(scored))


@dataclass(frozen=True)
class AttemptMeasure:
    """A measure of single attempts, and the column of its mean.

    Attributes:
        score: of an attempt; None if it is undefined.
        reason: why it is undefined; None if undecided.
        scored: the attempt with a score.
    """

    column: Column
    score: Callable[[Row], float | None]
    reason: Callable[[Row], str | None]
    scored: Callable[[Row, float], ScoredAttempt] = Row.scored

    def cell(self, rows: Sequence[Row], options: Options) -> Cell:
        """The mean with its interval; attempts of people at one task share a weight of 1."""
        scores = [self.score(row) for row in rows]
        scored = AttemptScores(
            self.scored(row, float(score))
            for row, score in zip(rows, scores, strict=True)
            if score is not None
        )
        if not scored:
            return Cell(reason=common_reason(map(self.reason, rows)) if rows else "no_rows")
        left_out = Counter(
            self.reason(row) or "undecided"
            for row, score in zip(rows, scores, strict=True)
            if score is None
        )
        mean = share_cell(weighted_mean_result(scored, "no_rows"), scored, options)
        return replace(mean, excluded=dict(sorted(left_out.items())) or None)


_MADQA = "MADQA (Borchmann et al. 2026, arXiv 2603.12180)"

ACCURACY = AttemptMeasure(
    Column("accuracy", "Accuracy", "share", "Share of correct answers, averaged over tasks."),
    lambda row: row.correct,
    lambda row: row.correctness.reason,
    lambda row, _: row.scored_answer(),
)
ANLS = AttemptMeasure(
    Column("anls", "ANLS*", "score", "Mean ANLS* against the best variant (Peer et al. 2024)."),
    lambda row: row.correctness.anls,
    lambda row: row.correctness.reason or "no_gold_answer",
)
PAGE_F1 = AttemptMeasure(
    Column(
        "page_f1",
        "Page F1",
        "score",
        lazy_gettext("F1 of cited and gold pages, mean over tasks; {source}", source=_MADQA),
    ),
    lambda row: row.page_f1.value,
    lambda row: row.page_f1.reason,
)
DOC_F1 = AttemptMeasure(
    Column(
        "doc_f1",
        "Doc F1",
        "score",
        lazy_gettext("F1 of their documents, mean over tasks; {source}", source=_MADQA),
    ),
    lambda row: row.doc_f1.value,
    lambda row: row.doc_f1.reason,
)
MEASURES = (ACCURACY, ANLS, PAGE_F1, DOC_F1)
"""Answers and evidence, in the order of the tables."""


UNDECIDED_ANSWERS = "undecided_answers"
"""Why what follows from right and wrong answers is undefined: nothing decided some of them."""


def open_answers(rows: Iterable[Row]) -> int:
    """How many answers nothing decided."""
    return sum(row.is_undecided for row in rows)


def undecided_reason(rows: Sequence[Row]) -> str:
    """Why no row counts: there are none, or no rule could decide them."""
    return common_reason(row.correctness.reason for row in rows) if rows else "no_rows"


def common_reason(reasons: Iterable[str | None]) -> str:
    """The reason that all rows share, or one saying that they differ."""
    distinct = {reason for reason in reasons if reason}
    return distinct.pop() if len(distinct) == 1 else "undefined_for_every_row"
