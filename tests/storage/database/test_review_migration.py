"""A workspace of the first schema, with work in it, opened by this version."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.tables import BATCHES, REVIEWS, SUMMARIES
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.projection import stale_tasks
from tests.storage.database.old_database import old_tables, old_workspace
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

NEW_TABLES = {"review_task", "attempt_summary", "qualification"}
NEW_PARTS = ("review", "returned", "comments")


def first_workspace(root: Path, source: Path) -> None:
    """A workspace as the first version would have left it after the same work."""
    old_workspace(root, "0001", source)
    assert not old_tables(root) & NEW_TABLES
    with sqlite3.connect(root / DATABASE_NAME) as database:
        for attempt, state in database.execute("SELECT attempt_id, state FROM response").fetchall():
            known = {k: v for k, v in json.loads(state).items() if k not in NEW_PARTS}
            database.execute(
                "UPDATE response SET state = ? WHERE attempt_id = ?", (json.dumps(known), attempt)
            )


def test_old_work_is_compared_when_somebody_first_looks(tmp_path: Path) -> None:
    """Every row is still there, the log is still append-only, and the queue is what it would be."""
    made = campaign(tmp_path / "new", PROTOCOL, RECORDS)
    made.answer("1-Ada", "42", 1)
    made.answer("1-Bo", "forty", 2)
    made.answer("2-Ada", "seal", 3)
    made.answer("2-Bo", "seal", 3)
    events = [
        event for name in ("1-Ada", "1-Bo", "2-Ada", "2-Bo") for event in made.log.events(name)
    ]
    made.workspace.engine.dispose()
    first_workspace(tmp_path / "old", tmp_path / "new" / DATABASE_NAME)

    opened = Reviewed(Workspace.open(tmp_path / "old"))
    engine = opened.workspace.engine
    assert stale_tasks(engine) == 2
    again = [
        event for name in ("1-Ada", "1-Bo", "2-Ada", "2-Bo") for event in opened.log.events(name)
    ]
    assert again == events
    assert opened.reviews.settle(CAMPAIGN) == 1
    with engine.connect() as connection:
        stands = dict(connection.execute(select(REVIEWS.c.task_id, REVIEWS.c.status)).all())  # type: ignore[arg-type]
        handed = connection.execute(select(SUMMARIES.c.attempt_id)).scalars().all()
        priorities = connection.execute(select(BATCHES.c.priority)).scalars().all()
    assert stands == {1: "conflict", 2: "accepted"}
    assert sorted(handed) == ["1-Ada", "1-Bo", "2-Ada", "2-Bo"]
    assert set(priorities) == {0}
    assert rebuild(engine, check=True).clean
    engine.dispose()
    with sqlite3.connect(tmp_path / "old" / DATABASE_NAME) as database:
        with pytest.raises(sqlite3.DatabaseError):
            database.execute("DELETE FROM event")
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert stale_tasks(Workspace.open(tmp_path / "old").engine) == 0


def test_old_times_that_a_comment_had_made_longer_are_computed_again(tmp_path: Path) -> None:
    made = campaign(tmp_path / "new", PROTOCOL, RECORDS)
    for name in ("1-Ada", "1-Bo"):
        made.answer(name, "42", 1)
    made.reviews.settle(CAMPAIGN)
    made.clock.advance(seconds=70)
    made.reviews.comment("1-Ada", "Sofia", "Well done.", "c1")
    wanted = select(SUMMARIES.c.attempt_id, SUMMARIES.c.wall_ms).order_by(SUMMARIES.c.attempt_id)
    with made.workspace.engine.connect() as connection:
        times = connection.execute(wanted).all()
    made.workspace.engine.dispose()
    old_workspace(tmp_path / "old", "0018", tmp_path / "new" / DATABASE_NAME)
    with sqlite3.connect(tmp_path / "old" / DATABASE_NAME) as database:
        database.execute("UPDATE attempt_summary SET wall_ms = 73000, last_seq = handed_seq + 1 "
                         "WHERE attempt_id = '1-Ada'")  # fmt: skip

    opened = Reviewed(Workspace.open(tmp_path / "old"))
    assert stale_tasks(opened.workspace.engine) == 1
    opened.reviews.settle(CAMPAIGN)
    with opened.workspace.engine.connect() as connection:
        assert connection.execute(wanted).all() == times
