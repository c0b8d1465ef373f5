"""What an import must know of the pilot that a campaign requires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from pagetrail.annotation.comparison.pilot_gold import compared_parts
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.annotation.sentences import count_noun
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.database.tables import Campaign, Task

FEW_TASKS = 10
"""Tasks below which a pilot says little about a person."""


def check_required_pilot(connection: Connection, campaign: str, protocol: Protocol) -> None:
    """Refuse a campaign that requires a pilot nobody could pass.

    Raises:
        ConflictError: the pilot does not exist, is no pilot, or is this campaign.
    """
    name = protocol.requires
    if name is None:
        return
    rows = connection.execute(select(Campaign.name, Campaign.protocol)).all()
    pilots = [row.name for row in rows if row.protocol.get("pilot", {}).get("enabled")]
    known = f"Pilots: {', '.join(pilots)}." if pilots else "There are no pilots yet."
    if name == campaign:
        raise ConflictError(f"requires: campaign {name} cannot wait for itself. {known}")
    if name not in [row.name for row in rows]:
        raise ConflictError(
            f"requires: there is no campaign {name!r}. Import the pilot first. {known}"
        )
    if name not in pilots:
        raise ConflictError(
            f"requires: campaign {name} is no pilot (pilot.enabled is off). {known}"
        )


def pilot_remarks(
    connection: Connection, protocol: Protocol, tasks: Sequence[TaskRecord], batches: int
) -> list[str]:
    """What a person should know about an imported pilot, or of tasks that wait for one."""
    if protocol.pilot.enabled:
        return [
            *_cut(len(tasks), batches),
            *_too_few(len(tasks), batches),
            *_compared(protocol, tasks),
        ]
    if protocol.requires is None:
        return []
    seen: set[str] = {
        str(record.get("question"))
        for record in connection.execute(
            select(Task.record)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == protocol.requires)
        ).scalars()
    }
    shared = sum(task.question in seen for task in tasks)
    if not shared:
        return []
    return [
        f"Tasks whose question is in the pilot {protocol.requires} too: {shared:,}. Annotators "
        "have been shown the answers there."
    ]


def _compared(protocol: Protocol, tasks: Sequence[TaskRecord]) -> Iterator[str]:
    """What each task is right or wrong by; a part without gold is compared with nothing."""
    labels = review_parts(protocol)
    counts = Counter(part for task in tasks for part in compared_parts(protocol, task.to_json()))
    if counts:
        shown = "; ".join(
            f"{labels.get(part, part)}: {count:,} of {len(tasks):,} tasks"
            for part, count in counts.items()
        )
        yield f"Compared with the gold: {shown}."


def _too_few(tasks: int, batches: int) -> Iterator[str]:
    """With a handful of tasks chance decides who passes."""
    least = tasks // max(1, batches)
    ends = wilson(least, least)
    if least >= FEW_TASKS or ends is None:
        return
    yield (
        f"A batch of this pilot has {count_noun(least, 'task')} with gold: who "
        f"has all of them right may still be right in only {100 * ends[0]:.0f} % of such tasks "
        f"(95 % interval), and one slip moves the share by {100 / least:.0f} points. What to do: "
        f"put {FEW_TASKS} tasks or more into one file with a batch size that keeps them together, "
        "or decide on each person yourself under Pilots."
    )


def _cut(tasks: int, batches: int) -> Iterator[str]:
    if batches > 1:
        yield (
            f"This pilot is cut into {batches:,} batches. Each is a pilot of its own, and the "
            f"later ones are for those who do not pass; a batch size of {tasks} makes it one."
        )
