"""MADQA's item analysis: table 7, figures 5, 13 and 21 (classical test theory)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagetrail.annotation.metrics.item_analysis import (
    EASY,
    FEWEST,
    HARD,
    Item,
    Split,
    difficulty_split,
    items,
)
from pagetrail.annotation.statistics.attempt_weights import task_means
from pagetrail.exports.papers.charts import (
    BINS,
    bin_index,
    difficulty_histogram,
    difficulty_shares,
    items_scatter,
)
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.cells import value_cell
from pagetrail.exports.reports.metrics.cells import (
    ACCURACY,
    ANLS,
    PARTICIPANT,
    result_cell,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table

TEST_SHARE = 500 / 2250
"""Of the questions, that MADQA puts into its test split."""

FEW_RESPONDENTS = 10
"""Respondents of an item below which its discrimination is mostly noise."""

_PARTS = {"sentinel": "Sentinel", "discriminating": "Discriminating", None: "Not chosen"}
_ANOMALOUS = ("Anomalous", "Not anomalous", "Unknown")
_DIFFICULTY = "p: mean score of the respondents; a lower p is harder."
_ITEM = (
    Column("task", "Item", "text"),
    Column("n", "n", "count", "Respondents with a score on the item."),
    Column("difficulty", "Difficulty", "score", _DIFFICULTY),
    Column("variance", "Variance", "score", "p (1 − p)."),
    Column(
        "discrimination",
        "Discrimination",
        "score",
        "Correlation of the item score with the respondent's mean score on all other items "
        "(point-biserial for scores of 0 and 1).",
    ),
    Column("part", "Split", "text", "Ground for inclusion in the test split."),
    Column("people", "People", "share", "Mean score of people on the item."),
    Column(
        "anomalous",
        "Anomalous",
        "text",
        "Mean score > 0.5 in the weaker half, < 0.5 in the stronger.",
    ),
)


def item_analysis(material: Material, size: int | None) -> list[Table | Figure] | str:
    """The tables and figures of item analysis, or why there are none.

    Args:
        size: of the test split; None for MADQA's share of the items.
    """
    participants = _respondents(material)
    responses = {
        participant.name: _scores(participant)
        for participant in participants
        if participant.decided
    }
    if len(responses) < FEWEST:
        return f"at least {FEWEST} respondents are required; the campaigns have {len(responses)}"
    found_items = items(responses)
    test_split = difficulty_split(
        found_items, size or max(1, round(TEST_SHARE * len(found_items))), responses
    )
    people = _people(material)
    rows = [_item_row(item, test_split, people) for item in found_items]
    respondents = (
        "Respondents are the systems."
        if participants[0].kind == "system"
        and all(participant.kind == "system" for participant in participants)
        else f"Respondents are the systems and the individual annotators, because fewer than "
        f"{FEWEST} systems took part. Item statistics use the respondents who attempted the item."
    )
    notes = [respondents, _NOTE]
    table = Table.from_rows(
        "items", "Items", "How hard and discriminating is each item?", _ITEM, rows, notes
    )
    with_discrimination = Table.from_rows(
        key="figure-5",
        title="Choice of the test split",
        question="Which items are in the test split?",
        columns=_ITEM,
        rows=[
            _item_row(i, test_split, people)
            for i in found_items
            if i.discrimination.value is not None
        ],
        notes=[*notes, "Items of undefined discrimination are not shown."],
    )
    difficulties = replace(
        table,
        key="figure-21-left",
        title="Item difficulty",
        question="How is item difficulty distributed?",
    )
    variances = replace(
        table,
        key="figure-21-right",
        title="Difficulty and variance",
        question="How are difficulty and variance related?",
    )
    return [
        _respondent_table(participants, material, respondents),
        table,
        _summary(found_items, test_split, people, notes),
        Figure(
            with_discrimination,
            items_scatter("difficulty", "discrimination", "part", list(_PARTS.values())),
        ),
        _distribution(found_items, test_split, notes),
        Figure(difficulties, difficulty_histogram),
        Figure(variances, items_scatter("difficulty", "variance", "anomalous", _ANOMALOUS)),
    ]


_NOTE = (
    "Classical test theory (Crocker & Algina 1986). The test split follows MADQA (Borchmann et al. "
    "2026, appendix D): up to one fifth are items with p ≤ 0.1; the others are drawn in turn from "
    "nine bins of difficulty, the most discriminating first. Spearman's ρ is computed on the "
    "responses that selected the split and is therefore optimistic. No intervals are given, "
    "because there are too few respondents to resample."
)


def _respondents(material: Material) -> list[Participant]:
    systems = [participant for participant in material.systems if participant.decided]
    return systems if len(systems) >= FEWEST else [*systems, *material.annotators]


def _scores(participant: Participant) -> dict[str, float]:
    """Task → the respondent's score on it; of several attempts, as in a study, their mean."""
    return task_means(row.scored_answer() for row in participant.decided)


