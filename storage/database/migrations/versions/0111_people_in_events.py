"""Events, stored states and review rows name people by their ids."""

import json
import logging
from typing import Any

import sqlalchemy as sa
from alembic import op

from pagetrail.storage.database.append_only import changeable_log

revision = "0111"
down_revision = "0110"
branch_labels = None
depends_on = None

_EVENTS_AT_ONCE = 50_000
_log = logging.getLogger(__name__)


def upgrade() -> None:
    connection = op.get_bind()
    op.execute(
        "ALTER TABLE event ADD COLUMN actor_id INTEGER "
        "CONSTRAINT fk_event_actor_id_user_account REFERENCES user_account (id)"
    )
    op.execute(
        "ALTER TABLE review_task ADD COLUMN holder_id INTEGER "
        "CONSTRAINT fk_review_task_holder_id_user_account REFERENCES user_account (id)"
    )
    op.execute(
        "ALTER TABLE review_task ADD COLUMN decided_by_id INTEGER "
        "CONSTRAINT fk_review_task_decided_by_id_user_account REFERENCES user_account (id)"
    )
    if connection.dialect.name == "postgresql":
        for table, column in (
            ("event", "actor_id"),
            ("review_task", "holder_id"),
            ("review_task", "decided_by_id"),
        ):
            op.alter_column(table, column, type_=sa.BigInteger(), existing_nullable=True)
    op.execute(
        "UPDATE review_task SET holder_id = (SELECT id FROM user_account WHERE name = holder), "
        "decided_by_id = (SELECT id FROM user_account WHERE name = decided_by)"
    )
    op.drop_column("review_task", "holder")
    op.drop_column("review_task", "decided_by")
    users = connection.execute(sa.text("SELECT id, name FROM user_account"))
    ids = {row.name: row.id for row in users}
    with changeable_log(connection):
        change_actors(connection)
        change_payloads(connection, ids)
    change_states(connection, ids)


def change_actors(connection: sa.Connection) -> None:
    last = connection.execute(sa.text("SELECT max(id) FROM event")).scalar() or 0
    change = sa.text(
        "UPDATE event SET actor_id = user_account.id, actor = '' FROM user_account "
        "WHERE user_account.name = event.actor AND event.id BETWEEN :first AND :last"
    )
    for first in range(1, last + 1, _EVENTS_AT_ONCE):
        done = min(first + _EVENTS_AT_ONCE - 1, last)
        connection.execute(change, {"first": first, "last": done})
        if last > _EVENTS_AT_ONCE:
            _log.warning("upgraded %d of %d events", done, last)


def change_payloads(connection: sa.Connection, ids: dict[str, int]) -> None:
    events = sa.text(
        "SELECT id, CAST(payload AS TEXT) AS payload FROM event "
        "WHERE type IN ('review_taken', 'gold_merged', 'adjudicated')"
    )
    change = sa.text("UPDATE event SET payload = :payload WHERE id = :id").bindparams(
        sa.bindparam("payload", type_=sa.JSON)
    )
    for row in connection.execute(events).all():
        payload = json.loads(row.payload)
        if _with_ids(payload, ("over",), ids):
            connection.execute(change, {"payload": payload, "id": row.id})


def change_states(connection: sa.Connection, ids: dict[str, int]) -> None:
    """Earlier versions stored comments in states too; they are read from their events only."""
    states = sa.text(
        "SELECT attempt_id, state FROM attempt_state WHERE state LIKE '%\"review\":{%' "
        "OR state LIKE '%\"comments\":[{%'"
    )
    change = sa.text("UPDATE attempt_state SET state = :state WHERE attempt_id = :attempt")
    for row in connection.execute(states).all():
        state = json.loads(row.state)
        has_comments = state.pop("comments", None)
        if _with_ids(state.get("review") or {}, ("holder", "decided_by"), ids) or has_comments:
            stored = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
            connection.execute(change, {"state": stored, "attempt": row.attempt_id})


def _with_ids(values: dict[str, Any], fields: tuple[str, ...], ids: dict[str, int]) -> bool:
    """Replace names in these fields and in ``sources``; returns whether there were any."""
    places = [(values, field) for field in fields]
    places += [(source, "annotator") for source in values.get("sources", ())]
    named = [(holder, field) for holder, field in places if holder.get(field) in ids]
    for holder, field in named:
        holder[field] = ids[holder[field]]
    return bool(named)
