"""Tasks that were just submitted are compared in the background."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.testclient import TestClient

from pagetrail.app.agents.client import AgentClient
from pagetrail.app.server import application as server
from pagetrail.app.services.composition import Services
from pagetrail.app.services.review_worker import MAX_QUEUED, ReviewWorker
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.campaigns.lifecycle import archive_campaign
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.review.projection import stale_tasks
from tests.app.conftest import PASSWORD
from tests.app.review_case import do
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import CAMPAIGN, campaign

LONG_S = 30.0
ANSWER: list[tuple[str, dict[str, object]]] = [
    ("opened", {"session": "tab"}),
    ("citation_added", {"document": "report.pdf", "page": 1}),
    ("answer_edited", {"text": "secret gold answer"}),
]
SUBMITTED = ("submitted", {"outcome": "answered"})


@pytest.fixture
def worker(services: Services) -> Iterator[ReviewWorker]:
    """The services' thread, started as the server does."""
    services.review_worker.start()
    yield services.review_worker
    services.close()


def task_awaiting_bruno(services: Services) -> tuple[int, str, str]:
    """A task with the attempts of alma, who has submitted it, and of bruno, who has only to."""
    alma = attempts_of(services, "alma")[0]
    task = queries.attempt(services.workspace.engine, alma).task_id
    bruno = next(
        attempt
        for attempt in attempts_of(services, "bruno")
        if queries.attempt(services.workspace.engine, attempt).task_id == task
    )
    do(services, "alma", alma, "a", *ANSWER, SUBMITTED)
    do(services, "bruno", bruno, "b", *ANSWER)
    return task, alma, bruno


def gold(services: Services, task: int) -> list[str]:
    """The kinds of events of the task's gold stream; it is not started by asking."""
    stream = services.reviews.streams.task_work(task).gold
    return [] if stream is None else [e.type for e in services.log.events(stream.attempt)]


def test_last_submission_turns_agreement_into_gold(
    services: Services, client: TestClient, worker: ReviewWorker
) -> None:
    """No supervisor looks: the annotator's own request is all there is, and its answer is plain."""
    task, _, bruno = task_awaiting_bruno(services)
    assert worker.drain(LONG_S)
    assert gold(services, task) == []
    sign_in(client, "bruno")
    reply = send(client, bruno, boot(client, bruno)["token"], ("last", *SUBMITTED))
    assert [r["id"] for r in reply.json()["receipts"]] == ["last"]
    assert worker.drain(LONG_S)
    assert gold(services, task) == ["gold_merged", "adjudicated"]
    task_work = services.reviews.streams.task_work(task)
    assert task_work.gold is not None
    review = task_work.gold.state.review
    assert review is not None
    assert (review.automatic, {s.annotator for s in review.sources}) == (True, {"alma", "bruno"})
    # Sent once more by a browser that missed the answer, and looked at by a supervisor.
    repeated_reply = send(client, bruno, boot(client, bruno)["token"], ("last", *SUBMITTED))
    assert repeated_reply.json()["receipts"][0]["repeated"]
    services.reviews.acceptance.settle(task_work.task.campaign_id)
    assert worker.drain(LONG_S)
    assert gold(services, task) == ["gold_merged", "adjudicated"]


def test_unfinished_comparisons_are_done_at_the_next_visit(services: Services) -> None:
    """The server was killed between: the task is marked, and accepted once."""
    task, _, bruno = task_awaiting_bruno(services)
    do(services, "bruno", bruno, "end", SUBMITTED)
    campaign_id = services.reviews.streams.task_work(task).task.campaign_id
    assert gold(services, task) == []
    assert stale_tasks(services.workspace.engine, campaign_id) == 1
    assert services.reviews.acceptance.settle(campaign_id) == 1
    assert gold(services, task) == ["gold_merged", "adjudicated"]


def test_nothing_is_written_while_somebody_still_works_on_the_task(
    services: Services, worker: ReviewWorker
) -> None:
    """One of two has submitted: no gold, no stream for it, and still marked for the next look."""
    task, alma, _ = task_awaiting_bruno(services)
    assert worker.drain(LONG_S)
    assert services.reviews.streams.task_work(task).gold is None
    assert stale_tasks(services.workspace.engine) == 1
    services.reviews.send_back(alma, "sven", "page 2?", (), "back-1")
    assert services.reviews.acceptance.settle_task(task) is False
    assert services.reviews.streams.task_work(task).gold is None


def test_agents_submission_does_not_fill_the_overlap(
    services: Services, worker: ReviewWorker
) -> None:
    """It goes through the same log, but the task still waits for the second person."""
    task, _, bruno = task_awaiting_bruno(services)
    with AgentClient(services, "Otters", "agent") as client:
        key = queries.attempt(services.workspace.engine, bruno).key
        client.open(key).submit("secret gold answer", [("report.pdf", 1)], "answered")
    assert worker.drain(LONG_S)
    assert gold(services, task) == []
    do(services, "bruno", bruno, "end", SUBMITTED)
    assert worker.drain(LONG_S)
    assert gold(services, task) == ["gold_merged", "adjudicated"]


