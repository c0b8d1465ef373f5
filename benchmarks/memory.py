"""Memory of the server while twenty people work.

Each person has a signed-in session, an open web socket on which the task's screen was run, and does
what a task consists of: searches, page images, citations, answers. The web socket is spoken to as
Streamlit's frontend does (twenty browsers would take the machine that is measured). Resident memory
counts pages shared between processes once for each; the search processes are shown apart.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import psutil

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.support import Client, RunningServer, attempts_of, person_name, serving
from tests.attacks.screen_client import ScreenClient

SESSIONS = 20
TASKS = 3
PAGES = 4
TARGET_MB = 500
QUERIES = ("annual report", "energy", "total revenue", "safety OR health", "figure")


def measure(setup: Setup) -> list[Measurement]:
    """Measure resident memory when idle, with one session and with twenty."""
    root = setup.workspace()
    with serving(root) as server, ExitStack() as open_tabs:
        process = psutil.Process(server.pid)
        idle = _resident_mb(process)
        work_on_tasks(server, root, 0, open_tabs)
        one_session = _resident_mb(process)
        for number in range(1, SESSIONS):
            work_on_tasks(server, root, number, open_tabs)
        all_sessions = _resident_mb(process)
        children = sum(_resident_mb(child) for child in process.children(recursive=True))
    return [
        Measurement(
            f"memory, {SESSIONS} sessions",
            all_sessions,
            "MB",
            TARGET_MB,
            reference=("no session", idle),
        ),
        Measurement("… with one session", one_session, "MB", reference=("no session", idle)),
        Measurement("… each further session", (all_sessions - one_session) / (SESSIONS - 1), "MB"),
        Measurement("… its search processes, together", children, "MB"),
    ]


def _resident_mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6


def work_on_tasks(server: RunningServer, root: Path, number: int, open_tabs: ExitStack) -> None:
    """Sign in, open a tab that stays open, and work on some tasks."""
    name = person_name(number)
    client = Client(server.port)
    cookie = client.sign_in(name)
    attempts = attempts_of(root, name)[:TASKS]
    tab = open_tabs.enter_context(ScreenClient(server.url.rstrip("/"), cookie.partition("=")[2]))
    tab.open("task", f"attempt={attempts[0]}")
    for attempt in attempts:
        boot = client.boot(attempt)
        path = f"/pagetrail/attempts/{attempt}"
        for n, query in enumerate(QUERIES):
            body = {"id": f"s-{n}", "session": "s", "query": query}
            outcome = client.post(f"{path}/search", body)
            for hit in outcome["results"][:PAGES]:
                sha256 = outcome["documents"][hit["document"]]["sha256"]
                image = f"/pagetrail/page/{sha256}/{hit['page']}?dpi=150&v={boot['token']}"
                status, _ = client.get(image)
                if status != 200:
                    raise SystemExit(f"{image}: {status}")
        event = {"id": "e-1", "type": "answer_edited", "payload": {"text": "an answer"}}
        client.post(f"{path}/events", {"session": "s", "events": [event]})
    client.close()


BENCHMARK = Benchmark("memory", measure)
