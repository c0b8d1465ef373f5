"""ViDoRe V3's tables of retrieval: 1, 9, 10, 12 to 14, figures 5 to 7, 12 and 14, of first queries.

The paper ranks retrievers. Here the ranking is what the first query of an attempt returned, so that
people, agents and any system whose run logs its results can be compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.search.ranking import DEPTH, first_query_ndcg, ndcg_reason
from pagetrail.annotation.statistics.attempt_weights import task_means
from pagetrail.exports.papers.charts import count_bars, cross_heat_map, ranked_shares
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure, NotGiven
from pagetrail.exports.papers.questions import NOT_STATED, Question
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    PARTICIPANT,
    TASKS,
    AttemptMeasure,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import ROW_KIND, Cell, Column, Row, RowValues, Table

NDCG = AttemptMeasure(
    Column(
        "ndcg",
        f"nDCG@{DEPTH}",
        "score",
        f"Of the pages that the first query returned, the first {DEPTH} at most; gold pages have "
        "gain 1 (Järvelin & Kekäläinen 2002).",
    ),
    first_query_ndcg,
    ndcg_reason,
)
_NOTES = (
    "Ranking: the pages that the first query of an attempt returned, at most as many as the "
    "campaign's search returns. Gold pages all have gain 1; the paper's have the grade.",
    "Attempts of people at one task share a weight of 1.",
)
_SEVERAL_GROUPS_NOTE = "A task of several types, or kinds of content, counts in each of them."
_PAGE_CLASSES = ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (9, "5–9"), (19, "10–19"))
"""Highest number of gold pages of each class → its name, as in the paper's figure 7."""
_MOST_PAGES = "20+"
_PAGE_ORDER = (*(name for _, name in _PAGE_CLASSES), _MOST_PAGES)
_NO_RESIDUAL = 1e-12
_NO_SEARCHES = "no attempt of the selected campaigns searched for gold pages with known results"


@dataclass(frozen=True)
class _Study:
    """Participants who searched, the best first, and the questions by task."""

    material: Material
    participants: Sequence[Participant]
    questions: Mapping[str, Question]

    def groups(self, attempt: Attempt, read_groups: _GroupReader) -> Sequence[str]:
        question = self.questions.get(attempt.task)
        return (question and read_groups(question, attempt)) or (NOT_STATED,)

    def cell(self, attempts: Sequence[Attempt]) -> Cell:
        return NDCG.cell(attempts, self.material.options)


_GroupReader = Callable[[Question, Attempt], Sequence[str]]


def retrieval_parts(
    material: Material | None, questions: Sequence[Question]
) -> tuple[list[Table | Figure], list[NotGiven]]:
    """The tables and figures, and why others are missing.

    Args:
        material: of the campaigns in which people search; None without any.
    """
    searching = (
        []
        if material is None
        else [
            participant
            for participant in material.participants
            if any(first_query_ndcg(row) is not None for row in participant.rows)
        ]
    )
    names = (
        "Tables 1, 9, 10 and 12 to 14",
        "Figures 5 to 7, 12 and 14",
    )
    if material is None or not searching:
        return [], [NotGiven(name, _NO_SEARCHES) for name in names]
    scores = {
        participant.name: NDCG.cell(participant.rows, material.options).value or 0
        for participant in searching
    }
    study = _Study(
        material,
        sorted(searching, key=lambda p: (-float(scores[p.name]), p.name)),
        {question.key: question for question in questions},
    )
    parts: list[Table | Figure] = [_domain_table(study)]
    missing: list[NotGiven] = []
    for name, parts_or_reason in (
        ("Figure 5", _type_and_format(study)),
        ("Figure 6, table 14", _by_content(study)),
        ("Figure 7", _by_pages(study)),
        ("Tables 9 and 10", _by_language_and_domain(study)),
        ("Table 12", _by_language(study)),
        ("Figure 12", _type_and_pages(study)),
        ("Table 13", _regression(study)),
        ("Figure 14", _residuals(study)),
    ):
        if isinstance(parts_or_reason, str):
            missing.append(NotGiven(name, parts_or_reason))
        else:
            parts += parts_or_reason
    return parts, missing


