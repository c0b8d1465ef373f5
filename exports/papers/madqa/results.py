"""MADQA's tables of results: 3 (main results), 11 and 12 (what counts as effort)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from pagetrail.annotation.metrics.attempt_rows import EffortKind
from pagetrail.annotation.statistics.attempt_weights import weights
from pagetrail.annotation.statistics.rank_correlation import spearman
from pagetrail.exports.papers.material import Material
from pagetrail.exports.reports.metrics.cells import ACCURACY, ATTEMPTS, PARTICIPANT, Options
from pagetrail.exports.reports.metrics.effort import (
    KINDS,
    MADQA,
    effort_table,
    efforts,
    kinds_known,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.metrics.results import RESULT_COLUMNS, main_notes, results
from pagetrail.exports.reports.model import Cell, Column, Section, Table

PAGES_GIVEN = "pages_given"
"""Why people with an oracle retriever have no attribution and no effort of searching."""

_SEARCHING = ("page_f1", "doc_f1", "kuiper", "kuiper_file_order")
_MAIN = (
    "side",
    "attempts",
    "tasks",
    "accuracy",
    "accuracy_single",
    "accuracy_cross_page",
    "accuracy_cross_doc",
    *_SEARCHING,
)
_KINDS = ("system", "humans")
_GROUP = Column("group", "Group", "text", "Systems or people, searching or given the gold pages.")


def main_results(material: Material) -> Table:
    """Table 3: systems, the most accurate first, then people with and without an oracle."""
    given_pages = {
        kind: [participant for participant in material.oracle if participant.kind == kind]
        for kind in _KINDS
    }
    groups = [
        ("System", material.systems),
        ("System, given the pages", material.ranked(given_pages["system"])),
        ("People, given the pages", given_pages["humans"]),
        ("People", material.people),
    ]
    rows = []
    for group, participants in groups:
        for row in _results(participants, material.options).rows if participants else ():
            cells = {**row.cells, "group": group}
            if "given" in group:
                cells |= {key: Cell(reason=PAGES_GIVEN) for key in _SEARCHING}
            rows.append(cells)
    columns = {column.key: column for column in RESULT_COLUMNS}
    return Table.from_rows(
        key="table-3",
        title="Main results",
        question="How accurate are answers and evidence of each participant, and at what effort?",
        columns=(_GROUP, *(columns[key] for key in _MAIN)),
        rows=rows,
        notes=[
            *main_notes([*material.participants, *material.oracle], material.options),
            "Participants may have attempted different tasks, which may differ in difficulty; "
            "figure 20 compares each pair on the tasks that both attempted. Unanswerable tasks are "
            "left out.",
        ],
        unit_column="attempts",
    )


def _results(participants: Sequence[Participant], options: Options) -> Table:
    return _table(results(participants, options, []), "results")


def _table(section: Section, key: str) -> Table:
    return next(part for part in section.parts if isinstance(part, Table) and part.key == key)


def kuiper_by_effort(material: Material) -> Table | None:
    """Table 12: Kuiper's statistic under each kind of effort; None where nothing is decided."""
    participants = [participant for participant in material.participants if participant.decided]
    if not participants:
        return None
    accuracy = {
        row.cells["side"].value: row.cells for row in _results(participants, material.options).rows
    }
    kinds = {**kinds_known(participant.rows for participant in participants), **_TIME}
    labels = {label: kind for kind, label in kinds.items()}
    by_kind = effort_table(participants, kinds, material.options)
    cells: dict[str, dict[str, Cell]] = {}
    for row in by_kind.rows:
        name, kind = str(row.cells["side"].value), labels[str(row.cells["effort"].value)]
        cells.setdefault(name, {})[kind] = _with_counts(row.cells)
    return Table.from_rows(
        key="table-12",
        title="Kuiper's statistic under different definitions of effort",
        question="Does K depend on the definition of effort?",
        columns=(
            PARTICIPANT,
            ATTEMPTS,
            Column("accuracy", "Accuracy", "share", "Share of correct answers, mean over tasks."),
            Column("steps", "Steps", "number", "Effort: searches, else iterations."),
            *(Column(kind, label, "number", _EFFORT_HELP[kind]) for kind, label in kinds.items()),
        ),
        rows=[
            {
                "side": participant.name,
                "attempts": len(participant.rows),
                "accuracy": accuracy[participant.name]["accuracy"],
                "steps": accuracy[participant.name]["kuiper"],
                **cells[participant.name],
            }
            for participant in participants
        ],
        notes=[
            "Attempts of equal effort form one point. Attempts of people are weighted by "
            "1/(annotators per task). K increases with the number of tasks, so that values over "
            "different numbers of tasks are not directly comparable. No interval is given, because "
            "K is biased upwards in bootstrap samples.",
        ],
        unit_column="attempts",
    )


