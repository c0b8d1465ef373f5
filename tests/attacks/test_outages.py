"""A full disk, a database that is locked or stopped: 503 with the reason, on every route."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import parse_qs, urlsplit

import pytest
from httpx import Response
from sqlalchemy import create_engine, event, text
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import Busy, StorageError
from pagetrail.annotation.events import AnswerEdited
from pagetrail.app.server.application import EXCEPTION_HANDLERS, MIDDLEWARE, routes
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.engine import BUSY, POOL_TIMEOUT
from pagetrail.storage.database.location import DATABASE_NAME, DATABASE_URL, address_wanted
from pagetrail.storage.database.postgresql import postgresql_url
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.login_sessions import open_session
from tests.app.conftest import PASSWORD
from tests.app.conftest import services as services
from tests.app.outages import each_connection, limit_pages, read_only, write_lock
from tests.support.factory import make_workspace
from tests.support.postgresql import new_database

Outage = Callable[[Services], AbstractContextManager[None]]
_PATHS = {"attempt": "0" * 32, "task": "1", "sha256": "0" * 64, "number": "1", "assignment": "1"}
_WITHOUT_DATABASE = re.compile(r"/pagetrail/assets|/pagetrail/source|\{rest:path\}|oidc")
_PAGE = {"accept": "text/html"}


@contextmanager
def _browser_at(services: Services) -> Iterator[TestClient]:
    """A browser in front of the routes; what nobody catches is a 500 and in the log."""
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
        yield browser


@contextmanager
def full_disk(services: Services) -> Iterator[None]:
    """Nothing that makes the database grow is stored."""
    with closing(sqlite3.connect(services.workspace.root / DATABASE_NAME)) as connection:
        limit_pages(connection)
        row = "INSERT INTO sign_in_attempt (digest, at) VALUES (hex(randomblob(16)), ?)"
        with suppress(sqlite3.OperationalError):  # full: no page has room for another row
            while True:
                connection.execute(row, (iso(SystemClock().now()),))
                connection.commit()
    with each_connection(services, limit_pages):
        yield


@contextmanager
def locked(services: Services) -> Iterator[None]:
    """Another program holds the write lock for longer than anybody waits."""
    with (
        each_connection(services, lambda opened: opened.execute("PRAGMA busy_timeout = 20")),
        write_lock(services),
    ):
        yield


@contextmanager
def no_connection(services: Services) -> Iterator[None]:
    """All connections of the server are in use for longer than anybody waits."""
    engine = services.workspace.engine
    engine.dispose()
    with ExitStack() as assignment, pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.pool, "_timeout", 0.02)
        with suppress(POOL_TIMEOUT):
            while True:
                assignment.enter_context(engine.connect())
        yield


def _sign_in(browser: TestClient, headers: Mapping[str, str] = {}) -> Response:
    form = {"name": "alma", "password": PASSWORD}
    return browser.post("/pagetrail/login", data=form, headers=dict(headers))


def _require_unavailable(reply: Response) -> None:
    assert reply.status_code == 503, (reply.status_code, reply.text[:300])
    assert int(reply.headers["retry-after"]) > 0
    assert "Traceback" not in reply.text


@pytest.mark.parametrize(
    ("outage", "reason"),
    [
        (full_disk, "disk is full"),
        (locked, "busy with other work"),
        (no_connection, "busy with other work"),
        (read_only, "cannot be written"),
    ],
)
def test_signing_in_during_an_outage_is_503_with_the_reason(
    outage: Outage, reason: str, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """For a browser a page, for programs JSON; afterwards the same form signs in."""
    with _browser_at(services) as browser:
        with outage(services):
            page, answer = _sign_in(browser, _PAGE), _sign_in(browser)
        for reply in (page, answer):
            _require_unavailable(reply)
            assert reason in reply.text
        assert page.headers["content-type"].startswith("text/html")
        assert answer.json()["error"]["code"].startswith("storage_")
        assert _sign_in(browser).status_code == 303
    _require_no_trace(caplog)


def _require_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


class StoppablePostgreSQL:
    """A workspace in PostgreSQL, reached through a link that is taken away to stop the server."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        address = new_database()
        parts = urlsplit(address)
        self._real = Path(parse_qs(parts.query)["host"][0])
        self._address = address
        # A socket's path has at most 107 bytes, fewer than a test's folder may have.
        self._link = Path(mkdtemp(prefix="pg", dir="/tmp")) / "l"
        self._link.symlink_to(self._real)
        monkeypatch.setenv(DATABASE_URL, address.replace(str(self._real), str(self._link)))
        workspace = make_workspace(folder / "ws", address=address_wanted())
        self.services = Services(workspace)

    def stop(self) -> None:
        """End its connections; there is nothing to connect to any more."""
        self._link.unlink()
        url = postgresql_url(self._address)
        engine = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :d"),
                {"d": url.database},
            )
        engine.dispose()

    def remove_link(self) -> None:
        """Remove the link and its folder."""
        self._link.unlink(missing_ok=True)
        self._link.parent.rmdir()

    def start(self) -> None:
        """Let it be reached again."""
        self._link.symlink_to(self._real)


