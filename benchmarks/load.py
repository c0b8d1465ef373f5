"""Many people at work on one server: how long each action takes, and whether anything is lost.

``python -m benchmarks.load --people 20 50 90`` drives a real server. Each person is a thread with a
signed-in connection and an open web socket of the task's screen, and works as MADQA's annotators
do, about two minutes a question: open the task, two searches with their thumbnails, six pages with
the next one fetched ahead, two citations, an answer typed in parts, and submitting. Pages are new
to the server or not, as it comes. Every acknowledged event is looked up in the database afterwards.

``--prepare FOLDER`` makes a workspace of 20,000 pages there, for as many people as the largest
round has, and runs nothing; ``--workspace FOLDER`` runs each round on a copy of it.

``--workers 2 --database URL`` moves the workspace of the only round to that empty PostgreSQL
database and starts so many servers behind one port; PostgreSQL's memory is not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPException
from pathlib import Path
from statistics import median, quantiles
from threading import Event as Flag
from threading import Thread
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import psutil
from rich.console import Console
from rich.table import Table
from websockets.exceptions import WebSocketException

from benchmarks.load_workspace import copied, prepare
from benchmarks.support import (
    LIBRARY,
    Client,
    Served,
    attempts_of,
    bench_workspace,
    corpus_folder,
    person_name,
    serving,
)
from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.operations.move import move_to_postgresql
from tests.attacks.screen_client import ScreenClient

PAGES = LIBRARY.parent / "pages_20k.jsonl.gz"
WORDS = ("annual", "revenue", "report", "energy", "method", "results", "growth", "water", "data")
THUMBNAILS = 5
PAGES_VIEWED = 6
QUESTION_S = 120.0
PAGE_DPI = 150
AHEAD = {"X-Pagetrail-Ahead": "1"}
SLOW_S = 1.0
SHARES = ((50, "p50"), (95, "p95"), (99, "p99"))
TARGETS_MS = {"sign-in": 1000.0}
TARGET_MS = 250.0


class Load:
    """What the people of one round measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.put_off: Counter[str] = Counter()
        self.acknowledged: set[tuple[str, str]] = set()

    def timed(self, action: str, work: Callable[[], Any]) -> Any:
        """Do it and note how long it took; a failure is counted, not raised."""
        began = time.perf_counter()
        try:
            return work()
        except (SystemExit, OSError, HTTPException, WebSocketException, ValueError) as error:
            self.errors[f"{action}: {str(error)[:80]}"] += 1
            return None
        finally:
            self.seconds[action].append(time.perf_counter() - began)


class RoundOver(Exception):
    """Stops everybody in the middle of their work: finishing it would be a burst."""


