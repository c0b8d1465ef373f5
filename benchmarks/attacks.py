"""How long another person's events take while somebody attacks the server.

A victim stores an event on a real server every 50 ms; in turn nothing else happens (the base), and
each attack of ``tests/attacks`` runs for as long, in a process of its own, so that the victim waits
for the server only. An event that is refused is a miss.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pymupdf
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import (
    PASSWORD,
    Client,
    RunningServer,
    attempts_of,
    bench_workspace,
    person_name,
    serving,
)
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user
from tests.attacks.hostile_pdfs import write_blended_fills, write_rectangles
from tests.attacks.screen_client import ScreenClient

TARGET_P95_MS = 100.0
EVERY_S = 0.05
BURST = 100
HALVES = 1_100
LONG, LONG_PAGES = "long.pdf", 800
SUPERVISOR, SUPERVISORS = "s{:02}", 12
TARGET_LONGEST_MS = 500.0
_ENDS = (SystemExit, OSError, HTTPException, WebSocketException, ValueError)
"""What a refused or ended request raises here: an attack goes on."""


@dataclass
class Scene:
    """What an attack has: the server, the attacker's attempts and cookie, and when it is over."""

    root: Path
    server: RunningServer
    attempts: Sequence[str]
    cookie: str
    is_over: Flag

    def client(self, attempt: str = "") -> tuple[Client, str]:
        """A signed-in connection of the attacker, and the token of an attempt."""
        client = Client(self.server.port, self.cookie)
        return client, client.boot(attempt or self.attempts[0])["token"]

    def crowd(self, action: Callable[[int], object], size: int = BURST) -> None:
        """Repeat the work in that many threads until the attack is over."""

        def repeat(number: int) -> None:
            while not self.is_over.is_set():
                with suppress(*_ENDS):
                    action(number)

        threads = [Thread(target=repeat, args=(number,), daemon=True) for number in range(size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _requests(
    scene: Scene, ask: Callable[[Client, str, int], object], connections: int = BURST
) -> None:
    """A burst of requests, each thread over one connection."""

    def send_requests(number: int) -> None:
        client, token = scene.client()
        with suppress(*_ENDS):
            while not scene.is_over.is_set():
                ask(client, token, number)
        client.close()

    scene.crowd(send_requests, connections)


def _search(client: Client, _token: str, number: int, attempt: str) -> None:
    body = {"session": "a", "id": f"s{time.monotonic_ns()}", "query": f"report {number}"}
    client.post(f"/pagetrail/attempts/{attempt}/search", body)


def no_attack(scene: Scene) -> None:
    """No attack: what the others are compared with."""
    scene.is_over.wait()


def searches(scene: Scene) -> None:
    """A hundred searches at once."""
    _requests(scene, partial(_search, attempt=scene.attempts[0]))


def boots(scene: Scene) -> None:
    """A hundred tasks opened at once."""
    _requests(scene, lambda client, _token, _number: client.boot(scene.attempts[0]))


def _draw(scene: Scene, name: str) -> None:
    workspace = Workspace.open(scene.root)
    info = Corpus(workspace).document(name)
    workspace.engine.dispose()
    assert info is not None

    def ask(client: Client, token: str, number: int) -> None:
        page, dpi = number % info.n_pages + 1, 220 - number % 5
        path = f"/pagetrail/page/{info.sha256}/{page}?dpi={dpi}&v={quote(token, safe='')}"
        client.get(path)

    _requests(scene, ask)


def comments(scene: Scene) -> None:
    """As many comments and notes as are taken."""
    client, _ = scene.client(scene.attempts[1])
    while not scene.is_over.is_set():
        event = {"id": f"c{time.monotonic_ns()}", "type": "note_edited"}
        event["payload"] = {"text": "x" * 19_000}  # type: ignore[assignment]
        with suppress(*_ENDS):
            body = {"session": "a", "events": [event]}
            client.post(f"/pagetrail/attempts/{scene.attempts[1]}/events", body)


def long_answers(scene: Scene) -> None:
    """Answers of 500 lines, submitted and reopened."""
    for attempt in scene.attempts[2:]:
        client, _ = scene.client(attempt)
        text = "\n".join(f"line {n} {time.monotonic_ns()}" for n in range(500))
        kinds: list[tuple[str, dict[str, Any]]] = [
            ("opened", {"session": "a"}),
            ("answer_edited", {"text": text}),
            ("submitted", {"outcome": "not_found"}),
        ]
        for number, (kind, payload) in enumerate(kinds):
            event = {"id": f"l{attempt}{number}", "type": kind, "payload": payload}
            with suppress(*_ENDS):
                client.post(
                    f"/pagetrail/attempts/{attempt}/events", {"session": "a", "events": [event]}
                )
        if scene.is_over.wait(0.2):
            return


def widget_states(scene: Scene) -> None:
    """Four tabs that send widget states as fast as they are taken."""
    cookie = scene.cookie.partition("=")[2]
    message = BackMsg()
    message.rerun_script.page_name = "batches"
    for number in range(50):
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.string_value = f"invented-{number}", "x" * 1_000

    def send_states(_number: int) -> None:
        with ScreenClient(scene.server.url.rstrip("/"), cookie) as tab:
            while not scene.is_over.is_set():
                tab.send(message)

    scene.crowd(send_states, 4)


def half_requests(scene: Scene) -> None:
    """Connections that never send a whole request."""
    opened: list[socket.socket] = []
    while not scene.is_over.is_set():
        for _ in range(HALVES - len(opened)):
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", scene.server.port), timeout=5)
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
                opened.append(connection)
        scene.is_over.wait(1)
        for connection in opened:
            connection.close()
        opened.clear()


def guesses(scene: Scene) -> None:
    """Passwords guessed for the victim's account and others."""

    def guess_password(number: int) -> None:
        client = Client(scene.server.port)
        with suppress(*_ENDS):
            client._connection.request(
                "POST",
                "/pagetrail/login",
                f"name={person_name(number % 2)}&password=wrong{number}",
                {"Content-Type": "application/x-www-form-urlencoded"},
            )
            client._connection.getresponse().read()
        client.close()

    scene.crowd(guess_password, 20)


def event_floods(scene: Scene) -> None:
    """Batches of 200 events over ten connections, as fast as they are taken."""

    def ask(client: Client, _token: str, number: int) -> None:
        now = time.monotonic_ns()
        events = [
            {"id": f"e{number}-{now}-{n}", "type": "note_edited", "payload": {"text": f"{now} {n}"}}
            for n in range(200)
        ]
        body = {"session": "a", "events": events}
        client.post(f"/pagetrail/attempts/{scene.attempts[0]}/events", body)

    _requests(scene, ask, 10)


def finds(scene: Scene) -> None:
    """A text looked for in the document of 800 pages, over four connections."""

    def ask(client: Client, _token: str, number: int) -> None:
        body = {"id": f"f{time.monotonic_ns()}", "document": LONG, "text": f"report {number}"}
        client.post(f"/pagetrail/attempts/{scene.attempts[0]}/find", body)

    _requests(scene, ask, 4)


def sign_ins(scene: Scene) -> None:
    """Thirty browsers at addresses of their own that sign in, again and again."""

    def sign_in(number: int) -> None:
        address = (f"127.0.{number + 1}.{time.monotonic_ns() % 250 + 1}", 0)
        connection = HTTPConnection("127.0.0.1", scene.server.port, 60, source_address=address)
        form = f"name={SUPERVISOR.format(number % SUPERVISORS)}&password={quote(PASSWORD)}"
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/pagetrail/login", form, headers)
        connection.getresponse().read()
        connection.close()

    scene.crowd(sign_in, 30)


def supervisors(scene: Scene) -> None:
    """Twelve supervisors who open one screen after the other."""

    def open_screens(number: int) -> None:
        cookie = Client(scene.server.port).sign_in(SUPERVISOR.format(number))
        while not scene.is_over.is_set():
            with ScreenClient(scene.server.url.rstrip("/"), cookie.partition("=")[2]) as tab:
                for screen in ("progress", "review", "results", "pilots"):
                    if not scene.is_over.is_set():
                        tab.open(screen)

    scene.crowd(open_screens, SUPERVISORS)


def tabs(scene: Scene) -> None:
    """One annotator who opens and closes 20 screens at once."""
    token = scene.cookie.partition("=")[2]

    def open_tab(_number: int) -> None:
        with ScreenClient(scene.server.url.rstrip("/"), token) as tab:
            tab.ask("task", f"attempt={scene.attempts[0]}")

    scene.crowd(open_tab, 20)


def new_document(scene: Scene) -> None:
    """A PDF is added, and the index made again."""
    with tempfile.TemporaryDirectory() as folder:
        document = pymupdf.open()
        document.new_page().insert_text((50, 50), f"new {time.monotonic_ns()}")
        document.save(Path(folder) / "new.pdf")
        workspace = Workspace.open(scene.root)
        ingest(workspace, [Path(folder)], ocr="never", workers=1)
        workspace.engine.dispose()
    scene.is_over.wait()


def lost_index(scene: Scene) -> None:
    """The index is deleted; searches go on asking for it."""
    for folder in (scene.root / "index").iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    searches(scene)


ATTACKS: dict[str, Callable[[Scene], None]] = {
    "nothing": no_attack,
    "60,000 blended fills, 220 dpi": lambda scene: _draw(scene, "fills.pdf"),
    "100,000 rectangles": lambda scene: _draw(scene, "rectangles.pdf"),
    "100 searches at once": searches,
    "100 tasks opened at once": boots,
    "submitted answers of 500 lines": long_answers,
    "notes of 19,000 characters": comments,
    "widget states, 4 tabs": widget_states,
    "1,100 half-sent requests": half_requests,
    "guessed passwords, 20 at once": guesses,
    "10 floods of events": event_floods,
    "finds in 800 pages, 4 connections": finds,
    "30 sign-ins at once": sign_ins,
    "12 supervisors' screens": supervisors,
    "20 screens opened and closed": tabs,
    "a PDF added": new_document,
    "index deleted, 100 searches": lost_index,
}


def measure(setup: Setup) -> Iterator[Measurement]:
    """Measure a victim's events under each attack."""
    words = setup.options.attacks
    names = [name for name in ATTACKS if not words or any(word in name for word in words)]
    with _corpus(setup.corpus) as pdfs, bench_workspace(pdfs, 2, 40) as root:
        _add_supervisors(root)
        # Once: passwords guessed in one scene make a new browser wait in the next.
        with serving(root) as server:
            cookies = [Client(server.port).sign_in(person_name(number)) for number in range(2)]
        for name in names:
            seconds, refusals = _event_seconds(root, name, setup.options.seconds, *cookies)
            for refusal in refusals[:3]:
                setup.console.print(f"  {name}: {json.dumps(refusal[:200])}", markup=False)
            yield Measurement.of_durations(
                name,
                seconds,
                target_p95_ms=TARGET_P95_MS,
                target_longest_ms=TARGET_LONGEST_MS,
                note=f"{len(refusals)} refused" if refusals else "",
            )


@contextmanager
def _corpus(pdfs: Path) -> Iterator[Path]:
    """The PDFs, and the hostile ones beside them."""
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder)
        for path in sorted(pdfs.glob("*.pdf")):
            (documents / path.name).symlink_to(path)
        write_blended_fills(documents / "fills.pdf", 20)
        write_rectangles(documents / "rectangles.pdf")
        _write_long_document(documents / LONG)
        yield documents


def _write_long_document(path: Path) -> None:
    line = "An annual report on the growth of revenue, energy and water in every region. "
    with pymupdf.open() as document:
        for number in range(LONG_PAGES):
            page = document.new_page()
            body = pymupdf.Rect(20, 20, page.rect.x1 - 20, page.rect.y1 - 20)
            page.insert_textbox(body, f"{number} {line * 40}", fontsize=8)
        document.save(path)


def _add_supervisors(root: Path) -> None:
    workspace = Workspace.open(root)
    for number in range(SUPERVISORS):
        add_user(workspace, SUPERVISOR.format(number), "supervisor", PASSWORD)
    workspace.engine.dispose()


def _attack(name: str, scene: Scene) -> None:
    ATTACKS[name](scene)


def _event_seconds(
    root: Path, name: str, seconds: float, victim_cookie: str, attacker_cookie: str
) -> tuple[list[float], list[str]]:
    """Seconds of each of the victim's events under an attack, and the errors of refused ones."""
    victim = attempts_of(root, person_name(0))[0]
    with serving(root) as server:
        client = Client(server.port, victim_cookie)
        client.boot(victim)
        context = get_context("spawn")
        is_over = context.Event()
        scene = Scene(root, server, attempts_of(root, person_name(1)), attacker_cookie, is_over)
        attacker = context.Process(target=_attack, args=(name, scene), daemon=True)
        attacker.start()
        durations: list[float] = []
        refusals: list[str] = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            event = {
                "id": f"v{time.monotonic_ns()}",
                "type": "note_edited",
                "payload": {"text": str(len(durations))},
            }
            started = time.perf_counter()
            try:
                client.post(
                    f"/pagetrail/attempts/{victim}/events", {"session": "v", "events": [event]}
                )
            except _ENDS as error:
                refusals.append(str(error))
                client.close()
            durations.append(time.perf_counter() - started)
            time.sleep(EVERY_S)
        is_over.set()
        attacker.join(30)
        attacker.kill()
        client.close()
    return durations, refusals


def _add_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--seconds", type=float, default=10.0, help="length of each attack")
    group.add_argument("--attacks", nargs="+", help="words in the names of the attacks to run")


BENCHMARK = Benchmark("attacks", measure, is_default=False, add_options=_add_options)
