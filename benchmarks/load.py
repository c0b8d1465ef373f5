"""Many people at work on one server: how long each action takes, and whether anything is lost.

Each person is a thread with a signed-in connection and an open web socket of the task's screen, and
works as MADQA's annotators do, about two minutes a question: open the task, two searches with their
thumbnails, six pages with the next one fetched ahead, two citations, an answer typed in parts, and
submitting. Pages are new to the server or not, as it comes. Every acknowledged event is looked up
in the database afterwards; one that is not stored is a miss.

``load`` runs rounds of ``--people``. ``--prepare FOLDER`` makes a workspace of 20,000 pages there,
for as many people as the largest round has, and runs nothing; ``--prepared FOLDER`` runs each round
on a copy of it. ``--workers 2 --database URL`` moves the workspace of the only round to that empty
PostgreSQL database and starts that many servers behind one port; memory is without PostgreSQL.

``soak`` has each person answer as many questions as they would in ``--hours``, without the time to
think. The memory of all processes once a tenth is done, when caches have filled, is compared with
that of the last tenth.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.client import HTTPException
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from threading import Event as Flag
from threading import Thread
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import psutil
import pymupdf
from rich.console import Console
from websockets.exceptions import WebSocketException

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    Client,
    RunningServer,
    attempts_of,
    bench_workspace,
    make_workspace,
    person_name,
    serving,
)
from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.move import move_to_postgresql
from tests.attacks.screen_client import ScreenClient

WORDS = ("annual", "revenue", "report", "energy", "method", "results", "growth", "water", "data")
THUMBNAILS = 5
PAGES_VIEWED = 6
QUESTION_S = 120.0
PAGE_DPI = 150
PREFETCH_HEADERS = {"X-Pagetrail-Ahead": "1"}
ARRIVAL_S = 20.0
TARGETS_MS = {"sign-in": 1000.0, "event": 150.0, "search": 150.0, "thumbnail": 300.0}
TARGET_MS = 250.0
TARGET_MB = 1_500.0
TARGET_GROWTH = 0.1
SAMPLE_EVERY_S = 2.0
WORKSPACE, PDFS = "ws", "pdfs"
WIDTH, HEIGHT = 612, 792
MARGIN, FONT, FONT_SIZE = 40, "helv", 6
LINES, LINE_CHARS = 100, 180


class Load:
    """What the people of one round measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.errors: Counter[str] = Counter()
        self.put_off: Counter[str] = Counter()
        self.acknowledged: set[tuple[str, str]] = set()

    def timed(self, action: str, call: Callable[[], Any]) -> Any:
        """Call it and record how long it takes; a failure is counted, not raised."""
        started = time.perf_counter()
        try:
            return call()
        except (SystemExit, OSError, HTTPException, WebSocketException, ValueError) as error:
            self.errors[f"{action}: {str(error)[:80]}"] += 1
            return None
        finally:
            self.seconds[action].append(time.perf_counter() - started)


class RoundOver(Exception):
    """Stops everybody in the middle of their work: finishing it would be a burst."""


class Annotator(Thread):
    """A person with a browser tab.

    Args:
        pace: seconds of thinking are divided by it.
        arrival_s: time in which people arrive, in seconds.
    """

    def __init__(
        self,
        number: int,
        server: RunningServer,
        attempts: Sequence[str],
        load: Load,
        round_over: Flag,
        pace: float,
        arrival_s: float,
    ) -> None:
        super().__init__(daemon=True)
        self._name = person_name(number)
        self._server = server
        self._attempts = attempts
        self._load = load
        self._round_over = round_over
        self._pace = pace
        self._arrival_s = arrival_s
        self._rng = random.Random(number)
        self._client = Client(server.port)
        self._count = 0

    def run(self) -> None:
        with suppress(RoundOver, OSError, WebSocketException):
            self.answer_questions()

    def answer_questions(self) -> None:
        self._think(self._rng.uniform(0, self._arrival_s))
        cookie = self._load.timed("sign-in", lambda: self._client.sign_in(self._name))
        if cookie is None:
            return
        with ExitStack() as stack:
            screen = ScreenClient(self._server.url.rstrip("/"), cookie.partition("=")[2])
            stack.callback(screen.socket.close)
            for attempt in self._attempts:
                self._load.timed("screen", partial(screen.open, "task", f"attempt={attempt}"))
                self._question(attempt)

    def _question(self, attempt: str) -> None:
        booted = self._load.timed("open task", lambda: self._client.boot(attempt))
        if booted is None:
            return
        token = quote(booted["token"], safe="")
        self._post(attempt, "opened", {"session": self._name})
        cited: set[tuple[str, int]] = set()
        for _ in range(2):
            self._think(8)
            query = " ".join(self._rng.sample(WORDS, self._rng.randint(1, 3)))
            body = {"session": self._name, "id": self._id(), "query": query}
            path = f"/pagetrail/attempts/{attempt}/search"
            outcome = self._load.timed("search", partial(self._client.post, path, body))
            if not outcome or not outcome["results"]:
                continue
            hits, documents = outcome["results"], outcome["documents"]
            for hit in hits[:THUMBNAILS]:
                self._image(
                    "thumbnail", documents, hit["document"], hit["page"], THUMBNAIL_DPI, token
                )
            shown = hits[:THUMBNAILS]
            uncited = [hit for hit in shown if (hit["document"], hit["page"]) not in cited]
            hit = self._rng.choice(uncited or shown)
            self._read(attempt, hit, documents, token)
            if uncited:
                page = {"document": hit["document"], "page": hit["page"]}
                self._post(attempt, "citation_added", page)
                cited.add((hit["document"], hit["page"]))
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
            next_page = min(number + 1, documents[document]["n_pages"])
            self._image("page ahead", documents, document, next_page, 150, token, PREFETCH_HEADERS)
            self._think(11)

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
        self._count += 1
        return f"{self._name}-{os.getpid()}-{self._count}"

    def _think(self, seconds: float) -> None:
        # The server closes connections that are idle for seconds; a browser opens another.
        self._client.close()
        if self._round_over.wait(self._rng.uniform(0.5, 1.5) * seconds / self._pace):
            raise RoundOver


