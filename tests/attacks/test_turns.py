"""Who waits where more is wanted than can be done: never those whose work is to be stored."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Lock
from typing import Any

import psutil
import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from pagetrail.annotation.errors import Busy
from pagetrail.app.server import socket_sessions
from pagetrail.app.services.composition import Services
from pagetrail.app.services.person_turns import TooManyRequests
from pagetrail.app.services.render_queue import MAX_PER_PERSON, MAX_WAITING, Need, RenderQueue
from pagetrail.app.services.screen_turns import ScreenTurns
from pagetrail.app.services.signing_in.hashing_queue import HashingQueue
from pagetrail.app.workspace.annotator_actions import EVENTS_AT_ONCE
from pagetrail.storage.corpus.page_workers import PageWorkers
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.credentials import hash_password
from pagetrail.storage.people.password_workers import PasswordWorkers
from tests.app.conftest import PASSWORD
from tests.app.conftest import server_client as server_client
from tests.app.conftest import services as services
from tests.app.signed_in import at_work, attempts_of, boot, send, sign_in


def test_pages_are_rendered_before_thumbnails_before_prefetched_pages() -> None:
    """Whatever came first; what is fetched ahead and then wanted is rendered as a page."""
    rendered_names: list[str] = []

    async def render() -> None:
        queue = RenderQueue(1)
        started, free = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()

        def first() -> None:
            loop.call_soon_threadsafe(started.set)
            free.wait()

        def rendering(name: str) -> Callable[[], None]:
            return lambda: rendered_names.append(name)

        waiting = [asyncio.create_task(queue.run(0, "first", first))]
        await started.wait()
        for person, (name, need) in enumerate(
            [("ahead", 2), ("ahead, then wanted", 2), ("thumbnail", 1), ("page", 0)], start=1
        ):
            waiting.append(
                asyncio.create_task(queue.run(person, name, rendering(name), Need(need)))
            )
        await asyncio.sleep(0)
        name = "ahead, then wanted"
        waiting.append(asyncio.create_task(queue.run(2, name, rendering(name), Need.PAGE)))
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*waiting)

    asyncio.run(render())
    assert rendered_names == ["ahead, then wanted", "page", "thumbnail", "ahead"]


def test_a_persons_page_does_not_wait_for_their_thumbnails_nor_one_person_for_another() -> None:
    """Whoever has had a rendering waits behind others who want one as much."""
    rendered_names: list[str] = []

    async def render() -> None:
        queue = RenderQueue(1)
        started, free = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()

        def first() -> None:
            loop.call_soon_threadsafe(started.set)
            free.wait()

        tasks = [asyncio.create_task(queue.run(1, "first", first, Need.THUMBNAIL))]
        await started.wait()
        for person, name, need in [
            (1, "second", Need.THUMBNAIL),
            (1, "third", Need.THUMBNAIL),
            (2, "another's", Need.THUMBNAIL),
            (1, "page", Need.PAGE),
        ]:
            rendering = queue.run(person, name, partial(rendered_names.append, name), need)
            tasks.append(asyncio.create_task(rendering))
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*tasks)

    asyncio.run(render())
    assert rendered_names == ["page", "another's", "second", "third"]


def test_one_persons_renderings_are_limited() -> None:
    """More are refused; others are not affected."""

    async def render() -> None:
        queue = RenderQueue(1)
        free = Event()
        tasks = [
            asyncio.create_task(queue.run(1, number, free.wait)) for number in range(MAX_PER_PERSON)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests, match="waiting for 60 pages"):
            await queue.run(1, "one more", free.wait)
        tasks.append(asyncio.create_task(queue.run(2, "another's", free.wait)))
        await asyncio.sleep(0)
        free.set()
        assert all(await asyncio.gather(*tasks))

    asyncio.run(render())


def test_thumbnails_and_prefetched_pages_leave_a_core_free() -> None:
    """Two cores have three processes: pages occupy all, the others one, until somebody waits."""
    running: set[str] = set()

    async def render() -> None:
        queue = RenderQueue(3)
        started, free = asyncio.Queue[str](), Event()
        loop = asyncio.get_running_loop()
        tasks: list[asyncio.Task[None]] = []

        def request(name: str, need: Need) -> None:
            def hold() -> None:
                running.add(name)
                loop.call_soon_threadsafe(started.put_nowait, name)
                free.wait()

            tasks.append(asyncio.create_task(queue.run(len(tasks), name, hold, need)))

        request("thumbnail", Need.THUMBNAIL)
        assert await started.get() == "thumbnail"
        request("other thumbnail", Need.THUMBNAIL)
        request("ahead", Need.PREFETCH)
        request("page", Need.PAGE)
        assert await started.get() == "page"
        assert running == {"thumbnail", "page"}
        request("ahead", Need.PAGE)  # now somebody waits for it
        assert await started.get() == "ahead"
        assert running == {"thumbnail", "page", "ahead"}
        free.set()
        await asyncio.gather(*tasks)

    asyncio.run(render())
    assert "other thumbnail" in running


def test_prefetched_pages_are_refused_first_and_pages_last() -> None:
    """With a time to ask again; the queue of each need has an end."""

    async def render() -> dict[Need, int]:
        queue = RenderQueue(1)
        free = Event()
        waiting_counts = dict.fromkeys(Need, 0)
        tasks = []
        for need in reversed(Need):
            for number in range(MAX_WAITING[Need.PAGE] * 2):
                task = asyncio.create_task(queue.run(number, (need, number), free.wait, need))
                await asyncio.sleep(0)
                if task.done():
                    error = task.exception()
                    assert isinstance(error, Busy)
                    assert error.retry_after_s is not None
                    assert error.retry_after_s >= 1
                    break
                tasks.append(task)
                waiting_counts[need] += 1
        free.set()
        await asyncio.gather(*tasks)
        return waiting_counts

    waiting_counts = asyncio.run(render())
    assert (
        waiting_counts[Need.PREFETCH] < waiting_counts[Need.THUMBNAIL] < waiting_counts[Need.PAGE]
    )
    assert sum(waiting_counts.values()) <= 2 * sum(MAX_WAITING.values())


def test_screens_run_two_at_a_time_and_one_of_each_session() -> None:
    """Twelve people with three tabs each; who waits for a computation lets others run."""
    turns = ScreenTurns(2, longest_wait_s=60)
    lock = Lock()
    running: list[str] = []
    most_running = 0

    def run(session: str) -> None:
        nonlocal most_running
        with turns.turn(session):
            with lock:
                assert session not in running
                running.append(session)
                most_running = max(most_running, len(running))
            with lock:
                running.remove(session)

    with ThreadPoolExecutor(36) as tabs:
        list(tabs.map(run, [f"s{number % 12}" for number in range(36)]))
    assert 1 <= most_running <= 2

    barrier = Barrier(4, timeout=30)

    def wait_for_report(session: str) -> None:
        with turns.turn(session), turns.pause():
            barrier.wait()  # four at once: none of them holds a turn

    with ThreadPoolExecutor(4) as tabs:
        list(tabs.map(wait_for_report, "abcd"))


def test_hanging_screen_delays_others_only_briefly() -> None:
    """Also one of the same session."""
    turns = ScreenTurns(1, longest_wait_s=0.01)
    with turns.turn("a"), ThreadPoolExecutor(2) as threads:

        def run(session: str) -> str:
            with turns.turn(session):
                return session

        assert list(threads.map(run, ["a", "b"])) == ["a", "b"]


def test_excess_sign_ins_get_a_retry_time(server_client: TestClient, services: Services) -> None:
    """503 with a time on the sign-in page, and no attempt counted; afterwards they sign in."""
    services.hashing = HashingQueue(max_waiting=0)
    for _ in range(20):  # more than the attempts of one person
        form = {"name": "alma", "password": PASSWORD}
        reply = server_client.post("/pagetrail/login", data=form)
        assert reply.status_code == 503
        assert int(reply.headers["retry-after"]) >= 1
        assert "Many people are signing in" in reply.text
        assert 'value="alma"' in reply.text
    services.hashing = HashingQueue()
    sign_in(server_client, "alma")


def test_drawing_and_hashing_have_a_lower_priority_than_the_server(tmp_path: Path) -> None:
    """By the operating system: whoever stores work is computed first."""
    passwords, pages = PasswordWorkers(), PageWorkers(tmp_path, size=1)
    try:
        for pool in (passwords.pool, pages.pool):
            pool.start()
            assert pool.ready(60)
            (*pids,) = pool.pids()
            assert pids
        stored = hash_password(PASSWORD)
        assert passwords.verify(stored, PASSWORD)
        assert not passwords.verify(stored, "another password")
        assert not passwords.verify(None, PASSWORD)
        server_niceness = os.nice(0)
        for pid in [*passwords.pool.pids(), *pages.pool.pids()]:
            assert psutil.Process(pid).nice() > server_niceness
    finally:
        passwords.pool.close()
        pages.pool.close()


def test_text_search_runs_in_a_worker_process(
    server_client: TestClient, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's own process reads no page for it; where it is not allowed, nobody does."""
    attempt, token = at_work(server_client, services)
    calls: list[str] = []

    def compute(function: str, *args: Any, **_options: Any) -> list[tuple[int, int]]:
        calls.append(function)
        return [(2, 3)]

    monkeypatch.setattr(services.checks, "compute", compute)
    monkeypatch.setattr(services.corpus, "texts", lambda _name: pytest.fail("read in the server"))
    ask = {"id": "f", "document": "report.pdf", "text": "otters"}
    url, headers = f"/pagetrail/attempts/{attempt}/find", {"X-Pagetrail": token}
    assert server_client.post(url, json=ask, headers=headers).status_code == 409
    assert not calls
    tasks = tmp_path / "finding.jsonl"
    tasks.write_text('{"id": "f1", "question": "Which?"}')
    import_tasks(
        services.workspace, tasks, campaign="Finding", protocol="search", overlap=2, seed=1,
        settings={"text.find": True},
    )  # fmt: skip
    (attempt,) = attempts_of(services, "alma", "Finding")
    url, headers = f"/pagetrail/attempts/{attempt}/find", {}
    headers["X-Pagetrail"] = boot(server_client, attempt)["token"]
    reply = server_client.post(url, json=ask, headers=headers)
    assert reply.status_code == 200, reply.text
    assert reply.json()["pages"] == [[2, 3]]
    assert calls == ["pagetrail.app.workspace.find_computation:hits_in_document"]


