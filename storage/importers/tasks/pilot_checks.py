"""Checks and warnings about pilots, and about campaigns that require one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from pagetrail.annotation.comparison.pilot_gold import compared_parts
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.sentences import count_noun
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.tables import Campaign, Task

FEW_TASKS = 10
"""Number of tasks below which a pilot says little about a person."""


def check_required_pilot(connection: Connection, campaign: str, protocol: Protocol) -> None:
    """Refuse a campaign whose required pilot nobody could pass.

    Raises:
        ConflictError: the campaign does not exist, is not a pilot, or is this campaign.
    """
    name = protocol.requires
    if name is None:
        return
    rows = connection.execute(select(Campaign.name, Campaign.protocol)).all()
    pilots = [row.name for row in rows if row.protocol.get("pilot", {}).get("enabled")]
    pilots_shown = f"Pilots: {', '.join(pilots)}." if pilots else "There are no pilots yet."
    if name == campaign:
        raise ConflictError(
            gettext(
                "requires: campaign {name} cannot wait for itself. {pilots_shown}",
                name=name,
                pilots_shown=pilots_shown,
            )
        )
    if name not in [row.name for row in rows]:
        raise ConflictError(
            gettext(
                "requires: there is no campaign {name!r}. Import the pilot first. {pilots_shown}",
                name=name,
                pilots_shown=pilots_shown,
            )
        )
    if name not in pilots:
        raise ConflictError(
            gettext(
                "requires: campaign {name} is not a pilot (pilot.enabled is off). {pilots_shown}",
                name=name,
                pilots_shown=pilots_shown,
            )
        )


def pilot_remarks(
    connection: Connection, protocol: Protocol, tasks: Sequence[TaskRecord], batches: int
) -> list[str]:
    """Warnings about an imported pilot, or about tasks that require one."""
    if protocol.pilot.enabled:
        return [
            *_several_batches_remarks(len(tasks), batches),
            *_small_batch_remarks(len(tasks), batches),
            *_comparison_remarks(protocol, tasks),
        ]
    if protocol.requires is None:
        return []
    pilot_questions: set[str] = {
        str(record.get("question"))
        for record in connection.execute(
            select(Task.record)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == protocol.requires)
        ).scalars()
    }
    shared = sum(task.question in pilot_questions for task in tasks)
    if not shared:
        return []
    return [
        f"Tasks whose question is also in the pilot {protocol.requires}: {shared:,}. Annotators "
        "have seen the answers there."
    ]


def _comparison_remarks(protocol: Protocol, tasks: Sequence[TaskRecord]) -> Iterator[str]:
    """The parts that are compared with gold, and in how many tasks."""
    labels = review_parts(protocol)
    counts = Counter(part for task in tasks for part in compared_parts(protocol, task.to_json()))
    if counts:
        part_counts = "; ".join(
            f"{labels.get(part, part)}: {count:,} of {len(tasks):,} tasks"
            for part, count in counts.items()
        )
        yield f"Compared with the gold: {part_counts}."


def _small_batch_remarks(tasks: int, batches: int) -> Iterator[str]:
    """A warning if a batch has so few tasks that chance decides who passes."""
    least = tasks // max(1, batches)
    ends = wilson(least, least)
    if least >= FEW_TASKS or ends is None:
        return
    yield (
        f"A batch of this pilot has {count_noun(least, 'task')} with gold: "
        f"somebody who gets all of them right may still be right in only {100 * ends[0]:.0f} % of "
        f"such tasks (95 % interval), and one slip changes the share by {100 / least:.0f} points. "
        f"Put at least {FEW_TASKS} tasks into one file with a batch size that keeps them together, "
        "or decide on each person yourself under Pilots."
    )


def _several_batches_remarks(tasks: int, batches: int) -> Iterator[str]:
    if batches > 1:
        yield (
            f"This pilot is split into {batches:,} batches. Each is a separate pilot, and the "
            f"later ones are for those who do not pass; a batch size of {tasks} makes it one."
        )