class Annotator(Thread):
    """A person with a browser tab.

    Args:
        pace: seconds of thinking are divided by it.
    """

    def __init__(
        self,
        number: int,
        served: Served,
        attempts: Sequence[str],
        load: Load,
        over: Flag,
        pace: float,
    ) -> None:
        super().__init__(daemon=True)
        self._name = person_name(number)
        self._served = served
        self._attempts = attempts
        self._load = load
        self._over = over
        self._pace = pace
        self._rng = random.Random(number)
        self._client = Client(served.port)
        self._made = 0

    def run(self) -> None:
        with suppress(RoundOver, OSError, WebSocketException):
            self._work()

    def _work(self) -> None:
        # People do not all arrive in the same second.
        self._think(self._rng.uniform(0, 20))
        cookie = self._load.timed("sign-in", lambda: self._client.sign_in(self._name))
        if cookie is None:
            return
        with ExitStack() as stack:
            screen = ScreenClient(self._served.url.rstrip("/"), cookie.partition("=")[2])
            stack.callback(screen.socket.close)
            for attempt in self._attempts:
                self._load.timed("screen", lambda a=attempt: screen.open("task", f"attempt={a}"))
                self._question(attempt)

    def _question(self, attempt: str) -> None:
        booted = self._load.timed("open task", lambda: self._client.boot(attempt))
        if booted is None:
            return
        token = quote(booted["token"], safe="")
        self._post(attempt, "opened", {"session": self._name})
        cited = False
        for _ in range(2):
            self._think(8)
            query = " ".join(self._rng.sample(WORDS, self._rng.randint(1, 3)))
            search_id = self._id()
            body = {"session": self._name, "id": search_id, "query": query}
            found = self._load.timed(
                "search",
                lambda b=body: self._client.post(f"/pagetrail/attempts/{attempt}/search", b),
            )
            if not found or not found["results"]:
                continue
            hits, documents = found["results"], found["documents"]
            for hit in hits[:THUMBNAILS]:
                self._image("thumbnail", documents, hit["document"], hit["page"], 40, token)
            self._read(attempt, self._rng.choice(hits[:THUMBNAILS]), documents, token)
            cited = True
        for end in (5, 10, 15):
            self._think(5)
            self._post(attempt, "answer_edited", {"text": "The answer is"[:end] + str(end)})
        self._post(attempt, "submitted", {"outcome": "answered" if cited else "not_found"})

    def _read(
        self, attempt: str, hit: dict[str, Any], documents: dict[str, Any], token: str
    ) -> None:
        document, page = hit["document"], hit["page"]
        for turn in range(PAGES_VIEWED // 2):
            number = min(page + turn, documents[document]["n_pages"])
            self._image("page", documents, document, number, 150, token)
            viewed = {"document": document, "page": number, "via": "jump"}
            self._post(attempt, "page_viewed", viewed)
            ahead = min(number + 1, documents[document]["n_pages"])
            self._image("page ahead", documents, document, ahead, 150, token, AHEAD)
            self._think(11)
        self._post(attempt, "citation_added", {"document": document, "page": page})

    def _image(
        self,
        action: str,
        documents: dict[str, Any],
        name: str,
        page: int,
        dpi: int,
        token: str,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        path = f"/pagetrail/page/{documents[name]['sha256']}/{page}?dpi={dpi}&v={token}"

        def load() -> None:
            status, body = self._client.get(path, headers)
            if status == 503 and (headers or dpi < PAGE_DPI):
                self._load.put_off[action] += 1  # the browser asks again, or does without
            elif status != 200:
                raise ValueError(f"{status} {body[:60]!r}")

        self._load.timed(action, load)

    def _post(self, attempt: str, kind: str, payload: dict[str, Any]) -> None:
        event = {"id": self._id(), "type": kind, "payload": payload, "age_ms": 0}
        body = {"session": self._name, "events": [event]}
        answer = self._load.timed(
            "event", lambda: self._client.post(f"/pagetrail/attempts/{attempt}/events", body)
        )
        for receipt in (answer or {}).get("receipts", []):
            self._load.acknowledged.add((attempt, receipt["id"]))
        for refusal in (answer or {}).get("refusals", []):
            self._load.errors[f"refused: {refusal}"[:100]] += 1

    def _id(self) -> str:
        self._made += 1
        return f"{self._name}-{os.getpid()}-{self._made}"

    def _think(self, seconds: float) -> None:
        # The server closes connections that are idle for seconds; a browser opens another.
        self._client.close()
        if self._over.wait(self._rng.uniform(0.5, 1.5) * seconds / self._pace):
            raise RoundOver


def main() -> None:
    """Run the rounds asked for; ends with 1 if an acknowledged event is not stored."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of PDF files; default: the library")
    parser.add_argument("--people", type=int, nargs="+", default=[20, 50, 90])
    parser.add_argument("--minutes", type=float, default=3.0, help="length of a round")
    parser.add_argument(
        "--pace", type=float, default=1.0, help="think times are divided by this; 1: two minutes"
    )
    parser.add_argument("--prepare", type=Path, help="make a workspace of 20,000 pages here")
    parser.add_argument("--workspace", type=Path, help="a folder that --prepare has made")
    parser.add_argument("--pages", type=Path, default=PAGES, help="page texts for --prepare, .gz")
    parser.add_argument("--workers", type=int, default=1, help="servers; more need --database")
    parser.add_argument("--database", help="an empty PostgreSQL database, for one round")
    options = parser.parse_args()
    if options.database and len(options.people) > 1:
        parser.error("--database holds one round: name one number of --people")
    console = Console()
    questions = 1 + int(options.minutes * 60 * options.pace * 1.5 / QUESTION_S)
    if options.prepare is not None:
        prepare(console, options.prepare, options.pages, max(options.people), questions)
        return
    lost = 0
    for people in options.people:
        with (
            copied(options.workspace)
            if options.workspace is not None
            else bench_workspace(corpus_folder(options.corpus), people, questions)
        ) as root:
            if options.database:
                workspace = Workspace.open(root)
                move_to_postgresql(workspace, options.database, SystemClock())
                workspace.engine.dispose()
                os.environ[DATABASE_URL] = options.database
            lost += _round(
                console, root, people, options.minutes * 60, options.pace, options.workers
            )
    if lost:
        raise SystemExit(1)


def _round(
    console: Console, root: Path, people: int, seconds: float, pace: float, workers: int
) -> int:
    load, over = Load(), Flag()
    work = [attempts_of(root, person_name(number)) for number in range(people)]
    with serving(root, ["--workers", str(workers)] if workers > 1 else []) as served:
        crowd = [
            Annotator(number, served, work[number], load, over, pace) for number in range(people)
        ]
        began, most = time.monotonic(), 0.0
        cpu_began, server_began = time.process_time(), processor_s(served.pid)
        for annotator in crowd:
            annotator.start()
        while time.monotonic() - began < seconds:
            over.wait(2.0)
            most = max(most, memory_mb(served.pid))
        taken = time.monotonic() - began
        shares = [
            (time.process_time() - cpu_began) / taken,
            *(
                (now - then) / taken
                for now, then in zip(processor_s(served.pid), server_began, strict=True)
            ),
        ]
        over.set()
        for annotator in crowd:
            annotator.join(60)
    lost = load.acknowledged - stored_events(root)
    _show(console, people, load, most, len(lost))
    console.print(
        "Cores in use: {:.2f} by this generator, {:.2f} by the server’s process, {:.2f} by its "
        "workers; {} images put off".format(*shares, dict(load.put_off))
    )
    return len(lost)


def memory_mb(pid: int) -> float:
    """Proportional set size of the server and its children, in megabytes."""
    total = 0
    server = psutil.Process(pid)
    for process in (server, *server.children(recursive=True)):
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


def processor_s(pid: int) -> tuple[float, float]:
    """Seconds of processor time: of the server's own process, and of its living children."""

    def used(process: psutil.Process) -> float:
        with suppress(psutil.Error):
            times = process.cpu_times()
            return float(times.user + times.system)
        return 0.0

    server = psutil.Process(pid)
    return used(server), sum(map(used, server.children(recursive=True)))


def stored_events(root: Path) -> set[tuple[str, str]]:
    """Attempt and client id of every event in the log."""
    workspace = Workspace.open(root)
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT attempt_id, client_event_id FROM event").all()
    workspace.engine.dispose()
    return {(row[0], row[1]) for row in rows}


def _show(console: Console, people: int, load: Load, memory_mb: float, lost: int) -> None:
    table = Table(
        "Action",
        title=f"{people} people, {os.cpu_count()} cores with the driver, "
        f"load {os.getloadavg()[0]:.1f}",
    )
    for column in ("n", *(name for _, name in SHARES), f"over {SLOW_S:g} s", "Target p95", ""):
        table.add_column(column, justify="right")
    for action, seconds in load.seconds.items():
        cuts = quantiles(seconds, n=100) if len(seconds) > 1 else seconds * 99
        target = TARGETS_MS.get(action, TARGET_MS)
        p95 = cuts[94] * 1000
        table.add_row(
            action,
            f"{len(seconds):,}",
            *(f"{cuts[share - 1] * 1000:,.0f} ms" for share, _ in SHARES),
            f"{sum(s > SLOW_S for s in seconds):,}",
            f"{target:,.0f} ms",
            "[green]pass[/]" if p95 <= target else "[red]miss[/]",
        )
    console.print(table)
    console.print(
        f"{len(load.acknowledged):,} events acknowledged, {lost} of them not stored; "
        f"{sum(load.errors.values())} errors; at most {memory_mb:,.0f} MB; "
        f"event median {median(load.seconds['event']) * 1000:.1f} ms"
        if load.seconds["event"]
        else "Nobody came to work."
    )
    for what, count in load.errors.most_common(5):
        console.print(f"  {count} × {json.dumps(what)}", markup=False)


if __name__ == "__main__":
    main()
