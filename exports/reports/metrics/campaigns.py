"""Several campaigns in one report: one line per participant and campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reading.source import LeftOut, LeftOutOf
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt
from pagetrail.exports.reports.metrics.participants import Participant, participants_of
from pagetrail.exports.reports.model import Column, Table


def side_by_side(
    campaigns: Sequence[Measured], *, by_annotator: bool, by_condition: bool = False
) -> tuple[Measured, list[Participant]]:
    """The rows of all campaigns together, and their participants, named with the campaign.

    Tasks of the same id and question in several campaigns are one task, so that participants are
    compared on it; where the questions differ, they are different tasks.

    Args:
        campaigns: the report's campaign first.
    """
    questions: dict[str, str] = {}
    participants: list[Participant] = []
    rows: list[MeasuredAttempt] = []
    guesses: list[MeasuredAttempt] = []
    for campaign in campaigns:
        suffix = campaign_suffix(campaign.name)
        asked = {row.task: row.question for row in [*campaign.rows, *campaign.guesses]}
        new_keys = {
            task: f"{task} ({campaign.name})"
            for task, question in asked.items()
            if questions.get(task, question) != question
        }
        for task, question in asked.items():
            questions.setdefault(new_keys.get(task, task), question)
        moved = replace(campaign, rows=[_moved(row, new_keys) for row in campaign.rows])
        rows += moved.rows
        guesses += [
            replace(_moved(row, new_keys), system=row.system + suffix) for row in campaign.guesses
        ]
        participants += [
            replace(participant, name=participant.name + suffix)
            for participant in participants_of(
                moved, by_annotator=by_annotator, by_condition=by_condition
            )
        ]
    together = Measured(
        name=", ".join(campaign.name for campaign in campaigns),
        rows=rows,
        guesses=guesses,
        systems=sorted({system for campaign in campaigns for system in campaign.systems}),
        facts={"Campaigns": len(campaigns), lazy_gettext("Attempts measured"): len(rows)},
        left_out=[entry for campaign in campaigns for entry in _left_out_of(campaign)],
    )
    return together, participants


def campaigns_table(campaigns: Sequence[Measured]) -> Table:
    """The table of campaigns with their counts."""
    labels = list(dict.fromkeys(label for campaign in campaigns for label in campaign.facts))
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
                "campaign": campaign.name,
                **{_key(label): campaign.facts.get(label, 0) for label in labels},
            }
            for campaign in campaigns
        ],
    )


def _key(label: str) -> str:
    return label.lower().replace(" ", "_").replace(",", "")


def campaign_suffix(campaign: str) -> str:
    """Suffix of a participant's name in a report of several campaigns."""
    return f" · {campaign}"


def _moved(row: MeasuredAttempt, new_keys: dict[str, str]) -> MeasuredAttempt:
    return replace(row, task=new_keys[row.task]) if row.task in new_keys else row


def _left_out_of(campaign: Measured) -> list[LeftOut]:
    return [
        LeftOutOf(entry.what, entry.reason, entry.count, entry.ids, campaign.name)
        for entry in campaign.left_out
    ]
