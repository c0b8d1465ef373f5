"""Boxes that systems drew against those of people: figure 15 and table 4 of ViDoRe V3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pagetrail.annotation.agreement import MARKED, SystemZone, best_annotator
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.result import mean
from pagetrail.annotation.ratings.tables import Unit
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import mean_cell
from pagetrail.exports.reports.model import Cell, Column, RowValues, Section, Table
from pagetrail.exports.reports.per_task.task_agreement import SystemPage
from pagetrail.exports.reports.resampling import Resampling

_SYSTEM = Column("side", "System", "text")
_PAGES = Column("pages", "Pages", "count", "Pages of tasks that the system and people submitted.")
_NOBODY = "both_empty"

MEASURES = ("dice", "iou", "dice_mean", "dice_annotator", "people_dice")
_MEASURE_COLUMNS = (
    Column("dice", "F1", "score", "Dice against the annotator who matches best on the page."),
    Column("iou", "IoU", "score", "Likewise, against the best annotator by IoU."),
    Column("dice_mean", "F1, all annotators", "score", "Mean over the annotators of a page."),
    Column(
        "dice_annotator",
        "F1, one annotator",
        "score",
        "Against the annotator who matches best over all pages of the task, mean over tasks.",
    ),
    Column(
        "people_dice",
        "People's F1",
        "score",
        "Of pairs of annotators, on those of these pages that two people or more submitted.",
    ),
)
_SHARE_COLUMNS = (
    Column("both", "Both", "share", "Pages that the system and an annotator marked."),
    Column("neither", "Neither", "share", "Pages that nobody marked."),
    Column("system_only", "System only", "share", "Pages that only the system marked."),
    Column("people_only", "People only", "share", "Pages that only annotators marked."),
)
_COUNT_COLUMNS = (
    Column("both_pages", "Both, pages", "count"),
    Column("neither_pages", "Neither, pages", "count"),
    Column("system_only_pages", "System only, pages", "count"),
    Column("people_only_pages", "People only, pages", "count"),
)


@dataclass(frozen=True)
class _Page:
    group: str
    task: str
    zone: SystemZone


class SystemBoxes:
    """Collects the pages of each system task by task."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._pages: dict[str, list[_Page]] = {}

    def add(self, task: str, system: str, page: SystemPage) -> None:
        """Add a page of a task that a system submitted."""
        group = self._groups.group_of(Unit(task, page.document, page.page))
        self._pages.setdefault(system, []).append(_Page(group, self._groups.task(task), page.zone))

    def sections(self, draws: Resampling) -> list[Section]:
        """A section with both tables; none without boxes of a system."""
        systems = {
            name: pages
            for name, pages in sorted(self._pages.items())
            if any(page.zone.marked in ("both", "system_only") for page in pages)
        }
        if not systems:
            return []
        scores = Table.from_rows(
            key="system-boxes",
            title="Boxes of systems",
            question="Do systems mark the regions that people mark?",
            columns=(
                _SYSTEM,
                *self._groups.columns,
                _PAGES,
                Column("marked", "Marked", "count", "Pages that the system or people marked."),
                *_MEASURE_COLUMNS,
            ),
            rows=self._rows(systems, lambda pages: _score_cells(pages, draws), MEASURES),
            notes=[
                lazy_gettext(
                    "What somebody marked on a page is the union of their boxes. The system is "
                    "compared with each annotator by itself and the best match of each page counts "
                    "(ViDoRe V3, section 4.3, which does not say whether it is chosen per page or "
                    "per query; F1, one annotator, has the other reading). One empty zone counts "
                    "0, two are left out."
                ),
                lazy_gettext("Intervals are over resampled tasks."),
            ],
            unit_column="pages",
        )
        marked = Table.from_rows(
            key="system-box-pages",
            title="Pages that systems and people marked",
            question="Do systems mark the pages that people mark?",
            columns=(
                _SYSTEM,
                *self._groups.columns,
                _PAGES,
                *_SHARE_COLUMNS,
                *_COUNT_COLUMNS,
            ),
            rows=self._rows(systems, lambda pages: _marked_cells(pages, draws), MARKED),
            notes=[
                lazy_gettext(
                    "Pages as in table 4 of ViDoRe V3. People marked a page if any of its "
                    "annotators did. Pages are those given with the task, and those that the "
                    "system or people marked."
                )
            ],
        )
        return [Section("Boxes of systems", [scores, marked])]

    def _rows(
        self,
        systems: dict[str, list[_Page]],
        cells: Callable[[Sequence[_Page]], RowValues],
        measures: Sequence[str],
    ) -> list[RowValues]:
        rows: list[RowValues] = []
        for name, pages in systems.items():
            groups = self._groups.ordered({page.group for page in pages}) if self._groups.by else ()
            by_group = {
                group: cells([page for page in pages if page.group == group]) for group in groups
            }
            rows += [
                {"side": name, **row} for row in self._groups.rows(by_group, cells(pages), measures)
            ]
        return rows


def _score_cells(pages: Sequence[_Page], draws: Resampling) -> RowValues:
    by_task: dict[str, list[SystemZone]] = {}
    for page in pages:
        by_task.setdefault(page.task, []).append(page.zone)
    per_task = [(task, best_annotator(zones)) for task, zones in sorted(by_task.items())]
    return {
        "pages": len(pages),
        "marked": sum(page.zone.marked != "neither" for page in pages),
        "dice": _mean_cell([(page.task, page.zone.best_dice) for page in pages], draws),
        "iou": _mean_cell([(page.task, page.zone.best_iou) for page in pages], draws),
        "dice_mean": _mean_cell([(page.task, page.zone.mean_dice) for page in pages], draws),
        "dice_annotator": _mean_cell(per_task, draws, has_n=False),
        "people_dice": _mean_cell(
            [(page.task, page.zone.people_dice) for page in pages], draws, "no_defined_pair"
        ),
    }


def _marked_cells(pages: Sequence[_Page], draws: Resampling) -> RowValues:
    values: RowValues = {"pages": len(pages)}
    for marked in MARKED:
        is_marked = [(page.task, float(page.zone.marked == marked)) for page in pages]
        values[marked] = _mean_cell(is_marked, draws, has_n=False)
        values[f"{marked}_pages"] = sum(page.zone.marked == marked for page in pages)
    return values


def _mean_cell(
    values: Sequence[tuple[str, float | None]],
    draws: Resampling,
    reason: str = _NOBODY,
    *,
    has_n: bool = True,
) -> Cell:
    """The mean over pages, or tasks, with an interval over tasks."""
    scored = [(task, value) for task, value in values if value is not None]
    average = mean([value for _, value in scored], reason)
    interval = draws.mean(scored, per_task=False)
    return mean_cell(average.value, interval, average.reason, len(scored) if has_n else None)