def test_a_task_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """Any error is in the log with its trace and the attempt, and the next one is settled."""
    settled_attempts: list[str] = []

    def settle(attempt: str) -> None:
        if attempt == "bad":
            raise ZeroDivisionError("planted")
        settled_attempts.append(attempt)

    worker = ReviewWorker(settle, rest_s=0)
    worker.start()
    for attempt in ("bad", "good", "bad", "better"):
        worker.enqueue(attempt)
        assert worker.drain(LONG_S)
    worker.close()
    assert settled_attempts == ["good", "better"]
    failed = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert [r.getMessage() for r in failed] == ["settling the task of bad failed"] * 2
    assert all(r.exc_info and r.exc_info[0] is ZeroDivisionError for r in failed)


def test_skipped_task_goes_to_the_next_annotator(services: Services, worker: ReviewWorker) -> None:
    """By the campaign's setting, as soon as the server has the skip."""
    change_settings(services.workspace, None, "Otters", {"review.skipped": "next"})
    carla = add_user(services.workspace, "carla", "annotator", PASSWORD)
    alma = attempts_of(services, "alma")[0]
    do(services, "alma", alma, "a", ANSWER[0], ("skipped", {"reason": "cut off"}))
    assert worker.drain(LONG_S)
    (assignment,) = my_batches.assignments(services.workspace.engine, carla.id)
    assert (assignment.campaign, assignment.tasks) == ("Otters", 1)


def test_campaign_archived_meanwhile_is_left_unchanged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its last submission waits for the thread while it is archived: no gold, and no error."""
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    services = Services(reviewed.workspace, reviewed.clock)
    services.review_worker.start()
    for name in ("Ada", "Bo"):
        reviewed.answer(f"2-{name}", "seal", 3)
    archive_campaign(reviewed.workspace, None, "Random", unfinished=True)
    services.review_worker.enqueue("2-Bo")
    assert services.review_worker.drain(LONG_S)
    services.close()
    assert reviewed.reviews.streams.task_work(2).gold is None
    assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]


def test_closing_ends_after_the_task_in_work_and_takes_no_more() -> None:
    """What waits is dropped: it is marked in the database. Before the start nothing is kept."""
    settle_started, go_on = Event(), Event()
    settled_attempts: list[str] = []

    def settle(attempt: str) -> None:
        settle_started.set()
        assert go_on.wait(LONG_S)
        settled_attempts.append(attempt)

    worker = ReviewWorker(settle, rest_s=0)
    worker.enqueue("early")
    worker.start()
    worker.enqueue("first")
    assert settle_started.wait(LONG_S)
    for number in range(MAX_QUEUED + 1):
        worker.enqueue(f"more-{number}")
    assert len(worker._queue) == MAX_QUEUED
    closing = Thread(target=worker.close)
    closing.start()
    with worker._changed:
        assert worker._changed.wait_for(lambda: worker._pool is None, LONG_S)
    go_on.set()
    closing.join(LONG_S)
    assert not closing.is_alive()
    worker.enqueue("late")
    assert worker.drain(LONG_S)
    assert settled_attempts == ["first"]


def test_submitting_never_waits_for_the_comparison(services: Services) -> None:
    """Submitting does not notice a comparison that hangs or fails."""
    hang, settle_started = Event(), Event()

    def settle(_attempt: str) -> None:
        settle_started.set()
        assert hang.wait(LONG_S)
        raise OSError("planted")

    services.review_worker = ReviewWorker(settle, rest_s=0)
    services.review_worker.start()
    task, alma, bruno = task_awaiting_bruno(services)
    assert settle_started.wait(LONG_S)
    do(services, "bruno", bruno, "end", SUBMITTED)
    assert services.log.state(bruno).status == "submitted"
    assert services.log.state(alma).status == "submitted"
    hang.set()
    assert services.review_worker.drain(LONG_S)
    services.review_worker.close()
    assert (
        services.reviews.acceptance.settle(
            services.reviews.streams.task_work(task).task.campaign_id
        )
        == 1
    )


@pytest.mark.anyio
async def test_the_server_starts_and_ends_it(services: Services) -> None:
    """It takes attempts while the server is up, and none afterwards."""
    for name in ("search", "warm_up"):
        services.__dict__[name] = type("Nothing", (), dict.fromkeys(_METHODS, do_nothing))()
    async with server._lifespan(server.app):
        assert services.review_worker._pool is not None
    assert services.review_worker._pool is None


_METHODS = ("open", "start", "close")


def do_nothing(_self: object) -> None:
    """Nothing to search for here, and nothing to make ready."""
