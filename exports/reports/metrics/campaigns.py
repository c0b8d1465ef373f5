"""Several campaigns in one report: each participant of each campaign is a line of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.exports.reading.source import LeftOut, LeftOutOf
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.participants import Side, sides_of
from pagetrail.exports.reports.model import Column, Table


def side_by_side(
    campaigns: Sequence[tuple[str, Measured]], *, by_annotator: bool, by_condition: bool = False
) -> tuple[Measured, list[Side]]:
    """What is measured of all campaigns together, and their participants, named with the campaign.

    Tasks of the same id and question in several campaigns are one task, so that participants are
    compared on it; where the questions differ, they are different tasks.

    Args:
        campaigns: name and rows of each, the report's own first.
    """
    first_name, first = campaigns[0]
    questions = dict(first.questions)
    batches = dict(first.batches)

    def sides_in(name: str, found: Measured) -> list[Side]:
        own = sides_of(found, by_annotator=by_annotator, by_condition=by_condition)
        return [_named(side, name) for side in own]

    sides = sides_in(first_name, first)
    rows = list(first.rows)
    handed_in = dict(first.handed_in)
    conditions = dict(first.conditions)
    left_out = _in_campaign(first, first_name)
    for name, found in campaigns[1:]:
        own = {
            task: f"{task} ({name})"
            for task, question in found.questions.items()
            if questions.get(task, question) != question
        }
        moved = replace(found, rows=[_moved(row, own) for row in found.rows])
        sides += sides_in(name, moved)
        rows += moved.rows
        handed_in |= found.handed_in
        conditions |= found.conditions
        for task, question in found.questions.items():
            key = own.get(task, task)
            questions.setdefault(key, question)
            batch = found.batches[task]
            there = batches.setdefault(key, batch)
            if there != batch:
                batches[key] = f"{there} / {batch}"
        left_out += _in_campaign(found, name)
    together = Measured(
        rows=rows,
        handed_in=handed_in,
        batches=batches,
        conditions=conditions,
        systems=sorted({system for _, found in campaigns for system in found.systems}),
        facts={"Campaigns": len(campaigns), "Attempts measured": len(rows)},
        left_out=left_out,
        questions=questions,
        judged={key: each for _, found in campaigns for key, each in found.judged.items()},
    )
    return together, sides


def campaigns_table(campaigns: Sequence[tuple[str, Measured]]) -> Table:
    """What was measured of each campaign."""
    labels = list(dict.fromkeys(label for _, found in campaigns for label in found.facts))
    return Table.from_rows(
        key="campaigns",
        title="Campaigns",
        question="What do the results of each campaign rest on?",
        columns=[
            Column("campaign", "Campaign", "text"),
            *(Column(_key(label), label, "count") for label in labels),
        ],
        rows=[
            {
                "campaign": name,
                **{_key(label): found.facts.get(label, 0) for label in labels},
            }
            for name, found in campaigns
        ],
        notes=[],
    )


def _key(label: str) -> str:
    return label.lower().replace(" ", "_").replace(",", "")


def _named(side: Side, campaign: str) -> Side:
    return replace(side, name=side.name + campaign_suffix(campaign))


def campaign_suffix(campaign: str) -> str:
    """What follows a participant's name in a report of several campaigns."""
    return f" · {campaign}"


def _moved(row: Row, own: dict[str, str]) -> Row:
    return replace(row, task=own[row.task]) if row.task in own else row


def _in_campaign(found: Measured, name: str) -> list[LeftOut]:
    return [
        LeftOutOf(entry.what, entry.reason, entry.count, entry.ids, name)
        for entry in found.left_out
    ]
