"""Projection of review: one row per task, and one per submitted attempt.

The transaction that changes an attempt only marks its task; the rows are computed a moment after
everybody has submitted it, or else when somebody looks, a few tasks per transaction, so that
submitting costs nothing. ``refresh`` may be stopped at
any point: what is left stays marked.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, bindparam, func, select

from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.ratings.tables import Ratings
from pagetrail.annotation.review import compare, drawn_for_check, status_of
from pagetrail.annotation.review.status import People
from pagetrail.annotation.timing.bulk import spent
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import EVENTS, REVIEWS, SUMMARIES
from pagetrail.storage.review.submissions import TaskWork, Worked, page_sizes, task_work

TASKS_AT_ONCE = 20
_MOMENTS = (
    select(
        EVENTS.c.attempt_id, EVENTS.c.seq, EVENTS.c.type, EVENTS.c.elapsed_ms, EVENTS.c.server_ts
    )
    .where(EVENTS.c.attempt_id.in_(bindparam("attempts", expanding=True)))
    .order_by(EVENTS.c.attempt_id, EVENTS.c.seq)
)
_STORED = select(SUMMARIES.c.attempt_id, SUMMARIES.c.handed_seq, SUMMARIES.c.last_seq).where(
    SUMMARIES.c.task_id == bindparam("task")
)
_STORE = REVIEWS.update().where(REVIEWS.c.task_id == bindparam("task"))


def stale_tasks(engine: Engine, campaign_id: int | None = None) -> int:
    """How many tasks have changed since their rows were worked out."""
    statement = select(func.count()).select_from(REVIEWS).where(REVIEWS.c.stale)
    if campaign_id is not None:
        statement = statement.where(REVIEWS.c.campaign_id == campaign_id)
    with engine.connect() as connection:
        return int(connection.execute(statement).scalar_one())


def refresh(
    engine: Engine, campaign_id: int | None = None, *, budget_s: float | None = None
) -> int:
    """Work out the rows of the tasks that have changed; returns how many are left.

    Args:
        budget_s: seconds after which no further tasks are started; None does all.
    """
    give_up = None if budget_s is None else time.monotonic() + budget_s
    changed = select(REVIEWS.c.task_id).where(REVIEWS.c.stale).order_by(REVIEWS.c.task_id)
    if campaign_id is not None:
        changed = changed.where(REVIEWS.c.campaign_id == campaign_id)
    while True:
        with engine.connect() as connection:
            ids = connection.execute(changed.limit(TASKS_AT_ONCE)).scalars().all()
        if not ids:
            return 0
        with write_transaction(engine) as connection:
            refresh_tasks(connection, ids)
        if give_up is not None and time.monotonic() > give_up:
            return stale_tasks(engine, campaign_id)


def refresh_tasks(connection: Connection, task_ids: Sequence[int]) -> None:
    """Work out the rows of these tasks, in a transaction that holds the write lock."""
    size_of = page_sizes(connection)
    readers: dict[int, Ratings] = {}
    for task_id in task_ids:
        work = task_work(connection, task_id)
        campaign_id = work.task.campaign_id
        if campaign_id not in readers:
            readers[campaign_id] = Ratings(work.task.protocol)
        _summaries(connection, work, readers[campaign_id])
        row = review_row(work, size_of)
        changed = connection.execute(_STORE, row | {"task": task_id})
        if changed.rowcount == 0:
            connection.execute(
                REVIEWS.insert().values(task_id=task_id, campaign_id=work.task.campaign_id, **row)
            )


def review_row(work: TaskWork, size_of: PageSizeOf) -> dict[str, Any]:
    """The columns of ``review_task`` for the work on a task."""
    task = work.task
    rule = task.protocol.review
    sides = work.sides()
    difference = compare(sides, rule, size_of)
    people = people_of(work)
    review = work.gold.state.review if work.gold is not None else None
    drawn = drawn_for_check(task.seed, task.key, rule.check_share)
    return {
        "stale": False,
        "status": status_of(people, difference, rule, review, drawn),
        "score": difference.score,
        "n_handed": people.handed,
        "flagged": people.flagged,
        "drawn": drawn,
        "gold_version": review.version if review else 0,
        "decided_by": review.decided_by if review else None,
        "decided_at": review.decided_at if review else None,
        "automatic": bool(review and review.automatic),
        "holder": review.holder if review else None,
        "held_at": work.gold.state.updated_at if work.gold and review and review.holder else None,
        "parts": json.dumps([asdict(part) for part in difference.parts], ensure_ascii=False),
        "sources": json.dumps(people.sources),
    }


def people_of(work: TaskWork) -> People:
    """The people's work, counted. Of a closed campaign nobody waits for more."""
    handed = [w for w in work.people if w.handed_in]
    return People(
        expected=work.task.protocol.overlap if work.task.open else 0,
        handed=len(handed),
        submitted=sum(w.state.status == "submitted" for w in handed),
        returned=sum(w.state.returned for w in work.people),
        flagged=any(w.state.flag is not None for w in work.people),
        sources=work.sources(),
    )