@pytest.fixture
def stoppable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoppablePostgreSQL]:
    """The workspace, wired in."""
    database = StoppablePostgreSQL(tmp_path, monkeypatch)
    wiring.replace_services(database.services)
    yield database
    wiring.replace_services(None)
    database.services.workspace.engine.dispose()
    database.remove_link()


def test_every_route_says_that_the_database_is_out_of_reach(
    stoppable: StoppablePostgreSQL, caplog: pytest.LogCaptureFixture
) -> None:
    """503, the reason and when to try again; the log has a line for each and no trace."""
    token = _session(stoppable.services.workspace)
    with _browser_at(stoppable.services) as browser:
        stoppable.stop()
        for method, path in _requests():
            browser.cookies.set("pagetrail_session", token)
            reply = browser.request(method, path, headers={"accept": "application/json"})
            assert reply.status_code == 503, (method, path, reply.status_code, reply.text[:200])
            _require_unavailable(reply)
            assert "cannot be reached" in reply.text
        page = browser.get("/batches", headers=_PAGE)
        _require_unavailable(page)
        assert "cannot be reached" in page.text
        assert page.headers["refresh"], "an open page shows by itself when it is over"
        stoppable.start()
        browser.cookies.clear()
        assert browser.get("/batches", headers=_PAGE).status_code == 303
    assert any("storage_gone" in record.getMessage() for record in caplog.records)
    _require_no_trace(caplog)


def _session(workspace: Workspace) -> str:
    return open_session(workspace, find_person(workspace, "Ada").id, timedelta(hours=1))


def _requests() -> list[tuple[str, str]]:
    """A request to each route that needs the database, as somebody who is signed in."""
    requests = []
    for route in routes():
        if _WITHOUT_DATABASE.search(route.path) or route.path == "/metrics":
            continue
        path = re.sub(r"\{(\w+)(?::\w+)?\}", lambda m: _PATHS.get(m[1], "1"), route.path)
        requests += [(method, path) for method in sorted(route.methods or ()) if method != "HEAD"]
    assert len(requests) > 20
    return requests


def test_an_event_is_stored_once_when_the_database_fails_over(
    stoppable: StoppablePostgreSQL,
) -> None:
    """Its connections end just before the commit; once it is back, the same event is sent again."""
    engine, log = stoppable.services.workspace.engine, stoppable.services.log
    ada = find_person(stoppable.services.workspace, "Ada")
    assignment = assignments(engine, ada.id)[0]
    ensure_attempts(engine, assignment.assignment_id, SystemClock())
    attempt = queries.batch_tasks(engine, assignment.assignment_id)[0].attempt_id
    row = queries.attempt(engine, attempt)

    def edit(text: str) -> int:
        command = Command(text, AnswerEdited(text=text))
        recorded = stoppable.services.recorder.record(row.context(), [command])
        return recorded.receipts[0].seq

    assert edit("a") == 1
    event.listen(engine, "commit", lambda _: stoppable.stop(), once=True)
    for _ in ("at the commit", "while it is away"):
        with pytest.raises(StorageError):
            edit("b")
    stoppable.start()
    assert [edit("b"), edit("b"), edit("c")] == [2, 2, 3]
    assert [e.client_event_id for e in log.events(attempt)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "error", [StorageError(BUSY, code="storage_busy"), Busy("So many wait."), OSError(28, "full")]
)
def test_a_screen_shows_the_reason(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """The sentence, in place of “something went wrong”; the log has one line."""

    def screen(error: Exception) -> None:
        from pagetrail.app.server.application import script_failed  # noqa: PLC0415

        script_failed(error)

    message = AppTest.from_function(screen, args=(error,)).run().error[0].value
    assert "went wrong" not in message
    assert message.split(".")[0].replace("\\", "") in str(error) or "disk is full" in message
    _require_no_trace(caplog)
    assert logging.WARNING in {record.levelno for record in caplog.records}
