"""How graded relevance falls with a model's scores of pages, and what its pre-filter missed."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.prefilter import (
    PrefilterRecall,
    ScoreBin,
    prefilter_recall,
    relevance_by_score,
)
from pagetrail.exports.gold.graded_pages import prefilter_pages
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.breakdown import number_text
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.charts.estimates import ranked_chart
from pagetrail.exports.reports.model import Cell, Chart, Column, Section, Table

_FROM_CUT, _SAMPLED = lazy_gettext("from the cut on"), lazy_gettext("below, drawn at random")


def prefilter(source: Source) -> list[Section]:
    """The section; none for a campaign without scores of pages."""
    pages = prefilter_pages(source, WrittenFiles())
    if not pages:
        return []
    bins = relevance_by_score(pages)
    parts: list[Table | Chart] = [_recall_table(prefilter_recall(pages))]
    if bins:
        parts.append(_bins_table(bins))
        points = [
            (_range(score_bin), score_bin.relevant, *score_bin.interval, score_bin.graded)
            for score_bin in bins
            if score_bin.relevant is not None and score_bin.interval is not None
        ]
        parts.append(
            ranked_chart(
                points,
                key="chart-relevance-by-score",
                title=lazy_gettext("How does relevance fall with the score?"),
                axis=lazy_gettext("Relevant pages"),
            )
        )
    settings = source.campaign.protocol.prefilter
    notes = [
        lazy_gettext(
            "Grades are those that exports write; a page that is still open counts with the upper "
            "median of its annotators’ grades. Nobody who graded saw the scores."
        )
    ]
    if settings.model:
        notes.insert(0, lazy_gettext("Pages were scored by {model}.", model=settings.model))
    return [Section(title=lazy_gettext("Pre-filter"), parts=parts, notes=notes)]


def _recall_table(recall: PrefilterRecall) -> Table:
    reason = "no_sampled_pages" if recall.n_below and not recall.sampled else "no_relevant_pages"
    low, high = recall.interval or (None, None)
    missed_low, missed_high = recall.missed_interval or (None, None)
    recall_cell = (
        Cell(reason="no_rows" if not recall.tasks else reason)
        if recall.recall is None
        else Cell(recall.recall, low=low, high=high, n=recall.sampled)
    )
    missed_cell = (
        Cell(reason="no_sampled_pages")
        if recall.missed is None
        else Cell(recall.missed, low=missed_low, high=missed_high, n=recall.sampled)
    )
    return Table.from_rows(
        key="prefilter-recall",
        title=lazy_gettext("Recall of the pre-filter"),
        question=lazy_gettext("How many relevant pages did it let through?"),
        columns=(
            Column(
                "tasks",
                lazy_gettext("Tasks"),
                "count",
                lazy_gettext("Tasks of which every given page is graded; others do not count."),
            ),
            Column(
                "above",
                lazy_gettext("Pages from the cut on"),
                "count",
                lazy_gettext("Their pages with scores from the cut on, all graded."),
            ),
            Column(
                "relevant_above",
                lazy_gettext("Relevant of these"),
                "count",
                lazy_gettext("Pages with a grade of 1 or more."),
            ),
            Column(
                "precision",
                lazy_gettext("Precision"),
                "share",
                lazy_gettext("Share of the pages from the cut on that are relevant."),
            ),
            Column(
                "below",
                lazy_gettext("Pages below"),
                "count",
                lazy_gettext("Their pages with scores below the cut."),
            ),
            Column(
                "sampled",
                lazy_gettext("Drawn"),
                "count",
                lazy_gettext("Pages below the cut that were drawn at random and graded."),
            ),
            Column(
                "relevant_sampled",
                lazy_gettext("Relevant of the drawn"),
                "count",
                lazy_gettext("Pages of the sample with a grade of 1 or more."),
            ),
            Column(
                "missed",
                lazy_gettext("Missed"),
                "number",
                lazy_gettext(
                    "Estimated relevant pages below the cut, weighted by inverse probabilities "
                    "(Horvitz & Thompson 1952)."
                ),
            ),
            Column(
                "recall",
                lazy_gettext("Recall"),
                "share",
                lazy_gettext(
                    "Share of the relevant pages from the cut on. Its interval is that of the "
                    "missed pages, transformed; it is about these tasks’ scored pages."
                ),
            ),
        ),
        rows=[
            {
                "tasks": recall.tasks,
                "above": recall.n_above,
                "relevant_above": recall.relevant_above,
                "precision": value_cell(recall.precision, "no_rows"),
                "below": recall.n_below,
                "sampled": recall.sampled,
                "relevant_sampled": recall.relevant_sampled,
                "missed": missed_cell,
                "recall": recall_cell,
            }
        ],
    )


def _bins_table(bins: Sequence[ScoreBin]) -> Table:
    return Table.from_rows(
        key="relevance-by-score",
        title=lazy_gettext("Relevance by score"),
        question=lazy_gettext("How does relevance fall with the score?"),
        columns=(
            Column("scores", lazy_gettext("Scores"), "text"),
            Column("side", lazy_gettext("Pages"), "text"),
            Column(
                "scored",
                lazy_gettext("Scored"),
                "count",
                lazy_gettext("Pages with such scores, graded or not."),
            ),
            Column("graded", lazy_gettext("Graded"), "count", lazy_gettext("Graded pages.")),
            Column(
                "relevant",
                lazy_gettext("Relevant"),
                "share",
                lazy_gettext(
                    "Share of the graded pages with a grade of 1 or more, with Wilson’s interval."
                ),
            ),
            Column(
                "mean_grade",
                lazy_gettext("Mean grade"),
                "number",
                lazy_gettext("Of the graded pages."),
            ),
        ),
        rows=[
            {
                "scores": _range(score_bin),
                "side": _FROM_CUT if score_bin.is_above else _SAMPLED,
                "scored": score_bin.pages,
                "graded": score_bin.graded,
                "relevant": _relevant_cell(score_bin),
                "mean_grade": value_cell(score_bin.mean_grade, "no_rows"),
            }
            for score_bin in bins
        ],
    )


def _relevant_cell(score_bin: ScoreBin) -> Cell:
    low, high = score_bin.interval or (None, None)
    return Cell(score_bin.relevant, low=low, high=high, n=score_bin.graded)


def _range(score_bin: ScoreBin) -> str:
    low, high = number_text(score_bin.low), number_text(score_bin.high)
    return low if low == high else f"{low}–{high}"
