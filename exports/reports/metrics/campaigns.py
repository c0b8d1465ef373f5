"""Several campaigns in one report: one line per participant and campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.exports.reading.source import LeftOut, LeftOutOf
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.participants import Participant, participants_of
from pagetrail.exports.reports.model import Column, Table


def side_by_side(
    campaigns: Sequence[tuple[str, Measured]], *, by_annotator: bool, by_condition: bool = False
) -> tuple[Measured, list[Participant]]:
    """The rows of all campaigns together, and their participants, named with the campaign.

    Tasks of the same id and question in several campaigns are one task, so that participants are
    compared on it; where the questions differ, they are different tasks.

    Args:
        campaigns: name and rows of each, the report's campaign first.
    """
    first_name, first = campaigns[0]
    questions = dict(first.questions)
    batches = dict(first.batches)

    def sides_in(name: str, measured_rows: Measured) -> list[Participant]:
        campaign_participants = participants_of(
            measured_rows, by_annotator=by_annotator, by_condition=by_condition
        )
        return [_with_campaign(participant, name) for participant in campaign_participants]

    participants = sides_in(first_name, first)
    rows = list(first.rows)
    submission_times = dict(first.submission_times)
    conditions = dict(first.conditions)
    left_out = _in_campaign(first, first_name)
    for name, measured_rows in campaigns[1:]:
        new_keys = {
            task: f"{task} ({name})"
            for task, question in measured_rows.questions.items()
            if questions.get(task, question) != question
        }
        moved = replace(measured_rows, rows=[_moved(row, new_keys) for row in measured_rows.rows])
        participants += sides_in(name, moved)
        rows += moved.rows
        submission_times |= measured_rows.submission_times
        conditions |= measured_rows.conditions
        for task, question in measured_rows.questions.items():
            key = new_keys.get(task, task)
            questions.setdefault(key, question)
            batch = measured_rows.batches[task]
            batch_names = batches.setdefault(key, batch)
            if batch_names != batch:
                batches[key] = f"{batch_names} / {batch}"
        left_out += _in_campaign(measured_rows, name)
    combined = Measured(
        rows=rows,
        submission_times=submission_times,
        batches=batches,
        conditions=conditions,
        systems=sorted(
            {system for _, measured_rows in campaigns for system in measured_rows.systems}
        ),
        facts={"Campaigns": len(campaigns), lazy_gettext("Attempts measured"): len(rows)},
        left_out=left_out,
        questions=questions,
        verdicts={
            key: verdict
            for _, measured_rows in campaigns
            for key, verdict in measured_rows.verdicts.items()
        },
        judges=[
            replace(judge, name=judge.name + campaign_suffix(name))
            for name, measured_rows in campaigns
            for judge in measured_rows.judges
        ],
        judgement_of={
            key: judgement
            for _, measured_rows in campaigns
            for key, judgement in measured_rows.judgement_of.items()
        },
        against_gold={
            key: scores
            for _, measured_rows in campaigns
            for key, scores in measured_rows.against_gold.items()
        },
        calibrated_by=first.calibrated_by,
        own_answers=max(measured_rows.own_answers for _, measured_rows in campaigns),
        decided_by=first.decided_by,
        drawn_sample=first.drawn_sample if len(campaigns) == 1 else None,
    )
    return combined, participants


def campaigns_table(campaigns: Sequence[tuple[str, Measured]]) -> Table:
    """The table of campaigns with their counts."""
    labels = list(
        dict.fromkeys(label for _, measured_rows in campaigns for label in measured_rows.facts)
    )
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
                **{_key(label): measured_rows.facts.get(label, 0) for label in labels},
            }
            for name, measured_rows in campaigns
        ],
    )


def _key(label: str) -> str:
    return label.lower().replace(" ", "_").replace(",", "")


def _with_campaign(participant: Participant, campaign: str) -> Participant:
    return replace(participant, name=participant.name + campaign_suffix(campaign))


def campaign_suffix(campaign: str) -> str:
    """Suffix of a participant's name in a report of several campaigns."""
    return f" · {campaign}"


def _moved(row: Row, new_keys: dict[str, str]) -> Row:
    return replace(row, task=new_keys[row.task]) if row.task in new_keys else row


def _in_campaign(measured_rows: Measured, name: str) -> list[LeftOut]:
    return [
        LeftOutOf(entry.what, entry.reason, entry.count, entry.ids, name)
        for entry in measured_rows.left_out
    ]
