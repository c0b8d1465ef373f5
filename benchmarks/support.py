"""A workspace, a real server, an HTTP client and a browser for benchmarks."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any
from urllib.parse import urlencode

import pymupdf
from playwright.sync_api import Browser, Page, sync_playwright

from pagetrail.app.demo.corpus import FILES
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import COOKIE
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.thumbnails import draw_thumbnails
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support.browsers import ARGUMENTS, find_browser

PASSWORD = "benchmark password"
CAMPAIGN = "Benchmark"
LIBRARY = Path(__file__).parents[2] / "shared" / "corpora" / "library"
START_S = 60.0
LONG_DOCUMENTS = 6


@contextmanager
def corpus_folder(option: Path | None) -> Iterator[Path]:
    """The folder of PDFs to measure on: as an option says, the library, or the demo's documents
    with long ones made of their pages.
    """
    if option or LIBRARY.is_dir():
        yield option or LIBRARY
        return
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        files = sorted(FILES.glob("*.pdf"))
        for file in files:
            shutil.copy(file, folder)
        for number in range(LONG_DOCUMENTS):
            joined = files[number:] + files[:number]
            _join_documents(joined, Path(folder) / f"joined-{number + 1}.pdf")
        yield Path(folder)


def _join_documents(files: Sequence[Path], target: Path) -> None:
    with pymupdf.open() as document:
        for file in files:
            with pymupdf.open(file) as part:
                document.insert_pdf(part)
        document.save(target)


@contextmanager
def bench_workspace(pdfs: Path, people: int = 20, tasks: int = 25) -> Iterator[Path]:
    """A workspace over the PDFs with annotators ``p00``, ``p01``, …, each with an opened batch."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        root = Path(folder) / "ws"
        make_workspace(root, pdfs, people, tasks)
        yield root


def make_workspace(root: Path, pdfs: Path, people: int, tasks: int) -> None:
    """Create the workspace of ``bench_workspace``; files of its tasks are put beside it."""
    workspace = Workspace.create(root)
    ingested = ingest(workspace, [pdfs], ocr="never")
    ensure_index(workspace)
    draw_thumbnails(workspace, ingested.documents, lambda done, total: None)
    for number in range(people):
        add_user(workspace, person_name(number), "annotator", PASSWORD)
    _add_tasks(workspace, root.parent, people, tasks)
    workspace.engine.dispose()


def person_name(number: int) -> str:
    """The name of an annotator."""
    return f"p{number:02}"


def _add_tasks(workspace: Workspace, folder: Path, people: int, tasks: int) -> None:
    questions = folder / "tasks.jsonl"
    questions.write_text(
        "".join(
            json.dumps({"id": f"q{n:03}", "question": f"What is said of topic {n}, and where?"})
            + "\n"
            for n in range(1, tasks + 1)
        ),
        encoding="utf-8",
    )
    import_tasks(
        workspace,
        questions,
        campaign=CAMPAIGN,
        protocol="search",
        settings={"text.find": True},
        batch_size=tasks,
        overlap=people,
        seed=7,
    )
    services = Services(workspace)
    for number in range(people):
        person = find_person(workspace, person_name(number))
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(services, person, row.assignment_id)


def attempts_of(root: Path, name: str) -> list[str]:
    """The person's attempts in the person's own order."""
    workspace = Workspace.open(root)
    person = find_person(workspace, name)
    (row,) = my_batches.assignments(workspace.engine, person.id)
    attempts = [
        task.attempt_id for task in queries.batch_tasks(workspace.engine, row.assignment_id)
    ]
    workspace.engine.dispose()
    return attempts


def attempts_by_task(root: Path, name: str) -> dict[str, str]:
    """The person's attempts by the id of their task in the file that it was imported from."""
    workspace = Workspace.open(root)
    person = find_person(workspace, name)
    attempts = {
        task.key: task.attempt_id
        for row in my_batches.assignments(workspace.engine, person.id)
        for task in queries.batch_tasks(workspace.engine, row.assignment_id)
    }
    workspace.engine.dispose()
    return attempts


