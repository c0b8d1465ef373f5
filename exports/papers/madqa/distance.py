"""MADQA's tables 14 and 15 and figure 14: accuracy by semantic distance (appendix H.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.search.semantic_distance import (
    DISTANCE_BINS,
    GAP_BINS,
    Distances,
    LexicalCosines,
    PageCosines,
    Question,
    VectorCosines,
    bin_of,
    distances,
)
from pagetrail.annotation.statistics.attempt_weights import task_means
from pagetrail.annotation.statistics.rank_correlation import pearson
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.gold.gold_checks import records_by_gold
from pagetrail.exports.papers.charts import ranked_shares
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import ACCURACY
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.model import Column, RowValues, Table

_GROUP = Column("group", "Participants", "text", "All systems, or all people.")
_COLUMNS = (
    _GROUP,
    Column("bin", "Distance", "text", "1 − cosine; each range contains its lower end."),
    Column("questions", "Questions", "count", "With a decided attempt of the group."),
    Column("accuracy", "Accuracy", "share", "Mean over these questions."),
    Column("r", "r", "number", "Pearson's correlation of distance and accuracy over questions."),
)
_NOTHING_MEASURED = "no question of this kind has a distance and a decided attempt"
_Bins = Sequence[tuple[float, float]]


class SemanticDistances:
    """The tables and the figure, from distances that are measured once."""

    def __init__(self, material: Material) -> None:
        self._material = material

    @cached_property
    def _measured(self) -> tuple[dict[str, Distances], list[str]]:
        """Task → its distances, and notes on them."""
        material, questions = self._material, _questions(self._material)
        pages = dict.fromkeys(page for question in questions.values() for page in question.pages)
        texts = {page: material.sources[0].pages.text(*page) for page in pages}
        vectors = material.options.vectors
        cosines: PageCosines = (
            LexicalCosines([question.text for question in questions.values()], texts)
            if vectors is None
            else VectorCosines(vectors, texts)
        )
        measured = {task: distances(question, cosines) for task, question in questions.items()}
        unknown = sum(
            entry.to_pages is None or (entry.hop != "single" and entry.among_pages is None)
            for entry in measured.values()
        )
        caveat = (
            " Borchmann et al. (2026) use neural embeddings of pages; values are not comparable."
        )
        notes = [
            f"Semantic distance: 1 − cosine of {cosines.name} vectors, averaged over pairs of gold "
            f"pages, or over a question's gold pages.{caveat if vectors is None else ''}",
            f"Questions left out because a vector is missing: {unknown:,}.",
            interval_words(material.options.resampling),
        ]
        return measured, notes

    def same_document(self) -> Table | str:
        """Table 14, or why there is none."""
        title = "Accuracy by semantic distance of gold pages, same document"
        return self._among_pages("table-14", title, "cross_page")

    def several_documents(self) -> Table | str:
        """Table 15, or why there is none."""
        title = "Accuracy by semantic distance of gold pages, several documents"
        return self._among_pages("table-15", title, "cross_doc")

    def question_and_pages(self) -> Table | str:
        """The same by the distance of question and gold pages, or why there is none."""
        measured, notes = self._measured
        return _table(
            self._material,
            "question-page-distance",
            "Accuracy by semantic distance of question and gold pages",
            {task: entry.to_pages for task, entry in measured.items()},
            notes,
        )

    def page_gap(self) -> Figure | str:
        """Figure 14, or why there is none."""
        return _figure(self._material, *self._measured)

    def _among_pages(self, key: str, title: str, hop: str) -> Table | str:
        measured, notes = self._measured
        among = {task: entry.among_pages for task, entry in measured.items()}
        return _table(self._material, key, title, _of_hop(measured, among, hop), notes)


def _questions(material: Material) -> dict[str, Question]:
    """Task → its question, of answerable tasks with gold evidence, named as rows are."""
    questions: dict[str, Question] = {}
    for source in material.sources:
        record_of = records_by_gold(source, material.gold)
        for task in source.database.tasks(source.campaign.id):
            try:
                record = read_task(record_of(task.key, task.record))
            except ValueError:
                continue
            pages = sorted({ref.key for ref in record.evidence})
            if not pages or record.unanswerable or not record.question or record.hop is None:
                continue
            name = task.key
            if name in questions and questions[name].text != record.question:
                name = f"{name} ({source.campaign.name})"
            questions.setdefault(name, Question(record.question, pages, record.hop))
    return questions


def _of_hop(
    measured: Mapping[str, Distances], values: Mapping[str, float | None], hop: str
) -> dict[str, float | None]:
    return {task: values[task] for task, entry in measured.items() if entry.hop == hop}


def _groups(material: Material) -> Iterator[tuple[str, Sequence[Attempt]]]:
    for name, kind in (("Systems", "system"), ("People", "humans")):
        rows = [row for p in material.participants if p.kind == kind for row in p.decided]
        if rows:
            yield name, rows


def _table(
    material: Material,
    key: str,
    title: str,
    values: Mapping[str, float | None],
    notes: Sequence[str],
) -> Table | str:
    rows = [
        row
        for group, attempts in _groups(material)
        for row in _rows(material, group, attempts, values, DISTANCE_BINS)
    ]
    if not rows:
        return _NOTHING_MEASURED
    return Table.from_rows(
        key=key,
        title=title,
        question="Does accuracy decline with semantic distance?",
        columns=_COLUMNS,
        rows=rows,
        notes=notes,
    )


def _rows(
    material: Material,
    group: str,
    attempts: Sequence[Attempt],
    values: Mapping[str, float | None],
    bins: _Bins,
) -> Iterator[RowValues]:
    """A row per bin that has questions, and one over all."""
    known = {task: value for task, value in values.items() if value is not None}
    by_bin: dict[int, list[Attempt]] = {}
    inside = [row for row in attempts if row.task in known]
    if not inside:
        return
    for row in inside:
        place = bin_of(known[row.task], bins)
        if place is not None:
            by_bin.setdefault(place, []).append(row)
    for place, rows in sorted(by_bin.items()):
        yield _cells(material, group, _bin_name(bins, place), rows)
    accuracy = task_means([row.scored_answer() for row in inside])
    tasks = sorted(accuracy)
    r = pearson([known[task] for task in tasks], [accuracy[task] for task in tasks])
    yield {
        "row_kind": "pooled",
        **_cells(material, group, "All", inside),
        "r": value_cell(r, "no_spread"),
    }


def _cells(material: Material, group: str, name: str, rows: Sequence[Attempt]) -> RowValues:
    return {
        "group": group,
        "bin": name,
        "questions": len({row.task for row in rows}),
        "accuracy": replace(ACCURACY.cell(rows, material.options), tasks=None),
    }


def _bin_name(bins: _Bins, place: int) -> str:
    low, high = bins[place]
    if bins is GAP_BINS:
        last = high - 1
        return (
            f"{low:g}"
            if last == low
            else f"> {low - 1:g}"
            if high == math.inf
            else (f"{low:g}–{last:g}")
        )
    return f"≥ {low:g}" if high == math.inf else f"{low:g}–{high:g}"


def _figure(
    material: Material, measured: Mapping[str, Distances], notes: Sequence[str]
) -> Figure | str:
    panels = (
        (
            "gap",
            {task: entry.page_gap for task, entry in measured.items() if entry.hop == "cross_page"},
            GAP_BINS,
        ),
        (
            "distance",
            _of_hop(
                measured,
                {task: entry.among_pages for task, entry in measured.items()},
                "cross_page",
            ),
            DISTANCE_BINS,
        ),
    )
    rows = [
        {**row, "by": by, "name": f"{group}: {by} {row['bin']}"}
        for group, attempts in _groups(material)
        for by, values, bins in panels
        for row in _rows(material, group, attempts, values, bins)
    ]
    if not rows:
        return _NOTHING_MEASURED
    data = Table.from_rows(
        key="figure-14",
        title="Same-document accuracy by page gap and semantic distance",
        question="Which of the two predicts difficulty?",
        columns=(
            Column("name", "Bin", "text"),
            _GROUP,
            Column("by", "By", "text", "Mean gap between gold pages, or semantic distance."),
            *_COLUMNS[1:],
        ),
        rows=rows,
        notes=notes,
    )
    return Figure(data, ranked_shares("name", "accuracy", "Accuracy (%)"))