def test_a_large_batch_is_stored_in_small_transactions(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others' events come in between; receipts and refusals are those of the whole batch."""
    attempt, token = at_work(server_client, services)
    sizes: list[int] = []
    record = services.recorder.record

    def counting(context: Any, commands: Any, *args: Any) -> Any:
        sizes.append(len(commands))
        return record(context, commands, *args)

    monkeypatch.setattr(services.recorder, "record", counting)
    events = [(f"e{number}", "note_edited", {"text": str(number)}) for number in range(100)]
    reply = send(server_client, attempt, token, *events).json()
    assert max(sizes) <= EVENTS_AT_ONCE
    assert [receipt["id"] for receipt in reply["receipts"]] == [id_ for id_, *_ in events]
    assert reply["last_seq"] == 100
    assert send(server_client, attempt, token).json()["last_seq"] == 100


def test_closing_all_tabs_does_not_give_a_person_a_new_rate(
    services: Services, server_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened and closed in turn, web sockets wait for each other as open ones do."""
    sign_in(server_client, "alma")
    cookie = "; ".join(f"{name}={value}" for name, value in server_client.cookies.items())
    rates: list[object] = []
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        rates.append(sessions._open[-1].rate)

    async def receive_disconnect() -> Message:
        return {"type": "websocket.disconnect"}

    async def ignore(_message: Message) -> None:
        pass

    sessions = socket_sessions.SocketSessions(app)
    monkeypatch.setattr(sessions, "_watch", lambda: None)
    monkeypatch.setattr(socket_sessions.asyncio, "sleep", pause)
    headers = [(b"host", b"testserver"), (b"cookie", cookie.encode())]
    scope = {"type": "websocket", "scheme": "ws", "path": "/", "headers": headers}

    async def open_and_close() -> None:
        for _ in range(60):
            await sessions(dict(scope), receive_disconnect, ignore)

    asyncio.run(open_and_close())
    assert len(set(map(id, rates))) == 1
    assert max(waits) > 5