def _people(material: Material) -> dict[str, float]:
    rows = [row for participant in material.people for row in participant.decided]
    return task_means(row.scored_answer() for row in rows)


def _item_row(item: Item, test_split: Split, people: Mapping[str, float]) -> RowValues:
    anomaly_labels = dict(zip((True, False, None), _ANOMALOUS, strict=True))
    return {
        "task": item.task,
        "n": item.n,
        "difficulty": item.difficulty,
        "variance": item.variance,
        "discrimination": _flagged(item),
        "part": _PARTS[test_split.parts.get(item.task)],
        "people": people.get(item.task),
        "anomalous": anomaly_labels[item.anomalous],
    }


def _flagged(item: Item) -> Cell:
    value = result_cell(item.discrimination)
    return replace(value, n=item.n, flag="few_respondents" if item.n < FEW_RESPONDENTS else None)


def _respondent_table(participants: Sequence[Participant], material: Material, note: str) -> Table:
    return Table.from_rows(
        "table-7",
        "Respondents of the item analysis",
        "Which respondents enter the item statistics?",
        (
            PARTICIPANT,
            Column("attempts", "n", "count", "Submitted attempts."),
            Column("anls", "ANLS*", "score", "Mean against the best variant (Peer et al. 2024)."),
            Column("accuracy", "Accuracy", "share", "Share of correct answers, mean over tasks."),
        ),
        [
            {
                "side": participant.name,
                "attempts": len(participant.rows),
                "anls": ANLS.cell(participant.rows, material.options),
                "accuracy": ACCURACY.cell(participant.rows, material.options),
            }
            for participant in material.ranked(participants)
        ],
        [note],
    )


def _summary(
    all_items: Sequence[Item], test_split: Split, people: Mapping[str, float], notes: Sequence[str]
) -> Table:
    parts = Counter(test_split.parts.values())
    n = len(all_items)
    items_with_anomaly = [item for item in all_items if item.anomalous is not None]
    failed = [item for item in all_items if item.task in people and people[item.task] < 0.5]
    counts = [
        ("Easy: p > 0.9", sum(item.difficulty > EASY for item in all_items), n),
        ("Hard: p < 0.1", sum(item.difficulty < HARD for item in all_items), n),
        (
            "Discriminating: 0.1 ≤ p ≤ 0.9",
            sum(HARD <= item.difficulty <= EASY for item in all_items),
            n,
        ),
        (
            "Anomalous: mean > 0.5 in the weaker half, < 0.5 in the stronger",
            sum(map(_is, items_with_anomaly)),
            len(items_with_anomaly),
        ),
        ("Mean score of people < 0.5", len(failed), sum(item.task in people for item in all_items)),
        (
            "Of these with p ≥ 0.7",
            sum(item.difficulty >= 0.7 for item in failed),
            len(failed),
        ),
        ("In the test split", len(test_split.parts), n),
        ("Of these sentinels: p ≤ 0.1", parts["sentinel"], len(test_split.parts)),
    ]
    rows = [
        {
            "what": label,
            "count": count,
            "n": total,
            "share": value_cell(count / total if total else None, "no_rows"),
        }
        for label, count, total in counts
    ]
    rho = test_split.correlation
    rows.append(
        {
            "what": "Spearman's ρ of respondents on split and all items",
            "count": rho.counts["items"],
            "n": rho.counts["respondents"],
            "share": None,
            "rho": result_cell(rho),
        }
    )
    return Table.from_rows(
        "item-summary",
        "Items and test split",
        "How many items are easy or hard, and does the split preserve the ranking?",
        (
            Column("what", "Items", "text"),
            Column("count", "Count", "count"),
            Column("n", "Of", "count", "Number of items; for ρ, number of respondents."),
            Column("share", "Share", "share"),
            Column("rho", "ρ", "score", "Spearman's rank correlation of accuracy."),
        ),
        rows,
        notes,
    )


def _is(item: Item) -> bool:
    return item.anomalous is True


def _distribution(all_items: Sequence[Item], test_split: Split, notes: Sequence[str]) -> Figure:
    sets = {
        "All items": list(all_items),
        "Test split": [i for i in all_items if i.task in test_split.parts],
    }
    rows = []
    for name, inside in sets.items():
        bins = Counter(bin_index(item.difficulty) for item in inside)
        rows += [
            {
                "set": name,
                "bin": label,
                "count": bins[position],
                "n": len(inside),
                "share": value_cell(bins[position] / len(inside) if inside else None, "no_rows"),
            }
            for position, label in enumerate(BINS)
        ]
    return Figure(
        Table.from_rows(
            "figure-13",
            "Item difficulty of all items and of the test split",
            "Does the test split retain difficult items?",
            (
                Column("set", "Items", "text"),
                Column("bin", "Difficulty p", "text", _DIFFICULTY),
                Column("count", "Count", "count"),
                Column("n", "n", "count", "Items of the set."),
                Column("share", "Share", "share", "Share of the items of the set."),
            ),
            rows,
            notes,
        ),
        difficulty_shares,
    )
