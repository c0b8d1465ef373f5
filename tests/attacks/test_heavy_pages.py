"""PDF pages that take very long to draw stop neither the server nor anybody else."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pagetrail.app.services.composition import Services
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.search.store import ensure_index
from tests.app.conftest import PASSWORD, make_workspace
from tests.app.signed_in import attempts_of
from tests.attacks.hostile_pdfs import write_blended_fills, write_rectangles
from tests.e2e.support.server_process import ServerProcess

HEAVY, PLOT, NORMAL = "blended.pdf", "plot.pdf", "report.pdf"
PATIENCE_S = 60.0
PAGE_S = 4.0
"""What drawing a page may take here; 10 s as installed."""


@dataclass(frozen=True)
class Reply:
    """An answer, and the seconds it took."""

    status: int
    body: bytes = field(repr=False)
    seconds: float


@dataclass(frozen=True)
class Reader:
    """A signed-in annotator who opens pages."""

    server: ServerProcess
    attempt: str
    cookie: str
    token: str
    hashes: dict[str, str]

    def page(self, document: str, number: int, dpi: int) -> Reply:
        """Open a page."""
        query = urlencode({"v": self.token, "dpi": dpi})
        return self.get(f"/pagetrail/page/{self.hashes[document]}/{number}?{query}")

    def get(self, path: str) -> Reply:
        """Ask for an address."""
        return ask(self.server, path, {"Cookie": self.cookie, "X-Pagetrail": self.token})


def ask(server: ServerProcess, path: str, headers: dict[str, str] | None = None) -> Reply:
    """GET over a connection of its own."""
    started_at = time.monotonic()
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path, headers=headers or {})
        reply = connection.getresponse()
        return Reply(reply.status, reply.read(), time.monotonic() - started_at)
    finally:
        connection.close()


@pytest.fixture(scope="module")
def heavy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, Path]]:
    """A server whose collection has the hostile files, accepted by ingest."""
    root = tmp_path_factory.mktemp("heavy")
    workspace = make_workspace(root)
    folder = root / "hostile"
    folder.mkdir()
    write_blended_fills(folder / HEAVY, pages=2)
    write_rectangles(folder / PLOT)
    assert (folder / HEAVY).stat().st_size < 15_000
    ingest(workspace, [folder], ocr="never", workers=1)
    ensure_index(workspace)
    workspace.engine.dispose()
    with ServerProcess(workspace.root, page_s=PAGE_S) as server:
        yield server, workspace.root


@pytest.fixture(scope="module")
def readers(heavy_server: tuple[ServerProcess, Path]) -> tuple[Reader, Reader]:
    """Alma and Bruno, each at a task with search: any page may be opened."""
    server, root = heavy_server
    services = Services(Workspace.open(root))
    corpus = Corpus(services.workspace)
    hashes = {name: info.sha256 for name in corpus.names() if (info := corpus.document(name))}
    attempts = [attempts_of(services, name)[0] for name in ("alma", "bruno")]
    services.workspace.engine.dispose()
    alma, bruno = (
        _signed_in(server, name, attempt, hashes)
        for name, attempt in zip(("alma", "bruno"), attempts, strict=True)
    )
    return alma, bruno


def _signed_in(server: ServerProcess, name: str, attempt: str, hashes: dict[str, str]) -> Reader:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    form = urlencode({"name": name, "password": PASSWORD})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": server.url}
    connection.request("POST", "/pagetrail/login", form, headers)
    cookie = connection.getresponse().headers["set-cookie"].partition(";")[0]
    connection.close()
    state = json.loads(ask(server, f"/pagetrail/attempts/{attempt}", {"Cookie": cookie}).body)
    return Reader(server, attempt, cookie, state["token"], hashes)


@contextmanager
def page_being_opened(reader: Reader, document: str, number: int) -> Iterator[Future[Reply]]:
    """A page that is being opened at 220 dpi, and has been for a moment."""
    with ThreadPoolExecutor(1) as thread:
        opening = thread.submit(reader.page, document, number, 220)
        time.sleep(0.5)
        yield opening


def test_a_page_that_takes_minutes_is_refused_and_nobody_else_waits(
    readers: tuple[Reader, Reader],
) -> None:
    """While it is drawn the health check answers, and another person's page is drawn."""
    alma, bruno = readers
    with page_being_opened(alma, HEAVY, 1) as opening:
        assert ask(alma.server, "/healthz").status == 200
        assert bruno.page(NORMAL, 1, 150).status == 200
        assert not opening.done(), "they waited for the page"
        refused = opening.result()
    second_reply = bruno.page(HEAVY, 1, 220)
    assert second_reply.body == refused.body
    assert second_reply.seconds < PAGE_S, (
        "it is remembered, so that fetching it ahead costs nothing"
    )
    assert refused.status == 422
    error = json.loads(refused.body)["error"]
    assert error["code"] == "page_refused"
    assert error["message"].startswith(
        f"Page 1 of {HEAVY} takes longer than {PAGE_S:g} s to draw at 220"
    )
    assert "simpler PDF" in error["message"]


def test_expensive_plot_delays_nobody(readers: tuple[Reader, Reader]) -> None:
    """100,000 rectangles: drawn or refused, while the other person's task is read and a page is
    drawn."""
    alma, bruno = readers
    with page_being_opened(alma, PLOT, 1) as opening:
        assert ask(alma.server, "/healthz").seconds < PAGE_S
        assert bruno.get(f"/pagetrail/attempts/{bruno.attempt}").seconds < PAGE_S
        assert bruno.page(NORMAL, 1, 75).status == 200
        assert opening.result().status in (200, 422)


def test_one_person_asking_for_many_heavy_pages_leaves_processes_to_others(
    readers: tuple[Reader, Reader],
) -> None:
    """People take turns: one of them occupies one process, however much is asked for."""
    alma, bruno = readers
    with ThreadPoolExecutor(8) as threads:
        replies = [threads.submit(alma.page, HEAVY, 2, dpi) for dpi in (220, 150, 75)]
        time.sleep(0.5)
        assert bruno.page(NORMAL, 2, 40).status == 200
        assert not all(reply.done() for reply in replies)
        assert all(reply.result().status == 422 for reply in replies)


def test_the_server_ends_at_once_while_a_page_is_drawn(
    heavy_server: tuple[ServerProcess, Path],
) -> None:
    """SIGTERM does not wait for the page; whoever waits for it is told, or loses the connection."""
    server, root = heavy_server
    server.stop()
    server.start()
    services = Services(Workspace.open(root))
    corpus = Corpus(services.workspace)
    hashes = {name: info.sha256 for name in corpus.names() if (info := corpus.document(name))}
    alma = _signed_in(server, "alma", attempts_of(services, "alma")[0], hashes)
    services.workspace.engine.dispose()
    with page_being_opened(alma, HEAVY, 1) as opening:
        assert not opening.done()
        server.stop()
        assert opening.exception() is not None or opening.result().status == 503