def measure(setup: Setup) -> Iterator[Measurement]:
    """Measure a round for each number of people."""
    options = setup.options
    if options.database and len(options.people) > 1:
        raise SystemExit("--database holds one round: name one number of --people")
    questions = 1 + int(options.minutes * 60 * options.pace * 1.5 / QUESTION_S)
    if options.prepare is not None:
        prepare(setup.console, options.prepare, options.pages, max(options.people), questions)
        return
    for people in options.people:
        with (
            copied(options.prepared)
            if options.prepared is not None
            else bench_workspace(setup.corpus, people, questions)
        ) as root:
            if options.database:
                workspace = Workspace.open(root)
                move_to_postgresql(workspace, options.database, SystemClock())
                workspace.engine.dispose()
                os.environ[DATABASE_URL] = options.database
            yield from _measure_round(setup, root, people)


def _measure_round(setup: Setup, root: Path, people: int) -> Iterator[Measurement]:
    options = setup.options
    load, round_over = Load(), Flag()
    flags = ["--workers", str(options.workers)] if options.workers > 1 else []
    with serving(root, flags) as server:
        crowd = _start_crowd(root, server, people, load, round_over, options.pace, options.arrival)
        started, most_mb = time.monotonic(), 0.0
        generator_began, server_began = time.process_time(), processor_s(server.pid)
        while time.monotonic() - started < options.minutes * 60:
            round_over.wait(SAMPLE_EVERY_S)
            most_mb = max(most_mb, memory_mb(server.pid))
        elapsed = time.monotonic() - started
        generator = (time.process_time() - generator_began) / elapsed
        main_process, workers = (
            (after - before) / elapsed
            for after, before in zip(processor_s(server.pid), server_began, strict=True)
        )
        actions = sum(map(len, load.seconds.values()))
        round_over.set()
        for annotator in crowd:
            annotator.join(60)
    setup.console.print(
        f"  {people} people: cores in use {generator:.2f} by this generator, {main_process:.2f} by "
        f"the server’s process ({main_process * elapsed * 1000 / actions:.1f} ms an action), "
        f"{workers:.2f} by its workers; images put off {dict(load.put_off)}"
    )
    for action, seconds in load.seconds.items():
        yield Measurement.of_durations(
            f"{people} people: {action}, {len(seconds):,}",
            seconds,
            target_p95_ms=TARGETS_MS.get(action, TARGET_MS),
        )
    yield Measurement(f"{people} people: thumbnails refused", load.put_off["thumbnail"], "", 0)
    yield Measurement(f"{people} people: memory, at most", most_mb, "MB", TARGET_MB)
    yield from _losses(setup, f"{people} people", load, root)


def _start_crowd(
    root: Path,
    server: RunningServer,
    people: int,
    load: Load,
    round_over: Flag,
    pace: float,
    arrival_s: float = ARRIVAL_S,
) -> list[Annotator]:
    attempts = [attempts_of(root, person_name(number)) for number in range(people)]
    crowd = [
        Annotator(number, server, attempts[number], load, round_over, pace, arrival_s)
        for number in range(people)
    ]
    for annotator in crowd:
        annotator.start()
    return crowd


def _losses(setup: Setup, label: str, load: Load, root: Path) -> Iterator[Measurement]:
    """Acknowledged events that are not stored, and errors."""
    lost_events = load.acknowledged - stored_events(root)
    yield Measurement(
        f"{label}: {len(load.acknowledged):,} events stored, lost", len(lost_events), "", 0
    )
    yield Measurement(f"{label}: errors", sum(load.errors.values()), "", 0)
    for error, count in load.errors.most_common(5):
        setup.console.print(f"  {count} × {json.dumps(error)}", markup=False)