def awaited(work: TaskWork) -> bool:
    """Whether anybody still has to submit the task, for the first time or again."""
    people = people_of(work)
    return people.returned > 0 or people.handed < max(1, people.expected)


def _summaries(connection: Connection, work: TaskWork, ratings: Ratings) -> None:
    stored = {
        row.attempt_id: (row.handed_seq, row.last_seq)
        for row in connection.execute(_STORED, {"task": work.task.id})
    }
    handed = {w.attempt: w for w in work.people if w.handed_in}
    gone = [id_ for id_ in stored if id_ not in handed]
    new = [w for id_, w in handed.items() if stored.get(id_) != (w.handed_seq, w.state.last_seq)]
    for attempt_id in [*gone, *(w.attempt for w in new if w.attempt in stored)]:
        connection.execute(SUMMARIES.delete().where(SUMMARIES.c.attempt_id == attempt_id))
    if not new:
        return
    submitted = {side.attempt: side for side in work.sides()}
    times = _spent(connection, [w.attempt for w in new])
    connection.execute(
        SUMMARIES.insert(),
        [
            {
                "attempt_id": w.attempt,
                "task_id": work.task.id,
                "user_id": w.user_id,
                "campaign_id": work.task.campaign_id,
                "handed_seq": w.handed_seq,
                "last_seq": w.state.last_seq,
                "status": w.state.status,
                "outcome": w.state.outcome,
                "handed_at": times[w.attempt].at[w.handed_seq or 0],
                "wall_ms": times[w.attempt].wall_ms,
                "active_ms": times[w.attempt].active_ms,
                "n_searches": len(w.state.searches),
                "first_query_hit": first_query_hit(work.task.record, w),
                "ratings": json.dumps(
                    ratings.read(submitted[w.attempt]) if w.attempt in submitted else [],
                    ensure_ascii=False,
                ),
            }
            for w in new
        ],
    )


@dataclass(frozen=True)
class _Spent:
    """Times of one attempt, and when each of its submissions was stored."""

    wall_ms: int
    active_ms: int
    at: dict[int, str]


def _spent(connection: Connection, attempts: Sequence[str]) -> dict[str, _Spent]:
    """Of attempts with events. Kinds and moments alone: validating payloads takes far longer."""
    found = {}
    rows = connection.execute(_MOMENTS, {"attempts": list(attempts)})
    for attempt, group in groupby(rows, key=lambda row: row[0]):
        events = list(group)
        found[attempt] = _Spent(
            wall_ms=events[-1].elapsed_ms - events[0].elapsed_ms,
            active_ms=spent((event.type, event.elapsed_ms) for event in events).active_ms,
            at={e.seq: e.server_ts for e in events if e.type in SUBMITTED_OR_SKIPPED},
        )
    return found


def first_query_hit(record: dict[str, Any], attempt: Worked) -> bool | None:
    """Whether the first query that was run returned a gold page; None without query or gold."""
    gold = {(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []}
    first = next((s for s in attempt.state.searches if s.refusal is None), None)
    if not gold or first is None:
        return None
    return any(tuple(page) in gold for page in first.results)
