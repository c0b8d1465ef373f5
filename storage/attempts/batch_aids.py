"""Bookmarks and scratchpad of a person's batch, folded from the log of all its attempts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, and_, bindparam, or_, select
from sqlalchemy.orm import aliased

from pagetrail.annotation.attempts.batch_aids import AID_TYPES, BatchAids, fold_batch_aids
from pagetrail.storage.attempts.event_rows import EVENT_ROWS, event_of
from pagetrail.storage.database.tables import Attempt, EventRow
from pagetrail.storage.people.people_by_id import People

_OWN = aliased(Attempt)


def _of_own(column: Any) -> Any:
    return select(column).where(_OWN.id == bindparam("attempt")).scalar_subquery()


_BATCH = select(Attempt.id).where(
    or_(
        Attempt.id == bindparam("attempt"),
        and_(
            Attempt.assignment_id == _of_own(_OWN.assignment_id),
            Attempt.user_id == _of_own(_OWN.user_id),
        ),
    )
)
# Written out, so that both databases see that the partial index ix_event_aids serves.
_IS_AID = EventRow.type.in_(bindparam("aid_types", AID_TYPES, expanding=True, literal_execute=True))
_EVENTS = EVENT_ROWS.where(EventRow.attempt_id.in_(_BATCH), _IS_AID).order_by(EventRow.id)


def read_batch_aids(connection: Connection, attempt_id: str) -> BatchAids:
    """What the attempt's annotator has bookmarked and written in all tasks of the batch."""
    rows = connection.execute(_EVENTS, {"attempt": attempt_id})
    people = People(connection)
    return fold_batch_aids(event_of(row, people) for row in rows)