def measure_soak(setup: Setup) -> Iterator[Measurement]:
    """Measure how memory grows over hours of work at full speed."""
    people = setup.options.soak_people
    questions = max(1, round(setup.options.hours * 3600 / QUESTION_S))
    load, round_over = Load(), Flag()
    samples: list[tuple[int, float]] = []
    with bench_workspace(setup.corpus, people, questions) as root:
        with serving(root) as server:
            crowd = _start_crowd(root, server, people, load, round_over, pace=1e6)
            while any(annotator.is_alive() for annotator in crowd):
                round_over.wait(SAMPLE_EVERY_S)
                samples.append((len(load.seconds["open task"]), memory_mb(server.pid)))
        tenth = people * questions / 10
        early = median(mb for opened, mb in samples if tenth <= opened < 2 * tenth)
        late = median(mb for opened, mb in samples if opened >= 9 * tenth)
        label = f"{people} people, {people * questions:,} questions"
        yield Measurement(
            f"{label}: memory in the last tenth",
            late,
            "MB",
            early * (1 + TARGET_GROWTH),
            reference=("after a tenth", early),
            longest=max(mb for _, mb in samples),
        )
        yield from _losses(setup, label, load, root)


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

    def seconds(process: psutil.Process) -> float:
        with suppress(psutil.Error):
            times = process.cpu_times()
            return float(times.user + times.system)
        return 0.0

    server = psutil.Process(pid)
    return seconds(server), sum(map(seconds, server.children(recursive=True)))


def stored_events(root: Path) -> set[tuple[str, str]]:
    """Attempt and client id of every event in the log."""
    workspace = Workspace.open(root)
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT attempt_id, client_event_id FROM event").all()
    workspace.engine.dispose()
    return {(row[0], row[1]) for row in rows}


def prepare(console: Console, folder: Path, texts: Path, people: int, questions: int) -> None:
    """Make PDFs of the texts and a workspace of them with people and their opened batches.

    Args:
        folder: of the workspace; what an interrupted run left there is deleted.
        texts: MADQA's OCR JSONL, gzipped.
    """
    started = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / PDFS).mkdir(parents=True)
    with get_context("spawn").Pool() as pool:
        pages = sum(pool.imap_unordered(_write, _documents(texts, folder / PDFS)))
    console.print(f"{pages:,} pages drawn after {time.monotonic() - started:.0f} s")
    make_workspace(folder / WORKSPACE, folder / PDFS, people, questions)
    shutil.rmtree(folder / PDFS)
    console.print(f"ready after {time.monotonic() - started:.0f} s: {folder}")


@contextmanager
def copied(folder: Path) -> Iterator[Path]:
    """A copy of a prepared workspace, so that each round starts from the same."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as name:
        root = Path(name) / WORKSPACE
        shutil.copytree(folder / WORKSPACE, root)
        yield root


def _documents(texts: Path, folder: Path) -> Iterator[tuple[Path, list[str]]]:
    with gzip.open(texts, "rt", encoding="utf-8") as file:
        lines: Iterator[dict[str, Any]] = map(json.loads, file)
        for name, pages in groupby(lines, lambda page: str(page["file"])):
            yield folder / name, [page["text"] for page in pages]


def _write(document: tuple[Path, list[str]]) -> int:
    """Write one PDF; returns its number of pages."""
    path, texts = document
    with pymupdf.open() as pdf:
        for text in texts:
            page = pdf.new_page(width=WIDTH, height=HEIGHT)
            page.insert_font(FONT)
            # Not ``insert_text``, which takes ten times as long.
            content = pdf.get_new_xref()
            pdf.update_object(content, "<<>>")
            pdf.update_stream(content, _content(text))
            page.set_contents(content)
        pdf.save(path)
    return len(texts)


def _content(text: str) -> bytes:
    """A page's drawing instructions: the lines of the text below each other."""
    lines = [line[:LINE_CHARS] for line in text.splitlines()[:LINES]]
    escaped = (re.sub(r"([\\()])", r"\\\1", line) for line in lines)
    operators = "".join(f"({line}) Tj T*\n" for line in escaped)
    top = HEIGHT - MARGIN
    start = f"BT /{FONT} {FONT_SIZE} Tf {FONT_SIZE + 1} TL {MARGIN} {top} Td\n"
    return (start + operators + "ET").encode("latin-1", "replace")


def _add_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--people", type=int, nargs="+", default=[20, 90, 150, 200])
    group.add_argument("--minutes", type=float, default=3.0, help="length of a round")
    group.add_argument("--pace", type=float, default=1.0, help="think times are divided by this")
    group.add_argument(
        "--arrival",
        type=float,
        default=ARRIVAL_S,
        help="seconds in which people arrive; 0: at once",
    )
    group.add_argument("--prepare", type=Path, help="make a workspace of 20,000 pages here")
    group.add_argument("--prepared", type=Path, help="a folder that --prepare has made")
    group.add_argument("--workers", type=int, default=1, help="servers; more need --database")
    group.add_argument("--database", help="an empty PostgreSQL database, for one round")


def _add_soak_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--hours", type=float, default=8.0)
    group.add_argument("--soak-people", type=int, default=20)


BENCHMARK = Benchmark("load", measure, is_default=False, add_options=_add_options)
SOAK = Benchmark("soak", measure_soak, is_default=False, add_options=_add_soak_options)
