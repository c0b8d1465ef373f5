"""The review queue as given in its address: its campaigns, its tasks, and a task's position in it.

A task opened from the queue carries the queue's address in one parameter, ``queue``, so that the
tasks before and after it are those of that queue.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qs

from typing_extensions import TypedDict

from pagetrail.annotation.messages import N_
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS, Status
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.facets import part_with_label, reviewed_campaigns
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.hidden_names import hides_names
from pagetrail.storage.review.queue import Neighbours, neighbours

NEEDED = "person"
"""The value for the default queue in the address; the same as none."""
ALL_STATUSES = "all"
PILOTS = "pilots"
"""Whether pilots are among the campaigns: ``true``, or anything else for no."""
PILOT = "pilot"
"""Asks for a pilot once, by name; a ``campaign`` would give way to the last screen's choice."""
CONTRADICTS = "contradicts"
"""Likewise, whether only tasks are shown on which everybody agrees against the dataset."""
ALL_CAMPAIGNS = N_("All campaigns")
"""Choice of the campaign: one queue of all of them, or of those named by ``among``."""
# Another screen's "batch" and "annotator" would be carried over instead of the address's own.
ADDRESS = (
    "campaign",
    "among",
    PILOTS,
    "status",
    "part",
    "who",
    "inbatch",
    "domain",
    "flagged",
    CONTRADICTS,
    "text",
)
MAX_TEXT = 200
"""Most characters of the text searched for: a search is costly."""
_MAX_ADDRESS = 4_000
ACROSS = "across"
"""Asks for all campaigns once: a ``campaign`` in a link gives way to the last screen's choice."""
MAX_AMONG = 40
"""Most campaigns that can be named; more are asked for by naming none."""
_MAX_VALUES = 60


class QueuePosition(TypedDict):
    """A task's position in the queue it was opened from.

    Attributes:
        total: tasks in the queue.
        following: the task to open after a decision.
        campaign: the choice that leads back to a queue of several campaigns; None where it has one.
        campaigns: their number.
    """

    position: int | None
    total: int
    next: int | None
    previous: int | None
    following: int | None
    filtered: bool
    campaign: str | None
    campaigns: int


def statuses_of(selected: str) -> tuple[Status, ...]:
    """The statuses of a choice in the address; anything unknown means the queue."""
    if selected == ALL_STATUSES:
        return tuple(STATUS_WORDS)
    return next(((status,) for status in STATUS_WORDS if status == selected), NEEDS_REVIEWER)


def next_task_filter(filters: Filters) -> Filters:
    """Filters of the tasks to go to next: of all tasks only those that need a reviewer."""
    return filters if len(filters.statuses) == 1 else replace(filters, statuses=NEEDS_REVIEWER)


def campaigns_of(
    selected: str, names: Sequence[str], campaigns: Mapping[str, int]
) -> tuple[int, ...]:
    """Ids of the chosen campaigns, in the queue's order; none where there is no such campaign.

    Args:
        names: with ``ALL_CAMPAIGNS``, the names of those meant; none, or none that exist, means
            all.
        campaigns: name → id.
    """
    if selected in campaigns:
        return (campaigns[selected],)
    if selected != ALL_CAMPAIGNS:
        return ()
    named_ids = [campaigns[name] for name in names if name in campaigns]
    return tuple(sorted(set(named_ids or campaigns.values())))


def campaigns_in(workspace: Workspace, campaign_id: int, address: str) -> tuple[int, ...]:
    """The campaigns of a queue's address; without one, that of the task."""
    params = _values_in(address)
    if params.get("campaign", [""])[0] != ALL_CAMPAIGNS:
        return (campaign_id,)
    campaigns = reviewed_campaigns(workspace.engine, pilots=_is_on(params.get(PILOTS, [""])[0]))
    return campaigns_of(ALL_CAMPAIGNS, params.get("among", []), campaigns) or (campaign_id,)


def filters_in(workspace: Workspace, campaigns: Sequence[int], address: str) -> Filters:
    """The filters in a queue's address, ``status=…&part=…&who=…``; unknown names are ignored.

    A value that no task of the campaigns has matches no tasks, rather than all. Where annotators'
    names are hidden, nobody can be asked for.
    """
    params = {name: values[0] for name, values in _values_in(address).items()}
    label = params.get("part")
    with workspace.engine.connect() as connection:
        nameless = any(hides_names(connection, campaign) for campaign in campaigns)
    return Filters(
        statuses=statuses_of(params.get("status", NEEDED)),
        part=None
        if label is None
        else part_with_label(workspace.engine, campaigns, label) or label,
        annotator=None if nameless else params.get("who"),
        batch=params.get("inbatch"),
        flagged=_is_on(params.get("flagged", "")),
        contradicts_dataset=_is_on(params.get(CONTRADICTS, "")),
        domain=params.get("domain"),
        text=params.get("text", "").strip()[:MAX_TEXT] or None,
    )


def _is_on(value: str) -> bool:
    return value.lower() == "true"


def _values_in(address: str) -> dict[str, list[str]]:
    try:
        # The database refuses lone surrogates.
        valid_text = address[:_MAX_ADDRESS].encode("utf-8", "replace").decode()
        params = parse_qs(valid_text, max_num_fields=_MAX_VALUES)
    except ValueError:
        return {}
    return {name: values for name, values in params.items() if name in ADDRESS}


def position_json(
    workspace: Workspace, campaign_id: int, task_id: int, address: str
) -> QueuePosition:
    """A task's position in the queue it was opened from, and the task after a decision.

    Raises:
        NotFoundError: no such task.
    """
    engine = workspace.engine
    campaigns = campaigns_in(workspace, campaign_id, address)
    filters = filters_in(workspace, campaigns, address)
    position = neighbours(engine, task_id, filters=filters, campaigns=campaigns)
    upcoming = position
    if next_task_filter(filters) != filters:
        upcoming = neighbours(
            engine, task_id, filters=next_task_filter(filters), campaigns=campaigns
        )
    return {
        "position": position.position,
        "total": position.total,
        "next": position.next,
        "previous": position.previous,
        "following": _following(upcoming),
        "filtered": filters != Filters(),
        "campaign": _campaign_in(address),
        "campaigns": len(campaigns),
    }


def _campaign_in(address: str) -> str | None:
    """The choice that leads back to a queue of several campaigns; None where it has one."""
    campaign = _values_in(address).get("campaign", [""])[0]
    return campaign if campaign == ALL_CAMPAIGNS else None


def _following(position: Neighbours) -> int | None:
    """The next task; at the end of the queue, one that was skipped."""
    return position.previous if position.next is None else position.next