def _types(question: Question, _attempt: Attempt) -> Sequence[str]:
    return question.types


def _content(question: Question, _attempt: Attempt) -> Sequence[str]:
    return tuple(sorted({kind for _, kind in question.content})) or question.modalities


def _format(question: Question, _attempt: Attempt) -> Sequence[str]:
    return (question.format,) if question.format else ()


def _language(question: Question, _attempt: Attempt) -> Sequence[str]:
    return (question.language,) if question.language else ()


def _domain(question: Question, _attempt: Attempt) -> Sequence[str]:
    return (question.domain,) if question.domain else ()


def _page_class(_question: Question, attempt: Attempt) -> Sequence[str]:
    names = (name for most, name in _PAGE_CLASSES if attempt.gold_pages <= most)
    return (next(names, _MOST_PAGES),) if attempt.gold_pages else ()


def _attempts_by_group(
    study: _Study, attempts: Sequence[Attempt], *group_readers: _GroupReader
) -> dict[tuple[str, ...], list[Attempt]]:
    """The attempts in each group, or combination of groups, that has a defined score."""
    groups: dict[tuple[str, ...], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        names: list[tuple[str, ...]] = [()]
        for read_groups in group_readers:
            names = [
                (*name, value) for name in names for value in study.groups(attempt, read_groups)
            ]
        for name in names:
            groups[name].append(attempt)
    return {
        name: rows
        for name, rows in sorted(groups.items(), key=lambda item: _stated_first(item[0]))
        if any(first_query_ndcg(row) is not None for row in rows)
    }


def _stated_first(names: tuple[str, ...]) -> list[tuple[bool, str]]:
    return [(name == NOT_STATED, name) for name in names]


def _result_cells(
    study: _Study, participant: Participant, attempts: Sequence[Attempt]
) -> RowValues:
    return {
        "side": participant.name,
        "attempts": len(attempts),
        "tasks": len({row.task for row in attempts}),
        "ndcg": study.cell(attempts),
    }


def _domain_table(study: _Study) -> Table:
    rows: list[RowValues] = []
    for participant in study.participants:
        rows.append(
            {ROW_KIND: "pooled", "group": "All"}
            | _result_cells(study, participant, participant.rows)
        )
        rows += [
            {"group": name} | _result_cells(study, participant, attempts)
            for (name,), attempts in _attempts_by_group(study, participant.rows, _domain).items()
        ]
    return Table.from_rows(
        key="table-1",
        title="Retrieval by the first query",
        question="How well does each participant's first query rank the gold pages?",
        columns=(
            PARTICIPANT,
            Column("group", "Domain", "text"),
            ATTEMPTS,
            TASKS,
            NDCG.column,
        ),
        rows=rows,
        notes=_NOTES,
        unit_column="attempts",
    )


def _group_table(
    study: _Study, key: str, title: str, columns: Sequence[tuple[str, str, _GroupReader]]
) -> Table | None:
    """A row per participant and group; None where no task states one of the fields."""
    rows = [
        dict(zip((name for name, _, _ in columns), names, strict=True))
        | _result_cells(study, participant, attempts)
        for participant in study.participants
        for names, attempts in _attempts_by_group(
            study, participant.rows, *(field for _, _, field in columns)
        ).items()
    ]
    for name, _, _ in columns:
        if all(row[name] == NOT_STATED for row in rows):
            return None
    return Table.from_rows(
        key=key,
        title=title,
        question=f"Does retrieval depend on {' and '.join(label for _, label, _ in columns)}?",
        columns=(
            PARTICIPANT,
            *(Column(name, label.capitalize(), "text") for name, label, _ in columns),
            ATTEMPTS,
            TASKS,
            NDCG.column,
        ),
        rows=rows,
        notes=[*_NOTES, _SEVERAL_GROUPS_NOTE],
        unit_column="attempts",
    )


def _shows_best(study: _Study) -> Callable[[Row], bool]:
    best = study.participants[0].name
    return lambda row: row.cells["side"].value == best


def _best_note(study: _Study) -> str:
    return f"The figure shows {study.participants[0].name}, whose nDCG is highest; the data all."


def _heat_map(
    study: _Study, table: Table, row: str, column: str, order: Sequence[str] = ()
) -> Figure:
    draw = cross_heat_map(row, column, "ndcg", order=order, only=_shows_best(study))
    return Figure(replace(table, notes=[*table.notes, _best_note(study)]), draw)


def _type_and_format(study: _Study) -> list[Table | Figure] | str:
    columns = [("format", "format", _format), ("type", "query type", _types)]
    table = _group_table(study, "figure-5", "Retrieval by query type and format", columns)
    if table is None:
        return "no task states its type and format (fields query_type, query_format)"
    return [_heat_map(study, table, "format", "type")]


def _by_content(study: _Study) -> list[Table | Figure] | str:
    columns = [("content", "kind of content", _content)]
    table = _group_table(study, "table-14", "Retrieval by kind of content", columns)
    if table is None:
        return "no task states kinds of content (graded pages, or the field modality)"
    best = study.participants[0]
    figure = Table.from_rows(
        key="figure-6",
        title=f"Retrieval by kind of content: {best.name}",
        question=table.question,
        columns=table.columns,
        rows=[row.cells for row in table.rows if _shows_best(study)(row)],
        notes=[*table.notes, f"The participant whose nDCG is highest: {best.name}."],
        unit_column=table.unit_column,
    )
    return [figure_of_shares(figure, "content"), table]


def figure_of_shares(table: Table, name: str) -> Figure:
    """Estimates of nDCG with their intervals, one row each."""
    return Figure(table, ranked_shares(name, "ndcg", NDCG.column.label))


def _by_pages(study: _Study) -> list[Table | Figure] | str:
    columns = [("pages", "number of gold pages", _page_class)]
    table = _group_table(study, "figure-7", "Retrieval by number of gold pages", columns)
    if table is None:
        return "no task has gold pages"
    rows = sorted(table.rows, key=lambda row: _PAGE_ORDER.index(str(row.cells["pages"].value)))
    ordered = Table.from_rows(
        table.key,
        table.title,
        table.question,
        table.columns,
        [row.cells for row in rows],
        table.notes,
        table.unit_column,
    )
    return [Figure(ordered, count_bars("pages", "ndcg", series="side", is_share=True))]


def _by_language(study: _Study) -> list[Table | Figure] | str:
    columns = [("language", "language of the query", _language)]
    table = _group_table(study, "table-12", "Retrieval by language", columns)
    return "no task states its language" if table is None else [table]


def _by_language_and_domain(study: _Study) -> list[Table | Figure] | str:
    """Table 9 is of the English queries, table 10 of the French: here each language."""
    columns = [("language", "language of the query", _language), ("domain", "domain", _domain)]
    table = _group_table(study, "table-9-10", "Retrieval by language and domain", columns)
    return "no task states its language and domain" if table is None else [table]


def _type_and_pages(study: _Study) -> list[Table | Figure] | str:
    columns = [("type", "query type", _types), ("pages", "number of gold pages", _page_class)]
    table = _group_table(
        study, "figure-12", "Retrieval by query type and number of gold pages", columns
    )
    if table is None:
        return "no task states its type (field query_type)"
    return [_heat_map(study, table, "type", "pages", _PAGE_ORDER)]


def _task_scores(attempts: Sequence[Attempt]) -> dict[str, float]:
    """Task → mean nDCG of its attempts."""
    scored = [(row, first_query_ndcg(row)) for row in attempts]
    return task_means(row.scored(score) for row, score in scored if score is not None)


def _regression(study: _Study) -> list[Table | Figure] | str:
    rows: list[RowValues] = []
    for participant in study.participants:
        n_gold = {row.task: row.gold_pages for row in participant.rows}
        for (kind,), attempts in _attempts_by_group(study, participant.rows, _types).items():
            if kind == NOT_STATED:
                continue
            scores = _task_scores(attempts)
            rows.append(
                {"side": participant.name, "type": kind, "tasks": len(scores)}
                | _regression_cells(
                    [(float(n_gold[task]), score) for task, score in scores.items()]
                )
            )
    if not rows:
        return "no task states its type (field query_type)"
    table = Table.from_rows(
        key="table-13",
        title="Decline of retrieval with the number of gold pages",
        question="How fast does retrieval decline with the number of gold pages, by query type?",
        columns=(
            PARTICIPANT,
            Column("type", "Query type", "text"),
            TASKS,
            Column("slope", "Slope a", "score", "Change of nDCG per gold page."),
            Column("intercept", "Intercept b", "score"),
            Column("r2", "R²", "score", "Share of the variance that the line explains."),
        ),
        rows=rows,
        notes=[
            "Ordinary least squares, nDCG@10 = a · P + b, over tasks, with P gold pages; the score "
            "of a task is the mean of its attempts (ViDoRe V3, appendix F).",
            _SEVERAL_GROUPS_NOTE,
        ],
    )
    return [table]


def _regression_cells(points: Sequence[tuple[float, float]]) -> RowValues:
    """Slope, intercept and R² of a regression line."""
    x, y = np.array(points, dtype=np.float64).T
    if len(points) < 3 or np.ptp(x) == 0:
        return {key: Cell(reason="no_spread") for key in ("slope", "intercept", "r2")}
    slope, intercept = np.polyfit(x, y, 1)
    total = float(((y - y.mean()) ** 2).sum())
    left = float(((y - slope * x - intercept) ** 2).sum())
    r2 = Cell(1 - left / total) if total > 0 else Cell(reason="no_spread")
    return {"slope": float(slope), "intercept": float(intercept), "r2": r2}


def _residuals(study: _Study) -> list[Table | Figure] | str:
    """Figure 14: what an additive model of type and kind of content leaves unexplained."""
    rows: list[RowValues] = []
    for participant in study.participants:
        by_cell = {
            names: list(_task_scores(attempts).values())
            for names, attempts in _attempts_by_group(
                study, participant.rows, _content, _types
            ).items()
            if NOT_STATED not in names
        }
        for names, residual in _additive_residuals(by_cell).items():
            content, kind = names
            scores = by_cell[names]
            rows.append(
                {
                    "side": participant.name,
                    "content": content,
                    "type": kind,
                    "tasks": len(scores),
                    "ndcg": fmean(scores),
                    "residual": residual,
                }
            )
    if not rows:
        return "no task states both its type and its kinds of content"
    table = Table.from_rows(
        key="figure-14",
        title="Residuals of an additive model of type and content",
        question="Do type and kind of content act together beyond the sum of both?",
        columns=(
            PARTICIPANT,
            Column("content", "Kind of content", "text"),
            Column("type", "Query type", "text"),
            TASKS,
            NDCG.column,
            Column("residual", "Residual", "score", "Observed less predicted nDCG."),
        ),
        rows=rows,
        notes=[
            "Predicted: least squares of the tasks' nDCG on an effect of the type and one of the "
            "kind of content, without interaction (ViDoRe V3, appendix F).",
            _SEVERAL_GROUPS_NOTE,
            _best_note(study),
        ],
    )
    draw = cross_heat_map("content", "type", "residual", middle=0, only=_shows_best(study))
    return [Figure(table, draw)]


def _additive_residuals(
    by_cell: Mapping[tuple[str, ...], Sequence[float]],
) -> dict[tuple[str, ...], float]:
    """Mean less prediction of each cell."""
    rows = sorted({row for row, _ in by_cell})
    columns = sorted({column for _, column in by_cell})
    cells = list(by_cell)
    design = np.zeros((len(cells), len(rows) + len(columns)))
    for position, (row, column) in enumerate(cells):
        design[position, rows.index(row)] = 1
        design[position, len(rows) + columns.index(column)] = 1
    means = np.array([fmean(by_cell[cell]) for cell in cells])
    # A cell's mean with the weight of its tasks gives the same fit as the tasks themselves.
    weights = np.sqrt([len(by_cell[cell]) for cell in cells])
    effects, *_ = np.linalg.lstsq(design * weights[:, None], means * weights, rcond=None)
    residuals = means - design @ effects
    residuals[abs(residuals) < _NO_RESIDUAL] = 0
    return dict(zip(cells, residuals.tolist(), strict=True))
