"""The section on boxes: overlap of two people's marks on a page, as in table 15 of ViDoRe V3.

The unit of its table and chart is the page of a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetrail.annotation.agreement import UnitZones, ZoneMeans, zone_breakdown
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.charts.distributions import overlap_chart
from pagetrail.exports.reports.model import Chart, Column, RowValues, Section, Table
from pagetrail.exports.reports.per_task.task_agreement import PageZones
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.exports.writing.page_images import page_label

MEASURES = ("iou", "dice", "iou_both", "dice_both")
NO_PAIR = "no_defined_pair"

COLUMNS = (
    Column("pages", "Pages", "count", "Pages of tasks that two people or more could mark."),
    Column("tasks", "Tasks", "count", "Tasks with such a page on which somebody marked something."),
    Column("both", "Two drew", "count", "Pages on which two people or more marked something."),
    Column("one_empty", "One drew", "count", "Pages on which only one did; they count 0."),
    Column("both_empty", "Nobody drew", "count", "Pages on which nobody did; left out."),
    Column("iou", "IoU", "score", "Area that both marked, of the area that either did."),
    Column("dice", "F1", "score", "Dice: twice the area that both marked, by the sum of areas."),
    Column("iou_both", "IoU, both drew", "score", "Of the pairs of whom both marked something."),
    Column("dice_both", "F1, both drew", "score", "Of the pairs of whom both marked something."),
)

NOTES = (
    lazy_gettext(
        "What somebody marked on a page is the union of their boxes, whatever their labels. "
        "A page counts once per task, with the mean over the pairs of people who could mark it."
    ),
    lazy_gettext(
        "Whoever submitted the task and marked nothing on the page has an empty zone, also "
        "where they graded the page so that it takes no box: a page that one found relevant "
        "and the other did not counts 0. Tasks that were ended (a poor query) have no "
        "zones."
    ),
    lazy_gettext(
        "Intervals are over resampled tasks. Pooled takes all pages together; macro is the "
        "mean of the groups above it."
    ),
)
SEEDED = lazy_gettext(
    "These pages started with a model's elements, so what nobody touched overlaps "
    "completely: these numbers say how far the results differ, not how people draw by themselves."
)


@dataclass(frozen=True)
class _Page:
    group: str
    task: str
    zones: UnitZones


class Zones:
    """Collects results task by task, keeping only the overlaps."""

    def __init__(self, groups: Groups, tally: WrittenFiles, dpi: float | None) -> None:
        self._groups = groups
        self._tally = tally
        self._dpi = dpi
        self._pages: list[_Page] = []

    def add(self, task: str, pages: Sequence[PageZones]) -> None:
        """Add what people marked on the pages of a task."""
        for page in pages:
            page_position = (page.document, page.page)
            if page.size is None:
                self._tally.leave_out(
                    "page", "unknown_page", f"{self._groups.task(task)} {page_label(page_position)}"
                )
                continue
            group = self._groups.group_of(Unit(task, *page_position))
            self._pages.append(_Page(group, self._groups.task(task), page.zones))

    def section(self, draws: Resampling, *, seeded: bool) -> Section:
        """The table and the histogram."""
        # Sorted, so that the report does not depend on the order of the work.
        names = self._groups.ordered({page.group for page in self._pages})
        means = zone_breakdown((page.group, page.zones) for page in self._pages)
        pooled = self._overlap_cells(self._pages, means.pooled, draws)
        rows = {
            name: self._overlap_cells(
                [page for page in self._pages if page.group == name], means.rows[name], draws
            )
            for name in (names if self._groups.by else ())
        }
        precision = (
            lazy_gettext("Areas: exact areas.")
            if self._dpi is None
            else lazy_gettext("Areas: edges rounded to pixels of {dpi:g} dpi.", dpi=self._dpi)
        )
        table = Table.from_rows(
            key="boxes",
            title="Overlap of what two people marked on a page",
            question="Do annotators mark the same region?",
            columns=[*self._groups.columns, *COLUMNS],
            rows=self._groups.rows(rows, pooled, MEASURES),
            notes=[precision],
            unit_column="pages",
        )
        parts: list[Table | Chart] = [table]
        overlaps = sorted(page.zones.iou for page in self._pages if page.zones.iou is not None)
        if overlaps:
            parts.append(overlap_chart(overlaps, measure="IoU"))
        return Section("Boxes", parts, [*NOTES, *([SEEDED] if seeded else [])])

    def _overlap_cells(
        self, pages: Sequence[_Page], means: ZoneMeans, draws: Resampling
    ) -> RowValues:
        values: RowValues = {
            "pages": means.n_units,
            "tasks": len({page.task for page in pages if page.zones.iou is not None}),
            "both": means.n_both,
            "one_empty": means.n_one_empty,
            "both_empty": means.n_both_empty,
        }
        for name in MEASURES:
            scored = [
                (page.task, value)
                for page in pages
                if (value := getattr(page.zones, name)) is not None
            ]
            interval = draws.mean(scored, per_task=False)
            values[name] = mean_cell(getattr(means, name), interval, NO_PAIR, len(scored))
        return values
