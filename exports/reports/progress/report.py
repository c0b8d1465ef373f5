"""Progress of a campaign as a report, for the dashboard and its downloads.

People appear under their own names, since progress is for those who assign the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from pagetrail.annotation.messages import N_, lazy_gettext
from pagetrail.annotation.progress.agreement import PartAgreement
from pagetrail.annotation.progress.pace import FinishedDay, finished_per_day
from pagetrail.annotation.progress.summary import (
    CampaignWork,
    Line,
    finish_times,
    lines,
    review_counts,
)
from pagetrail.exports.reports.agreement.field_agreement import label_of
from pagetrail.exports.reports.cells import coefficient_cell
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.model import Cell, Chart, Column, Report, RowValues, Section, Table
from pagetrail.exports.reports.progress.charts import (
    days_chart,
    far_chart,
    review_chart,
    time_chart,
)
from pagetrail.exports.reports.progress.tables import (
    days_table,
    mean_cell,
    progress_table,
    review_table,
    time_table,
)

Part = Literal["far", "people", "time", "agreement", "review"]
"""A section of this report; the dashboard has one more tab, for quality, a report of its own."""
TITLES: dict[Part, str] = {
    "far": N_("Progress"),
    "people": N_("Progress by annotator"),
    "time": N_("Time"),
    "agreement": N_("Agreement"),
    "review": N_("Review"),
}
MOST_PARTS = 12
SIMILARITY = lazy_gettext("similarity (not chance-corrected)")
NAMES: dict[str, str] = {"krippendorff_alpha": "Krippendorff's α", "gwet_ac": "Gwet's AC"}
_COLUMNS: dict[str, str] = {"krippendorff_alpha": "alpha", "gwet_ac": "ac"}


@dataclass(frozen=True)
class Progress:
    """The numbers of a campaign, or of a part of it, at one time; each is computed once.

    Attributes:
        now_s: the time in seconds since 1970.
    """

    campaign_work: CampaignWork
    now_s: float

    @cached_property
    def total(self) -> Line:
        """All together."""
        return lines(self.campaign_work, self.now_s)[""]

    @cached_property
    def batches(self) -> dict[str, Line]:
        """Batch by batch, in their order."""
        return lines(self.campaign_work, self.now_s, "batch")

    @cached_property
    def people(self) -> dict[str, Line]:
        """Person by person, by name."""
        return lines(self.campaign_work, self.now_s, "person")

    @cached_property
    def review_counts(self) -> dict[str, int]:
        """Review status → tasks."""
        return review_counts(self.campaign_work)

    @cached_property
    def days(self) -> list[FinishedDay]:
        """Tasks submitted and skipped, day by day."""
        return finished_per_day(*finish_times(self.campaign_work), now_s=self.now_s)


def progress_report(
    campaign: str,
    protocol: str,
    progress: Progress,
    agreement: Sequence[PartAgreement] = (),
    *,
    parts: Sequence[Part] = tuple(TITLES),
    choices: Mapping[str, str] | None = None,
) -> Report:
    """The dashboard as a report, without empty sections.

    Args:
        progress: of the whole campaign, or of what ``choices`` names.
        agreement: what the section ``agreement`` shows.
        parts: the requested sections, each of which takes time.
        choices: the selected batch and annotator.
    """
    counts = progress.total.counts
    parts_of = {part: _parts(progress, part, agreement) for part in parts}
    return Report(
        kind="progress",
        title=lazy_gettext("Progress of {campaign}", campaign=campaign),
        campaign=campaign,
        protocol=protocol,
        facts={
            "Batches": len(progress.batches),
            "People": len(progress.people),
            "Answers wanted": counts.expected,
            "Answers submitted or skipped": counts.finished,
        },
        choices={
            lazy_gettext("As of"): datetime.fromtimestamp(progress.now_s, UTC).isoformat(
                timespec="seconds"
            ),
            **(choices or {}),
        },
        sections=[
            Section(TITLES[part], contents) for part, contents in parts_of.items() if contents
        ],
        identified=True,
    )


def _parts(
    progress: Progress, part: Part, agreement: Sequence[PartAgreement]
) -> list[Table | Chart]:
    """Charts, each followed by its table."""
    match part:
        case "far":
            contents = _progress_so_far(progress, "batches", lazy_gettext("How much is done?"))
            if not progress.days:
                return contents
            *chart, table = contents
            return [*chart, days_chart(progress.days), table, days_table(progress.days)]
        case "people":
            return _progress_so_far(progress, "people", lazy_gettext("Progress by annotator"))
        case "time":
            total = progress.total
            tables: list[Table | Chart] = [
                time_table(
                    progress.people,
                    total,
                    "time",
                    lazy_gettext("Time by person"),
                    lazy_gettext("Person"),
                ),
                time_table(
                    progress.batches,
                    total,
                    "time-batches",
                    lazy_gettext("Time by batch"),
                    lazy_gettext("Batch"),
                ),
            ]
            if total.times.median is None:
                return tables
            return [time_chart(progress.people, total), *tables]
        case "agreement":
            return _agreement(agreement)
        case "review":
            if not progress.review_counts:
                return []
            return [review_chart(progress.review_counts), review_table(progress.review_counts)]


def _progress_so_far(
    progress: Progress, key: Literal["batches", "people"], question: str
) -> list[Table | Chart]:
    """Counts of batches or people as a table, preceded by a chart if work is expected."""
    lines_of = progress.batches if key == "batches" else progress.people
    total = progress.total
    table = progress_table(lines_of, total, progress.now_s, key)
    if not total.counts.expected:
        return [table]
    counts_of = {name: line.counts for name, line in lines_of.items()}
    chart = far_chart(counts_of, total.counts, key=key, title=question)
    return [chart, table]


def _agreement(part_agreements: Sequence[PartAgreement]) -> list[Table | Chart]:
    """Agreement so far as chart and table; empty if nothing can be compared."""
    if not part_agreements:
        return []
    points: list[tuple[str, str, float, float | None, float | None]] = []
    rows: list[RowValues] = []
    for part in part_agreements:
        row: RowValues = {"part": part.label}
        measures: dict[str, Cell] = {}
        if part.similarity is not None:
            row["compared"] = part.similarity.clusters
            row["alike"] = mean_cell(part.similarity)
            if part.scheme is None:
                measures[SIMILARITY] = mean_cell(part.similarity)
        if part.scheme is not None:
            row |= {"units": part.units, "coefficient": label_of("gwet_ac", part.scheme)}
            for key, column in _COLUMNS.items():
                if interval := (part.intervals or {}).get(key):
                    row[column] = measures[NAMES[key]] = coefficient_cell(interval, part.tasks)
        points += [
            (part.label, measure, cell.value, cell.low, cell.high)
            for measure, cell in measures.items()
            if isinstance(cell.value, float)
        ]
        rows.append(row)
    table = Table.from_rows(
        key="agreement",
        title="Agreement so far",
        question="How well do annotators agree on each part?",
        columns=[
            Column("part", "Part", "text"),
            Column("compared", "Tasks", "count", "Tasks submitted by at least two people."),
            Column("alike", "Alike", "share", "1 − mean pairwise difference, averaged over tasks."),
            Column("units", "Rated twice", "count", "Tasks, pages, elements or rows."),
            Column("coefficient", "Chance by", "text", "AC1 for categories, AC2 for scales."),
            Column("ac", "Gwet's AC", "score", "Gwet 2008, 2014."),
            Column("alpha", "Krippendorff's α", "score", "Krippendorff 2011."),
        ],
        rows=rows,
        notes=[
            "Similarity: ANLS* for answers, Jaccard for cited pages, IoU for boxes, equality or "
            "distance of values for fields; it is not corrected for chance. Intervals are over "
            "tasks. When one category dominates, alpha can be low although annotators agree; AC "
            "is less affected."
        ],
    )
    parts = list(dict.fromkeys(point[0] for point in points))
    shown_parts = set(parts[:MOST_PARTS])
    shown_points = [point for point in points if point[0] in shown_parts]
    if not shown_points:
        return [table]
    chart = agreement_chart(
        shown_points,
        key="agreement",
        title=lazy_gettext("How well do annotators agree?"),
        axis=lazy_gettext(
            "1 = complete agreement; 0 = chance level (coefficients) or nothing in common "
            "(similarity)"
        ),
        note=lazy_gettext(
            "Only the first {shown} of {all} parts are shown.",
            shown=len(shown_parts),
            all=len(parts),
        )
        if len(shown_parts) < len(parts)
        else "",
    )
    return [chart, table]
