"""Two annotators submit answers that take long to compare: nobody else waits for it."""

from __future__ import annotations

import random
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.review import compare
from pagetrail.storage.database.tables import ReviewTask
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review import task_rows as computing
from pagetrail.storage.review.comparison_pool import ComparisonPool
from pagetrail.storage.review.projection import refresh_tasks, stale_tasks
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

LONG_S = 60.0
"""Seconds; before, comparing took over five minutes, and saves were refused after 15 s."""


@pytest.fixture
def desk(tmp_path: Path) -> Reviewed:
    """Tasks of two people, nothing submitted yet."""
    return campaign(tmp_path / "ws", PROTOCOL, RECORDS)


def _lines(seed: int) -> str:
    """500 answers in 20,000 characters."""
    rng = random.Random(seed)
    return "\n".join("".join(rng.choices("abcdefgh ", k=38)) + "." for _ in range(500))


def _status(desk: Reviewed, task: int) -> str:
    with desk.workspace.engine.connect() as connection:
        rows = select(ReviewTask.status).where(ReviewTask.task_id == task)
        return str(connection.execute(rows).scalar_one())


def test_five_hundred_lines_are_compared_while_others_save(desk: Reviewed) -> None:
    """The saves are acknowledged, and the task is compared before anybody's patience ends."""
    desk.answer("1-Ada", _lines(1), 1)
    desk.answer("1-Bo", _lines(2), 1)
    thread = Thread(target=desk.reviews.acceptance.settle, args=(CAMPAIGN,))
    thread.start()
    for number in range(20):
        desk.do("2-Ada", ev.NoteEdited(text=f"{number}"))
    thread.join(LONG_S)
    assert not thread.is_alive()
    assert _status(desk, 1) == "conflict"


def test_no_comparison_holds_the_write_lock(
    desk: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that does not end: others save, and what they change meanwhile is compared again."""
    desk.answer("1-Ada", "seal", 1)
    desk.answer("1-Bo", "seal", 1)
    started, saved = Event(), Event()
    compared_answers: list[tuple[str, ...]] = []

    def slow(submissions: list[Submission], *options: object) -> object:
        compared_answers.append(tuple(submission.answer[0] for submission in submissions))
        started.set()
        assert saved.wait(LONG_S)
        return compare(submissions, *options)  # type: ignore[arg-type]

    monkeypatch.setattr(computing, "compare", slow)
    thread = Thread(target=refresh_tasks, args=(desk.workspace.engine, [1]))
    thread.start()
    assert started.wait(LONG_S)
    desk.do("2-Ada", ev.NoteEdited(text="not kept waiting"))
    desk.answer("1-Bo", "otter", 2)
    saved.set()
    thread.join(LONG_S)
    assert compared_answers == [("seal", "seal"), ("seal", "otter")]
    assert (_status(desk, 1), stale_tasks(desk.workspace.engine)) == ("conflict", 0)
    assert rebuild(desk.workspace.engine, check=True).clean


def test_comparison_over_its_time_limit_goes_to_a_reviewer(desk: Reviewed) -> None:
    """The worker is killed; the task is in the queue with the reason, also after a restart."""
    desk.answer("1-Ada", "seal", 1)
    desk.answer("1-Bo", "seal", 1)
    engine = desk.workspace.engine
    pool = ComparisonPool(engine, limit_s=0.0)
    try:
        refresh_tasks(engine, [1], pool.rows_of)
    finally:
        pool.pool.close()
    assert (_status(desk, 1), stale_tasks(engine)) == ("conflict", 0)
    assert desk.reviews.acceptance.settle(CAMPAIGN) == 0
    (part,) = desk.reviews.streams.difference(desk.reviews.streams.task_work(1)).parts
    assert part.label == "Not compared: it takes over 0 s"
    assert rebuild(engine, check=True).clean
    desk.answer("1-Bo", "seal", 1)
    assert desk.reviews.acceptance.settle(CAMPAIGN) == 1


def test_worker_compares_like_this_process(desk: Reviewed) -> None:
    """And a pool that is closed leaves the task marked."""
    desk.answer("1-Ada", "seal", 1)
    desk.answer("1-Bo", "otter", 1)
    engine = desk.workspace.engine
    pool = ComparisonPool(engine)
    try:
        rows = pool.rows_of(1)
    finally:
        pool.pool.close()
    with engine.connect() as connection:
        assert rows == computing.task_rows(connection, 1)
    refresh_tasks(engine, [1], pool.rows_of)
    assert stale_tasks(engine) == 1