def documents_to_turn(root: Path, count: int, pages: int) -> list[tuple[str, Path]]:
    """Names and files of documents of at least that many pages, those of middling length.

    Raises:
        SystemExit: the folder has too few.
    """
    workspace = Workspace.open(root)
    corpus = Corpus(workspace)
    infos = [info for name in corpus.names() if (info := corpus.document(name))]
    workspace.engine.dispose()
    long = sorted((info for info in infos if info.n_pages >= pages), key=lambda i: i.n_pages)
    if len(long) < count:
        raise SystemExit(f"Turning pages needs {count} documents of {pages} pages or more.")
    start = (len(long) - count) // 2
    return [(info.name, corpus.path(info.sha256)) for info in long[start : start + count]]


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class RunningServer:
    """A running server: its port, its process id, and the seconds it took to answer."""

    port: int
    pid: int
    started_in_s: float

    @property
    def url(self) -> str:
        """Address of the first page."""
        return f"http://127.0.0.1:{self.port}/"


@contextmanager
def serving(root: Path, options: Sequence[str] = ()) -> Iterator[RunningServer]:
    """``pagetrail serve`` in a process of its own."""
    port = free_port()
    command = ["serve", str(root), "--port", str(port), "--no-tour", *options]
    with running(["-m", "pagetrail", *command], port, "/readyz") as server:
        yield server


@contextmanager
def running(arguments: Sequence[str], port: int, probe: str) -> Iterator[RunningServer]:
    """A Python process that serves HTTP on ``port``; ended with its children on leaving.

    Raises:
        SystemExit: it does not answer ``probe``; tells what it wrote.
    """
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=output, stderr=output, start_new_session=True
        )
        try:
            _wait_until_up(process, port, probe, output)
            yield RunningServer(port, process.pid, time.perf_counter() - started)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_until_up(
    process: subprocess.Popen[bytes], port: int, probe: str, output: IO[bytes]
) -> None:
    give_up = time.monotonic() + START_S
    while time.monotonic() < give_up and process.poll() is None:
        try:
            if Client(port).get(probe)[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.02)
    output.seek(0)
    raise SystemExit(f"The server does not answer:\n{output.read().decode(errors='replace')}")


class Client:
    """A keep-alive HTTP connection with the session's cookie."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Cookie": cookie} if cookie else {}

    def sign_in(self, name: str) -> str:
        """Sign in, again when the server is busy; returns the cookies as ``name=value; …``, the
        session's first.
        """
        while True:
            self._connection.request(
                "POST",
                "/pagetrail/login",
                urlencode({"name": name, "password": PASSWORD}),
                {"Content-Type": "application/x-www-form-urlencoded"},
            )
            reply = self._connection.getresponse()
            reply.read()
            if reply.status != 503:
                break
            time.sleep(float(reply.headers["retry-after"]))
        cookies = [header.partition(";")[0] for header in reply.headers.get_all("set-cookie", [])]
        session = [cookie for cookie in cookies if cookie.startswith(f"{COOKIE}=")]
        if not session:
            raise SystemExit(f"{name} could not sign in: {reply.status}")
        # A proxy's cookie keeps a browser at one server.
        self._headers["Cookie"] = "; ".join(dict.fromkeys(session + cookies))
        return self._headers["Cookie"]

    def get(
        self, path: str, headers: Mapping[str, str] = MappingProxyType({})
    ) -> tuple[int, bytes]:
        """Status and body."""
        self._connection.request("GET", path, headers=self._headers | dict(headers))
        reply = self._connection.getresponse()
        return reply.status, reply.read()

    def boot(self, attempt: str) -> dict[str, Any]:
        """The attempt's state; later requests carry its token."""
        status, body = self.get(f"/pagetrail/attempts/{attempt}")
        if status != 200:
            raise SystemExit(f"attempt {attempt}: {status} {body[:200]!r}")
        record: dict[str, Any] = json.loads(body)
        self._headers["X-Pagetrail"] = record["token"]
        return record

    def post(self, path: str, value: object) -> dict[str, Any]:
        """Send JSON, return JSON."""
        self._connection.request(
            "POST", path, json.dumps(value), {**self._headers, "Content-Type": "application/json"}
        )
        reply = self._connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            raise SystemExit(f"{path}: {reply.status} {body[:200]!r}")
        answer: dict[str, Any] = json.loads(body)
        return answer

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


@contextmanager
def browser() -> Iterator[Browser]:
    """The installed headless Chromium or Chrome; browsers that Playwright downloads are not used.

    Raises:
        SystemExit: none is installed.
    """
    program = find_browser()
    if program is None:
        raise SystemExit("No browser is installed. On Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield chromium
        chromium.close()


def signed_in_page(chromium: Browser, server: RunningServer, name: str) -> Page:
    """A page in a context of its own, signed in through the form."""
    page = chromium.new_context(viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"{server.url}pagetrail/login")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    page.wait_for_url(lambda url: "login" not in url)
    return page
