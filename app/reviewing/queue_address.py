"""The review queue as given in its address: which tasks it has, and a task's position in it.

A task opened from the queue carries the queue's address in one parameter, ``queue``, so that the
tasks before and after it are those of that queue.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

from pagetrail.annotation.review.status import NEEDS_A_PERSON, Status
from pagetrail.annotation.review.status_words import STATUS_WORDS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.facets import part_called
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.hidden_names import hides_names
from pagetrail.storage.review.queue import Neighbours, neighbours

NEEDED = "person"
"""The value for the default queue in the address; the same as none."""
EVERYTHING = "all"
# Another screen's "batch" and "annotator" would be carried over instead of the address's own.
ADDRESS = ("campaign", "status", "part", "who", "inbatch", "domain", "flagged", "text")
MAX_TEXT = 200
"""Most characters of the text searched for: a search is costly."""
_MAX_ADDRESS = 4_000
_MAX_VALUES = 20


def statuses_of(chosen: str) -> tuple[Status, ...]:
    """The statuses of a choice in the address; anything unknown means the queue."""
    if chosen == EVERYTHING:
        return tuple(STATUS_WORDS)
    return next(((status,) for status in STATUS_WORDS if status == chosen), NEEDS_A_PERSON)


def ahead(filters: Filters) -> Filters:
    """Filters of the tasks to go to next: of all tasks only those that need a reviewer."""
    return filters if len(filters.statuses) == 1 else replace(filters, statuses=NEEDS_A_PERSON)


def filters_in(workspace: Workspace, campaign_id: int, address: str) -> Filters:
    """The filters in a queue's address, ``status=…&part=…&who=…``; unknown names are ignored.

    A value that no task of the campaign has matches no tasks, rather than all. Where annotators'
    names are hidden, nobody can be asked for.
    """
    try:
        # The database refuses lone surrogates.
        written = address[:_MAX_ADDRESS].encode("utf-8", "replace").decode()
        given = parse_qs(written, max_num_fields=_MAX_VALUES)
    except ValueError:
        given = {}
    said = {name: values[0] for name, values in given.items() if name in ADDRESS}
    label = said.get("part")
    with workspace.engine.connect() as connection:
        nameless = hides_names(connection, campaign_id)
    return Filters(
        statuses=statuses_of(said.get("status", NEEDED)),
        part=None if label is None else part_called(workspace.engine, campaign_id, label) or label,
        annotator=None if nameless else said.get("who"),
        batch=said.get("inbatch"),
        flagged=said.get("flagged", "").lower() == "true",
        domain=said.get("domain"),
        text=said.get("text", "").strip()[:MAX_TEXT] or None,
    )


def place_json(
    workspace: Workspace, campaign_id: int, task_id: int, address: str
) -> dict[str, Any]:
    """A task's position in the queue it was opened from, and the task after a decision.

    Raises:
        NotFoundError: no such task.
    """
    engine = workspace.engine
    filters = filters_in(workspace, campaign_id, address)
    place = neighbours(engine, task_id, filters=filters)
    then = place
    if ahead(filters) != filters:
        then = neighbours(engine, task_id, filters=ahead(filters))
    return {
        "position": place.position,
        "of": place.of,
        "next": place.next,
        "previous": place.previous,
        "following": _following(then),
        "filtered": filters != Filters(),
    }


def _following(place: Neighbours) -> int | None:
    """The next task; at the end of the queue, one that was skipped."""
    return place.previous if place.next is None else place.next