_TIME: Mapping[EffortKind, str] = {"execution_s": "Execution time, s"}
"""The fourth measure of effort of the paper, next to steps and two kinds of tokens."""

_EFFORT_HELP: Mapping[EffortKind, str] = {
    "searches": "Effort: number of searches.",
    "tool_steps": "Effort: searches, pages viewed and other tool calls.",
    "iterations": "Effort: iterations stated in the run's file; searches for people.",
    "total_tokens": "Effort: input and output tokens, as stated by the run.",
    "output_tokens": "Effort: output tokens, as stated by the run.",
    "active_s": "Effort: active time per attempt.",
    "submit_s": "Effort: time from the first event to submission.",
    "wall_s": "Effort: time from the first event to the last.",
    "execution_s": "Effort: people's active time; a system's latency as stated, else its time to "
    "submission.",
}


def _with_counts(cells: Mapping[str, Cell]) -> Cell:
    left = {
        reason: int(str(cells[key].value))
        for reason, key in (
            ("effort_not_positive", "not_positive"),
            ("effort_missing", "missing"),
            ("undecided", "undecided"),
        )
    }
    return replace(
        cells["kuiper"],
        n=int(str(cells["attempts"].value)),
        excluded={reason: n for reason, n in left.items() if n} or None,
    )


_MEASURES: Mapping[EffortKind, str] = {
    MADQA: "steps",
    "tool_steps": "tool steps",
    "total_tokens": "tokens",
    "output_tokens": "tokens generated",
    "active_s": "active time",
    "submit_s": "time to submission",
    "execution_s": "execution time",
}


def effort_correlations(material: Material) -> Table | None:
    """Table 11: Spearman's correlation of the kinds of effort; None where there are no attempts."""
    unknown = KINDS.keys() - kinds_known(participant.rows for participant in material.participants)
    pairs = list(combinations([kind for kind in _MEASURES if kind not in unknown], 2))
    rows = []
    for participant in material.participants:
        by_kind = {kind: efforts(participant.rows, kind, material.options) for kind in _MEASURES}
        cells = {
            "side": participant.name,
            "attempts": len(participant.rows),
            "accuracy": ACCURACY.cell(participant.rows, material.options),
        }
        for kind, other in pairs:
            pairs_of_efforts = [
                (x, y, row.unit)
                for x, y, row in zip(by_kind[kind], by_kind[other], participant.rows, strict=True)
                if x is not None and y is not None
            ]
            rho = spearman(
                [x for x, _, _ in pairs_of_efforts],
                [y for _, y, _ in pairs_of_efforts],
                weights([unit for _, _, unit in pairs_of_efforts]),
            )
            missing = len(participant.rows) - len(pairs_of_efforts)
            cells[f"{kind}-{other}"] = Cell(
                rho,
                reason=None
                if rho is not None
                else ("effort_missing" if not pairs_of_efforts else "no_spread"),
                n=len(pairs_of_efforts),
                excluded={"effort_missing": missing} if missing else None,
            )
        rows.append(cells)
    if not rows:
        return None
    return Table.from_rows(
        key="table-11",
        title="Rank correlation between kinds of effort",
        question="Do the definitions of effort rank attempts alike?",
        columns=(
            PARTICIPANT,
            ATTEMPTS,
            ACCURACY.column,
            *(
                Column(
                    f"{kind}-{other}",
                    f"{_MEASURES[kind].capitalize()} vs {_MEASURES[other]}",
                    "number",
                    "Weighted Spearman's ρ; ties receive their mean rank.",
                )
                for kind, other in pairs
            ),
        ),
        rows=rows,
        notes=[
            "Computed over attempts for which both kinds of effort are known. Execution time: "
            "people's active time; a system's latency as stated, else its time to submission."
        ],
    )
