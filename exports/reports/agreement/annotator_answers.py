"""The section on annotators of a campaign about answers and cited pages: who agrees with whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pagetrail.annotation.agreement.zone_means import mean_of_defined
from pagetrail.annotation.comparison.answer_pairs import AnswerPair, TaskAnswers
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reports.agreement.annotators import (
    annotator_chart,
    annotator_table,
    pair_table,
)
from pagetrail.exports.reports.agreement.groups import Groups
from pagetrail.exports.reports.cells import mean_cell, value_cell
from pagetrail.exports.reports.model import Cell, Chart, Column, Section, Table
from pagetrail.exports.reports.resampling import Resampling

NO_COMPARABLE_PAIR = "no_comparable_pair"

_AGREEMENT = "agreement"
_ANSWER = (
    Column("exact_match", "Same answer", "share", "Share of the others with the same answer."),
    Column(
        "anls",
        "ANLS*",
        "score",
        "Similarity of the answers (Peer et al. 2024).",
    ),
)
_EVIDENCE = (
    Column("page_f1", "Page F1", "score", "F1 of the cited pages with each other's."),
    Column("doc_f1", "Doc F1", "score", "F1 of their documents."),
)
_OUTCOME = Column("same_outcome", "Same outcome", "share", "Share of the others with the same.")


def is_about_answers(protocol: Protocol) -> bool:
    """Whether answers and cited pages are what the campaign is about, not ratings of pages."""
    asks_answers = protocol.answer.kind != "off" or protocol.evidence.enabled
    rated = protocol.pages == "given" and bool(protocol.scoped("page") or protocol.boxes.enabled)
    return asks_answers and not rated and protocol.question.kind != "editable"


@dataclass
class _Annotator:
    """One annotator compared with all others.

    Attributes:
        scored: by measure, (cluster, mean over the others) for each task with a value.
        shared: number of the annotator's tasks that others also submitted.
    """

    scored: dict[str, list[tuple[str, float]]]
    shared: int = 0


def answers_of_annotators(
    protocol: Protocol,
    tasks: Sequence[TaskAnswers],
    submitted: Mapping[str, int],
    groups: Groups,
    draws: Resampling,
) -> Section:
    """How each annotator's answers and pages agree with those of all others, and with each.

    Args:
        tasks: tasks submitted by at least two people.
        submitted: annotator → number of submitted tasks.
    """
    measures = _measures(protocol)
    measure_words = (
        lazy_gettext("ANLS* and Page F1")
        if len(_main_measures(protocol)) > 1
        else measures[1].label
    )
    annotators = _compare_each(submitted, tasks, measures, protocol, groups)
    cells = {
        name: _annotator_cells(annotator, measures, draws) for name, annotator in annotators.items()
    }
    rows = [
        {
            "annotator": name,
            "rated": submitted[name],
            "shared": annotators[name].shared,
            **cells[name],
        }
        for name in sorted(
            cells, key=lambda name: (_agreement_order(cells[name][_AGREEMENT]), name)
        )
    ]
    columns = [
        Column("rated", "Tasks", "count", "Submitted tasks."),
        Column("shared", "Submitted by others too", "count"),
        *measures,
    ]
    agreement_note = lazy_gettext(
        "Agreement is the mean of {measure} with each of the others, over the tasks of "
        "both; sorted by agreement, highest first. Pairs in which neither gave anything "
        "are left out.",
        measure=measure_words,
    )
    parts: list[Table | Chart] = [
        annotator_table(columns, rows, [agreement_note]),
        *annotator_chart(
            {name: annotator_cells[_AGREEMENT] for name, annotator_cells in cells.items()},
            label=lazy_gettext("mean {measure} with the others", measure=measure_words),
            title=lazy_gettext("Whose answers and pages differ from the others'?"),
            axis=lazy_gettext(
                "Mean {measure} (1: identical, 0: nothing in common)", measure=measure_words
            ),
        ),
        _pairs(protocol, tasks, measures),
    ]
    note = lazy_gettext("All results are of answers and cited pages, which this campaign is about.")
    return Section("Annotators", parts, [note])


def _measures(protocol: Protocol) -> list[Column]:
    asks_answers = protocol.answer.kind != "off"
    help_ = lazy_gettext("Mean over the others and the shared tasks; see below the table.")
    return [
        Column(_AGREEMENT, "Agreement", "score", help_),
        *(_ANSWER if asks_answers else ()),
        *(_EVIDENCE if protocol.evidence.enabled else ()),
        *((_OUTCOME,) if asks_answers else ()),
    ]


def _main_measures(protocol: Protocol) -> list[str]:
    names = ["anls"] if protocol.answer.kind != "off" else []
    return [*names, "page_f1"] if protocol.evidence.enabled else names


def _value(pair: AnswerPair, measure: str, protocol: Protocol) -> float | None:
    if measure != _AGREEMENT:
        value: float | None = getattr(pair, measure)
        return value
    return mean_of_defined(getattr(pair, name) for name in _main_measures(protocol))


def _compare_each(
    names: Iterable[str],
    tasks: Sequence[TaskAnswers],
    measures: Sequence[Column],
    protocol: Protocol,
    groups: Groups,
) -> dict[str, _Annotator]:
    annotators = {name: _Annotator({column.key: [] for column in measures}) for name in names}
    for task in tasks:
        pairs_of: dict[str, list[AnswerPair]] = defaultdict(list)
        for people, pair in task.pairs:
            for name in people:
                pairs_of[name].append(pair)
        for name, pairs in pairs_of.items():
            annotators[name].shared += 1
            for measure, scored in annotators[name].scored.items():
                mean = mean_of_defined(_value(pair, measure, protocol) for pair in pairs)
                if mean is not None:
                    scored.append((groups.cluster(task.task), mean))
    return annotators


def _annotator_cells(
    annotator: _Annotator, measures: Sequence[Column], draws: Resampling
) -> dict[str, Cell]:
    cells = {}
    for column in measures:
        scored = annotator.scored[column.key]
        interval = draws.mean(scored, per_task=False)
        cells[column.key] = mean_cell(
            mean_of_defined(value for _, value in scored), interval, NO_COMPARABLE_PAIR
        )
    return cells


def _agreement_order(cell: Cell) -> float:
    return -cell.value if isinstance(cell.value, float) else 1.0


def _pairs(protocol: Protocol, tasks: Sequence[TaskAnswers], measures: Sequence[Column]) -> Table:
    pairs_of: dict[tuple[str, str], list[AnswerPair]] = defaultdict(list)
    people: set[str] = set()
    for task in tasks:
        for (a, b), pair in task.pairs:
            pairs_of[min(a, b), max(a, b)].append(pair)
            people |= {a, b}
    rows = []
    for names in sorted(pairs_of):
        cells = {
            column.key: value_cell(
                mean_of_defined(_value(pair, column.key, protocol) for pair in pairs_of[names]),
                NO_COMPARABLE_PAIR,
            )
            for column in measures
        }
        names_and_count = {"a": names[0], "b": names[1], "units": len(pairs_of[names])}
        rows.append(names_and_count | cells)
    n_unpaired = len(list(combinations(people, 2))) - len(pairs_of)
    note = lazy_gettext(
        "Not listed, since they submitted no task in common: {n_unpaired:,} of all pairs.",
        n_unpaired=n_unpaired,
    )
    columns = [Column("units", "Tasks", "count", "Tasks that both submitted."), *measures]
    return pair_table(columns, rows, [note] if n_unpaired else [])
