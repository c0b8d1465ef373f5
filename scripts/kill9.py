"""Kill the server again and again while people work, then hold the log against what it promised.

    .venv/bin/python -m scripts.kill9 --rounds 200

Clients work as the browser does: events carry stable ids, wait in an outbox, and are sent again
until the server acknowledges them. The server is killed with SIGKILL at random moments, also while
it starts, and started again on its port. In every other round only the main process is killed, so
that the search processes must notice by themselves. At the end each acknowledged event must be in
the log under the acknowledged number, once, with what was sent; numbers have no gap; the stored
projection is the fold of the events; SQLite finds the file sound. Exit code 0 when all that holds.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from annotation.response import fold
from storage.event_log import SqlEventLog
from storage.workspace import DATABASE_NAME, Workspace
from tests.e2e.collection import PASSWORD, REPORT, attempts, build
from tests.e2e.serving import ServerProcess

TABS = ("alma", "alma", "bruno", "bruno")
MOST_WORK = 60
"""Events and searches that a server confirms at the most before it is killed at any moment."""
LONGEST_WAIT_S = 0.3
KILLED_WHILE_STARTING = 0.1
_RETRY_S = 0.05
_DRAIN_S = 60.0
_PAUSE_S = 0.005


@dataclass
class Report:
    """What happened, and what was found wrong.

    Attributes:
        acknowledged: events and searches that the server confirmed.
        mid_request: kills that hit at least one request under way.
        answers_lost: events that were stored although their answer never arrived.
        wrong: sentences; empty when every promise was kept.
    """

    rounds: int = 0
    seconds: float = 0.0
    kills: int = 0
    mid_request: int = 0
    while_starting: int = 0
    starts_s: float = 0.0
    acknowledged: int = 0
    stored: int = 0
    requests_broken: int = 0
    answers_lost: int = 0
    duplicates: int = 0
    wrong: list[str] = field(default_factory=list)


class Tab(Thread):
    """One browser tab: makes events, sends them until they are acknowledged."""

    def __init__(self, number: int, name: str, port: int, attempt_ids: list[str], seed: int):
        super().__init__(name=f"tab{number}", daemon=True)
        self._who = name
        self._port = port
        self._attempts = attempt_ids
        self._rng = random.Random(f"{seed}/{number}")
        self._session = f"tab{number}"
        self._made = 0
        self._cookie = ""
        self._tokens: dict[str, str] = {}
        self._connection: HTTPConnection | None = None
        self.finish = Flag()
        self.in_flight = False
        self.broken = 0
        self.repeated = 0
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.acknowledged: dict[str, tuple[str, int]] = {}
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self.finish.is_set():
            attempt = self._rng.choice(self._attempts)
            if self._rng.random() < 0.15:
                self._until_done(partial(self._post_search, attempt, self._search()))
                continue
            outbox = [self._event() for _ in range(self._rng.randint(1, 5))]
            self.sent += [(attempt, event) for event in outbox]
            while outbox:
                self._until_done(partial(self._post_events, attempt, outbox))

    def _until_done(self, action: Callable[[], None]) -> None:
        while True:
            try:
                self.in_flight = True
                action()
                return
            except (OSError, HTTPException):
                self.broken += 1
                self._connection = None
                time.sleep(_RETRY_S)  # the browser's back-off
            finally:
                self.in_flight = False

    def _post_events(self, attempt: str, outbox: list[dict[str, Any]]) -> None:
        reply = self._call(attempt, "events", {"session": self._session, "events": outbox})
        for receipt in reply["receipts"]:
            self._note(attempt, receipt["id"], receipt["seq"])
            self.repeated += receipt["repeated"]
        settled = {receipt["id"] for receipt in reply["receipts"]}
        for refusal in reply["refusals"]:
            self.wrong.append(f"refused: {refusal}")
            settled.add(refusal["id"])
        outbox[:] = [event for event in outbox if event["id"] not in settled]

    def _post_search(self, attempt: str, body: dict[str, Any]) -> None:
        reply = self._call(attempt, "search", body)
        if reply["search_id"] != body["id"]:
            self.wrong.append(f"search {body['id']} was answered with {reply['search_id']}")
        self.acknowledged[body["id"]] = (attempt, 0)

    def _note(self, attempt: str, event_id: str, seq: int) -> None:
        known = self.acknowledged.setdefault(event_id, (attempt, seq))
        if known != (attempt, seq):
            self.wrong.append(f"{event_id} was acknowledged as {known} and as {(attempt, seq)}")

    def _call(self, attempt: str, route: str, body: dict[str, Any]) -> dict[str, Any]:
        path = f"/pagetrail/attempts/{attempt}"
        if not self._cookie:
            form = urlencode({"name": self._who, "password": PASSWORD})
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            self._send("POST", "/pagetrail/login", form, kind)
        if attempt not in self._tokens:
            self._tokens[attempt] = json.loads(self._send("GET", path, None, {}))["token"]
        headers = {"X-Pagetrail": self._tokens[attempt], "Content-Type": "application/json"}
        answer: dict[str, Any] = json.loads(
            self._send("POST", f"{path}/{route}", json.dumps(body), headers)
        )
        return answer

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> bytes:
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=20)
        cookie = {"Cookie": self._cookie} if self._cookie else {}
        self._connection.request(method, path, body, headers | cookie)
        reply = self._connection.getresponse()
        text = reply.read()
        if reply.status >= 400:
            raise HTTPException(f"{reply.status} {text[:200]!r}")
        self._cookie = (reply.getheader("set-cookie") or self._cookie).partition(";")[0]
        return text

    def _id(self) -> str:
        self._made += 1
        return f"{self._session}-{self._made}"

    def _search(self) -> dict[str, Any]:
        return {"id": self._id(), "query": self._rng.choice(["otters", "ledger", "river*"])}

    def _event(self) -> dict[str, Any]:
        page = self._rng.randint(1, 30)
        kind, payload = self._rng.choice(
            [
                ("page_viewed", {"document": REPORT, "page": page, "via": "jump"}),
                ("view_changed", {"fit": "none", "zoom": 100 + page, "rotation": 90}),
                ("answer_edited", {"text": f"{self._session} wrote {self._made}"}),
                ("note_edited", {"text": "é🦦" * page}),
                ("flagged", {"comment": f"look at page {page}"}),
            ]
        )
        return {"id": self._id(), "type": kind, "payload": payload, "age_ms": 0}


def run(rounds: int, folder: Path, seed: int = 9) -> Report:
    """Do it.

    Args:
        rounds: how often the server is killed.
        folder: an empty folder for the workspace.
        seed: of everything random but the timing of the machine.
    """
    rng = random.Random(seed)
    workspace = build(folder)
    server = ServerProcess(workspace.root)
    tabs = [
        Tab(n, name, server.port, list(attempts(workspace, name).values())[:2], seed)
        for n, name in enumerate(TABS)
    ]
    report = Report(rounds=rounds)
    began = time.monotonic()
    starts = []
    for tab in tabs:
        tab.start()
    for number in range(rounds):
        if rng.random() < KILLED_WHILE_STARTING:
            server.launch()
            time.sleep(rng.uniform(0.1, 2.0))
            report.while_starting += 1
        else:
            starts.append(server.start())
            _work(tabs, rng.randint(0, MOST_WORK))
            time.sleep(rng.uniform(0, LONGEST_WAIT_S))
            report.mid_request += any(tab.in_flight for tab in tabs)
        server.kill(group=number % 2 == 0)
        report.kills += 1
    with server:
        for tab in tabs:
            tab.finish.set()
        for tab in tabs:
            tab.join(_DRAIN_S)
            if tab.is_alive():
                report.wrong.append(f"{tab.name} could not send what it holds")
    report.seconds = round(time.monotonic() - began, 1)
    report.starts_s = round(sum(starts) / max(1, len(starts)), 2)
    check(workspace, tabs, report)
    workspace.engine.dispose()
    return report


def _work(tabs: list[Tab], wanted: int) -> None:
    """Wait until the server has confirmed so much; a slow machine kills no sooner than a fast one.

    Raises:
        TimeoutError: it confirms nothing more.
    """
    goal = wanted + sum(len(tab.acknowledged) for tab in tabs)
    give_up = time.monotonic() + _DRAIN_S
    while sum(len(tab.acknowledged) for tab in tabs) < goal:
        if time.monotonic() > give_up:
            raise TimeoutError(f"The tabs wait for the server: {goal} confirmations were wanted.")
        time.sleep(_PAUSE_S)


def check(workspace: Workspace, tabs: list[Tab], report: Report) -> None:
    """Hold the log against what the tabs were promised."""
    log = SqlEventLog(workspace.engine)
    stored: dict[str, tuple[str, int, dict[str, Any]]] = {}
    for attempt in sorted({a for tab in tabs for a, _ in tab.acknowledged.values()}):
        events = list(log.events(attempt))
        report.stored += len(events)
        if [event.seq for event in events] != list(range(1, len(events) + 1)):
            report.wrong.append(f"{attempt}: the numbers have a gap")
        ids = Counter(event.client_event_id for event in events)
        report.duplicates += sum(count - 1 for count in ids.values())
        stored |= {e.client_event_id: (attempt, e.seq, e.fields()) for e in events}
        if fold(events) != log.response(attempt):
            report.wrong.append(f"{attempt}: the projection is not the fold of the events")
    for tab in tabs:
        report.wrong += [*tab.wrong, *_broken_promises(tab, stored)]
        report.acknowledged += len(tab.acknowledged)
        report.requests_broken += tab.broken
        report.answers_lost += tab.repeated
    if len(stored) != report.acknowledged:
        report.wrong.append(f"{len(stored)} stored, but {report.acknowledged} acknowledged")
    with sqlite3.connect(workspace.root / DATABASE_NAME) as connection:
        verdict = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    if verdict != "ok":
        report.wrong.append(f"integrity check: {verdict}")
    if report.duplicates:
        report.wrong.append(f"{report.duplicates} events are stored twice")


def _broken_promises(tab: Tab, stored: dict[str, tuple[str, int, dict[str, Any]]]) -> Iterator[str]:
    for event_id, (attempt, seq) in tab.acknowledged.items():
        found = stored.get(event_id)
        if found is None:
            yield f"{event_id} was acknowledged and is not stored"
        elif found[0] != attempt or (seq and found[1] != seq):
            yield f"{event_id} was acknowledged as {attempt} {seq}, and is stored as {found[:2]}"
    last: dict[str, int] = {}
    for attempt, event in tab.sent:
        if event["id"] not in stored:
            yield f"{event['id']} was made and is not stored"
            continue
        _, seq, fields = stored[event["id"]]
        if not event["payload"].items() <= fields.items():
            yield f"{event['id']} holds {fields} instead of {event['payload']}"
        if seq <= last.get(attempt, 0):
            yield f"{event['id']} is stored before the event made before it"
        last[attempt] = seq


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=200, help="kills (default 200)")
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pagetrail-kill9-") as folder:
        report = run(options.rounds, Path(folder), options.seed)
    print(json.dumps(asdict(report), indent=2))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
